/** Milliseconds since 1970 in UTC: the only form in which instants are kept. */
export type Instant = number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** By so much the clocks of several machines may differ. */
const skew = minute;

/**
 * Whether a wait is over that ends at `until` and was for no longer than `longest`. One that would end later than that
 * began before the clock was set back, and nobody knows how long it has lasted.
 */
export const isWaitOver = (until: Instant, longest: number, now: Instant = Date.now()) =>
  until <= now || until > latestEnd(longest, now);

/** No wait of that length that begins now, on whatever machine, ends later. */
export const latestEnd = (longest: number, now: Instant = Date.now()): Instant => now + longest + skew;

const two = (value: number) => String(value).padStart(2, '0');

/** The difference between the server's zone and UTC, as a length of time and as answers write it. */
interface Offset {
  readonly length: number;
  readonly text: string;
}

/** No zone changes its offset within such a stretch of time, since zones differ by whole minutes. */
const steadyStretch = 15 * minute;
const wholeMinutesSince = Date.UTC(1972, 0, 8);
const mostStretches = 10_000;
const offsets = new Map<number, Offset>();

/** What the clocks of the server's zone show, as if they were those of UTC. */
function localTime(date: Date): number {
  const local = new Date(0);
  local.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
  return local.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds());
}

function offsetAt(instant: Instant): Offset {
  const stretch = Math.floor(instant / steadyStretch);
  const known = offsets.get(stretch);
  if (known !== undefined) return known;
  const length = localTime(new Date(instant)) - instant;
  // Before, zones differed by seconds too, which are not written.
  const size = Math.floor(Math.abs(length) / minute);
  const text = `${length < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  const offset = { length, text };
  if (instant < wholeMinutesSince) return offset;
  if (offsets.size > mostStretches) offsets.clear();
  offsets.set(stretch, offset);
  return offset;
}

const mostDays = 10_000;
const days = new Map<number, string>();

/** The calendar day that is so many days after 1970. */
export const dayText = (number: number): string =>
  new Date(number * day).toISOString().slice(0, -'T00:00:00.000Z'.length);

/** The same, remembered, with what stands before a time. */
function dayBeforeTime(number: number): string {
  const known = days.get(number);
  if (known !== undefined) return known;
  const text = `${dayText(number)}T`;
  if (days.size > mostDays) days.clear();
  days.set(number, text);
  return text;
}

const sixty = Array.from({ length: 60 }, (_, number) => two(number));

/** ISO 8601 to the second with the numeric offset of the server's zone, as every answer gives it. */
export function formatInstant(instant: Instant): string {
  const { length, text } = offsetAt(instant);
  const local = Math.floor((instant + length) / second);
  const number = Math.floor(local / 86_400);
  const rest = local - number * 86_400;
  const hours = Math.floor(rest / 3600);
  const minutes = Math.floor(rest / 60) % 60;
  return `${dayBeforeTime(number)}${sixty[hours]}:${sixty[minutes]}:${sixty[rest % 60]}${text}`;
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function isCalendarDay(year: number, month: number, dayOfMonth: number): boolean {
  return (
    month >= 1 &&
    month <= 12 &&
    dayOfMonth >= 1 &&
    dayOfMonth <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  );
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Whether an answer would write this instant with this offset, and without the seconds by which its zone differed too:
 * what was read here means the same when it is sent back.
 */
function isWrittenHere(instant: Instant, zone: string): boolean {
  if (instant >= wholeMinutesSince) return false;
  const { length, text } = offsetAt(instant);
  return length % minute !== 0 && text === zone;
}

/** Reads an ISO 8601 date; without offset the server's zone is meant. Undefined when it is not a real date. */
export function parseInstant(text: string): Instant | undefined {
  const match = form.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, dayOfMonth, hours, minutes, seconds] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || dayOfMonth === undefined) return undefined;
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (year < 1 || !isCalendarDay(year, month, dayOfMonth) || hours > 23 || minutes > 59 || seconds > 59)
    return undefined;
  const zone = match[7];
  const local = new Date(2000, 0, 1);
  local.setFullYear(year, month - 1, dayOfMonth);
  local.setHours(hours, minutes, seconds, 0);
  if (zone === undefined || isWrittenHere(local.getTime(), zone)) return local.getTime();
  const offset = offsetMinutes(zone);
  if (offset === undefined) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, dayOfMonth);
  utc.setUTCHours(hours, minutes - offset, seconds, 0);
  return utc.getTime();
}
