import type { Instant } from '../../kernel/clock.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProjectAccess, requireProjectWritable } from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { trackerMoved } from '../changed.ts';
import { loadTracker } from '../compile.ts';
import { type TrackerExtension, tellContributions } from '../extension.ts';
import type { Tracker } from '../model.ts';
import { administersAll, lockTrackersOf, requireTrackerAmongOthers, requireTrackersOf } from '../policy.ts';
import { checkItemName, itemNameKey } from './settings.ts';

/** A tracker that can be brought back. */
export interface DeletedTracker {
  readonly tracker: Tracker;
  readonly deletedOn: Instant;
  /** 0: nobody knows. */
  readonly deletedBy: number;
}

const usedNames = ({ elements }: Tracker) => elements.filter(({ isUsed }) => isUsed).map(({ name }) => name);

/** Another tracker may take the short name of one that is deleted: no short name has such a sign in it. */
const freedKey = ({ itemName, id }: Tracker) => `${itemNameKey(itemName)}#${id}`;

/** Takes a tracker out of sight with all that is in it, of which nothing is touched. */
export async function deleteTracker(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
  extensions: readonly TrackerExtension[],
): Promise<void> {
  const { tracker } = await requireTrackerAmongOthers(tx, viewer, id);
  if (!administersAll(await readProjectAccess(tx, viewer, tracker.project.id)))
    throw forbidden('Only project administrators may delete trackers.');
  const deletion = tx.sql
    .updateTable('tracker')
    .set({ deleted_at: Date.now(), deleted_by: viewer.userId, item_name_key: freedKey(tracker) });
  await tx.run(deletion.where('id', '=', id));
  await tellContributions(tx, extensions, { trackerId: id, names: usedNames(tracker) });
  await trackerMoved(tx, viewer, tracker, 'deleted');
}

/** The deleted tracker, in a project whose trackers the viewer administers. */
async function requireDeleted(tx: Transaction, viewer: Viewer, id: number): Promise<Tracker> {
  const unknown = notFound('There is no such deleted tracker.');
  const row = await tx.first(tx.sql.selectFrom('tracker').select('project_id').where('id', '=', id));
  if (row === undefined) throw unknown;
  await lockTrackersOf(tx, row.project_id);
  const tracker = await loadTracker(tx, id);
  const projectAccess = await readProjectAccess(tx, viewer, row.project_id);
  if (!tracker?.isDeleted || !administersAll(projectAccess)) throw unknown;
  requireProjectWritable(requireTrackersOf(viewer, projectAccess));
  return tracker;
}

/** Brings a deleted tracker back as it was, under another short name when its own was taken meanwhile. */
export async function restoreTracker(
  tx: Transaction,
  viewer: Viewer,
  { id, itemName: input }: { id: number; itemName?: string | undefined },
  extensions: readonly TrackerExtension[],
): Promise<void> {
  const tracker = await requireDeleted(tx, viewer, id);
  const itemName = input ?? tracker.itemName;
  await checkItemName(tx, tracker.project.id, itemName, id);
  const restoration = tx.sql
    .updateTable('tracker')
    .set({ deleted_at: null, deleted_by: null, item_name: itemName, item_name_key: itemNameKey(itemName) });
  await tx.run(restoration.where('id', '=', id));
  await tellContributions(tx, extensions, { trackerId: id, names: usedNames(tracker) });
  await trackerMoved(tx, viewer, tracker, 'restored');
}

/** The deleted trackers of a project, the last one first, for those who administer its trackers. */
export async function listDeletedTrackers(
  reader: Reader,
  viewer: Viewer,
  { projectId, ...page }: Page & { projectId: number },
): Promise<Slice<DeletedTracker>> {
  const projectAccess = await readProjectAccess(reader, viewer, projectId);
  requireTrackersOf(viewer, projectAccess);
  if (!administersAll(projectAccess)) throw forbidden('Only project administrators may do this.');
  const query = reader.sql
    .selectFrom('tracker')
    .select(['id', 'deleted_at', 'deleted_by'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc');
  const { items, size } = slice(await reader.all(query), page);
  const deleted: DeletedTracker[] = [];
  for (const { id, deleted_at, deleted_by } of items) {
    const tracker = await loadTracker(reader, id);
    if (tracker !== undefined)
      deleted.push({ tracker, deletedOn: deleted_at ?? 0, deletedBy: deleted_by ?? 0 });
  }
  return { items: deleted, size };
}
