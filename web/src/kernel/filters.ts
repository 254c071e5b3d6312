import { quoted } from './quoted.ts';

/** One condition of a search, as addresses have it. */
export interface Filter {
  /** The short name of a field. */
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** What lists are asked for with; short forms leave it out. */
export const usualOperator = 'contains';

/** In an address for: no filter at all, though the view has some. */
export const noFilters = '-';

/** Only what divides a short form is written in another way. */
const escaped = (text: string) =>
  text.replaceAll(/[%:;,]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function writeFilter({ name, operator, values }: Filter): string {
  const list = values.map(escaped).join(',');
  return operator === usualOperator
    ? `${escaped(name)}:${list}`
    : `${escaped(name)}:${escaped(operator)}:${list}`;
}

/** `status:101,102;assigned_to:me;due:<:2026-11-20` */
export const writeFilters = (filters: readonly Filter[]): string => filters.map(writeFilter).join(';');

function readFilter(text: string): Filter[] {
  const parts = text.split(':').map((part) => part.trim());
  const [name = '', second, third] = parts;
  if (name === '' || second === undefined || parts.length > 3) return [];
  const [operator, list] = third === undefined ? [usualOperator, second] : [unescaped(second), third];
  return [{ name: unescaped(name), operator, values: list.split(',').map(unescaped) }];
}

/** What cannot be read is left out: an address that somebody cut still shows something. */
export function readFilters(text: string): readonly Filter[] {
  return text === noFilters ? [] : text.split(';').flatMap(readFilter);
}

/** A column that rows are sorted by. */
export interface SortKey {
  readonly name: string;
  readonly isDescending: boolean;
}

const mostSortKeys = 5;

/** `-priority,updated` */
export const writeSort = (keys: readonly SortKey[]): string =>
  keys.map(({ name, isDescending }) => (isDescending ? `-${name}` : name)).join(',');

export function readSort(text: string): readonly SortKey[] {
  const names = text.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '' && name !== '-')
    .map((name) =>
      name.startsWith('-') ? { name: name.slice(1), isDescending: true } : { name, isDescending: false },
    )
    .slice(0, mostSortKeys);
}

/** A press on the head of a column: up, down, then as before. With Shift the others stay. */
export function sortedBy(keys: readonly SortKey[], name: string, keepsOthers: boolean): readonly SortKey[] {
  const present = keys.find((key) => key.name === name);
  const others = keepsOthers ? keys.filter((key) => key !== present) : [];
  if (present === undefined) return [...others, { name, isDescending: false }].slice(-mostSortKeys);
  if (present.isDescending) return others;
  const turned = { name, isDescending: true };
  return keepsOthers ? keys.map((key) => (key === present ? turned : key)) : [turned];
}

/** A column with the width that somebody gave it. */
export interface ColumnWish {
  readonly name: string;
  readonly width?: number | undefined;
}

/** `status,priority~140` */
export const writeColumns = (columns: readonly ColumnWish[]): string =>
  columns.map(({ name, width }) => (width === undefined ? name : `${name}~${Math.round(width)}`)).join(',');

const narrowest = 48;
const widest = 900;

export function readColumns(text: string): readonly ColumnWish[] {
  const parts = text.split(',').map((part) => /^([^~]+)(?:~(\d{1,4}))?$/.exec(part.trim()));
  return parts.flatMap((match) => {
    if (match?.[1] === undefined) return [];
    const width =
      match[2] === undefined ? undefined : Math.min(widest, Math.max(narrowest, Number(match[2])));
    return [{ name: match[1], width }];
  });
}

/** The query that finds words in any of some fields, or in comments. */
export function queryForWords(words: string, fields: readonly string[]): string {
  const text = words.trim();
  if (text === '') return '';
  return [...fields, '@comments'].map((name) => `${name} = ${quoted(text)}`).join(' OR ');
}

/** Both must hold. */
export function bothQueries(one: string, other: string): string {
  const given = [one, other].map((query) => query.trim()).filter((query) => query !== '');
  return given.length < 2 ? (given[0] ?? '') : given.map((query) => `(${query})`).join(' AND ');
}
