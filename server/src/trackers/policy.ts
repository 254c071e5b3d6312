import { forbidden, notFound, notFoundForUser } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  type AccessTarget,
  mayAccess,
  type Project,
  type ProjectAccess,
  readProjectAccess,
  requireAccessibleProject,
  requireProjectWritable,
} from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import { loadTracker } from './compile.ts';
import type { Field, Tracker } from './model.ts';
import { type TrackerView, viewOf } from './view.ts';

/** One that there is not, that was deleted or that the viewer may not see: nobody is told which. */
export const unknownTracker = () => notFoundForUser('There is no such tracker.');

/** The project, when the viewer may look into it for trackers: whoever administers all of them always may. */
export function requireTrackersOf(
  viewer: Viewer,
  projectAccess: ProjectAccess,
  accessTarget: AccessTarget = 'project',
): Project {
  const { project, administersTrackers } = projectAccess;
  if (administersTrackers && project?.status === 'active') return project;
  return requireAccessibleProject(viewer, projectAccess, accessTarget);
}

/** As `requireTrackersOf`, where nothing is refused. */
export const maySeeTrackersOf = (viewer: Viewer, { project, administersTrackers }: ProjectAccess) =>
  (administersTrackers && project?.status === 'active') || mayAccess(viewer, project);

/** Whether the viewer administers every tracker of the project, whatever the tracker grants. */
export const administersAll = ({ isAdmin, administersTrackers }: ProjectAccess) =>
  isAdmin || administersTrackers;

export function requireView(tracker: Tracker, viewer: Viewer, projectAccess: ProjectAccess): TrackerView {
  requireTrackersOf(viewer, projectAccess);
  const view = viewOf(tracker, projectAccess);
  if (!view.canView) throw unknownTracker();
  return view;
}

export function requireTrackerAdministrator({ isAdmin }: TrackerView): void {
  if (!isAdmin) throw forbidden('Only administrators of the tracker may do this.');
}

/** Keeps others from changing which trackers a project has and how they hang together. */
export async function lockTrackersOf(tx: Transaction, projectId: number): Promise<void> {
  await tx.lock(tx.sql.selectFrom('project').select('id').where('id', '=', projectId));
}

/** Keeps others from changing the tracker until the transaction ends. */
export async function lockTracker(tx: Transaction, id: number): Promise<Tracker> {
  await tx.lock(tx.sql.selectFrom('tracker').select('id').where('id', '=', id));
  const tracker = await loadTracker(tx, id);
  if (tracker === undefined) throw unknownTracker();
  return tracker;
}

/** The tracker as it is now, locked, for those who may look at it. */
export async function requireLockedView(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<{ readonly view: TrackerView; readonly project: Project }> {
  const tracker = await lockTracker(tx, id);
  const projectAccess = await readProjectAccess(tx, viewer, tracker.project.id);
  const view = requireView(tracker, viewer, projectAccess);
  return { view, project: requireTrackersOf(viewer, projectAccess) };
}

/** The tracker as it is now, locked, for those who may change its structure. */
export async function requireTrackerForWriting(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<TrackerView> {
  const { view, project } = await requireLockedView(tx, viewer, id);
  requireProjectWritable(project);
  requireTrackerAdministrator(view);
  return view;
}

/** As `requireTrackerForWriting`, for changes that look at other trackers of the project, which stay as they are. */
export async function requireTrackerAmongOthers(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<TrackerView> {
  const row = await tx.first(tx.sql.selectFrom('tracker').select('project_id').where('id', '=', id));
  if (row !== undefined) await lockTrackersOf(tx, row.project_id);
  return requireTrackerForWriting(tx, viewer, id);
}

/** A form element whose tracker is locked, for those who may change it. */
export async function requireFieldForWriting(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<{ readonly field: Field; readonly tracker: Tracker }> {
  const row = await tx.first(tx.sql.selectFrom('tracker_field').select('tracker_id').where('id', '=', id));
  if (row === undefined) throw notFound('There is no such field.');
  const { tracker } = await requireTrackerForWriting(tx, viewer, row.tracker_id);
  const field = tracker.elementById.get(id);
  if (field === undefined) throw notFound('There is no such field.');
  return { field, tracker };
}
