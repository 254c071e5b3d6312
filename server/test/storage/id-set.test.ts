import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockSize, IdSet } from '../../src/search/index/id-set.ts';

const block = 3;
const base = block * blockSize;
/** A few ids, or so many that a block of them is kept as bits. */
const ids = fc.oneof(
  fc.array(fc.integer({ min: base, max: base + 60 }), { maxLength: 30 }),
  fc
    .record({
      first: fc.integer({ min: base, max: base + 20_000 }),
      step: fc.integer({ min: 1, max: 4 }),
      count: fc.integer({ min: 1000, max: 3000 }),
    })
    .map(({ first, step, count }) => Array.from({ length: count }, (_, index) => first + index * step)),
);

const idsIn = (stored: Uint8Array | undefined) => {
  const set = new IdSet();
  if (stored !== undefined) set.addStored(block, stored);
  return set.all();
};
const sorted = (set: Iterable<number>) => [...new Set(set)].sort((left, right) => left - right);

test('a stored block has the ids that were put in, in as few bytes as they need', () => {
  fc.assert(
    fc.property(ids, (some) => {
      const stored = IdSet.of(some).stored(block);
      const expected = sorted(some);
      expect(idsIn(stored)).toEqual(expected);
      expect(stored?.length ?? 0).toBe(Math.min(expected.length * 2, blockSize / 8));
    }),
    { numRuns: 200 },
  );
});

test('ids are replaced in a stored block, whatever it is kept as', () => {
  fc.assert(
    fc.property(ids, ids, ids, (before, gone, others) => {
      const stored = IdSet.of(before).stored(block);
      const touched = IdSet.of(gone);
      const after = touched.replacedIn(block, stored, others);
      const left = before.filter((id) => !gone.includes(id));
      expect(idsIn(after)).toEqual(sorted([...left, ...others]));
      expect(after).toEqual(IdSet.of([...left, ...others]).stored(block));
      const isMet = before.some((id) => gone.includes(id));
      expect(stored !== undefined && touched.meetsStored(block, stored)).toBe(isMet);
    }),
    { numRuns: 200 },
  );
});

const near = fc.nat(200);
const spread = fc.oneof(
  near,
  near.map((offset) => blockSize - 1 - offset),
  near.map((offset) => 3 * blockSize + 31 * offset),
);

test('pages of a set are what all of it has there, from either end', () => {
  fc.assert(
    fc.property(
      fc.array(spread, { maxLength: 300 }),
      fc.nat(310),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      (some, offset, limit, isDescending) => {
        const all = [...new Set(some)].sort((left, right) => (isDescending ? right - left : left - right));
        const set = IdSet.of(some);
        expect(set.size).toBe(all.length);
        expect(set.page({ limit, offset, isDescending })).toEqual(all.slice(offset, offset + limit));
      },
    ),
    { numRuns: 2000 },
  );
});
