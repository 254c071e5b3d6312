import {
  type AnnouncedChange,
  type Artifact,
  type ArtifactChange,
  findArtifacts,
  mayReadComment,
  parseDocument,
  readChange,
  type Sight,
  type StoredComment,
  sightOf,
  visibleOf,
} from '../artifacts/index.ts';
import { readSettings, viewerFor } from '../identity/index.ts';
import { anonymousViewer, commandLineViewer, type Viewer } from '../kernel/viewer.ts';
import type { Database } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';

/** A change of an artifact, before one viewer. */
export interface SeenChange {
  readonly sight: Sight;
  readonly artifact: Artifact;
  readonly change: ArtifactChange;
  /** The text that came with it, where the viewer may read it. */
  readonly comment: StoredComment | undefined;
}

/** What is told of artifacts is read here. */
export interface Archives {
  readonly database: Database;
  readonly trackers: Trackers;
}

/** The change as this viewer may see it now; undefined where the artifact is gone or not for them. */
export async function seenBy(
  viewer: Viewer,
  { artifactId, changesetId }: AnnouncedChange,
  { database, trackers }: Archives,
): Promise<SeenChange | undefined> {
  database.renew();
  const sight = await sightOf(database, viewer, trackers);
  const [visible] = await visibleOf(sight, await findArtifacts(database, [artifactId]));
  if (visible === undefined) return undefined;
  const { row, view } = visible;
  const change = await readChange(database, view.tracker, { artifactId, changesetId });
  if (change === undefined) return undefined;
  const { comment } = change;
  const isReadable = comment !== null && comment.content !== '' && mayReadComment(view, comment);
  const artifact = { row, view, document: parseDocument(row.document) };
  return { sight, artifact, change, comment: isReadable ? comment : undefined };
}

/** The change as it is, for deciding whom to tell of it. */
export const seenByPlatform = (announced: AnnouncedChange, archives: Archives) =>
  seenBy(commandLineViewer('regular'), announced, archives);

/** Somebody who is told: by their account, or as anybody who is not logged in. Undefined where that cannot be. */
export async function recipientViewer(
  database: Database,
  accountId: number | null,
): Promise<Viewer | undefined> {
  if (accountId !== null) return viewerFor(database, accountId);
  const { access_mode: mode } = await readSettings(database);
  return mode === 'anonymous' ? anonymousViewer(mode) : undefined;
}
