import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  BlobMissing,
  type Blobs,
  type ByteRange,
  isHash,
  type ListedBlob,
  type StoredBlob,
} from './blobs.ts';
import { codeOf, refuseDisk } from './faults.ts';
import { type Spooled, spoolPieces, tidySpool } from './spool.ts';
import { type Soundness, soundnessOf } from './verify.ts';

const readSize = 256 * 1024;

/**
 * Blobs as files `ab/cd/abcd…` below one folder. A blob gets its name only when its bytes are on the disk, so whatever
 * has a name is whole.
 */
export class DiskBlobs implements Blobs {
  readonly #folder: string;
  readonly #incoming: string;
  /** Folders of which this thread knows that they will be there after a crash. */
  readonly #lasting = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = join(folder, 'incoming');
  }

  #pathOf(hash: string): string {
    if (!isHash(hash)) throw new Error(`"${hash}" is no name of a blob.`);
    return join(this.#folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  store(source: AsyncIterable<Uint8Array>): AsyncIterable<StoredBlob> {
    return spoolPieces(this.#incoming, source, (spooled, { hash }) => this.#place(spooled, hash));
  }

  async #place({ file, path }: Spooled, hash: string): Promise<void> {
    await file.sync();
    const target = this.#pathOf(hash);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    await this.#syncAround(target, hash.slice(0, 4));
  }

  /** The name is an entry of its folder, which is an entry of the one above; all of them have to last. */
  async #syncAround(target: string, key: string): Promise<void> {
    await syncFolder(dirname(target));
    if (this.#lasting.has(key)) return;
    await syncFolder(dirname(dirname(target)));
    await syncFolder(this.#folder);
    await syncFolder(dirname(this.#folder));
    this.#lasting.add(key);
  }

  async read(hash: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.#pathOf(hash)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw new BlobMissing(hash);
      return refuseDisk(error);
    });
    if (range === undefined) return file.createReadStream({ highWaterMark: readSize });
    if (range.start < range.end)
      return file.createReadStream({ highWaterMark: readSize, start: range.start, end: range.end - 1 });
    await file.close();
    return Readable.from([]);
  }

  has(hash: string): Promise<boolean> {
    return access(this.#pathOf(hash)).then(
      () => true,
      (error: unknown) => (codeOf(error) === 'ENOENT' ? false : refuseDisk(error)),
    );
  }

  async remove(hash: string): Promise<void> {
    await rm(this.#pathOf(hash), { force: true }).catch(refuseDisk);
  }

  verify(hash: string): Promise<Soundness> {
    return soundnessOf(hash, () => this.read(hash));
  }

  async *list(): AsyncIterable<ListedBlob> {
    for (const first of await foldersIn(this.#folder)) {
      for (const second of await foldersIn(join(this.#folder, first))) {
        yield* listFolder(join(this.#folder, first, second));
      }
    }
  }

  async tidy(before: number): Promise<void> {
    await tidySpool(this.#incoming, before).catch(refuseDisk);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  await opened.sync().finally(() => opened.close());
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => (codeOf(error) === 'ENOENT' ? [] : refuseDisk(error)));
}

const foldersIn = async (folder: string) =>
  (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));

async function* listFolder(folder: string): AsyncIterable<ListedBlob> {
  for (const hash of (await namesIn(folder)).filter(isHash)) {
    // Gone meanwhile is not listed.
    const found = await stat(join(folder, hash)).catch(() => undefined);
    if (found !== undefined) yield { hash, size: found.size, storedAt: found.mtimeMs };
  }
}
