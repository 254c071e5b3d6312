import { invalid } from '../../kernel/errors.ts';
import { isObject, scalarText } from '../../kernel/values.ts';
import {
  anyOf,
  type Condition,
  type Criterion,
  criterionOperators,
  type Field,
  type FurtherOperator,
  furtherOperators,
  noneValue,
  not,
  plainId,
  type ReportCriterion,
  refuseOtherThanSelf,
  type SearchContext,
  type TrackerView,
  whoAsks,
} from '../../trackers/index.ts';
import { fieldFor } from '../field-names.ts';
import { commentCondition, comments } from '../tql/index.ts';
import { allTogether, conditionFor, criterionIn, membersIn, refuseUnknownMembers } from './criteria.ts';

/*
 * Criteria of reports and of tables. They ask for more than those of the compatible list of artifacts: a list can be asked for
 * artifacts without a value (100), comments for words, and every field for what must not be, for nothing and for anything.
 */

const isFurther = (input: unknown): input is FurtherOperator =>
  furtherOperators.some((operator) => operator === input);

/** A member of the criteria in its full form. */
export function reportCriterionIn(key: string, input: unknown): ReportCriterion {
  const operator = isObject(input) ? input['operator'] : undefined;
  if (!isObject(input) || !isFurther(operator)) return criterionIn(key, input, operatorsOfReports);
  if (operator !== 'not') return { operator, value: null };
  const { value } = criterionIn(key, { ...input, operator: 'contains' });
  return { operator, value };
}

const operatorsOfReports = [...criterionOperators, ...furtherOperators];

const isNone = (item: unknown) => plainId(item) === noneValue;

/** The accounts that are meant, where values are people. */
function withViewer(field: Field, value: unknown, { viewer }: SearchContext): unknown {
  const type = field.type.row?.type(field);
  if (type !== 'user' && type !== 'list_user') return value;
  const named = (item: unknown) => (item === whoAsks ? refuseOtherThanSelf(viewer, field) : item);
  return Array.isArray(value) ? value.map(named) : named(value);
}

/** As in the compatible list, but None counts: artifacts without a value are found beside those with another chosen one. */
async function positiveCondition(
  key: string,
  field: Field,
  { operator, value }: Criterion,
  context: SearchContext,
): Promise<Condition | undefined> {
  const meant = withViewer(field, value, context);
  const condition = await conditionFor(key, field, { operator, value: meant }, context);
  const asksForNone = field.bind !== null && [meant].flat().some(isNone);
  if (!asksForNone) return condition;
  const isEmpty = not({ is: 'filled', fieldId: field.id });
  return condition === undefined ? isEmpty : anyOf([condition, isEmpty]);
}

function filledCondition(key: string, { id: fieldId, type: { search } }: Field): Condition | undefined {
  if (search === undefined) return undefined;
  if (search.filled === null) throw invalid(`The field ${key} cannot be searched by whether it is empty.`);
  return search.filled ?? { is: 'filled', fieldId };
}

/** The condition that a criterion makes; undefined when it makes none. */
export async function reportCriterionCondition(
  key: string,
  field: Field,
  { operator, value }: ReportCriterion,
  context: SearchContext,
): Promise<Condition | undefined> {
  if (operator === 'filled') return filledCondition(key, field);
  if (!isFurther(operator)) return positiveCondition(key, field, { operator, value }, context);
  const unwanted =
    operator === 'empty'
      ? filledCondition(key, field)
      : await positiveCondition(key, field, { operator: 'contains', value }, context);
  return unwanted && not(unwanted);
}

/** What a member of the criteria asks of comments: words, or whether there are any. */
export function commentCriterionIn(input: unknown): ReportCriterion {
  const asks = reportCriterionIn(comments.name, input);
  if (asks.operator !== 'contains' && !isFurther(asks.operator))
    throw invalid(
      `Invalid operator for ${comments.name}. There are: contains, ${furtherOperators.join(', ')}.`,
    );
  if (asks.value !== null && typeof asks.value !== 'string')
    throw invalid(`${comments.name} is searched by a text.`);
  return asks;
}

export function commentCriterionCondition({ operator, value }: ReportCriterion): Condition {
  const isNegated = operator === 'not' || operator === 'filled';
  const text = scalarText(value) ?? '';
  return commentCondition({ operator: isNegated ? '!=' : '=', values: [{ is: 'text', text }] });
}

/**
 * What criteria of a request mean to somebody. All of them must hold; those on fields that they may not read make no condition.
 * `isWhole`: every one of them must make one.
 */
export async function readReportCriteria(
  view: TrackerView,
  input: unknown,
  context: SearchContext,
  isWhole: boolean,
): Promise<Condition> {
  const members = membersIn(input).map(([key, value]) => ({ key, value, field: fieldFor(view, key) }));
  const isKnown = ({ key, field }: (typeof members)[number]) => key === comments.name || field !== undefined;
  refuseUnknownMembers(members.filter((member) => !isKnown(member)).map(({ key }) => key));
  const conditions: Condition[] = [];
  for (const { key, value, field } of members) {
    const condition = await memberCondition(key, field, value, { view, context });
    if (condition !== undefined) conditions.push(condition);
    else if (isWhole) throw invalid(`The criterion for field ${key} asks for nothing.`);
  }
  return allTogether(conditions);
}

async function memberCondition(
  key: string,
  field: Field | undefined,
  input: unknown,
  { view, context }: { readonly view: TrackerView; readonly context: SearchContext },
): Promise<Condition | undefined> {
  if (field === undefined) {
    const asks = commentCriterionIn(input);
    return asks.operator === 'contains' && asks.value === '' ? undefined : commentCriterionCondition(asks);
  }
  if (!view.canRead(field)) return undefined;
  return reportCriterionCondition(key, field, reportCriterionIn(key, input), context);
}
