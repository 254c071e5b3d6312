import type { Page } from '../../../kernel/paging.ts';
import { sql } from '../../../storage/index.ts';
import { IdSet } from '../id-set.ts';
import type { Plan } from '../predicates.ts';
import { type Finding, type IdPage, type PostingsEngine, searchRunIn, type Target } from '../search-index.ts';
import type { Key, Order } from '../sort-order.ts';
import { all, joined, type SqlPiece } from '../sql.ts';
import { evaluate, type IndexSnapshot, openIndex, setFor } from './evaluate.ts';

/*
 * Pages over several trackers where sets of bits answer searches. What is found is a set; its order comes from the
 * database, which sorts the keys of whole fields and hands their artifacts over as one text.
 */

/** What was found in one tracker. */
interface Part {
  readonly trackerId: number;
  readonly snapshot: IndexSnapshot;
  readonly set: IdSet;
}

interface Found {
  readonly finding: Finding;
  readonly parts: readonly Part[];
  readonly whole: IdSet;
}

async function findAll(finding: Finding, targets: readonly Target[]): Promise<Found> {
  const parts: Part[] = [];
  const whole = new IdSet();
  let known: IndexSnapshot | undefined;
  for (const target of targets) {
    const searchRun = searchRunIn(finding, target);
    // What the postings do not tell is the same in all trackers.
    known ??= await openIndex(searchRun);
    const snapshot = { ...known, searchRun };
    const set = await setFor(finding, target, snapshot);
    if (set.isEmpty) continue;
    parts.push({ trackerId: target.view.tracker.id, snapshot, set });
    whole.addAll(set);
  }
  return { finding, parts, whole };
}

/** Those of the found artifacts that a plan means, which may be another one for each tracker. */
async function among({ parts }: Found, planFor: (trackerId: number) => Plan): Promise<IdSet> {
  const chosen = new IdSet();
  for (const { trackerId, snapshot, set } of parts) {
    const plan = planFor(trackerId);
    if (plan.is === 'nothing') continue;
    chosen.addAll(await evaluate(snapshot, plan, set));
  }
  return chosen;
}

const nothing: Plan = { is: 'nothing' };

/** Artifacts in the order of a key, without those that have none. */
interface Sorting {
  readonly sorted: IdSet;
  /** So many of them, from this one on. */
  ids(from: number, count: number): Promise<readonly number[]>;
}

type RowKey = Extract<Key, { by: 'fact' | 'measure' | 'text' }>;

/** The rows in which keys are kept. */
interface KeyRows {
  readonly table: string;
  readonly id: string;
  readonly owner: string;
  /** Whose rows those of a tracker are. */
  ownerOf(trackerId: number): number | undefined;
  readonly columns: readonly string[];
}

function rowsOf(key: RowKey, { leadingNumber }: PostingsEngine): KeyRows {
  if (key.by === 'fact') {
    const column = key.fact === 'submittedOn' ? 'submitted_on' : 'modified_on';
    return { table: 'artifact', id: 'id', owner: 'tracker_id', ownerOf: (id) => id, columns: [column] };
  }
  const ownerOf = (trackerId: number) => key.fields.get(trackerId);
  const common = { id: 'artifact_id', owner: 'field_id', ownerOf };
  return key.by === 'measure'
    ? { ...common, table: 'artifact_measure', columns: ['value'] }
    : { ...common, table: 'artifact_text', columns: [leadingNumber('text'), 'text'] };
}

/** Which of the rows are asked for. */
interface Wanted {
  /** Only these artifacts. */
  readonly only?: IdSet;
  /** Whether so few are asked for that each is looked up in the field of its tracker. */
  readonly isLookedUp?: boolean;
  /** Only so many of the first. */
  readonly most?: number;
}

/** The rows of these artifacts, each looked up where it is. */
function lookedUp({ id, owner, ownerOf }: KeyRows, { finding, parts }: Found, only: IdSet): SqlPiece {
  const wanted = parts.flatMap(({ trackerId, set }) => {
    const own = ownerOf(trackerId);
    return own === undefined
      ? []
      : only
          .and(set)
          .all()
          .map((one) => [own, one] as const);
  });
  return sql`(${sql.raw(owner)}, ${sql.raw(id)}) in (${finding.index.engine.pairs(wanted)})`;
}

/** The rows of all owners, or of these artifacts among them. */
function lookedThrough(
  { id, owner, ownerOf }: KeyRows,
  { finding, parts }: Found,
  only: IdSet | undefined,
): SqlPiece {
  const owners = parts.flatMap(({ trackerId }) => ownerOf(trackerId) ?? []);
  const all = sql`${sql.raw(owner)} in (${sql.join(owners)})`;
  // The sign keeps the database from looking up each artifact in each field.
  return only === undefined
    ? all
    : sql`${all} and ${finding.index.engine.isOneOf(sql.raw(`+${id}`), only.all())}`;
}

/** The ids of rows in their order, joined. */
function joinedIds(
  rows: KeyRows,
  found: Found,
  isDescending: boolean,
  { only, isLookedUp = false, most }: Wanted,
): SqlPiece {
  const { table, id, columns } = rows;
  const direction = isDescending ? 'desc' : 'asc';
  const sorted = sql.raw([...columns.map((column) => `${column} ${direction}`), `${id} desc`].join(', '));
  const chosen =
    only !== undefined && isLookedUp ? lookedUp(rows, found, only) : lookedThrough(rows, found, only);
  const wanted = sql`select ${sql.raw(id)} as id from ${sql.raw(table)} where ${chosen}`;
  const first = most === undefined ? sql`` : sql`limit ${most}`;
  return sql`select ${joined(sql`id`)} as ids from (${wanted} order by ${sorted} ${first}) as chosen`;
}

/** So many times as many as are looked at first are so many that most of these are among them. */
const dense = 10;

async function sortingOfRows(found: Found, key: RowKey, isDescending: boolean): Promise<Sorting> {
  const rows = rowsOf(key, found.finding.index.engine);
  const filled = (trackerId: number): Plan => {
    if (key.by === 'fact') return { is: 'anything' };
    const fieldId = key.fields.get(trackerId);
    return fieldId === undefined ? nothing : { is: 'filled', fieldId };
  };
  const sorted = await among(found, filled);
  const { size } = sorted;
  const { readContext, clock, limits } = found.finding;
  const read = async (wanted: Wanted) => {
    clock.check();
    const [row] = await all<{ ids: string | null }>(
      readContext.reader,
      joinedIds(rows, found, isDescending, wanted),
    );
    const ids = (row?.ids ?? '').split(',').map(Number);
    return wanted.only === undefined ? ids.filter((id) => sorted.has(id)) : ids;
  };
  return {
    sorted,
    async ids(from, count) {
      const end = Math.min(from + count, size);
      if (from >= end) return [];
      if (end > limits.sorted) return (await read({})).slice(from, end);
      const first = size > limits.sorted * dense ? await read({ most: limits.sorted }) : [];
      if (first.length >= end) return first.slice(from, end);
      const ids = await read({ only: sorted, isLookedUp: size <= limits.few, most: end });
      return ids.slice(from, end);
    },
  };
}

type PlacedKey = Extract<Key, { by: 'list' | 'person' }>;

/** In each tracker, the plans that the places stand for. */
function plansOf(key: PlacedKey): ReadonlyMap<number, ReadonlyMap<number, Plan>> {
  const byPlace = new Map<number, Map<number, number[]>>();
  const lists =
    key.by === 'list' ? [...key.lists].map(([id, { places }]) => [id, places] as const) : [...key.people];
  for (const [trackerId, places] of lists)
    for (const [entry, place] of places) {
      const trackers = byPlace.get(place) ?? new Map<number, number[]>();
      byPlace.set(place, trackers);
      trackers.set(trackerId, [...(trackers.get(trackerId) ?? []), entry]);
    }
  const planFor = (trackerId: number, entries: readonly number[]): Plan =>
    key.by === 'person'
      ? { is: 'by', who: key.who, accountIds: entries }
      : { is: 'listed', fieldId: key.lists.get(trackerId)?.fieldId ?? 0, entries };
  return new Map(
    [...byPlace].map(([place, trackers]) => [
      place,
      new Map([...trackers].map(([id, entries]) => [id, planFor(id, entries)])),
    ]),
  );
}

async function sortingOfPlaces(found: Found, key: PlacedKey, isDescending: boolean): Promise<Sorting> {
  const plans = plansOf(key);
  const places = [...plans.keys()].sort((left, right) => (isDescending ? right - left : left - right));
  const setAt = (place: number) => among(found, (id) => plans.get(place)?.get(id) ?? nothing);
  const sizes: number[] = [];
  const sorted = new IdSet();
  for (const place of places) {
    const set = await setAt(place);
    sizes.push(set.size);
    sorted.addAll(set);
  }
  return {
    sorted,
    async ids(from, count) {
      const ids: number[] = [];
      let before = from;
      for (const [index, place] of places.entries()) {
        const size = sizes[index] ?? 0;
        if (ids.length >= count) break;
        if (before < size) {
          const page = { offset: before, limit: count - ids.length, isDescending: true };
          ids.push(...(await setAt(place)).page(page));
        }
        before = Math.max(0, before - size);
      }
      return ids;
    },
  };
}

/** What has no key comes first, and last the other way round; among themselves the newest first. */
async function pageOfSorting(
  { whole }: Found,
  { sorted, ids }: Sorting,
  isDescending: boolean,
  { limit, offset }: Page,
): Promise<readonly number[]> {
  const rest = whole.minus(sorted);
  const restPage = (from: number, count: number) =>
    count <= 0 ? [] : rest.page({ offset: from, limit: count, isDescending: true });
  if (isDescending) {
    const first = await ids(offset, limit);
    return [...first, ...restPage(Math.max(0, offset - sorted.size), limit - first.length)];
  }
  const first = restPage(offset, limit);
  return [...first, ...(await ids(Math.max(0, offset - rest.size), limit - first.length))];
}

/** A page of what is found in any of the trackers, in this order. */
export async function sortedPage(
  finding: Finding,
  targets: readonly Target[],
  { key, isDescending }: Order,
  page: Page,
): Promise<IdPage> {
  const found = await findAll(finding, targets);
  const { size } = found.whole;
  if (page.offset >= size) return { ids: [], size };
  if (key.by === 'id')
    return { ids: found.whole.page({ limit: page.limit, offset: page.offset, isDescending }), size };
  const sorting =
    key.by === 'list' || key.by === 'person'
      ? await sortingOfPlaces(found, key, isDescending)
      : await sortingOfRows(found, key, isDescending);
  return { ids: await pageOfSorting(found, sorting, isDescending, page), size };
}
