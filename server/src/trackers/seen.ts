import { delegation, holds, type Viewer } from '../kernel/viewer.ts';
import { accessibleTo, groupIds, projectsWithOwn } from '../projects/index.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  type SqlBool,
  type Tables,
} from '../storage/index.ts';

const on = expressionBuilder<Tables, 'tracker'>();

/** The viewer's own row among the members of the tracker's project. */
const ownMembership = ({ userId }: Viewer) =>
  on
    .selectFrom('project_member')
    .select('account_id')
    .whereRef('project_member.project_id', '=', 'tracker.project_id')
    .where('account_id', '=', userId);

const grantsOf = (permission: 'admin' | undefined) => {
  const all = on
    .selectFrom('tracker_grant')
    .select('group_id')
    .whereRef('tracker_grant.tracker_id', '=', 'tracker.id');
  return permission === undefined ? all : all.where('permission', '=', permission);
};

/**
 * True for the trackers that one of the viewer's groups is granted something on, or administers; `groupsOf` in projects
 * knows the same groups.
 */
export function isGrantedToViewer(viewer: Viewer, permission?: 'admin'): Expression<SqlBool> {
  const isLoggedIn = viewer.userId !== 0;
  const isGrantedTo = (...groups: number[]) =>
    on.exists(grantsOf(permission).where('group_id', 'in', groups));
  const isMember = on.exists(ownMembership(viewer));
  const ownGroups = on
    .selectFrom('user_group_member')
    .select('group_id')
    .where('account_id', '=', viewer.userId);
  const registered = isGrantedTo(groupIds.registered);
  return on.or([
    on.exists(ownMembership(viewer).where('is_admin', '=', 1)),
    isGrantedTo(groupIds.everybody),
    on.and([isMember, isGrantedTo(groupIds.projectMembers, groupIds.registered)]),
    on.exists(grantsOf(permission).where('group_id', 'in', ownGroups)),
    ...(isLoggedIn ? [isGrantedTo(groupIds.authenticated)] : []),
    ...(isLoggedIn && !viewer.isRestricted ? [registered] : []),
  ]);
}

/** The trackers that the viewer may know of, in projects that they may access. */
export function trackersSeenIn(reader: Reader, viewer: Viewer, projectIds: readonly number[]) {
  const trackers = reader.sql
    .selectFrom('tracker')
    .where('project_id', 'in', projectIds)
    .where('deleted_at', 'is', null);
  const seesAll = holds(viewer, delegation.trackerAdministration);
  return seesAll ? trackers : trackers.where(isGrantedToViewer(viewer));
}

/** All trackers that the viewer may know of, with their projects and the viewer's membership in each as `own`. */
export function trackersSeen(reader: Reader, viewer: Viewer) {
  const trackers = projectsWithOwn(reader.sql, viewer.userId)
    .innerJoin('tracker', 'tracker.project_id', 'project.id')
    .where('tracker.deleted_at', 'is', null)
    .where('project.status', '=', 'active');
  if (holds(viewer, delegation.trackerAdministration)) return trackers;
  return trackers.where(accessibleTo(viewer)).where(isGrantedToViewer(viewer));
}
