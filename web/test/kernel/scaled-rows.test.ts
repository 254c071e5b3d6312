import { describe, expect, test } from 'vitest';
import {
  highest,
  laidOutHeight,
  offsetAt,
  rowsAt,
  scrollFor,
  scrollToSee,
} from '../../src/kernel/scaled-rows.ts';

const few = { count: 1000, height: 40, seen: 800 };
const many = { count: 2_000_000, height: 40, seen: 800 };

describe('rows of a list', () => {
  test('a list that browsers can lay out is laid out whole', () => {
    expect(laidOutHeight(few)).toBe(40_000);
    expect(offsetAt(few, 1234)).toBe(1234);
    expect(rowsAt(few, 80, 0)).toEqual(
      Array.from({ length: 21 }, (_, place) => ({ index: place + 2, start: (place + 2) * 40 })),
    );
  });

  test('a longer one is scaled: its first and its last row are seen at both ends of the scroll bar', () => {
    expect(laidOutHeight(many)).toBe(highest);
    expect(rowsAt(many, 0, 0)[0]).toEqual({ index: 0, start: 0 });
    const end = highest - many.seen;
    const last = rowsAt(many, end, 0).at(-1);
    expect(last?.index).toBe(many.count - 1);
    expect(last?.start).toBeCloseTo(highest - many.height, 5);
  });

  test.each([0, 1, 19, 500_000, 1_234_567, 1_999_980])('row %d can be scrolled to', (row) => {
    const [top] = rowsAt(many, scrollFor(many, row), 0);
    expect(top?.index).toBe(row);
    expect(top?.start).toBeCloseTo(scrollFor(many, row), 3);
  });

  test('what is seen already does not move', () => {
    const at = scrollFor(many, 700_000);
    expect(scrollToSee(many, 700_005, at)).toBe(at);
    const further = scrollToSee(many, 700_020, at);
    expect(further).toBeGreaterThan(at);
    expect(rowsAt(many, further, 0).some(({ index }) => index === 700_020)).toBe(true);
    expect(scrollToSee(many, 3, at)).toBe(scrollFor(many, 3));
  });
});
