import { forbidden } from '../kernel/errors.ts';
import { fold } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupIds, readStanding, requireProjectWritable, type Standing } from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import { checkParent } from './hierarchy.ts';
import { administersAll, lockTrackersOf, requireTrackersOf } from './policy.ts';
import { checkNotificationLevel, checkTexts, itemNameKey, type TrackerSettings, toFlag } from './settings.ts';

export interface NewTracker extends Partial<TrackerSettings> {
  readonly projectId: number;
  readonly label: string;
  readonly itemName: string;
}

async function requireProjectForTrackers(tx: Transaction, viewer: Viewer, id: number): Promise<Standing> {
  await lockTrackersOf(tx, id);
  const standing = await readStanding(tx, viewer, id);
  requireProjectWritable(requireTrackersOf(viewer, standing));
  if (!administersAll(standing)) throw forbidden('Only project administrators may create trackers.');
  return standing;
}

async function insertTracker(tx: Transaction, tracker: NewTracker): Promise<number> {
  const { projectId, label, itemName, description = '', color = 'inca-silver' } = tracker;
  const { notificationLevel = 0, parentId = null, hasPrivateComments = false } = tracker;
  const row = {
    project_id: projectId,
    name: label,
    name_key: fold(label),
    item_name: itemName,
    item_name_key: itemNameKey(itemName),
    description,
    color,
    notification_level: notificationLevel,
    parent_id: parentId,
    has_private_comments: toFlag(hasPrivateComments),
    created_at: Date.now(),
    deleted_at: null,
  };
  const [stored] = await tx.all(tx.sql.insertInto('tracker').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new tracker has no id.');
  return stored.id;
}

/** Creates a tracker without any field that everybody sees who sees the project; gives its id. */
export async function createTracker(tx: Transaction, viewer: Viewer, tracker: NewTracker): Promise<number> {
  const { projectId, parentId, notificationLevel } = tracker;
  const standing = await requireProjectForTrackers(tx, viewer, projectId);
  await checkTexts(tx, { projectId }, tracker);
  checkNotificationLevel(notificationLevel, {});
  await checkParent(tx, standing, { parentId });
  const tracker_id = await insertTracker(tx, tracker);
  const counter = { tracker_id, last_number: 0, artifacts: 0, restricted: 0 };
  await tx.run(tx.sql.insertInto('tracker_counter').values(counter));
  const grant = { tracker_id, permission: 'full', group_id: groupIds.everybody };
  await tx.run(tx.sql.insertInto('tracker_grant').values(grant));
  await tx.touch('structure');
  return tracker_id;
}
