import { day, formatInstant, type Instant, parseInstant, second } from '../../kernel/clock.ts';
import { attributeOf, childOf, isTrue, textOf, type XmlElement } from '../../kernel/xml.ts';
import {
  changeOf,
  dateCell,
  dateSearch,
  dayOf,
  daysIn,
  instantSpan,
  integerIn,
  member,
  numberProperty,
  refuseProperty,
  shortDate,
  switchedOn,
  valueElement,
  wrongValue,
  yearFirst,
} from '../field-kit/index.ts';
import type { ArchivedProperties, ArchiveReading, Entry, FieldType } from '../field-type.ts';
import type { Field } from '../model.ts';

/** A day as `2024-03-01`, which is the same day whatever the server's zone, or an instant; null when emptied. */
type StoredDate = string | number | null;

/** Days since 1970, the same in every zone. */
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / day;

/** The number by which the field is searched for an instant: the instant itself where it has a time, else its day. */
const measureOf = (field: Field, instant: Instant): number =>
  showsTime(field) ? instant : dayNumber(dayOf(instant));

const mostDays = 10_000;
/** Days as they are kept, and as answers show them. */
const days = new Map<string, string>();

const showsTime = ({ properties }: Field) => numberProperty(properties, 'display_time') === 1;

export const instantOf = (value: string | number): Instant =>
  typeof value === 'number' ? value : (parseInstant(value) ?? 0);

/** The beginning of the minute in the server's zone, whose offset had seconds long ago: some minutes began late. */
function minuteOf(instant: Instant): Instant {
  const date = new Date(instant);
  const full = instant - date.getMilliseconds();
  const start = full - date.getSeconds() * second;
  return new Date(start).getSeconds() === 0 ? start : full;
}

function stored(field: Field, instant: Instant): StoredDate {
  return showsTime(field) ? minuteOf(instant) : dayOf(instant);
}

/** Whether the year has four digits where the server is, as it is written everywhere. */
const hasUsualYear = (instant: Instant) => /^(?!0000)\d{4}-/.test(dayOf(instant));

/** Beyond them a number of seconds is no instant at all. */
const mostSeconds = 8_640_000_000_000 - 86_400;

function accept(field: Field, entry: Entry): StoredDate {
  const value = member(entry, 'value') ?? '';
  if (value === '') return null;
  // A day that was seen before is one.
  if (typeof value === 'string' && !showsTime(field) && days.has(value)) return value;
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined)
    throw wrongValue(field, 'Expecting a date such as 2024-03-01 or 2024-03-01T09:30:00+01:00.');
  if (!hasUsualYear(instant)) throw wrongValue(field, 'The date is too far away.');
  return stored(field, instant);
}

function defaultInstant({ properties }: Field, now: Instant): Instant | undefined {
  if (numberProperty(properties, 'default_value_type') === 0) return now;
  const { default_value: seconds } = properties;
  return typeof seconds === 'number' ? seconds * second : undefined;
}

/** Midnight of a day as answers write it; the same days come again and again. */
function shownDay(day: string): string {
  const known = days.get(day) ?? formatInstant(instantOf(day));
  if (days.size > mostDays) days.clear();
  days.set(day, known);
  return known;
}

/** A moment that was stored before its field lost the time stands for its day. */
const asDayOrMoment = (field: Field, value: string | number) =>
  typeof value === 'number' && !showsTime(field) ? dayOf(value) : value;

function shown(field: Field, stored: StoredDate | undefined): string | null {
  if (stored === null || stored === undefined) return null;
  const value = asDayOrMoment(field, stored);
  return typeof value === 'string' ? shownDay(value) : formatInstant(value);
}

/** Other platforms write an empty date as this moment, or one before it. */
const emptyUntil = 0;

/**
 * To the second, with the offset of the server's zone. Dates of before 1970 leave the seconds out, by which they are told
 * from empty ones. An offset that had seconds itself cannot be written: then it is the time of Greenwich.
 */
export function archivedInstant(instant: Instant): string {
  const local = formatInstant(instant);
  const seconds = Math.floor(instant / second) * second;
  const text =
    parseInstant(local) === seconds ? local : new Date(seconds).toISOString().replace('.000Z', '+00:00');
  return instant > emptyUntil ? text : text.replace(/:\d{2}(?=[+-]\d{2}:\d{2}$)/, '');
}

/** A day stays the day that it is, whatever the zone of whoever reads it. */
function archivedDay(day: string): string {
  const offset = formatInstant(instantOf(day)).slice(19);
  return instantOf(day) > emptyUntil ? `${day}T00:00:00${offset}` : `${day}T00:00${offset}`;
}

const isWithoutSeconds = (text: string) => /T\d{2}:\d{2}([+-]|$)/.test(text);

function readArchived(field: Field, change: XmlElement, context: ArchiveReading): StoredDate | undefined {
  const text = textOf(change, 'value').trim();
  const value = childOf(change, 'value');
  const instant = parseInstant(text);
  if (text === '' || (instant !== undefined && instant <= emptyUntil && !isWithoutSeconds(text))) return null;
  if (instant === undefined || !hasUsualYear(instant)) {
    const format = (value && attributeOf(value, 'format')) ?? 'date';
    context.warn('invalid_value', `${JSON.stringify(text.slice(0, 50))} is no ${format} for ${field.name}.`);
    return undefined;
  }
  return showsTime(field) ? minuteOf(instant) : text.slice(0, 10);
}

/** `today`, seconds since 1970 or a date; nothing where there is no default. */
const inArchives: ArchivedProperties = {
  write({ default_value_type: type, default_value: seconds, display_time: time }) {
    const fixed = typeof seconds === 'number' ? seconds : undefined;
    return { default_value: type === 0 ? 'today' : fixed, display_time: time ?? 0 };
  },
  read({ default_value: text = '', display_time: time = '0' }) {
    const isNumber = /^-?\d+$/.test(text.trim());
    const instant = isNumber ? Number(text) * second : parseInstant(text);
    const seconds = instant === undefined ? null : Math.floor(instant / second);
    return {
      default_value_type: text.trim() === 'today' ? 0 : 1,
      default_value: seconds,
      display_time: isTrue(time) ? 1 : 0,
    };
  },
};

/** A day, or a day with a time. */
export const dateField: FieldType<StoredDate> = {
  code: 'date',
  kind: 'field',
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  roles: ['date'],
  properties: {
    // 0: today, 1: the fixed date of default_value, which may be none.
    default_value_type: switchedOn(1),
    default_value: {
      initial: null,
      check(value, name) {
        if (value === null || value === '') return null;
        const seconds = integerIn(value);
        if (seconds === undefined || Math.abs(seconds) > mostSeconds || !hasUsualYear(seconds * second))
          throw refuseProperty(name, 'Expecting seconds since 1970, in a year from 1 to 9999.');
        return seconds;
      },
    },
    display_time: switchedOn(0),
  },
  shownProperties: (properties) => ({ default_value_today: 'today', ...properties }),
  describe(field) {
    const instant = defaultInstant(field, Date.now());
    return {
      default_value: instant === undefined ? '' : shortDate(instant, showsTime(field)),
      extra: { is_time_displayed: showsTime(field) },
    };
  },
  value: {
    accept,
    initial(field, { now }) {
      const instant = defaultInstant(field, now);
      return instant === undefined ? undefined : stored(field, instant);
    },
    isEmpty: (value) => value === null,
    // A day and its midnight are the same: which of them is kept depends on a setting that may change.
    isSame: (left, right, field) => shown(field, left) === shown(field, right),
    show(field, value) {
      const text = shown(field, value);
      return `"value":${text === null ? 'null' : `"${text}"`},"is_time_displayed":${showsTime(field)}`;
    },
    flat: shown,
    instant: (value, _artifact, field) =>
      value === null || value === undefined ? null : instantOf(asDayOrMoment(field, value)),
    isWholeDay: (value, field) => typeof value === 'string' || !showsTime(field),
    measuredBy: ['display_time'],
    measureSpan: (field) => (showsTime(field) ? instantSpan : instantSpan / day),
    measured(field, value) {
      if (value === null) return [];
      const isDay = typeof value === 'string' && !showsTime(field);
      return [isDay ? dayNumber(value) : measureOf(field, instantOf(value))];
    },
  },
  across: {
    family: (field) => (showsTime(field) ? 'date with time' : 'date'),
    cell: (field, value) => dateCell(shown(field, value), showsTime(field)),
  },
  search: dateSearch({
    hasTime: showsTime,
    within: (field, range) => ({
      is: 'measured',
      fieldId: field.id,
      range: showsTime(field) ? range : daysIn(range),
    }),
    filled: ({ id: fieldId }) => ({ is: 'filled', fieldId }),
  }),
  row: {
    type: () => 'date',
    cell: (field, value) => dateCell(shown(field, value), showsTime(field)),
    sort: 'measure',
  },
  cell: {
    write: (field, value = null) => (value === null ? '' : shortDate(instantOf(value), showsTime(field))),
    read: (_field, cell, { dateOrder }) => ({ value: yearFirst(cell.trim(), dateOrder) }),
  },
  archivedProperties: inArchives,
  archived: {
    type: 'date',
    write(field, value) {
      if (value === null) return changeOf(field, 'date', [valueElement('')]);
      const text = typeof value === 'string' ? archivedDay(value) : archivedInstant(value);
      return changeOf(field, 'date', [valueElement(text, 'ISO8601')]);
    },
    read: readArchived,
  },
  workflow: {
    setting: (input) => (input === '' || input === 'current' ? input : undefined),
    accepts: '"" to empty the field or "current" for the moment of the change',
    value: (field, setting, now) => (setting === 'current' ? stored(field, now) : null),
  },
};
