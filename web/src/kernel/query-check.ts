import {
  type Alternatives,
  type Comparison,
  comparisonsIn,
  linksIn,
  type QueryOperator,
  type QueryValue,
  type Span,
} from './query.ts';

/** What a field is compared to: words, numbers, days, days with times, values of a list, or whoever did something. */
export type ComparedKind = 'words' | 'number' | 'day' | 'time' | 'list' | 'person';

/** A field as queries know it. */
export interface QueryField {
  readonly name: string;
  readonly label: string;
  readonly kind: ComparedKind;
  /** The labels that it can have, where all of them are known. */
  readonly labels?: readonly string[] | undefined;
}

const ordered: readonly QueryOperator[] = ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN'];
const listed: readonly QueryOperator[] = ['=', '!=', 'IN', 'NOT IN'];

const operators: Readonly<Record<ComparedKind, readonly QueryOperator[]>> = {
  words: ['=', '!='],
  number: ordered,
  day: ordered,
  time: ordered,
  list: listed,
  person: listed,
};

/** The operators that a kind of field takes, the usual one first. */
export const operatorsOf = (kind: ComparedKind): readonly QueryOperator[] => operators[kind];

export type QueryProblem = Span &
  (
    | { readonly why: 'unknown field'; readonly name: string }
    | { readonly why: 'operator'; readonly label: string; readonly takes: readonly QueryOperator[] }
    | { readonly why: 'value'; readonly label: string; readonly kind: ComparedKind }
    | { readonly why: 'empty'; readonly label: string }
    | { readonly why: 'unknown value'; readonly label: string; readonly value: string }
    | { readonly why: 'double negative' }
  );

const day = /^\d{4}-\d{1,2}-\d{1,2}$/;
const time = /^\d{4}-\d{1,2}-\d{1,2}(?: \d{1,2}:\d{2})?$/;

/** Whether a value is one that this kind can be compared to at all. */
function fits(kind: ComparedKind, value: QueryValue): boolean {
  if (value.is === 'open') return false;
  if (value.is === 'myself') return kind === 'list' || kind === 'person';
  if (value.is === 'now') return kind === 'day' || kind === 'time';
  const { text } = value;
  if (text === '') return true;
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text));
  if (kind === 'day') return value.is === 'text' && day.test(text);
  return kind !== 'time' || (value.is === 'text' && time.test(text));
}

const isEmptyText = (value: QueryValue) => value.is === 'text' && value.text === '';

/** "No value" is asked for by `=` and `!=` alone; whoever did something is always somebody. */
const mayBeEmpty = (kind: ComparedKind, operator: QueryOperator) =>
  kind !== 'person' && (operator === '=' || operator === '!=');

const sameWords = (text: string) => text.toLocaleLowerCase();

function unknownIn({ labels }: QueryField, values: readonly QueryValue[]): QueryValue[] {
  if (labels === undefined) return [];
  const known = new Set(labels.map(sameWords));
  const unknown = values.filter(
    (value) =>
      (value.is === 'text' || value.is === 'number') &&
      value.text !== '' &&
      !known.has(sameWords(value.text)),
  );
  // One that is known is enough for the server.
  return unknown.length === values.length ? unknown : [];
}

const spanOf = ({ from, to }: Span): Span => ({ from, to });

function problemsOf(comparison: Comparison, field: QueryField | undefined): QueryProblem[] {
  const { name, nameSpan, operator, operatorSpan, values } = comparison;
  if (field === undefined) return [{ ...nameSpan, why: 'unknown field', name }];
  const { kind, label } = field;
  const takes = operatorsOf(kind);
  if (!takes.includes(operator)) return [{ ...operatorSpan, why: 'operator', label, takes }];
  const wrong = values.filter((value) => !fits(kind, value));
  if (wrong.length > 0)
    return wrong.map((value) => ({ ...spanOf(value), why: 'value' as const, label, kind }));
  const empty = mayBeEmpty(kind, operator) ? [] : values.filter(isEmptyText);
  if (empty.length > 0) return empty.map((value) => ({ ...spanOf(value), why: 'empty' as const, label }));
  return unknownIn(field, values).map((value) => ({
    ...spanOf(value),
    why: 'unknown value' as const,
    label,
    value: value.is === 'text' || value.is === 'number' ? value.text : '',
  }));
}

/** What the server would refuse in a query that can be read, as far as that is known before it is asked. */
export function checkQuery(
  condition: Alternatives,
  fieldNamed: (name: string) => QueryField | undefined,
): readonly QueryProblem[] {
  const compared = comparisonsIn(condition).flatMap((comparison) =>
    problemsOf(comparison, fieldNamed(comparison.name)),
  );
  const links = linksIn(condition)
    .filter(({ isNot, isOtherTracker }) => isNot && isOtherTracker)
    .map((link): QueryProblem => ({ ...spanOf(link), why: 'double negative' }));
  return [...compared, ...links].sort((one, other) => one.from - other.from);
}
