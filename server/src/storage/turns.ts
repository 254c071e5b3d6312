/** Whoever reads had their turn, and others wait: what was read so far is read again where there is time. */
export class TurnOver extends Error {}

/** Milliseconds that this thread worked. On a busy machine that is less than what went by. */
const worked = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** So often the length of a turn may go by, however little work was done: whoever waits for the disk keeps others waiting, too. */
const mostWaiting = 5;

/** So many milliseconds of work of this thread. */
export class Turn {
  readonly #end: number;
  readonly #latest: number;

  constructor(length: number) {
    this.#end = worked() + length;
    this.#latest = performance.now() + length * mostWaiting;
  }

  /** To be called between parts of long work. */
  check(): void {
    if (worked() > this.#end || performance.now() > this.#latest) throw new TurnOver('The turn is over.');
  }
}
