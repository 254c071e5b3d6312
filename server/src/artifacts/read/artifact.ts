import { forbidden, notFound } from '../../kernel/errors.ts';
import { boundless, type Room } from '../../kernel/room.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database, Reader, Revisions } from '../../storage/index.ts';
import { requireTrackersOf, type Trackers, type TrackerView, viewOf } from '../../trackers/index.ts';
import { type Artifact, type ArtifactRow, parseDocument } from '../model.ts';
import {
  artifactAtOnce,
  findArtifact,
  findLightArtifact,
  findLightArtifactAndRevisions,
  isHeavy,
  type LinkRow,
  linksAtOnce,
} from '../store.ts';
import { canSee, type ReadContext, visibleAtOnce } from '../visibility.ts';
import { roomFor } from './in-parts.ts';
import { gatherAtOnce, type RelatedData } from './related.ts';

/** What a viewer may see now. */
export async function readContextOf(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
): Promise<ReadContext> {
  return { reader: database, viewer, trackers, revisions: await database.revisions() };
}

/** Refuses unless the viewer may see the artifact. */
export async function requireVisible(readContext: ReadContext, row: ArtifactRow): Promise<Artifact> {
  return { row, view: await viewOfVisible(readContext, row), document: parseDocument(row.document) };
}

/** How the viewer sees the tracker of an artifact that they may see. */
async function viewOfVisible(readContext: ReadContext, row: ArtifactRow): Promise<TrackerView> {
  const { reader, viewer, trackers, revisions } = readContext;
  const tracker =
    trackers.known(row.tracker_id, revisions) ?? (await trackers.find(reader, row.tracker_id, revisions));
  if (tracker === undefined) throw notFound('There is no such artifact.');
  const { id } = tracker.project;
  const projectAccess =
    trackers.knownProjectAccess(viewer, id, revisions) ??
    (await trackers.projectAccess(reader, viewer, id, revisions));
  requireTrackersOf(viewer, projectAccess, 'artifact');
  const view = viewOf(tracker, projectAccess);
  if (tracker.isDeleted || !(await canSee(reader, viewer, view, row)))
    throw forbidden('You may not see this artifact.');
  return view;
}

export interface ReadArtifact {
  readonly readContext: ReadContext;
  readonly artifact: Artifact;
  /** About how long its values are. */
  readonly bytes: number;
}

/**
 * One artifact. The most frequent read of all: its row is read together with what tells whether caches hold. Much text
 * is read only when there is room for it.
 */
export async function readArtifact(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
  id: number,
  room: Room = boundless,
): Promise<ReadArtifact> {
  const known = database.knownRevisions();
  const found =
    known === undefined
      ? await findLightArtifactAndRevisions(database, id)
      : { row: await findLightArtifact(database, id), revisions: known };
  if (found?.row === undefined) throw notFound('There is no such artifact.');
  const readContext: ReadContext = { reader: database, viewer, trackers, revisions: found.revisions };
  const { bytes } = found.row;
  if (!isHeavy(found.row))
    return { readContext, artifact: await requireVisible(readContext, found.row), bytes };
  await viewOfVisible(readContext, found.row);
  await room.need(roomFor(bytes));
  return readHeavy(database, viewer, trackers, id);
}

/** An artifact with much text. Time has passed since it was first looked at. */
async function readHeavy(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
  id: number,
): Promise<ReadArtifact> {
  const readContext = await readContextOf(database, viewer, trackers);
  const row = await findArtifact(database, id);
  if (row === undefined) throw notFound('There is no such artifact.');
  const { view, document } = await requireVisible(readContext, row);
  // Nobody needs the text any more, once it was taken apart.
  const artifact = { row: { ...row, document: '' }, view, document };
  return { readContext, artifact, bytes: row.document.length };
}

/** An artifact with all that is shown with it. */
export interface ShownArtifact {
  readonly readContext: ReadContext;
  readonly artifact: Artifact;
  readonly related: RelatedData;
}

/** One artifact, where all that it takes is remembered or read without waiting; undefined: only the usual way can tell. */
export function readAtOnce(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
  id: number,
): ShownArtifact | undefined {
  const revisions = database.knownRevisions();
  const row = revisions && artifactAtOnce(database, id);
  if (revisions === undefined || row === undefined) return undefined;
  const readContext = { reader: database, viewer, trackers, revisions };
  return shownAtOnce(readContext, row, () => linksAtOnce(database, id));
}

function shownAtOnce(
  readContext: ReadContext,
  row: ArtifactRow,
  readLinks: () => readonly LinkRow[] | undefined,
): ShownArtifact | undefined {
  const [seen] = visibleAtOnce(readContext, [row]) ?? [];
  if (seen === undefined) return undefined;
  const artifact = { row, view: seen.view, document: parseDocument(row.document) };
  const related = gatherAtOnce(readContext, artifact, readLinks);
  return related && { readContext, artifact, related };
}

/** What a writing operation knows of the artifact that it wrote. */
export interface WrittenArtifact {
  readonly row: ArtifactRow;
  readonly revisions: Revisions;
  readonly links: readonly LinkRow[];
  /** Bytes of files that nothing may need any more. */
  readonly released: readonly string[];
  /** The changeset of a change, or the first one of a new artifact; absent where nothing changed. */
  readonly changesetId?: number | undefined;
}

/** An artifact as the viewer has just written it, even when they may not see it any more. */
export async function writtenArtifact(
  reader: Reader,
  viewer: Viewer,
  trackers: Trackers,
  { row, revisions }: WrittenArtifact,
): Promise<{ readContext: ReadContext; artifact: Artifact }> {
  const tracker = await trackers.find(reader, row.tracker_id, revisions);
  if (tracker === undefined) throw notFound('The tracker was deleted meanwhile.');
  const view = await trackers.view(reader, viewer, tracker, revisions);
  const artifact = { row, view, document: parseDocument(row.document) };
  return { readContext: { reader, viewer, trackers, revisions }, artifact };
}
