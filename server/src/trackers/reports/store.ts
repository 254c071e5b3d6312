import { fold } from '../../kernel/text.ts';
import type { Reader, Tables, Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import type { Field, Tracker } from '../model.ts';
import type { NewReport, NewReportTable, Report, ReportTable } from './model.ts';

type ReportRow = Omit<Tables['report'], 'id'> & { readonly id: number };
type TableRow = Omit<Tables['report_table'], 'id'> & { readonly id: number };

const toTable = ({ id, name, description, page_size, columns, sort }: TableRow): ReportTable => ({
  id,
  name,
  description,
  pageSize: page_size,
  columns: columns === null ? null : JSON.parse(columns),
  sort: JSON.parse(sort),
});

const toReport = (row: ReportRow, tables: readonly ReportTable[]): Report => ({
  id: row.id,
  trackerId: row.tracker_id,
  ownerId: row.owner_id,
  name: row.name,
  description: row.description,
  isDefault: row.is_default === 1,
  isQueryDisplayed: row.is_query_displayed === 1,
  usesQuery: row.uses_query === 1,
  query: row.query,
  criteria: JSON.parse(row.criteria),
  tables,
});

async function tablesOf(reader: Reader, reportId: number): Promise<ReportTable[]> {
  const query = reader.sql.selectFrom('report_table').selectAll().where('report_id', '=', reportId);
  return (await reader.all(query.orderBy('rank').orderBy('id'))).map(toTable);
}

export async function findReport(reader: Reader, id: number): Promise<Report | undefined> {
  const row = await reader.first(reader.sql.selectFrom('report').selectAll().where('id', '=', id));
  return row && toReport(row, await tablesOf(reader, id));
}

/** The public reports of a tracker with all that is in them, the oldest first. */
export async function loadPublicReports(reader: Reader, trackerId: number): Promise<Report[]> {
  const query = reader.sql.selectFrom('report').selectAll().where('tracker_id', '=', trackerId);
  const reports: Report[] = [];
  for (const row of await reader.all(query.where('owner_id', 'is', null).orderBy('id')))
    reports.push(toReport(row, await tablesOf(reader, row.id)));
  return reports;
}

/** Words of a query that may be names of fields. */
const namesIn = (query: string): ReadonlySet<string> => new Set(query.toLowerCase().match(/[a-z0-9_]+/g));

function namesField(report: Report, { id, name }: Pick<Field, 'id' | 'name'>, words: ReadonlySet<string>) {
  if (report.usesQuery && words.has(name)) return true;
  const named = [
    ...report.criteria,
    ...report.tables.flatMap(({ columns, sort }) => [...(columns ?? []), ...sort]),
  ];
  return named.some(({ fieldId }) => fieldId === id);
}

/** How many reports of a tracker, of whomever, ask for each of its fields, show it or sort by it. */
export async function countReportsByField(
  reader: Reader,
  { id, elements }: Pick<Tracker, 'id' | 'elements'>,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const query = reader.sql.selectFrom('report').selectAll().where('tracker_id', '=', id);
  for (const row of await reader.all(query)) {
    const report = toReport(row, await tablesOf(reader, row.id));
    const words = namesIn(report.query);
    for (const field of elements)
      if (namesField(report, field, words)) counts.set(field.id, (counts.get(field.id) ?? 0) + 1);
  }
  return counts;
}

const reportColumns = (report: Omit<NewReport, 'tables'>) => ({
  name: report.name,
  name_key: fold(report.name),
  description: report.description,
  is_default: toFlag(report.isDefault),
  is_query_displayed: toFlag(report.isQueryDisplayed),
  uses_query: toFlag(report.usesQuery),
  query: report.query,
  criteria: JSON.stringify(report.criteria),
});

const tableColumns = (table: NewReportTable, rank: number) => ({
  name: table.name,
  description: table.description,
  rank,
  page_size: table.pageSize,
  columns: table.columns && JSON.stringify(table.columns),
  sort: JSON.stringify(table.sort),
});

/** At most one report is the default: the others of its tracker become ordinary. */
async function makeOrdinary(tx: Transaction, trackerId: number): Promise<void> {
  const others = tx.sql.updateTable('report').set({ is_default: toFlag(false) });
  await tx.run(others.where('tracker_id', '=', trackerId).where('is_default', '=', 1));
}

async function insertTable(
  tx: Transaction,
  reportId: number,
  table: NewReportTable,
  rank: number,
): Promise<void> {
  const row = { report_id: reportId, ...tableColumns(table, rank) };
  await tx.run(tx.sql.insertInto('report_table').values(row));
}

/** Stores a new report; gives its id. */
export async function insertReport(
  tx: Transaction,
  { trackerId, ownerId }: Pick<Report, 'trackerId' | 'ownerId'>,
  report: NewReport,
): Promise<number> {
  if (report.isDefault) await makeOrdinary(tx, trackerId);
  const row = { tracker_id: trackerId, owner_id: ownerId, ...reportColumns(report) };
  const [stored] = await tx.all(tx.sql.insertInto('report').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new report has no id.');
  for (const [rank, table] of report.tables.entries()) await insertTable(tx, stored.id, table, rank);
  return stored.id;
}

/** Stores what a report is now, but for its tables. */
export async function updateReport(tx: Transaction, report: Report): Promise<void> {
  if (report.isDefault) await makeOrdinary(tx, report.trackerId);
  const columns = { owner_id: report.ownerId, ...reportColumns(report) };
  await tx.run(tx.sql.updateTable('report').set(columns).where('id', '=', report.id));
}

/** Gives a report these tables; those with an id are there already, and those that are not named go. */
export async function replaceTables(
  tx: Transaction,
  reportId: number,
  tables: readonly (NewReportTable & { readonly id?: number | undefined })[],
): Promise<void> {
  const kept = tables.flatMap(({ id }) => id ?? []);
  const old = tx.sql.deleteFrom('report_table').where('report_id', '=', reportId);
  await tx.run(kept.length === 0 ? old : old.where('id', 'not in', kept));
  for (const [rank, table] of tables.entries()) {
    if (table.id === undefined) await insertTable(tx, reportId, table, rank);
    else {
      const update = tx.sql.updateTable('report_table').set(tableColumns(table, rank));
      await tx.run(update.where('id', '=', table.id));
    }
  }
}

export async function deleteReportRow(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.sql.deleteFrom('report').where('id', '=', id));
}
