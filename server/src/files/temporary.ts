import { readSettings } from '../identity/index.ts';
import { day } from '../kernel/clock.ts';
import { invalid, notFound, unauthenticated } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { FileFacts, FileLabel, StoredFile } from './model.ts';
import { addPieces, dropPieces, hold, type StoredPart, sizeOf } from './pieces.ts';
import { findFile, findTemporaryFiles, lockFile } from './store.ts';
import { changeUsage, lowerUsage, readUsage } from './usage.ts';

export interface NewTemporaryFile extends FileLabel {
  readonly chunk: StoredPart;
  /** Bytes of all temporary files of one person. */
  readonly quota: number;
}

export interface NextChunk {
  readonly id: number;
  /** 2 for the second chunk. */
  readonly number: number;
  readonly chunk: StoredPart;
  readonly quota: number;
}

function refuseAbove(quota: number, bytes: number, size: number): void {
  if (bytes + size > quota)
    throw invalid(
      `Your temporary files have ${bytes} bytes; with ${size} more they exceed the quota of ${quota}.`,
    );
}

/** Refuses bytes for which there is no room any more. */
export async function requireRoom(
  reader: Reader,
  { userId }: Viewer,
  size: number,
  quota: number,
): Promise<void> {
  refuseAbove(quota, (await readUsage(reader, userId)).bytes, size);
}

/** Counts bytes that come, with a file that is new or to one that is there, and refuses those for which there is no room. */
async function takeRoom(
  tx: Transaction,
  { userId: owner }: Viewer,
  { files, size, quota }: { readonly files: 0 | 1; readonly size: number; readonly quota: number },
): Promise<void> {
  // Others of the same person wait here for the end of the transaction.
  const { bytes } = await changeUsage(tx, { owner, files, bytes: size });
  if (bytes <= quota) return;
  const valid = await readUsage(tx, owner);
  refuseAbove(quota, valid.bytes - size, size);
}

/** Temporary files are kept for some days after their last chunk. */
async function newExpiry(tx: Transaction, now: number): Promise<number> {
  const { file_deletion_delay: days } = await readSettings(tx);
  return now + days * day;
}

function ownTemporary({ userId }: Viewer, file: StoredFile | undefined): StoredFile {
  const isThere = file?.state === 'temporary' && file.expiresAt !== null && file.expiresAt > Date.now();
  if (file === undefined || !isThere) throw notFound('There is no such temporary file.');
  // Compatible clients are told 401 here, though they are logged in.
  if (file.submittedBy !== userId) throw unauthenticated('This temporary file belongs to somebody else.');
  return file;
}

export function requireChunkNumber({ chunks }: StoredFile, number: number): void {
  if (number !== chunks + 1)
    throw invalid(`Invalid value specified for \`offset\`. The next chunk is number ${chunks + 1}.`);
}

export async function readTemporaryFile(reader: Reader, viewer: Viewer, id: number): Promise<StoredFile> {
  return ownTemporary(viewer, await findFile(reader, id));
}

export async function listTemporaryFiles(
  reader: Reader,
  { userId }: Viewer,
  page: Page,
): Promise<Slice<FileFacts>> {
  const { files } = await readUsage(reader, userId);
  return { items: await findTemporaryFiles(reader, userId, page), size: files };
}

/** Makes a file from its first chunk. Undefined when the bytes of the chunk may be gone again. */
export async function createTemporaryFile(
  tx: Transaction,
  viewer: Viewer,
  { name, type, description, chunk, quota }: NewTemporaryFile,
): Promise<FileFacts | undefined> {
  const size = sizeOf(chunk);
  if (!(await hold(tx, chunk))) return undefined;
  await takeRoom(tx, viewer, { files: 1, size, quota });
  const now = Date.now();
  const row = {
    submitted_by: viewer.userId,
    artifact_id: null,
    field_id: null,
    name,
    type,
    description,
    size,
    created_at: now,
    state: 'temporary' as const,
    chunks: 1,
    expires_at: await newExpiry(tx, now),
  };
  const [made] = await tx.all(tx.sql.insertInto('attachment').values(row).returning('id'));
  if (made === undefined) throw new Error('The new file has no id.');
  await addPieces(tx, made.id, 'original', chunk.blobs);
  return { id: made.id, submittedBy: viewer.userId, name, type, description, firstDescription: null, size };
}

/** Adds a chunk to the end. Undefined when its bytes may be gone again. */
export async function appendChunk(
  tx: Transaction,
  viewer: Viewer,
  { id, number, chunk, quota }: NextChunk,
): Promise<FileFacts | undefined> {
  const file = ownTemporary(viewer, await lockFile(tx, id));
  requireChunkNumber(file, number);
  if (!(await hold(tx, chunk))) return undefined;
  await takeRoom(tx, viewer, { files: 0, size: sizeOf(chunk), quota });
  await addPieces(tx, id, 'original', chunk.blobs);
  const size = file.size + sizeOf(chunk);
  const expires_at = await newExpiry(tx, Date.now());
  await tx.run(
    tx.sql.updateTable('attachment').set({ size, chunks: number, expires_at }).where('id', '=', id),
  );
  return { ...file, size };
}

/** Removes a temporary file. Gives the bytes that nothing may need any more. */
export async function deleteTemporaryFile(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<readonly string[]> {
  const { submittedBy: owner, size } = ownTemporary(viewer, await lockFile(tx, id));
  const released = await dropPieces(tx, [id]);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', '=', id));
  await lowerUsage(tx, [{ owner, size }]);
  return released;
}
