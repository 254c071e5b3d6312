export type Language = 'en' | 'fr';

/**
 * Numbers and dates in the forms of a language. Instants come from the server in the zone of the server,
 * with its offset in the text, and are shown as they stand there: nobody's clock shifts them.
 */
export type Formats = {
  number(value: number, fractionDigits?: number): string;
  /** `2 Nov`, with the year where it is another than now. */
  day(iso: string): string;
  /** `2 November 2026`. */
  longDay(iso: string): string;
  /** `November 2026`. */
  month(iso: string): string;
  /** `2 Nov 08:41`. */
  moment(iso: string): string;
  /** `Monday, 2 November 2026 at 08:41 (UTC+1)`. */
  exact(iso: string): string;
  /** `12 min ago`, `yesterday 16:40`, then the moment. */
  ago(iso: string, now?: Date): string;
  time(iso: string): string;
  size(bytes: number): string;
  list(words: readonly string[]): string;
  /** One of them: `A, B or C`. */
  anyOf(words: readonly string[]): string;
  /** Days from today to that day: negative ones are over. */
  daysUntil(iso: string, now?: Date): number;
};

type WallClock = { at: Date; offsetMinutes: number | null };

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?/;

/** The figures of a text as if they were UTC, so that `Intl` writes them unchanged. */
function wallClock(iso: string): WallClock {
  const parts = ISO.exec(iso);
  if (parts === null) return { at: new Date(Number.NaN), offsetMinutes: null };
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = parts;
  const at = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
  return { at, offsetMinutes: zone === undefined ? null : offsetOf(zone) };
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.replace(/\D/g, '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4)));
}

/** Now on the clock of the server, where the offset of an instant tells it. */
function nowThere(now: Date, offsetMinutes: number | null): Date {
  const offset = offsetMinutes ?? -now.getTimezoneOffset();
  return new Date(now.getTime() + offset * 60_000);
}

function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / 86_400_000);
}

function zoneName(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC';
  const sign = offsetMinutes < 0 ? '−' : '+';
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  const minutes = Math.abs(offsetMinutes) % 60;
  return `UTC${sign}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

const SIZES: Record<Language, readonly string[]> = {
  en: ['bytes', 'kB', 'MB', 'GB', 'TB'],
  fr: ['octets', 'ko', 'Mo', 'Go', 'To'],
};

export function formats(language: Language): Formats {
  const locale = language === 'en' ? 'en-GB' : 'fr-FR';
  const utc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const shortDay = utc({ day: 'numeric', month: 'short' });
  const shortDayOfYear = utc({ day: 'numeric', month: 'short', year: 'numeric' });
  const longDay = utc({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = utc({ month: 'long', year: 'numeric' });
  const clock = utc({ hour: '2-digit', minute: '2-digit' });
  const full = utc({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const fullDay = utc({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const relativeHours = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'long' });
  const words = new Intl.ListFormat(locale, { style: 'narrow', type: 'conjunction' });
  const oneOf = new Intl.ListFormat(locale, { style: 'long', type: 'disjunction' });
  const safely = (iso: string, write: (clock: WallClock) => string): string => {
    const read = wallClock(iso);
    return Number.isNaN(read.at.getTime()) ? iso : write(read);
  };

  const day = (iso: string): string =>
    safely(iso, ({ at }) =>
      (at.getUTCFullYear() === new Date().getFullYear() ? shortDay : shortDayOfYear).format(at),
    );

  const ago = (iso: string, now = new Date()): string =>
    safely(iso, ({ at, offsetMinutes }) => {
      const there = nowThere(now, offsetMinutes);
      const minutes = Math.floor((there.getTime() - at.getTime()) / 60_000);
      const days = dayNumber(there) - dayNumber(at);
      if (minutes >= 0 && minutes < 1) return relative.format(0, 'second');
      if (minutes >= 0 && minutes < 60) return relative.format(-minutes, 'minute').replace('.', '');
      if (minutes >= 0 && minutes < 12 * 60) return relativeHours.format(-Math.floor(minutes / 60), 'hour');
      if (days === 0 || days === 1) return `${relative.format(-days, 'day')} ${clock.format(at)}`;
      return day(iso);
    });

  return {
    number: (value, fractionDigits = 4) =>
      new Intl.NumberFormat(locale, { maximumFractionDigits: fractionDigits }).format(value),
    day,
    longDay: (iso) => safely(iso, ({ at }) => longDay.format(at)),
    month: (iso) => safely(iso, ({ at }) => month.format(at)),
    moment: (iso) => safely(iso, ({ at }) => `${day(iso)} ${clock.format(at)}`),
    exact: (iso) =>
      safely(iso, ({ at, offsetMinutes }) => {
        if (offsetMinutes === null) return (iso.length > 10 ? full : fullDay).format(at);
        return `${full.format(at)} (${zoneName(offsetMinutes)})`;
      }),
    ago,
    time: (iso) => safely(iso, ({ at }) => clock.format(at)),
    size: (bytes) => {
      const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), 4);
      const value = bytes / 1000 ** power;
      const digits = power === 0 || value >= 10 ? 0 : 1;
      return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${SIZES[language][power]}`;
    },
    list: (all) => words.format(all),
    anyOf: (all) => oneOf.format(all),
    daysUntil: (iso, now = new Date()) => {
      const { at, offsetMinutes } = wallClock(iso);
      return dayNumber(at) - dayNumber(nowThere(now, offsetMinutes));
    },
  };
}
