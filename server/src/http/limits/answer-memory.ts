import { unavailable } from '../../kernel/errors.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Room } from '../../kernel/room.ts';

/** How long an answer that has not begun waits for its turn, in milliseconds. */
const longestWait = 10_000;
/** How long others wait before whoever takes an answer slowly must make room for them, in milliseconds. */
const longestMercy = 5_000;

/** Bytes from which on even the first part of an answer takes its turn. */
const longFirstPart = 2 * 1024 * 1024;

/** Lets those who wait go on one in each turn of the event loop, so that everybody else is answered in between. */
class OneATurn {
  readonly #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go);
      if (this.#waiting.length === 1) setImmediate(() => this.#goOn());
    });
  }

  #goOn(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn());
  }
}

interface Waiting {
  readonly room: AnswerRoom;
  readonly bytes: number;
  readonly since: number;
  readonly go: () => void;
  readonly refuse: (reason: Error) => void;
}

/** The caller went away while their answer waited for its turn. */
export class CallerGone extends Error {}

const crowded = () =>
  unavailable('There are more long answers under way than this server can hold. Try again in a moment.', {
    retryAfter: 5,
  });

/**
 * The bytes that all answers of one thread hold: rows that were read for them, texts that were made, and what their
 * callers have not taken yet. Answers that need more wait their turn, first come, first served; one that is larger than
 * all there is goes alone. When others wait, those who take theirs slowly are cut. Parts of answers are made one in each turn of
 * the event loop.
 */
export class AnswerMemory {
  readonly #most: number;
  readonly #metrics: Pick<Metrics, 'count'>;
  readonly #turns = new OneATurn();
  readonly #waiting: Waiting[] = [];
  /** Those whose callers are to take what is made, the one that waits longest for it first. */
  readonly #sending = new Map<AnswerRoom, number>();
  #held = 0;
  #look: NodeJS.Timeout | undefined;

  /** `most`: bytes. */
  constructor(most: number, metrics: Pick<Metrics, 'count'>) {
    this.#most = most;
    this.#metrics = metrics;
  }

  /** Whether even small answers have to wait. */
  get isFull(): boolean {
    return this.#held >= this.#most;
  }

  /** Counts what an answer holds, whether or not there is room for it. */
  count(difference: number): void {
    this.#held += difference;
    if (difference < 0) this.#admit();
  }

  fits(bytes: number): boolean {
    return this.#waiting.length === 0 && (this.#held === 0 || this.#held + bytes <= this.#most);
  }

  wait(room: AnswerRoom, bytes: number): Promise<void> {
    return new Promise((go, refuse) => {
      this.#waiting.push({ room, bytes, since: performance.now(), go, refuse });
      this.#watch();
    });
  }

  turn(): Promise<void> {
    return this.#turns.wait();
  }

  leave(room: AnswerRoom): void {
    this.#sending.delete(room);
    const index = this.#waiting.findIndex((waiting) => waiting.room === room);
    if (index === -1) return;
    const [gone] = this.#waiting.splice(index, 1);
    gone?.refuse(new CallerGone('The caller went away.'));
  }

  begins(room: AnswerRoom): void {
    // Anew at the end: the first one is the slowest.
    this.#sending.delete(room);
    this.#sending.set(room, performance.now());
  }

  ends(room: AnswerRoom): void {
    this.#sending.delete(room);
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#held > 0 && this.#held + next.bytes > this.#most) return;
      this.#waiting.shift();
      next.room.hold(next.bytes);
      next.go();
    }
  }

  #watch(): void {
    // After whatever has arrived: where this thread was busy, nobody else was slow.
    this.#look ??= setInterval(() => setImmediate(() => this.#lookAround()), 250).unref();
  }

  /** Sends those away who have waited long enough, and makes those leave who are slow while others wait. */
  #lookAround(): void {
    const now = performance.now();
    const overdue = this.#waiting.filter(({ room, since }) => !room.hasBegun && now - since > longestWait);
    for (const waiting of overdue) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#metrics.count('answers_put_off');
      waiting.refuse(crowded());
    }
    this.#cutSlow(now);
    if (this.#waiting.length > 0) return;
    clearInterval(this.#look);
    this.#look = undefined;
  }

  /** As many as it takes for the first one that waits, which has waited long enough. */
  #cutSlow(now: number): void {
    for (const [room, since] of this.#sending) {
      const [first] = this.#waiting;
      if (first === undefined || now - first.since < longestMercy || now - since < longestMercy) return;
      room.cut();
    }
  }
}

/** What one answer holds. */
export class AnswerRoom implements Room {
  readonly #memory: AnswerMemory;
  readonly #cut: () => void;
  #held = 0;
  #isLeft = false;
  /** Whether a part of it was made already. */
  #isUnderWay = false;
  /** Whether the caller has got a part of the answer: then it can be cut, but not refused any more. */
  hasBegun = false;

  /** `cut`: breaks the connection. */
  constructor(memory: AnswerMemory, cut: () => void) {
    this.#memory = memory;
    this.#cut = cut;
  }

  async need(bytes: number): Promise<void> {
    this.hold(0);
    this.#requireCaller();
    if (this.#memory.fits(bytes)) this.hold(bytes);
    else await this.#memory.wait(this, bytes);
    if (this.#isUnderWay || bytes >= longFirstPart) await this.#memory.turn();
    this.#isUnderWay = true;
    this.#requireCaller();
  }

  #requireCaller(): void {
    if (this.#isLeft) throw new CallerGone('The caller went away.');
  }

  hold(bytes: number): void {
    const held = this.#isLeft ? 0 : bytes;
    const difference = held - this.#held;
    this.#held = held;
    this.#memory.count(difference);
  }

  /** From now on until `taken` it is the caller's turn. */
  offered(): void {
    this.#memory.begins(this);
  }

  taken(): void {
    this.#memory.ends(this);
  }

  cut(): void {
    this.#cut();
    this.leave();
  }

  /** The answer is over. */
  leave(): void {
    if (this.#isLeft) return;
    this.#memory.leave(this);
    this.hold(0);
    this.#isLeft = true;
  }
}
