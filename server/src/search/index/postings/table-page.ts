import type { Page } from '../../../kernel/paging.ts';
import { sql } from '../../../storage/index.ts';
import { IdSet } from '../id-set.ts';
import { hasParent, parentRows } from '../parents.ts';
import { planOf } from '../plan.ts';
import { factColumn, type Plan } from '../predicates.ts';
import { type Finding, type IdPage, type PostingsEngine, searchRunIn, type Target } from '../search-index.ts';
import type { TableKey, TableOrder } from '../sort-order.ts';
import { all, joined, type SqlPiece } from '../sql.ts';
import { evaluate, type IndexSnapshot, openIndex, setFor } from './evaluate.ts';

/*
 * Pages of one tracker, sorted by several things, where sets of bits answer searches. Each key takes a set apart into sets of
 * artifacts that are alike in it; only those sets are looked at by the next key that have rows of the page.
 */

interface Sorting {
  readonly finding: Finding;
  readonly target: Target;
  readonly snapshot: IndexSnapshot;
}

/** So many of a set, from this one on. */
interface Window {
  readonly from: number;
  readonly count: number;
}

type PlacedKey = Extract<TableKey, { by: 'list' | 'person' }>;
type RowKey = Exclude<TableKey, PlacedKey>;

/** The rows of a set in an order. */
async function slice(sorting: Sorting, set: IdSet, order: TableOrder, window: Window): Promise<number[]> {
  const [first, ...rest] = order;
  const { from: offset, count: limit } = window;
  if (limit <= 0) return [];
  if (first === undefined) return set.page({ offset, limit, isDescending: false });
  const { key, isDescending } = first;
  if (key.by === 'fact' && key.fact === 'id') return set.page({ offset, limit, isDescending });
  return key.by === 'list' || key.by === 'person'
    ? sliceByPlaces(sorting, set, { key, isDescending, rest }, window)
    : sliceByRows(sorting, set, { key, isDescending, rest }, window);
}

interface Step<Key> {
  readonly key: Key;
  readonly isDescending: boolean;
  readonly rest: TableOrder;
}

function planOfEntries(key: PlacedKey, entries: readonly number[]): Plan {
  return key.by === 'person'
    ? { is: 'by', who: key.who, accountIds: entries }
    : { is: 'listed', fieldId: key.fieldId, entries };
}

/** The entries of each place, in the order of the places. */
function entriesByPlace({ places }: PlacedKey): number[][] {
  const entries: number[][] = [];
  for (const [entry, place] of places) {
    const known = entries[place] ?? [];
    known.push(entry);
    entries[place] = known;
  }
  return entries;
}

/** Some that are alike. */
interface Alike {
  readonly set: IdSet;
  /** Whether they have nothing to be sorted by. */
  readonly isRest: boolean;
}

/** Sets of those that are alike, and last the rest. */
async function* setsByPlaces(
  { snapshot, finding: { clock } }: Sorting,
  set: IdSet,
  key: PlacedKey,
  entries: readonly number[][],
): AsyncGenerator<Alike> {
  let left = set;
  for (const some of entries) {
    if (left.isEmpty) return;
    clock.check();
    const here = await evaluate(snapshot, planOfEntries(key, some), left);
    if (here.isEmpty) continue;
    yield { set: here, isRest: false };
    left = left.minus(here);
  }
  yield { set: left, isRest: true };
}

/** A set that waits for its turn; small ones take less room as lists. */
type Kept = IdSet | readonly number[];
const fewest = 20_000;
const kept = (set: IdSet): Kept => (set.size < fewest ? set.all() : set);
const setIn = (some: Kept): IdSet => (some instanceof IdSet ? some : IdSet.of(some));

/** The same from the last place to the first. Of several values the first counts, so that they are told from the first on. */
async function* setsFromLast(
  sorting: Sorting,
  set: IdSet,
  key: PlacedKey,
  entries: readonly number[][],
): AsyncGenerator<Alike> {
  if (key.by === 'person' || !key.isMultiple)
    return yield* setsByPlaces(sorting, set, key, entries.toReversed());
  const sets: Kept[] = [];
  let rest = new IdSet();
  for await (const alike of setsByPlaces(sorting, set, key, entries))
    if (alike.isRest) rest = alike.set;
    else sets.push(kept(alike.set));
  for (const some of sets.reverse()) yield { set: setIn(some), isRest: false };
  yield { set: rest, isRest: true };
}

async function sliceByPlaces(
  sorting: Sorting,
  set: IdSet,
  { key, isDescending, rest }: Step<PlacedKey>,
  { from, count }: Window,
): Promise<number[]> {
  const sets = isDescending ? setsFromLast : setsByPlaces;
  const ids: number[] = [];
  let before = from;
  for await (const { set: here } of sets(sorting, set, key, entriesByPlace(key))) {
    const { size } = here;
    if (before < size)
      ids.push(...(await slice(sorting, here, rest, { from: before, count: count - ids.length })));
    before = Math.max(0, before - size);
    if (ids.length >= count) break;
  }
  return ids;
}

/** The rows in which keys are kept. */
interface KeyRows {
  readonly table: SqlPiece;
  readonly id: string;
  /** Whether rows lie by their keys, so that the database must be kept from looking up each artifact. */
  readonly isByKey?: true;
  /** Those of the tracker or of its field. */
  readonly own: SqlPiece;
  readonly columns: readonly SqlPiece[];
}

function rowsOf(key: RowKey, { finding, target }: Sorting): KeyRows {
  const { tracker } = target.view;
  if (key.by === 'fact') {
    const column = factColumn(key.fact);
    const own = sql`artifact.tracker_id = ${tracker.id}`;
    return { table: sql`artifact`, id: 'artifact.id', own, columns: [column] };
  }
  if (key.by === 'parent') {
    const table = sql`(${parentRows(searchRunIn(finding, target).scope, key.views)}) as parenthood`;
    return { table, id: 'parenthood.child', own: sql`1 = 1`, columns: [sql`parenthood.parent`] };
  }
  const common = { id: 'artifact_id', own: sql`field_id = ${key.fieldId}` };
  return key.by === 'measure'
    ? { ...common, table: sql`artifact_measure`, isByKey: true, columns: [sql`value`] }
    : {
        ...common,
        table: sql`artifact_text`,
        columns: [sql.raw(finding.index.engine.leadingNumber('text')), sql`text`],
      };
}

/** Which of the rows are asked for. */
interface Wanted {
  readonly only?: IdSet;
  /** Only so many of the first. */
  readonly most?: number;
}

/** The rows in their order. Those that are alike come by id. */
function orderedRows(
  engine: PostingsEngine,
  { table, id, isByKey, own, columns }: KeyRows,
  isDescending: boolean,
  { only, most }: Wanted,
  selected: SqlPiece,
): SqlPiece {
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const order = sql.join([...columns.map((column) => sql`${column} ${direction}`), sql.raw(id)]);
  // The sign keeps the database from looking up each artifact.
  const isKnown = isByKey ? sql.raw(`+${id}`) : sql.raw(id);
  const some = only === undefined ? sql`` : sql`and ${engine.isOneOf(isKnown, only.all())}`;
  const first = most === undefined ? sql`` : sql`limit ${most}`;
  return sql`select ${selected} from ${table} where ${own} ${some} order by ${order} ${first}`;
}

/** So many times as many as are looked at first are so many that most of these are among them. */
const dense = 10;

/** The ids of a set that has keys, in their order, from the first to the one before `end`. */
async function firstByRows(
  { finding: { readContext, clock, limits, index } }: Sorting,
  set: IdSet,
  rows: KeyRows,
  isDescending: boolean,
  end: number,
): Promise<number[]> {
  const read = async (wanted: Wanted) => {
    clock.check();
    const ordered = orderedRows(index.engine, rows, isDescending, wanted, sql`${sql.raw(rows.id)} as id`);
    const query = sql`select ${joined(sql`id`)} as ids from (${ordered}) as chosen`;
    const [row] = await all<{ ids: string | null }>(readContext.reader, query);
    const ids = row?.ids ? row.ids.split(',').map(Number) : [];
    return wanted.only === undefined ? ids.filter((id) => set.has(id)) : ids;
  };
  const { size } = set;
  if (end > limits.sorted) return read({});
  const first = size > limits.sorted * dense ? await read({ most: limits.sorted }) : [];
  return first.length >= end ? first : read({ only: set, most: end });
}

/** Those of the set that have a key. */
async function filledIn({ snapshot, finding, target }: Sorting, set: IdSet, key: RowKey): Promise<IdSet> {
  if (key.by === 'fact') return set;
  if (key.by === 'parent')
    return evaluate(snapshot, await planOf(searchRunIn(finding, target), hasParent), set);
  return evaluate(snapshot, { is: 'filled', fieldId: key.fieldId }, set);
}

async function sliceByRows(
  sorting: Sorting,
  set: IdSet,
  { key, isDescending, rest }: Step<RowKey>,
  { from, count }: Window,
): Promise<number[]> {
  const sorted = await filledIn(sorting, set, key);
  const end = Math.min(from + count, sorted.size);
  const rows = rowsOf(key, sorting);
  const ids =
    from >= end ? [] : (await firstByRows(sorting, sorted, rows, isDescending, end)).slice(from, end);
  const settled = rest.length === 0 ? ids : await settleAlike(sorting, sorted, rows, rest, ids);
  if (settled.length >= count) return settled;
  const window = { from: Math.max(0, from - sorted.size), count: count - settled.length };
  return [...settled, ...(await slice(sorting, set.minus(sorted), rest, window))];
}

/** Rows that follow each other and are alike. */
interface Group {
  readonly ids: number[];
}

async function groupsOf({ finding }: Sorting, rows: KeyRows, ids: readonly number[]): Promise<Group[]> {
  const { table, id, own, columns } = rows;
  const some = finding.index.engine.isOneOf(sql.raw(id), ids);
  const ranked = await all<{ id: number; place: number }>(
    finding.readContext.reader,
    sql`select ${sql.raw(id)} as id, dense_rank() over (order by ${sql.join([...columns])}) as place
      from ${table} where ${own} and ${some}`,
  );
  const places = new Map(ranked.map((row) => [row.id, row.place]));
  const groups: Group[] = [];
  let before: number | undefined;
  for (const one of ids) {
    const place = places.get(one);
    const last = groups.at(-1);
    if (last !== undefined && place === before) last.ids.push(one);
    else groups.push({ ids: [one] });
    before = place;
  }
  return groups;
}

/** All of the set that are alike with one of them. */
async function alikeWith({ finding }: Sorting, set: IdSet, rows: KeyRows, id: number): Promise<IdSet> {
  const { table, id: column, own, columns } = rows;
  const one = sql`select ${sql.join([...columns])} from ${table} where ${own} and ${sql.raw(column)} = ${id}`;
  const query = sql`select ${joined(sql.raw(column))} as ids from ${table}
    where ${own} and (${sql.join([...columns])}) = (${one})`;
  const [row] = await all<{ ids: string | null }>(finding.readContext.reader, query);
  const alike = new IdSet();
  alike.addList(row?.ids ?? '');
  return alike.and(set);
}

/** Sorts those that are alike by what comes next. The first and the last of a page may be alike with some that are not on it. */
async function settleAlike(
  sorting: Sorting,
  set: IdSet,
  rows: KeyRows,
  rest: TableOrder,
  ids: readonly number[],
): Promise<number[]> {
  const groups = await groupsOf(sorting, rows, ids);
  const settled: number[] = [];
  for (const [index, { ids: own }] of groups.entries()) {
    const [first = 0] = own;
    const isInside = index > 0 && index < groups.length - 1;
    const alike = isInside ? IdSet.of(own) : await alikeWith(sorting, set, rows, first);
    const from = index > 0 ? 0 : alike.countBefore(first);
    settled.push(...(await slice(sorting, alike, rest, { from, count: own.length })));
  }
  return settled;
}

/** A page of what is found in a tracker, in this order. */
export async function tablePage(
  finding: Finding,
  target: Target,
  order: TableOrder,
  { limit, offset }: Page,
): Promise<IdPage> {
  const snapshot = await openIndex(searchRunIn(finding, target));
  const set = await setFor(finding, target, snapshot);
  const { size } = set;
  if (offset >= size) return { ids: [], size };
  return {
    ids: await slice({ finding, target, snapshot }, set, order, { from: offset, count: limit }),
    size,
  };
}
