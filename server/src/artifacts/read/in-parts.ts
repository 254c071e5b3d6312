import { type Group, groupsByBytes } from '../../kernel/groups.ts';
import type { Room } from '../../kernel/room.ts';
import type { Artifact } from '../model.ts';
import { visibleInOrder } from '../several.ts';
import { findArtifacts, findLightArtifacts, isHeavy, type LightRow, much } from '../store.ts';
import type { ReadContext } from '../visibility.ts';

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
  readonly artifacts: readonly Artifact[];
  /** Whether this is a single artifact, with more values than should be written at once. */
  readonly isLarge: boolean;
}

/** Ids in groups whose values have about as many bytes as are read at once. */
function groupsOf(ids: readonly number[], rows: readonly LightRow[]): Group<number>[] {
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  const found = ids.filter((id) => bytesOf.has(id));
  return groupsByBytes(found, (id) => bytesOf.get(id) ?? 0, pieceBytes);
}

const withoutText = (artifact: Artifact): Artifact => ({
  ...artifact,
  row: { ...artifact.row, document: '' },
});

/**
 * Artifacts in the order of their ids as given, those that the viewer may not see left out: few enough at a time that
 * what they hold is bounded in bytes, whatever is in them. Others get their turn in between, so each time it is looked
 * anew who may see what. Not a generator: those hold the last artifacts while they wait for room for the next.
 */
export class Pieces {
  readonly #look: () => Promise<ReadContext>;
  readonly #ids: readonly number[];
  readonly #room: Room;
  readonly #groups: Group<number>[] = [];
  #next = 0;

  constructor(look: () => Promise<ReadContext>, ids: readonly number[], room: Room) {
    this.#look = look;
    this.#ids = ids;
    this.#room = room;
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
    const ids = this.#ids.slice(this.#next, this.#next + mostAtOnce);
    this.#next += ids.length;
    await this.#room.need(roomFor(ids.length * much.amongMany));
    const readContext = await this.#look();
    const rows = await findLightArtifacts(readContext.reader, ids);
    if (rows.some(isHeavy)) {
      this.#groups.push(...groupsOf(ids, rows));
      return this.next();
    }
    this.#room.hold(roomFor(rows.reduce((sum, { bytes }) => sum + bytes, 0)));
    return { readContext, artifacts: await visibleInOrder(readContext, ids, rows), isLarge: false };
  }

  async #readGroup({ items: ids, bytes }: Group<number>): Promise<ArtifactPiece> {
    await this.#room.need(roomFor(bytes));
    const readContext = await this.#look();
    const artifacts = await visibleInOrder(readContext, ids, await findArtifacts(readContext.reader, ids));
    return { readContext, artifacts: artifacts.map(withoutText), isLarge: bytes > pieceBytes };
  }
}
