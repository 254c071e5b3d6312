import {
  type Artifact,
  couldSee,
  findArtifacts,
  parseDocument,
  type ReadContext,
  readContextOf,
  viewFor,
  visibleOf,
} from '../../artifacts/index.ts';
import type { LeavingFacts } from '../../kernel/events.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { TrackerView } from '../../trackers/index.ts';
import type { ArtifactReadDeps } from '../artifact-changes.ts';

/** What the owner of a webhook reads with: things as they are now. */
export function contextFor(owner: Viewer, { database, trackers }: ArtifactReadDeps): Promise<ReadContext> {
  database.renew();
  return readContextOf(database, owner, trackers);
}

/** The artifact, where the viewer may see it now. */
export async function visibleArtifact(
  readContext: ReadContext,
  artifactId: number,
): Promise<Artifact | undefined> {
  const [visible] = await visibleOf(readContext, await findArtifacts(readContext.reader, [artifactId]));
  return visible && { ...visible, document: parseDocument(visible.row.document) };
}

/** The tracker that an artifact left, where the viewer could see it there. */
export async function viewOfLeft(
  readContext: ReadContext,
  left: LeavingFacts & { readonly trackerId: number },
): Promise<TrackerView | undefined> {
  const { reader, viewer } = readContext;
  const view = await viewFor(readContext, left.trackerId);
  return view !== undefined && (await couldSee(reader, viewer, view, left)) ? view : undefined;
}

/** The title that an artifact had, for those who may read titles in the tracker that it left. */
export function titleFor({ tracker, canRead }: TrackerView, { title }: LeavingFacts): string | null {
  const field = tracker.elementById.get(tracker.semantics.title?.fieldId ?? 0);
  return field !== undefined && canRead(field) ? title : null;
}
