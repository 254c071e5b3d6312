import { type Expression, type SqlBool, sql } from '../../storage/index.ts';
import { type Finding, lookingIn, type Target } from '../finding.ts';
import { type Leaf, type Plan, type Rows, rowsOf, type Scope } from '../leaves.ts';
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

/** A query for the ids of all that is found in trackers that are looked through at once. */
export type Alike = Query;

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

/** What it hangs on which artifacts of a tracker the viewer sees; whom they are assigned to, each tracker tells by itself. */
function sightIn({ view: { access, groups, tracker } }: Scope): unknown {
  if (access.all) return 'all';
  if (access.full) return groups;
  return access.assigneeGroups.length > 0 ? tracker.id : [tracker.project.id, groups, access];
}

const likeness = ({ plan, scope }: Planned): string =>
  // Infinite numbers have no JSON.
  JSON.stringify([sightIn(scope), shapeOf(plan, scope)], (_, value) =>
    typeof value === 'number' ? String(value) : value,
  );

const oneOf = (column: string, ids: readonly number[]) =>
  sql<SqlBool>`${sql.raw(column)} in (${sql.join(ids.map((id) => sql.lit(id)))})`;

/** True for rows of lists that hold one of the values that are looked for in their field. */
function isChosen(leaves: readonly FieldLeaf[]): Expression<SqlBool> {
  const pairs = leaves.flatMap((leaf) =>
    leaf.is === 'listed' ? leaf.entries.map((entry) => [leaf.fieldId, entry] as const) : [],
  );
  const fields = pairs.map(([fieldId]) => fieldId);
  const entries = pairs.map(([, entry]) => entry);
  return sql<SqlBool>`(field_id, value) in (select * from unnest(${fields}::bigint[], ${entries}::bigint[]))`;
}

/** Ids by rows of fields. What rows are looked up by, the field, is the first that is asked of them. */
function idsOfFields(leaves: readonly FieldLeaf[], rows: Rows): Query {
  const ofFields = oneOf(
    'field_id',
    leaves.map(({ fieldId }) => fieldId),
  );
  const isListed = leaves.some(({ is }) => is === 'listed');
  return idsIn({ ...rows, where: isListed ? [isChosen(leaves)] : [ofFields, ...rows.where.slice(1)] });
}

type RowLeaf = Extract<Leaf, { is: 'fact' | 'by' }>;
const isOfRow = (plan: Plan): plan is RowLeaf => plan.is === 'fact' || plan.is === 'by';

/** What is asked of artifacts themselves. The first is the tracker. */
const conditionsOf = (plan: RowLeaf, scope: Scope): readonly Expression<SqlBool>[] =>
  rowsOf(plan, scope).flatMap(({ where }) => where.slice(1));

/** Everything that the viewer sees in the trackers and that meets the conditions. */
function visibleIn(scopes: readonly Scope[], ...conditions: readonly Expression<SqlBool>[]): Query {
  const trackerIds = scopes.map(({ view }) => view.tracker.id);
  const visible = scopes.slice(0, 1).map(({ view, viewer }) => isVisible(view, viewer));
  const where = [oneOf('artifact.tracker_id', trackerIds), ...visible, ...conditions];
  return sql`select artifact.id from artifact where ${sql.join(where, sql` and `)}`;
}

const noIds = sql`select artifact.id from artifact where 1 = 0`;
const unionOf = (sets: readonly Query[]): Query =>
  sets.length === 0 ? noIds : sql`(${sql.join([...sets], sql` union `)})`;

/** Plans of one shape that are taken apart: for each part, that of all of them. */
const transposed = (plans: readonly (readonly Plan[])[]): Plan[][] =>
  (plans[0] ?? []).map((_, at) => plans.flatMap((parts) => parts[at] ?? []));

const innerOf = (plans: readonly Plan[]) => plans.flatMap((plan) => (plan.is === 'not' ? plan.plan : []));
const partsOf = (plans: readonly Plan[]) =>
  transposed(plans.map((plan) => ('plans' in plan ? plan.plans : [plan])));

/**
 * The ids of what plans of one shape mean. They are put together as sets: a database that joins instead takes ways that
 * are long when its guesses are wrong, as they are with many conditions.
 */
function idsOf(plans: readonly Plan[], scopes: readonly Scope[]): Query {
  const [plan] = plans;
  const [scope] = scopes;
  if (plan === undefined || scope === undefined || plan.is === 'nothing') return noIds;
  if ('plans' in plan)
    return plan.is === 'all of'
      ? idsOfWhole(plans, scopes, scope)
      : unionOf(partsOf(plans).map((part) => idsOf(part, scopes)));
  if (plan.is === 'not' || plan.is === 'anything' || isOfRow(plan)) return idsOfWhole(plans, scopes, scope);
  if (plan.is === 'these') return visibleIn(scopes, predicateOf(plan, scope));
  const rows = rowsOf(plan, scope);
  const [first] = rows;
  if (isOfField(plan) && first !== undefined) return idsOfFields(plans.filter(isOfField), first);
  return unionOf(rows.map(idsIn));
}

/** The ids of all that is visible and meets every part. */
function idsOfWhole(plans: readonly Plan[], scopes: readonly Scope[], scope: Scope): Query {
  const conditions: Expression<SqlBool>[] = [];
  const wanted: Query[] = [];
  const unwanted: Query[] = [];
  for (const parts of plans[0]?.is === 'all of' ? partsOf(plans) : [plans]) {
    const [part] = parts;
    if (part === undefined || part.is === 'anything') continue;
    if (isOfRow(part)) conditions.push(...conditionsOf(part, scope));
    else if (part.is === 'not') unwanted.push(sql`except ${idsOf(innerOf(parts), scopes)}`);
    else wanted.push(sql`intersect ${idsOf(parts, scopes)}`);
  }
  return sql`(${sql.join([visibleIn(scopes, ...conditions), ...wanted, ...unwanted], sql` `)})`;
}

/** A plan that is no whole is one by itself: nothing is found but what is visible. */
const wholeOf = ({ plan }: Planned): Plan => (plan.is === 'all of' ? plan : { is: 'all of', plans: [plan] });

function togetherOf(alike: readonly Planned[]): Alike {
  const [only, ...others] = alike;
  // What is like nothing else is asked about like a tracker by itself.
  if (only !== undefined && others.length === 0)
    return visibleIn([only.scope], predicateOf(only.plan, only.scope));
  return idsOf(
    alike.map(wholeOf),
    alike.map(({ scope }) => scope),
  );
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
