import type { Viewer } from '../../kernel/viewer.ts';
import type { Calls, Transaction } from '../../storage/index.ts';
import { type ArtifactDeps, operationsIn } from '../context.ts';
import { purgeDeletions } from '../deletion-limit.ts';
import { clearRemains } from './cleanup.ts';
import { deleteArtifact } from './delete-tx.ts';
import { purgeArtifacts } from './purge.ts';
import {
  beginRestoration,
  clearForRestoration,
  finishRestoration,
  restoreBytes,
  restoreChangesets,
  restoreFile,
} from './restore-tx.ts';

/** Everything that deletes artifacts and brings them back. */
export function deletionOperations(deps: ArtifactDeps) {
  return {
    ...operationsIn(deps, { deleteArtifact, purgeArtifacts, beginRestoration, finishRestoration }),
    purgeDeletions: (tx: Transaction, _: Viewer, __: undefined) => purgeDeletions(tx),
    clearRemains,
    clearForRestoration,
    restoreChangesets,
    restoreFile,
    restoreBytes,
  };
}

export type DeletionOperations = Calls<ReturnType<typeof deletionOperations>>;
