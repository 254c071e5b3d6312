export { type DeletionDeps, deleteWithArchive } from './delete.ts';
export { type DeletedArtifact, listDeleted } from './list.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletionArchive,
  readChangesets,
  readFacts,
} from './model.ts';
export { deletionOperations } from './operations.ts';
export { type RestoreDeps, restoreFromArchive } from './restore.ts';
