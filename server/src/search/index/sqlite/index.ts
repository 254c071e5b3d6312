/*
 * What searches on SQLite have of their own: an index of the parts of texts (`text-search.ts`), which is derived in the background
 * (`keep.ts`, `text-merge.ts`) as postings are, and how changes are noted (`pending.ts`). `newest.ts` finds the newest texts with some parts,
 * `prefilter.ts` trackers that have texts with one, `postings-engine.ts` is how SQLite is asked about postings. All else is in `postings/`.
 */

import { keepingOn, postingsIndex } from '../postings/index.ts';
import type { SearchIndex } from '../search-index.ts';
import { mergeTexts } from './keep.ts';
import { newest } from './newest.ts';
import { noteChanged, noteTexts, pendEverything } from './pending.ts';
import { sqliteEngine } from './postings-engine.ts';
import { trackersWith } from './prefilter.ts';
import { mergeTexts as mergeSomeTexts } from './text-merge.ts';

const { mergePostings, upkeep } = keepingOn(sqliteEngine);

export const sqliteIndex: SearchIndex = {
  ...postingsIndex,
  trackersWith,
  newest,
  noteChanged,
  noteTexts,
  pendEverything,
  mergePostings,
  isMergeDue: async () => true,
  mergeTexts: (deps, how) => mergeTexts(deps, sqliteEngine, how),
  engine: sqliteEngine,
  upkeep: { ...upkeep, mergeTexts: mergeSomeTexts },
};
