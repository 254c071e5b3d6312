import { delegation, holds, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { type Database, type Reader, sql, statement, type Transaction } from '../storage/index.ts';
import { groupIds } from './groups.ts';
import { type AccessLevel, isHidden, type Project, type ProjectStatus } from './model.ts';
import {
  type AccessTarget,
  countsAsAdministrator,
  countsAsMember,
  requireAccess,
  requireWritable,
} from './policy.ts';
import { findProject, findProjectAndRevision, findProjectByShortname, lockProject } from './store.ts';

/** What other rooms need to know of a project that the viewer may access. */
export interface ProjectFacts {
  readonly id: number;
  readonly status: ProjectStatus;
  readonly access: AccessLevel;
  /** Site administrators count as member and administrator of every project. */
  readonly isMember: boolean;
  readonly isAdmin: boolean;
}

export async function requireProject(
  reader: Reader,
  viewer: Viewer,
  id: number,
  accessTarget: AccessTarget,
): Promise<Project> {
  return requireAccess(viewer, await findProject(reader, viewer, id), accessTarget);
}

/** As `requireProject`, for writes: the project is writable and stays as it is until the transaction ends. */
export async function requireProjectForWriting(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<Project> {
  await lockProject(tx, id);
  const project = await requireProject(tx, viewer, id, 'project');
  requireWritable(project);
  return project;
}

/** Refuses, in the way that `accessTarget` asks for, when the viewer may not access the project. */
export async function requireProjectAccess(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
  accessTarget: AccessTarget,
): Promise<ProjectFacts> {
  const project = await requireProject(reader, viewer, projectId, accessTarget);
  const { id, status, access } = project;
  return {
    id,
    status,
    access,
    isMember: countsAsMember(viewer, project),
    isAdmin: countsAsAdministrator(viewer, project),
  };
}

/** Refuses writes into projects that are suspended or deleted, whoever asks. */
export function requireProjectWritable(project: Pick<ProjectFacts, 'status'>): void {
  requireWritable(project);
}

/**
 * Reads one project, with the revision at which it was read. Those who manage projects see it whatever its state. The
 * most frequent read of all: one statement and no more; it asks for the revision where nothing else can tell it.
 */
export async function readProject(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<{ project: Project; revision: number }> {
  const known = database.knownRevision('identity');
  const found =
    known === undefined
      ? await findProjectAndRevision(database, viewer, id)
      : { project: await findProject(database, viewer, id), revision: known };
  const { project, revision } = found ?? { project: undefined, revision: 0 };
  const isManager = holds(viewer, delegation.projectManagement);
  if (project !== undefined && isManager && !isHidden(project.status)) return { project, revision };
  return { project: requireAccess(viewer, project, 'project'), revision };
}

/** As `readProject`, by the name that addresses have. */
export async function readProjectNamed(
  database: Database,
  viewer: Viewer,
  shortname: string,
): Promise<{ project: Project; revision: number }> {
  const found = await findProjectByShortname(database, viewer, shortname);
  return found === undefined
    ? { project: requireAccess(viewer, undefined, 'project'), revision: 0 }
    : readProject(database, viewer, found.id);
}

const ownGroups = statement((builder, p: { projectId: number; userId: number }) =>
  builder
    .selectFrom('project_member')
    // 3 for members, 4 for administrators.
    .select(sql<number>`${sql.lit(groupIds.projectMembers)} + is_admin`.as('id'))
    .where('project_id', '=', p.projectId)
    .where('account_id', '=', p.userId)
    .unionAll(
      builder
        .selectFrom('user_group_member')
        .innerJoin('user_group', 'user_group.id', 'user_group_member.group_id')
        .select('user_group.id')
        .where('user_group.project_id', '=', p.projectId)
        .where('user_group_member.account_id', '=', p.userId),
    ),
);

/** The ids of all user groups the viewer is in, as permissions of this project count them. */
export async function groupsOf(reader: Reader, viewer: Viewer, projectId: number): Promise<number[]> {
  if (isAnonymous(viewer)) return [groupIds.everybody];
  const rows = await reader.all(ownGroups, { projectId, userId: viewer.userId });
  const own = new Set(rows.map(({ id }) => id));
  const isAdmin = viewer.isSiteAdmin || own.has(groupIds.projectAdmins);
  const isMember = isAdmin || own.has(groupIds.projectMembers);
  return [
    groupIds.everybody,
    groupIds.authenticated,
    ...(isMember || !viewer.isRestricted ? [groupIds.registered] : []),
    ...(isMember ? [groupIds.projectMembers] : []),
    ...(isAdmin ? [groupIds.projectAdmins] : []),
    ...[...own].filter((id) => id > groupIds.nobody),
  ];
}
