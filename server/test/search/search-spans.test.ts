import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../src/search/index/id-set.ts';
import { spanKey, spanOf, spansIn } from '../../src/search/index/postings/date-buckets.ts';
import { addInRange, replacedNumbers } from '../../src/search/index/postings/sorted-numbers.ts';
import type { Range } from '../../src/trackers/index.ts';

const length = 16;
const number = fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4);
const bound = fc.option(fc.oneof(number, fc.constantFrom(-32, 0, 16, 48)), { nil: undefined });
const ranges = fc.record({ from: bound, to: bound, isFromOpen: fc.boolean(), isToOpen: fc.boolean() }).map(
  ({ from, to, ...open }): Range => ({
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...open,
  }),
);

function isIn({ from, to, isFromOpen, isToOpen }: Range, measure: number): boolean {
  const isAbove = from === undefined || measure > from || (measure === from && !isFromOpen);
  const isBelow = to === undefined || measure < to || (measure === to && !isToOpen);
  return isAbove && isBelow;
}

test('whole spans and what sticks out are the range, each measure in one of them', () => {
  fc.assert(
    fc.property(ranges, fc.oneof(number, fc.constantFrom(-32, 0, 16, 48)), (range, measure) => {
      const parts = spansIn(range, length);
      if (parts === undefined) return;
      const { spans, whole, edges } = parts;
      const span = spanOf(measure, length);
      const isSpanned = span >= spans.first && span <= spans.last;
      expect(isIn(whole, measure)).toBe(isSpanned);
      const hits = Number(isSpanned) + edges.filter((edge) => isIn(edge, measure)).length;
      expect(hits).toBe(Number(isIn(range, measure)));
    }),
    { numRuns: 5000 },
  );
});

test('a wide range is told by spans, a narrow one is not', () => {
  expect(spansIn({ from: 3, to: 70 }, length)?.spans).toEqual({ first: 1, last: 3 });
  expect(spansIn({}, length)?.edges).toEqual([]);
  expect(spansIn({ from: 3, to: 30 }, length)).toBeUndefined();
  expect(spansIn({ from: 30, to: 3 }, length)).toBeUndefined();
  expect(spansIn({ from: Number.NaN }, length)).toBeUndefined();
});

test('keys of spans have the order of their numbers', () => {
  const numbers = [Number.NEGATIVE_INFINITY, -1000, -1, 0, 9, 10, 123_456, Number.POSITIVE_INFINITY];
  const keys = numbers.map(spanKey);
  expect(keys.toSorted()).toEqual(keys);
  expect(new Set(keys.map((key) => key.length)).size).toBe(1);
});

test('sorted numbers tell who is in a range, whatever was replaced in them before', () => {
  const block = 3;
  const first = block * 32_768;
  const artifact = fc.oneof(fc.nat(40), fc.constant(32_767)).map((offset) => first + offset);
  const numbered = fc.array(fc.tuple(artifact, fc.oneof(number, fc.constantFrom(0, 1e15, -1e-9))), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.array(numbered, { maxLength: 4 }), fc.array(artifact), ranges, (folds, gone, range) => {
      const expected = new Map<number, number>();
      let stored: Uint8Array | undefined;
      for (const fold of [...folds.map((some) => new Map(some)), undefined]) {
        const touched = fold === undefined ? gone : [...fold.keys()];
        for (const id of touched) expected.delete(id);
        for (const [id, value] of fold ?? []) expected.set(id, value);
        stored = replacedNumbers(block, stored, IdSet.of(touched), [...(fold ?? [])]);
      }
      expect(stored === undefined).toBe(expected.size === 0);
      const found = new IdSet();
      if (stored !== undefined) addInRange(found, block, stored, range);
      const wanted = [...expected].filter(([, value]) => isIn(range, value)).map(([id]) => id);
      expect(found.all()).toEqual(wanted.sort((left, right) => left - right));
    }),
    { numRuns: 2000 },
  );
});
