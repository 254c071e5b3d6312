import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  csvLine,
  csvRows,
  escapeFormula,
  separatorOf,
  separators,
  unescapeFormula,
} from '../../src/kernel/csv.ts';
import { excerptOf } from '../../src/kernel/excerpt.ts';
import { fold } from '../../src/kernel/text.ts';

const cell = fc.string({ unit: fc.constantFrom(...'ab "\',;\t\r\n=+-@é1'), maxLength: 8 });
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });

describe('CSV', () => {
  test('what is written is read again, with every separator', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(...separators), (rows, separator) => {
        const text = rows.map((cells) => csvLine(cells, separator)).join('');
        const kept = rows.filter((cells) => cells.some((text) => text !== ''));
        expect([...csvRows(text, separator)].map(({ cells }) => cells)).toEqual(kept);
      }),
    );
  });

  test('rows are numbered as spreadsheets do, lines as editors do, with any line ends', () => {
    const text = '\uFEFFa,b\r\n"x\ny",1\n\n  "q" ,2\r3,';
    const places = [...csvRows(text, ',')].map(({ row, line, cells }) => [row, line, ...cells]);
    expect(places).toEqual([
      [1, 1, 'a', 'b'],
      [2, 2, 'x\ny', '1'],
      [4, 5, 'q', '2'],
      [5, 6, '3', ''],
    ]);
  });

  test('what nobody wrote as a table is refused before it is read', () => {
    expect(() => [...csvRows(','.repeat(1_000_000), ',')]).toThrow(/line 1 has more than 10000 cells/);
    expect(() => [...csvRows(`a\n${'\n'.repeat(1_000_000)}`, ',')]).toThrow(/more than 100000 lines/);
    expect([...csvRows(`"${'""'.repeat(1_000_000)}"`, ',')][0]?.cells).toEqual(['"'.repeat(1_000_000)]);
  });

  test('the separator is told by the first line, without what is in quotes', () => {
    expect(['a;b', '"a,b,c";d', 'a\tb', 'alone', 'a,b\n;;;;'].map(separatorOf)).toEqual([
      ';',
      ';',
      '\t',
      ',',
      ',',
    ]);
  });

  test('no cell begins like a formula, and every one comes back', () => {
    fc.assert(
      fc.property(cell, (text) => {
        const safe = escapeFormula(text);
        expect(unescapeFormula(safe)).toBe(text);
        expect(/^[=+@\t\r\n]|^-(?!\d+$)/.test(safe)).toBe(false);
      }),
    );
  });
});

describe('excerpts', () => {
  test('what is highlighted is what was looked for, however it is spelled', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aAéß🦒 x', 'e\u0301', 'ﬁ'), maxLength: 40 });
    fc.assert(
      fc.property(letters, fc.constantFrom('e', 'ss', 'a', 'fi', '🦒', 'x a'), (text, part) => {
        const excerpt = excerptOf(text, [part]);
        expect(excerpt !== undefined).toBe(fold(text).includes(part));
        for (const [start, end] of excerpt?.highlights ?? [])
          expect(fold(excerpt?.text.slice(start, end) ?? '')).toContain(part);
      }),
    );
  });

  test('they are short, and begin and end with dots where more was there', () => {
    const excerpt = excerptOf(`${'a '.repeat(200)}needle${' b'.repeat(200)}`, ['needle']);
    expect(excerpt?.text).toMatch(/^….*needle.*…$/);
    expect(excerpt?.text.length).toBeLessThan(250);
  });
});
