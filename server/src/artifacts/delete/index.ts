/*
 * Artifacts that are deleted, and brought back.
 *
 * delete.ts   archives an artifact, then deletes it (delete-tx.ts); cleanup.ts clears what a crash between the two leaves
 * restore.ts  the way back, in as many transactions as the history takes (restore-tx.ts, reinsert.ts)
 * list.ts     what can be brought back; purge.ts artifacts of projects whose time is over
 * model.ts    an artifact as archives carry it
 *
 * An artifact is deleted only once its archive is on the disk (decision 20). How many one person may delete in a day is in `artifacts/deletion-limit.ts`.
 */

export { deleteWithArchive } from './delete.ts';
export { type DeletedArtifact, listDeleted } from './list.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletionArchive,
  readArchivedChangesets,
  readFacts,
} from './model.ts';
export { deletionOperations } from './operations.ts';
export { restoreFromArchive } from './restore.ts';
