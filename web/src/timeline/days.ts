/** A day of the calendar, as a number that grows by one from each to the next: no zone moves it. */
export type Day = number;

const oneDay = 86_400_000;

/** The day that a text of the server begins with; null where there is none. */
export function dayIn(text: unknown): Day | null {
  const found = typeof text === 'string' ? /^\d{4}-\d\d-\d\d/.exec(text)?.[0] : undefined;
  const at = found === undefined ? Number.NaN : Date.parse(`${found}T00:00:00Z`);
  return Number.isNaN(at) ? null : at / oneDay;
}

export const textOf = (day: Day): string => new Date(day * oneDay).toISOString().slice(0, 10);

/** Another day, at the same time of it, where it has one. */
export const onDay = (text: unknown, day: Day): string =>
  textOf(day) + (typeof text === 'string' ? text.slice(10) : '');

/** 0 for Monday; day 0 was a Thursday. */
const weekdayOf = (day: Day): number => (((day + 3) % 7) + 7) % 7;
export const weekOf = (day: Day): Day => day - weekdayOf(day);
export const isWeekend = (day: Day): boolean => weekdayOf(day) > 4;

const dateOf = (day: Day) => new Date(day * oneDay);
export const monthOf = (day: Day): Day =>
  Date.UTC(dateOf(day).getUTCFullYear(), dateOf(day).getUTCMonth()) / oneDay;
export const monthAfter = (day: Day, months: number): Day =>
  Date.UTC(dateOf(day).getUTCFullYear(), dateOf(day).getUTCMonth() + months) / oneDay;
export const dateNumber = (day: Day): number => dateOf(day).getUTCDate();
export const monthNumber = (day: Day): number => dateOf(day).getUTCMonth();

/** The days of a month with those that fill up its first and last week. */
export function weeksOfMonth(day: Day): Day[] {
  const last = monthAfter(day, 1) - 1;
  const weeks: Day[] = [];
  for (let week = weekOf(monthOf(day)); week <= last; week += 7) weeks.push(week);
  return weeks;
}
