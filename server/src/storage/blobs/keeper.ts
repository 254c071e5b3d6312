import { setTimeout as pause } from 'node:timers/promises';
import { second } from '../../kernel/clock.ts';
import { Refusal, unavailable } from '../../kernel/errors.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import type { Calls } from '../calls.ts';
import type { Reader } from '../database.ts';
import type { Blobs, StoredBlob } from './blobs.ts';
import { type blobOperations, findUnused, mostHashes, removalMark } from './rows.ts';

type BlobOperations = Calls<typeof blobOperations>;

/** Blobs that one claim takes at the most. */
const claimSize = 50;

/** After so long no removal begins any more, so that it is over well before the claim is. */
const removalTime = 20 * second;

/** Removals go on all the time; each of these tries is over before most of them begin. */
const attempts = 40;
const longestPause = 50;

/** Joins the bytes, and the rows that say which of them are in use. One for each thread. */
export class BlobKeeper {
  readonly blobs: Blobs;
  readonly #reader: Reader;
  readonly #operations: BlobOperations;

  constructor(blobs: Blobs, reader: Reader, operations: BlobOperations) {
    this.blobs = blobs;
    this.#reader = reader;
    this.#operations = operations;
  }

  /** To be asked before storing begins, for `add`. */
  mark(): Promise<number> {
    return removalMark(this.#reader);
  }

  /**
   * Calls `add`, the operation that holds these bytes and points to them. When that cannot tell whether they are still
   * there it answers false; this looks, stores those again that somebody removed, and lets it try again.
   */
  async add(
    stored: readonly StoredBlob[],
    mark: number,
    add: (mark: number) => Promise<boolean>,
  ): Promise<void> {
    let newest = mark;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (await add(newest)) return;
      await pause(Math.min(5 * attempt, longestPause));
      newest = await this.mark();
      if (!(await this.#areThere(stored))) break;
    }
    throw unavailable('The same bytes were just being removed. Send them again.', { retryAfter: 1 });
  }

  async #areThere(stored: readonly StoredBlob[]): Promise<boolean> {
    for (const blob of stored) {
      if (!(await this.blobs.has(blob.hash)) && !(await this.blobs.placeAgain(blob))) return false;
    }
    return true;
  }

  /**
   * Removes those of the bytes that are released and unused. What cannot be removed now is left to the background job,
   * which will tell why.
   */
  async erase(hashes: readonly string[]): Promise<void> {
    try {
      for (let start = 0; start < hashes.length; start += claimSize)
        await this.#eraseSome(hashes.slice(start, start + claimSize));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /**
   * Releases bytes that were stored before the given instant and to which nothing points, though nobody released them:
   * a crash came between the storing and the row. They can be removed only after the delay, because they may also be
   * those of another database, with which the service was not started by mistake.
   */
  async releaseOrphans(before: number, delay: number): Promise<void> {
    let portion: StoredBlob[] = [];
    for await (const { hash, size, storedAt } of this.blobs.list()) {
      if (storedAt < before) portion.push({ hash, size });
      if (portion.length < mostHashes) continue;
      await this.#releaseUnused(portion, delay);
      portion = [];
    }
    await this.#releaseUnused(portion, delay);
  }

  /** Most are in use: a read finds that out, so that writers are not kept busy with them. */
  async #releaseUnused(blobs: readonly StoredBlob[], delay: number): Promise<void> {
    if (blobs.length === 0) return;
    const unused = await findUnused(this.#reader, blobs);
    if (unused.length > 0) await this.#operations.releaseUnused(systemViewer, { blobs: unused, delay });
  }

  /** Removes all bytes that are released and unused. */
  async eraseAll(): Promise<void> {
    while (!(await this.#eraseSome()));
  }

  /** Removes one claim of bytes, and tells whether that was all. */
  async #eraseSome(hashes?: readonly string[]): Promise<boolean> {
    const lastStart = performance.now() + removalTime;
    const claim = await this.#operations.claimRemoval(systemViewer, { hashes, limit: claimSize });
    const removed: string[] = [];
    try {
      for (const hash of claim.hashes) {
        if (performance.now() > lastStart) return true;
        await this.blobs.remove(hash);
        removed.push(hash);
      }
    } finally {
      await this.#operations.forgetRemoved(systemViewer, { hashes: removed, claimedAt: claim.claimedAt });
    }
    return claim.isLast;
  }
}
