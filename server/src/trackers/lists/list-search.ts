import { invalid, type Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  type Comparing,
  comparedToNothing,
  functionNamed,
  incomparable,
  listOperators,
  mostValues,
  numberIn,
  unlessNegated,
} from '../field-kit/index.ts';
import type { SearchContext, SearchRules } from '../field-type.ts';
import { type Field, noneValue } from '../model.ts';
import { type ComparedValue, type Condition, not } from '../query/index.ts';
import { bindOf } from './binds.ts';

/**
 * Ids that a criterion gives, alone or in an array, but for None; undefined where that is all there is. `read` gives the
 * id that an item means, undefined for none: a number that is no id finds nothing, anything else is refused.
 */
export function criterionIds(
  { name }: Field,
  value: unknown,
  read: (item: unknown, isInList: boolean) => number | undefined,
): readonly number[] | undefined {
  const items = Array.isArray(value) ? value : [value];
  if (items.length > mostValues)
    throw invalid(`The field ${name} can be searched by at most ${mostValues} values at once.`);
  const ids = items.map((item) => {
    const id = read(item, Array.isArray(value));
    if (id === undefined && numberIn(item) === undefined)
      throw invalid(`The field ${name} is searched by the ids of its values.`);
    return id;
  });
  const sought = [...new Set(ids)].filter((id) => id !== noneValue);
  return sought.length === 0 ? undefined : sought.filter((id) => id !== undefined);
}

export function plainId(item: unknown): number | undefined {
  const number = numberIn(item);
  return number !== undefined && number >= 0 && Number.isSafeInteger(number) ? number : undefined;
}

/** Artifacts that have one of the entries, of which there may be none; undefined makes no condition. */
export const listedAmong = (
  { id: fieldId }: Field,
  entries: readonly number[] | undefined,
): Condition | undefined => entries && { is: 'listed', fieldId, entries };

/** The viewer as a value; anonymous callers are nobody. */
export function refuseOtherThanSelf({ userId }: Viewer, { name }: Pick<Field, 'name'>): number {
  if (userId === 0)
    throw invalid(`The field '${name}' cannot be compared to MYSELF() without being logged in.`);
  return userId;
}

/** Values that a message names. */
const mostNamed = 20;

export function unknownValues({ name }: Pick<Field, 'name'>, values: readonly string[]): Refusal {
  const named = values.slice(0, mostNamed).map((value) => `'${value}'`);
  const words = named.length === 1 ? `value ${named} doesn't` : `values ${named.join(', ')} don't`;
  return invalid(`The ${words} exist for the list field '${name}'.`);
}

/** At most so many values, so that looking them up holds nobody up. */
export function refuseManyValues({ name }: Pick<Field, 'name'>, values: readonly unknown[]): void {
  if (values.length > mostValues)
    throw invalid(`The field '${name}' cannot be compared to more than ${mostValues} values.`);
}

const list = { kind: 'list field', ...listOperators };

/** The entries that texts mean. */
export type Lookup = (
  field: Field,
  texts: readonly string[],
  context: SearchContext,
) => Promise<readonly number[]>;

/** What the values of a comparison name. */
interface NamedEntries {
  readonly texts: readonly string[];
  readonly hasViewer: boolean;
}

/** Values are words and, where values are people, the viewer. Everything else is refused, also what queries learn to say later. */
export function namedEntries(
  { kind }: Pick<Comparing, 'kind'>,
  field: Pick<Field, 'name'>,
  values: readonly ComparedValue[],
  arePeople: boolean,
): NamedEntries {
  const texts: string[] = [];
  let hasViewer = false;
  for (const value of values) {
    if (value.is === 'text' || value.is === 'number') texts.push(value.text);
    else if (value.is === 'myself' && arePeople) hasViewer = true;
    else throw incomparable(kind, field, value);
  }
  return { texts, hasViewer };
}

/** The viewer as an entry; none where they cannot be one. */
async function ownEntries(field: Field, context: SearchContext): Promise<readonly number[]> {
  const id = refuseOtherThanSelf(context.viewer, field);
  return (await bindOf(field).self?.(field, id, context)) ? [id] : [];
}

/** The entries that values mean; unknown ones mean none. All of them are looked up at once. */
async function entriesFor(
  lookup: Lookup,
  field: Field,
  values: readonly ComparedValue[],
  context: SearchContext,
): Promise<readonly number[]> {
  const { texts, hasViewer } = namedEntries(list, field, values, bindOf(field).self !== undefined);
  const own = hasViewer ? await ownEntries(field, context) : [];
  const known = texts.length === 0 ? [] : await lookup(field, texts, context);
  return [...new Set([...own, ...known])];
}

const shown = (value: ComparedValue) =>
  value.is === 'text' || value.is === 'number' ? value.text : functionNamed(value);

/** What comparisons with lists mean whose entries are found like this. */
export function listComparing(lookup: Lookup): NonNullable<SearchRules['compare']> {
  return async (field, comparison, context) => {
    if (comparedToNothing(field, comparison, list))
      return unlessNegated(comparison, not({ is: 'filled', fieldId: field.id }));
    refuseManyValues(field, comparison.values);
    const entries = await entriesFor(lookup, field, comparison.values, context);
    // Where some values are known, those that are not never match.
    if (entries.length === 0) throw unknownValues(field, comparison.values.map(shown));
    return unlessNegated(comparison, { is: 'listed', fieldId: field.id, entries });
  };
}

/** How lists are searched whose values are chosen. */
export const listSearch: SearchRules = {
  operators: ['contains'],
  criterion: (field, { value }) => listedAmong(field, criterionIds(field, value, plainId)),
  compare: listComparing((field, texts, context) => bindOf(field).searched(field, texts, context)),
};
