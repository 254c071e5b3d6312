import { once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { XmlWriter } from './xml-writer.ts';
import {
  directoryEnd,
  directoryEntry,
  type EntryFacts,
  localHeader,
  localHeaderSize,
} from './zip-records.ts';

/** One file on its way into a zip. */
class ZipEntry {
  readonly #deflate: DeflateRaw = createDeflateRaw();
  readonly #pumped: Promise<number>;
  #crc = 0;
  #size = 0;

  constructor(store: (bytes: Uint8Array) => Promise<void>) {
    this.#pumped = this.#pump(store);
    // Whoever writes is told by the next write or by the end.
    this.#pumped.catch(() => {});
  }

  async #pump(store: (bytes: Uint8Array) => Promise<void>): Promise<number> {
    let packed = 0;
    for await (const chunk of this.#deflate) {
      await store(chunk);
      packed += chunk.length;
    }
    return packed;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#crc = crc32(bytes, this.#crc);
    this.#size += bytes.length;
    if (this.#deflate.destroyed) await this.#pumped;
    if (!this.#deflate.write(bytes)) await Promise.race([once(this.#deflate, 'drain'), this.#pumped]);
  }

  async end(): Promise<Pick<EntryFacts, 'crc' | 'size' | 'packed'>> {
    this.#deflate.end();
    const packed = await this.#pumped;
    return { crc: this.#crc, size: this.#size, packed };
  }
}

/** Writes a zip file, one entry after the other, of any size and without holding any of them. */
export class ZipWriter {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #entries: EntryFacts[] = [];
  #position = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Never writes over a file that is there. */
  static async create(path: string, mode = 0o640): Promise<ZipWriter> {
    return new ZipWriter(path, await open(path, 'wx', mode));
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#writeAt(bytes, this.#position);
    this.#position += bytes.length;
  }

  async #writeAt(bytes: Uint8Array, start: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, start + done);
      done += bytesWritten;
    }
  }

  /** The header is written twice: sizes are known only at the end. */
  async #entry(name: string, fill: (entry: ZipEntry) => Promise<void>): Promise<void> {
    const begun = { name, at: this.#position, crc: 0, size: 0, packed: 0, time: new Date() };
    this.#position += localHeaderSize(begun);
    const entry = new ZipEntry((bytes) => this.#append(bytes));
    await fill(entry);
    const facts = { ...begun, ...(await entry.end()) };
    await this.#writeAt(localHeader(facts), facts.at);
    this.#entries.push(facts);
  }

  add(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#entry(name, async (entry) => {
      for await (const chunk of bytes) await entry.write(chunk);
    });
  }

  addXml(name: string, write: (out: XmlWriter) => Promise<void>): Promise<void> {
    return this.#entry(name, async (entry) => {
      const out = new XmlWriter((text) => entry.write(Buffer.from(text)));
      await write(out);
      await out.finish();
    });
  }

  /** Durable when it is done. */
  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries) await this.#append(directoryEntry(entry));
    const size = this.#position - start;
    await this.#append(directoryEnd({ start, size, count: this.#entries.length }));
    await this.#file.sync();
    await this.#file.close();
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {});
    await rm(this.path, { force: true });
  }
}
