import { Refusal, type RefusalData } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { CellReading, DateOrder, Entry, Field, TextFormat, TrackerView } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import type { PlannedChange, RequestKey } from '../write/index.ts';
import type { CsvColumn } from './columns.ts';
import type { CellFaults } from './faults.ts';
import type { Table, TableRow } from './table.ts';

/** A row and what is to become of it. */
export interface PlannedRow {
  readonly row: TableRow;
  /** Undefined where the artifact is already what the row says. */
  readonly change: PlannedChange | undefined;
  /** Fields whose cells mean nothing: nothing more is to be said of them. */
  readonly faulty: ReadonlySet<number>;
}

/** Around the rows of a table that become changes. */
export interface Planning {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly view: TrackerView;
  readonly table: Table;
  readonly textFormat: TextFormat | undefined;
  readonly dateOrder: DateOrder | undefined;
  keyOfRow(row: number): RequestKey | undefined;
}

/** An artifact with the cells that an export writes for it. */
export interface WrittenOut {
  readonly artifact: Artifact;
  readonly cells: readonly string[];
}

/** Programs write the ends of lines as they like. */
const sameLines = (text: string) => text.replaceAll('\r\n', '\n');

/** A cell that is as an export writes it changes nothing; in the row of a new artifact an empty one asks for the default. */
const asksForNothing = (cell: string, at: number, present: WrittenOut | undefined) =>
  sameLines(cell) === sameLines(present?.cells[at] ?? '');

interface FilledCell {
  readonly field: Field;
  readonly column: CsvColumn;
  readonly cell: string;
}

function filledCells(
  { columns }: Table,
  { cells }: TableRow,
  present: WrittenOut | undefined,
): readonly FilledCell[] {
  return columns.flatMap((column, at) => {
    const cell = cells[at] ?? '';
    const { field } = column;
    if (field?.type.cell?.read === undefined || asksForNothing(cell, at, present)) return [];
    return { field, column, cell };
  });
}

/** The entry of a cell; undefined, and a fault more, when it means nothing. */
async function entryOf(
  { field, column, cell }: FilledCell,
  number: number,
  context: CellReading,
  faults: CellFaults,
): Promise<Entry | undefined> {
  try {
    const entry = await field.type.cell?.read?.(field, cell, context);
    return { field_id: field.id, ...entry };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.add(number, { name: column.name, value: cell }, error.detail);
    return undefined;
  }
}

function changeOf(
  { view, keyOfRow }: Planning,
  { artifactId, number }: TableRow,
  entries: readonly Entry[],
): PlannedChange | undefined {
  const trackerId = view.tracker.id;
  const requestKey = keyOfRow(number);
  if (artifactId === undefined)
    return { kind: 'new', artifact: { trackerId, source: { kind: 'values', entries }, requestKey } };
  if (entries.length === 0) return undefined;
  const update = { id: artifactId, trackerId, entries, comment: undefined, precondition: {}, requestKey };
  return { kind: 'update', update };
}

/** What a row asks for. Cells that mean nothing are faults; the others are tried all the same. */
export async function planRow(
  planning: Planning,
  row: TableRow,
  present: WrittenOut | undefined,
): Promise<PlannedRow> {
  const { reader, viewer, view, table, textFormat, dateOrder } = planning;
  const { tracker } = view;
  const entries: Entry[] = [];
  const faulty = new Set<number>();
  const filled = filledCells(table, row, present);
  for (const cell of filled) {
    const stored = view.canRead(cell.field) ? present?.artifact.document[cell.field.id] : undefined;
    const context = { reader, viewer, tracker, now: Date.now(), stored, textFormat, dateOrder };
    const entry = await entryOf(cell, row.number, context, table.faults);
    if (entry === undefined) faulty.add(cell.field.id);
    else entries.push(entry);
  }
  return { row, change: changeOf(planning, row, entries), faulty };
}

/** Why a row would be refused, told of the cell that it is about where it is about one. */
export function addRefusals(
  { columns, faults }: Table,
  { row, faulty }: PlannedRow,
  parts: readonly RefusalData[],
): void {
  for (const { detail, extras } of parts) {
    if (extras.fieldId !== undefined && faulty.has(extras.fieldId)) continue;
    const at = columns.findIndex(({ field }) => field !== undefined && field.id === extras.fieldId);
    const column = columns[at];
    const cell = column && { name: column.name, value: row.cells[at] ?? '' };
    faults.add(row.number, cell, detail === '' ? (extras.userMessage ?? '') : detail);
  }
}
