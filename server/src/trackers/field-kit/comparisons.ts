import { invalid, type Refusal } from '../../kernel/errors.ts';
import type { Field } from '../model.ts';
import {
  type ComparedFunction,
  type ComparedValue,
  type Comparison,
  type Condition,
  not,
  type Operator,
} from '../query/index.ts';

/** A function of queries, as they write it. */
export function functionNamed(value: ComparedFunction): string {
  switch (value.is) {
    case 'now':
      return 'NOW()';
    case 'myself':
      return 'MYSELF()';
    case 'open':
      return 'OPEN()';
  }
}

/** What messages call a value. */
function wordsFor(value: ComparedValue): string {
  switch (value.is) {
    case 'text':
      return `the string value '${value.text}'`;
    case 'number':
      return `the number ${value.text}`;
    default:
      return functionNamed(value);
  }
}

/** Refuses a value; `kind` is what messages call fields of the type. */
export const incomparable = (kind: string, { name }: Pick<Field, 'name'>, value: ComparedValue): Refusal =>
  invalid(`The ${kind} '${name}' cannot be compared to ${wordsFor(value)}.`);

const isEmpty = (value: ComparedValue) => value.is === 'text' && value.text === '';

function requireOperator(
  { name }: Pick<Field, 'name'>,
  { operator }: Comparison,
  operators: readonly Operator[],
) {
  if (!operators.includes(operator))
    throw invalid(`The field '${name}' is not supported for the operator ${operator}.`);
}

/** What a type of fields can be compared by. */
export interface Comparing {
  /** What messages call such a field: `date field`. */
  readonly kind: string;
  readonly operators: readonly Operator[];
  /** Those among them that the empty text can follow. */
  readonly emptyOperators: readonly Operator[];
}

const equality: readonly Operator[] = ['=', '!='];
export const textual = { operators: equality, emptyOperators: equality };
export const ordered = {
  operators: ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN()'],
  emptyOperators: equality,
} as const;
export const listOperators = {
  operators: ['=', '!=', 'IN()', 'NOT IN()'],
  emptyOperators: equality,
} as const;

/** A comparison with the empty text asks whether there is a value at all. */
export function comparedToNothing(
  field: Pick<Field, 'name'>,
  comparison: Comparison,
  { kind, operators, emptyOperators }: Comparing,
): boolean {
  requireOperator(field, comparison, operators);
  if (!comparison.values.some(isEmpty)) return false;
  const { operator } = comparison;
  if (emptyOperators.includes(operator)) return true;
  throw invalid(
    `The ${kind} '${field.name}' cannot be compared to the empty string with ${operator} operator.`,
  );
}

/** `!=` and NOT IN mean all that `=` and IN do not. */
export const unlessNegated = ({ operator }: Comparison, condition: Condition): Condition =>
  operator === '!=' || operator === 'NOT IN()' ? not(condition) : condition;

/** The text of the one value of a comparison, where numbers are text too. */
export function comparedText(kind: string, field: Pick<Field, 'name'>, { values }: Comparison): string {
  const [value] = values;
  if (value === undefined) throw new Error('A comparison without a value was read.');
  if (value.is === 'text' || value.is === 'number') return value.text;
  throw incomparable(kind, field, value);
}
