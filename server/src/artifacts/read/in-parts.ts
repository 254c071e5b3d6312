import { type Group, groupsByBytes } from '../../kernel/groups.ts';
import type { Room } from '../../kernel/room.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import { visibleInOrder } from '../several.ts';
import {
  findArtifacts,
  findLightArtifacts,
  findRemoteArtifacts,
  findStates,
  isHeavy,
  type LightRow,
  type LinkRow,
  much,
} from '../store.ts';
import { type ReadContext, readContextOf } from '../visibility.ts';
import type { ListedArtifacts } from './listed.ts';

/** Artifacts that are read and written in one turn of the event loop at the most. */
const mostAtOnce = 50;
/** Bytes of values that are read at once, unless a single artifact has more. */
export const pieceBytes = 256 * 1024;
/** Times that values are held while an answer is made from them: as they were read, taken apart, written, and sent. */
const copies = 4;
/** What an answer holds beside them: the part that was made before. */
const besides = 320 * 1024;

/** Bytes of memory that answering with so many bytes of values takes. */
export const roomFor = (bytes: number): number => copies * bytes + besides;

/** Some artifacts of an answer, which the viewer sees now. */
export interface ArtifactPiece {
  readonly readContext: ReadContext;
  /** Those that were asked for, in their order. */
  readonly ids: readonly number[];
  /** What was written of some of them before and still holds, by their ids. */
  readonly known: KnownTexts;
  /** All others that the viewer sees. */
  readonly artifacts: readonly Artifact[];
  /** The links of these, where they came with them. */
  readonly links?: readonly LinkRow[] | undefined;
  /** Whether this is a single artifact, with more values than should be written at once. */
  readonly isLarge: boolean;
}

type KnownTexts = ReadonlyMap<number, Uint8Array>;

/** What artifacts are read from and for. */
export interface PieceSource {
  readonly database: Database;
  readonly viewer: Viewer;
  readonly trackers: Trackers;
  readonly room: Room;
  /** Where artifacts are kept as they were written for this viewer; absent: each is read. */
  readonly written?: { readonly artifacts: ListedArtifacts; readonly presentationKey: string } | undefined;
  /** Whether their links are shown. */
  readonly withLinks?: boolean;
}

/** What was found of some artifacts: rows are read of those that are not known. */
interface Look {
  readonly readContext: ReadContext;
  readonly known: KnownTexts;
  readonly rows: readonly LightRow[];
  readonly links?: readonly LinkRow[] | undefined;
}

const nothingKnown: KnownTexts = new Map();

const lengthOf = (known: KnownTexts): number => known.values().reduce((sum, { length }) => sum + length, 0);

/** Ids in groups whose values have about as many bytes as are read at once. */
function groupsOf(ids: readonly number[], { rows, known }: Look): Group<number>[] {
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  for (const [id, { length }] of known) bytesOf.set(id, length);
  const found = ids.filter((id) => bytesOf.has(id));
  return groupsByBytes(found, (id) => bytesOf.get(id) ?? 0, pieceBytes);
}

const withoutText = (artifact: Artifact): Artifact => ({
  ...artifact,
  row: { ...artifact.row, document: '' },
});

/** Those of the ids of which nothing is known. */
const unknownOf = (ids: readonly number[], known: KnownTexts): readonly number[] =>
  known.size === 0 ? ids : ids.filter((id) => !known.has(id));

/**
 * Artifacts in the order of their ids as given, those that the viewer may not see left out: few enough at a time that
 * what they hold is bounded in bytes, whatever is in them. Others get their turn in between, so each time it is looked
 * anew who may see what. Not a generator: those hold the last artifacts while they wait for room for the next.
 */
export class Pieces {
  readonly #source: PieceSource;
  readonly #ids: readonly number[];
  readonly #groups: Group<number>[] = [];
  #next = 0;

  constructor(source: PieceSource, ids: readonly number[]) {
    this.#source = source;
    this.#ids = ids;
  }

  get isOver(): boolean {
    return this.#groups.length === 0 && this.#next >= this.#ids.length;
  }

  /** The next artifacts; undefined when there are no more. */
  async next(): Promise<ArtifactPiece | undefined> {
    if (this.isOver) return undefined;
    const group = this.#groups.shift();
    return group === undefined ? this.#readSome() : this.#readGroup(group);
  }

  async #readSome(): Promise<ArtifactPiece | undefined> {
    const { room } = this.#source;
    const ids = this.#ids.slice(this.#next, this.#next + mostAtOnce);
    this.#next += ids.length;
    await room.need(roomFor(ids.length * much.amongMany));
    const look = await this.#look(ids);
    const { readContext, known, rows, links } = look;
    if (rows.some(isHeavy)) {
      this.#groups.push(...groupsOf(ids, look));
      return this.next();
    }
    room.hold(roomFor(rows.reduce((sum, { bytes }) => sum + bytes, lengthOf(known))));
    const artifacts = await visibleInOrder(readContext, unknownOf(ids, known), rows);
    return { readContext, ids, known, artifacts, links, isLarge: false };
  }

  async #readGroup({ items: ids, bytes }: Group<number>): Promise<ArtifactPiece> {
    await this.#source.room.need(roomFor(bytes));
    const readContext = await this.#context();
    const known = (await this.#recall(ids, readContext))?.known ?? nothingKnown;
    const unknown = unknownOf(ids, known);
    const rows = await findArtifacts(readContext.reader, unknown);
    const artifacts = await visibleInOrder(readContext, unknown, rows);
    return {
      ...{ readContext, ids, known },
      artifacts: artifacts.map(withoutText),
      isLarge: bytes > pieceBytes,
    };
  }

  #context(): Promise<ReadContext> {
    const { database, viewer, trackers } = this.#source;
    return readContextOf(database, viewer, trackers);
  }

  /** Where something is kept of all of them, it is looked whether that still holds; else all are read. */
  async #look(ids: readonly number[]): Promise<Look> {
    const recalled = await this.#recall(ids);
    if (recalled === undefined) return this.#read(ids);
    const unknown = unknownOf(ids, recalled.known);
    if (unknown.length === 0) return { ...recalled, rows: [] };
    const read = await this.#read(unknown);
    return { ...read, known: new Map([...recalled.known, ...read.known]) };
  }

  /** What holds of what is kept, where that is something of each; nothing but counters is read. */
  async #recall(
    ids: readonly number[],
    context?: ReadContext,
  ): Promise<Pick<Look, 'readContext' | 'known'> | undefined> {
    const { database, viewer, trackers, written } = this.#source;
    if (written === undefined || !written.artifacts.hasAll(written.presentationKey, ids)) return undefined;
    const mark = database.changeMark();
    const all = written.artifacts.allAt(written.presentationKey, ids, mark);
    if (all !== undefined) return { readContext: context ?? (await this.#context()), known: all };
    const { states, revisions } = await findStates(database, ids);
    if (revisions === undefined) return undefined;
    const known = written.artifacts.holding(written.presentationKey, states, revisions, mark);
    return { readContext: context ?? { reader: database, viewer, trackers, revisions }, known };
  }

  async #read(ids: readonly number[]): Promise<Look> {
    const { database, viewer, trackers, written, withLinks = false } = this.#source;
    const look = async (): Promise<Omit<Look, 'known'>> => {
      if (!database.isRemote) {
        const readContext = await this.#context();
        return { readContext, rows: await findLightArtifacts(database, ids) };
      }
      const { rows, revisions, links } = await findRemoteArtifacts(database, ids, withLinks);
      if (revisions === undefined) return { readContext: await this.#context(), rows };
      return { readContext: { reader: database, viewer, trackers, revisions }, rows, links };
    };
    const { readContext, rows, links } = await look();
    const { revisions } = readContext;
    const known =
      written?.artifacts.holding(written.presentationKey, rows, revisions, undefined) ?? nothingKnown;
    const read = known.size === 0 ? rows : rows.filter(({ id }) => !known.has(id));
    return { readContext, known, rows: read, links };
  }
}
