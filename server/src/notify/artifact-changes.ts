import {
  type Artifact,
  type ArtifactChange,
  findArtifacts,
  mayReadComment,
  parseDocument,
  type ReadContext,
  readChange,
  readContextOf,
  type StoredComment,
  visibleOf,
} from '../artifacts/index.ts';
import { readSettings, viewerFor } from '../identity/index.ts';
import type { ChangesetFacts } from '../kernel/events.ts';
import { anonymousViewer, systemViewer, type Viewer } from '../kernel/viewer.ts';
import type { Database } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';

/** Which changeset of which artifact. */
export type ChangesetPlace = Pick<ChangesetFacts, 'artifactId' | 'changesetId'>;

/** A change of an artifact, before one viewer. */
export interface SeenChange {
  readonly readContext: ReadContext;
  readonly artifact: Artifact;
  readonly change: ArtifactChange;
  /** The text that came with it, where the viewer may read it. */
  readonly comment: StoredComment | undefined;
}

/** What is told of artifacts is read here. */
export interface ArtifactReadDeps {
  readonly database: Database;
  readonly trackers: Trackers;
}

/** The change as this viewer may see it now; undefined where the artifact is gone or not for them. */
export async function seenBy(
  viewer: Viewer,
  place: ChangesetPlace,
  { database, trackers }: ArtifactReadDeps,
): Promise<SeenChange | undefined> {
  database.renew();
  return seenIn(await readContextOf(database, viewer, trackers), place, database);
}

async function seenIn(
  readContext: ReadContext,
  { artifactId, changesetId }: ChangesetPlace,
  database: Database,
): Promise<SeenChange | undefined> {
  const [visible] = await visibleOf(readContext, await findArtifacts(database, [artifactId]));
  if (visible === undefined) return undefined;
  const { row, view } = visible;
  const change = await readChange(database, view.tracker, { artifactId, changesetId });
  if (change === undefined) return undefined;
  const { comment } = change;
  const isReadable = comment !== null && comment.content !== '' && mayReadComment(view, comment);
  const artifact = { row, view, document: parseDocument(row.document) };
  return { readContext, artifact, change, comment: isReadable ? comment : undefined };
}

/** Who looks at changes that are told together: the platform, to decide whom to tell, and those people. Each is looked up once. */
export class Onlookers {
  readonly #deps: ArtifactReadDeps;
  readonly #people = new Map<number, Promise<ReadContext | undefined>>();
  #platform: Promise<ReadContext> | undefined;

  constructor(deps: ArtifactReadDeps) {
    this.#deps = deps;
  }

  /** What somebody may see; undefined where there is nobody. */
  person(accountId: number): Promise<ReadContext | undefined> {
    const known = this.#people.get(accountId) ?? this.#look(accountId);
    this.#people.set(accountId, known);
    return known;
  }

  async #look(accountId: number): Promise<ReadContext | undefined> {
    const { database, trackers } = this.#deps;
    const viewer = await recipientViewer(database, accountId);
    return viewer && readContextOf(database, viewer, trackers);
  }

  /** The change as it is. */
  async platform(place: ChangesetPlace): Promise<SeenChange | undefined> {
    const { database, trackers } = this.#deps;
    database.renew();
    this.#platform ??= readContextOf(database, systemViewer, trackers);
    return seenIn(await this.#platform, place, database);
  }
}

/** Somebody who is told: by their account, or as anybody who is not logged in. Undefined where that cannot be. */
export async function recipientViewer(
  database: Database,
  accountId: number | null,
): Promise<Viewer | undefined> {
  if (accountId !== null) return viewerFor(database, accountId);
  const { access_mode: mode } = await readSettings(database);
  return mode === 'anonymous' ? anonymousViewer(mode) : undefined;
}
