import type { CountBucket, Tracker } from '@atelier/client/routes';
import { type Choice, type Field, possibleChoices, shortName } from '../fields/index.ts';
import type { Filter } from '../kernel/filters.ts';
import { type AskedSearch, askedSearch, type View } from '../tracker/index.ts';
import type { BoardPlan } from './settings.ts';

/** The id by which searches find artifacts without a value. */
export const noValue = '100';

/** A value of a list, or none of them. */
export interface Value {
  readonly id: string;
  /** Undefined: artifacts without a value. */
  readonly choice: Choice | undefined;
  /** As the server counted it. */
  readonly count: number;
}

/** A column: one value, or several that belong together. */
export interface Column {
  /** Of its first value. */
  readonly id: string;
  /** All its values, also those that filters leave out. */
  readonly ids: readonly string[];
  readonly values: readonly Value[];
  readonly count: number;
}

const keyOf = ({ key }: CountBucket) => (key === null ? noValue : String(key));

/** A value that the server counts and the tracker no longer lists, or a person who is not among the first. */
const countedChoice = (field: Field, { key, label, color }: CountBucket): Choice => {
  const isPerson = field.bindings.type === 'users';
  return {
    id: String(key),
    name: isPerson ? shortName(label) : label,
    colour: color,
    person: isPerson ? { id: Number(key), name: shortName(label) } : undefined,
    source: isPerson ? { id: key, display_name: label } : { id: key, label },
  };
};

/** Whether a filter of the same field lets a value through. */
function lets(filter: Filter | undefined, id: string, me: number | undefined): boolean {
  if (filter === undefined) return true;
  const values = filter.values.map((value) => (value === 'me' ? String(me) : value));
  switch (filter.operator) {
    case 'not':
      return !values.includes(id);
    case 'empty':
      return id === noValue;
    case 'filled':
      return id !== noValue;
    default:
      return values.includes(id);
  }
}

/** The values of a list in the order of the tracker: static ones all, people as far as they have cards; then what has none. */
export function valuesOf(
  field: Field,
  buckets: readonly CountBucket[],
  wanted: readonly string[] | undefined,
): readonly Value[] {
  const counts = new Map(buckets.map((bucket) => [keyOf(bucket), bucket]));
  const choices = possibleChoices(field);
  const known = new Set(choices.map(({ id }) => id));
  const others = buckets.filter(
    (bucket) => bucket.key !== null && bucket.count > 0 && !known.has(keyOf(bucket)),
  );
  const all = [...choices, ...others.map((bucket) => countedChoice(field, bucket))].map((choice): Value => {
    return { id: choice.id, choice, count: counts.get(choice.id)?.count ?? 0 };
  });
  const none: Value = { id: noValue, choice: undefined, count: counts.get(noValue)?.count ?? 0 };
  if (wanted !== undefined)
    return wanted.flatMap((id) => (id === noValue ? none : (all.find((value) => value.id === id) ?? [])));
  const isPeople = field.bindings.type === 'users';
  const shown = all.filter(({ choice, count }) => count > 0 || (!isPeople && choice?.isHidden !== true));
  return [...shown, ...(none.count > 0 || isPeople ? [none] : [])];
}

/** The columns of a board; a filter of the same field takes some away. */
export function columnsOf(
  plan: BoardPlan,
  buckets: readonly CountBucket[],
  { filters }: View,
  me: number | undefined,
): readonly Column[] {
  const { by, columns } = plan;
  if (by === undefined) return [];
  const filter = filters.find(({ name }) => name === by.name);
  const values = new Map(valuesOf(by, buckets, columns?.flat()).map((value) => [value.id, value]));
  const groups = columns ?? [...values.keys()].map((id) => [id]);
  return groups.flatMap((ids): Column[] => {
    const shown = ids.filter((id) => lets(filter, id, me)).flatMap((id) => values.get(id) ?? []);
    const count = shown.reduce((sum, value) => sum + value.count, 0);
    return shown.length === 0 ? [] : [{ id: ids[0] ?? '', ids, values: shown, count }];
  });
}

/** What a column is asked for: the search of the view, and its values. */
export function searchOfColumn(tracker: Tracker, view: View, by: Field, { values }: Column): AskedSearch {
  const others = view.filters.filter(({ name }) => name !== by.name);
  const own: Filter = { name: by.name, operator: 'contains', values: values.map(({ id }) => id) };
  return askedSearch(tracker, { ...view, filters: [...others, own] });
}
