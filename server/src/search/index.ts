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
export { rankColumn } from './leaves.ts';
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
} from './upkeep.ts';
export { isVisible, type Sight, viewAtOnce, viewFor } from './visibility.ts';
