import type { Page } from '../../kernel/paging.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { search } from './find.ts';
import { IdSet } from './id-set.ts';
import { planOf } from './plan.ts';
import type { Plan } from './predicates.ts';
import { type Finding, type SearchOptions, searchRunIn } from './search-index.ts';

/**
 * What is looked for in one tracker: several things that must all be there, each with a condition for every place in
 * which it may be, the best place first.
 */
export interface RankedTarget {
  readonly view: TrackerView;
  readonly sought: readonly (readonly Condition[])[];
  /** What else they must be; anything unless given. */
  readonly within?: Condition | undefined;
}

export interface RankedId {
  readonly id: number;
  /** 0 for the best. */
  readonly rank: number;
}

/** With so few artifacts left, they are told to the next search. */
const fewLeft = 5000;

/** For each place, the artifacts that have one of the things sought in it or in a better one; all of them among `left`. */
async function setsIn(
  finding: Finding,
  view: TrackerView,
  conditions: readonly Condition[],
  left: IdSet | undefined,
): Promise<IdSet[]> {
  const these: Plan[] = left !== undefined && left.size <= fewLeft ? [{ is: 'these', ids: left.all() }] : [];
  const sets: IdSet[] = [];
  let found = new IdSet();
  for (const condition of conditions) {
    const plan = await planOf(searchRunIn(finding, { view }), condition);
    if (plan.is !== 'nothing')
      found = found.or(await finding.index.setOf(finding, view, { is: 'all of', plans: [...these, plan] }));
    sets.push(left === undefined ? found : found.and(left));
  }
  return sets;
}

/** The artifacts of a target rank by rank; those of a rank are among those of the next. */
async function ranksOf(finding: Finding, { view, sought, within }: RankedTarget): Promise<IdSet[]> {
  const all =
    within === undefined
      ? undefined
      : await finding.index.setOf(finding, view, await planOf(searchRunIn(finding, { view }), within));
  let ranks: IdSet[] | undefined;
  for (const conditions of sought) {
    const left = ranks?.at(-1) ?? all;
    if (left?.isEmpty) break;
    const sets = await setsIn(finding, view, conditions, left);
    ranks = ranks?.map((set, rank) => set.and(sets[rank] ?? new IdSet())) ?? sets;
  }
  return ranks ?? [];
}

/** A page of sets that stand one behind the other; inside a set the newest come first. */
function pageOf(sets: readonly IdSet[], { limit, offset }: Page): RankedId[] {
  const page: RankedId[] = [];
  let skipped = 0;
  for (const [rank, set] of sets.entries()) {
    const from = Math.max(0, offset - skipped);
    const ids = set.page({ limit: limit - page.length, offset: from, isDescending: true });
    page.push(...ids.map((id) => ({ id, rank })));
    skipped += set.size;
  }
  return page;
}

/** How many artifacts of each tracker have what is sought; exact, in the order of the targets. */
export function countRanked(
  readContext: ReadContext,
  targets: readonly RankedTarget[],
  options: SearchOptions,
): Promise<readonly number[]> {
  return search(readContext, options, async (finding) => {
    const sizes: number[] = [];
    for (const target of targets) sizes.push((await ranksOf(finding, target)).at(-1)?.size ?? 0);
    return sizes;
  });
}

/** A page of the artifacts of several trackers that the viewer may see, the best ranks first, and their exact number. */
export function findRanked(
  readContext: ReadContext,
  targets: readonly RankedTarget[],
  page: Page & SearchOptions,
): Promise<{ readonly found: readonly RankedId[]; readonly size: number }> {
  return search(readContext, page, async (finding) => {
    const together: IdSet[] = [];
    for (const target of targets)
      for (const [rank, set] of (await ranksOf(finding, target)).entries())
        together[rank] = together[rank]?.or(set) ?? set;
    const apart = together.map((set, rank) => set.minus(together[rank - 1] ?? new IdSet()));
    return { found: pageOf(apart, page), size: together.at(-1)?.size ?? 0 };
  });
}
