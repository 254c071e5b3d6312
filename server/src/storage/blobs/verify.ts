import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BlobMissing } from './blobs.ts';
import { codeOf } from './faults.ts';

export type Soundness = 'sound' | 'missing' | 'damaged';

async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Reads all bytes of a blob and compares them with its name. */
export async function soundnessOf(hash: string, read: () => Promise<Readable>): Promise<Soundness> {
  try {
    return (await hashOf(await read())) === hash ? 'sound' : 'damaged';
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    // A disk that cannot give a sector back any more.
    if (codeOf(error) === 'EIO') return 'damaged';
    throw error;
  }
}
