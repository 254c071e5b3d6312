/** Ids of one block: so many that a set of bits is a page of the database. */
export const blockSize = 32_768;
const blockBits = 15;
const wordsInBlock = blockSize / 32;
/** Bytes of a block as a set of bits; a shorter one is a sorted list of 16-bit numbers. */
const denseBytes = blockSize / 8;

const comma = 44;
const zero = 48;

export const blockOf = (id: number) => Math.floor(id / blockSize);

type Block = Uint32Array;

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function sizeOf(block: Block): number {
  let size = 0;
  for (let index = 0; index < wordsInBlock; index++) size += bitsIn(block[index] ?? 0);
  return size;
}

/** A set of ids, as bits. */
export class IdSet {
  readonly blocks = new Map<number, Block>();

  static of(ids: Iterable<number>): IdSet {
    const set = new IdSet();
    for (const id of ids) set.add(id);
    return set;
  }

  #block(number: number): Block {
    const known = this.blocks.get(number);
    if (known !== undefined) return known;
    const made = new Uint32Array(wordsInBlock);
    this.blocks.set(number, made);
    return made;
  }

  add(id: number): void {
    const offset = id & (blockSize - 1);
    const block = this.#block(blockOf(id));
    block[offset >>> 5] = (block[offset >>> 5] ?? 0) | (1 << (offset & 31));
  }

  remove(id: number): void {
    const block = this.blocks.get(blockOf(id));
    const offset = id & (blockSize - 1);
    if (block !== undefined) block[offset >>> 5] = (block[offset >>> 5] ?? 0) & ~(1 << (offset & 31));
  }

  has(id: number): boolean {
    const offset = id & (blockSize - 1);
    return (((this.blocks.get(blockOf(id))?.[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  }

  /** Ids as SQL joins them: decimal digits with commas between. Neighbours are mostly of one block. */
  addList(list: string): void {
    // Ids that are not in order go from block to block.
    const known: Block[] = [];
    const { length } = list;
    for (let index = 0; index < length; index++) {
      let id = 0;
      for (
        let code = list.charCodeAt(index);
        code !== comma && index < length;
        code = list.charCodeAt(++index)
      )
        id = id * 10 + code - zero;
      const number = Math.floor(id / blockSize);
      let block = known[number];
      if (block === undefined) {
        block = this.#block(number);
        known[number] = block;
      }
      const offset = id & (blockSize - 1);
      block[offset >>> 5] = (block[offset >>> 5] ?? 0) | (1 << (offset & 31));
    }
  }

  /** Adds a block as the database keeps it. */
  addStored(number: number, bytes: Uint8Array): void {
    const block = this.#block(number);
    const numbers = numbersIn(bytes);
    if (numbers instanceof Uint32Array) {
      for (let index = 0; index < wordsInBlock; index++)
        block[index] = (block[index] ?? 0) | (numbers[index] ?? 0);
      return;
    }
    for (const offset of numbers) block[offset >>> 5] = (block[offset >>> 5] ?? 0) | (1 << (offset & 31));
  }

  /** Adds ids of one block by how far they are from its first one. */
  addOffsets(number: number, offsets: Uint16Array): void {
    if (offsets.length === 0) return;
    const block = this.#block(number);
    for (let index = 0; index < offsets.length; index++) {
      const offset = offsets[index] ?? 0;
      block[offset >>> 5] = (block[offset >>> 5] ?? 0) | (1 << (offset & 31));
    }
  }

  /** Whether something is both in this set and in a block as the database keeps it. */
  meetsStored(number: number, bytes: Uint8Array): boolean {
    const block = this.blocks.get(number);
    if (block === undefined) return false;
    const numbers = numbersIn(bytes);
    return numbers instanceof Uint32Array
      ? numbers.some((word, index) => (word & (block[index] ?? 0)) !== 0)
      : numbers.some((offset) => (((block[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1);
  }

  /** A block as the database keeps it; undefined when nothing is in it. */
  stored(number: number): Uint8Array | undefined {
    const block = this.blocks.get(number);
    const size = block === undefined ? 0 : sizeOf(block);
    if (block === undefined || size === 0) return undefined;
    if (size * 2 >= denseBytes) return new Uint8Array(block.slice().buffer);
    const offsets = new Uint16Array(size);
    let next = 0;
    for (let index = 0; index < wordsInBlock; index++)
      for (let word = block[index] ?? 0; word !== 0; word &= word - 1)
        offsets[next++] = index * 32 + 31 - Math.clz32(word & -word);
    return new Uint8Array(offsets.buffer);
  }

  /**
   * A block as the database keeps it, without the ids of this set and with others, which may come more than once; undefined when nothing
   * is left in it. Short lists, as most blocks are, never become sets of bits.
   */
  replacedIn(
    number: number,
    stored: Uint8Array | undefined,
    others: readonly number[],
  ): Uint8Array | undefined {
    const numbers = stored === undefined ? new Uint16Array() : numbersIn(stored);
    if (numbers instanceof Uint32Array || (numbers.length + others.length) * 2 >= denseBytes)
      return this.#replacedInBits(number, stored, others);
    const gone = this.blocks.get(number);
    const kept = numbers.filter((offset) => (((gone?.[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 0);
    const all = new Uint16Array(kept.length + others.length);
    all.set(kept);
    for (let index = 0; index < others.length; index++)
      all[kept.length + index] = (others[index] ?? 0) & (blockSize - 1);
    const each = isAscending(all)
      ? all
      : all.sort().filter((offset, index) => index === 0 || offset !== all[index - 1]);
    return each.length === 0 ? undefined : new Uint8Array(each.buffer);
  }

  #replacedInBits(
    number: number,
    stored: Uint8Array | undefined,
    others: readonly number[],
  ): Uint8Array | undefined {
    const before = new IdSet();
    if (stored !== undefined) before.addStored(number, stored);
    const after = before.minus(this);
    for (const id of others) after.add(id);
    return after.stored(number);
  }

  get size(): number {
    let size = 0;
    for (const block of this.blocks.values()) size += sizeOf(block);
    return size;
  }

  get isEmpty(): boolean {
    for (const block of this.blocks.values()) if (block.some((word) => word !== 0)) return false;
    return true;
  }

  // A loop for each: a function called for every word would be most of the work.

  and(other: IdSet): IdSet {
    const result = new IdSet();
    for (const [number, left] of this.blocks) {
      const right = other.blocks.get(number);
      if (right === undefined) continue;
      const made = result.#block(number);
      for (let index = 0; index < wordsInBlock; index++)
        made[index] = (left[index] ?? 0) & (right[index] ?? 0);
    }
    return result;
  }

  minus(other: IdSet): IdSet {
    const result = new IdSet();
    for (const [number, left] of this.blocks) {
      const made = left.slice();
      const right = other.blocks.get(number);
      result.blocks.set(number, made);
      if (right === undefined) continue;
      for (let index = 0; index < wordsInBlock; index++)
        made[index] = (left[index] ?? 0) & ~(right[index] ?? 0);
    }
    return result;
  }

  or(other: IdSet): IdSet {
    const result = new IdSet();
    for (const [number, block] of this.blocks) result.blocks.set(number, block.slice());
    result.addAll(other);
    return result;
  }

  addAll(other: IdSet): void {
    for (const [number, right] of other.blocks) {
      const own = this.blocks.get(number);
      if (own === undefined) this.blocks.set(number, right.slice());
      else
        for (let index = 0; index < wordsInBlock; index++)
          own[index] = (own[index] ?? 0) | (right[index] ?? 0);
    }
  }

  #ascending(): [number, Block][] {
    return [...this.blocks].sort(([left], [right]) => left - right);
  }

  /** Ids in their order, without those before the offset; whole blocks are passed over by their size. */
  page({ limit, offset, isDescending }: { limit: number; offset: number; isDescending: boolean }): number[] {
    const blocks = this.#ascending();
    if (isDescending) blocks.reverse();
    const ids: number[] = [];
    let left = offset;
    for (const [number, block] of blocks) {
      const size = sizeOf(block);
      if (size <= left) {
        left -= size;
        continue;
      }
      const some = isDescending ? lastIn : firstIn;
      some(block, left, limit - ids.length, (offset) => ids.push(number * blockSize + offset));
      left = 0;
      if (ids.length >= limit) break;
    }
    return ids;
  }

  /** How many ids come before a given one. */
  countBefore(id: number): number {
    let count = 0;
    for (const [number, block] of this.blocks) {
      if (number < blockOf(id)) count += sizeOf(block);
      else if (number === blockOf(id)) for (const own of idsIn(number, block)) if (own < id) count++;
    }
    return count;
  }

  /** The ids behind a given one. */
  after(id: number, limit: number): number[] {
    const ids: number[] = [];
    for (const [number, block] of this.#ascending()) {
      if ((number + 1) * blockSize <= id) continue;
      for (const own of idsIn(number, block)) if (own > id && ids.length < limit) ids.push(own);
      if (ids.length >= limit) break;
    }
    return ids;
  }

  all(): number[] {
    return this.#ascending().flatMap(([number, block]) => [...idsIn(number, block)]);
  }
}

/** What the bytes of a stored block are: the words of a set of bits, or sorted offsets. They start in memory of their own, as such numbers must. */
function numbersIn(bytes: Uint8Array): Uint32Array | Uint16Array {
  const { buffer } = new Uint8Array(bytes);
  return bytes.length === denseBytes ? new Uint32Array(buffer) : new Uint16Array(buffer);
}

/** Whether numbers are in their order and none comes twice, as those of new artifacts behind older ones do. */
function isAscending(numbers: Uint16Array): boolean {
  for (let index = 1; index < numbers.length; index++)
    if ((numbers[index] ?? 0) <= (numbers[index - 1] ?? 0)) return false;
  return true;
}

type Take = (offset: number) => void;

/** Takes some of the bits of a block in their order, without those before; words are passed over by how many bits they have. */
function firstIn(block: Block, before: number, limit: number, take: Take): void {
  let [skipped, left] = [before, limit];
  for (let index = 0; index < wordsInBlock && left > 0; index++) {
    let word = block[index] ?? 0;
    const size = bitsIn(word);
    if (size <= skipped) {
      skipped -= size;
      continue;
    }
    for (; word !== 0 && left > 0; word &= word - 1) {
      if (skipped-- > 0) continue;
      skipped = 0;
      take(index * 32 + 31 - Math.clz32(word & -word));
      left--;
    }
  }
}

/** The same from the other end. */
function lastIn(block: Block, before: number, limit: number, take: Take): void {
  let [skipped, left] = [before, limit];
  for (let index = wordsInBlock - 1; index >= 0 && left > 0; index--) {
    let word = block[index] ?? 0;
    const size = bitsIn(word);
    if (size <= skipped) {
      skipped -= size;
      continue;
    }
    while (word !== 0 && left > 0) {
      const bit = 31 - Math.clz32(word);
      word &= ~(1 << bit);
      if (skipped-- > 0) continue;
      skipped = 0;
      take(index * 32 + bit);
      left--;
    }
  }
}

function* idsIn(number: number, block: Block): Generator<number> {
  const base = number * 2 ** blockBits;
  for (let index = 0; index < wordsInBlock; index++) {
    for (let word = block[index] ?? 0; word !== 0; word &= word - 1)
      yield base + index * 32 + 31 - Math.clz32(word & -word);
  }
}
