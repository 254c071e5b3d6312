import type { Settings } from '../identity/index.ts';
import { forbidden, notFound, type Refusal, unauthenticated } from '../kernel/errors.ts';
import { delegation, holds, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import {
  type AccessLevel,
  isHidden,
  lastBuiltInProjectId,
  type Project,
  type ProjectStatus,
} from './model.ts';

/**
 * What is asked for decides the answer about a project that the viewer may not see. `project`: a project, its trackers and
 * reports, and whatever is written. `by-id`: user groups and repositories that are read by ids of their own. `artifact`: artifacts.
 */
export type AccessTarget = 'project' | 'by-id' | 'artifact';

type Verdict = 'granted' | 'closed' | 'hidden' | 'suspended' | 'deleted' | 'refused';

type AccountKind = Pick<Viewer, 'isRestricted' | 'accessMode'>;

/** Which projects an account may see without being a member. Restricted accounts exist in one access mode only. */
export function openAccesses({ isRestricted, accessMode }: AccountKind): readonly AccessLevel[] {
  if (!isRestricted) return ['public', 'unrestricted'];
  return accessMode === 'restricted' ? ['unrestricted'] : [];
}

/** Whether an account is kept out of such projects even as a member. */
export function isShutOut({ isRestricted, accessMode }: AccountKind, access: AccessLevel): boolean {
  return isRestricted && accessMode === 'restricted' && access === 'private-wo-restr';
}

type Visibility = Pick<Project, 'status' | 'access' | 'membership'>;

/** May the viewer access the project? `accessibleTo` in the store says the same in SQL. */
export function verdictOn(viewer: Viewer, { status, access, membership }: Visibility): Verdict {
  if (isAnonymous(viewer) && viewer.accessMode !== 'anonymous') return 'closed';
  if (isHidden(status)) return 'hidden';
  if (viewer.isSiteAdmin) return 'granted';
  if (status === 'suspended' || status === 'deleted') return status;
  if (status !== 'active') return 'hidden';
  if (membership !== 'none') return isShutOut(viewer, access) ? 'hidden' : 'granted';
  return openAccesses(viewer).includes(access) ? 'granted' : 'refused';
}

const suspended = 'This project is suspended';
const deleted = 'This project is deleted';
const unknown = 'Project does not exist';
const refused = 'You may not access this project';

function refusalOf(verdict: Exclude<Verdict, 'granted'>, accessTarget: AccessTarget): Refusal {
  switch (verdict) {
    case 'closed':
      return unauthenticated('This platform is open to people with an account only.');
    case 'suspended':
      return forbidden(suspended);
    case 'deleted':
      return accessTarget === 'by-id' ? notFound(unknown) : forbidden(deleted);
    case 'refused':
      return accessTarget === 'by-id' ? notFound(unknown) : forbidden(refused);
    case 'hidden':
      return accessTarget === 'artifact' ? forbidden(refused) : notFound(unknown);
  }
}

export function requireAccess(
  viewer: Viewer,
  project: Project | undefined,
  accessTarget: AccessTarget,
): Project {
  if (project === undefined) throw refusalOf('hidden', accessTarget);
  const verdict = verdictOn(viewer, project);
  if (verdict !== 'granted') throw refusalOf(verdict, accessTarget);
  return project;
}

/**
 * Whether the viewer meets what is in the project anywhere beside it: in searches and links, as a recipient of mails. What is deleted
 * is met by nobody; site administrators can still look at it where it is.
 */
export const mayAccess = (viewer: Viewer, project: Project | undefined) =>
  project !== undefined && project.status !== 'deleted' && verdictOn(viewer, project) === 'granted';

export const countsAsMember = (viewer: Viewer, { membership }: Pick<Project, 'membership'>) =>
  viewer.isSiteAdmin || membership !== 'none';
export const countsAsAdministrator = (viewer: Viewer, { membership }: Pick<Project, 'membership'>) =>
  viewer.isSiteAdmin || membership === 'administrator';

export function requireAdministrator(viewer: Viewer, project: Pick<Project, 'membership'>): void {
  if (!countsAsAdministrator(viewer, project)) throw forbidden('Only project administrators may do this.');
}

/** A suspended project is frozen for everyone, site administrators included; a deleted one is gone. */
export function requireWritable({ status }: { readonly status: ProjectStatus }): void {
  if (status === 'suspended') throw forbidden(suspended);
  if (status === 'deleted') throw forbidden(deleted);
}

export function creationFault(viewer: Viewer, settings: Settings): Refusal | undefined {
  if (settings.project_registration === 'administrators' && !viewer.isSiteAdmin)
    return forbidden('Only site administrators can create projects.');
  if (viewer.isRestricted && !settings.restricted_users_create_projects)
    return forbidden('Restricted users may not create projects on this platform.');
  return undefined;
}

export const mayCreateProjects = (viewer: Viewer, settings: Settings) =>
  !isAnonymous(viewer) && creationFault(viewer, settings) === undefined;

type StatusChange = Pick<Project, 'id' | 'status'>;

function mayChangeStatus(viewer: Viewer, from: ProjectStatus, to: ProjectStatus): boolean {
  if (to === 'deleted') return viewer.isSiteAdmin;
  if (to !== 'active' && to !== 'suspended') return false;
  if (holds(viewer, delegation.projectManagement)) return true;
  return from === 'pending' && to === 'active' && holds(viewer, delegation.projectApproval);
}

export function requireStatusChange(viewer: Viewer, project: StatusChange, to: ProjectStatus): void {
  if (project.status === to) return;
  if (project.id <= lastBuiltInProjectId)
    throw forbidden('The status of a built-in project cannot be changed.');
  if (project.status === 'deleted')
    throw forbidden('A deleted project cannot be given another status: restore it.');
  if (!mayChangeStatus(viewer, project.status, to))
    throw forbidden('You may not give this status to the project.');
}
