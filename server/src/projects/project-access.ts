import type { Soon } from '../kernel/soon.ts';
import { delegation, holds, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import type { Project } from './model.ts';
import { type AccessTarget, countsAsAdministrator, requireAccess } from './policy.ts';
import { groupsOf } from './require-access.ts';
import { findProject } from './store.ts';

/** What a viewer is in one project. */
export interface ProjectAccess {
  /** Undefined when there is no such project. */
  readonly project: Project | undefined;
  /** The groups the viewer is in, as permissions of the project count them. */
  readonly groups: readonly number[];
  /** Site administrators count as administrators of every project. */
  readonly isAdmin: boolean;
  /** Whether the platform lets them administer the trackers of every project. */
  readonly administersTrackers: boolean;
  readonly isSiteAdmin: boolean;
  readonly isAnonymous: boolean;
}

/** Remembered at the most. */
const mostAccesses = 5_000;

const administersTrackers = (viewer: Viewer) => holds(viewer, delegation.trackerAdministration);

/** All that decides somebody's access beside what is stored about the project. */
const keyOf = (viewer: Viewer, projectId: number) => {
  const flags =
    (viewer.isSiteAdmin ? 1 : 0) +
    (viewer.isRestricted ? 2 : 0) +
    (isAnonymous(viewer) ? 4 : 0) +
    (administersTrackers(viewer) ? 8 : 0);
  return `${projectId} ${viewer.userId} ${flags}`;
};

/** Remembers who is what in which project, for as long as no project, group or membership changes. */
export class ProjectAccesses {
  readonly #known = new Map<string, ProjectAccess>();
  #revision: number | undefined;

  /** `revision`: that of the structure, read before or together with anything this is used for. */
  find(reader: Reader, viewer: Viewer, projectId: number, revision: number): Soon<ProjectAccess> {
    if (revision !== this.#revision || this.#known.size > mostAccesses) this.#known.clear();
    this.#revision = revision;
    const key = keyOf(viewer, projectId);
    return this.#known.get(key) ?? this.#read(reader, viewer, projectId, revision);
  }

  async #read(reader: Reader, viewer: Viewer, projectId: number, revision: number): Promise<ProjectAccess> {
    const projectAccess = await readProjectAccess(reader, viewer, projectId);
    if (this.#revision === revision) this.#known.set(keyOf(viewer, projectId), projectAccess);
    return projectAccess;
  }
}

export async function readProjectAccess(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
): Promise<ProjectAccess> {
  const project = await findProject(reader, viewer, projectId);
  const groups = await groupsOf(reader, viewer, projectId);
  return {
    project,
    groups,
    isAdmin: project === undefined ? viewer.isSiteAdmin : countsAsAdministrator(viewer, project),
    administersTrackers: administersTrackers(viewer),
    isSiteAdmin: viewer.isSiteAdmin,
    isAnonymous: isAnonymous(viewer),
  };
}

/** The project, when the viewer may access it; else the refusal that `accessTarget` asks for. */
export function requireAccessibleProject(
  viewer: Viewer,
  { project }: ProjectAccess,
  accessTarget: AccessTarget,
): Project {
  return requireAccess(viewer, project, accessTarget);
}
