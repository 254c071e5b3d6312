import { type Expression, type SqlBool, sql } from '../../storage/index.ts';
import { type Finding, lookingIn, type Target } from '../finding.ts';
import { type Leaf, type Plan, rowsOf, type Scope } from '../leaves.ts';
import { planOf } from '../planning.ts';
import { predicateOf } from '../predicates.ts';
import { idsIn, type Query } from '../queries.ts';
import { isVisible } from '../visibility.ts';

/*
 * Copies of a tracker differ in the ids of their fields and values only. A database that is asked about hundreds of
 * them one by one plans much longer than it looks, so those that are alike are asked about together.
 */

/** What is looked for in one tracker. */
interface Planned {
  readonly plan: Plan;
  readonly scope: Scope;
}

/** Trackers that are looked through at once. */
export interface Alike {
  /** True, in a query over `artifact`, for what is found in them. */
  readonly where: Query;
}

type FieldLeaf = Extract<Leaf, { fieldId: number }>;
const isOfField = (plan: Plan): plan is FieldLeaf => 'fieldId' in plan;

/** What a plan says but for its field and the values that it looks for in it. */
function shapeOf(plan: Plan, scope: Scope): unknown {
  if (plan.is === 'not') return [plan.is, shapeOf(plan.plan, scope)];
  if (plan.is === 'all of' || plan.is === 'any of')
    return [plan.is, ...plan.plans.map((part) => shapeOf(part, scope))];
  if (!isOfField(plan)) return plan;
  const tables = plan.is === 'filled' ? rowsOf(plan, scope).map(({ from }) => from) : [];
  return { ...plan, fieldId: 0, ...(plan.is === 'listed' ? { entries: [] } : {}), tables };
}

/** Trackers in which everybody of the same groups sees the same are told apart by nothing else. */
function sightIn({ view: { access, groups, tracker } }: Scope): string {
  if (access.all) return 'all';
  return access.full ? `full ${groups.join(' ')}` : `tracker ${tracker.id}`;
}

const likeness = ({ plan, scope }: Planned): string =>
  // Infinite numbers have no JSON.
  JSON.stringify([sightIn(scope), shapeOf(plan, scope)], (_, value) =>
    typeof value === 'number' ? String(value) : value,
  );

const oneOf = (column: string, ids: readonly number[]) =>
  sql<SqlBool>`${sql.raw(column)} in (${sql.join(ids.map((id) => sql.lit(id)))})`;

/** The rows of a field are those of its tracker: what they are looked up by is the first that is asked of them. */
function predicateOfFields(leaves: readonly FieldLeaf[], [first]: readonly Planned[]): Expression<SqlBool> {
  const [leaf] = leaves;
  if (leaf === undefined || first === undefined) return sql<SqlBool>`1 = 0`;
  const [rows] = rowsOf(leaf, first.scope);
  if (rows === undefined) return sql<SqlBool>`1 = 0`;
  const where =
    leaf.is === 'listed'
      ? [isChosen(leaves)]
      : [
          oneOf(
            'field_id',
            leaves.map(({ fieldId }) => fieldId),
          ),
          ...rows.where.slice(1),
        ];
  return sql<SqlBool>`artifact.id in (${idsIn({ ...rows, where })})`;
}

/** True for rows of lists that hold one of the values that are looked for in their field. */
function isChosen(leaves: readonly FieldLeaf[]): Expression<SqlBool> {
  const pairs = leaves.flatMap((leaf) =>
    leaf.is === 'listed' ? leaf.entries.map((entry) => [leaf.fieldId, entry] as const) : [],
  );
  const fields = pairs.map(([fieldId]) => fieldId);
  const entries = pairs.map(([, entry]) => entry);
  return sql<SqlBool>`(field_id, value) in (select * from unnest(${fields}::bigint[], ${entries}::bigint[]))`;
}

/** The predicate of plans of one shape. */
function predicateOfAll(alike: readonly Planned[]): Expression<SqlBool> {
  const [first] = alike;
  if (first === undefined) return sql<SqlBool>`1 = 0`;
  const { plan, scope } = first;
  const within = (inner: (plan: Plan) => Plan | undefined) =>
    predicateOfAll(alike.map((one) => ({ scope: one.scope, plan: inner(one.plan) ?? { is: 'nothing' } })));
  switch (plan.is) {
    case 'not':
      return sql<SqlBool>`not ${within((one) => (one.is === 'not' ? one.plan : undefined))}`;
    case 'all of':
    case 'any of': {
      const parts = plan.plans.map((_, at) => within((one) => ('plans' in one ? one.plans[at] : undefined)));
      const word = plan.is === 'all of' ? sql` and ` : sql` or `;
      return parts.length === 0 ? predicateOf(plan, scope) : sql<SqlBool>`(${sql.join(parts, word)})`;
    }
    case 'fact':
    case 'by':
    case 'restricted':
    case 'in tracker': {
      // The first that is asked of the rows is the tracker.
      const where = rowsOf(plan, scope).flatMap((rows) => rows.where.slice(1));
      return where.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(where, sql` and `)})`;
    }
    default: {
      const leaves = alike.map((one) => one.plan).filter(isOfField);
      return leaves.length === 0 ? predicateOf(plan, scope) : predicateOfFields(leaves, alike);
    }
  }
}

function togetherOf(alike: readonly Planned[]): Alike {
  const trackerIds = alike.map(({ scope }) => scope.view.tracker.id);
  const [first] = alike;
  const visible = first && isVisible(first.scope.view, first.scope.viewer);
  const where = sql`${oneOf('artifact.tracker_id', trackerIds)} and ${visible ?? sql`1 = 0`} and ${predicateOfAll(alike)}`;
  return { where };
}

/** All targets, those together that are alike. */
export async function alikeAmong(finding: Finding, targets: readonly Target[]): Promise<Alike[]> {
  const groups = new Map<string, Planned[]>();
  for (const target of targets) {
    finding.clock.check();
    const looking = lookingIn(finding, target);
    const planned = { plan: await planOf(looking, target.condition), scope: looking.scope };
    const key = likeness(planned);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(planned);
  }
  return [...groups.values()].map(togetherOf);
}
