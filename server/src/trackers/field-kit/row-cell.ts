import type { CellTexts, RowColumnType, ShowingContext, Stored, StoredText } from '../field-type.ts';
import type { Field } from '../model.ts';
import type { Fact } from '../query/index.ts';
import { dateCell, familyOfList, numberCell } from './across-trackers.ts';

/** Things of which a cell shows that many and no more. */
const mostItems = 50;

/** A cell with several things in it, each as JSON. */
export function itemsCell(items: readonly string[]): string {
  const isCut = items.length > mostItems;
  const shown = isCut ? items.slice(0, mostItems) : items;
  return `{"value":[${shown.join(',')}]${isCut ? ',"is_cut":true' : ''}}`;
}

/** The same for a JSON array of them. */
export const arrayCell = (items: readonly unknown[]): string =>
  itemsCell(items.map((item) => JSON.stringify(item)));

/** Whether a cell does not show everything. */
export const isCutCell = (cell: string): boolean => cell.includes('"is_cut":true');

/** No half of a character is left behind. */
function cut(text: string, longest: number): string {
  const last = text.charCodeAt(longest - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? longest - 1 : longest);
}

/** `isCut`: whether more of it was left out before. */
export function textCell(
  text: string,
  { longest }: CellTexts,
  { format, isCut: wasCut = false }: { format?: StoredText['format']; isCut?: boolean } = {},
): string {
  const isLong = text.length > longest;
  const isCut = wasCut || isLong;
  const shown = JSON.stringify(isLong ? cut(text, longest) : text);
  return `{"value":${shown},"is_cut":${isCut}${format === undefined ? '' : `,"format":"${format}"`}}`;
}

const listTypes = {
  'user list': 'list_user',
  'user group list': 'list_user_group',
} as const;

/** Lists of all types are alike when their values are of one kind. */
export function listColumnType(field: Field): RowColumnType {
  const family = familyOfList(field);
  return family === 'user list' || family === 'user group list' ? listTypes[family] : 'list_static';
}

/** A value of a list that somebody typed. */
export const typedItem = (id: string, label: string): string => JSON.stringify({ id, label, color: null });

/** Somebody without an account, of whom an address is known. */
export const typedPersonItem = (id: string, name: string, context: Pick<ShowingContext, 'person'>): string =>
  JSON.stringify({ ...JSON.parse(context.person(0)), id, display_name: name });

/** Columns of numbers that every artifact has. */
export const factRow = (sort: Fact, numberOf: (artifact: ShowingContext['artifact']) => number) => ({
  type: () => 'numeric' as const,
  cell: (_field: Field, _value: Stored | undefined, { artifact }: ShowingContext) =>
    numberCell(numberOf(artifact)),
  sort,
});

/** Columns of moments that every artifact has. */
export const momentRow = (sort: Fact, shownAt: (artifact: ShowingContext['artifact']) => string) => ({
  type: () => 'date' as const,
  cell: (_field: Field, _value: Stored | undefined, { artifact }: ShowingContext) =>
    dateCell(shownAt(artifact), true),
  sort,
});
