/** A day of the calendar, without any zone. */
export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const RELATIVE: Readonly<Record<string, number>> = {
  today: 0,
  now: 0,
  tomorrow: 1,
  yesterday: -1,
  aujourdhui: 0,
  demain: 1,
  'apres-demain': 2,
  'apres demain': 2,
  hier: -1,
};

const UNITS: Readonly<Record<string, 'day' | 'week' | 'month' | 'year'>> = {
  d: 'day',
  j: 'day',
  w: 'week',
  s: 'week',
  m: 'month',
  y: 'year',
  a: 'year',
};

const MONTHS = [
  ['jan'],
  ['feb', 'fev'],
  ['mar'],
  ['apr', 'avr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou'],
  ['sep'],
  ['oct'],
  ['nov'],
  ['dec'],
];

const WEEKDAYS = [
  ['sun', 'dim'],
  ['mon', 'lun'],
  ['tue', 'mar'],
  ['wed', 'mer'],
  ['thu', 'jeu'],
  ['fri', 'ven'],
  ['sat', 'sam'],
];

const simplified = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’.]/g, '')
    .toLowerCase()
    .trim();

const dateOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day));

const dayOf = (date: Date): Day => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
});

export function plusDays(day: Day, count: number): Day {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
}

function plusMonths({ year, month, day }: Day, count: number): Day {
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year, month - 1 + count, Math.min(day, last))));
}

export const writtenDay = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

function checked(year: number, month: number, day: number): Day | null {
  const read = dayOf(new Date(Date.UTC(year, month - 1, day)));
  return read.year === year && read.month === month && read.day === day && year >= 1000 ? read : null;
}

/** What somebody means by a day: `tomorrow`, `+3d`, `12 nov`, `12.11.2026`, `2026-11-12`, `friday`; null when it is none. */
export function readDay(text: string, today: Day): Day | null {
  const words = simplified(text).replace(/(\d)(?:er|st|nd|rd|th)\b/, '$1');
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(words);
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const relative = RELATIVE[words];
  if (relative !== undefined) return plusDays(today, relative);
  return (
    readDistance(words, today) ??
    readFigures(text, today) ??
    readMonth(words.replace(/^[a-z]+,?\s+(?=\d)/, ''), today) ??
    readMonth(words, today) ??
    readWeekday(words.replace(/^next | prochaine?$/, ''), today)
  );
}

function readDistance(words: string, today: Day): Day | null {
  const found = /^(?:([+-])|in |dans )\s*(\d{1,4})\s*([a-z])[a-z]*$/.exec(words);
  const unit = UNITS[found?.[3] ?? ''];
  if (!found || unit === undefined) return null;
  const count = Number(found[2]) * (found[1] === '-' ? -1 : 1);
  if (unit === 'day') return plusDays(today, count);
  if (unit === 'week') return plusDays(today, count * 7);
  return plusMonths(today, unit === 'month' ? count : count * 12);
}

function yearOf(figures: string | undefined, today: Day): number {
  if (figures === undefined) return today.year;
  return figures.length === 2 ? 2000 + Number(figures) : Number(figures);
}

function readFigures(text: string, today: Day): Day | null {
  const found = /^\s*(\d{1,2})[./-](\d{1,2})(?:[./-](\d{2}|\d{4}))?\.?\s*$/.exec(text);
  return found ? checked(yearOf(found[3], today), Number(found[2]), Number(found[1])) : null;
}

function readMonth(words: string, today: Day): Day | null {
  const found = /^(?:(\d{1,2})\s*([a-z]{3,})|([a-z]{3,})\s*(\d{1,2}))(?:,?\s*(\d{2}|\d{4}))?$/.exec(words);
  if (!found) return null;
  const name = found[2] ?? found[3] ?? '';
  const month = MONTHS.findIndex((names) => names.some((start) => name.startsWith(start)));
  return month < 0 ? null : checked(yearOf(found[5], today), month + 1, Number(found[1] ?? found[4]));
}

/** The next one; today is the one in a week. */
function readWeekday(words: string, today: Day): Day | null {
  if (!/^[a-z]{3,}$/.test(words)) return null;
  const weekday = WEEKDAYS.findIndex((names) => names.some((start) => words.startsWith(start)));
  if (weekday < 0) return null;
  const ahead = (weekday - dateOf(today).getUTCDay() + 7) % 7;
  return plusDays(today, ahead === 0 ? 7 : ahead);
}

export function todayHere(now = new Date()): Day {
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}
