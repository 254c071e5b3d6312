import type { Page } from '../../../kernel/paging.ts';
import { sql } from '../../../storage/index.ts';
import { parentRows } from '../parents.ts';
import { factColumn, type SearchScope } from '../predicates.ts';
import { type Finding, type IdPage, searchRunIn, type Target } from '../search-index.ts';
import type { TableKey, TableOrder } from '../sort-order.ts';
import { all, type SqlPiece } from '../sql.ts';
import { leadingNumber } from './leading-number.ts';
import { idsFor } from './pages.ts';

/*
 * Pages of one tracker, sorted by several things, where the database answers searches by itself: it finds, counts and sorts.
 */

/** The columns of a key, and what must be joined to an artifact to have them. */
interface Sorted {
  readonly columns: readonly SqlPiece[];
  readonly join: SqlPiece;
}

const placesTable = (key: Extract<TableKey, { by: 'list' | 'person' }>) =>
  sql`unnest(${[...key.places.keys()]}::bigint[], ${[...key.places.values()]}::bigint[]) as placed (entry, place)`;

/** `name`: of the joined rows, another one for each key. */
function sortedBy(key: TableKey, name: string, scope: SearchScope): Sorted {
  const table = sql.raw(name);
  switch (key.by) {
    case 'fact':
      return { columns: [factColumn(key.fact)], join: sql`` };
    case 'measure':
      return {
        columns: [sql.raw(`${name}.value`)],
        join: sql`left join artifact_measure as ${table} on ${table}.field_id = ${key.fieldId} and ${table}.artifact_id = artifact.id`,
      };
    case 'text':
      return {
        columns: [sql.raw(leadingNumber(`${name}.text`)), sql.raw(`${name}.text collate "C"`)],
        join: sql`left join artifact_text as ${table} on ${table}.field_id = ${key.fieldId} and ${table}.artifact_id = artifact.id`,
      };
    case 'parent':
      return {
        columns: [sql.raw(`${name}.parent`)],
        join: sql`left join (${parentRows(scope, key.views)}) as ${table} on ${table}.child = artifact.id`,
      };
    case 'person': {
      const who = sql.raw(key.who === 'submitter' ? 'artifact.submitted_by' : 'artifact.modified_by');
      const join = sql`left join (select entry, place from ${placesTable(key)}) as ${table} on ${table}.entry = ${who}`;
      return { columns: [sql.raw(`${name}.place`)], join };
    }
    case 'list': {
      const first = sql`select artifact_id, min(place) as place from artifact_value
        inner join ${placesTable(key)} on placed.entry = artifact_value.value
        where field_id = ${key.fieldId} group by artifact_id`;
      const join = sql`left join (${first}) as ${table} on ${table}.artifact_id = artifact.id`;
      return { columns: [sql.raw(`${name}.place`)], join };
    }
  }
}

/** A page of what is found in a tracker, in this order. */
export async function tablePage(
  finding: Finding,
  target: Target,
  order: TableOrder,
  { limit, offset }: Page,
): Promise<IdPage> {
  const { reader } = finding.readContext;
  const { ids } = await idsFor(finding, target);
  const { scope } = searchRunIn(finding, target);
  const sorted = order.map(({ key, isDescending }, index) => ({
    ...sortedBy(key, `key${index}`, scope),
    direction: sql.raw(isDescending ? 'desc nulls last' : 'asc nulls last'),
  }));
  const columns = sorted.flatMap((one) => one.columns.map((column) => sql`${column} ${one.direction}`));
  const joins = sorted.map(({ join }) => join);
  const found = sql`with found as materialized (${ids})`;
  const counted = sql`select count(*) as size from found`;
  const rows = await all<{ id: number; size: number }>(
    reader,
    sql`${found} select artifact.id, (${counted}) as size from found inner join artifact on artifact.id = found.id
      ${sql.join(joins, sql` `)} order by ${sql.join([...columns, sql`artifact.id`])} limit ${limit} offset ${offset}`,
  );
  const [first] = rows;
  if (first !== undefined) return { ids: rows.map(({ id }) => id), size: first.size };
  // Behind the last page no row tells the size.
  const [counting] = offset === 0 ? [] : await all<{ size: number }>(reader, sql`${found} ${counted}`);
  return { ids: [], size: counting?.size ?? 0 };
}
