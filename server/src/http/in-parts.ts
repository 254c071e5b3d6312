import {
  type Artifact,
  type ArtifactPiece,
  type PieceSource,
  Pieces,
  presentationKeyOf,
  type ReadContext,
  type RelatedData,
} from '../artifacts/index.ts';
import { findAccounts, type Settings } from '../identity/index.ts';
import type { Room } from '../kernel/room.ts';
import { type Soon, whenThere } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Frame, PeopleSeen, PresentationContext } from '../present/index.ts';
import type { Part, Parts } from './route.ts';
import type { Services } from './services.ts';

/** Characters from which on a part of an answer is worth being sent. */
const partLength = 128 * 1024;

/** The settings of the platform as of the revision that is read. */
export const platformSettings = ({ authenticator }: Services, { revisions }: ReadContext): Soon<Settings> =>
  authenticator.settingsAt(revisions.identity) ?? authenticator.settings();

/** How the viewer of a read is shown artifacts. */
export function presentationOf(services: Services, readContext: ReadContext): Soon<PresentationContext> {
  const { people, publicUrl } = services;
  return whenThere(platformSettings(services, readContext), (labels) => ({
    publicUrl,
    people: people.seenBy(readContext.viewer, readContext.revisions.identity),
    labels,
  }));
}

/** Fetches those whom an answer shows and who are not known yet. */
export const loadPeople = ({ reader }: ReadContext, people: PeopleSeen): Promise<void> =>
  people.load((ids) => findAccounts(reader, ids));

/** Writes; when that met people who are not known yet, fetches them and writes again. */
export function written<Text>(
  readContext: ReadContext,
  { people }: PresentationContext,
  write: () => Text,
): Soon<Text> {
  const text = write();
  return people.isIncomplete ? loadPeople(readContext, people).then(write) : text;
}

/** As `written` for what is too long to be one text. It is written once in vain, to find out whom it shows. */
export async function writtenInParts(
  readContext: ReadContext,
  { people }: PresentationContext,
  write: () => Iterable<string>,
): Promise<Iterator<string>> {
  for (const _ of write());
  if (people.isIncomplete) await loadPeople(readContext, people);
  return inLongerParts(write());
}

function* inLongerParts(texts: Iterable<string>): Generator<string> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

/** Parts that need nothing more to be made. */
export function readyParts(texts: Iterator<string>): Parts {
  const parts = {
    isOver: false,
    async next() {
      const text = texts.next();
      parts.isOver = text.done === true;
      return text.done ? undefined : text.value;
    },
  };
  return parts;
}

/** How the artifacts of an answer are written. */
export interface Writing<Related extends RelatedData = RelatedData> {
  /** Fetches what they need beside their values, for all of them at once; `links`: theirs, where they are known already. */
  gather(
    readContext: ReadContext,
    artifacts: readonly Artifact[],
    links?: ArtifactPiece['links'],
  ): Soon<Related>;
  readonly text: (artifact: Artifact, related: Related, presentation: PresentationContext) => string;
  /** The same in parts, for artifacts with much text; absent where the text is no longer than that. */
  readonly parts?: (
    artifact: Artifact,
    related: Related,
    presentation: PresentationContext,
  ) => Iterable<string>;
  /** Absent: all that the viewer sees are shown. */
  isShown?(artifact: Artifact): boolean;
  /**
   * The name of this form, where texts of it can be given again as long as their artifacts, those around them and the revisions are the
   * same, and all are shown; absent: they are always written anew.
   */
  readonly form?: string;
  /** Whether they show links. */
  readonly withLinks?: boolean;
}

/** Whom an answer is for, and what it may hold. */
export interface Answering {
  readonly viewer: Viewer;
  readonly room: Room;
}

/**
 * A text about artifacts in parts, each made when the one before was taken. What is held at a time is bounded in bytes,
 * and other requests get their turn in between. While it waits for room it holds nothing of what was shown already.
 */
export class ArtifactParts<Related extends RelatedData = RelatedData> implements Parts {
  readonly #services: Services;
  readonly #answering: Answering;
  readonly #pages: AsyncIterator<readonly number[]> | undefined;
  readonly #writing: Writing<Related>;
  readonly #written: PieceSource['written'];
  readonly #frame: Frame;
  #pieces: Pieces;
  /** What remains to be given of an artifact with much text. */
  #rest: Iterator<string> | undefined;
  #lead: string;
  isOver = false;

  /** `found`: ids, or pages of them. */
  constructor(
    services: Services,
    answering: Answering,
    found: readonly number[] | AsyncIterable<readonly number[]>,
    writing: Writing<Related>,
    frame: Frame,
  ) {
    this.#services = services;
    this.#answering = answering;
    this.#writing = writing;
    this.#written =
      writing.form === undefined
        ? undefined
        : { artifacts: services.listed, presentationKey: presentationKeyOf(answering.viewer, writing.form) };
    this.#pages = Symbol.asyncIterator in found ? found[Symbol.asyncIterator]() : undefined;
    this.#pieces = this.#piecesOf(Symbol.asyncIterator in found ? [] : found);
    this.#frame = frame;
    this.#lead = frame.before;
  }

  #piecesOf(ids: readonly number[]): Pieces {
    const { database, trackers } = this.#services;
    const { viewer, room } = this.#answering;
    const { withLinks = false } = this.#writing;
    return new Pieces({ database, viewer, trackers, room, written: this.#written, withLinks }, ids);
  }

  async next(): Promise<Part | undefined> {
    if (this.isOver) return undefined;
    const rest = this.#rest?.next();
    if (rest !== undefined && !rest.done) return rest.value;
    this.#rest = undefined;
    const piece = await this.#nextPiece();
    const texts = piece === undefined ? [] : await this.#write(piece);
    this.isOver = this.#rest === undefined && this.#isLast(piece);
    if (this.isOver) texts.push(this.#end());
    return joined(texts);
  }

  /** Whether nothing comes behind this piece. */
  #isLast(piece: ArtifactPiece | undefined): boolean {
    return piece === undefined || (this.#pages === undefined && this.#pieces.isOver);
  }

  #end(): string {
    const { before, after } = this.#frame;
    return this.#lead === before ? before + after : after;
  }

  async #nextPiece(): Promise<ArtifactPiece | undefined> {
    const piece = await this.#pieces.next();
    const page = piece === undefined ? await this.#pages?.next() : undefined;
    if (page === undefined || page.done) return piece;
    this.#pieces = this.#piecesOf(page.value);
    return this.#nextPiece();
  }

  async #write(piece: ArtifactPiece): Promise<Part[]> {
    const { readContext, known, artifacts: seen, links, isLarge } = piece;
    const writing = this.#writing;
    const artifacts = writing.isShown === undefined ? seen : seen.filter(writing.isShown);
    if (artifacts.length === 0) return this.#led(piece, known);
    const presentation = await presentationOf(this.#services, readContext);
    const related = await writing.gather(readContext, artifacts, links);
    const { parts } = writing;
    if (isLarge && parts !== undefined) {
      const write = () => artifacts.values().flatMap((artifact) => parts(artifact, related, presentation));
      this.#rest = await writtenInParts(readContext, presentation, write);
      const lead = this.#lead;
      this.#lead = this.#frame.between;
      return [lead];
    }
    const write = () => artifacts.map((artifact) => writing.text(artifact, related, presentation));
    const texts = await written(readContext, presentation, write);
    const found = new Map<number, Part>(known);
    for (const [index, { row }] of artifacts.entries()) {
      const text = texts[index] ?? '';
      found.set(row.id, (related.isCounted ? this.#keep(readContext, row, text) : undefined) ?? text);
    }
    return this.#led(piece, found);
  }

  /** The bytes of what is given again when it is asked for once more. */
  #keep({ revisions }: ReadContext, row: Artifact['row'], text: string): Uint8Array | undefined {
    return this.#written?.artifacts.keep(this.#written.presentationKey, row, revisions, text);
  }

  /** What was written of the artifacts of a piece, in their order, with what comes between them. */
  #led({ ids }: ArtifactPiece, found: ReadonlyMap<number, Part>): Part[] {
    const parts: Part[] = [];
    for (const id of ids) {
      const text = found.get(id);
      if (text === undefined) continue;
      parts.push(this.#lead, text);
      this.#lead = this.#frame.between;
    }
    return parts;
  }
}

/** One text, or its bytes where those of some of it are known. */
function joined(parts: readonly Part[]): Part {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
