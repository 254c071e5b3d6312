import { invalid, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { Field } from '../trackers/index.ts';
import type { FileFacts } from './model.ts';

export async function findFiles(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FileFacts>> {
  if (ids.length === 0) return new Map();
  const query = reader.sql
    .selectFrom('attachment')
    .select(['id', 'submitted_by as submittedBy', 'description', 'name', 'size', 'type']);
  return new Map((await reader.all(query.where('id', 'in', ids))).map((file) => [file.id, file]));
}

/**
 * Refuses files that this viewer cannot attach to this field of this artifact (0 for one that is being made). Nobody
 * else can attach them before the transaction ends.
 */
export async function checkFiles(
  tx: Transaction,
  viewer: Viewer,
  { artifactId, field }: { artifactId: number; field: Field },
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const query = tx.sql.selectFrom('attachment').select(['id', 'submitted_by', 'artifact_id', 'field_id']);
  const rows = await tx.lock(query.where('id', 'in', ids).orderBy('id'));
  for (const id of ids) {
    const file = rows.find((row) => row.id === id);
    const isWaiting = file?.artifact_id === null;
    if (file === undefined || (isWaiting && file.submitted_by !== viewer.userId))
      throw notFound(`There is no file ${id} that you could attach.`);
    const isHere = file.artifact_id === artifactId && file.field_id === field.id;
    if (!isWaiting && !isHere) throw invalid(`The file ${id} is already attached elsewhere.`);
  }
}
