import type { Viewer } from '../../kernel/viewer.ts';
import type { Calls, Transaction } from '../../storage/index.ts';
import type { ArtifactDeps } from './change.ts';
import { settleJobCall, takeJobCalls } from './ci-jobs.ts';
import { addComment, type CommentEdit, editComment, type NewComment } from './comment.ts';
import { createArtifact, type NewArtifact } from './create.ts';
import { type PlannedChange, tryChanges } from './dry-run.ts';
import { keptArtifact, keptWhole, once, purgeRequestKeys, type RepeatableWrite } from './once.ts';
import { type ArtifactUpdate, updateArtifact } from './update.ts';

/** Everything that makes artifacts and changes what they hold. */
export function writeOperations(deps: ArtifactDeps) {
  return {
    createArtifact: (tx: Transaction, viewer: Viewer, input: NewArtifact & RepeatableWrite) =>
      once(
        tx,
        viewer,
        input,
        () => createArtifact(tx, viewer, input, deps),
        keptArtifact(tx, viewer, deps.trackers, true),
      ),
    updateArtifact: (tx: Transaction, viewer: Viewer, input: ArtifactUpdate & RepeatableWrite) =>
      once(
        tx,
        viewer,
        input,
        () => updateArtifact(tx, viewer, input, deps),
        keptArtifact(tx, viewer, deps.trackers, false),
      ),
    tryChanges: (tx: Transaction, viewer: Viewer, input: { readonly changes: readonly PlannedChange[] }) =>
      tryChanges(tx, viewer, input.changes, deps),
    addComment: (tx: Transaction, viewer: Viewer, input: NewComment & RepeatableWrite) =>
      once(tx, viewer, input, () => addComment(tx, viewer, input, deps), keptWhole()),
    editComment: (tx: Transaction, viewer: Viewer, input: CommentEdit & RepeatableWrite) =>
      once(tx, viewer, input, () => editComment(tx, viewer, input, deps), keptWhole()),
    purgeRequestKeys: (tx: Transaction, _viewer: Viewer, _input: undefined) => purgeRequestKeys(tx),
    takeJobCalls,
    settleJobCall,
  };
}

export type WriteOperations = Calls<ReturnType<typeof writeOperations>>;
