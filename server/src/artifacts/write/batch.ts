import { unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { versionTag, type WrittenArtifact } from '../read/index.ts';
import type { DryRunVerdict, PlannedChange } from './dry-run.ts';
import type { WriteOperations } from './operations.ts';

/** Why something was not done, in the words of the API. */
export interface Explained {
  readonly code: number;
  readonly message: string;
}

/** What making many changes works with. */
export interface BatchDeps {
  readonly operations: Pick<
    WriteOperations,
    'tryChanges' | 'createArtifact' | 'updateArtifact' | 'settleParts'
  >;
  /** Erases bytes of files that nothing needs any more. */
  erase(released: readonly string[]): Promise<void>;
  explain(error: unknown): Explained;
  /** Whether the service stops so soon that nothing more should be begun. */
  isLate(): boolean;
}

/** What came of a change, or what would come of it. */
export interface ChangeResult {
  /** Null for an artifact that was not made. */
  readonly artifactId: number | null;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly changesetId: number | null;
  /** The version that the artifact has now, where that was looked at. */
  readonly version: string | null;
  readonly refusal: Explained | null;
}

/** Changes that are tried in one transaction. */
const triedAtOnce = 10;
/** As many as are stored together. */
const madeAtOnce = 8;

export const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, chunk) =>
    items.slice(chunk * size, (chunk + 1) * size),
  );

const nothingMade = () => unavailable('The service is stopping. Nothing was changed.', { retryAfter: 5 });

/** What would come of each change. */
export async function tryAll(
  { operations, isLate }: BatchDeps,
  viewer: Viewer,
  changes: readonly PlannedChange[],
): Promise<DryRunVerdict[]> {
  const verdicts: DryRunVerdict[] = [];
  for (const some of chunksOf(changes, triedAtOnce)) {
    if (isLate()) throw nothingMade();
    verdicts.push(...(await operations.tryChanges(viewer, { changes: some })));
  }
  return verdicts;
}

async function make(
  { operations, erase }: BatchDeps,
  viewer: Viewer,
  change: PlannedChange,
): Promise<WrittenArtifact> {
  if (change.kind === 'new') return operations.createArtifact(viewer, change.artifact);
  const written = await operations.updateArtifact(viewer, change.update);
  await erase(written.released);
  return written;
}

const idOf = (change: PlannedChange) => (change.kind === 'update' ? change.update.id : null);

async function resultOf(deps: BatchDeps, viewer: Viewer, change: PlannedChange): Promise<ChangeResult> {
  try {
    const { row, changesetId = null } = await make(deps, viewer, change);
    const changed = changesetId === null ? 'unchanged' : 'changed';
    const outcome = change.kind === 'new' ? 'created' : changed;
    return { artifactId: row.id, outcome, changesetId, version: versionTag(row), refusal: null };
  } catch (error) {
    const refusal = deps.explain(error);
    return { artifactId: idOf(change), outcome: 'refused', changesetId: null, version: null, refusal };
  }
}

/**
 * Makes changes, each in a transaction of its own, so that those of others come in between. When the service stops before
 * all are made, there are results of the first of them only, and none of the others was begun.
 */
export async function makeAll(
  deps: BatchDeps,
  viewer: Viewer,
  changes: readonly PlannedChange[],
): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  for (const some of chunksOf(changes, madeAtOnce)) {
    if (deps.isLate()) break;
    results.push(...(await Promise.all(some.map((change) => resultOf(deps, viewer, change)))));
  }
  return results;
}
