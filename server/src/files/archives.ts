import { invalidMember } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { uploadLifetime } from './model.ts';
import { dropPieces } from './pieces.ts';

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
  const now = Date.now();
  const row = {
    submitted_by: viewer.userId,
    artifact_id: null,
    field_id: null,
    name,
    type: 'application/zip',
    description: '',
    size: 0,
    created_at: now,
    state: 'upload' as const,
    expected_size: size,
    expires_at: now + uploadLifetime,
  };
  const [made] = await tx.all(tx.sql.insertInto('attachment').values(row).returning('id'));
  if (made === undefined) throw new Error('The new upload has no id.');
  return made.id;
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
