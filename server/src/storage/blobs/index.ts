import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import type { Blobs } from './blobs.ts';
import { DiskBlobs } from './disk.ts';
import { S3Blobs } from './s3.ts';

export {
  BlobMissing,
  type Blobs,
  type ByteRange,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
  type Take,
} from './blobs.ts';
export { BlobKeeper } from './keeper.ts';
export { blobOperations, holdBlobs, releaseBlobs, removalMark } from './rows.ts';
export { Kept, pieceSize } from './spool.ts';

/** The bytes of attachments, where the configuration says. Nothing is read or written yet. */
export function openBlobs({ dataFolder, blobs: place }: Pick<Config, 'dataFolder' | 'blobs'>): Blobs {
  const folder = join(dataFolder, 'blobs');
  return place === undefined ? new DiskBlobs(folder) : new S3Blobs(place, join(folder, 'incoming'));
}
