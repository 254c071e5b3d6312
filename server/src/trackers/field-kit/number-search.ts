import { invalid } from '../../kernel/errors.ts';
import type { SearchRules } from '../field-type.ts';
import type { Field } from '../model.ts';
import {
  anything,
  type ComparedValue,
  type Comparison,
  type Condition,
  exactly,
  type Fact,
  not,
  type Range,
} from '../query/index.ts';
import { comparedToNothing, incomparable, ordered, unlessNegated } from './comparisons.ts';
import { criterionText, patternIn } from './text-search.ts';

/** Text longer than this is no number that anybody wrote. */
export const longestNumber = 400;
const longestRange = 1000;

/** Several signs may stand in front, as existing clients send them: each minus turns the number round. */
export function signedNumber(text: string): number {
  const signs = /^[+-]*/.exec(text)?.[0] ?? '';
  const size = Number(text.slice(signs.length));
  const number = [...signs].filter((sign) => sign === '-').length % 2 === 1 ? -size : size;
  return number === 0 ? 0 : number;
}

/** What a search for numbers looks at. */
interface Numbers {
  readonly isWhole: boolean;
  within(field: Field, range: Range): Condition;
  matching(field: Field, pattern: string, isNot: boolean): Condition;
}

const whole = String.raw`[+-]*\d+`;
const decimal = String.raw`[+-]*(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;

const formsOf = (number: string) => ({
  compared: new RegExp(`^(<=|>=|<|>)\\s*(${number})$`),
  single: new RegExp(`^(${number})$`),
  range: new RegExp(`^(${number})\\s*-\\s*(${number})$`),
});
const wholeForms = formsOf(whole);
const decimalForms = formsOf(decimal);

const ranges = {
  '<': (to: number): Range => ({ to, isToOpen: true }),
  '<=': (to: number): Range => ({ to }),
  '>': (from: number): Range => ({ from, isFromOpen: true }),
  '>=': (from: number): Range => ({ from }),
};
const isBound = (sign: string | undefined): sign is keyof typeof ranges =>
  sign !== undefined && Object.hasOwn(ranges, sign);

/**
 * The numbers that a text means: `5`, `>= 5` or `1 - 10`; undefined when it means none. One beyond all that can be stored is infinite:
 * it equals nothing, and everything lies on one side of it.
 */
function rangeIn(text: string, isWhole: boolean): Range | undefined {
  if (text.length > longestRange) return undefined;
  const { compared, single, range } = isWhole ? wholeForms : decimalForms;
  const [, sign, bound = ''] = compared.exec(text) ?? [];
  if (isBound(sign)) return ranges[sign](signedNumber(bound));
  const number = single.exec(text)?.[1];
  if (number !== undefined) return exactly(signedNumber(number));
  const [, from, to] = range.exec(text) ?? [];
  return from === undefined || to === undefined
    ? undefined
    : { from: signedNumber(from), to: signedNumber(to) };
}

/** Whether it is a number that is not written as people write it: with an exponent, or none that can be written. */
const isWrittenOtherwise = (value: unknown): value is number =>
  typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));

/** What a criterion on numbers means; undefined when it is none. */
export function numberCriterion(
  { isWhole, within, matching }: Numbers,
  field: Field,
  value: unknown,
): Condition | undefined {
  const text = criterionText(field, value).trim();
  const sought = patternIn(field, text);
  if (sought !== undefined) return matching(field, sought.pattern, sought.isNot);
  const range = isWrittenOtherwise(value) ? exactly(value) : rangeIn(text, isWhole);
  return range && within(field, range);
}

/** What a query may write for a number. */
const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** The number that somebody gives, as such or as a text; undefined when it is none. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const isNumeric = typeof value === 'string' && value.length <= longestNumber && numeric.test(value);
  return isNumeric ? Number(value) : undefined;
}

function comparedNumber(kind: string, field: Field, value: ComparedValue): number {
  const written = value.is === 'text' ? numberIn(value.text) : undefined;
  const number = value.is === 'number' ? Number(value.text) : written;
  if (number === undefined) throw incomparable(kind, field, value);
  return number === 0 ? 0 : number;
}

/** The numbers that a comparison leaves, but for `!=`, which leaves all others. */
function comparedRange({ operator }: Comparison, [first = 0, last = first]: readonly number[]): Range {
  return isBound(operator) ? ranges[operator](first) : { from: first, to: last };
}

/** How fields that hold a number are searched. */
export function numberSearch(kind: string, isWhole: boolean): SearchRules {
  const within = ({ id: fieldId }: Field, range: Range): Condition => ({ is: 'measured', fieldId, range });
  const matching = ({ id: fieldId }: Field, pattern: string, isNot: boolean): Condition => ({
    is: 'matching',
    fieldId,
    pattern,
    isNot,
  });
  return {
    operators: ['contains'],
    criterion: (field, { value }) => numberCriterion({ isWhole, within, matching }, field, value),
    compare(field, comparison) {
      if (comparedToNothing(field, comparison, { kind, ...ordered }))
        return unlessNegated(comparison, not({ is: 'filled', fieldId: field.id }));
      const numbers = comparison.values.map((value) => comparedNumber(kind, field, value));
      return unlessNegated(comparison, within(field, comparedRange(comparison, numbers)));
    },
  };
}

/** How numbers are searched that every artifact has. */
export function factSearch(fact: Fact): SearchRules {
  const numbers: Numbers = {
    isWhole: true,
    within: (_field, range) => ({ is: 'fact', fact, range }),
    matching: (_field, pattern, isNot) => ({ is: 'fact matching', fact, pattern, isNot }),
  };
  return {
    operators: ['contains'],
    filled: anything,
    criterion(field, { value }) {
      const isZero = criterionText(field, value).trim() === '0';
      return isZero ? undefined : numberCriterion(numbers, field, value);
    },
  };
}

const id = { kind: 'name', ...ordered, emptyOperators: [] };

/** Ids are written as plain numbers only. */
function comparedId(field: Field, value: ComparedValue): number {
  const number = value.is === 'number' && /^\d+$/.test(value.text) ? Number(value.text) : 0;
  if (number < 1) throw incomparable(id.kind, field, value);
  return number;
}

/** How queries over several trackers compare the ids of artifacts. */
export function idComparing(field: Field, comparison: Comparison): Condition {
  comparedToNothing(field, comparison, id);
  const ids = comparison.values.map((value) => comparedId(field, value));
  const [from = 0, to = from] = ids;
  if (from > to) throw invalid(`The values of BETWEEN() for '${field.name}' must be in ascending order.`);
  return unlessNegated(comparison, { is: 'fact', fact: 'id', range: comparedRange(comparison, ids) });
}
