import { getRandomValues } from 'node:crypto';

/** Counters of a row. Two addresses may share one by chance, but hardly ever in both rows. */
const counters = 4096;
const rows = 2;
/** One thread's part of the memory: its connections, and the rows. */
const part = 1 + rows * counters;

/** Tells addresses apart in a way that nobody outside can work out, lest somebody fill a counter of somebody else. */
function spread(seed: number, address: string): number {
  let hash = seed;
  for (let index = 0; index < address.length; index++)
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (counters - 1);
}

/**
 * How many connections there are, in all and from each address, in memory that all threads share: the kernel deals connections out, so no
 * thread sees all of one address. Each thread writes only its own part, and begins with none.
 */
export class ConnectionCounts {
  readonly #seeds: Int32Array;
  readonly #counts: Int32Array;
  readonly #own: Int32Array;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#seeds = new Int32Array(memory, 0, rows);
    this.#counts = new Int32Array(memory, rows * Int32Array.BYTES_PER_ELEMENT);
    this.#own = this.#counts.subarray(thread * part, (thread + 1) * part);
    this.#own.fill(0);
  }

  static createMemory(threads: number): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((rows + threads * part) * Int32Array.BYTES_PER_ELEMENT);
    new Int32Array(memory).set(getRandomValues(new Int32Array(rows)));
    return memory;
  }

  #slots(address: string): number[] {
    return Array.from(this.#seeds, (seed, row) => 1 + row * counters + spread(seed, address));
  }

  #total(slot: number): number {
    let total = 0;
    for (let index = slot; index < this.#counts.length; index += part) total += this.#counts[index] ?? 0;
    return total;
  }

  all(): number {
    return this.#total(0);
  }

  of(address: string): number {
    return Math.min(...this.#slots(address).map((slot) => this.#total(slot)));
  }

  add(address: string, count: number): void {
    for (const slot of [0, ...this.#slots(address)]) this.#own[slot] = (this.#own[slot] ?? 0) + count;
  }
}
