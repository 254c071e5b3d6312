import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { addPieces, hold, type StoredPart } from './pieces.ts';
import { lockFile } from './store.ts';

/**
 * Remembers the preview of a file, or that there can be none. A file that went meanwhile, or got its preview from
 * somebody else, stays as it is. Undefined when the bytes of the preview may be gone again.
 */
export async function rememberPreview(
  tx: Transaction,
  _: Viewer,
  { id, picture }: { id: number; picture: StoredPart | undefined },
): Promise<'remembered' | 'not needed' | undefined> {
  const file = await lockFile(tx, id);
  if (file === undefined || file.state === 'removed' || file.preview !== null) return 'not needed';
  if (picture !== undefined) {
    if (!(await hold(tx, picture))) return undefined;
    await addPieces(tx, id, 'preview', picture.blobs);
  }
  const preview = picture === undefined ? 'none' : 'made';
  await tx.run(tx.sql.updateTable('attachment').set({ preview }).where('id', '=', id));
  return 'remembered';
}
