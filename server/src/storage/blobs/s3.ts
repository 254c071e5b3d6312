import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { S3Place } from '../../kernel/s3-place.ts';
import {
  BlobMissing,
  type Blobs,
  type ByteRange,
  isHash,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
  type Take,
} from './blobs.ts';
import { type ObjectPage, readObjectPage } from './s3-answers.ts';
import { refuseS3, S3Client, S3Fault } from './s3-client.ts';
import { type KeptBytes, Spool } from './spool.ts';
import { type Soundness, soundnessOf } from './verify.ts';

/** Pieces that are kept beside for one source: those take room on the local disk. */
const mostKept = 4;

/** Blobs as objects of an S3-compatible store. Each is made on the local disk first, to know its name and its length. */
export class S3Blobs implements Blobs {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #spool: Spool;

  constructor(place: S3Place, incoming: string) {
    this.#client = new S3Client(place);
    this.#prefix = place.prefix;
    this.#spool = new Spool(incoming, (path, blob) => this.#place(path, blob), {
      syncs: false,
      mostKept,
    });
  }

  store(source: AsyncIterable<Uint8Array>, kept?: KeptBytes): AsyncIterable<StoredBlob> {
    return this.#spool.pieces(source, kept);
  }

  placeAgain(blob: StoredBlob): Promise<boolean> {
    return this.#spool.placeAgain(blob);
  }

  async #place(path: string, { hash, size }: StoredBlob): Promise<void> {
    const open = () => createReadStream(path);
    const answer = await this.#client.send({ method: 'PUT', key: hash, body: { open, size, hash } });
    answer.resume();
  }

  async read(hash: string, range?: ByteRange): Promise<OpenBlob> {
    if (range === undefined) return new OpenStream(await this.#get(hash, {}));
    if (range.start < range.end)
      return new OpenStream(await this.#get(hash, { Range: `bytes=${range.start}-${range.end - 1}` }));
    if (!(await this.has(hash))) throw new BlobMissing(hash);
    return new OpenStream(Readable.from([]));
  }

  #get(hash: string, headers: Readonly<Record<string, string>>): Promise<Readable> {
    return this.#client.send({ method: 'GET', key: hash, headers }).catch((error: unknown) => {
      throw error instanceof S3Fault ? new BlobMissing(hash) : error;
    });
  }

  /** By its first byte: a HEAD would not tell a missing blob from a missing bucket. */
  async has(hash: string): Promise<boolean> {
    try {
      (await this.#get(hash, { Range: 'bytes=0-0' })).resume();
      return true;
    } catch (error) {
      if (error instanceof BlobMissing) return false;
      throw error;
    }
  }

  async remove(hash: string): Promise<void> {
    const answer = await this.#client.send({ method: 'DELETE', key: hash }).catch((error: unknown) => {
      if (!(error instanceof S3Fault)) throw error;
    });
    answer?.resume();
  }

  verify(hash: string): Promise<Soundness> {
    return soundnessOf(hash, () => this.read(hash));
  }

  async *list(): AsyncIterable<ListedBlob> {
    let page: ObjectPage | undefined;
    do {
      page = await this.#page(page?.next);
      for (const { key, ...facts } of page.objects) {
        const hash = key.slice(this.#prefix.length);
        if (isHash(hash)) yield { hash, ...facts };
      }
    } while (page.next !== undefined);
  }

  async #page(start: string | undefined): Promise<ObjectPage> {
    const continuation: Record<string, string> = start === undefined ? {} : { 'continuation-token': start };
    const query = { 'list-type': '2', prefix: this.#prefix, ...continuation };
    const answer = await this.#client.send({ method: 'GET', key: '', query });
    return text(answer).then(readObjectPage).catch(refuseS3);
  }

  async tidy(before: number): Promise<void> {
    await this.#spool.tidy(before);
  }
}

/** Bytes that come over a connection. */
class OpenStream implements OpenBlob {
  readonly #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#stream;
    } catch (error) {
      refuseS3(error);
    }
  }

  async pour(take: Take): Promise<void> {
    for await (const bytes of this) await take(bytes);
  }

  async close(): Promise<void> {
    this.#stream.destroy();
  }
}
