import { invalid } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/paging.ts';
import { type Reader, sql } from '../../storage/index.ts';
import type { Finding, IdPage, Target } from '../finding.ts';
import type { Query } from '../queries.ts';
import { type Alike, alikeAmong } from './alike.ts';
import type { Key, Order, Places } from './ordering.ts';

/*
 * Pages over several trackers where the database answers searches by itself: it finds, counts and sorts.
 */

/** What is sorted by in trackers that are alike: a column, and what must be joined to have it. */
interface Sorted {
  readonly column: Query;
  readonly join: Query;
}

const plain = (column: string): Sorted => ({ column: sql.raw(column), join: sql`` });

/** The column of the rows of fields; in trackers that have none, nothing. */
const ofFields = (column: string, type: string, fieldIds: readonly number[]): Sorted => {
  if (fieldIds.length === 0) return plain(`null::${type}`);
  const [name = ''] = column.split('.');
  const table = sql.raw(name);
  const ids = sql.join(fieldIds.map((id) => sql.lit(id)));
  const join = sql`left join ${table} on ${table}.field_id in (${ids}) and ${table}.artifact_id = artifact.id`;
  return { column: sql.raw(column), join };
};

/** The field that is sorted by in a tracker. */
function fieldOf(key: Key, trackerId: number): number | undefined {
  if (key.by === 'list') return key.lists.get(trackerId)?.fieldId;
  return key.by === 'measure' || key.by === 'text' ? key.fields.get(trackerId) : undefined;
}

function sortedIn(key: Key, trackerIds: readonly number[]): Sorted {
  const fieldIds = trackerIds.flatMap((id) => fieldOf(key, id) ?? []);
  switch (key.by) {
    case 'id':
      return plain('null::bigint');
    case 'fact':
      return plain(key.fact === 'submittedOn' ? 'artifact.submitted_on' : 'artifact.modified_on');
    case 'person':
      return plain(key.who === 'submitter' ? 'artifact.submitted_by' : 'artifact.modified_by');
    case 'measure':
      return ofFields('artifact_measure.value', 'double precision', fieldIds);
    case 'text':
      return ofFields('artifact_text.text', 'text', fieldIds);
    case 'list':
      return ofFields('artifact_value.value', 'bigint', fieldIds);
  }
}

const together = (parts: readonly Query[]) => sql.join([...parts], sql` union all `);

/** All that is found, with what it is sorted by. */
const everythingIn = (found: readonly Alike[], key: Key): Query =>
  together(
    found.map(({ trackerIds, where }) => {
      const { column, join } = sortedIn(key, trackerIds);
      return sql`select artifact.id, ${column} as key from artifact ${join} where ${where}`;
    }),
  );

/** More values than this no statement takes. */
const mostValues = 65_000;

function rowsOf<Row>(reader: Reader, query: Query): Promise<Row[]> {
  const compiled = sql<Row>`${query}`.compile(reader.sql);
  if (compiled.parameters.length > mostValues)
    throw invalid('The query compares too much in too many trackers. Name fewer in FROM, or compare less.');
  return reader.all({ compile: () => compiled });
}

async function sizeOf(reader: Reader, found: readonly Alike[]): Promise<number> {
  const counts = together(
    found.map(({ where }) => sql`select count(*) as size from artifact where ${where}`),
  );
  const [counted] = await rowsOf<{ size: number }>(
    reader,
    sql`select sum(counts.size) as size from (${counts}) as counts`,
  );
  return counted?.size ?? 0;
}

/** The places of all entries; the same entry has the same place wherever it is. */
function placesIn(key: Key): Places | undefined {
  if (key.by === 'list') return new Map([...key.lists.values()].flatMap(({ places }) => [...places]));
  return key.by === 'person' ? new Map([...key.people.values()].flatMap((places) => [...places])) : undefined;
}

/** The whole number that a text begins with, 0 where there is none; cut where other engines cut it. */
const leadingNumber = sql.raw(
  String.raw`least(greatest(coalesce(substring(everything.key from '^[ \t\n\v\f\r]*([-+]?[0-9]+)')::numeric, 0), -9223372036854775808), 9223372036854775807)`,
);

function sortedBy(key: Key, everything: Query): { from: Query; columns: readonly Query[] } {
  const plainFrom = sql`(${everything}) as everything`;
  const places = placesIn(key);
  if (key.by === 'id') return { from: plainFrom, columns: [] };
  if (key.by === 'text') {
    const number = sql`case when everything.key is not null then ${leadingNumber} end`;
    return { from: plainFrom, columns: [number, sql.raw('everything.key collate "C"')] };
  }
  if (places === undefined) return { from: plainFrom, columns: [sql.raw('everything.key')] };
  const placed = sql`unnest(${[...places.keys()]}::bigint[], ${[...places.values()]}::bigint[])`;
  const from = sql`${plainFrom} left join ${placed} as placed (entry, place) on placed.entry = everything.key`;
  return { from, columns: [sql.raw('placed.place')] };
}

/** What is missing comes first, and last the other way round. */
function orderedBy(columns: readonly Query[], { key, isDescending }: Order): Query {
  const direction = sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first');
  const ids = key.by === 'id' && !isDescending ? 'everything.id' : 'everything.id desc';
  return sql.join([...columns.map((column) => sql`${column} ${direction}`), sql.raw(ids)]);
}

/** A page of what is found in any of the trackers, in this order. */
export async function pageOfRows(
  finding: Finding,
  targets: readonly Target[],
  order: Order,
  { limit, offset }: Page,
): Promise<IdPage> {
  const { reader } = finding.sight;
  const found = await alikeAmong(finding, targets, (id) =>
    fieldOf(order.key, id) === undefined ? 'no field' : 'field',
  );
  const size = found.length === 0 ? 0 : await sizeOf(reader, found);
  if (offset >= size) return { ids: [], size };
  const { from, columns } = sortedBy(order.key, everythingIn(found, order.key));
  const sorted = orderedBy(columns, order);
  const query = sql`select everything.id from ${from} order by ${sorted} limit ${limit} offset ${offset}`;
  const rows = await rowsOf<{ id: number }>(reader, query);
  return { ids: rows.map(({ id }) => id), size };
}
