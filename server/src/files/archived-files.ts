import { invalidMember } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { dropPieces } from './pieces.ts';
import { insertUpload } from './reservations.ts';

export interface ArchiveUpload {
  readonly name: string;
  readonly size: number;
  /** Bytes of one archive at the most. */
  readonly largest: number;
}

/** Reserves an upload that no field will have; gives its id. */
export async function reserveArchiveUpload(
  tx: Transaction,
  viewer: Viewer,
  { name, size, largest }: ArchiveUpload,
): Promise<number> {
  if (size > largest)
    throw invalidMember('file_size', `The archive has ${size} bytes, and at most ${largest} are allowed.`);
  return insertUpload(tx, viewer, { fieldId: null, name, type: 'application/zip', description: '', size });
}

/** Removes an upload that has served. Gives the bytes that nothing may need any more. */
export async function dropArchiveUpload(
  tx: Transaction,
  _: Viewer,
  { id }: { id: number },
): Promise<readonly string[]> {
  const hashes = await dropPieces(tx, [id]);
  const upload = tx.sql.deleteFrom('attachment').where('id', '=', id).where('state', '=', 'upload');
  await tx.run(upload);
  return hashes;
}
