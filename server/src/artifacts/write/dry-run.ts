import { partsOf, Refusal, type RefusalData } from '../../kernel/errors.ts';
import type { WriteContext } from '../context.ts';
import { checkNew, type NewArtifact } from './create.ts';
import type { RepeatableWrite } from './once.ts';
import { type ArtifactUpdate, checkUpdate } from './update.ts';

/** A change that is tried before it is made. */
export type PlannedChange =
  | { readonly kind: 'new'; readonly artifact: NewArtifact & RepeatableWrite }
  | { readonly kind: 'update'; readonly update: ArtifactUpdate & RepeatableWrite };

/** What would come of a change. */
export interface DryRunVerdict {
  readonly isChange: boolean;
  /** Why it would be refused; empty when it would not. */
  readonly faults: readonly RefusalData[];
}

async function isChange(writeContext: WriteContext, planned: PlannedChange): Promise<boolean> {
  if (planned.kind === 'update') return checkUpdate(writeContext, planned.update);
  await checkNew(writeContext, planned.artifact);
  return true;
}

async function verdictOn(writeContext: WriteContext, planned: PlannedChange): Promise<DryRunVerdict> {
  try {
    return { isChange: await isChange(writeContext, planned), faults: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isChange: false, faults: partsOf(error) };
  }
}

/** Tells what would come of each change by itself. Nothing of it stays, locks included. */
export async function tryChanges(
  writeContext: WriteContext,
  { changes }: { readonly changes: readonly PlannedChange[] },
): Promise<readonly DryRunVerdict[]> {
  const verdicts: DryRunVerdict[] = [];
  for (const planned of changes)
    await writeContext.tx.tentatively(async () => {
      verdicts.push(await verdictOn(writeContext, planned));
      return false;
    });
  return verdicts;
}
