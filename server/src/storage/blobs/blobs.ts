import type { OpenBlob, StoredBlob } from './blob.ts';
import type { KeptBytes } from './spool.ts';
import type { Soundness } from './verify.ts';

export { BlobMissing, type OpenBlob, type StoredBlob, type Take } from './blob.ts';

export interface ListedBlob extends StoredBlob {
  /** When these bytes were last stored. */
  readonly storedAt: number;
}

/** From `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the bytes of attachments live. A file is a row of pieces, each a blob; which file has which is the database's
 * business. Where the bytes cannot be reached, every method refuses as `unavailable`.
 */
export interface Blobs {
  /**
   * Stores what the source gives, up to `pieceSize` bytes a blob; each is durable when it is given. If the source fails,
   * what came before is still stored and given, and then its error is thrown. Bytes that are there already are
   * replaced, which heals them if they were damaged and makes them young. Until the next blob is asked for, and for as long
   * as it is kept, each can be put in its place again.
   */
  store(source: AsyncIterable<Uint8Array>, kept?: KeptBytes): AsyncIterable<StoredBlob>;
  /** Stores once more what `store` gave and somebody else removed; false when it is not kept any more. */
  placeAgain(blob: StoredBlob): Promise<boolean>;
  /** The bytes of a blob, or some of them. Throws `BlobMissing` before any byte if it is not there. */
  read(hash: string, range?: ByteRange): Promise<OpenBlob>;
  has(hash: string): Promise<boolean>;
  /** Well too when it is gone already. */
  remove(hash: string): Promise<void>;
  /** Reads the whole blob to see whether its bytes are still those of its name. */
  verify(hash: string): Promise<Soundness>;
  /** All that is stored, in no order. */
  list(): AsyncIterable<ListedBlob>;
  /** Removes what storing left behind when it was cut short before the given instant. */
  tidy(before: number): Promise<void>;
}

export const isHash = (name: string) => /^[0-9a-f]{64}$/.test(name);
