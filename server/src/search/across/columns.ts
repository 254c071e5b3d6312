import { invalid } from '../../kernel/errors.ts';
import type { Family, TrackerView } from '../../trackers/index.ts';
import { familyOf, placesOf } from './names.ts';

/** What kind of cells a column has. */
export type ColumnType =
  | 'numeric'
  | 'text'
  | 'date'
  | 'user'
  | 'list_user'
  | 'list_static'
  | 'list_user_group'
  | 'project'
  | 'tracker'
  | 'pretty_title'
  | 'link_type'
  | 'unknown';

export interface QueryColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Names that are no fields. */
const named = {
  '@id': 'numeric',
  '@title': 'text',
  '@description': 'text',
  '@status': 'list_static',
  '@assigned_to': 'list_user',
  '@submitted_on': 'date',
  '@last_update_date': 'date',
  '@submitted_by': 'user',
  '@last_update_by': 'user',
  '@project.name': 'project',
  '@tracker.name': 'tracker',
  '@pretty_title': 'pretty_title',
  '@link_type': 'link_type',
} as const satisfies Readonly<Record<string, ColumnType>>;
export type ColumnName = keyof typeof named;
export const isColumnName = (name: string): name is ColumnName => Object.hasOwn(named, name);

const typeOfFamily: Readonly<Record<Family, ColumnType>> = {
  number: 'numeric',
  text: 'text',
  date: 'date',
  'date with time': 'date',
  'static list': 'list_static',
  'user list': 'list_user',
  'user group list': 'list_user_group',
};

/** The column of fields of a family; days and days with a time stand in one column. */
export const columnTypeOf = (family: Family): ColumnType => typeOfFamily[family];

function columnOf(views: readonly TrackerView[], name: string): QueryColumn {
  if (isColumnName(name)) return { name, type: named[name] };
  if (name.startsWith('@')) throw invalid(`We cannot select ${name}, we don't know what it refers to.`);
  const family = familyOf(name, placesOf(views, name), columnTypeOf);
  return { name, type: family === undefined ? 'unknown' : columnTypeOf(family) };
}

/** Nobody reads more columns. */
const mostColumns = 200;

/** The columns that SELECT asks for. `limit`: how many the platform allows; 0: as many as there can be. */
export function columnsOf(
  views: readonly TrackerView[],
  names: readonly string[],
  limit: number,
): QueryColumn[] {
  const most = limit === 0 ? mostColumns : Math.min(limit, mostColumns);
  if (names.length > most)
    throw invalid(`SELECT names ${names.length} columns, and at most ${most} are allowed.`);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw invalid(`SELECT names ${repeated} more than once.`);
  return names.map((name) => columnOf(views, name));
}
