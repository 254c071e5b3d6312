import type { Viewer } from '../../kernel/viewer.ts';
import type { Calls, Transaction } from '../../storage/index.ts';
import { purgeDeletions } from '../deletion-limit.ts';
import type { ArtifactDeps } from '../write/index.ts';
import { clearRemains } from './cleanup.ts';
import { type Deletion, deleteArtifact } from './delete-tx.ts';
import type { ArchivedFacts } from './model.ts';
import { purgeArtifacts } from './purge.ts';
import {
  beginRestoration,
  clearForRestoration,
  finishRestoration,
  type Restorer,
  restoreBytes,
  restoreChangesets,
  restoreFile,
} from './restore-tx.ts';

/** Everything that deletes artifacts and brings them back. */
export function deletionOperations(deps: ArtifactDeps) {
  return {
    deleteArtifact: (tx: Transaction, viewer: Viewer, input: Deletion) =>
      deleteArtifact(tx, viewer, input, deps),
    purgeDeletions: (tx: Transaction, _: Viewer, __: undefined) => purgeDeletions(tx),
    clearRemains,
    purgeArtifacts: (tx: Transaction, viewer: Viewer, input: { projectId: number }) =>
      purgeArtifacts(tx, viewer, input, deps),
    beginRestoration: (tx: Transaction, viewer: Viewer, input: Restorer) =>
      beginRestoration(tx, viewer, input, deps),
    clearForRestoration,
    restoreChangesets,
    restoreFile,
    restoreBytes,
    finishRestoration: (
      tx: Transaction,
      viewer: Viewer,
      input: Restorer & { readonly facts: ArchivedFacts },
    ) => finishRestoration(tx, viewer, input, deps),
  };
}

export type DeletionOperations = Calls<ReturnType<typeof deletionOperations>>;
