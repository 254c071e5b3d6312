import { setImmediate as nextTurn } from 'node:timers/promises';
import { second } from './clock.ts';
import { unavailable } from './errors.ts';

interface Waiting {
  readonly since: number;
  /** Whoever asked had nothing else waiting or running. */
  readonly isFirst: boolean;
  begin(): Promise<void>;
  giveUp(): void;
}

/** How much goes on at once, in all and of one person. */
interface Places {
  readonly all: number;
  readonly ofOne: number;
}

/** Those who had nothing waiting go before others so often in a row. */
const mostFirst = 4;

/** A few pieces of work at a time, of everybody in turn: whoever asks for much waits for themselves. */
export class FairQueue {
  /** Those who wait, in the order of their turns. */
  readonly #waiting = new Map<number, Waiting[]>();
  readonly #running = new Map<number, number>();
  readonly #patience: number;
  readonly #places: Places;
  readonly #tooMuch: string;
  #busy = 0;
  #firstInRow = 0;
  #isFilling = false;

  /** `patience`: milliseconds after which nobody waits for the answer any more; `tooMuch`: what there was too much of then. */
  constructor(patience: number, places: Places = { all: 1, ofOne: 1 }, tooMuch = 'to search for') {
    this.#patience = patience;
    this.#places = places;
    this.#tooMuch = tooMuch;
  }

  /** What waits, and what goes on. */
  get length(): number {
    let waiting = 0;
    for (const own of this.#waiting.values()) waiting += own.length;
    return waiting + this.#busy;
  }

  run<T>(who: number, work: () => Promise<T>): Promise<T> {
    const result = new Promise<T>((resolve, reject) => {
      const own = this.#waiting.get(who) ?? [];
      const isFirst = own.length === 0 && !this.#running.has(who);
      this.#waiting.set(who, own);
      own.push({
        since: performance.now(),
        isFirst,
        begin: () => Promise.try(work).then(resolve, reject),
        giveUp: () => reject(tooLate(this.#patience, this.#tooMuch)),
      });
    });
    void this.#fill();
    return result;
  }

  /** Gives free places to those whose turn it is. */
  async #fill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    while (this.#busy < this.#places.all) {
      // Searches on SQLite never let go of the thread: only in between can the answer leave, and after it others join.
      await nextTurn();
      await nextTurn();
      const who = this.#turn();
      if (who === undefined) break;
      void this.#begin(who);
    }
    this.#isFilling = false;
  }

  async #begin(who: number): Promise<void> {
    const next = this.#take(who);
    if (next === undefined) return;
    if (performance.now() - next.since > this.#patience) return next.giveUp();
    this.#count(who, 1);
    await next.begin();
    this.#count(who, -1);
    void this.#fill();
  }

  #count(who: number, change: 1 | -1): void {
    this.#busy += change;
    const running = (this.#running.get(who) ?? 0) + change;
    if (running === 0) this.#running.delete(who);
    else this.#running.set(who, running);
  }

  /** Whose turn it is: that of somebody who had nothing else waiting, most of the time; else of who waits longest for one. */
  #turn(): number | undefined {
    const mayBegin = ([who]: [number, Waiting[]]) => (this.#running.get(who) ?? 0) < this.#places.ofOne;
    const able = [...this.#waiting].filter(mayBegin);
    const first = this.#firstInRow < mostFirst ? able.find(([, [head]]) => head?.isFirst) : undefined;
    const [who] = first ?? able[0] ?? [];
    this.#firstInRow = first === undefined ? 0 : this.#firstInRow + 1;
    return who;
  }

  /** Takes the first of somebody's, and puts them behind all others. */
  #take(who: number): Waiting | undefined {
    const own = this.#waiting.get(who) ?? [];
    const first = own.shift();
    this.#waiting.delete(who);
    if (own.length > 0) this.#waiting.set(who, own);
    return first;
  }
}

const tooLate = (patience: number, tooMuch: string) =>
  unavailable(
    `There was so much ${tooMuch} that this did not begin within ${patience / second} seconds. Try again later.`,
  );
