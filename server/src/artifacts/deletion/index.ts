export { type DeletionTools, deleteWithArchive } from './deleting.ts';
export { type DeletedArtifact, listDeleted } from './listing.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletionArchive,
  readChangesets,
  readFacts,
} from './model.ts';
export { deletionOperations } from './operations.ts';
export { type RestorationTools, restoreFromArchive } from './restoration.ts';
