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
  { artifactId, changesetId }: ChangesetPlace,
  { database, trackers }: ArtifactReadDeps,
): Promise<SeenChange | undefined> {
  database.renew();
  const readContext = await readContextOf(database, viewer, trackers);
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

/** The change as it is, for deciding whom to tell of it. */
export const seenByPlatform = (place: ChangesetPlace, deps: ArtifactReadDeps) =>
  seenBy(systemViewer, place, deps);

/** Somebody who is told: by their account, or as anybody who is not logged in. Undefined where that cannot be. */
export async function recipientViewer(
  database: Database,
  accountId: number | null,
): Promise<Viewer | undefined> {
  if (accountId !== null) return viewerFor(database, accountId);
  const { access_mode: mode } = await readSettings(database);
  return mode === 'anonymous' ? anonymousViewer(mode) : undefined;
}
