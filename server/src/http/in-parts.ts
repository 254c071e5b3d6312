import {
  type Artifact,
  type ArtifactPiece,
  Pieces,
  type ReadContext,
  type RelatedData,
  readContextOf,
} from '../artifacts/index.ts';
import { findAccounts, type Settings } from '../identity/index.ts';
import type { Room } from '../kernel/room.ts';
import { type Soon, whenThere } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Frame, PeopleSeen, PresentationContext } from '../present/index.ts';
import type { Parts } from './route.ts';
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
export function written(
  readContext: ReadContext,
  { people }: PresentationContext,
  write: () => string,
): Soon<string> {
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
  /** Fetches what they need beside their values, for all of them at once. */
  gather(readContext: ReadContext, artifacts: readonly Artifact[]): Soon<Related>;
  readonly text: (artifact: Artifact, related: Related, presentation: PresentationContext) => string;
  /** The same in parts, for artifacts with much text; absent where the text is no longer than that. */
  readonly parts?: (
    artifact: Artifact,
    related: Related,
    presentation: PresentationContext,
  ) => Iterable<string>;
  /** Absent: all that the viewer sees are shown. */
  isShown?(artifact: Artifact): boolean;
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
    this.#pages = Symbol.asyncIterator in found ? found[Symbol.asyncIterator]() : undefined;
    this.#pieces = this.#piecesOf(Symbol.asyncIterator in found ? [] : found);
    this.#writing = writing;
    this.#frame = frame;
    this.#lead = frame.before;
  }

  #piecesOf(ids: readonly number[]): Pieces {
    const { database, trackers } = this.#services;
    const { viewer, room } = this.#answering;
    return new Pieces(() => readContextOf(database, viewer, trackers), ids, room);
  }

  async next(): Promise<string | undefined> {
    if (this.isOver) return undefined;
    const rest = this.#rest?.next();
    if (rest !== undefined && !rest.done) return rest.value;
    this.#rest = undefined;
    const piece = await this.#nextPiece();
    const text = piece === undefined ? '' : await this.#write(piece);
    this.isOver = this.#rest === undefined && this.#isLast(piece);
    return this.isOver ? text + this.#end() : text;
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

  async #write({ readContext, artifacts: seen, isLarge }: ArtifactPiece): Promise<string> {
    const writing = this.#writing;
    const artifacts = writing.isShown === undefined ? seen : seen.filter(writing.isShown);
    if (artifacts.length === 0) return '';
    const lead = this.#lead;
    this.#lead = this.#frame.between;
    const presentation = await presentationOf(this.#services, readContext);
    const related = await writing.gather(readContext, artifacts);
    const { parts } = writing;
    if (isLarge && parts !== undefined) {
      const write = () => artifacts.values().flatMap((artifact) => parts(artifact, related, presentation));
      this.#rest = await writtenInParts(readContext, presentation, write);
      return lead;
    }
    const texts = () => artifacts.map((artifact) => writing.text(artifact, related, presentation));
    return lead + (await written(readContext, presentation, () => texts().join(this.#frame.between)));
  }
}
