/** Bytes that are kept under the SHA-256 of themselves. */
export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
}

/** Gets bytes that are only lent: they may become others when its promise is fulfilled. */
export type Take = (bytes: Uint8Array) => Promise<unknown>;

/**
 * Bytes of a blob that is there. They can be had once: by going over them, or poured, which takes less memory. Whoever may
 * fail before that closes it.
 */
export interface OpenBlob extends AsyncIterable<Uint8Array> {
  pour(take: Take): Promise<void>;
  /** Lets go of bytes that nobody takes; well too when all were taken. */
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  readonly hash: string;

  constructor(hash: string) {
    super(`The bytes ${hash} are not stored.`);
    this.hash = hash;
  }
}
