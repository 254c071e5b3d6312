export { type Column, columnTypeOf, isColumnName } from './across/columns.ts';
export { findAcross } from './across/find.ts';
export { fieldIn, semanticField } from './across/names.ts';
export { crossTrackerOperations, crossTrackerSearches } from './across/operations.ts';
export { orderOf } from './across/order.ts';
export type { FoundContent } from './across/run.ts';
export { listQueries, requireQuery, type SavedQuery } from './across/saved-queries.ts';
export { listWidgets, requireWidget, type Widget } from './across/widgets.ts';
export { fieldNamed, parseCriteria, requireShallow } from './criteria/criteria.ts';
export { reportCondition, reportLanguage } from './criteria/reports.ts';
export {
  blamedOn,
  both,
  type CombinedSelection,
  type Selection,
  selectedBy,
  selectedByAll,
} from './criteria/selection.ts';
export { searchOperations } from './index/engines.ts';
export { entriesOf } from './index/entries.ts';
export { findAllIds, findIds, findIdsAfter } from './index/find.ts';
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
} from './index/index-writes.ts';
export { blocksInUse, IndexKeeper, pendEverything } from './index/keeper.ts';
export type { Limits } from './index/limits.ts';
export { noteLinkedTrackers, noteNewLinks } from './index/linked-trackers.ts';
export { findNewest } from './index/newest.ts';
export { isReadable as isReadableComment, rankColumn } from './index/predicates.ts';
export { trackersWith } from './index/prefilter.ts';
export { findRanked, type RankedId, type RankedTarget } from './index/ranked.ts';
export type { FindingPage, IdPage, Target } from './index/search-index.ts';
export { newestFirst, type Order } from './index/sort-order.ts';
export {
  type CountBucket,
  type Counts,
  type CountsBy,
  countBuckets,
} from './table/counts.ts';
export { findSorted } from './table/find.ts';
export { tableOrder } from './table/order.ts';
export { conditionOf, fieldCondition, refuseComplex } from './tql/conditions.ts';
export { linkCondition } from './tql/links.ts';
export { parseQuery } from './tql/parser.ts';
export { SyntaxFault } from './tql/scanner.ts';
export {
  type Alternatives,
  type CrossQuery,
  costOf,
  leavesOf,
  type Query,
  type Term,
} from './tql/tree.ts';
export {
  canReadLinks,
  isVisible,
  linkField,
  memberIds,
  type ReadContext,
  sizeForAll,
  viewAtOnce,
  viewFor,
  viewOfArtifact,
} from './visibility.ts';
