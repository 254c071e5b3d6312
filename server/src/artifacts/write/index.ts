/*
 * Artifacts that are made and changed.
 *
 * update.ts        one change from the request to the changeset: read it first; create.ts is the same for new ones
 * input.ts         what a request asks for, field by field; changes.ts what one changeset has of it
 * text-bounds.ts   how much text an artifact may have; comment-text.ts the same of a comment, and what of it is kept
 * change.ts        what one change carries along; locks.ts whom it must lock first
 * workflow.ts      GovernedChanges: nothing is saved that the workflow and the rules were not asked about
 * consequences.ts  the only place that writes rows of artifacts, with all that follows from it
 * changeset.ts     the row of the history; comment.ts comments and their versions; counters.ts numbers in the tracker; people.ts who is in it
 * other-ends.ts    changesets of the artifacts that get or lose a link
 * triggers.ts, trigger-events.ts, side-effects.ts   what the workflow wants done after a change
 * outbox.ts        events for whoever is told; ci-jobs.ts and ci-job-calls.ts calls of build servers
 * batch.ts, dry-run.ts   many changes, and changes that are only tried; once.ts writes that are sent twice
 *
 * A change is one transaction: all of it is there, with its index, sums and events, or nothing is.
 */

export { type BatchDeps, type ChangeResult, chunksOf, makeAll, tryAll } from './batch.ts';
export { beginChange, type Change } from './change.ts';
export { addChangeset, newGrants, nextMoment } from './changeset.ts';
export { hasDueCalls, makeCalls } from './ci-job-calls.ts';
export { hostsIn, isAllowedAddress } from './ci-jobs.ts';
export { type CommentVersion, readCommentVersions } from './comment.ts';
export { storedComment } from './comment-text.ts';
export {
  insertRows,
  type LinkToStore,
  moveRow,
  record,
  recordDeletion,
  recordImported,
  recordImportedLinks,
  restoreRow,
  type UnrecordedRow,
  type UnrecordedRows,
  type WriteScope,
} from './consequences.ts';
export { countIn, countOut } from './counters.ts';
export type { NewArtifact, ValueSource } from './create.ts';
export type { PlannedChange } from './dry-run.ts';
export { lockWithNeighbours } from './locks.ts';
export { keptWhole, type RequestKey, repeatable } from './once.ts';
export { writeOperations } from './operations.ts';
export { announce } from './outbox.ts';
export { requireBoundedText } from './text-bounds.ts';
export { type Precondition, requireUpdatable } from './update.ts';
