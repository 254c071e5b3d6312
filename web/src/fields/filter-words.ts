import { currentMessages, type Formats } from '../messages/index.ts';
import { type Choice, isBoundToPeople, NOBODY, possibleChoices } from './choice.ts';
import type { Criterion, Field } from './model.ts';
import { isRelative, periodParts } from './relative-days.ts';

/** Operators that every type has beside its own: they need no value. */
export const BARE = new Set(['empty', 'filled']);

export function referenceFilterWords(_field: Field, { operator, value }: Criterion): string {
  const { filter } = currentMessages().fields;
  return `${operator === 'not' ? filter.isNot : filter.is} ${String(value)}`;
}

export function wordsFilterWords(_field: Field, { operator, value }: Criterion): string {
  const { filter } = currentMessages().fields;
  if (operator === 'empty') return filter.empty;
  if (operator === 'filled') return filter.filled;
  return `${operator === 'not' ? filter.containsNot : filter.contains} ${String(value)}`;
}

const NUMBER = /^(<=?|>=?)?\s*(-?\d+(?:\.\d+)?)(?:\s*-\s*(-?\d+(?:\.\d+)?))?$/;

export type NumberCondition = { readonly sign: string; readonly first: string; readonly second: string };

export function numberCondition(criterion: Criterion | null): NumberCondition {
  if (criterion !== null && BARE.has(criterion.operator))
    return { sign: criterion.operator, first: '', second: '' };
  const text = String(criterion?.value ?? '');
  const [, sign = '', first = '', second] = NUMBER.exec(text) ?? [];
  if (criterion?.operator === 'not') return { sign: 'not', first, second: '' };
  if (second !== undefined) return { sign: 'between', first, second };
  return { sign: sign === '' ? '=' : sign, first: first || (NUMBER.test(text) ? '' : text), second: '' };
}

export function numberFilterWords(field: Field, criterion: Criterion): string {
  if (BARE.has(criterion.operator)) return wordsFilterWords(field, criterion);
  const { filter } = currentMessages().fields;
  const { sign, first, second } = numberCondition(criterion);
  if (sign === 'between') return `${filter.between} ${first} ${filter.and} ${second}`;
  const words: Readonly<Record<string, string>> = {
    '=': filter.equals,
    not: filter.isNot,
    '<': filter.less,
    '<=': filter.atMost,
    '>': filter.more,
    '>=': filter.atLeast,
  };
  return `${words[sign] ?? sign} ${first}`;
}

function relativeWords({ operator, value }: Criterion): string {
  const { filter } = currentMessages().fields;
  if (operator === 'today') return filter.today;
  if (operator === 'past') return filter.past;
  const { count, unit } = periodParts(String(value));
  return `${operator === 'last' ? filter.last : filter.next} ${filter.periods[unit](Number(count))}`;
}

export function dateFilterWords(field: Field, criterion: Criterion, formats: Formats): string {
  if (BARE.has(criterion.operator)) return wordsFilterWords(field, criterion);
  if (isRelative(criterion)) return relativeWords(criterion);
  const { filter } = currentMessages().fields;
  const { operator, value } = criterion;
  if (Array.isArray(value))
    return `${filter.between} ${value.map((day) => formats.day(String(day))).join(` ${filter.and} `)}`;
  const words = { '<': filter.before, '>': filter.after, not: filter.notOn }[operator] ?? filter.on;
  return `${words} ${formats.day(String(value))}`;
}

/** The id by which a search knows a value: groups have another one there, open lists letters in front. */
export function searchedId(field: Field, choice: Choice): string {
  const bindId = choice.source['bind_value_id'];
  if (bindId !== undefined) return String(bindId);
  return field.type === 'tbl' && /^\d+$/.test(choice.id) && field.bindings.type === 'static'
    ? `b${choice.id}`
    : choice.id;
}

export function listFilterWords(field: Field, { operator, value }: Criterion, formats: Formats): string {
  const { fields } = currentMessages();
  const { filter } = fields;
  if (BARE.has(operator)) return wordsFilterWords(field, { operator, value });
  const choices = possibleChoices(field);
  const isPeople = isBoundToPeople(field);
  const nameOf = (id: string) => {
    if (id === 'me') return fields.me;
    if (id === NOBODY) return isPeople ? fields.nobody : filter.none;
    return choices.find((choice) => searchedId(field, choice) === id)?.name ?? id;
  };
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  return `${operator === 'not' ? filter.isNot : filter.is} ${formats.list(ids.map(nameOf))}`;
}
