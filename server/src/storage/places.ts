import { StorageUnavailable } from './engine.ts';

interface Waiting {
  begin(): void;
  readonly timer: NodeJS.Timeout;
}

/** So many may do something at once; others come in the order in which they asked, or give up after so many milliseconds. */
export class Places {
  readonly #patience: number;
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(places: number, patience: number) {
    this.#free = places;
    this.#patience = patience;
  }

  get awaited(): number {
    return this.#waiting.size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(new StorageUnavailable('No connection became free in time.', 'busy'));
      };
      const waiting: Waiting = { begin: resolve, timer: setTimeout(giveUp, this.#patience) };
      this.#waiting.add(waiting);
    });
  }

  /** The place goes to whoever waits longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.begin();
  }
}
