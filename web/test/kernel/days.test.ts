import { describe, expect, test } from 'vitest';
import { readDay, writtenDay } from '../../src/fields/days.ts';

/** A Wednesday. */
const today = { year: 2026, month: 11, day: 18 };
const read = (text: string) => {
  const day = readDay(text, today);
  return day === null ? null : writtenDay(day);
};

describe('what somebody means by a day', () => {
  test.each([
    ['2026-12-31', '2026-12-31'],
    ['2026/12/31', '2026-12-31'],
    ['31.12.26', '2026-12-31'],
    ['31-12-2026', '2026-12-31'],
    ['Dec 31, 2026', '2026-12-31'],
    ['31st December', '2026-12-31'],
    ['Thu, 31 Dec 2026', '2026-12-31'],
    ['jeudi 31 décembre 2026', '2026-12-31'],
    ['1er janvier 2027', '2027-01-01'],
    ['in 2 weeks', '2026-12-02'],
    ['dans 3 jours', '2026-11-21'],
    ['après demain', '2026-11-20'],
    ['next monday', '2026-11-23'],
    ['lundi prochain', '2026-11-23'],
    ['mercredi', '2026-11-25'],
    ['-1m', '2026-10-18'],
  ])('%s', (text, day) => expect(read(text)).toBe(day));

  test.each(['29/02/2027', '31 nov', 'soon', '12', ''])('%s is none', (text) =>
    expect(read(text)).toBeNull(),
  );
});
