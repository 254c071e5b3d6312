import { type Expression, type SqlBool, sql } from '../../../storage/index.ts';
import type { TrackerView } from '../../../trackers/index.ts';
import { isVisible } from '../../visibility.ts';
import { type Leaf, type Plan, type Rows, rowsOf, type SearchScope } from '../predicates.ts';
import { idsIn, type SqlPiece } from '../sql.ts';
import { predicateOf } from './row-predicates.ts';

/*
 * What plans mean as queries for ids, where the database answers searches by itself. Rows of the index are put together as
 * sets: a database that joins them takes ways that are long when its guesses are wrong, as they are with many conditions, and
 * looking at a million artifacts themselves takes seconds.
 *
 * Several trackers whose plans have one shape are looked through at once: each function takes the plans of all of them.
 */

/** What of a tracker the viewer sees. */
export type VisibleShare = 'everything' | 'all but restricted' | 'some';

export function reachOf({ access }: TrackerView): VisibleShare {
  if (access.all) return 'everything';
  return access.full ? 'all but restricted' : 'some';
}

/** Where plans of one shape are looked for. */
export interface IndexSnapshot {
  readonly scopes: readonly SearchScope[];
  readonly reach: VisibleShare;
}

type FieldLeaf = Extract<Leaf, { fieldId: number }>;
export const isOfField = (plan: Plan): plan is FieldLeaf => 'fieldId' in plan;

type RowLeaf = Extract<Leaf, { is: 'fact' | 'by' }>;
const isOfRow = (plan: Plan): plan is RowLeaf => plan.is === 'fact' || plan.is === 'by';

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
function idsOfFields(leaves: readonly FieldLeaf[], rows: Rows): SqlPiece {
  if (leaves.length === 1) return idsIn(rows);
  const ofFields = oneOf(
    'field_id',
    leaves.map(({ fieldId }) => fieldId),
  );
  const isListed = leaves.some(({ is }) => is === 'listed');
  return idsIn({ ...rows, where: isListed ? [isChosen(leaves)] : [ofFields, ...rows.where.slice(1)] });
}

const artifactsWhere = (
  scopes: readonly SearchScope[],
  conditions: readonly Expression<SqlBool>[],
): SqlPiece => {
  const trackerIds = scopes.map(({ view }) => view.tracker.id);
  const where = [oneOf('artifact.tracker_id', trackerIds), ...conditions];
  return sql`select artifact.id from artifact where ${sql.join(where, sql` and `)}`;
};

/** True for what the viewer sees of trackers of which they see the same. */
const isSeen = ([scope]: readonly SearchScope[]) => (scope ? [isVisible(scope.view, scope.viewer)] : []);

/** Everything that the viewer sees in the trackers and that meets the conditions. */
const visibleIn = (scopes: readonly SearchScope[], ...conditions: readonly Expression<SqlBool>[]): SqlPiece =>
  artifactsWhere(scopes, [...isSeen(scopes), ...conditions]);

/** Of trackers that the viewer sees but for restricted artifacts, what they do not see. */
const hiddenIn = (scopes: readonly SearchScope[]): SqlPiece =>
  artifactsWhere(scopes, [
    sql<SqlBool>`artifact.is_restricted = 1`,
    ...isSeen(scopes).map((seen) => sql<SqlBool>`not ${seen}`),
  ]);

/** What is asked of artifacts themselves. The first is the tracker. */
const conditionsOf = (plan: RowLeaf, scope: SearchScope): readonly Expression<SqlBool>[] =>
  rowsOf(plan, scope).flatMap(({ where }) => where.slice(1));

const noIds = sql`select artifact.id from artifact where 1 = 0`;
const unionOf = (sets: readonly SqlPiece[]): SqlPiece =>
  sets.length === 0 ? noIds : sql`(${sql.join([...sets], sql` union `)})`;

/** Plans of one shape that are taken apart: for each part, that of all of them. */
const transposed = (plans: readonly (readonly Plan[])[]): Plan[][] =>
  (plans[0] ?? []).map((_, at) => plans.flatMap((parts) => parts[at] ?? []));

const innerOf = (plans: readonly Plan[]) => plans.flatMap((plan) => (plan.is === 'not' ? plan.plan : []));
const partsOf = (plans: readonly Plan[]) =>
  transposed(plans.map((plan) => ('plans' in plan ? plan.plans : [plan])));

/** Whether a plan means artifacts of its tracker alone. */
function isBound(plan: Plan): boolean {
  if (plan.is === 'any of') return plan.plans.every(isBound);
  return (
    isOfField(plan) || isOfRow(plan) || ['all of', 'not', 'anything', 'nothing', 'these'].includes(plan.is)
  );
}

/** Whether a plan names something particular, of which there is little in most cases: its artifacts are looked up one by one. */
const isParticular = (plan: Plan): boolean =>
  plan.is === 'commented' ||
  plan.is === 'referenced' ||
  (plan.is === 'linked' && (plan.end.is === 'artifact' || plan.end.is === 'id in'));

/** Whether the query for a plan tells no artifact twice. */
function tellsOnce(plan: Plan, scope: SearchScope): boolean {
  if (plan.is === 'any of') return plan.plans.length !== 1;
  if (plan.is === 'listed') return plan.entries.length === 1;
  if (plan.is === 'filled') return rowsOf(plan, scope).every(({ from }) => from !== 'artifact_value');
  return isBound(plan);
}

/** The ids of what plans mean. */
function idsOf(plans: readonly Plan[], snapshot: IndexSnapshot): SqlPiece {
  const [plan] = plans;
  const [scope] = snapshot.scopes;
  if (plan === undefined || scope === undefined || plan.is === 'nothing') return noIds;
  if ('plans' in plan)
    return plan.is === 'all of'
      ? idsOfWhole(plans, snapshot)
      : unionOf(partsOf(plans).map((part) => idsOf(part, snapshot)));
  if (plan.is === 'not' || plan.is === 'anything' || isOfRow(plan)) return idsOfWhole(plans, snapshot);
  if (plan.is === 'these') return visibleIn(snapshot.scopes, predicateOf(plan, scope));
  const rows = rowsOf(plan, scope);
  const [first] = rows;
  if (isOfField(plan) && first !== undefined) return idsOfFields(plans.filter(isOfField), first);
  return unionOf(rows.map(idsIn));
}

/** What must be in all sets, what must be in none, and what is asked of the artifacts themselves. */
interface Sorted {
  readonly wanted: (readonly Plan[])[];
  readonly unwanted: (readonly Plan[])[];
  readonly conditions: Expression<SqlBool>[];
}

function sorted(plans: readonly Plan[], scope: SearchScope): Sorted {
  const result: Sorted = { wanted: [], unwanted: [], conditions: [] };
  for (const parts of plans[0]?.is === 'all of' ? partsOf(plans) : [plans]) {
    const [part] = parts;
    if (part === undefined || part.is === 'anything') continue;
    if (isOfRow(part)) result.conditions.push(...conditionsOf(part, scope));
    else if (isParticular(part)) result.conditions.push(predicateOf(part, scope));
    else if (part.is === 'not') result.unwanted.push(innerOf(parts));
    else result.wanted.push(parts);
  }
  return result;
}

const isBoundTogether = (parts: readonly Plan[]) => parts[0] !== undefined && isBound(parts[0]);

/** Where the sets come from: nothing, where what is wanted is of the trackers already and the viewer sees it. */
function baseOf({ wanted, conditions }: Sorted, { scopes, reach }: IndexSnapshot): SqlPiece[] {
  if (conditions.length > 0 || reach === 'some') return [visibleIn(scopes, ...conditions)];
  return wanted.some(isBoundTogether) ? [] : [artifactsWhere(scopes, [])];
}

/** The ids of all that is visible and meets every part, each once. */
export function idsOfWhole(plans: readonly Plan[], snapshot: IndexSnapshot): SqlPiece {
  const [scope] = snapshot.scopes;
  if (scope === undefined) return noIds;
  const parts = sorted(plans, scope);
  const sets = [...baseOf(parts, snapshot), ...parts.wanted.map((part) => idsOf(part, snapshot))];
  const less = parts.unwanted.map((part) => idsOf(part, snapshot));
  if (snapshot.reach === 'all but restricted' && parts.conditions.length === 0)
    less.push(hiddenIn(snapshot.scopes));
  const whole = [sql.join(sets, sql` intersect `), ...less.map((set) => sql`except ${set}`)];
  const query = sql.join(whole, sql` `);
  // Sets that are put together have nothing twice.
  const isOnce = whole.length > 1 || sets.length > 1 || parts.wanted.every((part) => areOnce(part, scope));
  return isOnce ? sql`(${query})` : sql`(select distinct id from (${query}) as told)`;
}

const areOnce = (plans: readonly Plan[], scope: SearchScope) =>
  plans.length === 1 && plans.every((plan) => tellsOnce(plan, scope));

/** Whether the rows of one leaf are all there is to it: they are counted and paged as they lie in the index. */
export function isPlain(plan: Plan, scope: SearchScope): boolean {
  if (plan.is === 'all of' && plan.plans.length === 1)
    return plan.plans.every((part) => isPlain(part, scope));
  return plan.is === 'anything' || (isOfField(plan) && tellsOnce(plan, scope));
}
