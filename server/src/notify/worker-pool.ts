/** Something of which only so much may go on at once: work of one project, to one host, and the like. */
export interface Share {
  readonly name: string;
  readonly most: number;
}

/**
 * Work of which only so much goes on at once. Whatever takes long holds up its own worker, and whoever has much of it no more
 * than their share of the workers.
 */
export class WorkerPool {
  readonly #most: number;
  readonly #ended: (error: unknown) => void;
  readonly #shares = new Map<string, number>();
  #running = 0;

  /** `ended` is called after every piece of work, with what went wrong or undefined. */
  constructor(most: number, ended: (error: unknown) => void) {
    this.#most = most;
    this.#ended = ended;
  }

  get room(): number {
    return this.#most - this.#running;
  }

  /** How much more may begin that belongs to all of these. */
  roomFor(shares: readonly Share[]): number {
    const left = shares.map(({ name, most }) => most - (this.#shares.get(name) ?? 0));
    return Math.max(0, Math.min(this.room, ...left));
  }

  /** Keeps workers for those who get turns while turns are dealt out, so that nobody gets more than there are. */
  async dealing<T>(
    deal: (keep: (shares: readonly Share[], count?: number) => void) => Promise<T>,
  ): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      return await deal((shares, count = 1) => releases.push(this.#hold(shares, count)));
    } finally {
      for (const release of releases) release();
    }
  }

  begin(shares: readonly Share[], work: () => Promise<void>): void {
    const release = this.#hold(shares, 1);
    work()
      .finally(release)
      .then(() => this.#ended(undefined), this.#ended);
  }

  /** Keeps workers until the given function is called. */
  #hold(shares: readonly Share[], count: number): () => void {
    this.#count(shares, count);
    return () => this.#count(shares, -count);
  }

  #count(shares: readonly Share[], change: number): void {
    this.#running += change;
    for (const { name } of shares) {
      const count = (this.#shares.get(name) ?? 0) + change;
      if (count === 0) this.#shares.delete(name);
      else this.#shares.set(name, count);
    }
  }
}

/** Work that is never done twice at once; whoever asks meanwhile has it done once more. */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const run = async () => {
    try {
      do {
        isAskedAgain = false;
        await work();
      } while (isAskedAgain);
    } finally {
      running = undefined;
    }
  };
  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}
