const bucketsPerMs = 100;
const bucketCount = 200_000;

/** Latencies in buckets of 10 µs up to 2 s; longer ones count in the last bucket. */
export class Histogram {
  readonly #buckets = new Uint32Array(bucketCount);
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** The longest, exact. */
  get max(): number {
    return this.#max;
  }

  record(milliseconds: number): void {
    const bucket = Math.min(Math.floor(milliseconds * bucketsPerMs), bucketCount - 1);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count++;
    if (milliseconds > this.#max) this.#max = milliseconds;
  }

  reset(): void {
    this.#buckets.fill(0);
    this.#count = 0;
    this.#max = 0;
  }

  /** The upper edge, in milliseconds, of the bucket in which that share of the latencies is reached. */
  quantile(share: number): number {
    const wanted = Math.ceil(this.#count * share);
    let seen = 0;
    const index = this.#buckets.findIndex((inBucket) => {
      seen += inBucket;
      return seen >= wanted;
    });
    return (index + 1) / bucketsPerMs;
  }
}
