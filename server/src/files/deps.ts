import { systemViewer } from '../kernel/viewer.ts';
import {
  type BlobKeeper,
  type Calls,
  KeptBytes,
  type StoredBlob,
  type storageOperations,
} from '../storage/index.ts';
import type { FileOperations } from './operations.ts';
import type { StoredPart } from './pieces.ts';

/** Where bytes go and come from, and who writes down which file has them. */
export interface FileDeps {
  readonly keeper: BlobKeeper;
  readonly operations: FileOperations & Pick<Calls<typeof storageOperations>, 'releaseUnused'>;
}

/** Removes bytes that were stored in vain, unless somebody else has the same. */
export async function discard({ keeper, operations }: FileDeps, blobs: readonly StoredBlob[]): Promise<void> {
  if (blobs.length === 0) return;
  await operations.releaseUnused(systemViewer, { blobs });
  await keeper.erase(blobs.map(({ hash }) => hash));
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Stores bytes and gives them to a file: `add` answers undefined when they may be gone again. */
export async function addBytes<Added>(
  fileDeps: FileDeps,
  bytes: Uint8Array,
  add: (part: StoredPart) => Promise<Added | undefined>,
): Promise<Added> {
  const { keeper } = fileDeps;
  const before = await keeper.mark();
  const kept = new KeptBytes();
  const blobs = await Array.fromAsync(keeper.blobs.store(once(bytes), kept));
  let added: Added | undefined;
  try {
    await keeper.add(blobs, before, async (mark) => {
      added = await add({ blobs, mark });
      return added !== undefined;
    });
  } catch (error) {
    await discard(fileDeps, blobs);
    throw error;
  } finally {
    await kept.forget();
  }
  if (added === undefined) throw new Error('The bytes were kept, and no file has them.');
  return added;
}
