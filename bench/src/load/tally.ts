import { Histogram } from './histogram.ts';
import type { Answer } from './response-reader.ts';

/** What all connections of a stream have seen. */
export class Tally {
  readonly latencies = new Histogram();
  readonly #failures: Record<string, number>;
  #bodyBytes = 0;

  /** Failures are counted together with those of other streams. */
  constructor(failures: Record<string, number>) {
    this.#failures = failures;
  }

  get meanBodyBytes(): number {
    return this.latencies.count === 0 ? 0 : this.#bodyBytes / this.latencies.count;
  }

  answered(answer: Answer, milliseconds: number): void {
    if (answer.status < 200 || answer.status > 299) this.failed(`status ${answer.status}`);
    this.latencies.record(milliseconds);
    this.#bodyBytes += answer.bodyBytes;
  }

  failed(reason: string): void {
    this.#failures[reason] = (this.#failures[reason] ?? 0) + 1;
  }

  /** Forgets the warm-up; its failures stay, because a run that had any is worth nothing. */
  startMeasuring(): void {
    this.latencies.reset();
    this.#bodyBytes = 0;
  }
}
