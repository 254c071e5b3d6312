import { isWaitOver, second } from '../kernel/clock.ts';
import { notFound, Refusal } from '../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';
import { isComplete, type StoredFile } from './model.ts';
import { addPieces, dropPieces, hold, type StoredPart, sizeOf } from './pieces.ts';
import { findFile, lockFile } from './store.ts';

/** An upload that its owner can still write to or attach. */
export interface Upload extends StoredFile {
  readonly expectedSize: number;
  readonly expiresAt: number;
}

/** Marks one request that writes to one upload. */
export interface Writer {
  readonly id: number;
  readonly token: string;
}

/**
 * How long somebody may write without a word. Whoever goes on writing says so in time; whoever vanished keeps others,
 * most often themselves on a new connection, out for no longer.
 */
const patience = 15 * second;
/** How often a writer should say that they go on. */
export const writerPause = 5 * second;

/** Only whoever reserved it reaches an upload, and only until it expires. */
function ownUpload(viewer: Viewer, file: StoredFile | undefined): Upload {
  const { expectedSize = null, expiresAt = null } = file ?? {};
  const isOwn = file?.state === 'upload' && file.submittedBy === viewer.userId && !isAnonymous(viewer);
  if (!isOwn || expectedSize === null || expiresAt === null || expiresAt <= Date.now())
    throw notFound('There is no such upload of yours.');
  return { ...file, expectedSize, expiresAt };
}

export async function readUpload(reader: Reader, viewer: Viewer, id: number): Promise<Upload> {
  return ownUpload(viewer, await findFile(reader, id));
}

const setWriter = statement((sql, p: { id: number; token: string | null; until: number | null }) =>
  sql.updateTable('attachment').set({ lock_token: p.token, lock_until: p.until }).where('id', '=', p.id),
);

const letWrite = (tx: Transaction, { id, token }: Writer) =>
  tx.run(setWriter, { id, token, until: Date.now() + patience });
const letNobodyWrite = (tx: Transaction, id: number) => tx.run(setWriter, { id, token: null, until: null });

/** Refuses unless nobody else is writing and the writer begins where the bytes end. */
export async function beginWriting(
  tx: Transaction,
  viewer: Viewer,
  { offset, ...writer }: Writer & { readonly offset: number },
): Promise<Upload> {
  const upload = ownUpload(viewer, await lockFile(tx, writer.id));
  if (upload.writer !== null && !isWaitOver(upload.writerUntil ?? 0, patience))
    throw new Refusal('locked', 'Another request is writing to this upload.');
  if (offset !== upload.size)
    throw new Refusal('conflict', `The upload has ${upload.size} bytes, not ${offset}.`);
  await letWrite(tx, writer);
  return upload;
}

/** The upload, while nobody took over. */
async function requireWriter(tx: Transaction, viewer: Viewer, { id, token }: Writer): Promise<Upload> {
  const upload = ownUpload(viewer, await lockFile(tx, id));
  if (upload.writer !== token) throw new Refusal('locked', 'Another request took this upload over.');
  return upload;
}

/** Tells that the writer is still there. */
export async function keepWriting(tx: Transaction, viewer: Viewer, writer: Writer): Promise<void> {
  await requireWriter(tx, viewer, writer);
  await letWrite(tx, writer);
}

const setSize = statement((sql, p: { id: number; size: number }) =>
  sql.updateTable('attachment').set({ size: p.size }).where('id', '=', p.id),
);

/** Adds bytes that are stored. False when they may be gone again. */
export async function writeOn(
  tx: Transaction,
  viewer: Viewer,
  { part, ...writer }: Writer & { readonly part: StoredPart },
): Promise<boolean> {
  const upload = await requireWriter(tx, viewer, writer);
  if (!(await hold(tx, part))) return false;
  await addPieces(tx, writer.id, 'original', part.blobs);
  const size = upload.size + sizeOf(part);
  await tx.run(setSize, { id: writer.id, size });
  // Nobody has to come back to say that they are done with what is complete.
  if (isComplete({ ...upload, size })) await letNobodyWrite(tx, writer.id);
  else await letWrite(tx, writer);
  return true;
}

/** Lets others write; well too when somebody took over. */
export async function endWriting(tx: Transaction, _: Viewer, { id, token }: Writer): Promise<void> {
  const file = await lockFile(tx, id);
  if (file?.writer === token) await letNobodyWrite(tx, id);
}

/** Gives an upload up. Gives the bytes that nothing may need any more. */
export async function cancelUpload(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<readonly string[]> {
  ownUpload(viewer, await lockFile(tx, id));
  const released = await dropPieces(tx, [id]);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', '=', id));
  return released;
}
