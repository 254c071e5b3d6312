/** Work of which only so much goes on at once; what takes long holds up nothing but its own lane. */
export class Lanes {
  readonly #most: number;
  readonly #failed: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(most: number, failed: (error: unknown) => void) {
    this.#most = most;
    this.#failed = failed;
  }

  /** Waits until there is room, and tells how much. */
  async room(): Promise<number> {
    while (this.#running.size >= this.#most) await Promise.race(this.#running);
    return this.#most - this.#running.size;
  }

  begin(work: Promise<void>): void {
    const running = work.catch(this.#failed).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
