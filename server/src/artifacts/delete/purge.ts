import type { Transaction } from '../../storage/index.ts';
import type { WriteContext } from '../context.ts';
import { parseDocument } from '../model.ts';
import { lockArtifactAndRevisions } from '../store.ts';
import { lockWithNeighbours } from '../write/index.ts';
import { clearSome } from './cleanup.ts';
import { takeOut } from './delete-tx.ts';

/** How much of a project is purged at once, so that the transaction stays short. */
const someArtifacts = 10;

/** What a step of a purge did. */
export interface PurgeStep {
  readonly isOver: boolean;
  /** Archives of deleted artifacts that nothing points to any more. */
  readonly archives: readonly string[];
}

/** Trackers, deleted or not, of a project that is being purged. */
const trackersOf = (tx: Transaction, projectId: number) =>
  tx.sql
    .selectFrom('tracker')
    .innerJoin('project', 'project.id', 'tracker.project_id')
    .select('tracker.id')
    .where('project.id', '=', projectId)
    .where('project.status', '=', 'purging');

/** Takes an artifact out as a deletion does, and leaves a note of the history that is still to go. */
async function purgeArtifact({ tx, viewer, trackers, listeners }: WriteContext, id: number): Promise<void> {
  await lockWithNeighbours(tx, id);
  const found = await lockArtifactAndRevisions(tx, id);
  if (found === undefined) return;
  const { row, revisions } = found;
  const tracker = await trackers.find(tx, row.tracker_id, revisions);
  if (tracker === undefined) throw new Error(`The artifact ${id} has no tracker.`);
  const view = await trackers.view(tx, viewer, tracker, revisions);
  const readContext = { reader: tx, viewer, trackers, revisions };
  const artifact = { row, view, document: parseDocument(row.document) };
  await takeOut({ tx, readContext, listeners }, artifact, { isUntold: true });
  const note = {
    ...{ artifact_id: id, tracker_id: row.tracker_id, title: null, deleted_by: 0, deleted_on: Date.now() },
    ...{ archive: null, has_remains: 1 as const, restorer: null, restorer_until: null },
  };
  await tx.write(tx.sql.insertInto('deleted_artifact').values(note));
}

/** Clears away what is left of a deleted artifact; gives whether that was all. */
async function forgetDeleted(tx: Transaction, id: number): Promise<boolean> {
  if (!(await clearSome(tx, id))) return false;
  const wishes = tx.sql.deleteFrom('mail_choice').where('kind', '=', 'artifact');
  await tx.write(wishes.where('subject_id', '=', id));
  for (const table of ['visit', 'favorite', 'watch'] as const)
    await tx.write(tx.sql.deleteFrom(table).where('kind', '=', 'artifact').where('item_id', '=', id));
  await tx.write(tx.sql.deleteFrom('deleted_artifact').where('artifact_id', '=', id));
  return true;
}

async function forgetSome(tx: Transaction, projectId: number): Promise<PurgeStep> {
  const query = tx.sql.selectFrom('deleted_artifact').select(['artifact_id', 'archive']);
  const own = query.where('tracker_id', 'in', trackersOf(tx, projectId)).orderBy('artifact_id');
  const rows = await tx.lock(own.limit(someArtifacts));
  const archives: string[] = [];
  for (const { artifact_id, archive } of rows) {
    if (!(await forgetDeleted(tx, artifact_id))) return { isOver: false, archives };
    if (archive !== null) archives.push(archive);
  }
  return { isOver: rows.length === 0, archives };
}

/** Removes some artifacts of a project that is being purged, and what is left of those that were deleted before. */
export async function purgeArtifacts(
  writeContext: WriteContext,
  { projectId }: { projectId: number },
): Promise<PurgeStep> {
  const { tx } = writeContext;
  const query = tx.sql.selectFrom('artifact').select('id').orderBy('id').limit(someArtifacts);
  const rows = await tx.all(query.where('tracker_id', 'in', trackersOf(tx, projectId)));
  for (const { id } of rows) await purgeArtifact(writeContext, id);
  return rows.length > 0 ? { isOver: false, archives: [] } : forgetSome(tx, projectId);
}
