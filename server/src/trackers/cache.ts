import type { Soon } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type ProjectAccess, ProjectAccesses } from '../projects/index.ts';
import type { Reader, Revisions } from '../storage/index.ts';
import { loadTracker } from './compile.ts';
import type { ReferenceSource } from './extension.ts';
import { usableLinkTypes } from './link-types.ts';
import type { Tracker } from './model.ts';
import { requireView, unknownTracker } from './policy.ts';
import { findSums } from './sums.ts';
import { type TrackerView, viewOf } from './view.ts';

/** Trackers that one thread keeps compiled. */
const mostTrackers = 500;

/** Trackers that are asked for together. */
const mostTogether = 32;

/**
 * The trackers that one thread knows, each put together once for each revision of the structure, and who may do what
 * in them. What a transaction changed itself is not read through here before it is committed.
 */
export class Trackers {
  /** Rooms that know what names artifacts beside other artifacts. */
  readonly referenceSources: readonly ReferenceSource[];
  readonly #known = new Map<number, Tracker>();
  readonly #linkTypes = new Map<number, ReadonlySet<string>>();
  readonly #accesses = new ProjectAccesses();
  #sums: ReadonlySet<string> | undefined;
  #hasSums = true;
  #revision: number | undefined;

  constructor(referenceSources: readonly ReferenceSource[] = []) {
    this.referenceSources = referenceSources;
  }

  /** Forgets what was known at another revision. */
  #renew(structure: number): void {
    if (structure !== this.#revision || this.#known.size > mostTrackers) this.#known.clear();
    if (structure !== this.#revision) {
      this.#linkTypes.clear();
      this.#sums = undefined;
    }
    this.#revision = structure;
  }

  /** The tracker, deleted or not; undefined when there never was one. */
  find(reader: Reader, id: number, { structure }: Revisions): Soon<Tracker | undefined> {
    this.#renew(structure);
    return this.#known.get(id) ?? this.#load(reader, id, structure);
  }

  async #load(reader: Reader, id: number, structure: number): Promise<Tracker | undefined> {
    const tracker = await loadTracker(reader, id);
    if (tracker !== undefined && this.#revision === structure) this.#known.set(id, tracker);
    return tracker;
  }

  /** Those of these trackers that there are, in their order: what is not known of them is asked for together. */
  async findAll(reader: Reader, ids: readonly number[], revisions: Revisions): Promise<Tracker[]> {
    const together = reader.gathered();
    const found: (Tracker | undefined)[] = [];
    for (let at = 0; at < ids.length; at += mostTogether) {
      const some = ids.slice(at, at + mostTogether).map((id) => this.find(together, id, revisions));
      found.push(...(await Promise.all(some)));
    }
    return found.filter((tracker) => tracker !== undefined);
  }

  /** Short names of the link types that can be chosen in a project. */
  async linkTypes(reader: Reader, projectId: number, { structure }: Revisions): Promise<ReadonlySet<string>> {
    this.#renew(structure);
    const known = this.#linkTypes.get(projectId);
    if (known !== undefined) return known;
    const types = new Set((await usableLinkTypes(reader, projectId)).map(({ shortname }) => shortname));
    if (this.#revision === structure) this.#linkTypes.set(projectId, types);
    return types;
  }

  /** Short names of the fields that sum up, on the whole platform. */
  async sums(reader: Reader, { structure }: Revisions): Promise<ReadonlySet<string>> {
    this.#renew(structure);
    if (this.#sums !== undefined) return this.#sums;
    const sums = await findSums(reader);
    this.#hasSums = sums.size > 0;
    if (this.#revision === structure) this.#sums = sums;
    return sums;
  }

  /** Whether there were fields that sum up when somebody last looked: a guess that costs nothing. */
  get hasSums(): boolean {
    return this.#hasSums;
  }

  projectAccess(
    reader: Reader,
    viewer: Viewer,
    projectId: number,
    { structure }: Revisions,
  ): Soon<ProjectAccess> {
    return this.#accesses.find(reader, viewer, projectId, structure);
  }

  /** What the viewer may see and do in a tracker, as far as the tracker grants it. */
  async view(reader: Reader, viewer: Viewer, tracker: Tracker, revisions: Revisions): Promise<TrackerView> {
    return viewOf(tracker, await this.projectAccess(reader, viewer, tracker.project.id, revisions));
  }

  /** The tracker with what the viewer may do in it, when project and tracker let them look at it. */
  async require(reader: Reader, viewer: Viewer, id: number, revisions: Revisions): Promise<TrackerView> {
    const tracker = await this.find(reader, id, revisions);
    if (tracker === undefined) throw unknownTracker();
    const projectAccess = await this.projectAccess(reader, viewer, tracker.project.id, revisions);
    return requireView(tracker, viewer, projectAccess);
  }
}
