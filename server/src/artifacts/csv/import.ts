import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Separator } from '../../kernel/csv.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import type { DateOrder, TextFormat, Trackers } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import { readArtifacts } from '../several.ts';
import { type ReadContext, readContextOf } from '../visibility.ts';
import {
  type BatchDeps,
  type ChangeResult,
  chunksOf,
  makeAll,
  type RequestKey,
  tryAll,
} from '../write/index.ts';
import { type CsvColumn, isIdColumn } from './columns.ts';
import type { CellFault } from './faults.ts';
import { addRefusals, type PlannedRow, type Planning, planRow, type WrittenOut } from './plan.ts';
import { readTable, type Table, type TableRow } from './table.ts';

/** What importing works with. */
export interface CsvImportDeps extends BatchDeps {
  readonly database: Database;
  readonly trackers: Trackers;
  /** The cells of each artifact, as an export writes them. */
  cellsOf(
    readContext: ReadContext,
    artifacts: readonly Artifact[],
    columns: readonly CsvColumn[],
  ): Promise<readonly (readonly string[])[]>;
}

/** What came of a row. */
export interface RowResult extends ChangeResult {
  readonly row: number;
}

export interface TableImport {
  readonly trackerId: number;
  readonly csv: string;
  readonly separator: Separator | undefined;
  /** The format of texts that are new. */
  readonly textFormat: TextFormat | undefined;
  /** How days are meant whose year stands last. */
  readonly dateOrder: DateOrder | undefined;
  readonly isDryRun: boolean;
  readonly requestKey: RequestKey | undefined;
  /** Names the write of a row: sent again with the same name, it is not written again. */
  keyOfRow(row: number): RequestKey | undefined;
}

export interface TableImportOutcome {
  readonly rowCount: number;
  /** Columns whose cells are not read. */
  readonly ignoredColumns: readonly string[];
  readonly faultCount: number;
  readonly faults: readonly CellFault[];
  /** Of each row, what came of it, or what would come of it. */
  readonly results: readonly RowResult[];
  /** Whether the service stopped in the middle: there are results of the first rows only. */
  readonly isCut: boolean;
}

/** Rows whose artifacts are read at once. */
const rowsAtOnce = 50;
/** Milliseconds of one turn of the event loop: a row can have thousands of items in it. */
const longestTurn = 20;
/** Faults that a refusal tells. */
const mostWords = 50;

/** The artifacts that rows are about, written out; of those that the viewer may see in this tracker. */
async function presentOf(
  deps: CsvImportDeps,
  { viewer, view, table: { columns } }: Planning,
  rows: readonly TableRow[],
): Promise<ReadonlyMap<number, WrittenOut>> {
  const ids = rows.flatMap(({ artifactId }) => artifactId ?? []);
  if (ids.length === 0) return new Map();
  const readContext = await readContextOf(deps.database, viewer, deps.trackers);
  const found = await readArtifacts(readContext, ids);
  const artifacts = found.filter(({ row }) => row.tracker_id === view.tracker.id);
  const cells = await deps.cellsOf(readContext, artifacts, columns);
  return new Map(artifacts.map((artifact, at) => [artifact.row.id, { artifact, cells: cells[at] ?? [] }]));
}

async function planRows(deps: CsvImportDeps, planning: Planning): Promise<PlannedRow[]> {
  const { table } = planning;
  const idName = table.columns.find(isIdColumn)?.name ?? '';
  const planned: PlannedRow[] = [];
  let turn = performance.now();
  for (const rows of chunksOf(table.rows, rowsAtOnce)) {
    const present = await presentOf(deps, planning, rows);
    for (const row of rows) {
      if (performance.now() - turn > longestTurn) {
        await nextTurn();
        turn = performance.now();
      }
      const { artifactId } = row;
      const known = artifactId === undefined ? undefined : present.get(artifactId);
      const isUnknown = artifactId !== undefined && known === undefined;
      const cell = { name: idName, value: String(artifactId) };
      if (isUnknown) table.faults.add(row.number, cell, 'There is no such artifact in this tracker.');
      else planned.push(await planRow(planning, row, known));
    }
  }
  return planned;
}

/** Tries all changes; those that would be none are left out of the plan. */
async function tryRows(
  deps: CsvImportDeps,
  viewer: Viewer,
  table: Table,
  planned: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const changes = planned.flatMap(({ change }) => change ?? []);
  const verdicts = (await tryAll(deps, viewer, changes)).values();
  return planned.map((plan) => {
    const verdict = plan.change === undefined ? undefined : verdicts.next().value;
    addRefusals(table, plan, verdict?.faults ?? []);
    return { ...plan, change: verdict?.isChange ? plan.change : undefined };
  });
}

const expected = ({ row, change }: PlannedRow): RowResult => ({
  row: row.number,
  artifactId: row.artifactId ?? null,
  outcome: change === undefined ? 'unchanged' : change.kind === 'new' ? 'created' : 'changed',
  changesetId: null,
  version: null,
  refusal: null,
});

async function writeRows(
  deps: CsvImportDeps,
  viewer: Viewer,
  rows: readonly PlannedRow[],
): Promise<RowResult[]> {
  const changes = rows.flatMap(({ change }) => change ?? []);
  const made = await makeAll(deps, viewer, changes);
  const firstLeft = changes[made.length];
  const cut = firstLeft === undefined ? rows.length : rows.findIndex(({ change }) => change === firstLeft);
  const results = made.values();
  return rows.slice(0, cut).map((planned) => {
    const result = planned.change === undefined ? undefined : results.next().value;
    return result === undefined ? expected(planned) : { row: planned.row.number, ...result };
  });
}

const ignoredIn = ({ columns }: Table) =>
  columns.flatMap((column) =>
    isIdColumn(column) || column.field?.type.cell?.read !== undefined ? [] : column.name,
  );

/**
 * Makes artifacts from the rows of a table, or changes those that the rows name. Nothing is written before every row was
 * tried, and nothing when one of them would be refused; then each row is a transaction of its own.
 */
export async function importTable(
  deps: CsvImportDeps,
  viewer: Viewer,
  { trackerId, csv, separator, textFormat, dateOrder, isDryRun, requestKey, keyOfRow }: TableImport,
): Promise<TableImportOutcome> {
  const { database, trackers } = deps;
  const view = await trackers.require(database, viewer, trackerId, await database.revisions());
  const table = await readTable(csv, view, separator);
  const { faults } = table;
  const planned = await planRows(deps, {
    reader: database,
    viewer,
    view,
    table,
    textFormat,
    dateOrder,
    keyOfRow,
  });
  const tried = await tryRows(deps, viewer, table, planned);
  if (faults.count > 0 && !isDryRun)
    throw invalid(
      `Nothing was imported, for ${faults.count === 1 ? 'one fault' : `${faults.count} faults`}.\n${faults.words(mostWords)}`,
    );
  if (!isDryRun && requestKey !== undefined)
    await deps.operations.settleParts(viewer, { ids: [], requestKey });
  const results =
    faults.count > 0 ? [] : isDryRun ? tried.map(expected) : await writeRows(deps, viewer, tried);
  return {
    rowCount: table.rows.length,
    ignoredColumns: ignoredIn(table),
    faultCount: faults.count,
    faults: faults.told.sort((left, right) => left.row - right.row),
    results,
    isCut: faults.count === 0 && results.length < tried.length,
  };
}
