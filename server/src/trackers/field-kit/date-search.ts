import { day, type Instant, minute, parseInstant, second } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/errors.ts';
import type { SearchRules } from '../field-type.ts';
import type { Field } from '../model.ts';
import {
  type ComparedValue,
  type Comparison,
  type Condition,
  criterionOperators,
  not,
  type Operator,
  type Period,
  type Range,
} from '../query/index.ts';
import { comparedToNothing, incomparable, ordered, unlessNegated } from './comparisons.ts';

/** Dates so far apart lie together in one posting of the index: about as many as there are months. */
export const instantSpan = 16 * day;

/** What a search for dates looks at. */
interface Dates {
  hasTime(field: Field): boolean;
  within(field: Field, range: Range): Condition;
  /** Those that have a date at all. */
  filled(field: Field): Condition;
}

/** A stretch of time: its first instant, and the first one after it. */
interface Stretch {
  readonly start: Instant;
  readonly end: Instant;
}

const unlimited: Range = {};
const before = (to: Instant): Range => ({ to, isToOpen: true });
const during = (from: Instant, to: Instant): Range => ({ from, to, isToOpen: true });

/** An instant in the server's zone. Parts that are too large or too small roll over, as the calendar does. */
function localInstant(year: number, month: number, dayOfMonth: number, hours = 0, minutes = 0): Instant {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month - 1, dayOfMonth);
  return date.setHours(hours, minutes, 0, 0);
}

function dayAround(instant: Instant): Stretch {
  const date = new Date(instant);
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return { start: localInstant(year, month, dayOfMonth), end: localInstant(year, month, dayOfMonth + 1) };
}

function minuteAround(instant: Instant): Stretch {
  const date = new Date(instant);
  // Not by setting the seconds: in an hour that comes twice, that is a minute of the first one.
  const start = instant - date.getSeconds() * second - date.getMilliseconds();
  return { start, end: start + minute };
}

/** Days since 1970, the same in every zone. */
function dayNumber(instant: Instant): number {
  const date = new Date(instant);
  return new Date(0).setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate()) / day;
}

/** The days that begin within a range of time. */
export function daysIn({ from, to, isFromOpen = false, isToOpen = false }: Range): Range {
  const isMidnight = (instant: Instant) => dayAround(instant).start === instant;
  const first = (instant: Instant) => dayNumber(instant) + (isMidnight(instant) && !isFromOpen ? 0 : 1);
  const last = (instant: Instant) => dayNumber(instant) - (isMidnight(instant) && isToOpen ? 1 : 0);
  return {
    ...(from === undefined ? {} : { from: first(from) }),
    ...(to === undefined ? {} : { to: last(to) }),
  };
}

const written = /^(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{2}))?$/;

/** What a date of a query means: its day or, where a time stands beside it, its minute. */
function stretchIn(text: string, hasTime: boolean): Stretch | undefined {
  const match = written.exec(text);
  const [year, month, dayOfMonth, hours, minutes] = (match ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || dayOfMonth === undefined) return undefined;
  if (match?.[4] === undefined) return dayAround(localInstant(year, month, dayOfMonth));
  return hasTime ? minuteAround(localInstant(year, month, dayOfMonth, hours, minutes)) : undefined;
}

/** A moment so much later. Months and years that have no such day go on into the next month. */
function shifted(now: Instant, { count, unit }: Period): Instant {
  // In an hour that comes twice, the calendar would mean the first one.
  if (count === 0) return now;
  const date = new Date(now);
  const shift = {
    D: () => date.setDate(date.getDate() + count),
    W: () => date.setDate(date.getDate() + 7 * count),
    M: () => date.setMonth(date.getMonth() + count),
    Y: () => date.setFullYear(date.getFullYear() + count),
  };
  return shift[unit]();
}

function comparedStretch(field: Field, value: ComparedValue, hasTime: boolean, now: Instant): Stretch {
  if (value.is === 'text') {
    const stretch = stretchIn(value.text, hasTime);
    if (stretch !== undefined) return stretch;
  }
  if (value.is !== 'now') throw incomparable(date.kind, field, value);
  const moment = shifted(now, value.shift);
  const stretch = hasTime ? minuteAround(moment) : dayAround(moment);
  if (Number.isFinite(stretch.end)) return stretch;
  throw invalid(`The date field '${field.name}' cannot be compared to a date that is so far away.`);
}

const date = { kind: 'date field', ...ordered };

function comparedRange({ operator }: Comparison, first: Stretch, last: Stretch): Range {
  switch (operator) {
    case '<':
      return before(first.start);
    case '<=':
      return before(first.end);
    case '>':
      return { from: first.end };
    case '>=':
      return { from: first.start };
    default:
      return during(first.start, last.end);
  }
}

/** What a date of a criterion means: its day or, from a moment on, as long as a day. */
function criterionStretch(value: unknown): Stretch | undefined {
  const start = typeof value === 'string' ? parseInstant(value) : undefined;
  if (start === undefined) return undefined;
  const isDay = typeof value === 'string' && /^[\d-]+$/.test(value.trim());
  return { start, end: isDay ? dayAround(start).end : start + day };
}

/** The time that a criterion leaves; undefined when it names no dates. */
function criterionRange(operator: string, value: unknown): Range | undefined {
  const values = Array.isArray(value) ? value : [value];
  const stretches = values.map(criterionStretch).filter((stretch) => stretch !== undefined);
  const [first, last = first] = stretches;
  const isComplete = values.length === (operator === 'between' ? 2 : 1) && stretches.length === values.length;
  if (!isComplete || first === undefined || last === undefined) return undefined;
  if (operator === '<') return before(first.start);
  return operator === '>' ? { from: first.end } : during(first.start, last.end);
}

type DateSearch = SearchRules & Required<Pick<SearchRules, 'compare'>>;

/** How dates are searched. */
export function dateSearch({ hasTime, within, filled }: Dates): DateSearch {
  return {
    operators: criterionOperators,
    criterion(field, { operator, value }) {
      const range = criterionRange(operator, value);
      return range && within(field, range);
    },
    compare(field, comparison, { now }) {
      if (comparedToNothing(field, comparison, date)) return unlessNegated(comparison, not(filled(field)));
      const stretches = comparison.values.map((value) => comparedStretch(field, value, hasTime(field), now));
      const [first, last = first] = stretches;
      const range = first && last ? comparedRange(comparison, first, last) : unlimited;
      return unlessNegated(comparison, within(field, range));
    },
  };
}

const equality: readonly Operator[] = ['=', '!='];

/** How queries over several trackers compare dates that are never empty; no minute is worth being compared to now. */
export const momentComparing =
  ({ compare }: DateSearch): DateSearch['compare'] =>
  (field, comparison, context) => {
    comparedToNothing(field, comparison, { ...date, emptyOperators: [] });
    const now = comparison.values.find(({ is }) => is === 'now');
    if (now !== undefined && equality.includes(comparison.operator))
      throw incomparable(date.kind, field, now);
    return compare(field, comparison, context);
  };
