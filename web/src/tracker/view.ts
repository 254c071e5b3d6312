import type { ReportSettings, Tracker } from '@atelier/client/routes';
import {
  type Criterion,
  dueFieldId,
  type Field,
  fieldTypes,
  holds,
  isRelative,
  may,
  relativeQuery,
  statusField,
} from '../fields/index.ts';
import {
  bothQueries,
  type ColumnWish,
  type Filter,
  noFilters,
  queryForWords,
  readColumns,
  readFilters,
  readSort,
  type SortKey,
  usualOperator,
} from '../kernel/filters.ts';

/** What the address of a table says. */
export interface TableSearch {
  /** The kind of view. */
  readonly view?: string | undefined;
  /** Settings of a view that is no table, as far as they differ from what is saved. */
  readonly set?: string | undefined;
  readonly report?: string | undefined;
  readonly q?: string | undefined;
  readonly words?: string | undefined;
  readonly f?: string | undefined;
  readonly sort?: string | undefined;
  readonly group?: string | undefined;
  /** Groups without rows are shown, too. */
  readonly empty?: string | undefined;
  readonly cols?: string | undefined;
  readonly open?: string | undefined;
}

/** What a table shows, whether the address, a report or nobody says so. */
export interface View {
  readonly filters: readonly Filter[];
  readonly query: string;
  readonly words: string;
  readonly sort: readonly SortKey[];
  readonly group: string | undefined;
  readonly showsEmptyGroups: boolean;
  readonly columns: readonly ColumnWish[];
}

export const fieldNamed = (tracker: Tracker, name: string): Field | undefined =>
  tracker.fields.find((field) => field.name === name);

const fieldWithId = (tracker: Tracker, id: number | undefined): Field | undefined =>
  tracker.fields.find((field) => field.field_id === id);

export const titleField = (tracker: Tracker): Field | undefined =>
  fieldWithId(tracker, tracker.semantics.title?.field_id);

const isId = (field: Field | undefined): boolean =>
  field !== undefined && fieldTypes[field.type]?.fact === '@id';

const isChoice = ({ type }: Field): boolean => fieldTypes[type]?.isChoice === true;

/** Lists keep ids, everything else is one text. */
const hasList = ({ type }: Field, operator: string) =>
  fieldTypes[type]?.groupedBy === 'value' || operator === 'between';

/** A filter as controls and the API have it. */
export function criterionOf(field: Field, { operator, values }: Filter): Criterion {
  return { operator, value: hasList(field, operator) ? values : values.join(',') };
}

export function filterOf(name: string, { operator, value }: Criterion): Filter {
  return { name, operator, values: Array.isArray(value) ? value.map(String) : [String(value)] };
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

/** A criterion of a report: a bare value, or an operator with one. Null asks for nothing. */
function savedFilter(name: string, criterion: unknown): Filter[] {
  if (criterion === null || criterion === undefined) return [];
  if (!isMembers(criterion)) return [{ name, operator: usualOperator, values: textsIn(criterion) }];
  const { operator = usualOperator, value = '' } = criterion;
  return [{ name, operator: String(operator), values: textsIn(value) }];
}

function savedFilters(tracker: Tracker, { criteria, is_in_expert_mode }: ReportSettings): readonly Filter[] {
  if (is_in_expert_mode) return [];
  return Object.entries(criteria).flatMap(([key, criterion]) => {
    const field = fieldNamed(tracker, key) ?? fieldWithId(tracker, Number(key));
    return field === undefined ? [] : savedFilter(field.name, criterion);
  });
}

const namesOf = (tracker: Tracker, ids: readonly number[]) =>
  ids.flatMap((id) => fieldWithId(tracker, id)?.name ?? []);

const mostUsualColumns = 5;

/** Where nobody says which: status, lists and people, when it is due, and when it was changed. */
export function usualColumns(tracker: Tracker): readonly ColumnWish[] {
  const first = [
    statusField(tracker)?.name,
    ...namesOf(tracker, [tracker.semantics.contributor?.field_id ?? 0, dueFieldId(tracker) ?? 0]),
  ].filter((name) => name !== undefined);
  const lists = tracker.fields
    .filter((field) => isChoice(field) && !first.includes(field.name))
    .map(({ name }) => name);
  const [status, ...others] = first;
  const some = [...(status === undefined ? [] : [status]), ...lists.slice(0, 1), ...others];
  return [...new Set(some)]
    .slice(0, mostUsualColumns)
    .concat('@last_update_date')
    .map((name) => ({ name }));
}

/** The server answers 60 at once, of which the title and its marks are four. */
export const mostColumns = 56;

function savedColumns(tracker: Tracker, report: ReportSettings): readonly ColumnWish[] {
  const table = report.renderers.find(({ type }) => type === 'table');
  if (table === undefined || table.has_usual_columns) return usualColumns(tracker);
  const title = titleField(tracker)?.name;
  const names = namesOf(
    tracker,
    table.columns.map(({ field_id }) => field_id),
  );
  return names.filter((name) => name !== title && !isId(fieldNamed(tracker, name))).map((name) => ({ name }));
}

function savedSort(tracker: Tracker, report: ReportSettings): readonly SortKey[] {
  const table = report.renderers.find(({ type }) => type === 'table');
  return (table?.sort ?? []).flatMap(({ field_id, is_descending }) => {
    const name = fieldWithId(tracker, field_id)?.name;
    return name === undefined ? [] : [{ name, isDescending: is_descending === true }];
  });
}

const nothingAsked = {
  filters: [],
  query: '',
  words: '',
  sort: [],
  group: undefined,
  showsEmptyGroups: false,
} satisfies Omit<View, 'columns'>;

/** What a view becomes: in parts, or from what it is by then, for what follows at once on another change. */
export type ViewChange = Partial<View> | ((now: View) => Partial<View>);

/** What a report shows; without one, everything in the usual columns. */
export function savedView(tracker: Tracker, report: ReportSettings | undefined): View {
  if (report === undefined) return { ...nothingAsked, columns: usualColumns(tracker) };
  return {
    ...nothingAsked,
    filters: savedFilters(tracker, report),
    query: report.is_in_expert_mode ? report.expert_query : '',
    sort: savedSort(tracker, report),
    columns: savedColumns(tracker, report),
  };
}

/** What is seen: the report, and what the address says otherwise. Fields that were removed, or that one may not read, are left out. */
export function viewOf(saved: View, search: TableSearch, tracker?: Tracker): View {
  const isKnown = ({ name }: { readonly name: string }) =>
    tracker === undefined || name.startsWith('@') || fieldNamed(tracker, name) !== undefined;
  const group = search.group === noFilters ? undefined : (search.group ?? saved.group);
  return {
    filters: search.f === undefined ? saved.filters : readFilters(search.f),
    query: search.q === undefined ? saved.query : search.q === noFilters ? '' : search.q,
    words: search.words ?? '',
    sort: search.sort === undefined ? saved.sort : readSort(search.sort).filter(isKnown),
    group: isKnown({ name: groupName(group) ?? '@' }) ? group : undefined,
    showsEmptyGroups: search.empty === '1',
    columns: (search.cols === undefined ? saved.columns : readColumns(search.cols).filter(isKnown)).slice(
      0,
      mostColumns,
    ),
  };
}

/** Whether the address says something else than the report, so that there is something to save. */
export const isChanged = ({ f, q, words, sort, cols, set }: TableSearch): boolean =>
  [f, q, words, sort, cols, set].some((part) => part !== undefined);

/** Fields that words are looked for in. */
const wordFields = (tracker: Tracker) =>
  tracker.fields.filter((field) => holds(field, 'line') || holds(field, 'text')).map(({ name }) => name);

/** The search that the API is asked for. */
export interface AskedSearch {
  readonly query?: string | undefined;
  readonly expert_query?: string | undefined;
}

/** What values of lists and days look like in addresses. */
const readable: Readonly<Partial<Record<string, RegExp>>> = { value: /^me$|\d/, date: /^\d{4}-\d/ };

/** Whether a filter has words where its field has ids or days, so that nothing can be found by it. */
export function isUnreadable({ type }: Field, filter: Filter): boolean {
  const { groupedBy = '', takesNewWords } = fieldTypes[type] ?? {};
  const form = takesNewWords || isRelative(filter) ? undefined : readable[groupedBy];
  return form !== undefined && filter.values.some((value) => value !== '' && !form.test(value));
}

export const unreadableFilters = (tracker: Tracker, filters: readonly Filter[]): readonly Filter[] =>
  filters.filter((filter) => {
    const field = fieldNamed(tracker, filter.name);
    return field !== undefined && isUnreadable(field, filter);
  });

export function criteriaOf(tracker: Tracker, filters: readonly Filter[]): Record<string, Criterion> {
  const known = filters.flatMap((filter) => {
    const field = fieldNamed(tracker, filter.name);
    return field === undefined || isUnreadable(field, filter)
      ? []
      : [[field.name, criterionOf(field, filter)] as const];
  });
  return Object.fromEntries(known);
}

/** Days from today are asked for by a query. */
function relativeQueries(tracker: Tracker, filters: readonly Filter[]): string {
  const queries = filters.filter(isRelative).flatMap((filter) => {
    const field = fieldNamed(tracker, filter.name);
    return field === undefined ? [] : [relativeQuery(field, criterionOf(field, filter))];
  });
  return queries.filter((query) => query !== '').join(' AND ');
}

export function askedSearch(tracker: Tracker, { filters, query, words }: View): AskedSearch {
  const criteria = criteriaOf(
    tracker,
    filters.filter((filter) => !isRelative(filter)),
  );
  const whole = [relativeQueries(tracker, filters), queryForWords(words, wordFields(tracker))].reduce(
    bothQueries,
    query,
  );
  return {
    query: Object.keys(criteria).length === 0 ? undefined : JSON.stringify(criteria),
    expert_query: whole === '' ? undefined : whole,
  };
}

export const isNarrowed = ({ filters, query, words }: View): boolean =>
  filters.length > 0 || query !== '' || words !== '';

/** The order of rows: groups come before everything else. */
export function orderOf({ sort, group }: View): readonly SortKey[] {
  if (group === undefined) return sort;
  const name = groupName(group) ?? group;
  const own = sort.find((key) => key.name === name);
  return [own ?? { name, isDescending: false }, ...sort.filter((key) => key.name !== name)].slice(0, 5);
}

/** Whether anything of a table could be stored: new artifacts, or changes of those that are there. */
export const mayImport = (tracker: Tracker): boolean =>
  tracker.may_submit === true || tracker.fields.some((field) => may(field, 'update'));

/** Fields that can stand in a column beside the title. */
export const columnFields = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter((field) => field !== titleField(tracker) && !isId(field) && may(field, 'read'));

export const filterFields = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter((field) => fieldTypes[field.type]?.Filter !== undefined);

/** What rows can stand in groups by. */
export interface GroupWish {
  /** As addresses have it: `status`, `due:week`, `@parent`. */
  readonly key: string;
  readonly field: Field;
  readonly step?: DateStep | undefined;
  /** Whether it is the parent that the links of the field tell. */
  readonly isParent?: boolean | undefined;
}

export const dateSteps = ['day', 'week', 'month'] as const;
export type DateStep = (typeof dateSteps)[number];

/** Lists, people, dates by days, weeks and months, and parents. */
export const groupWishes = (tracker: Tracker): readonly GroupWish[] =>
  tracker.fields
    .filter((field) => may(field, 'read'))
    .flatMap((field): readonly GroupWish[] => {
      const kind = fieldTypes[field.type]?.groupedBy;
      if (kind === 'value') return [{ key: field.name, field }];
      if (kind === 'parent') return [{ key: '@parent', field, isParent: true }];
      return kind === 'date' ? dateSteps.map((step) => ({ key: `${field.name}:${step}`, field, step })) : [];
    });

/** What a view is grouped by, as rows are sorted by it. */
export const groupName = (group: string | undefined): string | undefined => group?.split(':')[0];

/** The page of an artifact. */
export const addressOf = ({ id }: { readonly id: number }): string => `/artifacts/${id}`;
