import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { isWaitOver, minute } from '../kernel/clock.ts';

export interface HashingCost {
  /** Memory in KiB. */
  readonly memory: number;
  readonly passes: number;
}

const derive = promisify(argon2);

interface Stored {
  readonly cost: HashingCost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

function parse(hash: string): Stored | undefined {
  const [, memory, passes, salt, tag] = form.exec(hash) ?? [];
  if (memory === undefined || passes === undefined || salt === undefined || tag === undefined)
    return undefined;
  const cost = { memory: Number(memory), passes: Number(passes) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/**
 * A counter in shared memory that lets only so many pass at a time, over all threads of the process. Hashing is made
 * to be dear: without this, a handful of logins would take every core.
 */
export class HashLimiter {
  /** How many may pass, and behind it how many of each thread are inside. */
  readonly #free: Int32Array;
  readonly #own: number;

  constructor(memory: SharedArrayBuffer, thread = 0) {
    this.#free = new Int32Array(memory);
    this.#own = 1 + thread;
  }

  static createMemory(places: number, threads = 1): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((1 + threads) * Int32Array.BYTES_PER_ELEMENT);
    new Int32Array(memory)[0] = places;
    return memory;
  }

  /** Gives the places of a thread that died inside to others. */
  clear(): void {
    const inside = Atomics.exchange(this.#free, this.#own, 0);
    Atomics.add(this.#free, 0, inside);
    Atomics.notify(this.#free, 0, inside);
  }

  async #enter(): Promise<void> {
    for (;;) {
      const free = Atomics.load(this.#free, 0);
      if (free > 0 && Atomics.compareExchange(this.#free, 0, free, free - 1) === free) return;
      // A timeout as well: a thread that ended while it waited must not swallow the wake-up of another.
      if (free <= 0) await Atomics.waitAsync(this.#free, 0, free, 100).value;
    }
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    Atomics.add(this.#free, this.#own, 1);
    try {
      return await work();
    } finally {
      Atomics.sub(this.#free, this.#own, 1);
      Atomics.add(this.#free, 0, 1);
      Atomics.notify(this.#free, 0, 1);
    }
  }
}

/** Argon2id, off the event loop. */
export class PasswordHasher {
  readonly #cost: HashingCost;
  readonly #hashLimiter: HashLimiter;
  /** Checked in place of an unknown account's hash, so that both take the same time. */
  readonly #decoy: Stored;

  constructor(cost: HashingCost, hashLimiter: HashLimiter) {
    this.#cost = cost;
    this.#hashLimiter = hashLimiter;
    this.#decoy = { cost, salt: randomBytes(16), tag: randomBytes(32) };
  }

  #derive(
    password: string,
    { memory, passes }: HashingCost,
    nonce: Buffer,
    tagLength: number,
  ): Promise<Buffer> {
    const message = Buffer.from(password);
    return this.#hashLimiter.pass(() =>
      derive('argon2id', { message, nonce, parallelism: 1, tagLength, memory, passes }),
    );
  }

  async hash(password: string): Promise<string> {
    const { memory, passes } = this.#cost;
    const salt = randomBytes(16);
    const tag = await this.#derive(password, this.#cost, salt, 32);
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${unpadded(salt)}$${unpadded(tag)}`;
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    const stored = hash === null ? undefined : parse(hash);
    const { cost, salt, tag } = stored ?? this.#decoy;
    const derived = await this.#derive(password, cost, salt, tag.length);
    return timingSafeEqual(derived, tag) && stored !== undefined;
  }

  /** Whether a hash was made with other parameters than those in force now. */
  isOutdated(hash: string): boolean {
    const stored = parse(hash);
    return stored?.cost.memory !== this.#cost.memory || stored.cost.passes !== this.#cost.passes;
  }
}

const rememberedFor = 10 * minute;
const mostRemembered = 1000;

/**
 * Passwords that were right a moment ago, so that HTTP Basic does not pay for Argon2 on every request. Kept are only
 * keyed digests under a key that exists in this thread's memory alone, bound to the stored hash: a changed password is
 * forgotten at once.
 */
export class RecentPasswords {
  readonly #key = randomBytes(32);
  readonly #known = new Map<number, { digest: Buffer; hash: string; until: number }>();

  #digest(password: string): Buffer {
    return createHmac('sha256', this.#key).update(password).digest();
  }

  /** Tells passwords apart without keeping them. */
  digest(password: string): string {
    return this.#digest(password).toString('base64');
  }

  remember(accountId: number, password: string, hash: string): void {
    const oldest = this.#known.keys().next().value;
    if (this.#known.size >= mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(accountId, { digest: this.#digest(password), hash, until: Date.now() + rememberedFor });
  }

  isKnown(accountId: number, password: string, hash: string): boolean {
    const entry = this.#known.get(accountId);
    if (entry === undefined || entry.hash !== hash || isWaitOver(entry.until, rememberedFor)) return false;
    return timingSafeEqual(entry.digest, this.#digest(password));
  }
}
