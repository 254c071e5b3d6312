import { type Instant, second } from '../../kernel/clock.ts';
import { invalidMember } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { RankedTarget } from '../../search/index.ts';
import {
  allOf,
  anyOf,
  anything,
  type Condition,
  type Field,
  isOpenCondition,
  not,
  type TrackerView,
} from '../../trackers/index.ts';

/** Where words are found, the best place first. */
export const places = ['title', 'text', 'comment', 'file'] as const;
export type FoundPlace = (typeof places)[number];

const mostParts = 10;

/** The parts that are looked for: words, and phrases in quotes. Folded. */
export function partsIn(words: string): string[] {
  const input = [...words.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, phrase]) =>
    fold(phrase ?? word).trim(),
  );
  const parts = [...new Set(input)].filter((part) => part !== '');
  if (parts.length === 0) throw invalidMember('words', 'Expecting words to look for.');
  if (parts.length > mostParts) throw invalidMember('words', `At most ${mostParts} words can be looked for.`);
  return parts;
}

export interface SearchedFields {
  readonly title: Field | undefined;
  readonly texts: readonly Field[];
  readonly files: readonly Field[];
}

/** The fields in which words are looked for: those that the viewer may read. */
export function searchedFields({ shown, tracker }: TrackerView): SearchedFields {
  const isTitle = ({ id }: Field) => id === tracker.semantics.title?.fieldId;
  const worded = shown.filter(({ type }) => type.value?.searchable !== undefined);
  return {
    title: worded.find(isTitle),
    texts: worded.filter((field) => !isTitle(field)),
    files: shown.filter(({ type }) => type.value?.files !== undefined),
  };
}

const within = (is: 'containing' | 'file', fields: readonly Field[], part: string): Condition[] =>
  fields.map(({ id }) => ({ is, fieldId: id, part }));

/** What each place means for a part. */
const inPlaces = ({ title, texts, files }: SearchedFields, part: string): readonly Condition[] => [
  anyOf(within('containing', title === undefined ? [] : [title], part)),
  anyOf(within('containing', texts, part)),
  { is: 'commented', part },
  anyOf(within('file', files, part)),
];

/** What else is asked of artifacts than to have words. */
export interface FurtherFilters {
  readonly isOpen?: boolean | undefined;
  /** As dates are told: to the second. */
  readonly updatedAfter?: Instant | undefined;
}

function filterConditions(
  view: TrackerView,
  { isOpen, updatedAfter }: FurtherFilters,
): Condition | undefined {
  if (isOpen === undefined && updatedAfter === undefined) return undefined;
  const open = isOpen === undefined ? anything : isOpenCondition(view);
  const after: Condition =
    updatedAfter === undefined
      ? anything
      : { is: 'fact', fact: 'modifiedOn', range: { from: updatedAfter + second } };
  return allOf([isOpen === false ? not(open) : open, after]);
}

/** All parts must be there; the worst place that it takes for that is the rank. Long ones, which few have, come first. */
export function rankedTarget(
  view: TrackerView,
  parts: readonly string[],
  filters: FurtherFilters,
): RankedTarget {
  const fields = searchedFields(view);
  const ordered = parts.toSorted((left, right) => right.length - left.length);
  const sought = ordered.map((part) => inPlaces(fields, part));
  return { view, sought, within: filterConditions(view, filters) };
}
