import { fold } from '../../kernel/text.ts';
import type { Reader, Tables, Transaction } from '../../storage/index.ts';
import { containsInAnyCase, toFlag } from '../../storage/index.ts';
import type { FieldRenaming } from '../extension.ts';
import type { Field, Tracker } from '../model.ts';
import type { NewRenderer, NewReport, Renderer, Report } from './model.ts';
import { renamedSettings, rendererTypes } from './settings.ts';

type ReportRow = Omit<Tables['report'], 'id'> & { readonly id: number };
type TableRow = Omit<Tables['report_table'], 'id'> & { readonly id: number };

const toRenderer = (row: TableRow): Renderer => ({
  id: row.id,
  type: rendererTypes.find((type) => type === row.type) ?? 'table',
  name: row.name,
  description: row.description,
  pageSize: row.page_size,
  columns: row.columns === null ? null : JSON.parse(row.columns),
  sort: JSON.parse(row.sort),
  settings: JSON.parse(row.settings),
});

const toReport = (row: ReportRow, renderers: readonly Renderer[]): Report => ({
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
  renderers,
});

async function renderersOf(reader: Reader, reportId: number): Promise<Renderer[]> {
  const query = reader.sql.selectFrom('report_table').selectAll().where('report_id', '=', reportId);
  return (await reader.all(query.orderBy('rank').orderBy('id'))).map(toRenderer);
}

export async function findReport(reader: Reader, id: number): Promise<Report | undefined> {
  const row = await reader.first(reader.sql.selectFrom('report').selectAll().where('id', '=', id));
  return row && toReport(row, await renderersOf(reader, id));
}

/** The public reports of a tracker with all that is in them, the oldest first. */
export async function loadPublicReports(reader: Reader, trackerId: number): Promise<Report[]> {
  const query = reader.sql.selectFrom('report').selectAll().where('tracker_id', '=', trackerId);
  const reports: Report[] = [];
  for (const row of await reader.all(query.where('owner_id', 'is', null).orderBy('id')))
    reports.push(toReport(row, await renderersOf(reader, row.id)));
  return reports;
}

/** Words of a query that may be names of fields. */
const namesIn = (query: string): ReadonlySet<string> => new Set(query.toLowerCase().match(/[a-z0-9_]+/g));

function namesField(report: Report, { id, name }: Pick<Field, 'id' | 'name'>, words: ReadonlySet<string>) {
  if (report.usesQuery && words.has(name)) return true;
  const named = [
    ...report.criteria,
    ...report.renderers.flatMap(({ columns, sort }) => [...(columns ?? []), ...sort]),
  ];
  const isShown = report.renderers.some(({ settings }) => namesIn(JSON.stringify(settings)).has(name));
  return isShown || named.some(({ fieldId }) => fieldId === id);
}

/** How many reports of a tracker, of whomever, ask for each of its fields, show it or sort by it. */
export async function countReportsByField(
  reader: Reader,
  { id, elements }: Pick<Tracker, 'id' | 'elements'>,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const query = reader.sql.selectFrom('report').selectAll().where('tracker_id', '=', id);
  for (const row of await reader.all(query)) {
    const report = toReport(row, await renderersOf(reader, row.id));
    const words = namesIn(report.query);
    for (const field of elements)
      if (namesField(report, field, words)) counts.set(field.id, (counts.get(field.id) ?? 0) + 1);
  }
  return counts;
}

const reportsOf = (tx: Transaction, trackerId: number) =>
  tx.sql.selectFrom('report').where('tracker_id', '=', trackerId);

/** Changes the queries of all reports of a tracker, of whomever. */
export async function changeReportQueries(
  tx: Transaction,
  trackerId: number,
  changed: (query: string) => string,
): Promise<void> {
  const asking = reportsOf(tx, trackerId).select(['id', 'query']).where('query', '<>', '');
  for (const { id, query: before } of await tx.lock(asking)) {
    const query = changed(before);
    if (query !== before) await tx.run(tx.sql.updateTable('report').set({ query }).where('id', '=', id));
  }
}

/** Trackers with reports whose queries have the part in them, in any case. */
export async function trackersInReportQueries(tx: Transaction, part: string): Promise<number[]> {
  const asking = tx.sql.selectFrom('report').select('tracker_id').distinct();
  const rows = await tx.all(asking.where(containsInAnyCase('query', part)).orderBy('tracker_id'));
  return rows.map(({ tracker_id }) => tracker_id);
}

/** Calls a field otherwise in what all reports of its tracker, of whomever, say about how they show what they find. */
export async function renameFieldInSettings(tx: Transaction, renaming: FieldRenaming): Promise<void> {
  const shown = tx.sql.selectFrom('report_table').selectAll();
  const own = shown.where('report_id', 'in', reportsOf(tx, renaming.trackerId).select('id'));
  for (const row of await tx.all(own)) {
    const { id, type, settings: before } = toRenderer(row);
    const settings = JSON.stringify(renamedSettings(type, before, renaming));
    if (settings !== row.settings)
      await tx.run(tx.sql.updateTable('report_table').set({ settings }).where('id', '=', id));
  }
}

const reportColumns = (report: Omit<NewReport, 'renderers'>) => ({
  name: report.name,
  name_key: fold(report.name),
  description: report.description,
  is_default: toFlag(report.isDefault),
  is_query_displayed: toFlag(report.isQueryDisplayed),
  uses_query: toFlag(report.usesQuery),
  query: report.query,
  criteria: JSON.stringify(report.criteria),
});

const rendererColumns = (renderer: NewRenderer, rank: number) => ({
  type: renderer.type,
  name: renderer.name,
  description: renderer.description,
  rank,
  page_size: renderer.pageSize,
  columns: renderer.columns && JSON.stringify(renderer.columns),
  sort: JSON.stringify(renderer.sort),
  settings: JSON.stringify(renderer.settings),
});

/** At most one report is the default: the others of its tracker become ordinary. */
async function makeOrdinary(tx: Transaction, trackerId: number): Promise<void> {
  const others = tx.sql.updateTable('report').set({ is_default: toFlag(false) });
  await tx.run(others.where('tracker_id', '=', trackerId).where('is_default', '=', 1));
}

async function insertRenderer(
  tx: Transaction,
  reportId: number,
  renderer: NewRenderer,
  rank: number,
): Promise<void> {
  const row = { report_id: reportId, ...rendererColumns(renderer, rank) };
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
  for (const [rank, renderer] of report.renderers.entries())
    await insertRenderer(tx, stored.id, renderer, rank);
  return stored.id;
}

/** Stores what a report is now, but for its renderers. */
export async function updateReport(tx: Transaction, report: Report): Promise<void> {
  if (report.isDefault) await makeOrdinary(tx, report.trackerId);
  const columns = { owner_id: report.ownerId, ...reportColumns(report) };
  await tx.run(tx.sql.updateTable('report').set(columns).where('id', '=', report.id));
}

/** Gives a report these renderers; those with an id are there already, and those that are not named go. */
export async function replaceRenderers(
  tx: Transaction,
  reportId: number,
  renderers: readonly (NewRenderer & { readonly id?: number | undefined })[],
): Promise<void> {
  const kept = renderers.flatMap(({ id }) => id ?? []);
  const old = tx.sql.deleteFrom('report_table').where('report_id', '=', reportId);
  await tx.run(kept.length === 0 ? old : old.where('id', 'not in', kept));
  for (const [rank, renderer] of renderers.entries()) {
    if (renderer.id === undefined) await insertRenderer(tx, reportId, renderer, rank);
    else {
      const update = tx.sql.updateTable('report_table').set(rendererColumns(renderer, rank));
      await tx.run(update.where('id', '=', renderer.id));
    }
  }
}

export async function deleteReportRow(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.sql.deleteFrom('report').where('id', '=', id));
}
