/** What stands between two cells of a table. */
const csvSeparators = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
export type CsvSeparator = keyof typeof csvSeparators;

const names: readonly CsvSeparator[] = ['comma', 'semicolon', 'tab', 'bar'];

/** A line before the header with which spreadsheets tell each other what stands between cells. */
const told = /^\uFEFF?"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i;

/** Told by a line of its own, or by the header: whatever is there most often outside of quotes. */
export function separatorIn(text: string): CsvSeparator {
  const said = told.exec(text)?.[1];
  const named = names.find((name) => csvSeparators[name] === said);
  if (named !== undefined) return named;
  const [first = ''] = text
    .slice(0, 100_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (name: CsvSeparator) => first.split(csvSeparators[name]).length;
  return names.reduce((best, other) => (count(other) > count(best) ? other : best));
}

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** As spreadsheets number it, for each row: empty lines count. */
  readonly numbers: readonly number[];
  /** Of rows with filled cells beyond the last column, which are not read: their numbers. */
  readonly tooLong: readonly number[];
}

export interface DecodedTable {
  readonly text: string;
  readonly encoding: string;
}

const decoded = (bytes: Uint8Array, encoding: string) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes);

/** The text of a file: UTF-8 or UTF-16, or what spreadsheets of old write where it is neither. Undefined: it is no text. */
export function textOfBytes(bytes: Uint8Array): DecodedTable | undefined {
  const [first, second] = bytes;
  try {
    if (first === 0xff && second === 0xfe) return { text: decoded(bytes, 'utf-16le'), encoding: 'UTF-16' };
    if (first === 0xfe && second === 0xff) return { text: decoded(bytes, 'utf-16be'), encoding: 'UTF-16' };
    if (bytes.includes(0)) return undefined;
    return { text: decoded(bytes, 'utf-8'), encoding: 'UTF-8' };
  } catch {
    if (bytes.includes(0)) return undefined;
    return { text: decoded(bytes, 'windows-1252'), encoding: 'Windows-1252' };
  }
}

/** A text that is no table: the line from which on it cannot be read. */
export class UnreadableTable extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`The quotes of line ${line} do not match.`);
    this.line = line;
  }
}

/** A cell in quotes, or up to the next separator or the end of the line. */
const cellForm = (separator: string) =>
  new RegExp(`(?: *"((?:[^"]|"")*)" *|([^${separator}\\r\\n]*))([${separator}]|\\r\\n|\\r|\\n|$)`, 'y');

/** The rows of a text, by RFC 4180. Rows are as long as the header: what is missing is empty, what is too much goes and is told. */
export function readCsv(given: string, separator: CsvSeparator): CsvTable {
  const isTold = told.test(given);
  const text = given.replace(told, '').replace(/^\uFEFF/, '');
  const form = cellForm(csvSeparators[separator]);
  const all: { readonly number: number; readonly cells: readonly string[] }[] = [];
  let [cells, number, line]: [string[], number, number] = isTold ? [[], 2, 2] : [[], 1, 1];
  for (let at = 0; at < text.length; ) {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found === null) throw new UnreadableTable(line);
    const [whole, quoted, plain = '', end = ''] = found;
    if (quoted === undefined && /^ *"/.test(plain)) throw new UnreadableTable(line);
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    at += whole.length;
    line += whole.split('\n').length - 1;
    if (end === csvSeparators[separator] && at < text.length) continue;
    if (end === csvSeparators[separator]) cells.push('');
    all.push({ number, cells });
    [cells, number] = [[], number + 1];
  }
  const filled = all.filter(({ cells: some }) => some.some((cell) => cell !== ''));
  const [first, ...rows] = filled;
  const header = first?.cells ?? [];
  return {
    header,
    rows: rows.map(({ cells: some }) => header.map((_, place) => some[place] ?? '')),
    numbers: rows.map((row) => row.number),
    tooLong: rows
      .filter(({ cells: some }) => some.slice(header.length).some((cell) => cell !== ''))
      .map((row) => row.number),
  };
}

const needsQuotes = /[",\r\n]|^\s|\s$/;

/** A table as text, with commas. */
export const writeCsv = (lines: readonly (readonly string[])[]): string =>
  lines
    .map((cells) =>
      cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\r\n');

/** What a cell says: one that a spreadsheet would run has an apostrophe before it. */
export const plainCell = (cell: string): string => (/^'+[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell);

/** How many letters one must change to make one text of another; capped, since far is far. */
export function distance(left: string, right: string): number {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()];
  let before = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let place = 1; place <= other.length; place += 1)
      now.push(
        Math.min(
          (before[place] ?? 0) + 1,
          (now[place - 1] ?? 0) + 1,
          (before[place - 1] ?? 0) + (one[row - 1] === other[place - 1] ? 0 : 1),
        ),
      );
    before = now;
  }
  return before[other.length] ?? 0;
}
