import {
  type LinkToStore,
  prepareHistory,
  type ReadyBatch,
  type ReadyChangeset,
  type ReadyHistory,
  TextReferences,
} from '../artifacts/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { childrenOf, type XmlElement } from '../kernel/xml.ts';
import type { ProjectExtension } from '../projects/index.ts';
import {
  type BlobKeeper,
  type Calls,
  type Reader,
  readRevisions,
  type storageOperations,
} from '../storage/index.ts';
import type { Field, Tracker, Trackers } from '../trackers/index.ts';
import { readArtifactInArchive } from './artifact-reader.ts';
import type { ArtifactSurvey } from './artifact-survey.ts';
import { FileIntake } from './file-intake.ts';
import { groupNamed } from './group-names.ts';
import { found } from './keys.ts';
import type { Archive, Warn } from './model.ts';
import type { archiveOperations } from './operations.ts';
import type { ArchivedPeople } from './people.ts';
import type { ImportedTracker } from './tracker-import.ts';
import { clipped } from './words.ts';

/** What artifacts are imported with. */
export interface ImportDeps {
  readonly database: Reader;
  readonly operations: Calls<typeof archiveOperations> &
    Pick<Calls<typeof storageOperations>, 'releaseUnused'>;
  readonly keeper: BlobKeeper;
  readonly trackers: Trackers;
  readonly extensions: readonly ProjectExtension[];
}

export interface ArtifactImportTask {
  readonly archive: Archive;
  readonly people: ArchivedPeople;
  /** By the place of each tracker in the archive. */
  readonly trackers: ReadonlyMap<number, ImportedTracker>;
  readonly survey: ArtifactSurvey;
  /** Groups beside those of the project, by name. */
  readonly groups?: Readonly<Record<string, number>>;
  /** Bytes of one file at the most. */
  readonly largestFile: number;
  readonly warn: Warn;
  /** Told what the ids of the archive became, a few at a time. */
  readonly note?: (
    kind: 'artifact' | 'changeset' | 'file',
    ids: readonly (readonly [string, number])[],
  ) => Promise<void>;
  readonly file?: string;
}

export interface ImportCounts {
  readonly artifacts: number;
  readonly changesets: number;
  readonly files: number;
}

/** What one transaction stores at the most, so that nobody has to wait for it. */
const most = { artifacts: 50, changesets: 100, characters: 250_000, links: 1000, ids: 10_000 };

const lengthOf = ({ changes, comment, olderComments }: ReadyChangeset) =>
  [changes, comment ?? '', ...olderComments].reduce((sum, text) => sum + text.length, 0);

const sizeOf = ({ artifact, changesets }: ReadyHistory) =>
  artifact.document.length + changesets.reduce((sum, changeset) => sum + lengthOf(changeset), 0);

/** Changesets that follow one another, as many as one transaction takes. */
function* portionsOf(changesets: readonly ReadyChangeset[]): Generator<readonly ReadyChangeset[]> {
  let portion: ReadyChangeset[] = [];
  let characters = 0;
  for (const changeset of changesets) {
    portion.push(changeset);
    characters += lengthOf(changeset);
    if (portion.length < most.changesets && characters < most.characters) continue;
    yield portion;
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}

interface Waiting extends ReadyHistory {
  /** What the archive calls its changesets. */
  readonly changesetKeys: readonly string[];
}

/**
 * Brings the artifacts of an archive into trackers that nobody sees yet: one after the other, in the order of the archive,
 * in memory that grows with nothing but the numbers of artifacts and links.
 */
export class ArtifactImport {
  readonly #deps: ImportDeps;
  readonly #viewer: Viewer;
  readonly #task: ArtifactImportTask;
  readonly #files: FileIntake;
  readonly #ids = new Map<number, number>();
  /** The new ids of the artifacts of each tracker that are still to come, the last one first. */
  readonly #coming = new Map<number, number[]>();
  readonly #typed = new Map<string, number>();
  readonly #compiled = new Map<number, Tracker>();
  readonly #links: LinkToStore[] = [];
  readonly #counts = { artifacts: 0, changesets: 0, files: 0 };
  #waiting: Waiting[] = [];
  #references: TextReferences | undefined;
  #characters = 0;
  #place = -1;
  #mark = 0;

  constructor(deps: ImportDeps, viewer: Viewer, task: ArtifactImportTask) {
    this.#deps = deps;
    this.#viewer = viewer;
    this.#task = task;
    this.#files = new FileIntake(deps, viewer, task);
  }

  get counts(): ImportCounts {
    return this.#counts;
  }

  /** Gives every artifact its id, in the order in which `places` names the trackers. To be called first. */
  async begin(places: Iterable<number>): Promise<void> {
    for (const place of places) {
      const ids = this.#task.survey.ids[place] ?? [];
      const made: number[] = [];
      for (let start = 0; start < ids.length; start += most.ids)
        made.push(...(await this.#reserve(ids.slice(start, start + most.ids))));
      this.#coming.set(place, made.reverse());
    }
    this.#mark = await this.#deps.keeper.mark();
  }

  async #reserve(some: readonly number[]): Promise<readonly number[]> {
    const input = { table: 'artifact', count: some.length } as const;
    const made = await this.#deps.operations.reserveIds(this.#viewer, input);
    const pairs = some.map((id, index) => [id, made[index] ?? 0] as const);
    for (const [id, number] of pairs) this.#ids.set(id, number);
    await this.#task.note?.(
      'artifact',
      pairs.map(([id, number]) => [String(id), number]),
    );
    return made;
  }

  async #trackerAt(place: number): Promise<Tracker | undefined> {
    const imported = this.#task.trackers.get(place);
    if (imported === undefined) return undefined;
    const known = this.#compiled.get(place);
    if (known !== undefined) return known;
    const { database, trackers } = this.#deps;
    const tracker = await trackers.find(database, imported.id, await readRevisions(database));
    if (tracker !== undefined) this.#compiled.set(place, tracker);
    return tracker;
  }

  /** Takes one artifact of the tracker at a place in the archive. One without history is none. */
  async add(place: number, artifact: XmlElement): Promise<void> {
    const tracker = await this.#trackerAt(place);
    if (tracker === undefined || childrenOf(artifact, 'changeset').length === 0) return;
    if (place !== this.#place) await this.#flush();
    this.#place = place;
    const id = this.#coming.get(place)?.pop() ?? 0;
    const history = await this.#read(tracker, artifact, id);
    this.#waiting.push(history);
    this.#characters += sizeOf(history);
    const changesets = this.#waiting.reduce((sum, waiting) => sum + waiting.changesets.length, 0);
    const isFull =
      this.#waiting.length >= most.artifacts ||
      changesets >= most.changesets ||
      this.#characters >= most.characters;
    if (isFull) await this.#flush();
  }

  async #read(tracker: Tracker, artifact: XmlElement, id: number): Promise<Waiting> {
    const { people, warn } = this.#task;
    const values = this.#task.trackers.get(this.#place)?.values ?? {};
    const read = await readArtifactInArchive(artifact, {
      tracker,
      people,
      references: this.#referencesOf(tracker),
      files: await this.#files.take(artifact),
      readsUnused: false,
      context: {
        item: (item) => found(values, item),
        group: (name) => groupNamed(name, ownGroups(tracker)) ?? this.#task.groups?.[name.trim()],
        typedValue: (field, label) => this.#typedValue(field, label),
        artifact: (other) => (/^\d{1,15}$/.test(other) ? this.#ids.get(Number(other)) : undefined),
        hasCompleteFiles: false,
      },
      warn: (warning) =>
        warn({ ...warning, place: `trackers/tracker[${tracker.itemName}]/${warning.place}` }),
    });
    const history = naming(tracker, artifact, () => prepareHistory(tracker, { id, ...read }));
    for (const [target, type] of history.links) this.#links.push([id, target, type]);
    return { ...history, changesetKeys: read.keys };
  }

  /** Texts of one batch often name the same things, and are often the same. */
  #referencesOf(tracker: Tracker): TextReferences {
    const { database, extensions } = this.#deps;
    this.#references ??= new TextReferences(database, this.#viewer, tracker, extensions);
    return this.#references;
  }

  async #typedValue(field: Field, label: string): Promise<number> {
    const key = `${field.id} ${label}`;
    const known = this.#typed.get(key);
    if (known !== undefined) return known;
    const input = { fieldId: field.id, labels: [label] };
    const [id = 0] = await this.#deps.operations.nameTypedValues(this.#viewer, input);
    this.#typed.set(key, id);
    return id;
  }

  /** Stores what waits; a long history takes several transactions, each of which only adds to it. */
  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    this.#references = undefined;
    const trackerId = this.#task.trackers.get(this.#place)?.id;
    if (waiting.length === 0 || trackerId === undefined) return;
    const changesets = waiting.flatMap((history) => history.changesets);
    const keys = waiting.flatMap(({ changesetKeys }) => changesetKeys);
    let artifacts = waiting.map(({ artifact }) => artifact);
    let start = 0;
    for (const some of portionsOf(changesets)) {
      const ids = await this.#store({ trackerId, artifacts, changesets: some });
      await this.#task.note?.(
        'changeset',
        ids.map((id, index) => [keys[start + index] ?? '', id]),
      );
      artifacts = [];
      start += some.length;
    }
    this.#counts.artifacts += waiting.length;
    this.#counts.changesets += changesets.length;
    this.#counts.files += waiting.reduce((sum, { artifact }) => sum + artifact.files.length, 0);
    await this.#files.forget();
    this.#mark = await this.#deps.keeper.mark();
  }

  async #store(batch: Omit<ReadyBatch, 'mark'>): Promise<readonly number[]> {
    const { keeper, operations } = this.#deps;
    const blobs = batch.artifacts.flatMap(({ files }) => files.flatMap((file) => file.blobs));
    let ids: readonly number[] | undefined;
    await keeper.add(blobs, this.#mark, async (mark) => {
      ids = await operations.insertHistory(this.#viewer, { ...batch, mark });
      return ids !== undefined;
    });
    return ids ?? [];
  }

  /** Stores the rest, and the links now that all ends of them are there. */
  async finish(): Promise<ImportCounts> {
    await this.#flush();
    for (let start = 0; start < this.#links.length; start += most.links) {
      const links = this.#links.slice(start, start + most.links);
      await this.#deps.operations.insertLinks(this.#viewer, { links });
    }
    return this.#counts;
  }

  /** Gives up: bytes that no file has got are removed. */
  async abandon(): Promise<void> {
    await this.#files.discard();
  }
}

const groupsOfTracker = new WeakMap<Tracker, ReadonlyMap<string, number>>();

function ownGroups(tracker: Tracker): ReadonlyMap<string, number> {
  const known =
    groupsOfTracker.get(tracker) ?? new Map([...tracker.projectGroups].map(([id, name]) => [name, id]));
  groupsOfTracker.set(tracker, known);
  return known;
}

/** Says which artifact of the archive a refusal is about. */
function naming<Result>({ itemName }: Tracker, artifact: XmlElement, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const name = clipped(artifact.attributes['id'] ?? '');
    throw new Refusal(error.kind, `trackers/tracker[${itemName}]/artifact[${name}]: ${error.detail}`);
  }
}
