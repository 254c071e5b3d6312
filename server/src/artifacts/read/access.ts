import { isAnonymous } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import { stateOf } from '../../trackers/index.ts';
import { type Allowance, allowanceAtOnce, readAllowance } from '../deletion-limit.ts';
import type { Artifact } from '../model.ts';
import type { ReadContext } from '../visibility.ts';

/** What the state of an artifact and the rights of its viewer let them do with it. */
export interface Standing {
  readonly frozenFieldIds: readonly number[];
  readonly hiddenFieldsetIds: readonly number[];
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
  /** How many artifacts they may still delete; undefined where they may not delete this one. */
  readonly allowance: Allowance | undefined;
}

/** `limit`: how many artifacts anybody may delete in a day. */
function rightsOn({ viewer }: ReadContext, { view }: Artifact, isActive: boolean, limit: number) {
  const isWriter = isActive && !isAnonymous(viewer);
  return {
    mayUpdate: isWriter && view.shown.some(view.canUpdate),
    mayDelete: isWriter && view.isAdmin && limit > 0,
  };
}

function formOf({ view, document }: Artifact) {
  const { frozen, hidden } = stateOf(view.tracker, document);
  const known = [...frozen].filter((id) => {
    const field = view.tracker.elementById.get(id);
    return field !== undefined && view.knows(field);
  });
  return { frozenFieldIds: known, hiddenFieldsetIds: [...hidden] };
}

export async function standingOf(
  readContext: ReadContext,
  artifact: Artifact,
  limit: number,
): Promise<Standing> {
  const { reader, viewer, trackers, revisions } = readContext;
  const { id } = artifact.view.tracker.project;
  const { project } = await trackers.projectAccess(reader, viewer, id, revisions);
  const rights = rightsOn(readContext, artifact, project?.status === 'active', limit);
  const allowance = rights.mayDelete ? await readAllowance(reader, viewer, limit) : undefined;
  return { ...formOf(artifact), ...rights, allowance };
}

/** The same from what is remembered or read without waiting; undefined where that does not tell. */
export function standingAtOnce(
  database: Database,
  readContext: ReadContext,
  artifact: Artifact,
  limit: number,
): Standing | undefined {
  const { viewer, trackers, revisions } = readContext;
  const access = trackers.knownProjectAccess(viewer, artifact.view.tracker.project.id, revisions);
  if (access === undefined) return undefined;
  const rights = rightsOn(readContext, artifact, access.project?.status === 'active', limit);
  const allowance = rights.mayDelete ? allowanceAtOnce(database, viewer, limit) : undefined;
  if (rights.mayDelete && allowance === undefined) return undefined;
  return { ...formOf(artifact), ...rights, allowance };
}

/** Whether the allowance of a standing still holds. */
export class AllowanceFreshness {
  readonly #known: Allowance | undefined;
  readonly #context: Pick<ReadContext, 'viewer'>;
  readonly #limit: number;

  constructor({ allowance }: Standing, context: Pick<ReadContext, 'viewer'>, limit: number) {
    this.#known = allowance;
    this.#context = context;
    this.#limit = limit;
  }

  /** Whether nobody's deletion leaves the window meanwhile. */
  get isTimely(): boolean {
    return this.#known === undefined || Date.now() < this.#known.until;
  }

  async holds(database: Database): Promise<boolean> {
    if (this.#known === undefined) return true;
    const { left } = await readAllowance(database, this.#context.viewer, this.#limit);
    return left === this.#known.left;
  }

  holdsAtOnce(database: Database): boolean | undefined {
    if (this.#known === undefined) return true;
    const now = allowanceAtOnce(database, this.#context.viewer, this.#limit);
    return now && now.left === this.#known.left;
  }
}
