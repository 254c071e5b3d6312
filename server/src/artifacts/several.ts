import { type Artifact, type ArtifactRow, parseDocument } from './model.ts';
import { findArtifacts, findVisibilityRows } from './store.ts';
import { type ReadContext, visibleOf } from './visibility.ts';

/** The artifacts among these rows that the viewer may see, in the order of the ids. */
export async function visibleInOrder(
  readContext: ReadContext,
  ids: readonly number[],
  rows: readonly ArtifactRow[],
): Promise<Artifact[]> {
  const found = new Map(
    (await visibleOf({ ...readContext, isOnTheSpot: true }, rows)).map(({ row, view }) => [
      row.id,
      { row, view, document: parseDocument(row.document) },
    ]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Those of the ids whose artifacts the viewer may see, in their order. */
export async function visibleIds(readContext: ReadContext, ids: readonly number[]): Promise<number[]> {
  const seen = await visibleOf(readContext, await findVisibilityRows(readContext.reader, ids));
  const visible = new Set(seen.map(({ row }) => row.id));
  return ids.filter((id) => visible.has(id));
}

/** Artifacts in the order of their ids as given; those that the viewer may not see are left out. */
export async function readArtifacts(readContext: ReadContext, ids: readonly number[]): Promise<Artifact[]> {
  return visibleInOrder(readContext, ids, await findArtifacts(readContext.reader, ids));
}
