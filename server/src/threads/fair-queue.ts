import { setImmediate as nextTurn } from 'node:timers/promises';
import { second } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';

interface Waiting {
  readonly since: number;
  begin(): Promise<void>;
  giveUp(): void;
}

/** One piece of work at a time, of everybody in turn: whoever asks for much waits for themselves. */
export class FairQueue {
  /** Those who wait, in the order of their turns. */
  readonly #waiting = new Map<number, Waiting[]>();
  readonly #patience: number;
  #isBusy = false;

  /** `patience`: milliseconds after which nobody waits for the answer any more. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  run<T>(who: number, work: () => Promise<T>): Promise<T> {
    const result = new Promise<T>((resolve, reject) => {
      const own = this.#waiting.get(who) ?? [];
      this.#waiting.set(who, own);
      own.push({
        since: performance.now(),
        begin: () => work().then(resolve, reject),
        giveUp: () => reject(tooLate(this.#patience)),
      });
    });
    if (!this.#isBusy) void this.#work();
    return result;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    do {
      // Searches on SQLite never let go of the thread: only in between can the answer leave, and after it others join.
      await nextTurn();
      await nextTurn();
      const next = this.#next();
      if (next !== undefined && performance.now() - next.since > this.#patience) next.giveUp();
      else await next?.begin();
    } while (this.#waiting.size > 0);
    this.#isBusy = false;
  }

  /** Takes the first of whose turn it is, and puts them behind all others. */
  #next(): Waiting | undefined {
    const [turn] = this.#waiting;
    if (turn === undefined) return undefined;
    const [who, own] = turn;
    const first = own.shift();
    this.#waiting.delete(who);
    if (own.length > 0) this.#waiting.set(who, own);
    return first;
  }
}

const tooLate = (patience: number) =>
  unavailable(
    `There was so much to search for that this search did not begin within ${patience / second} seconds. Try again later.`,
  );
