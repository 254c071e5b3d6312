import { second } from './clock.ts';
import { unavailable } from './errors.ts';

interface Waiting {
  begin(): void;
  readonly timer: NodeJS.Timeout;
}

export interface PlaceLimits {
  /** How much goes on at once, in all and of one person. */
  readonly all: number;
  readonly ofOne: number;
  /** How much of one person may wait. */
  readonly waitingOfOne: number;
  /** Milliseconds after which whoever waits gives up. */
  readonly patience: number;
}

/** Said to those who had to wait for too long, or for whom too much waits already. */
const tooMuch = (patience: number) =>
  unavailable(
    `There is so much to do that this did not begin within ${patience / second} seconds. Try again later.`,
    {
      retryAfter: 2,
    },
  );

/**
 * So much may go on at once. Where others wait, everybody has a turn, and whoever holds what they have for long holds up nobody but themselves: a part of
 * the places is for others. What one person asks for begins in its order.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #refusal: () => Error;
  /** Those who wait, in the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #taken = new Map<string, number>();
  #free: number;
  #awaited = 0;

  constructor(limits: PlaceLimits, refusal: () => Error = () => tooMuch(limits.patience)) {
    this.#limits = limits;
    this.#refusal = refusal;
    this.#free = limits.all;
  }

  /** How many wait. */
  get awaited(): number {
    return this.#awaited;
  }

  async run<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#mayTake(who)) this.#take(who);
    else await this.#turn(who);
    try {
      return await work();
    } finally {
      this.#leave(who);
    }
  }

  #mayTake(who: string): boolean {
    return (this.#taken.get(who) ?? 0) < this.#limits.ofOne;
  }

  #take(who: string): void {
    this.#free--;
    this.#taken.set(who, (this.#taken.get(who) ?? 0) + 1);
  }

  #turn(who: string): Promise<void> {
    const own = this.#waiting.get(who) ?? new Set();
    if (own.size >= this.#limits.waitingOfOne) throw this.#refusal();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#remove(who, own, waiting);
        reject(this.#refusal());
      };
      const waiting: Waiting = { begin: resolve, timer: setTimeout(giveUp, this.#limits.patience) };
      this.#waiting.set(who, own.add(waiting));
      this.#awaited++;
    });
  }

  #remove(who: string, own: Set<Waiting>, waiting: Waiting): void {
    own.delete(waiting);
    this.#awaited--;
    if (own.size === 0) this.#waiting.delete(who);
  }

  #leave(who: string): void {
    this.#free++;
    const left = (this.#taken.get(who) ?? 0) - 1;
    if (left > 0) this.#taken.set(who, left);
    else this.#taken.delete(who);
    this.#fill();
  }

  /** A free place goes to the first whose turn it is and who may take it; then all others have theirs before. */
  #fill(): void {
    if (this.#free === 0) return;
    for (const [who, own] of this.#waiting) {
      const [next] = own;
      if (next === undefined || !this.#mayTake(who)) continue;
      this.#remove(who, own, next);
      if (this.#waiting.delete(who)) this.#waiting.set(who, own);
      clearTimeout(next.timer);
      this.#take(who);
      return next.begin();
    }
  }
}
