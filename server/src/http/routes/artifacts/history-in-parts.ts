import {
  type Artifact,
  type Changeset,
  gather,
  type HistoryRequest,
  type Outline,
  pieceBytes,
  type ReadArtifact,
  readArtifact,
  readHistory,
  roomFor,
} from '../../../artifacts/index.ts';
import { type Group, groupsByBytes } from '../../../kernel/groups.ts';
import { changesetTexts, changesetTextsInParts } from '../../../present/index.ts';
import { type Answering, presentationOf, written, writtenInParts } from '../../in-parts.ts';
import type { Parts } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Each changeset shows the whole values at its time, so that many of them may show much more than was changed. */
const groupsOf = (outlines: readonly Outline[], stateBytes: number) =>
  groupsByBytes(outlines, ({ bytes }) => bytes + stateBytes, pieceBytes);

const pastOf = ({ view }: Artifact, changesets: readonly Changeset[]) =>
  changesets.flatMap(({ document }) => (document === undefined ? [] : { fields: view.shown, document }));

/** Changesets of an artifact as a JSON array in parts, each made when the one before was taken. */
export class HistoryParts implements Parts {
  readonly #services: Services;
  readonly #answering: Answering;
  readonly #input: HistoryRequest;
  readonly #artifactId: number;
  readonly #groups: Group<Outline>[];
  /** The artifact as it was read last, for the first group. */
  #known: ReadArtifact | undefined;
  #rest: Iterator<string> | undefined;
  #lead = '[';
  isOver = false;

  constructor(
    services: Services,
    answering: Answering,
    artifact: ReadArtifact,
    outlines: readonly Outline[],
    input: HistoryRequest,
  ) {
    this.#services = services;
    this.#answering = answering;
    this.#input = input;
    this.#artifactId = artifact.artifact.row.id;
    this.#groups = groupsOf(outlines, input.commentsOnly ? 0 : artifact.bytes);
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

  async #write({ items: outlines, bytes }: Group<Outline>): Promise<string> {
    await this.#answering.room.need(roomFor(bytes));
    const { readContext, artifact } = await this.#artifact();
    const changesets = await readHistory(readContext, artifact, outlines, this.#input);
    const past = pastOf(artifact, changesets);
    const related = await gather(readContext, past.length === 0 ? [] : [artifact], { past });
    const presentation = await presentationOf(this.#services, readContext);
    const lead = this.#lead;
    this.#lead = ',';
    if (bytes <= pieceBytes) {
      const write = () => changesetTexts(artifact, changesets, related, presentation);
      return lead + (await written(readContext, presentation, write));
    }
    const write = () => changesetTextsInParts(artifact, changesets, related, presentation);
    this.#rest = await writtenInParts(readContext, presentation, write);
    return lead;
  }
}
