import { sql } from '../../storage/index.ts';
import { IdSet } from './id-set.ts';
import type { Looking } from './plan.ts';
import { type Leaf, type Plan, type Postings, postingsOf, rowsOf } from './predicates.ts';
import { all, type Query, whereAll } from './sql.ts';
import { findCommented, findContaining } from './text-search.ts';

/** The postings as one search sees them. */
export interface Ground {
  readonly looking: Looking;
  /** Artifacts that rows must be asked about; undefined when that is all of them. */
  readonly pending: IdSet | undefined;
  readonly hasPending: boolean;
}

async function listOf(looking: Looking, query: Query): Promise<IdSet> {
  looking.clock.check();
  const set = new IdSet();
  const [row] = await all<{ ids: string | null }>(looking.sight.reader, query);
  set.addList(row?.ids ?? '');
  return set;
}

/** Looks at what the postings do not tell. */
export async function stand(looking: Looking): Promise<Ground> {
  const most = looking.limits.pending;
  const some = sql`select artifact_id from search_pending limit ${most + 1}`;
  const pending = await listOf(looking, sql`select group_concat(artifact_id) as ids from (${some})`);
  const { size } = pending;
  return { looking, pending: size > most ? undefined : pending, hasPending: size > 0 };
}

/** What rows say; with `isPending` of those artifacts alone of which the postings do not tell. */
async function fromRows(
  { looking }: Ground,
  leaf: Exclude<Leaf, { is: 'these' }>,
  isPending: boolean,
): Promise<IdSet> {
  let found = new IdSet();
  for (const { id, from, where } of rowsOf(leaf, looking.scope)) {
    const own = sql.raw(id);
    const some = isPending ? [sql`${own} in (select artifact_id from search_pending)`] : [];
    const query = sql`select group_concat(${own}) as ids from ${sql.raw(from)} ${whereAll([...where, ...some])}`;
    found = found.or(await listOf(looking, query));
  }
  return found;
}

async function fromPostings({ looking }: Ground, postings: Postings): Promise<IdSet> {
  const set = new IdSet();
  const some =
    'from' in postings
      ? [sql`key >= ${postings.from} and key <= ${postings.to}`]
      : postings.map((key) => sql`key = ${key}`);
  for (const own of some) {
    const blocks = sql`select block, ids from posting where ${own}`;
    for (const { block, ids } of await all<{ block: number; ids: Uint8Array }>(looking.sight.reader, blocks))
      set.addStored(block, ids);
    looking.clock.check();
  }
  return set;
}

async function indexed(ground: Ground, leaf: Exclude<Leaf, { is: 'these' }>): Promise<IdSet> {
  const postings = postingsOf(leaf, ground.looking.scope);
  if (postings === undefined || ground.pending === undefined) return fromRows(ground, leaf, false);
  const folded = await fromPostings(ground, postings);
  if (!ground.hasPending) return folded;
  return folded.minus(ground.pending).or(await fromRows(ground, leaf, true));
}

/** All that a leaf means among `within`, and maybe more. */
async function evaluateLeaf(ground: Ground, leaf: Leaf, within: IdSet): Promise<IdSet> {
  switch (leaf.is) {
    case 'these':
      return IdSet.of(leaf.ids);
    case 'containing':
    case 'file':
      return findContaining(ground.looking, leaf, within, () =>
        indexed(ground, { is: 'filled', fieldId: leaf.fieldId }),
      );
    case 'commented':
      return findCommented(ground.looking, leaf.part);
    default:
      return indexed(ground, leaf);
  }
}

/** What is cheap to tell comes first, so that what is dear has less to look at. */
const isDear = (plan: Plan): boolean => {
  if (plan.is === 'not') return isDear(plan.plan);
  if (plan.is === 'all of' || plan.is === 'any of') return plan.plans.some(isDear);
  return plan.is === 'containing' || plan.is === 'file' || plan.is === 'commented';
};

/** Those of `within` that a plan means. */
export async function evaluate(ground: Ground, plan: Plan, within: IdSet): Promise<IdSet> {
  switch (plan.is) {
    case 'anything':
      return within;
    case 'nothing':
      return new IdSet();
    case 'not':
      return within.minus(await evaluate(ground, plan.plan, within));
    case 'all of': {
      let left = within;
      for (const part of [...plan.plans].sort((a, b) => Number(isDear(a)) - Number(isDear(b))))
        if (!left.isEmpty) left = await evaluate(ground, part, left);
      return left;
    }
    case 'any of': {
      let found = new IdSet();
      for (const part of plan.plans) found = found.or(await evaluate(ground, part, within));
      return found;
    }
    default:
      return within.and(await evaluateLeaf(ground, plan, within));
  }
}

/** The artifacts of the tracker that a plan means, told by sets of bits. `known`: where the search stands already. */
export async function findSet(looking: Looking, plans: readonly Plan[], known?: Ground): Promise<IdSet> {
  const ground = known ?? (await stand(looking));
  const universe = await indexed(ground, { is: 'in tracker' });
  return evaluate(ground, { is: 'all of', plans }, universe);
}
