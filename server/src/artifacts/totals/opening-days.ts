import { day as dayLength, type Instant } from '../../kernel/clock.ts';

/** A day of the calendar in the server's zone, as a number that grows by one from each to the next. */
export type Day = number;

/** Days of the week on which people work, 0 for Sunday. */
export const openingDays: readonly number[] = [1, 2, 3, 4, 5];

export function dayOf(instant: Instant): Day {
  const local = new Date(instant);
  const day = new Date(0).setUTCFullYear(local.getFullYear(), local.getMonth(), local.getDate());
  return day / dayLength;
}

/** Midnight. */
export const startOf = (day: Day): Instant => onDay(day).setHours(0, 0, 0, 0);

/** The last second of a day. */
export const endOf = (day: Day): Instant => onDay(day).setHours(23, 59, 59, 0);

function onDay(day: Day): Date {
  const calendar = new Date(day * dayLength);
  const local = new Date(2000, 0, 1);
  local.setFullYear(calendar.getUTCFullYear(), calendar.getUTCMonth(), calendar.getUTCDate());
  return local;
}

const isOpen = (day: Day) => openingDays.includes(new Date(day * dayLength).getUTCDay());

/** The opening days from one day to another, both included, but not more than `most`. */
export function openingDaysFrom(first: Day, last: Day, most: number): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last && days.length < most; day++) if (isOpen(day)) days.push(day);
  return days;
}

/** The opening day that is so many of them behind a day; that day itself where it is none. */
export function openingDayAfter(first: Day, count: number): Day {
  let day = first + Math.floor(count / openingDays.length) * 7;
  for (let left = count % openingDays.length; left > 0; day++) if (isOpen(day + 1)) left--;
  return day;
}

/** How many opening days there are from one day to another, both included. */
export function countOpeningDays(first: Day, last: Day): number {
  const weeks = Math.floor((last - first + 1) / 7);
  const rest = openingDaysFrom(first + weeks * 7, last, 7);
  return weeks * openingDays.length + rest.length;
}
