/*
 * The search index: which artifacts meet a condition.
 *
 * search-index.ts  SearchIndex, the one interface that every engine implements: read it first
 * engines.ts       the only file that knows which implementation belongs to which engine: sqlite/ or postgres/
 * postings/        sets of bits that answer searches on both engines, and how they are kept
 * find.ts          a condition in, pages of ids out, within a deadline (deadline.ts, limits.ts)
 * plan.ts          what the index cannot tell by itself: who sees what, and patterns (patterns.ts)
 * predicates.ts    conditions over rows that both engines answer alike; sql.ts pieces of SQL; id-set.ts sets of ids
 * prefilter.ts, prefilter-queries.ts, linked-trackers.ts, newest.ts, ranked.ts   ways to leave out most trackers before looking
 * index-writes.ts  what a write leaves in the index, in its transaction; entries.ts what of a value; keeper.ts merges it later
 * sort-order.ts    in which order ids come; parents.ts what has which parent
 *
 * No write that was committed is missed by a search that begins after it.
 */

export { searchOperations } from './engines.ts';
export { entriesOf } from './entries.ts';
export { findAllIds, findIds, findIdsAfter, search, withAllIds } from './find.ts';
export { IdSet } from './id-set.ts';
export {
  changeReaders,
  type FoundComment,
  forgetComments,
  forgetTexts,
  type IndexRows,
  indexComments,
  indexFiles,
  indexNew,
  indexRowsOf,
  insertIndexRows,
  noteChanged,
  reindex,
  reindexComment,
  textOfFiles,
} from './index-writes.ts';
export { blocksInUse, IndexKeeper, pendEverything } from './keeper.ts';
export type { Limits } from './limits.ts';
export { noteLinkedTrackers, noteNewLinks } from './linked-trackers.ts';
export { findNewest } from './newest.ts';
export { parentRows, viewsOfParents } from './parents.ts';
export { planOf } from './plan.ts';
export { factColumn, isReadable, rankColumn } from './predicates.ts';
export { trackersWith } from './prefilter.ts';
export { countRanked, findRanked, type RankedTarget } from './ranked.ts';
export {
  type Finding,
  type FindingPage,
  type IdPage,
  type SearchOptions,
  searchRunIn,
  type Target,
} from './search-index.ts';
export {
  directionOfIds,
  type Key,
  newestFirst,
  type Order,
  type PlacedList,
  type Places,
  type TableKey,
  type TableOrder,
  type TableSort,
} from './sort-order.ts';
export { all, type SqlPiece } from './sql.ts';
