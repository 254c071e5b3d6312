import { invalid } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/values.ts';
import {
  allOf,
  type Condition,
  type Criterion,
  type CriterionOperator,
  criterionOperators,
  type Field,
  type SearchContext,
  type TrackerView,
} from '../../trackers/index.ts';
import { fieldFor } from '../field-names.ts';

const isMissing = (value: unknown) => value === undefined || value === null;
const isOperator = (input: unknown): input is CriterionOperator =>
  criterionOperators.some((operator) => operator === input);

/** Some clients ask for `{"assigned_to": {"id": 102}}`: such an object is the list of its values, as for the reference. */
const asValue = (input: unknown): unknown => (isObject(input) ? Object.values(input) : input);

/** A member of the criteria in its full form; a value alone is contained. */
export function criterionIn(
  key: string,
  input: unknown,
  offered: readonly string[] = criterionOperators,
): Criterion {
  const isFull = isObject(input) && (Object.hasOwn(input, 'operator') || Object.hasOwn(input, 'value'));
  const { operator, value } = isFull ? input : { operator: 'contains', value: asValue(input) };
  if (isMissing(operator) || isMissing(value))
    throw invalid(`Criterion for field ${key} is malformed: it needs an operator and a value.`);
  if (!isOperator(operator))
    throw invalid(`Invalid operator for field ${key}. There are: ${offered.join(', ')}.`);
  return { operator, value };
}

/** The condition that a member of the criteria makes; undefined when it makes none. */
export async function conditionFor(
  key: string,
  field: Field,
  input: unknown,
  context: SearchContext,
): Promise<Condition | undefined> {
  const criterion = criterionIn(key, input);
  const { search } = field.type;
  if (search === undefined) return undefined;
  if (!search.operators.includes(criterion.operator))
    throw invalid(
      `The field ${key} cannot be searched by the operator ${criterion.operator}, but by: ${search.operators.join(', ')}.`,
    );
  return search.criterion(field, criterion, context);
}

/** More are no search that anybody wrote. */
const mostCriteria = 200;
const mostNamed = 20;

export function refuseUnknownMembers(keys: readonly string[]): void {
  if (keys.length === 0) return;
  const named = keys.slice(0, mostNamed).map((key) => key.slice(0, 255));
  throw invalid(`Following fields do not exist: ${named.join(', ')}${keys.length > mostNamed ? ', …' : ''}`);
}

/** Words and values of all criteria together: a database plans some more of them for seconds. */
const mostConditions = 300;

function countIn(condition: Condition): number {
  if (condition.is === 'not') return countIn(condition.condition);
  if (condition.is !== 'all of' && condition.is !== 'any of') return 1;
  return condition.conditions.reduce((count, part) => count + countIn(part), 0);
}

/** The condition of criteria that must all hold; refuses more of them than can be looked for in good time. */
export function allTogether(conditions: readonly Condition[]): Condition {
  const whole = allOf(conditions);
  if (countIn(whole) > mostConditions)
    throw invalid(`The criteria can have at most ${mostConditions} words and values together.`);
  return whole;
}

/** The members of criteria; none where there are none. */
export function membersIn(input: unknown): [string, unknown][] {
  if (isMissing(input) || (Array.isArray(input) && input.length === 0)) return [];
  if (!isObject(input)) throw invalid('The criteria must be a JSON object.');
  const members = Object.entries(input);
  if (members.length > mostCriteria) throw invalid(`There can be at most ${mostCriteria} criteria.`);
  return members;
}

/** What criteria mean to somebody. All of them must hold; those on fields that they may not read make no condition. */
export async function readCriteria(
  view: TrackerView,
  input: unknown,
  context: SearchContext,
  isWhole = false,
): Promise<Condition> {
  const members = membersIn(input).map(([key, value]) => ({ key, value, field: fieldFor(view, key) }));
  refuseUnknownMembers(members.filter(({ field }) => field === undefined).map(({ key }) => key));
  const conditions: Condition[] = [];
  for (const { key, value, field } of members) {
    const isAsked = field !== undefined && view.canRead(field);
    const condition = isAsked ? await conditionFor(key, field, value, context) : undefined;
    if (condition !== undefined) conditions.push(condition);
    else if (isWhole) throw invalid(`The criterion for field ${key} asks for nothing.`);
  }
  return allTogether(conditions);
}

/** Below the criteria lie their members, operators and values, and the items of those. */
const deepest = 4;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeep(item, levels - 1));
}

/** Refuses what is no criteria before it is handed to another thread. */
export function requireShallow(criteria: unknown): void {
  if (isDeep(criteria, deepest)) throw invalid('The criteria are nested too deeply.');
}

/** Criteria written as JSON; where that is broken, one level of backslashes may be too much. */
export function parseCriteria(text: string): unknown {
  for (const attempt of [text, withoutBackslashes(text)]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next attempt, or the words below.
    }
  }
  throw invalid('Invalid JSON criteria in `query`.');
}

export const withoutBackslashes = (text: string) => text.replaceAll(/\\(.)/gs, '$1');
