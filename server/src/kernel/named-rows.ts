/** Bytes of a name at the most, with one for its length before it. */
const nameBytes = 128;
const nameSlots = nameBytes / Float64Array.BYTES_PER_ELEMENT;

/** How many rows there are at the most, and numbers in each. */
export interface RowsShape {
  readonly rows: number;
  readonly width: number;
}

/** Numbers that a table of this shape takes. */
export const slotsOf = ({ rows, width }: RowsShape) => rows * (nameSlots + width);

/** Names that come when all rows but one are taken share the last one. */
const restName = 'other';

/**
 * Rows of numbers, by names that turn up while counting. Each thread has a table of its own in memory that all share, so that nobody
 * waits for anybody; whoever reads adds up the rows of one name.
 */
export class NamedRows {
  readonly #numbers: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #shape: RowsShape;
  readonly #starts = new Map<string, number>();

  /** `numbers`: the memory of the table, with what a thread that died in this place has counted. */
  constructor(numbers: Float64Array, shape: RowsShape) {
    this.#numbers = numbers;
    this.#bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    this.#shape = shape;
    for (const [name, start] of this.rows()) this.#starts.set(name, start);
  }

  #rowAt(index: number): number {
    return index * (nameSlots + this.#shape.width);
  }

  /** The names in use, and where the numbers of each begin. */
  *rows(): Iterable<readonly [name: string, start: number]> {
    for (let index = 0; index < this.#shape.rows; index++) {
      const row = this.#rowAt(index);
      const at = row * Float64Array.BYTES_PER_ELEMENT;
      const length = Atomics.load(this.#bytes, at);
      if (length === 0) return;
      yield [Buffer.from(this.#bytes.slice(at + 1, at + 1 + length)).toString(), row + nameSlots];
    }
  }

  /** Where the numbers of a name begin. */
  startOf(name: string): number {
    return this.#starts.get(name) ?? this.#take(name);
  }

  #take(name: string): number {
    const index = this.#starts.size;
    const isLast = index >= this.#shape.rows - 1;
    if (isLast && name !== restName) return this.startOf(restName);
    const row = this.#rowAt(index);
    const at = row * Float64Array.BYTES_PER_ELEMENT;
    const bytes = Buffer.from(name).subarray(0, nameBytes - 1);
    this.#bytes.set(bytes, at + 1);
    // Whoever reads meanwhile sees the row once its name is whole.
    Atomics.store(this.#bytes, at, bytes.length);
    this.#starts.set(name, row + nameSlots);
    return row + nameSlots;
  }

  add(slot: number, amount: number): void {
    this.#numbers[slot] = (this.#numbers[slot] ?? 0) + amount;
  }

  at(slot: number): number {
    return this.#numbers[slot] ?? 0;
  }
}

/** The sums of all rows of each name, in the order of the names. */
export function sumsByName(tables: readonly NamedRows[], { width }: RowsShape): [string, number[]][] {
  const sums = new Map<string, number[]>();
  for (const table of tables)
    for (const [name, start] of table.rows()) {
      const sum = sums.get(name) ?? new Array<number>(width).fill(0);
      for (let index = 0; index < width; index++) sum[index] = (sum[index] ?? 0) + table.at(start + index);
      sums.set(name, sum);
    }
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
}
