import { second } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { Turn } from '../../storage/index.ts';

/** Milliseconds that a search may take unless somebody says otherwise. */
export const usualPatience = 10 * second;

/** When a search gives up. */
export class SearchDeadline {
  readonly #end: number;
  readonly #patience: number;
  readonly #turn: Turn | undefined;

  /** `turn`: that of the reader, which may be over sooner. */
  constructor(patience: number, turn: Turn | undefined) {
    this.#patience = patience;
    this.#turn = turn;
    this.#end = performance.now() + patience;
  }

  get left(): number {
    return Math.max(1, this.#end - performance.now());
  }

  /** To be called between parts of long work. */
  check(): void {
    this.#turn?.check();
    if (performance.now() < this.#end) return;
    throw unavailable(
      `The search took longer than ${this.#patience / second} seconds and was given up. Ask for less at once, or with other words.`,
    );
  }
}
