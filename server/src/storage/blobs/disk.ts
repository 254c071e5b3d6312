import { access, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../kernel/folders.ts';
import {
  BlobMissing,
  type Blobs,
  type ByteRange,
  isHash,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
} from './blobs.ts';
import { codeOf, refuseDisk } from './faults.ts';
import { OpenFile } from './open-file.ts';
import { type KeptBytes, Spool } from './spool.ts';
import { type Soundness, soundnessOf } from './verify.ts';

/**
 * Blobs as files `ab/cd/abcd…` below one folder. A blob gets its name only when its bytes are on the disk, so whatever
 * has a name is whole.
 */
export class DiskBlobs implements Blobs {
  readonly #folder: string;
  readonly #spool: Spool;

  constructor(folder: string) {
    this.#folder = folder;
    // Kept beside, a blob is one more name of the same file: that takes no room.
    const options = { syncs: true, mostKept: Number.POSITIVE_INFINITY };
    this.#spool = new Spool(join(folder, 'incoming'), (path, { hash }) => this.#place(path, hash), options);
  }

  #pathOf(hash: string): string {
    if (!isHash(hash)) throw new Error(`"${hash}" is no name of a blob.`);
    return join(this.#folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  store(source: AsyncIterable<Uint8Array>, kept?: KeptBytes): AsyncIterable<StoredBlob> {
    return this.#spool.pieces(source, kept);
  }

  placeAgain(blob: StoredBlob): Promise<boolean> {
    return this.#spool.placeAgain(blob);
  }

  async #place(path: string, hash: string): Promise<void> {
    const target = this.#pathOf(hash);
    const folder = dirname(target);
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(await secondName(path), target);
    await syncFolder(folder);
    // A folder that was just made is an entry of the one above it, which has to last as well.
    if (firstMade !== undefined) await syncUpTo(dirname(firstMade), dirname(folder));
  }

  async read(hash: string, range?: ByteRange): Promise<OpenBlob> {
    const file = await open(this.#pathOf(hash)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw new BlobMissing(hash);
      return refuseDisk(error);
    });
    try {
      return new OpenFile(file, range ?? { start: 0, end: (await file.stat()).size });
    } catch (error) {
      await file.close();
      return refuseDisk(error);
    }
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
    await this.#spool.tidy(before);
  }
}

/** Another name for a file; where there cannot be one, the name that it has. */
async function secondName(path: string): Promise<string> {
  const second = `${path}-placed`;
  try {
    await link(path, second);
    return second;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    return path;
  }
}

/** Syncs a folder and those above it, up to a certain one. */
async function syncUpTo(last: string, folder: string): Promise<void> {
  await syncFolder(folder);
  if (folder !== last) await syncUpTo(last, dirname(folder));
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
