import type { Calls } from '../../storage/index.ts';
import { type ArtifactDeps, operationsIn } from '../context.ts';
import { moveArtifact } from './move-tx.ts';

export function moveOperations(deps: ArtifactDeps) {
  return operationsIn(deps, { moveArtifact });
}

export type MoveOperations = Calls<ReturnType<typeof moveOperations>>;
