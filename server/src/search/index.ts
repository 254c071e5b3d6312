/*
 * Searching: from what is asked to ids of artifacts. Each sub-room has a map of its own.
 *
 * criteria/  and tql/  make conditions of what clients write; field-names.ts what a name means in one tracker
 * index/     finds artifacts by conditions: one SearchIndex, with an implementation for each engine
 * table/     one tracker, sorted and counted; across/ several trackers and the widgets that keep queries
 * context.ts     what every read is handed, and a plain list of reads as searches
 * visibility.ts  which artifacts a viewer sees, as a part of every statement
 *
 * Sizes are exact and pages are full: what the viewer may not see is left out before anything is counted.
 */

export {
  columnTypeOf,
  crossTrackerOperations,
  crossTrackerSearches,
  type FoundContent,
  fieldIn,
  findAcross,
  isColumnName,
  type KeptQuery,
  keptQueriesOfAccounts,
  listKeptQueries,
  listQueries,
  listWidgets,
  orderOf,
  type QueryColumn,
  requireQuery,
  requireWidget,
  type SavedQuery,
  semanticField,
  type Widget,
} from './across/index.ts';
export {
  provenSearchesIn,
  type ReadContext,
  readContextIn,
  readContextOf,
  requireTracker,
  searchesIn,
} from './context.ts';
export {
  blamedOn,
  both,
  type CombinedSelection,
  parseCriteria,
  queriesInTrackers,
  reportCondition,
  reportLanguage,
  requireShallow,
  type Selection,
  selectedBy,
  selectedByAll,
} from './criteria/index.ts';
export { fieldNamed } from './field-names.ts';
export {
  blocksInUse,
  changeReaders,
  countRanked,
  entriesOf,
  type FoundComment,
  findAllIds,
  findIds,
  findIdsAfter,
  findNewest,
  findRanked,
  forgetComments,
  forgetTexts,
  type IdPage,
  IndexKeeper,
  type IndexRows,
  indexComments,
  indexFiles,
  indexNew,
  indexRowsOf,
  insertIndexRows,
  isReadable as isReadableComment,
  type Limits,
  newestFirst,
  noteChanged,
  noteLinkedTrackers,
  noteNewLinks,
  type Order,
  pendEverything,
  type RankedTarget,
  rankColumn,
  reindex,
  reindexComment,
  searchOperations,
  type Target,
  textOfFiles,
  trackersWith,
  withAllIds,
} from './index/index.ts';
export {
  type CountBucket,
  type Counts,
  type CountsBy,
  countBuckets,
  findSorted,
  parentName,
  tableOrder,
} from './table/index.ts';
export {
  type Alternatives,
  costOf,
  parseQuery,
  type Query,
  relabelledInQuery,
  renamedInQuery,
  SyntaxFault,
  type Term,
} from './tql/index.ts';
export {
  canReadLinks,
  isVisible,
  linkField,
  memberIds,
  sizeForAll,
  viewFor,
  viewOfArtifact,
} from './visibility.ts';
