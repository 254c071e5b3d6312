import { type Reader, sql } from '../../../storage/index.ts';
import { IdSet } from '../id-set.ts';
import { planOf, visiblePlan } from '../plan.ts';
import { type Leaf, type Plan, rowsOf, type SearchScope } from '../predicates.ts';
import {
  type Finding,
  type SearchRun,
  type StoredPosting,
  searchRunIn,
  type Target,
} from '../search-index.ts';
import { all, idsIn, joined, prepared, type SqlPiece, whereAll } from '../sql.ts';
import { type Postings, postingsOf } from './postings.ts';
import { addInRange } from './sorted-numbers.ts';

/** The postings as one search sees them. */
export interface IndexSnapshot {
  readonly searchRun: SearchRun;
  /** Artifacts that rows must be asked about; undefined when that is all of them. */
  readonly pending: IdSet | undefined;
  readonly hasPending: boolean;
  /** What was asked ahead: all that is meant, or what was merged of it. */
  readonly told: ReadonlyMap<Leaf, IdSet>;
  readonly merged: ReadonlyMap<Leaf, IdSet>;
}

type RowLeaf = Exclude<Leaf, { is: 'these' }>;

async function listOf(searchRun: SearchRun, query: SqlPiece): Promise<IdSet> {
  searchRun.clock.check();
  const set = new IdSet();
  const [row] = await all<{ ids: string | null }>(searchRun.readContext.reader, query);
  set.addList(row?.ids ?? '');
  return set;
}

const pendingNotes = prepared<{ limit: number }, { ids: string | null; notes: number }>(
  ({ limit }) => sql`select ${joined(sql`artifact_id`)} as ids, count(*) as notes
    from (select artifact_id from search_pending limit ${limit}) as chosen`,
);

/** Artifacts that the postings do not tell the truth about; undefined when they are more than so many. */
export async function findPending(reader: Reader, most: number): Promise<IdSet | undefined> {
  const row = await reader.first(pendingNotes, { limit: most + 1 });
  // Of one artifact there may be several notes.
  if ((row?.notes ?? 0) > most) return undefined;
  const pending = new IdSet();
  pending.addList(row?.ids ?? '');
  return pending;
}

/** So much waits to be merged that the database had better answer by itself. */
export class TooMuchPending extends Error {}

/** Looks at what the postings do not tell. */
export async function openIndex(searchRun: SearchRun): Promise<IndexSnapshot> {
  const pending = await searchRun.pending();
  if (pending === undefined && searchRun.index.engine.hasOwnAnswers) throw new TooMuchPending();
  return { searchRun, pending, hasPending: pending?.isEmpty !== true, told: new Map(), merged: new Map() };
}

/** What rows say; with `pending` of those artifacts alone, of which the postings do not tell. */
async function fromRows({ searchRun }: IndexSnapshot, leaf: RowLeaf, pending?: IdSet): Promise<IdSet> {
  let found = new IdSet();
  for (const { id, from, where } of rowsOf(leaf, searchRun.scope)) {
    const own = sql.raw(id);
    const some = pending === undefined ? [] : [searchRun.index.engine.isPending(own, pending)];
    const query = sql`select ${joined(own)} as ids from ${sql.raw(from)} ${whereAll([...where, ...some])}`;
    found = found.or(await listOf(searchRun, query));
  }
  return found;
}

/** Postings that one statement asks for. */
const mostKeys = 1000;

const chunks = (keys: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, index) =>
    keys.slice(index * mostKeys, (index + 1) * mostKeys),
  );

async function fromPostings(searchRun: SearchRun, postings: Postings): Promise<IdSet> {
  const set = new IdSet();
  const { clock, readContext, index } = searchRun;
  clock.check();
  if ('sorted' in postings) {
    for (const { block, ids } of await index.engine.postings(readContext.reader, [postings.sorted]))
      addInRange(set, block, ids, postings.range);
    return set;
  }
  if ('from' in postings) {
    const { from, to } = postings;
    const query = sql`select block, ids from posting where key >= ${from} and key <= ${to}`;
    const blocks = await all<{ block: number; ids: Uint8Array }>(readContext.reader, query);
    for (const { block, ids } of blocks) set.addStored(block, ids);
    return set;
  }
  for (const { block, ids } of await blocksOf(searchRun, postings)) set.addStored(block, ids);
  return set;
}

/** Blocks of postings by their keys, not too many by one statement. */
async function blocksOf(searchRun: SearchRun, keys: readonly string[]): Promise<readonly StoredPosting[]> {
  const found: (readonly StoredPosting[])[] = [];
  for (const some of chunks(keys)) {
    searchRun.clock.check();
    found.push(await searchRun.index.engine.postings(searchRun.readContext.reader, some));
  }
  return found.length === 1 ? (found[0] ?? []) : found.flat();
}

/** What postings tell of several leaves: those with keys of their own are asked for by one statement. */
async function allFromPostings(
  searchRun: SearchRun,
  leaves: readonly RowLeaf[],
): Promise<ReadonlyMap<Leaf, IdSet>> {
  const keysOf = new Map<Leaf, readonly string[]>();
  const sets: Promise<readonly [Leaf, IdSet]>[] = [];
  for (const leaf of leaves) {
    const postings = postingsOf(leaf, searchRun.scope) ?? [];
    if ('from' in postings || 'sorted' in postings)
      sets.push(fromPostings(searchRun, postings).then((set) => [leaf, set] as const));
    else keysOf.set(leaf, postings);
  }
  const [blocks, ...told] = await Promise.all([
    blocksOf(searchRun, [...new Set([...keysOf.values()].flat())]),
    ...sets,
  ]);
  const found = new Map<Leaf, IdSet>(told);
  const byKey = Map.groupBy(blocks, ({ key }) => key);
  for (const [leaf, keys] of keysOf) {
    const set = new IdSet();
    for (const key of keys) for (const { block, ids } of byKey.get(key) ?? []) set.addStored(block, ids);
    found.set(leaf, set);
  }
  return found;
}

/** What rows say of a number that few artifacts have: quicker than the numbers of all. Undefined where many have it. */
async function fewFromRows({ searchRun }: IndexSnapshot, leaf: RowLeaf): Promise<IdSet | undefined> {
  const most = searchRun.limits.few;
  const few = sql.join(rowsOf(leaf, searchRun.scope).map(idsIn), sql` union all `);
  const found = await listOf(
    searchRun,
    sql`select ${joined(sql`id`)} as ids from (select id from (${few}) as told limit ${most + 1}) as chosen`,
  );
  return found.size > most ? undefined : found;
}

async function indexed(snapshot: IndexSnapshot, leaf: RowLeaf): Promise<IdSet> {
  const told = snapshot.told.get(leaf);
  if (told !== undefined) return told;
  const postings = postingsOf(leaf, snapshot.searchRun.scope);
  if (postings === undefined || snapshot.pending === undefined) return fromRows(snapshot, leaf);
  if ('sorted' in postings) {
    const few = await fewFromRows(snapshot, leaf);
    if (few !== undefined) return few;
  }
  const merged = snapshot.merged.get(leaf) ?? (await fromPostings(snapshot.searchRun, postings));
  if (!snapshot.hasPending) return merged;
  return merged.minus(snapshot.pending).or(await fromRows(snapshot, leaf, snapshot.pending));
}

/** All that a leaf means among `within`, and maybe more. */
async function evaluateLeaf(snapshot: IndexSnapshot, leaf: Leaf, within: IdSet): Promise<IdSet> {
  switch (leaf.is) {
    case 'these':
      return IdSet.of(leaf.ids);
    case 'containing':
    case 'file':
      return snapshot.searchRun.index.engine.findContaining(snapshot.searchRun, leaf, within, () =>
        indexed(snapshot, { is: 'filled', fieldId: leaf.fieldId }),
      );
    case 'commented':
      return snapshot.searchRun.index.engine.findCommented(snapshot.searchRun, leaf.part, within);
    default:
      return indexed(snapshot, leaf);
  }
}

/** What is cheap to tell comes first, so that what is dear has less to look at. */
const isDear = (plan: Plan): boolean => {
  if (plan.is === 'not') return isDear(plan.plan);
  if (plan.is === 'all of' || plan.is === 'any of') return plan.plans.some(isDear);
  return plan.is === 'containing' || plan.is === 'file' || plan.is === 'commented';
};

/** Those of `within` that a plan means. */
export async function evaluate(snapshot: IndexSnapshot, plan: Plan, within: IdSet): Promise<IdSet> {
  switch (plan.is) {
    case 'anything':
      return within;
    case 'nothing':
      return new IdSet();
    case 'not':
      return within.minus(await evaluate(snapshot, plan.plan, within));
    case 'all of': {
      let left = within;
      for (const part of [...plan.plans].sort((a, b) => Number(isDear(a)) - Number(isDear(b))))
        if (!left.isEmpty) left = await evaluate(snapshot, part, left);
      return left;
    }
    case 'any of': {
      // What is found already need not be looked for once more: where nothing is restricted, nobody asks for whom.
      let left = within;
      for (const part of plan.plans)
        if (!left.isEmpty) left = left.minus(await evaluate(snapshot, part, left));
      return within.minus(left);
    }
    default:
      return within.and(await evaluateLeaf(snapshot, plan, within));
  }
}

/** The leaves of a plan that whole postings tell. */
function postedLeaves(plan: Plan, scope: SearchScope): RowLeaf[] {
  if ('plans' in plan) return plan.plans.flatMap((part) => postedLeaves(part, scope));
  if (plan.is === 'not') return postedLeaves(plan.plan, scope);
  if (plan.is === 'anything' || plan.is === 'nothing' || plan.is === 'these') return [];
  const postings = postingsOf(plan, scope);
  return postings === undefined || 'sorted' in postings ? [] : [plan];
}

/**
 * Asks for all that postings tell of the leaves: one statement costs less than several. Over a network, where each wait costs more than what
 * it is for, also for all that rows tell of what is pending.
 */
async function askAhead(
  searchRun: SearchRun,
  leaves: readonly RowLeaf[],
  opening: Promise<IndexSnapshot>,
): Promise<IndexSnapshot> {
  const [snapshot, merged] = await Promise.all([opening, allFromPostings(searchRun, leaves)]);
  const { pending, hasPending } = snapshot;
  if (pending === undefined) return snapshot;
  if (!hasPending || !searchRun.readContext.reader.isRemote) return { ...snapshot, merged };
  const changed = await Promise.all(leaves.map((leaf) => fromRows(snapshot, leaf, pending)));
  const told = new Map<Leaf, IdSet>();
  for (const [index, leaf] of leaves.entries()) {
    const set = merged.get(leaf) ?? new IdSet();
    told.set(leaf, set.minus(pending).or(changed[index] ?? new IdSet()));
  }
  return { ...snapshot, told };
}

/** The artifacts of the tracker that a plan means, told by sets of bits. `known`: where the search stands already. */
export async function findSet(
  searchRun: SearchRun,
  plans: readonly Plan[],
  known: Promise<IndexSnapshot>,
): Promise<IdSet> {
  const everything = { is: 'in tracker' } as const;
  const whole: Plan = { is: 'all of', plans };
  const snapshot = await askAhead(searchRun, [everything, ...postedLeaves(whole, searchRun.scope)], known);
  return evaluate(snapshot, whole, await indexed(snapshot, everything));
}

/** The artifacts of a target as a set of bits. `snapshot`: where a search over several targets stands in this one. */
export async function setFor(finding: Finding, target: Target, snapshot?: IndexSnapshot): Promise<IdSet> {
  const searchRun = searchRunIn(finding, target);
  const opening = snapshot === undefined ? openIndex(searchRun) : Promise.resolve(snapshot);
  // Whoever waits for it below hears of its fault, unless another came first.
  opening.catch(() => {});
  const plan = await planOf(searchRun, target.condition);
  return findSet(searchRun, [await visiblePlan(searchRun), plan], opening);
}
