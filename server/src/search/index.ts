export { type ListCriterion, parseCriteria, readCriteria } from './criteria.ts';
export {
  type FindingPage,
  type FoundArtifact,
  findAcross,
  findAllIds,
  findIds,
  findIdsAfter,
  type IdPage,
  type Target,
} from './finding.ts';
export { IndexKeeper, searchOperations } from './keeper.ts';
export { rankColumn } from './leaves.ts';
export type { Limits } from './limits.ts';
export { blocksInUse } from './renewal.ts';
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
export { isVisible, type Sight, viewAtOnce, viewFor } from './visibility.ts';
