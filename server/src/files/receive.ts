import { createHash, type Hash, randomUUID } from 'node:crypto';
import { Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { KeptBytes, type StoredBlob } from '../storage/index.ts';
import { discard, type FileDeps } from './deps.ts';
import { type Upload, type Writer, writerPause } from './uploads.ts';

export const checksumAlgorithms = ['sha1', 'sha256'] as const;

/** What the sender says of the bytes of one request. */
export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number];
  readonly digest: Buffer;
}

/** The bytes are not those that were sent. */
export class ChecksumMismatch extends Error {}

/** Bytes on their way to an upload. */
export interface Arrival {
  readonly id: number;
  /** Where the sender believes the upload to end. */
  readonly offset: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly checksum: Checksum | undefined;
}

/** What arrives, as far as there is room for it in the file: the rest is looked at and dropped. */
class ArrivingBytes {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #checksum: Checksum | undefined;
  readonly #hash: Hash | undefined;
  #room: number;
  #hasMoved = false;
  #failure: Error | undefined;

  constructor({ source, checksum }: Arrival, room: number) {
    this.#source = source;
    this.#room = room;
    this.#checksum = checksum;
    this.#hash = checksum && createHash(checksum.algorithm);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#hasMoved = true;
      this.#hash?.update(chunk);
      const part = chunk.subarray(0, this.#room);
      this.#room -= part.length;
      if (part.length > 0) yield part;
    }
  }

  /** Whether anything arrived since this was last asked. */
  hasMoved(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  /** Lets the next byte be the last. */
  fail(error: Error): void {
    this.#failure = error;
  }

  verify(): void {
    if (this.#checksum === undefined || this.#hash?.digest().equals(this.#checksum.digest)) return;
    throw new ChecksumMismatch('The bytes do not have the checksum that came with them. They were dropped.');
  }
}

/** Says every now and then that the writer goes on, for as long as bytes arrive. */
function sayGoingOn({ operations }: FileDeps, viewer: Viewer, writer: Writer, bytes: ArrivingBytes) {
  return setInterval(() => {
    if (!bytes.hasMoved()) return;
    operations.keepWriting(viewer, writer).catch((error: unknown) => {
      const isOver = error instanceof Refusal && error.kind !== 'unavailable';
      if (isOver) bytes.fail(error);
    });
  }, writerPause);
}

/** Gives stored bytes to the upload; if that cannot be done, nobody has them. */
async function write(
  fileDeps: FileDeps,
  viewer: Viewer,
  writer: Writer,
  blobs: readonly StoredBlob[],
  before: number,
): Promise<void> {
  const { keeper, operations } = fileDeps;
  try {
    await keeper.add(blobs, before, (mark) =>
      operations.writeOn(viewer, { ...writer, part: { blobs, mark } }),
    );
  } catch (error) {
    await discard(fileDeps, blobs);
    throw error;
  }
}

/** Every piece counts as soon as it is stored, so that whoever is cut off goes on behind it. */
async function writeAsItComes(fileDeps: FileDeps, viewer: Viewer, writer: Writer, bytes: ArrivingBytes) {
  const { keeper } = fileDeps;
  let size = 0;
  let mark = await keeper.mark();
  for await (const blob of keeper.blobs.store(bytes)) {
    await write(fileDeps, viewer, writer, [blob], mark);
    size += blob.size;
    mark = await keeper.mark();
  }
  return size;
}

/** Nothing counts before all of it has arrived and is what it should be. */
async function writeWhenVerified(fileDeps: FileDeps, viewer: Viewer, writer: Writer, bytes: ArrivingBytes) {
  const { keeper } = fileDeps;
  const mark = await keeper.mark();
  const blobs: StoredBlob[] = [];
  const kept = new KeptBytes();
  try {
    try {
      for await (const blob of keeper.blobs.store(bytes, kept)) blobs.push(blob);
      bytes.verify();
    } catch (error) {
      await discard(fileDeps, blobs);
      throw error;
    }
    await write(fileDeps, viewer, writer, blobs, mark);
  } finally {
    await kept.forget();
  }
  return blobs.reduce((sum, { size }) => sum + size, 0);
}

/** Takes what arrives for an upload, and gives the upload as it is then. What throws may have stored a part of it. */
export async function receive(fileDeps: FileDeps, viewer: Viewer, arrival: Arrival): Promise<Upload> {
  const { id, offset, checksum } = arrival;
  const writer = { id, token: randomUUID() };
  const upload = await fileDeps.operations.beginWriting(viewer, { ...writer, offset });
  const bytes = new ArrivingBytes(arrival, upload.expectedSize - offset);
  const timer = sayGoingOn(fileDeps, viewer, writer, bytes);
  try {
    const add = checksum === undefined ? writeAsItComes : writeWhenVerified;
    return { ...upload, size: offset + (await add(fileDeps, viewer, writer, bytes)) };
  } finally {
    clearInterval(timer);
    await fileDeps.operations.endWriting(viewer, writer);
  }
}
