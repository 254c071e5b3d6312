import { sql } from '../../../storage/index.ts';
import { IdSet } from '../id-set.ts';
import { planOf, visiblePlan } from '../plan.ts';
import { type Leaf, type Plan, rowsOf } from '../predicates.ts';
import { type Finding, type SearchRun, searchRunIn, type Target } from '../search-index.ts';
import { all, idsIn, type SqlPiece, whereAll } from '../sql.ts';
import { type Postings, postingsOf } from './postings.ts';
import { addInRange } from './sorted-numbers.ts';
import { findCommented, findContaining } from './text-search.ts';

/** The postings as one search sees them. */
export interface IndexSnapshot {
  readonly searchRun: SearchRun;
  /** Artifacts that rows must be asked about; undefined when that is all of them. */
  readonly pending: IdSet | undefined;
  readonly hasPending: boolean;
}

type RowLeaf = Exclude<Leaf, { is: 'these' }>;

async function listOf(searchRun: SearchRun, query: SqlPiece): Promise<IdSet> {
  searchRun.clock.check();
  const set = new IdSet();
  const [row] = await all<{ ids: string | null }>(searchRun.readContext.reader, query);
  set.addList(row?.ids ?? '');
  return set;
}

/** Looks at what the postings do not tell. */
export async function openIndex(searchRun: SearchRun): Promise<IndexSnapshot> {
  const most = searchRun.limits.pending;
  const some = sql`select artifact_id from search_pending limit ${most + 1}`;
  const pending = await listOf(searchRun, sql`select group_concat(artifact_id) as ids from (${some})`);
  const { size } = pending;
  return { searchRun, pending: size > most ? undefined : pending, hasPending: size > 0 };
}

/** What rows say; with `isPending` of those artifacts alone of which the postings do not tell. */
async function fromRows({ searchRun }: IndexSnapshot, leaf: RowLeaf, isPending: boolean): Promise<IdSet> {
  let found = new IdSet();
  for (const { id, from, where } of rowsOf(leaf, searchRun.scope)) {
    const own = sql.raw(id);
    const some = isPending ? [sql`${own} in (select artifact_id from search_pending)`] : [];
    const query = sql`select group_concat(${own}) as ids from ${sql.raw(from)} ${whereAll([...where, ...some])}`;
    found = found.or(await listOf(searchRun, query));
  }
  return found;
}

async function fromPostings({ searchRun }: IndexSnapshot, postings: Postings): Promise<IdSet> {
  const set = new IdSet();
  const blocksOf = async (some: SqlPiece) => {
    searchRun.clock.check();
    const query = sql`select block, ids from posting where ${some}`;
    return all<{ block: number; ids: Uint8Array }>(searchRun.readContext.reader, query);
  };
  if ('sorted' in postings) {
    for (const { block, ids } of await blocksOf(sql`key = ${postings.sorted}`))
      addInRange(set, block, ids, postings.range);
    return set;
  }
  const some =
    'from' in postings
      ? [sql`key >= ${postings.from} and key <= ${postings.to}`]
      : postings.map((key) => sql`key = ${key}`);
  for (const own of some) for (const { block, ids } of await blocksOf(own)) set.addStored(block, ids);
  return set;
}

/** What rows say of a number that few artifacts have: quicker than the numbers of all. Undefined where many have it. */
async function fewFromRows({ searchRun }: IndexSnapshot, leaf: RowLeaf): Promise<IdSet | undefined> {
  const most = searchRun.limits.few;
  const few = sql.join(rowsOf(leaf, searchRun.scope).map(idsIn), sql` union all `);
  const found = await listOf(
    searchRun,
    sql`select group_concat(id) as ids from (select id from (${few}) limit ${most + 1})`,
  );
  return found.size > most ? undefined : found;
}

async function indexed(snapshot: IndexSnapshot, leaf: RowLeaf): Promise<IdSet> {
  const postings = postingsOf(leaf, snapshot.searchRun.scope);
  if (postings === undefined || snapshot.pending === undefined) return fromRows(snapshot, leaf, false);
  if ('sorted' in postings) {
    const few = await fewFromRows(snapshot, leaf);
    if (few !== undefined) return few;
  }
  const folded = await fromPostings(snapshot, postings);
  if (!snapshot.hasPending) return folded;
  return folded.minus(snapshot.pending).or(await fromRows(snapshot, leaf, true));
}

/** All that a leaf means among `within`, and maybe more. */
async function evaluateLeaf(snapshot: IndexSnapshot, leaf: Leaf, within: IdSet): Promise<IdSet> {
  switch (leaf.is) {
    case 'these':
      return IdSet.of(leaf.ids);
    case 'containing':
    case 'file':
      return findContaining(snapshot.searchRun, leaf, within, () =>
        indexed(snapshot, { is: 'filled', fieldId: leaf.fieldId }),
      );
    case 'commented':
      return findCommented(snapshot.searchRun, leaf.part);
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
      let found = new IdSet();
      for (const part of plan.plans) found = found.or(await evaluate(snapshot, part, within));
      return found;
    }
    default:
      return within.and(await evaluateLeaf(snapshot, plan, within));
  }
}

/** The artifacts of the tracker that a plan means, told by sets of bits. `known`: where the search stands already. */
export async function findSet(
  searchRun: SearchRun,
  plans: readonly Plan[],
  known?: IndexSnapshot,
): Promise<IdSet> {
  const snapshot = known ?? (await openIndex(searchRun));
  const universe = await indexed(snapshot, { is: 'in tracker' });
  return evaluate(snapshot, { is: 'all of', plans }, universe);
}

/** The artifacts of a target as a set of bits. `snapshot`: where a search over several targets stands in this one. */
export async function setFor(finding: Finding, target: Target, snapshot?: IndexSnapshot): Promise<IdSet> {
  const searchRun = searchRunIn(finding, target);
  const plan = await planOf(searchRun, target.condition);
  return findSet(searchRun, [await visiblePlan(searchRun), plan], snapshot);
}
