import { pieceBytes, type ReadArtifact, readArtifact, roomFor } from '../../../artifacts/index.ts';
import { type Group, groupsByBytes } from '../../../kernel/groups.ts';
import type { PresentationContext } from '../../../present/index.ts';
import { type Answering, presentationOf, written, writtenInParts } from '../../in-parts.ts';
import type { Parts } from '../../route.ts';
import type { Services } from '../../services.ts';

/** What writes some of what happened to an artifact, with all that it shows fetched already. */
export interface Written {
  readonly text: () => string;
  /** The same in parts, where it may be too long to be one text. */
  readonly parts?: () => Iterable<string>;
}

/** How what happened to an artifact is written. */
export interface HistoryWriting<Item> {
  /** About how much is read to show one of them. */
  readonly bytesOf: (item: Item) => number;
  prepare(read: ReadArtifact, items: readonly Item[], presentation: PresentationContext): Promise<Written>;
}

/** What happened to an artifact as a JSON array in parts, each made when the one before was taken. */
export class HistoryParts<Item> implements Parts {
  readonly #services: Services;
  readonly #answering: Answering;
  readonly #writing: HistoryWriting<Item>;
  readonly #artifactId: number;
  readonly #groups: Group<Item>[];
  /** The artifact as it was read last, for the first group. */
  #known: ReadArtifact | undefined;
  #rest: Iterator<string> | undefined;
  #lead = '[';
  isOver = false;

  constructor(
    services: Services,
    answering: Answering,
    artifact: ReadArtifact,
    items: readonly Item[],
    writing: HistoryWriting<Item>,
  ) {
    this.#services = services;
    this.#answering = answering;
    this.#writing = writing;
    this.#artifactId = artifact.artifact.row.id;
    this.#groups = groupsByBytes(items, writing.bytesOf, pieceBytes);
    this.#known = artifact.bytes > pieceBytes ? undefined : artifact;
  }

  async next(): Promise<string | undefined> {
    if (this.isOver) return undefined;
    const rest = this.#rest?.next();
    if (rest !== undefined && !rest.done) return rest.value;
    this.#rest = undefined;
    const group = this.#groups.shift();
    const text = group === undefined ? '' : await this.#write(group);
    this.isOver = this.#rest === undefined && this.#groups.length === 0;
    if (!this.isOver) return text;
    return text + (this.#lead === '[' ? '[]' : ']');
  }

  /** What the viewer sees of the artifact; anew for every group but the first, because time has passed. */
  async #artifact(): Promise<ReadArtifact> {
    const known = this.#known;
    this.#known = undefined;
    const { database, trackers } = this.#services;
    return known ?? readArtifact(database, this.#answering.viewer, trackers, this.#artifactId);
  }

  async #write({ items, bytes }: Group<Item>): Promise<string> {
    await this.#answering.room.need(roomFor(bytes));
    const read = await this.#artifact();
    const presentation = await presentationOf(this.#services, read.readContext);
    const { text, parts } = await this.#writing.prepare(read, items, presentation);
    if (bytes > pieceBytes && parts !== undefined) {
      this.#rest = await writtenInParts(read.readContext, presentation, parts);
      return this.#led();
    }
    const whole = await written(read.readContext, presentation, text);
    return whole === '' ? '' : this.#led() + whole;
  }

  /** What comes before the next item. */
  #led(): string {
    const lead = this.#lead;
    this.#lead = ',';
    return lead;
  }
}
