/*
 * What searches on SQLite have of their own: an index of the parts of texts (`text-search.ts`), which is derived in the background
 * (`keep.ts`, `text-merge.ts`) as postings are, and how changes are noted (`pending.ts`). All else is in `postings/`.
 */

import { keepingOn, postingsIndex } from '../postings/index.ts';
import type { SearchIndex } from '../search-index.ts';
import { foldTexts } from './keep.ts';
import { newest } from './newest.ts';
import { noteChanged, noteTexts, pendEverything } from './pending.ts';
import { sqliteEngine } from './postings-engine.ts';
import { trackersWith } from './prefilter.ts';
import { foldTexts as foldSomeTexts } from './text-merge.ts';

const { foldPostings, upkeep } = keepingOn(sqliteEngine);

export const sqliteIndex: SearchIndex = {
  ...postingsIndex,
  trackersWith,
  newest,
  noteChanged,
  noteTexts,
  pendEverything,
  foldPostings,
  isFoldDue: async () => true,
  foldTexts: (deps, how) => foldTexts(deps, sqliteEngine, how),
  engine: sqliteEngine,
  upkeep: { ...upkeep, foldTexts: foldSomeTexts },
};
