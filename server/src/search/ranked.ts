import type { Page } from '../kernel/paging.ts';
import type { Condition, TrackerView } from '../trackers/index.ts';
import { findSet } from './evaluation.ts';
import { type Finding, lookingIn, type Manner, search } from './finding.ts';
import { IdSet } from './id-set.ts';
import type { Plan } from './leaves.ts';
import { planOf, visiblePlan } from './planning.ts';
import { predicateOf } from './predicates.ts';
import { isVisible, type Sight } from './visibility.ts';

/** What is looked for in one tracker: a condition for each rank, the best first. Each means all that those before it mean. */
export interface RankedTarget {
  readonly view: TrackerView;
  readonly ranks: readonly Condition[];
}

export interface RankedId {
  readonly id: number;
  /** 0 for the best. */
  readonly rank: number;
}

/** With so few artifacts left, they are told to the next search. */
const fewLeft = 5000;

async function setOf(finding: Finding, view: TrackerView, plan: Plan): Promise<IdSet> {
  const looking = lookingIn(finding, { view });
  const { reader, viewer } = finding.sight;
  if (reader.foldsPostings) return findSet(looking, [await visiblePlan(looking), plan]);
  const query = reader.sql
    .selectFrom('artifact')
    .select('artifact.id')
    .where('artifact.tracker_id', '=', view.tracker.id)
    .where(isVisible(view, viewer))
    .where(predicateOf(plan, looking.scope));
  return IdSet.of((await reader.all(query)).map(({ id }) => id));
}

/** The artifacts of a target rank by rank. The last rank, which means all of them, is looked for first: mostly it is none. */
async function setsOf(finding: Finding, { view, ranks }: RankedTarget): Promise<IdSet[]> {
  const sets: IdSet[] = [];
  let left: IdSet | undefined;
  for (const condition of [...ranks].reverse()) {
    const sought = await planOf(lookingIn(finding, { view }), condition);
    const isFew = left !== undefined && left.size <= fewLeft;
    const these: Plan[] = isFew && left !== undefined ? [{ is: 'these', ids: left.all() }] : [];
    const found: IdSet = left?.isEmpty
      ? left
      : await setOf(finding, view, { is: 'all of', plans: [...these, sought] });
    sets.unshift(found);
    left = found;
  }
  return sets;
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

/** A page of the artifacts of several trackers that the viewer may see, the best ranks first, and their exact number. */
export function findRanked(
  sight: Sight,
  targets: readonly RankedTarget[],
  page: Page & Manner,
): Promise<{ readonly found: readonly RankedId[]; readonly size: number }> {
  return search(sight, page, async (finding) => {
    const together: IdSet[] = [];
    for (const target of targets)
      for (const [rank, set] of (await setsOf(finding, target)).entries())
        together[rank] = together[rank]?.or(set) ?? set;
    const apart = together.map((set, rank) => set.minus(together[rank - 1] ?? new IdSet()));
    return { found: pageOf(apart, page), size: together.at(-1)?.size ?? 0 };
  });
}
