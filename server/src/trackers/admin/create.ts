import { forbidden, invalidMember } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  groupIds,
  type ProjectAccess,
  type ProjectExtension,
  readProjectAccess,
  requireProjectWritable,
} from '../../projects/index.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { trackerCreated } from '../changed.ts';
import { loadTracker } from '../compile.ts';
import type { KeptSettings, Tracker } from '../model.ts';
import { administersAll, lockTrackersOf, maySeeTrackersOf, requireTrackersOf } from '../policy.ts';
import { copyReports, defaultReport, insertReport } from '../reports/index.ts';
import { viewOf } from '../view.ts';
import { copyStructure, groupsByName } from './copy.ts';
import { checkParent } from './hierarchy.ts';
import { checkNotificationLevel, checkTexts, itemNameKey, type TrackerSettings } from './settings.ts';

export interface NewTracker extends Partial<TrackerSettings> {
  readonly projectId: number;
  readonly label: string;
  readonly itemName: string;
  /** The tracker whose form, permissions, semantics, workflow and public reports it gets. */
  readonly sourceId?: number | undefined;
  readonly kept?: KeptSettings;
}

async function requireProjectForTrackers(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<ProjectAccess> {
  await lockTrackersOf(tx, id);
  const projectAccess = await readProjectAccess(tx, viewer, id);
  requireProjectWritable(requireTrackersOf(viewer, projectAccess));
  if (!administersAll(projectAccess)) throw forbidden('Only project administrators may create trackers.');
  return projectAccess;
}

async function insertTracker(tx: Transaction, tracker: NewTracker): Promise<number> {
  const { projectId, label, itemName, description = '', color = 'inca-silver' } = tracker;
  const { notificationLevel = 0, parentId = null, hasPrivateComments = false, kept = {} } = tracker;
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
    kept: JSON.stringify(kept),
  };
  const [stored] = await tx.all(tx.sql.insertInto('tracker').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new tracker has no id.');
  return stored.id;
}

/** A tracker with its counters, that nobody but administrators sees yet; gives its id. */
export async function insertEmpty(tx: Transaction, tracker: NewTracker): Promise<number> {
  const tracker_id = await insertTracker(tx, tracker);
  const counter = { tracker_id, last_number: 0, artifacts: 0, restricted: 0 };
  await tx.run(tx.sql.insertInto('tracker_counter').values(counter));
  return tracker_id;
}

/** A tracker that the viewer may copy: whoever does learns all that its administrators know. */
async function requireSource(tx: Transaction, viewer: Viewer, id: number): Promise<Tracker> {
  const tracker = await loadTracker(tx, id);
  const projectAccess = tracker && (await readProjectAccess(tx, viewer, tracker.project.id));
  const view = tracker && projectAccess && viewOf(tracker, projectAccess);
  if (!view?.canView || projectAccess === undefined || !maySeeTrackersOf(viewer, projectAccess))
    throw invalidMember('from_tracker_id', 'There is no such tracker.');
  if (!view.isAdmin) throw forbidden('Only administrators of a tracker may copy it.');
  return view.tracker;
}

/** The tracker of a project that stands for one of another: itself, or one with the same short name. */
async function counterpartOf(tx: Transaction, id: number, projectId: number): Promise<number | undefined> {
  const query = tx.sql
    .selectFrom('tracker')
    .select(['id', 'project_id', 'item_name'])
    .where('deleted_at', 'is', null);
  const tracker = await tx.first(query.where('id', '=', id));
  if (tracker === undefined || tracker.project_id === projectId) return tracker?.id;
  const there = query.where('project_id', '=', projectId);
  return (await tx.first(there.where('item_name_key', '=', itemNameKey(tracker.item_name))))?.id;
}

/** What a copy takes over unless the request says otherwise. */
async function withSource(tx: Transaction, source: Tracker, tracker: NewTracker): Promise<NewTracker> {
  const { parentId } = source;
  return {
    ...tracker,
    description: tracker.description ?? source.description,
    color: tracker.color ?? source.color,
    notificationLevel: tracker.notificationLevel ?? source.notificationLevel,
    hasPrivateComments: tracker.hasPrivateComments ?? source.hasPrivateComments,
    kept: source.kept,
    parentId:
      tracker.parentId === undefined && parentId !== null
        ? ((await counterpartOf(tx, parentId, tracker.projectId)) ?? null)
        : tracker.parentId,
  };
}

async function createCopy(tx: Transaction, source: Tracker, tracker: NewTracker): Promise<number> {
  const id = await insertEmpty(tx, await withSource(tx, source, tracker));
  const { timeframe } = source.semantics;
  const lender = timeframe && 'impliedFromTrackerId' in timeframe ? timeframe.impliedFromTrackerId : 0;
  const counterpart = await counterpartOf(tx, lender, tracker.projectId);
  const ids = await copyStructure(tx, source, id, (to) => ({
    group: groupsByName(source, to),
    tracker: () => counterpart,
  }));
  await copyReports(tx, source, id, ids);
  return id;
}

/** Without a source: no field, and everybody sees it who sees the project. */
async function createPlain(tx: Transaction, tracker: NewTracker): Promise<number> {
  const tracker_id = await insertEmpty(tx, tracker);
  const grant = { tracker_id, permission: 'full', group_id: groupIds.everybody };
  await tx.run(tx.sql.insertInto('tracker_grant').values(grant));
  await insertReport(tx, { trackerId: tracker_id, ownerId: null }, defaultReport);
  return tracker_id;
}

/** Refuses whoever may not create trackers there, and what a new one cannot be called or be below of. */
export async function checkNewTracker(
  tx: Transaction,
  viewer: Viewer,
  tracker: Omit<NewTracker, 'sourceId'>,
): Promise<void> {
  const { projectId, parentId } = tracker;
  const projectAccess = await requireProjectForTrackers(tx, viewer, projectId);
  await checkTexts(tx, { projectId }, tracker);
  await checkParent(tx, projectAccess, { parentId });
}

/** Creates a tracker, empty or as a copy of another; gives its id. */
export async function createTracker(tx: Transaction, viewer: Viewer, tracker: NewTracker): Promise<number> {
  const { projectId, parentId, notificationLevel, sourceId } = tracker;
  const projectAccess = await requireProjectForTrackers(tx, viewer, projectId);
  const source = sourceId === undefined ? undefined : await requireSource(tx, viewer, sourceId);
  await checkTexts(tx, { projectId }, tracker);
  checkNotificationLevel(notificationLevel, source?.semantics ?? {});
  await checkParent(tx, projectAccess, { parentId });
  const id = source === undefined ? await createPlain(tx, tracker) : await createCopy(tx, source, tracker);
  await trackerCreated(tx, viewer, id);
  return id;
}

async function trackersIn(tx: Transaction, projectId: number): Promise<Tracker[]> {
  const query = tx.sql.selectFrom('tracker').select('id').where('project_id', '=', projectId).orderBy('id');
  const found: Tracker[] = [];
  for (const { id } of await tx.all(query.where('deleted_at', 'is', null))) {
    const tracker = await loadTracker(tx, id);
    if (tracker !== undefined) found.push(tracker);
  }
  return found;
}

/** A new project uses the types of links that its template uses. */
async function copyDisabledLinkTypes(tx: Transaction, from: number, project_id: number): Promise<void> {
  const disabled = tx.sql.selectFrom('disabled_link_type').select('shortname').where('project_id', '=', from);
  const rows = (await tx.all(disabled)).map(({ shortname }) => ({ project_id, shortname }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('disabled_link_type').values(rows));
}

/** Gives a new project the trackers of its template, tied to each other as there. */
export const fillWithTrackers: NonNullable<ProjectExtension['fillFromTemplate']> = async (
  tx,
  _viewer,
  projectId,
  source,
) => {
  if (source.kind !== 'project') return;
  await copyDisabledLinkTypes(tx, source.projectId, projectId);
  const trackers = await trackersIn(tx, source.projectId);
  const copies = new Map<number, number>();
  for (const { name: label, ...tracker } of trackers)
    copies.set(tracker.id, await insertEmpty(tx, { ...tracker, label, parentId: null, projectId }));
  for (const tracker of trackers) {
    const id = copies.get(tracker.id) ?? 0;
    const parent_id = tracker.parentId === null ? null : (copies.get(tracker.parentId) ?? null);
    await tx.run(tx.sql.updateTable('tracker').set({ parent_id }).where('id', '=', id));
    const ids = await copyStructure(tx, tracker, id, () => ({
      group: (group) => source.groups.get(group),
      tracker: (other) => copies.get(other),
    }));
    await copyReports(tx, tracker, id, ids);
  }
};
