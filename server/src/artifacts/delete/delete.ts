import { readSettings } from '../../identity/index.ts';
import { notFound, type RateLimit, Refusal, unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { requireAllowance } from '../deletion-limit.ts';
import type { Artifact } from '../model.ts';
import { findArtifact } from '../store.ts';
import { readContextOf } from '../visibility.ts';
import { type DeletionOutcome, requireDeletable } from './delete-tx.ts';
import { type ArchivedState, type DeletionArchive, readState } from './model.ts';
import type { DeletionOperations } from './operations.ts';

/** What deleting works with. */
export interface DeletionDeps {
  readonly database: Database;
  readonly trackers: Trackers;
  readonly operations: Pick<DeletionOperations, 'deleteArtifact'>;
  readonly archive: DeletionArchive;
}

/** The artifact, when the viewer may delete it now. */
async function readDeletable(
  { database, trackers }: DeletionDeps,
  viewer: Viewer,
  id: number,
): Promise<{ artifact: Artifact; state: ArchivedState }> {
  const readContext = await readContextOf(database, viewer, trackers);
  const row = await findArtifact(database, id);
  if (row === undefined) throw notFound('There is no such artifact.');
  const artifact = await requireDeletable(readContext, row);
  await requireAllowance(database, viewer);
  return { artifact, state: await readState(database, row) };
}

/** Nobody knows whether a change was stored when the database went away in the middle. */
const mayBeDeleted = (error: unknown) => !(error instanceof Refusal) || error.kind === 'unavailable';

async function deleteArchived(
  { operations, archive }: DeletionDeps,
  viewer: Viewer,
  id: number,
  state: ArchivedState,
  name: string,
): Promise<DeletionOutcome> {
  try {
    const outcome = await operations.deleteArtifact(viewer, { id, state, archive: name });
    if (!outcome.isDone) await archive.discard(name);
    return outcome;
  } catch (error) {
    if (!mayBeDeleted(error)) await archive.discard(name);
    throw error;
  }
}

/** Artifacts that are linked to each other and deleted at once change one another. */
const attempts = 100;

/**
 * Deletes an artifact after its archive is on disk: whatever comes in between, nothing is lost. When the artifact has
 * changed meanwhile it is archived again. Gives how many more the viewer may delete.
 */
export async function deleteWithArchive(deps: DeletionDeps, viewer: Viewer, id: number): Promise<RateLimit> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { artifact, state } = await readDeletable(deps, viewer, id);
    const isArchived = (await readSettings(deps.database)).archive_deleted_items;
    const outcome = isArchived
      ? await deleteArchived(deps, viewer, id, state, await deps.archive.write(artifact))
      : await deps.operations.deleteArtifact(viewer, { id, state, archive: null });
    if (outcome.isDone) return outcome.allowance;
  }
  throw unavailable('The artifact changes all the time. Nothing was deleted.', { retryAfter: 1 });
}
