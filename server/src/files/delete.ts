import { hour } from '../kernel/clock.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { addPieces, dropPieces, hold, type StoredPart } from './pieces.ts';

/** A file of an artifact, as it is stored beside its bytes. */
export interface ArchivedFile {
  readonly id: number;
  readonly submitted_by: number;
  readonly field_id: number | null;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly description: string;
  /** Archives of 1.0 have none. */
  readonly first_description?: string | null;
  readonly created_at: number;
  readonly chunks: number;
  readonly state: 'attached' | 'removed';
}

/** The files that an artifact has and had. */
export async function findFilesOf(reader: Reader, artifactId: number): Promise<ArchivedFile[]> {
  const query = reader.sql
    .selectFrom('attachment')
    .select(['id', 'submitted_by', 'field_id', 'name', 'type', 'size', 'description', 'created_at', 'chunks'])
    .select(['state', 'first_description'])
    .where('artifact_id', '=', artifactId)
    .orderBy('id');
  return (await reader.all(query)).map((file) => ({
    ...file,
    state: file.state === 'attached' ? 'attached' : 'removed',
  }));
}

/** The files of an artifact that is no more: nobody reads them from now on, and they go like all that expired. */
export async function abandonFiles(tx: Transaction, artifactId: number): Promise<void> {
  const abandoned = { artifact_id: null, state: 'removed', expires_at: Date.now() } as const;
  await tx.run(tx.sql.updateTable('attachment').set(abandoned).where('artifact_id', '=', artifactId));
}

/** How long a file that is being put back is kept without its artifact. */
const patience = 6 * hour;

const someFiles = 20;

/** Removes what is left of abandoned files and of attempts to put them back; gives whether that was all. */
export async function dropRestored(tx: Transaction, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const left = tx.sql
    .selectFrom('attachment')
    .select('id')
    .where('id', 'in', ids)
    .where('artifact_id', 'is', null);
  const rows = await tx.lock(left.orderBy('id').limit(someFiles));
  const found = rows.map(({ id }) => id);
  if (found.length === 0) return true;
  await dropPieces(tx, found);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', 'in', found));
  return found.length < someFiles;
}

/** Makes a file anew that had this id before. It belongs to no artifact yet, and goes by itself if that stays so. */
export async function insertRestored(tx: Transaction, { state: _, ...file }: ArchivedFile): Promise<void> {
  const row = { ...file, artifact_id: null, state: 'removed', expires_at: Date.now() + patience } as const;
  await tx.run(tx.sql.insertInto('attachment').values(row));
}

/** Adds bytes to such a file; false when they may be gone again. */
export async function addRestoredPieces(tx: Transaction, id: number, part: StoredPart): Promise<boolean> {
  if (!(await hold(tx, part))) return false;
  await addPieces(tx, id, 'original', part.blobs);
  return true;
}

/** The files belong to their artifact again. */
export async function attachRestored(
  tx: Transaction,
  artifactId: number,
  files: readonly ArchivedFile[],
): Promise<void> {
  for (const state of ['attached', 'removed'] as const) {
    const ids = files.filter((file) => file.state === state).map(({ id }) => id);
    const back = { artifact_id: artifactId, state, expires_at: null };
    if (ids.length > 0) await tx.run(tx.sql.updateTable('attachment').set(back).where('id', 'in', ids));
  }
}
