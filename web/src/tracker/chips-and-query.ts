import type { Tracker } from '@atelier/client/routes';
import { criterionOfAny, criterionOfQuery, queryOfCriterion } from '../fields/index.ts';
import { bothQueries, type Filter } from '../kernel/filters.ts';
import { type Comparison, readQuery, type Term } from '../kernel/query.ts';
import type { Messages } from '../messages/index.ts';
import { criterionOf, fieldNamed, filterOf } from './view.ts';

/** A filter that stays one, and why. */
export interface Staying {
  readonly label: string;
  readonly why: string;
}

export interface QueryOfFilters {
  readonly query: string;
  /** Those that no query can ask for. */
  readonly filters: readonly Filter[];
  readonly staying: readonly Staying[];
}

/** Filters as a query; what no query can ask for stays a filter. */
export function queryOfFilters(tracker: Tracker, filters: readonly Filter[]): QueryOfFilters {
  const turned = filters.map((filter) => {
    const field = fieldNamed(tracker, filter.name);
    if (field === undefined) return { filter, label: filter.name, why: '' };
    return { filter, label: field.label, ...queryOfCriterion(field, criterionOf(field, filter)) };
  });
  const staying = turned.filter(({ why }) => why !== undefined);
  return {
    query: turned.flatMap((one) => ('as' in one && one.as !== undefined ? [one.as] : [])).join(' AND '),
    filters: staying.map(({ filter }) => filter),
    staying: staying.map(({ label, why = '' }) => ({ label, why })),
  };
}

export type FiltersOfQuery =
  | { readonly filters: readonly Filter[]; readonly why?: undefined }
  | { readonly filters?: undefined; readonly why: string };

/** Comparisons of one field that must all hold, or one of which must. */
interface Part {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
  readonly isAny: boolean;
}

/** `(a = "" OR a = "x")` and `(a != "" AND a != "x")` stand for one filter; what else is in parentheses for none. */
function partsOf(term: Term): readonly Part[] | undefined {
  if (term.is === 'link') return undefined;
  if (term.is === 'comparison') return [{ name: term.name, comparisons: [term], isAny: false }];
  const [first, ...more] = term.options;
  if (first !== undefined && more.length === 0) return allOf(first.map(partsOf));
  const single = term.options.map(([only, ...others]) =>
    only?.is === 'comparison' && others.length === 0 ? only : undefined,
  );
  const comparisons = single.filter((one) => one !== undefined);
  const [one] = comparisons;
  const isOfOne = comparisons.length === single.length && comparisons.every(({ name }) => name === one?.name);
  return one !== undefined && isOfOne ? [{ name: one.name, comparisons, isAny: true }] : undefined;
}

const allOf = (lists: readonly (readonly Part[] | undefined)[]): readonly Part[] | undefined =>
  lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);

/** A query that is nothing but conditions that all must hold, as filters. */
export function filtersOfQuery(
  tracker: Tracker,
  query: string,
  { queryFaults: faults }: Messages,
): FiltersOfQuery {
  const { condition } = readQuery(query);
  if (condition === undefined) return { why: faults.noQuery };
  const parts = partsOf(condition);
  if (parts === undefined) return { why: faults.onlyAnd };
  const names = [...new Set(parts.map(({ name }) => name))];
  const filters: Filter[] = [];
  for (const name of names) {
    const field = fieldNamed(tracker, name);
    if (field === undefined) return { why: faults.noFilter(name) };
    const own = parts.filter((part) => part.name === name);
    const [first] = own;
    if (own.some(({ isAny }) => isAny) && own.length > 1) return { why: faults.onlyAnd };
    const turned =
      first?.isAny === true
        ? criterionOfAny(field, first.comparisons)
        : criterionOfQuery(
            field,
            own.flatMap(({ comparisons }) => comparisons),
          );
    if (turned.as === undefined) return { why: `${field.label}: ${turned.why}` };
    filters.push(filterOf(name, turned.as));
  }
  return { filters };
}

/** Both must hold, written without parentheses where none are needed. */
export function joinedQueries(one: string, other: string): string {
  const isPlain = (query: string) => (readQuery(query).condition?.options.length ?? 2) === 1;
  if (one.trim() === '' || other.trim() === '') return one.trim() || other.trim();
  return isPlain(one) && isPlain(other) ? `${one.trim()} AND ${other.trim()}` : bothQueries(one, other);
}
