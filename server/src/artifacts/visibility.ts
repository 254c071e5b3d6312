import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { endlessGroups, groupIds } from '../projects/index.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  type Revisions,
  type SqlBool,
  type Tables,
} from '../storage/index.ts';
import { maySeeTrackersOf, type Trackers, type TrackerView, viewOf } from '../trackers/index.ts';
import { inParts, type SightRow } from './store.ts';

const on = expressionBuilder<Tables, 'artifact'>();

/** The accounts in one of these groups of a project. */
function membersOf(projectId: number, groups: readonly number[]) {
  const own = groups.filter((id) => id > groupIds.nobody);
  const isForMembers = groups.includes(groupIds.projectMembers);
  const members = on.selectFrom('project_member').select('account_id').where('project_id', '=', projectId);
  const inProject = isForMembers ? members : members.where('is_admin', '=', 1);
  const inGroups = on.selectFrom('user_group_member').select('account_id').where('group_id', 'in', own);
  const needsProject = isForMembers || groups.includes(groupIds.projectAdmins);
  if (own.length === 0) return inProject;
  return needsProject ? inGroups.unionAll(inProject) : inGroups;
}

function submittedIn({ tracker }: TrackerView, groups: readonly number[]): Expression<SqlBool> {
  if (groups.some((id) => endlessGroups.includes(id))) return on.lit(true);
  return on('artifact.submitted_by', 'in', membersOf(tracker.project.id, groups));
}

/** Assigned to somebody in the groups; without a contributor field nothing is assigned to anybody. */
function assignedIn({ tracker }: TrackerView, groups: readonly number[]): Expression<SqlBool> {
  const fieldId = tracker.semantics.contributor?.fieldId;
  if (fieldId === undefined) return on.lit(false);
  const assigned = on
    .selectFrom('artifact_value')
    .select('artifact_value.artifact_id')
    .whereRef('artifact_value.artifact_id', '=', 'artifact.id')
    .where('artifact_value.field_id', '=', fieldId);
  const isForAll = groups.some((id) => endlessGroups.includes(id));
  return on.exists(
    isForAll
      ? assigned.where('artifact_value.value', '<>', groupIds.nobody)
      : assigned.where('artifact_value.value', 'in', membersOf(tracker.project.id, groups)),
  );
}

function granted(view: TrackerView, viewer: Viewer): Expression<SqlBool>[] {
  const { own, submitterGroups, assigneeGroups } = view.access;
  return [
    ...(own && !isAnonymous(viewer) ? [on('artifact.submitted_by', '=', viewer.userId)] : []),
    ...(submitterGroups.length > 0 ? [submittedIn(view, submitterGroups)] : []),
    ...(assigneeGroups.length > 0 ? [assignedIn(view, assigneeGroups)] : []),
  ];
}

function passesOwnPermissions({ groups }: TrackerView): Expression<SqlBool> {
  const grants = on
    .selectFrom('artifact_grant')
    .select('artifact_grant.artifact_id')
    .whereRef('artifact_grant.artifact_id', '=', 'artifact.id')
    .where('artifact_grant.group_id', 'in', groups);
  return on.or([on('artifact.is_restricted', '=', 0), on.exists(grants)]);
}

/** True, in a query over `artifact`, for the artifacts of the view's tracker that the viewer may see. */
export function isVisible(view: TrackerView, viewer: Viewer): Expression<SqlBool> {
  if (!view.canView) return on.lit(false);
  if (view.access.all) return on.lit(true);
  const own = passesOwnPermissions(view);
  return view.access.full ? own : on.and([own, on.or(granted(view, viewer))]);
}

/** The verdict where the tracker's grants alone tell it; undefined where the database must be asked. */
function plainVerdict({ canView, access }: TrackerView, viewer: Viewer, row: SightRow): boolean | undefined {
  if (!canView) return false;
  if (access.all) return true;
  if (row.is_restricted === 1) return undefined;
  // An artifact of an unknown submitter belongs to nobody, not to everybody who is not logged in.
  const isOwn = row.submitted_by === viewer.userId && !isAnonymous(viewer);
  if (access.full || (access.own && isOwn)) return true;
  return access.submitterGroups.length + access.assigneeGroups.length === 0 ? false : undefined;
}

/** May the viewer, whom the project lets in, see this artifact of the view's tracker? */
export async function canSee(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  row: SightRow,
): Promise<boolean> {
  const verdict = plainVerdict(view, viewer, row);
  if (verdict !== undefined) return verdict;
  return (await visibleAmong(reader, viewer, view, [row.id])).has(row.id);
}

async function visibleAmong(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const query = reader.sql.selectFrom('artifact').select('id').where(isVisible(view, viewer));
  const rows = await inParts(ids, (some) => reader.all(query.where('id', 'in', some)));
  return new Set(rows.map(({ id }) => id));
}

/** What is needed to tell what a viewer may see, anywhere on the platform. */
export interface Sight {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly trackers: Trackers;
  readonly revisions: Revisions;
}

/** The view of a tracker, told from what is remembered; undefined when that does not tell, null when nothing may be seen. */
export function viewAtOnce(
  { viewer, trackers, revisions }: Sight,
  trackerId: number,
): TrackerView | null | undefined {
  const tracker = trackers.known(trackerId, revisions);
  const standing = tracker && trackers.knownStanding(viewer, tracker.project.id, revisions);
  if (tracker === undefined || standing === undefined) return undefined;
  if (tracker.isDeleted || !maySeeTrackersOf(viewer, standing)) return null;
  const view = viewOf(tracker, standing);
  return view.canView ? view : null;
}

/** As `visibleOf`, told from what is remembered; undefined when that does not tell. */
export function visibleAtOnce<Row extends SightRow>(
  sight: Sight,
  rows: readonly Row[],
): { row: Row; view: TrackerView }[] | undefined {
  const visible: { row: Row; view: TrackerView }[] = [];
  let trackerId: number | undefined;
  let view: TrackerView | null | undefined;
  for (const row of rows) {
    // Neighbours are mostly of one tracker.
    if (row.tracker_id !== trackerId) view = viewAtOnce(sight, row.tracker_id);
    trackerId = row.tracker_id;
    const verdict = view && plainVerdict(view, sight.viewer, row);
    if (view === undefined || verdict === undefined) return undefined;
    if (view !== null && verdict) visible.push({ row, view });
  }
  return visible;
}

/** The view of a tracker; undefined when the viewer may see nothing of it. */
export async function viewFor(
  { reader, viewer, trackers, revisions }: Sight,
  trackerId: number,
): Promise<TrackerView | undefined> {
  const tracker = trackers.known(trackerId, revisions) ?? (await trackers.find(reader, trackerId, revisions));
  if (tracker === undefined || tracker.isDeleted) return undefined;
  const { id } = tracker.project;
  const standing =
    trackers.knownStanding(viewer, id, revisions) ?? (await trackers.standing(reader, viewer, id, revisions));
  if (!maySeeTrackersOf(viewer, standing)) return undefined;
  const view = viewOf(tracker, standing);
  return view.canView ? view : undefined;
}

/** Those of the artifacts that the viewer may see, each with the view of its tracker. */
export async function visibleOf<Row extends SightRow>(
  sight: Sight,
  rows: readonly Row[],
): Promise<{ row: Row; view: TrackerView }[]> {
  return visibleAtOnce(sight, rows) ?? askedVisible(sight, rows);
}

async function askedVisible<Row extends SightRow>(
  sight: Sight,
  rows: readonly Row[],
): Promise<{ row: Row; view: TrackerView }[]> {
  const views = new Map<number, TrackerView | undefined>();
  const visible: { row: Row; view: TrackerView }[] = [];
  const doubtful = new Map<TrackerView, number[]>();
  for (const row of rows) {
    if (!views.has(row.tracker_id)) views.set(row.tracker_id, await viewFor(sight, row.tracker_id));
    const view = views.get(row.tracker_id);
    const verdict = view === undefined ? false : plainVerdict(view, sight.viewer, row);
    if (view === undefined || verdict === false) continue;
    visible.push({ row, view });
    if (verdict !== undefined) continue;
    const ids = doubtful.get(view) ?? [];
    ids.push(row.id);
    doubtful.set(view, ids);
  }
  return doubtful.size === 0 ? visible : confirmed(sight, visible, doubtful);
}

/** Asks the database about those of whom their rows do not tell. */
async function confirmed<Row extends SightRow>(
  { reader, viewer }: Sight,
  rows: readonly { row: Row; view: TrackerView }[],
  doubtful: ReadonlyMap<TrackerView, readonly number[]>,
): Promise<{ row: Row; view: TrackerView }[]> {
  const hidden = new Set([...doubtful.values()].flat());
  for (const [view, ids] of doubtful)
    for (const id of await visibleAmong(reader, viewer, view, ids)) hidden.delete(id);
  return rows.filter(({ row }) => !hidden.has(row.id));
}
