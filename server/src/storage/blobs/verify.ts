import { createHash } from 'node:crypto';
import { BlobMissing, type OpenBlob } from './blob.ts';
import { codeOf } from './faults.ts';

export type Soundness = 'sound' | 'missing' | 'damaged';

async function hashOf(blob: OpenBlob): Promise<string> {
  const hash = createHash('sha256');
  await blob.pour(async (bytes) => hash.update(bytes));
  return hash.digest('hex');
}

/** Reads all bytes of a blob and compares them with its name. */
export async function soundnessOf(hash: string, read: () => Promise<OpenBlob>): Promise<Soundness> {
  try {
    return (await hashOf(await read())) === hash ? 'sound' : 'damaged';
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    // A disk that cannot give a sector back any more.
    if (codeOf(error) === 'EIO') return 'damaged';
    throw error;
  }
}
