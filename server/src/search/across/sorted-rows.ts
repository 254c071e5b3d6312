import { invalid } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/paging.ts';
import { type Reader, sql } from '../../storage/index.ts';
import { type Finding, type IdPage, queryFor, type Target } from '../finding.ts';
import type { Query } from '../queries.ts';
import type { Key, Order, Places } from './ordering.ts';

/*
 * Pages over several trackers where the database answers searches by itself: it finds, counts and sorts.
 */

/** What is sorted by in one tracker: a column, and what must be joined to have it. */
interface Sorted {
  readonly column: Query;
  readonly join: Query;
}

const plain = (column: string): Sorted => ({ column: sql.raw(column), join: sql`` });

/** The column of the rows of a field; in a tracker that has none, nothing. */
const ofField = (column: string, type: string, fieldId: number | undefined): Sorted => {
  if (fieldId === undefined) return plain(`null::${type}`);
  const [table = ''] = column.split('.');
  const join = sql`left join ${sql.raw(table)} on ${sql.raw(table)}.field_id = ${fieldId} and ${sql.raw(table)}.artifact_id = found.id`;
  return { column: sql.raw(column), join };
};

function sortedIn(key: Key, trackerId: number): Sorted {
  switch (key.by) {
    case 'id':
      return plain('null::bigint');
    case 'fact':
      return plain(key.fact === 'submittedOn' ? 'found.submitted_on' : 'found.modified_on');
    case 'person':
      return plain(key.who === 'submitter' ? 'found.submitted_by' : 'found.modified_by');
    case 'measure':
      return ofField('artifact_measure.value', 'double precision', key.fields.get(trackerId));
    case 'text':
      return ofField('artifact_text.text', 'text', key.fields.get(trackerId));
    case 'list':
      return ofField('artifact_value.value', 'bigint', key.lists.get(trackerId)?.fieldId);
  }
}

/** What is found in one tracker, with all that artifacts have by themselves to be sorted by. */
interface Found {
  readonly trackerId: number;
  readonly query: Query;
}

async function foundIn(finding: Finding, target: Target): Promise<Found> {
  const query = (await queryFor(finding, target)).select([
    'artifact.id',
    'artifact.submitted_on',
    'artifact.submitted_by',
    'artifact.modified_on',
    'artifact.modified_by',
  ]);
  return { trackerId: target.view.tracker.id, query: sql`${query}` };
}

const together = (parts: readonly Query[]) => sql.join([...parts], sql` union all `);

/** All that is found, with what it is sorted by. */
const everythingIn = (found: readonly Found[], key: Key): Query =>
  together(
    found.map(({ trackerId, query }) => {
      const { column, join } = sortedIn(key, trackerId);
      return sql`select found.id, ${column} as key from ${query} as found ${join}`;
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

async function sizeOf(reader: Reader, found: readonly Found[]): Promise<number> {
  const counts = together(found.map(({ query }) => sql`select count(*) as size from ${query} as found`));
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
  const found: Found[] = [];
  for (const target of targets) {
    finding.clock.check();
    found.push(await foundIn(finding, target));
  }
  const size = found.length === 0 ? 0 : await sizeOf(reader, found);
  if (offset >= size) return { ids: [], size };
  const { from, columns } = sortedBy(order.key, everythingIn(found, order.key));
  const sorted = orderedBy(columns, order);
  const query = sql`select everything.id from ${from} order by ${sorted} limit ${limit} offset ${offset}`;
  const rows = await rowsOf<{ id: number }>(reader, query);
  return { ids: rows.map(({ id }) => id), size };
}
