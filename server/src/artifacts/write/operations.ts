import type { Viewer } from '../../kernel/viewer.ts';
import type { Calls, Transaction } from '../../storage/index.ts';
import { type ArtifactDeps, operationsIn } from '../context.ts';
import { settleJobCall, takeJobCalls } from './ci-jobs.ts';
import { addComment, editComment } from './comment.ts';
import { createArtifact } from './create.ts';
import { tryChanges } from './dry-run.ts';
import { keptArtifact, keptWhole, purgeRequestKeys, repeatable, settleParts } from './once.ts';
import { updateArtifact } from './update.ts';

/** Everything that makes artifacts and changes what they hold. */
export function writeOperations(deps: ArtifactDeps) {
  return {
    ...operationsIn(deps, {
      createArtifact: repeatable(createArtifact, keptArtifact({ isReference: true })),
      updateArtifact: repeatable(updateArtifact, keptArtifact({ isReference: false })),
      tryChanges,
      addComment: repeatable(addComment, keptWhole()),
      editComment: repeatable(editComment, keptWhole()),
      settleParts,
    }),
    purgeRequestKeys: (tx: Transaction, _viewer: Viewer, _input: undefined) => purgeRequestKeys(tx),
    takeJobCalls,
    settleJobCall,
  };
}

export type WriteOperations = Calls<ReturnType<typeof writeOperations>>;
