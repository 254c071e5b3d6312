import type { Artifact } from '../model.ts';
import { findArtifacts, findVisibilityRows } from '../store.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';
import { visibleInOrder } from './in-parts.ts';

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
