import { invalid } from '../../kernel/errors.ts';

/** Work that can be left off between any two of its steps, each of which takes a millisecond or two. */
export type Steps<Result> = Generator<void, Result>;

/** Does all the steps at once: for what is surely short. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Milliseconds that one turn of the event loop gives to this. */
const longestSlice = 4;
/** Microseconds of processor time after which work is given up. */
const longestWork = 5_000_000;

interface Work {
  /** Goes on for a slice of time; tells whether there is more to do. */
  goOn(): boolean;
}

/** The time that the thread has computed, which waiting for a processor is no part of. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function* timed<Result>(steps: Steps<Result>): Steps<Result> {
  let spent = 0;
  for (;;) {
    const began = computed();
    const { done, value } = steps.next();
    if (done) return value;
    spent += computed() - began;
    if (spent > longestWork) throw invalid('The body takes too long to read.');
    yield;
  }
}

/** Pieces of work that go on at the same time: what they have made so far is not counted anywhere. */
const mostAtOnce = 4;

/**
 * Long work of one thread, a slice in each turn of its event loop, so that everybody else's requests are answered in between. A few pieces
 * of work take turns with each other; the others wait.
 */
export class Slices {
  readonly #running: Work[] = [];
  readonly #waiting: Work[] = [];

  do<Result>(steps: Steps<Result>): Promise<Result> {
    const within = timed(steps);
    return new Promise((resolve, reject) => {
      this.#add({
        goOn() {
          try {
            const end = performance.now() + longestSlice;
            for (let step = within.next(); ; step = within.next()) {
              if (step.done) resolve(step.value);
              if (step.done || performance.now() > end) return !step.done;
            }
          } catch (error) {
            reject(error);
            return false;
          }
        },
      });
    });
  }

  #add(work: Work): void {
    if (this.#running.length >= mostAtOnce) return void this.#waiting.push(work);
    this.#running.push(work);
    if (this.#running.length === 1) setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    const work = this.#running[0];
    const next = work?.goOn() ? work : this.#waiting.shift();
    this.#running.shift();
    if (next !== undefined) this.#running.push(next);
    if (this.#running.length > 0) setImmediate(() => this.#goOn());
  }
}
