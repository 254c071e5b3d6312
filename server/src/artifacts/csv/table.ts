import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvRows, type Separator, separatorOf, unescapeFormula } from '../../kernel/csv.ts';
import { invalid } from '../../kernel/errors.ts';
import type { TrackerView } from '../../trackers/index.ts';
import { type CsvColumn, isIdColumn, readHeader } from './columns.ts';
import { CellFaults } from './faults.ts';

/** Rows of one table at the most. */
const mostRows = 10_000;
/** Rows that are read in one turn of the event loop. */
const rowsAtOnce = 500;
/** Columns of one table at the most. */
const mostColumns = 1000;

export interface TableRow {
  /** As spreadsheets number it; the header is the first. */
  readonly number: number;
  /** One for each column. */
  readonly cells: readonly string[];
  /** The artifact that it changes; undefined: it is a new one. */
  readonly artifactId: number | undefined;
}

export interface Table {
  readonly columns: readonly CsvColumn[];
  readonly rows: readonly TableRow[];
  readonly faults: CellFaults;
}

/** Reads which artifact each row is about. No two may be about the same. */
class RowReader {
  readonly #columns: readonly CsvColumn[];
  readonly #faults: CellFaults;
  readonly #rowOf = new Map<number, number>();

  constructor(columns: readonly CsvColumn[], faults: CellFaults) {
    this.#columns = columns;
    this.#faults = faults;
  }

  /** Undefined where the row is no row of the table. */
  read(number: number, cells: readonly string[]): TableRow | undefined {
    const count = this.#columns.length;
    if (cells.length !== count) {
      this.#faults.add(number, undefined, `It has ${cells.length} cells, and the header ${count}.`);
      return undefined;
    }
    const at = this.#columns.findIndex(isIdColumn);
    const text = cells[at]?.trim() ?? '';
    const digits = /^#?(\d+)$/.exec(text)?.[1];
    const artifactId = text === '' ? undefined : Number(digits);
    const fault = this.#faultOf(number, artifactId);
    const { name = '' } = this.#columns[at] ?? {};
    if (fault !== undefined) this.#faults.add(number, { name, value: text }, fault);
    return fault === undefined ? { number, cells, artifactId } : undefined;
  }

  #faultOf(number: number, artifactId: number | undefined): string | undefined {
    if (artifactId === undefined) return undefined;
    if (!Number.isSafeInteger(artifactId) || artifactId < 1) return 'It must be the id of an artifact.';
    const other = this.#rowOf.get(artifactId);
    this.#rowOf.set(artifactId, number);
    return other === undefined ? undefined : `Row ${other} is about the same artifact.`;
  }
}

/** Reads a table whose first row names the columns. Its faults are gathered, as far as it can be read at all. */
export async function readTable(
  text: string,
  view: TrackerView,
  separator: Separator = separatorOf(text),
): Promise<Table> {
  const source = csvRows(text, separator);
  const first = source.next();
  if (first.done) throw invalid('The table is empty: its first row must name the columns.');
  if (first.value.cells.length > mostColumns)
    throw invalid(`The table has more than ${mostColumns} columns.`);
  const faults = new CellFaults();
  const header = readHeader(view, first.value.cells.map(unescapeFormula));
  for (const { name, reason } of header.faults) faults.add(first.value.row, { name, value: name }, reason);
  const { columns } = header;
  const rows: TableRow[] = [];
  if (header.faults.length > 0) return { columns, rows, faults };
  const reader = new RowReader(columns, faults);
  let count = 0;
  for (const { row, cells } of source) {
    if (++count > mostRows) throw invalid(`The table has more than ${mostRows} rows.`);
    if (count % rowsAtOnce === 0) await nextTurn();
    const read = reader.read(row, cells.map(unescapeFormula));
    if (read !== undefined) rows.push(read);
  }
  return { columns, rows, faults };
}
