import type { Fact, Range } from '../../../trackers/index.ts';
import type { FarTrackers, Leaf, Linked, SearchScope } from '../predicates.ts';
import { spanKey } from './date-buckets.ts';

/** Postings by their keys, all from one key to another, or those in a range of what one has sorted. */
export type Postings =
  | readonly string[]
  | { readonly from: string; readonly to: string }
  | { readonly sorted: string; readonly range: Range };

/** The postings in which a leaf is answered; undefined where only rows tell. */
export function postingsOf(leaf: Leaf, { view }: SearchScope): Postings | undefined {
  switch (leaf.is) {
    case 'in tracker':
      return [postingKeys.tracker(view.tracker.id)];
    case 'restricted':
      return [postingKeys.restricted];
    case 'listed':
      return leaf.entries.map((entry) => postingKeys.listed(leaf.fieldId, entry));
    case 'filled':
      return [postingKeys.filled(leaf.fieldId)];
    case 'by':
      return leaf.accountIds.map((id) => postingKeys[leaf.who](id));
    case 'commented publicly':
      return [postingKeys.commented];
    case 'linked':
      return leaf.end.is === 'anything' && leaf.among !== undefined
        ? linkPostings(leaf, leaf.among)
        : undefined;
    case 'measured':
      return view.tracker.elementById.get(leaf.fieldId)?.type.value?.hasSortedMeasures
        ? { sorted: postingKeys.sorted(leaf.fieldId), range: leaf.range }
        : undefined;
    case 'in spans': {
      const { of, spans } = leaf;
      const key =
        of.is === 'measured'
          ? (span: number) => postingKeys.measured(of.fieldId, span)
          : (span: number) => postingKeys.fact(of.fact, view.tracker.id, span);
      return { from: key(spans.first), to: key(spans.last) };
    }
    default:
      return undefined;
  }
}

/** Ends that are for certain groups only have postings of their own. */
const linkPostings = ({ direction, type }: Linked, { whole, open }: FarTrackers): string[] => [
  ...[...whole, ...open].map((id) => postingKeys.linked(direction, id, { type, isRestricted: false })),
  ...whole.map((id) => postingKeys.linked(direction, id, { type, isRestricted: true })),
];

const sortedPrefix = 'sorted ';
/** Whether a posting is no set of ids, but has numbers with their artifacts. */
export const isSortedKey = (key: string) => key.startsWith(sortedPrefix);

/** How postings are named. */
export const postingKeys = {
  restricted: 'restricted',
  commented: 'commented',
  tracker: (id: number) => `tracker ${id}`,
  submitter: (id: number) => `submitter ${id}`,
  editor: (id: number) => `editor ${id}`,
  listed: (fieldId: number, entry: number) => `listed ${fieldId} ${entry}`,
  filled: (fieldId: number) => `filled ${fieldId}`,
  measured: (fieldId: number, span: number) => `measured ${fieldId} ${spanKey(span)}`,
  /** Not a set of ids: all numbers of the field with the artifacts that have them. */
  sorted: (fieldId: number) => `${sortedPrefix}${fieldId}`,
  fact: (fact: Fact, trackerId: number, span: number) => `${fact} ${trackerId} ${spanKey(span)}`,
  /** By the tracker at the other end. Of links of any type, unless one is named; the empty one is a type, too. */
  linked: (
    direction: 'forward' | 'reverse',
    trackerId: number,
    { type, isRestricted }: { readonly type?: string | undefined; readonly isRestricted: boolean },
  ) => `${isRestricted ? 'closed ' : ''}${direction} ${trackerId}${type === undefined ? '' : ` ${type}`}`,
} as const;
