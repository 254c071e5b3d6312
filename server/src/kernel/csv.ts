import { invalid } from './errors.ts';

/** What stands between two cells. */
export const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

export interface CsvRow {
  /** As spreadsheets number it, from 1; an empty line counts. */
  readonly row: number;
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const bom = '\uFEFF';

/** More cells in a row, and more lines, are no table that anybody wrote; reading them would keep everybody waiting. */
const mostCells = 10_000;
const mostLines = 100_000;

/** The rows of a text, by RFC 4180: cells in quotes may hold separators, line breaks and doubled quotes. */
class CsvReader {
  readonly #text: string;
  readonly #separator: Separator;
  #at: number;
  #line = 1;
  #row = 0;

  constructor(text: string, separator: Separator) {
    this.#text = text;
    this.#separator = separator;
    this.#at = text.startsWith(bom) ? bom.length : 0;
  }

  /** The next row; undefined behind the last one. */
  row(): CsvRow | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const line = this.#line;
    const cells: string[] = [];
    do {
      if (cells.length === mostCells)
        throw invalid(`The CSV cannot be read: line ${line} has more than ${mostCells} cells.`);
      cells.push(this.#cell());
    } while (this.#passes(this.#separator));
    this.#endLine();
    if (++this.#row > mostLines)
      throw invalid(`The CSV cannot be read: it has more than ${mostLines} lines.`);
    return { row: this.#row, line, cells };
  }

  #passes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #cell(): string {
    const start = this.#at;
    while (this.#passes(' '));
    if (this.#text[this.#at] === '"') return this.#quoted();
    this.#at = start;
    while (!this.#isEnd()) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** Whether no cell goes on here. */
  #isEnd(): boolean {
    const next = this.#text[this.#at];
    return next === undefined || next === this.#separator || next === '\n' || next === '\r';
  }

  #quoted(): string {
    const start = this.#at + 1;
    let end = this.#at;
    do {
      end = this.#text.indexOf('"', this.#at + 1);
      if (end === -1)
        throw invalid(`The CSV cannot be read: the quote of line ${this.#line} is never closed.`);
      this.#at = end + 1;
    } while (this.#text[this.#at] === '"');
    return this.#closed(this.#text.slice(start, end).replaceAll('""', '"'), this.#line);
  }

  #closed(cell: string, line: number): string {
    while (this.#passes(' '));
    if (!this.#isEnd())
      throw invalid(`The CSV cannot be read: something follows the quotes of line ${line}.`);
    this.#line += cell.split('\n').length - 1;
    return cell;
  }

  #endLine(): void {
    if (this.#passes('\r\n') || this.#passes('\n') || this.#passes('\r')) this.#line++;
  }
}

/** Rows of a text, one after the other. Lines without anything on them are none. */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  const reader = new CsvReader(text, separator);
  for (let row = reader.row(); row !== undefined; row = reader.row())
    if (row.cells.some((cell) => cell !== '')) yield row;
}

/** Letters among which the first line is looked for. */
const longestHeader = 100_000;

/** What separates the cells of a text, told by its first line: whatever is there most often outside of quotes. */
export function separatorOf(text: string): Separator {
  const [first = ''] = text
    .slice(0, longestHeader)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (separator: Separator) => first.split(separator).length;
  return separators.reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** Lines are read with whatever separator, items of a cell with commas alone. */
const needsQuotes = { line: /[",;\t\r\n]|^\s|\s$/, items: /[",\r\n]|^\s|\s$/ };

const written = (text: string, needs: RegExp) =>
  needs.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export const csvLine = (cells: readonly string[], separator: Separator): string =>
  `${cells.map((cell) => written(cell, needsQuotes.line)).join(separator)}\r\n`;

/** The items of one cell, as `csvRows` reads them with commas between them. */
export const csvItems = (items: readonly string[]): string =>
  items.map((item) => written(item, needsQuotes.items)).join(', ');

/** Spreadsheets take what begins like this for a formula, and run it. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A number is no formula, whatever its sign. */
const negative = /^-\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The cell with an apostrophe before what would be a formula: spreadsheets then show it as text. */
export const escapeFormula = (cell: string) =>
  formula.test(cell) && !negative.test(cell) ? `'${cell}` : cell;

/** What a cell was before `escapeFormula`. */
export const unescapeFormula = (cell: string) => (guarded.test(cell) ? cell.slice(1) : cell);
