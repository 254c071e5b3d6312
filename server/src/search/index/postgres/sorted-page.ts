import { invalid } from '../../../kernel/errors.ts';
import type { Page } from '../../../kernel/paging.ts';
import { type Reader, sql } from '../../../storage/index.ts';
import type { Finding, IdPage, Target } from '../search-index.ts';
import type { Key, Order, Places } from '../sort-order.ts';
import type { SqlPiece } from '../sql.ts';
import { type Alike, alikeAmong } from './alike.ts';
import { leadingNumber } from './leading-number.ts';

/*
 * Pages over several trackers where the database answers searches by itself: it finds, counts and sorts.
 */

/** The columns that artifacts are sorted by, and what must be joined to what is found to have them. */
interface Sorted {
  readonly columns: readonly SqlPiece[];
  readonly join: SqlPiece;
}

const plain = (...columns: string[]): Sorted => ({
  columns: columns.map((column) => sql.raw(column)),
  join: sql``,
});

/** The rows of fields, given by their trackers; each artifact is looked up in the field of its tracker. */
function rowsOfFields(name: string, fields: ReadonlyMap<number, number>): SqlPiece {
  const table = sql.raw(name);
  return sql`
    left join unnest(${[...fields.keys()]}::bigint[], ${[...fields.values()]}::bigint[]) as own (tracker_id, field_id)
      on own.tracker_id = found.tracker_id
    left join ${table} on ${table}.field_id = own.field_id and ${table}.artifact_id = found.id`;
}

/** The places of entries; the same entry has the same place wherever it is. */
function placesOf(entry: string, lists: Iterable<Places>): SqlPiece {
  const places = new Map([...lists].flatMap((some) => [...some]));
  return sql`
    left join unnest(${[...places.keys()]}::bigint[], ${[...places.values()]}::bigint[]) as placed (entry, place)
      on placed.entry = ${sql.raw(entry)}`;
}

function sortedBy(key: Key): Sorted {
  switch (key.by) {
    case 'id':
      return plain();
    case 'fact':
      return plain(key.fact === 'submittedOn' ? 'found.submitted_on' : 'found.modified_on');
    case 'measure':
      return { ...plain('artifact_measure.value'), join: rowsOfFields('artifact_measure', key.fields) };
    case 'text': {
      const columns = plain(leadingNumber('artifact_text.text'), 'artifact_text.text collate "C"');
      return { ...columns, join: rowsOfFields('artifact_text', key.fields) };
    }
    case 'person': {
      const who = key.who === 'submitter' ? 'found.submitted_by' : 'found.modified_by';
      return { ...plain('placed.place'), join: placesOf(who, key.people.values()) };
    }
    case 'list': {
      const fields = new Map([...key.lists].map(([trackerId, { fieldId }]) => [trackerId, fieldId]));
      const lists = [...key.lists.values()].map(({ places }) => places);
      const join = sql`${rowsOfFields('artifact_value', fields)} ${placesOf('artifact_value.value', lists)}`;
      return { ...plain('placed.place'), join };
    }
  }
}

/** What is missing comes first, and last the other way round. */
function orderedBy(columns: readonly SqlPiece[], { key, isDescending }: Order): SqlPiece {
  const direction = sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first');
  const ids = key.by === 'id' && !isDescending ? 'found.id' : 'found.id desc';
  return sql.join([...columns.map((column) => sql`${column} ${direction}`), sql.raw(ids)]);
}

/** All that is found, with what artifacts have by themselves to be sorted by. */
function everythingIn(alike: readonly Alike[]): SqlPiece {
  const columns = ['id', 'tracker_id', 'submitted_on', 'submitted_by', 'modified_on', 'modified_by'];
  const own = sql.raw(columns.map((column) => `artifact.${column}`).join(', '));
  // Found as a whole: for a few of the first, the database takes ways that are long when its guesses are wrong.
  return sql`with found as materialized (
    select ${own} from (${sql.join([...alike], sql` union all `)}) as ids inner join artifact on artifact.id = ids.id)`;
}

/** More values than this no statement takes. */
const mostValues = 65_000;

function rowsOf<Row>(reader: Reader, query: SqlPiece): Promise<Row[]> {
  const compiled = sql<Row>`${query}`.compile(reader.sql);
  if (compiled.parameters.length > mostValues)
    throw invalid('The query compares too much in too many trackers. Name fewer in FROM, or compare less.');
  return reader.all({ compile: () => compiled });
}

/** A page of what is found in any of the trackers, in this order. */
export async function sortedPage(
  finding: Finding,
  targets: readonly Target[],
  order: Order,
  { limit, offset }: Page,
): Promise<IdPage> {
  const { reader } = finding.readContext;
  const alike = await alikeAmong(finding, targets);
  if (alike.length === 0) return { ids: [], size: 0 };
  const everything = everythingIn(alike);
  const { columns, join } = sortedBy(order.key);
  const counted = sql`select count(*) as size from found`;
  const rows = await rowsOf<{ id: number; size: number }>(
    reader,
    sql`${everything} select found.id, (${counted}) as size from found ${join}
      order by ${orderedBy(columns, order)} limit ${limit} offset ${offset}`,
  );
  const ids = rows.map(({ id }) => id);
  if (rows.length > 0 || offset === 0) return { ids, size: rows[0]?.size ?? 0 };
  // Behind the last page no row tells the size.
  const [all] = await rowsOf<{ size: number }>(reader, sql`${everything} ${counted}`);
  return { ids, size: all?.size ?? 0 };
}
