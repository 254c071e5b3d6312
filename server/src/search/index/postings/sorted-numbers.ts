import type { Range } from '../../../trackers/index.ts';
import { blockSize, type IdSet } from '../id-set.ts';

/*
 * The numbers of a field in one block of artifacts, as a posting keeps them: sorted, each with the artifacts that have it. A range is
 * found by halves in every block, whatever the numbers are and however many of them are alike.
 *
 * The bytes: how many different numbers there are and the numbers themselves, 8 bytes each; for each of them, where its artifacts end;
 * the artifacts, by how far they are from the first of the block. The last two have 2 bytes each.
 */

/** An artifact, by its id or its offset, with its number. */
export type Numbered = readonly [artifact: number, number: number];

interface SortedBlock {
  readonly numbers: Float64Array;
  readonly ends: Uint16Array;
  readonly offsets: Uint16Array;
}

const numberBytes = Float64Array.BYTES_PER_ELEMENT;
const offsetBytes = Uint16Array.BYTES_PER_ELEMENT;

/** Bytes that start in memory of their own, as such numbers must. */
function read({ buffer }: Uint8Array<ArrayBuffer>): SortedBlock {
  const [count = 0] = new Float64Array(buffer, 0, 1);
  const endsAt = numberBytes * (count + 1);
  const offsetsAt = endsAt + offsetBytes * count;
  return {
    numbers: new Float64Array(buffer, numberBytes, count),
    ends: new Uint16Array(buffer, endsAt, count),
    offsets: new Uint16Array(buffer, offsetsAt),
  };
}

/** Offsets in the order of their numbers as bytes; undefined where there are none. */
function write(sorted: readonly Numbered[]): Uint8Array | undefined {
  if (sorted.length === 0) return undefined;
  const numbers: number[] = [];
  const ends: number[] = [];
  for (const [index, [, number]] of sorted.entries()) {
    if (number !== numbers.at(-1)) numbers.push(number);
    ends[numbers.length - 1] = index + 1;
  }
  const offsetsAt = numberBytes * (numbers.length + 1) + offsetBytes * numbers.length;
  const bytes = new Uint8Array(offsetsAt + offsetBytes * sorted.length);
  new Float64Array(bytes.buffer, 0, 1).fill(numbers.length);
  const block = read(bytes);
  block.numbers.set(numbers);
  block.ends.set(ends);
  for (const [index, [offset]] of sorted.entries()) block.offsets[index] = offset;
  return bytes;
}

/** By number, and by offset where numbers are alike. */
const compare = ([offset, number]: Numbered, [other, than]: Numbered) => number - than || offset - other;

/** Both in one order. */
function merged(left: readonly Numbered[], right: readonly Numbered[]): Numbered[] {
  const all: Numbered[] = [];
  let next = 0;
  for (const own of left) {
    for (let other = right[next]; other !== undefined && compare(other, own) < 0; other = right[++next])
      all.push(other);
    all.push(own);
  }
  return [...all, ...right.slice(next)];
}

/** What a block has, in its order, but for the artifacts of a set. */
function without(stored: Uint8Array, first: number, gone: IdSet): Numbered[] {
  const { numbers, ends, offsets } = read(new Uint8Array(stored));
  const kept: Numbered[] = [];
  let at = 0;
  for (const [index, number] of numbers.entries())
    for (const end = ends[index] ?? 0; at < end; at++) {
      const offset = offsets[at] ?? 0;
      if (!gone.has(first + offset)) kept.push([offset, number]);
    }
  return kept;
}

/** A block without the numbers of the artifacts of a set, and with those of others; undefined when nothing is left in it. */
export function replacedNumbers(
  block: number,
  stored: Uint8Array | undefined,
  gone: IdSet,
  others: readonly Numbered[],
): Uint8Array | undefined {
  const first = block * blockSize;
  const added = others.map(([id, number]): Numbered => [id - first, number]).sort(compare);
  return write(stored === undefined ? added : merged(without(stored, first, gone), added));
}

/** How many of sorted numbers come before a bound: those below it, and with `isBehind` those that are the bound as well. */
function countBefore(numbers: Float64Array, bound: number, isBehind: boolean): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const number = numbers[middle] ?? 0;
    if (number < bound || (isBehind && number === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the artifacts of a block whose numbers are in a range. */
export function addInRange(set: IdSet, block: number, stored: Uint8Array, range: Range): void {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, isFromOpen, isToOpen } = range;
  // Bounds that are no numbers are in no order.
  if (!(from <= to)) return;
  const { numbers, ends, offsets } = read(new Uint8Array(stored));
  const first = countBefore(numbers, from, isFromOpen === true);
  const end = countBefore(numbers, to, isToOpen !== true);
  if (first >= end) return;
  set.addOffsets(block, offsets.subarray(first === 0 ? 0 : ends[first - 1], ends[end - 1]));
}
