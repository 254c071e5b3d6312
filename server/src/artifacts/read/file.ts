import { findFile, type StoredFile } from '../../files/index.ts';
import { findVisibilityRows } from '../store.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';

/** An attached file, when the viewer may see its artifact and read its field; undefined whatever the reason. */
export async function findReadableFile(
  readContext: ReadContext,
  id: number,
): Promise<StoredFile | undefined> {
  const file = await findFile(readContext.reader, id);
  if (file?.state !== 'attached' || file.artifactId === null) return undefined;
  const rows = await findVisibilityRows(readContext.reader, [file.artifactId]);
  const [artifact] = await visibleOf({ ...readContext, isOnTheSpot: true }, rows);
  const field = artifact?.view.tracker.elementById.get(file.fieldId ?? 0);
  return field !== undefined && artifact?.view.canRead(field) ? file : undefined;
}
