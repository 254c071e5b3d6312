/*
 * Bytes of files, each kept once under its SHA-256.
 *
 * blobs.ts   Blobs, what a place for bytes (blob.ts) must do: read it first; disk.ts and s3.ts (s3-client.ts, s3-answers.ts) are the two there are
 * chunks.ts  splits what arrives (portions.ts, spool.ts); rows.ts which bytes are in use; keeper.ts erases those that are not
 * verify.ts  compares bytes with their names; open-file.ts, faults.ts what can go wrong with files
 *
 * Bytes are there before a row points to them, and are removed only when none does.
 */

import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import type { Blobs } from './blobs.ts';
import { DiskBlobs } from './disk.ts';
import { S3Blobs } from './s3.ts';

export { BlobMissing, type Blobs, type OpenBlob, type StoredBlob, type Take } from './blobs.ts';
export { BlobKeeper } from './keeper.ts';
export { blobOperations, holdBlobs, releaseBlobs, removalMark } from './rows.ts';
export { KeptBytes, pieceSize } from './spool.ts';

/** The bytes of attachments, where the configuration says. Nothing is read or written yet. */
export function openBlobs({ dataFolder, blobs: place }: Pick<Config, 'dataFolder' | 'blobs'>): Blobs {
  const folder = join(dataFolder, 'blobs');
  return place === undefined ? new DiskBlobs(folder) : new S3Blobs(place, join(folder, 'incoming'));
}
