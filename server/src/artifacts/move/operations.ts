import type { Viewer } from '../../kernel/viewer.ts';
import type { Calls, Transaction } from '../../storage/index.ts';
import type { ArtifactDeps } from '../write/index.ts';
import type { MoveRequest } from './model.ts';
import { type MoveProgress, moveArtifact } from './move-tx.ts';

export function moveOperations(deps: ArtifactDeps) {
  return {
    moveArtifact: (
      tx: Transaction,
      viewer: Viewer,
      input: MoveRequest & { readonly progress?: MoveProgress | undefined },
    ) => moveArtifact(tx, viewer, input, deps),
  };
}

export type MoveOperations = Calls<ReturnType<typeof moveOperations>>;
