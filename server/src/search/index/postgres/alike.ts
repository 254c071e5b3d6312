import { planOf } from '../plan.ts';
import { type Ends, type Plan, rowsOf, type SearchScope } from '../predicates.ts';
import { type Finding, searchRunIn, type Target } from '../search-index.ts';
import type { SqlPiece } from '../sql.ts';
import { idsOfWhole, isOfField, reachOf } from './id-queries.ts';

/*
 * Copies of a tracker differ in the ids of their fields and values only. A database that is asked about hundreds of
 * them one by one plans much longer than it looks, so those that are alike are asked about together.
 */

/** What is looked for in one tracker. */
interface Planned {
  readonly plan: Plan;
  readonly scope: SearchScope;
}

/** A query for the ids of all that is found in trackers that are looked through at once. */
export type Alike = SqlPiece;

const idsOfViews = ({ views, isRestricted }: NonNullable<Ends['seen']>) => [
  isRestricted,
  ...views.map(({ tracker }) => tracker.id),
];

/** What a plan says but for its field and the values that it looks for in it. */
function shapeOf(plan: Plan, scope: SearchScope): unknown {
  if (plan.is === 'not') return [plan.is, shapeOf(plan.plan, scope)];
  if (plan.is === 'all of' || plan.is === 'any of')
    return [plan.is, ...plan.plans.map((part) => shapeOf(part, scope))];
  // To one viewer, the views of a tracker are the same.
  if (plan.is === 'linked') return { ...plan, seen: plan.seen && idsOfViews(plan.seen) };
  if (!isOfField(plan)) return plan;
  const tables = plan.is === 'filled' ? rowsOf(plan, scope).map(({ from }) => from) : [];
  return { ...plan, fieldId: 0, ...(plan.is === 'listed' ? { entries: [] } : {}), tables };
}

/** What it hangs on which artifacts of a tracker the viewer sees; whom they are assigned to, each tracker tells by itself. */
function visibilityKey({ view: { access, groups, tracker } }: SearchScope): unknown {
  if (access.all) return 'all';
  if (access.full) return groups;
  return access.assigneeGroups.length > 0 ? tracker.id : [tracker.project.id, groups, access];
}

const likeness = ({ plan, scope }: Planned): string =>
  // Infinite numbers have no JSON.
  JSON.stringify([visibilityKey(scope), shapeOf(plan, scope)], (_, value) =>
    typeof value === 'number' ? String(value) : value,
  );

function togetherOf(alike: readonly Planned[]): Alike {
  const scopes = alike.map(({ scope }) => scope);
  // They are alike in what the viewer sees of them, too.
  const [reach = 'some'] = scopes.map(({ view }) => reachOf(view));
  return idsOfWhole(
    alike.map(({ plan }) => plan),
    { scopes, reach },
  );
}

/** All targets, those together that are alike. */
export async function alikeAmong(finding: Finding, targets: readonly Target[]): Promise<Alike[]> {
  const groups = new Map<string, Planned[]>();
  for (const target of targets) {
    finding.clock.check();
    const searchRun = searchRunIn(finding, target);
    const planned = { plan: await planOf(searchRun, target.condition), scope: searchRun.scope };
    const key = likeness(planned);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(planned);
  }
  return [...groups.values()].map(togetherOf);
}
