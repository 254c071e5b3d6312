export { type Column, columnTypeOf, isColumnName } from './across/columns.ts';
export { findAcross } from './across/finding.ts';
export { fieldIn, semanticField } from './across/names.ts';
export { crossTrackerOperations, crossTrackerSearches } from './across/operations.ts';
export { newestFirst, type Order, orderOf } from './across/ordering.ts';
export type { FoundContent } from './across/running.ts';
export { listQueries, requireQuery, type SavedQuery } from './across/saved-queries.ts';
export { listWidgets, requireWidget, type Widget } from './across/widgets.ts';
export { parseCriteria, requireShallow } from './criteria.ts';
export {
  type FindingPage,
  findAllIds,
  findIds,
  findIdsAfter,
  type IdPage,
  type Target,
} from './finding.ts';
export { IndexKeeper, searchOperations } from './keeper.ts';
export { rankColumn } from './leaves.ts';
export type { Limits } from './limits.ts';
export { noteLinkedTrackers, noteNewLinks } from './linked-trackers.ts';
export { trackersWith } from './places.ts';
export { findRanked, type RankedId, type RankedTarget } from './ranked.ts';
export { blocksInUse, pendEverything } from './renewal.ts';
export { reportCondition, reportLanguage } from './reports.ts';
export { type Selection, selectedBy } from './selection.ts';
export { conditionOf, fieldCondition, refuseComplex } from './tql/checking.ts';
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
  changeReaders,
  entriesOf,
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
} from './upkeep.ts';
export {
  canReadLinks,
  isVisible,
  linkField,
  type Sight,
  sizeForAll,
  viewAtOnce,
  viewFor,
} from './visibility.ts';
