import { randomUUIDv7 } from 'node:crypto';
import { invalidMember, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Flag, Reader, Transaction } from '../../storage/index.ts';
import { checkTitle, requireWidget, requireWidgetForWriting, type Widget } from './widgets.ts';

/** What somebody keeps a query as. Whether it is one, running it tells. */
export interface QueryContent {
  readonly widgetId: number;
  readonly text: string;
  readonly title: string;
  readonly description: string;
  readonly isDefault: boolean;
}

export interface SavedQuery extends QueryContent {
  readonly id: string;
}

const longestText = 65_535;
const mostQueries = 500;

interface QueryRow {
  readonly id: string;
  readonly widget_id: number;
  readonly tql_query: string;
  readonly title: string;
  readonly description: string;
  readonly is_default: Flag;
}

const toQuery = (row: QueryRow): SavedQuery => ({
  id: row.id,
  widgetId: row.widget_id,
  text: row.tql_query,
  title: row.title,
  description: row.description,
  isDefault: row.is_default === 1,
});

const unknown = () => notFound('There is no such query.');

async function findQuery(reader: Reader, id: string): Promise<SavedQuery | undefined> {
  const query = reader.sql.selectFrom('search_query').selectAll().where('id', '=', id.toLowerCase());
  const row = await reader.first(query);
  return row && toQuery(row);
}

/** A query with its widget, for those who may read it; to others it does not exist. */
export async function requireQuery(
  reader: Reader,
  viewer: Viewer,
  id: string,
): Promise<{ readonly query: SavedQuery; readonly widget: Widget }> {
  const query = await findQuery(reader, id);
  if (query === undefined) throw unknown();
  return { query, widget: await requireWidget(reader, viewer, query.widgetId) };
}

/** The queries of a widget, in the order in which they were made. */
export async function listQueries(reader: Reader, viewer: Viewer, widgetId: number): Promise<SavedQuery[]> {
  const { id } = await requireWidget(reader, viewer, widgetId);
  const query = reader.sql.selectFrom('search_query').selectAll().where('widget_id', '=', id);
  return (await reader.all(query.orderBy('number'))).map(toQuery);
}

function checked({ text, title, description, isDefault }: QueryContent) {
  for (const [name, value] of Object.entries({ tql_query: text, description }))
    if (value.length > longestText)
      throw invalidMember(name, `It must have at most ${longestText} characters.`);
  const is_default: Flag = isDefault ? 1 : 0;
  return { tql_query: text, title: checkTitle(title), description, is_default };
}

/** A widget has one default query at the most. */
async function clearDefault(tx: Transaction, { widgetId, isDefault }: QueryContent): Promise<void> {
  if (!isDefault) return;
  await tx.run(tx.sql.updateTable('search_query').set({ is_default: 0 }).where('widget_id', '=', widgetId));
}

async function refuseMany(tx: Transaction, widgetId: number): Promise<void> {
  const queries = tx.sql.selectFrom('search_query').where('widget_id', '=', widgetId);
  const counted = await tx.first(queries.select((row) => row.fn.countAll<number>().as('size')));
  if ((counted?.size ?? 0) >= mostQueries)
    throw invalidMember('widget_id', `A widget can have at most ${mostQueries} queries.`);
}

export async function createQuery(
  tx: Transaction,
  viewer: Viewer,
  content: QueryContent,
): Promise<SavedQuery> {
  await requireWidgetForWriting(tx, viewer, content.widgetId);
  const row = { id: randomUUIDv7(), widget_id: content.widgetId, ...checked(content) };
  await refuseMany(tx, content.widgetId);
  await clearDefault(tx, content);
  await tx.run(tx.sql.insertInto('search_query').values(row));
  return toQuery(row);
}

/** The query as it is when its widget is locked, for those who may change it. */
async function requireQueryForWriting(tx: Transaction, viewer: Viewer, id: string): Promise<SavedQuery> {
  const query = await findQuery(tx, id);
  if (query === undefined) throw unknown();
  await requireWidgetForWriting(tx, viewer, query.widgetId);
  const locked = await findQuery(tx, id);
  if (locked === undefined) throw unknown();
  return locked;
}

/** Replaces all of a query but its widget. */
export async function replaceQuery(
  tx: Transaction,
  viewer: Viewer,
  { id, ...content }: SavedQuery,
): Promise<SavedQuery> {
  const query = await requireQueryForWriting(tx, viewer, id);
  if (query.widgetId !== content.widgetId)
    throw invalidMember('widget_id', 'A query cannot go to another widget.');
  const row = checked(content);
  await clearDefault(tx, content);
  await tx.run(tx.sql.updateTable('search_query').set(row).where('id', '=', query.id));
  return toQuery({ id: query.id, widget_id: query.widgetId, ...row });
}

export async function deleteQuery(tx: Transaction, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const query = await requireQueryForWriting(tx, viewer, id);
  await tx.run(tx.sql.deleteFrom('search_query').where('id', '=', query.id));
}
