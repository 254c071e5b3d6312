import { partsOf, Refusal, type RefusalData } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import type { ArtifactDeps } from './change.ts';
import { checkNew, type NewArtifact } from './create.ts';
import type { RepeatableWrite } from './once.ts';
import { type ArtifactUpdate, checkUpdate } from './update.ts';

/** A change that is tried before it is made. */
export type PlannedChange =
  | { readonly kind: 'new'; readonly artifact: NewArtifact & RepeatableWrite }
  | { readonly kind: 'update'; readonly update: ArtifactUpdate & RepeatableWrite };

/** What would come of a change. */
export interface Verdict {
  readonly isChange: boolean;
  /** Why it would be refused; empty when it would not. */
  readonly faults: readonly RefusalData[];
}

async function isChange(
  tx: Transaction,
  viewer: Viewer,
  planned: PlannedChange,
  deps: ArtifactDeps,
): Promise<boolean> {
  if (planned.kind === 'update') return checkUpdate(tx, viewer, planned.update, deps);
  await checkNew(tx, viewer, planned.artifact, deps);
  return true;
}

async function verdictOn(
  tx: Transaction,
  viewer: Viewer,
  planned: PlannedChange,
  deps: ArtifactDeps,
): Promise<Verdict> {
  try {
    return { isChange: await isChange(tx, viewer, planned, deps), faults: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isChange: false, faults: partsOf(error) };
  }
}

/** Tells what would come of each change by itself. Nothing of it stays, locks included. */
export async function tryChanges(
  tx: Transaction,
  viewer: Viewer,
  changes: readonly PlannedChange[],
  deps: ArtifactDeps,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const planned of changes)
    await tx.tentatively(async () => {
      verdicts.push(await verdictOn(tx, viewer, planned, deps));
      return false;
    });
  return verdicts;
}
