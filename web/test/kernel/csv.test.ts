import { describe, expect, test } from 'vitest';
import {
  distance,
  readCsv,
  separatorIn,
  textOfBytes,
  UnreadableTable,
  writeCsv,
} from '../../src/kernel/csv.ts';

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
    expect(separatorIn('a|b')).toBe('bar');
    expect(readCsv('a|b\n1|"2|3"', 'bar').rows).toEqual([['1', '2|3']]);
  });

  test('a line before the header that names the separator is no header, and counts in the numbers', () => {
    const text = '\uFEFFsep=;\r\na,b;c\r\n1;2\r\n';
    expect(separatorIn(text)).toBe('semicolon');
    expect(readCsv(text, 'semicolon')).toMatchObject({
      header: ['a,b', 'c'],
      rows: [['1', '2']],
      numbers: [3],
    });
  });

  test('rows with more cells than the header are told', () => {
    expect(readCsv('a,b\n1,2,\n1,2,3\n1,2\n1,2,,4', 'comma').tooLong).toEqual([3, 5]);
  });

  test('files are read as they were written; what is no text is not read', () => {
    const word = 'été';
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(word, 'utf16le')]);
    expect(textOfBytes(utf16)).toEqual({ text: word, encoding: 'UTF-16' });
    const swapped = Buffer.from(utf16).swap16();
    expect(textOfBytes(swapped)).toEqual({ text: word, encoding: 'UTF-16' });
    expect(textOfBytes(Buffer.from(word))).toEqual({ text: word, encoding: 'UTF-8' });
    expect(textOfBytes(Buffer.from(word, 'latin1'))).toEqual({ text: word, encoding: 'Windows-1252' });
    expect(textOfBytes(Buffer.from('PK\u0003\u0004\u0000\u0000'))).toBeUndefined();
    expect(textOfBytes(Buffer.from([0xff, 0xfe, 0x00, 0xdc]))).toBeUndefined();
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
