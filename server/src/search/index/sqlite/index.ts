/*
 * On SQLite searches are answered by sets of bits: a posting for each value of each field, an index of the parts of texts,
 * and the words of texts. They are derived from rows in the background (`keep.ts`, `merge.ts`, `text-merge.ts`, `word-merge.ts`); until then rows are asked about what
 * `pending.ts` noted. Read `evaluate.ts` first: how a plan becomes a set.
 */

import { visiblePlan } from '../plan.ts';
import { type SearchIndex, searchRunIn } from '../search-index.ts';
import { planRange } from './date-buckets.ts';
import { findSet, setFor } from './evaluate.ts';
import { foldPostings, foldTexts } from './keep.ts';
import { storeFold } from './merge.ts';
import { newest } from './newest.ts';
import { noteChanged, noteTexts } from './pending.ts';
import { trackersWith } from './prefilter.ts';
import { blocksInUse, pendEverything, renewBlock } from './rebuild.ts';
import { sortedPage } from './sorted-page.ts';
import { tablePage } from './table-page.ts';
import { foldTexts as foldSomeTexts } from './text-merge.ts';
import { storeWords } from './word-merge.ts';

/** What keeps the derived parts of the index. */
export const searchOperations = { storeFold, foldTexts: foldSomeTexts, storeWords, renewBlock };

export const sqliteIndex: SearchIndex = {
  async page(finding, target, page) {
    const found = await setFor(finding, target);
    return { ids: found.page(page), size: found.size };
  },
  ids: async (finding, target) => (await setFor(finding, target)).all(),
  idsAfter: async (finding, target, { after, limit }) => (await setFor(finding, target)).after(after, limit),
  async setOf(finding, view, plan) {
    const searchRun = searchRunIn(finding, { view });
    return findSet(searchRun, [await visiblePlan(searchRun), plan]);
  },
  sortedPage,
  tablePage,
  trackersWith,
  newest,
  planRange,
  noteChanged,
  noteTexts,
  pendEverything,
  blocksInUse,
  foldPostings,
  foldTexts,
};
