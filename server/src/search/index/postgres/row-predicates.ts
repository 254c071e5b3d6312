import { type Expression, type SqlBool, sql } from '../../../storage/index.ts';
import { type Plan, rowsOf, type SearchScope } from '../predicates.ts';
import { idsIn } from '../sql.ts';

/** True, in a query over `artifact`, for the artifacts that a plan means. */
export function predicateOf(plan: Plan, scope: SearchScope): Expression<SqlBool> {
  switch (plan.is) {
    case 'anything':
      return sql<SqlBool>`1 = 1`;
    case 'nothing':
      return sql<SqlBool>`1 = 0`;
    case 'not':
      return sql<SqlBool>`not ${predicateOf(plan.plan, scope)}`;
    case 'all of':
      return joined(plan.plans, scope, ' and ', '1 = 1');
    case 'any of':
      return joined(plan.plans, scope, ' or ', '1 = 0');
    case 'these':
      return sql<SqlBool>`artifact.id = any(${plan.ids}::bigint[])`;
    case 'fact':
    case 'by':
    case 'restricted':
    case 'in tracker':
      return sql<SqlBool>`(${sql.join(
        rowsOf(plan, scope).flatMap(({ where }) => where),
        sql` and `,
      )})`;
    default:
      return sql<SqlBool>`(${sql.join(
        rowsOf(plan, scope).map((rows) => sql`artifact.id in (${idsIn(rows)})`),
        sql` or `,
      )})`;
  }
}

const joined = (
  plans: readonly Plan[],
  scope: SearchScope,
  word: string,
  none: string,
): Expression<SqlBool> =>
  plans.length === 0
    ? sql<SqlBool>`${sql.raw(none)}`
    : sql<SqlBool>`(${sql.join(
        plans.map((plan) => predicateOf(plan, scope)),
        sql.raw(word),
      )})`;
