import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ArchiveLimits } from '../kernel/archive-limits.ts';
import { type Archive, archiveFault, pathIn } from './model.ts';
import { largeExtra, largest16, largest32, signatures } from './zip-records.ts';

interface ZipEntry {
  readonly at: number;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly isDeflated: boolean;
}

interface DirectoryRecord extends ZipEntry {
  readonly name: string;
  readonly length: number;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly isLink: boolean;
}

type ContainerLimits = Pick<ArchiveLimits, 'bytes' | 'files'>;

const mostDirectoryBytes = 256 * 1024 * 1024;
const longestComment = 0xffff;

/** Names are UTF-8 where the entry says so or they can be; else of the code page of old. */
function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** The numbers in the extra field for large files, in the order in which places are taken. */
function largeNumbers(extra: Buffer): number[] {
  for (let start = 0; start + 4 <= extra.length; ) {
    const size = extra.readUInt16LE(start + 2);
    const isWhole = start + 4 + size <= extra.length;
    if (extra.readUInt16LE(start) === largeExtra && isWhole)
      return Array.from({ length: Math.floor(size / 8) }, (_, index) =>
        Number(extra.readBigUInt64LE(start + 4 + index * 8)),
      );
    start += 4 + size;
  }
  return [];
}

function recordAt(directory: Buffer, start: number): DirectoryRecord | undefined {
  if (start + 46 > directory.length || directory.readUInt32LE(start) !== signatures.entry) return undefined;
  const [nameSize, extraSize, commentSize] = [28, 30, 32].map((at) => directory.readUInt16LE(start + at));
  const nameEnd = start + 46 + (nameSize ?? 0);
  const extraEnd = nameEnd + (extraSize ?? 0);
  const length = extraEnd + (commentSize ?? 0) - start;
  if (start + length > directory.length) return undefined;
  const large = largeNumbers(directory.subarray(nameEnd, extraEnd));
  const number = (at: number) => {
    const short = directory.readUInt32LE(start + at);
    return short === largest32 ? (large.shift() ?? short) : short;
  };
  const size = number(24);
  const packed = number(20);
  const method = directory.readUInt16LE(start + 10);
  const isUnix = directory.readUInt16LE(start + 4) >> 8 === 3;
  return {
    name: decodeName(directory.subarray(start + 46, nameEnd)),
    at: number(42),
    size,
    packed,
    crc: directory.readUInt32LE(start + 16),
    method,
    isDeflated: method === 8,
    isEncrypted: (directory.readUInt16LE(start + 8) & 1) === 1,
    isLink: isUnix && directory.readUInt32LE(start + 38) >>> 28 === 0xa,
    length,
  };
}

/** A zip file. Its directory is read when it is opened, its entries when they are asked for. */
export class ZipArchive implements Archive {
  readonly #path: string;
  /** Its name in words for people. */
  readonly #called: string;
  readonly #file: FileHandle;
  readonly #entries = new Map<string, ZipEntry>();
  #fileSize = 0;

  private constructor(path: string, called: string, file: FileHandle) {
    this.#path = path;
    this.#called = called;
    this.#file = file;
  }

  static async open(path: string, limits: ContainerLimits, called = path): Promise<ZipArchive> {
    const archive = new ZipArchive(path, called, await open(path, 'r'));
    try {
      await archive.#readDirectory(limits);
      return archive;
    } catch (error) {
      await archive.close();
      throw error;
    }
  }

  #fault(reason: string) {
    return archiveFault(this.#called, undefined, reason);
  }

  async #bytes(start: number, size: number): Promise<Buffer> {
    // What a zip file says of its own places may be anything.
    if (!(start + size <= this.#fileSize)) throw this.#fault('The zip file ends too early.');
    const bytes = Buffer.alloc(size);
    for (let done = 0; done < size; ) {
      const { bytesRead } = await this.#file.read(bytes, done, size - done, start + done);
      if (bytesRead === 0) throw this.#fault('The zip file ends too early.');
      done += bytesRead;
    }
    return bytes;
  }

  /** Where the directory is, by the record at the very end. */
  async #directoryPlace() {
    const size = Math.min(this.#fileSize, 22 + longestComment);
    const tail = await this.#bytes(this.#fileSize - size, size);
    let end = tail.length - 22;
    while (end >= 0 && tail.readUInt32LE(end) !== signatures.end) end--;
    if (end < 0) throw this.#fault('It is not a zip file.');
    const short = {
      count: tail.readUInt16LE(end + 10),
      size: tail.readUInt32LE(end + 12),
      start: tail.readUInt32LE(end + 16),
    };
    const isLarge = short.count === largest16 || short.size === largest32 || short.start === largest32;
    const hasLocator = end >= 20 && tail.readUInt32LE(end - 20) === signatures.largeLocator;
    if (!isLarge || !hasLocator) return short;
    const record = await this.#bytes(Number(tail.readBigUInt64LE(end - 12)), 56);
    if (record.readUInt32LE(0) !== signatures.largeEnd) throw this.#fault('Its directory is damaged.');
    const number = (at: number) => Number(record.readBigUInt64LE(at));
    return { count: number(32), size: number(40), start: number(48) };
  }

  async #readDirectory(limits: ContainerLimits): Promise<void> {
    this.#fileSize = (await this.#file.stat()).size;
    if (this.#fileSize < 22) throw this.#fault('It is not a zip file.');
    const { count, size, start } = await this.#directoryPlace();
    if (count > limits.files) throw this.#fault(`It has more than ${limits.files} files.`);
    if (size > mostDirectoryBytes) throw this.#fault('Its directory is far too large.');
    if (start + size > this.#fileSize) throw this.#fault('Its directory is damaged.');
    const directory = await this.#bytes(start, size);
    let position = 0;
    let unpacked = 0;
    let packed = 0;
    for (let index = 0; index < count; index++) {
      const record = recordAt(directory, position);
      if (record === undefined) throw this.#fault('Its directory is damaged.');
      position += record.length;
      unpacked += record.size;
      packed += record.packed;
      this.#add(record);
    }
    if (unpacked > limits.bytes) throw this.#fault(`Unpacked it has more than ${limits.bytes} bytes.`);
    // Entries that share their bytes are how a small file pretends to be an enormous one.
    if (packed > this.#fileSize) throw this.#fault('Its entries overlap.');
  }

  #add(record: DirectoryRecord): void {
    const { name, method } = record;
    const path = pathIn(this.#called, undefined, name);
    if (name.endsWith('/')) return;
    const refuse = (reason: string) => {
      throw this.#fault(`The entry ${name} ${reason}.`);
    };
    if (record.isLink) refuse('is a link, which is not followed');
    if (record.isEncrypted) refuse('is encrypted');
    if (method !== 0 && method !== 8) refuse('is packed in a way that is not read');
    if (this.#entries.has(path)) refuse('is there twice');
    const { at, size, packed, crc, isDeflated } = record;
    this.#entries.set(path, { at, size, packed, crc, isDeflated });
  }

  get paths(): Iterable<string> {
    return this.#entries.keys();
  }

  async size(path: string): Promise<number | undefined> {
    return this.#entries.get(path)?.size;
  }

  async open(path: string): Promise<AsyncIterable<Uint8Array>> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw this.#fault(`It has no ${path}.`);
    const header = await this.#bytes(entry.at, 30);
    if (header.readUInt32LE(0) !== signatures.local) throw this.#fault(`The entry ${path} is damaged.`);
    const start = entry.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (start + entry.packed > this.#fileSize) throw this.#fault(`The entry ${path} is damaged.`);
    return this.#checked(path, entry, () => this.#unpacked(entry, start));
  }

  #unpacked({ packed, isDeflated }: ZipEntry, start: number): Readable | undefined {
    if (packed === 0) return undefined;
    const bytes = createReadStream(this.#path, { start, end: start + packed - 1 });
    if (!isDeflated) return bytes;
    const inflate = createInflateRaw();
    bytes.on('error', (error) => inflate.destroy(error));
    inflate.on('close', () => bytes.destroy());
    return bytes.pipe(inflate);
  }

  /** Never more than was announced, and exactly that in the end. */
  async *#checked(path: string, { size, crc }: ZipEntry, open: () => Readable | undefined) {
    let seen = 0;
    let sum = 0;
    try {
      // Opened when somebody reads: what nobody reads would stay open.
      for await (const chunk of open() ?? []) {
        seen += chunk.length;
        if (seen > size) break;
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
        throw this.#fault(`The entry ${path} is damaged.`);
      throw error;
    }
    if (seen !== size || sum !== crc) throw this.#fault(`The entry ${path} is damaged.`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
