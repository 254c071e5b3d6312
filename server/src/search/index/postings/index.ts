/*
 * Searches answered by sets of bits: a posting for each value of each field, and the words of texts. They are derived from rows in the
 * background (`keep.ts`, `merge.ts`, `word-merge.ts`); rows are asked about what was noted since. Read `evaluate.ts` first: how a plan
 * becomes a set. Both engines keep the same postings; what each does in its own way is its `PostingsEngine`.
 *
 * postings.ts         which postings tell of a condition; date-buckets.ts those of ranges of days, sorted-numbers.ts of numbers
 * words.ts            the words of a block of artifacts; word-search.ts what they tell of a part of a text
 * table-page.ts       pages of one tracker, sorted by several things; sorted-page.ts of several trackers
 * rebuild.ts          forgets what is derived, so that it is merged once more
 */

import { visiblePlan } from '../plan.ts';
import { type PostingsEngine, type SearchIndex, searchRunIn } from '../search-index.ts';
import { planRange } from './date-buckets.ts';
import { findSet, openIndex, setFor } from './evaluate.ts';
import { mergePostings } from './keep.ts';
import { storeMerge } from './merge.ts';
import { blocksInUse, renewBlock } from './rebuild.ts';
import { sortedPage } from './sorted-page.ts';
import { tablePage } from './table-page.ts';
import { storeWords } from './word-merge.ts';

export { findPending, TooMuchPending } from './evaluate.ts';
export { mergeWords } from './word-merge.ts';
export { askWords, type ToldByWords } from './word-search.ts';

/** How artifacts are found by postings, whatever the engine. */
export const postingsIndex = {
  async page(finding, target, page) {
    const found = await setFor(finding, target);
    return { ids: found.page(page), size: found.size };
  },
  ids: async (finding, target) => (await setFor(finding, target)).all(),
  idsAfter: async (finding, target, { after, limit }) => (await setFor(finding, target)).after(after, limit),
  async setOf(finding, view, plan) {
    const searchRun = searchRunIn(finding, { view });
    return findSet(searchRun, [await visiblePlan(searchRun), plan], openIndex(searchRun));
  },
  sortedPage,
  tablePage,
  planRange,
  blocksInUse,
} satisfies Partial<SearchIndex>;

/** How postings are kept on an engine. */
export const keepingOn = (engine: PostingsEngine) =>
  ({
    mergePostings: (deps, stopping) => mergePostings(deps, engine, stopping),
    upkeep: {
      storeMerge: (tx, merge) => storeMerge(tx, engine, merge),
      storeWords: (tx, part) => storeWords(tx, engine, part),
      renewBlock: (tx, block) => renewBlock(tx, engine, block),
    },
  }) satisfies Pick<SearchIndex, 'mergePostings'> & { upkeep: Omit<SearchIndex['upkeep'], 'mergeTexts'> };
