import { type Soon, whenThere } from '../kernel/soon.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { endlessGroups, groupIds, type ProjectAccess } from '../projects/index.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  type SqlBool,
  sql,
  statement,
  type Tables,
} from '../storage/index.ts';
import { type Field, maySeeTrackersOf, type Tracker, type TrackerView, viewOf } from '../trackers/index.ts';
import type { ReadContext } from './context.ts';

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

/** The same, as a list. */
export async function memberIds(
  reader: Reader,
  { tracker }: TrackerView,
  groups: readonly number[],
): Promise<number[]> {
  const accounts = reader.sql.selectFrom('account').select('id');
  const rows = await reader.all(accounts.where('id', 'in', membersOf(tracker.project.id, groups)));
  return rows.map(({ id }) => id);
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

/** The same for artifacts of several trackers. */
const isVisibleIn = (views: readonly TrackerView[], viewer: Viewer): Expression<SqlBool> =>
  on.or(
    views.map((view) => on.and([on('artifact.tracker_id', '=', view.tracker.id), isVisible(view, viewer)])),
  );

/** True where the id in a column is that of an artifact of these trackers that the viewer may see. */
export function isIdOfVisible(
  column: string,
  { views, isRestricted }: { readonly views: readonly TrackerView[]; readonly isRestricted: boolean },
  viewer: Viewer,
): Expression<SqlBool> {
  const isSeen = isVisibleIn(views, viewer);
  // There are few of them, so they are looked for first.
  if (isRestricted)
    return sql<SqlBool>`${sql.ref(column)} in (select artifact.id from artifact where artifact.is_restricted = 1 and ${isSeen})`;
  return sql<SqlBool>`exists (select 1 from artifact where artifact.id = ${sql.ref(column)} and ${isSeen})`;
}

const counts = statement((builder, p: { id: number }) =>
  builder.selectFrom('tracker_counter').select(['artifacts', 'restricted']).where('tracker_id', '=', p.id),
);

/** How many artifacts the tracker has, where the viewer sees all of them; undefined where they may not. */
export async function sizeForAll(
  reader: Reader,
  { access, tracker }: TrackerView,
): Promise<number | undefined> {
  const counted = await reader.first(counts, { id: tracker.id });
  const seesAll = access.all || (access.full && counted?.restricted === 0);
  return seesAll ? (counted?.artifacts ?? 0) : undefined;
}

const maySee = (
  { viewer, isOnTheSpot }: Pick<ReadContext, 'viewer' | 'isOnTheSpot'>,
  projectAccess: ProjectAccess,
) =>
  maySeeTrackersOf(viewer, projectAccess) ||
  (isOnTheSpot === true && viewer.isSiteAdmin && projectAccess.project?.status === 'deleted');

function viewIfSeen(
  { reader, viewer, trackers, revisions, isOnTheSpot }: ReadContext,
  tracker: Tracker | undefined,
): Soon<TrackerView | undefined> {
  if (tracker === undefined || tracker.isDeleted) return undefined;
  return whenThere(trackers.projectAccess(reader, viewer, tracker.project.id, revisions), (projectAccess) => {
    if (!maySee({ viewer, isOnTheSpot }, projectAccess)) return undefined;
    const view = viewOf(tracker, projectAccess);
    return view.canView ? view : undefined;
  });
}

/** The view of a tracker; undefined when the viewer may see nothing of it. */
export function viewFor(readContext: ReadContext, trackerId: number): Soon<TrackerView | undefined> {
  const { reader, trackers, revisions } = readContext;
  return whenThere(trackers.find(reader, trackerId, revisions), (tracker) =>
    viewIfSeen(readContext, tracker),
  );
}

/** The views of those trackers of which the viewer may see something. */
export async function viewsFor(
  readContext: ReadContext,
  trackerIds: readonly number[],
): Promise<TrackerView[]> {
  const { reader, trackers, revisions } = readContext;
  const views: TrackerView[] = [];
  for (const tracker of await trackers.findAll(reader, trackerIds, revisions)) {
    const view = await viewIfSeen(readContext, tracker);
    if (view !== undefined) views.push(view);
  }
  return views;
}

/** The view of the tracker of an artifact, wherever it is; undefined where the viewer may not see the artifact. */
export async function viewOfArtifact(readContext: ReadContext, id: number): Promise<TrackerView | undefined> {
  const { reader, viewer } = readContext;
  const own = reader.sql.selectFrom('artifact').where('id', '=', id);
  const row = await reader.first(own.select('tracker_id'));
  const view = row && (await viewFor(readContext, row.tracker_id));
  if (view === undefined) return undefined;
  const seen = await reader.first(own.select('id').where(isVisible(view, viewer)));
  return seen === undefined ? undefined : view;
}

/** The field that carries links, when the tracker uses one. */
export const linkField = (tracker: Tracker): Field | undefined =>
  tracker.elements.find(({ isUsed, type }) => isUsed && type.acceptLinks !== undefined);

/** A link is told by the field that holds it, which is that of the artifact it comes from. */
export const canReadLinks = ({ readable }: TrackerView): boolean =>
  readable.some(({ type }) => type.acceptLinks !== undefined);
