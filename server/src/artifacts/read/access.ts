import { type Soon, whenThere } from '../../kernel/soon.ts';
import { isAnonymous } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import { stateOf } from '../../trackers/index.ts';
import { type Allowance, readAllowance } from '../deletion-limit.ts';
import type { Artifact } from '../model.ts';
import type { ReadContext } from '../visibility.ts';

/** What the state of an artifact and the rights of its viewer let them do with it. */
export interface ArtifactRights {
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

export function rightsTo(readContext: ReadContext, artifact: Artifact, limit: number): Soon<ArtifactRights> {
  const { reader, viewer, trackers, revisions } = readContext;
  const { id } = artifact.view.tracker.project;
  return whenThere(trackers.projectAccess(reader, viewer, id, revisions), ({ project }) => {
    const rights = rightsOn(readContext, artifact, project?.status === 'active', limit);
    const allowance = rights.mayDelete ? readAllowance(reader, viewer, limit) : undefined;
    return whenThere(allowance, (allowed) => ({ ...formOf(artifact), ...rights, allowance: allowed }));
  });
}

/** Whether the allowance that was shown still holds. */
export class AllowanceFreshness {
  readonly #known: Allowance | undefined;
  readonly #context: Pick<ReadContext, 'viewer'>;
  readonly #limit: number;

  constructor({ allowance }: ArtifactRights, context: Pick<ReadContext, 'viewer'>, limit: number) {
    this.#known = allowance;
    this.#context = context;
    this.#limit = limit;
  }

  /** Whether nobody's deletion leaves the window meanwhile. */
  get isTimely(): boolean {
    return this.#known === undefined || Date.now() < this.#known.until;
  }

  holds(database: Database): Soon<boolean> {
    const known = this.#known;
    if (known === undefined) return true;
    return whenThere(
      readAllowance(database, this.#context.viewer, this.#limit),
      ({ left }) => left === known.left,
    );
  }
}
