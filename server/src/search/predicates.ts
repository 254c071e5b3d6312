import { type Expression, type SqlBool, sql } from '../storage/index.ts';
import { type Leaf, type Plan, rowsOf, type Scope } from './leaves.ts';
import { idsIn } from './queries.ts';

/** True, in a query over `artifact`, for the artifacts that a plan means. */
export function predicateOf(plan: Plan, scope: Scope): Expression<SqlBool> {
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

type Listed = Extract<Leaf, { is: 'listed' }>;

/** Whether a plan asks for more of an artifact than its id. */
function asksArtifact(plan: Plan): boolean {
  switch (plan.is) {
    case 'not':
      return asksArtifact(plan.plan);
    case 'all of':
    case 'any of':
      return plan.plans.some(asksArtifact);
    default:
      return plan.is === 'fact' || plan.is === 'by' || plan.is === 'restricted' || plan.is === 'in tracker';
  }
}

/**
 * A value of a list that everything found has, and what else is asked. Its rows tell each artifact once, and of its own
 * tracker alone: those who see all of the tracker need not look at the artifacts themselves. Undefined where that is not so.
 */
export function drivenBy(plan: Plan): { readonly value: Listed; readonly rest: readonly Plan[] } | undefined {
  const parts = plan.is === 'all of' ? plan.plans : [plan];
  const value = parts.find((part): part is Listed => part.is === 'listed' && part.entries.length === 1);
  const rest = parts.filter((part) => part !== value);
  return value === undefined || rest.some(asksArtifact) ? undefined : { value, rest };
}

const joined = (plans: readonly Plan[], scope: Scope, word: string, none: string): Expression<SqlBool> =>
  plans.length === 0
    ? sql<SqlBool>`${sql.raw(none)}`
    : sql<SqlBool>`(${sql.join(
        plans.map((plan) => predicateOf(plan, scope)),
        sql.raw(word),
      )})`;
