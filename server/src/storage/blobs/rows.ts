import { latestEnd, minute } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../database.ts';
import { areRemovalsHeld } from '../removal-hold.ts';
import { statement } from '../statement.ts';
import type { StoredBlob } from './blobs.ts';

/*
 * Which bytes are in use. Bytes are stored before the row that points to them and removed after it, and both take longer
 * than a transaction may; what keeps them apart is the row of the blob:
 *
 * - Whoever adds a pointer holds the blob in the same transaction. It answers no when the bytes are being removed, or
 *   when anything was removed since the storing began: then nobody can tell whether these bytes are still there.
 * - Whoever deletes a pointer releases the blob: from that instant on, perhaps nothing points to it any more.
 * - Whoever removes bytes claims them first, in a transaction that looks for pointers and counts the removal. The row
 *   stays until the bytes are gone, and goes in one that counts once more: they were there until then.
 */

/** Names in one statement at the most. */
export const mostHashes = 500;

/** How long a claim holds. One that is older was left by a crash. */
const claimTime = 2 * minute;

const countOfRemovals = statement((sql) =>
  sql.selectFrom('revision').select('value').where('name', '=', 'removals'),
);

/** Another number after every removal of bytes. To be asked before storing begins. */
export async function removalMark(reader: Reader): Promise<number> {
  return (await reader.first(countOfRemovals, {}))?.value ?? 0;
}

function* portionsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += mostHashes) yield all.slice(start, start + mostHashes);
}

const byHash = (one: { hash: string }, other: { hash: string }) => (one.hash < other.hash ? -1 : 1);

/** Each once and in order, so that transactions that need the same rows get them one after the other. */
function inOrder<Blob extends StoredBlob>(blobs: readonly Blob[]): Blob[] {
  return [...new Map(blobs.map((blob) => [blob.hash, blob])).values()].sort(byHash);
}

/**
 * To be called in the transaction that adds pointers to these bytes, before it does. False: the bytes may be gone
 * again, and nothing must be added. `mark` is from before they were stored.
 */
export async function holdBlobs(
  tx: Transaction,
  blobs: readonly StoredBlob[],
  mark: number,
): Promise<boolean> {
  const portions = [...portionsOf(inOrder(blobs))];
  for (const portion of portions) {
    if (!(await lockBlobs(tx, portion))) return false;
  }
  // Asked with the rows in hand: from here on, nobody begins to remove one of them.
  if ((await removalMark(tx)) !== mark) return false;
  for (const portion of portions) await setReleased(tx, hashesOf(portion), null);
  return true;
}

const hashesOf = (blobs: readonly StoredBlob[]) => blobs.map(({ hash }) => hash);

/** Makes and locks the rows; false when one of them is being removed. */
async function lockBlobs(tx: Transaction, blobs: readonly StoredBlob[]): Promise<boolean> {
  // Released at first: if nothing comes of it, a row that was made here goes the way of all unused ones.
  await insertReleased(tx, blobs, Date.now());
  const rows = tx.sql.selectFrom('blob').select('removing_at').where('hash', 'in', hashesOf(blobs));
  const locked = await tx.lock(rows.orderBy('hash'));
  return locked.length === blobs.length && locked.every(({ removing_at }) => removing_at === null);
}

async function insertReleased(
  tx: Transaction,
  blobs: readonly StoredBlob[],
  released_at: number,
): Promise<void> {
  const insert = tx.sql
    .insertInto('blob')
    .values(blobs.map(({ hash, size }) => ({ hash, size, released_at })));
  await tx.run(insert.onConflict((conflict) => conflict.column('hash').doNothing()));
}

async function setReleased(
  tx: Transaction,
  hashes: readonly string[],
  released_at: number | null,
): Promise<void> {
  const update = tx.sql.updateTable('blob').set({ released_at }).where('hash', 'in', hashes);
  await tx.run(update.where('removing_at', 'is', null));
}

/** To be called in the transaction that deleted pointers to these bytes. Others may still point to them. */
export async function releaseBlobs(tx: Transaction, hashes: readonly string[]): Promise<void> {
  const now = Date.now();
  for (const portion of portionsOf([...new Set(hashes)].sort())) await setReleased(tx, portion, now);
}

/** Those of the blobs to which nothing points. At most `mostHashes` can be asked for at once. */
export async function findUnused<Blob extends StoredBlob>(
  reader: Reader,
  blobs: readonly Blob[],
): Promise<Blob[]> {
  const used = await usedOf(reader, hashesOf(blobs));
  return blobs.filter(({ hash }) => !used.has(hash));
}

/**
 * What nothing points to is released, now or after so many milliseconds: bytes without a row, and rows that were
 * forgotten. What would go sooner anyway still does.
 */
export async function releaseUnused(
  tx: Transaction,
  _: Viewer,
  { blobs, delay = 0 }: { blobs: readonly StoredBlob[]; delay?: number },
): Promise<void> {
  const released_at = Date.now() + delay;
  for (const portion of portionsOf(inOrder(blobs))) {
    await insertReleased(tx, portion, released_at);
    const unused = hashesOf(await findUnused(tx, portion));
    if (unused.length === 0) continue;
    const update = tx.sql.updateTable('blob').set({ released_at }).where('hash', 'in', unused);
    const later = update.where((blob) =>
      blob.or([blob('released_at', 'is', null), blob('released_at', '>', released_at)]),
    );
    await tx.run(later.where('removing_at', 'is', null));
  }
}

async function usedOf(reader: Reader, hashes: readonly string[]): Promise<Set<string>> {
  const blobs = reader.sql.selectFrom('blob').select('hash').where('hash', 'in', hashes);
  const rows = await reader.all(
    blobs.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('attachment_piece').select('position').whereRef('attachment_piece.hash', '=', 'blob.hash'),
      ),
    ),
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Bytes that somebody may remove now, and nobody else. */
interface RemovalClaim {
  readonly hashes: readonly string[];
  readonly claimedAt: number;
}

/** Claims released bytes to which indeed nothing points: those named, or any, but at most so many; none while somebody copies them. */
export async function claimRemoval(
  tx: Transaction,
  _: Viewer,
  { hashes, limit }: { hashes: readonly string[] | undefined; limit: number },
): Promise<RemovalClaim & { readonly isLast: boolean }> {
  const claimedAt = Date.now();
  if (await areRemovalsHeld(tx)) return { hashes: [], claimedAt, isLast: true };
  const released = await lockReleased(tx, claimedAt, hashes, limit);
  const isLast = released.length < limit;
  if (released.length === 0) return { hashes: [], claimedAt, isLast };
  const used = await usedOf(tx, released);
  const unused = released.filter((hash) => !used.has(hash));
  if (used.size > 0) await setReleased(tx, [...used], null);
  if (unused.length > 0) await beginRemoval(tx, unused, claimedAt);
  return { hashes: unused, claimedAt, isLast };
}

async function lockReleased(
  tx: Transaction,
  now: number,
  hashes: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const released = tx.sql.selectFrom('blob').select('hash').where('released_at', '<=', now);
  const free = released.where((blob) =>
    blob.or([
      blob('removing_at', 'is', null),
      blob('removing_at', '<', now - claimTime),
      // Claimed before the clock was set back.
      blob('removing_at', '>', latestEnd(0, now)),
    ]),
  );
  const wanted = hashes === undefined ? free : free.where('hash', 'in', hashes);
  const rows = await tx.lock(wanted.orderBy('hash').limit(limit));
  return rows.map(({ hash }) => hash);
}

async function beginRemoval(tx: Transaction, hashes: readonly string[], claimedAt: number): Promise<void> {
  await tx.run(tx.sql.updateTable('blob').set({ removing_at: claimedAt }).where('hash', 'in', hashes));
  await countRemoval(tx);
}

async function countRemoval(tx: Transaction): Promise<void> {
  const count = tx.sql.updateTable('revision').set((row) => ({ value: row('value', '+', 1) }));
  await tx.run(count.where('name', '=', 'removals'));
}

/** The bytes are gone. A claim that somebody else has taken over is left to them. */
export async function forgetRemoved(
  tx: Transaction,
  _: Viewer,
  { hashes, claimedAt }: RemovalClaim,
): Promise<void> {
  if (hashes.length === 0) return;
  const gone = tx.sql.deleteFrom('blob').where('hash', 'in', hashes);
  await tx.run(gone.where('removing_at', '=', claimedAt));
  // Who stored the same bytes since the claim found them there, and has no row any more that would tell that they went.
  await countRemoval(tx);
}

export const blobOperations = { releaseUnused, claimRemoval, forgetRemoved };
