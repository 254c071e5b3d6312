import { forbidden, notFound } from '../../kernel/errors.ts';
import { boundless, type Room } from '../../kernel/room.ts';
import { type Soon, whenThere } from '../../kernel/soon.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database, Reader, Revisions } from '../../storage/index.ts';
import { requireTrackersOf, type Trackers, type TrackerView, viewOf } from '../../trackers/index.ts';
import { type Artifact, type ArtifactRow, parseDocument } from '../model.ts';
import {
  findArtifact,
  findLightArtifact,
  findLightArtifactAndRevisions,
  findRemoteArtifact,
  isHeavy,
  type LightRow,
  type LinkRow,
} from '../store.ts';
import { canSee, type ReadContext, readContextOf } from '../visibility.ts';
import { roomFor } from './in-parts.ts';
import type { RelatedData } from './related.ts';

/** Refuses unless the viewer may see the artifact. */
export function requireVisible(readContext: ReadContext, row: ArtifactRow): Soon<Artifact> {
  return whenThere(viewOfVisible(readContext, row), (view) => ({
    row,
    view,
    document: parseDocument(row.document),
  }));
}

/** How the viewer sees the tracker of an artifact that they may see. */
function viewOfVisible(readContext: ReadContext, row: ArtifactRow): Soon<TrackerView> {
  const { reader, viewer, trackers, revisions } = readContext;
  return whenThere(trackers.find(reader, row.tracker_id, revisions), (tracker) => {
    if (tracker === undefined) throw notFound('There is no such artifact.');
    return whenThere(
      trackers.projectAccess(reader, viewer, tracker.project.id, revisions),
      (projectAccess) => {
        requireTrackersOf(viewer, projectAccess, 'artifact');
        const view = viewOf(tracker, projectAccess);
        const isSeen = tracker.isDeleted ? false : canSee(reader, viewer, view, row);
        return whenThere(isSeen, (sees) => {
          if (!sees) throw forbidden('You may not see this artifact.');
          return view;
        });
      },
    );
  });
}

export interface ReadArtifact {
  readonly readContext: ReadContext;
  readonly artifact: Artifact;
  /** About how long its values are. */
  readonly bytes: number;
  /** Its links, where they came with the row. */
  readonly links?: readonly LinkRow[] | undefined;
}

/** The row, and what tells whether what is remembered beside it still holds. */
function findWithRevisions(
  database: Database,
  id: number,
): Soon<{ row: LightRow | undefined; revisions: Revisions; links?: readonly LinkRow[] } | undefined> {
  if (database.isRemote) return findRemoteArtifact(database, id);
  const revisions = database.knownRevisions();
  return revisions === undefined
    ? findLightArtifactAndRevisions(database, id)
    : whenThere(findLightArtifact(database, id), (row) => ({ row, revisions }));
}

/** How an artifact is read. */
export interface ReadOptions {
  /** For much text. */
  readonly room?: Room;
  /** The revision at which the viewer was known: nothing is looked at for them where it is another by now. */
  readonly identity?: number | undefined;
}

/**
 * One artifact. The most frequent read of all: its row is read together with what tells whether caches hold. Much text
 * is read only when there is room for it.
 */
export function readArtifact(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
  id: number,
  { room = boundless, identity }: ReadOptions = {},
): Soon<ReadArtifact> {
  return whenThere(findWithRevisions(database, id), (found) => {
    if (found?.row === undefined) throw notFound('There is no such artifact.');
    const { row, revisions, links } = found;
    if (identity !== undefined && identity !== revisions.identity)
      throw new Error('The viewer may be another by now.');
    const readContext: ReadContext = { reader: database, viewer, trackers, revisions };
    const { bytes } = row;
    if (!isHeavy(row))
      return whenThere(requireVisible(readContext, row), (artifact) => ({
        ...{ readContext, artifact, bytes, links },
      }));
    return whenThere(viewOfVisible(readContext, row), async () => {
      await room.need(roomFor(bytes));
      return readHeavy(database, viewer, trackers, id);
    });
  });
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
