import { describe, expect, test } from 'vitest';
import { distance, readCsv, separatorIn, UnreadableTable, writeCsv } from '../../src/kernel/csv.ts';

describe('tables of comma-separated values', () => {
  test('cells in quotes hold separators, line breaks and doubled quotes', () => {
    const { header, rows } = readCsv('\uFEFFid,summary\r\n1,"a, ""b""\nc"\n2, plain \n', 'comma');
    expect(header).toEqual(['id', 'summary']);
    expect(rows).toEqual([
      ['1', 'a, "b"\nc'],
      ['2', ' plain '],
    ]);
  });

  test('empty lines are no rows and count in the numbers of spreadsheets; short rows are filled', () => {
    const { rows, numbers } = readCsv('a;b\n\n1\n;2\n3;', 'semicolon');
    expect(rows).toEqual([
      ['1', ''],
      ['', '2'],
      ['3', ''],
    ]);
    expect(numbers).toEqual([3, 4, 5]);
  });

  test('what is written is read again', () => {
    const lines = [
      ['a', 'b'],
      ['x,y', ' "z"\n'],
    ];
    const { header, rows } = readCsv(writeCsv(lines), 'comma');
    expect([header, ...rows]).toEqual(lines);
  });

  test('the separator is told by the first line', () => {
    expect(separatorIn('a;"b,c,d";e')).toBe('semicolon');
    expect(separatorIn('a\tb,c\td')).toBe('tab');
    expect(separatorIn('a,b')).toBe('comma');
  });

  test('quotes that do not match are named by their line', () => {
    expect(() => readCsv('a,b\n1,"2', 'comma')).toThrow(UnreadableTable);
    expect(() => readCsv('a,b\n1,"2" x', 'comma')).toThrow('line 2');
  });

  test('10 000 rows are read at once', () => {
    const text = writeCsv([
      ['a', 'b'],
      ...Array.from({ length: 10_000 }, (_, row) => [String(row), 'words, more']),
    ]);
    expect(readCsv(text, 'comma').rows).toHaveLength(10_000);
  });

  test('the nearest word needs the fewest letters', () => {
    expect(distance('Clsed', 'Closed')).toBe(1);
    expect(distance('open', 'Open')).toBe(0);
  });
});
