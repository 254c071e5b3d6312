import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandonedFiles, workFileName } from '../../kernel/work-files.ts';
import type { StoredBlob } from './blob.ts';
import { Chunks } from './chunks.ts';
import { codeOf, refuseDisk } from './faults.ts';
import { giveBack, portionSize, takePortion } from './portions.ts';

/** Bytes of one blob at the most. What arrives of a cut upload is kept, and no removal takes long. */
export const pieceSize = 16 * 1024 * 1024;

/** A blob in the making: bytes in a file of their own that has no lasting name yet. */
class Spooled {
  readonly path: string;
  readonly #file: FileHandle;
  #size = 0;
  readonly #hash = createHash('sha256');
  /**
   * Chunks are copied into a portion at once. Those of a socket then die young, and the collector does not have to look
   * for them all over the heap.
   */
  #portion = takePortion();
  #filled = 0;
  /** The portion before, on its way to the file while this one is filled. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(folder: string): Promise<Spooled> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, workFileName(''));
    return new Spooled(path, await open(path, 'wx', 0o600));
  }

  /** Takes from the source what makes one blob. */
  async fill(first: Uint8Array, chunks: Chunks): Promise<StoredBlob> {
    let chunk: Uint8Array | undefined = first;
    while (chunk !== undefined) {
      await this.#add(chunk);
      chunk = await chunks.next(pieceSize - this.#size);
    }
    await this.#write();
    await this.#writing;
    return { hash: this.#hash.digest('hex'), size: this.#size };
  }

  async #add(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; ) {
      const part = bytes.subarray(start, start + portionSize - this.#filled);
      this.#portion.set(part, this.#filled);
      this.#filled += part.length;
      start += part.length;
      if (this.#filled === portionSize) await this.#write();
    }
    this.#size += bytes.length;
  }

  /** Begins to write what is collected, once what came before is written. */
  async #write(): Promise<void> {
    const portion = this.#portion;
    const filled = portion.subarray(0, this.#filled);
    this.#hash.update(filled);
    await this.#writing;
    this.#writing = writeAll(this.#file, filled).finally(() => giveBack(portion));
    // Awaited later; that it failed must not end the process before.
    this.#writing.catch(() => {});
    this.#portion = takePortion();
    this.#filled = 0;
  }

  /** Makes what was written last, for stores that name the file itself. */
  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Ends the writing; the bytes stay until they are removed. */
  async finish(): Promise<void> {
    await this.#writing.catch(() => {});
    giveBack(this.#portion);
    await this.#file.close();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return;
  const { bytesWritten } = await file.write(bytes);
  await writeAll(file, bytes.subarray(bytesWritten));
}

/**
 * Gives a finished blob its lasting place and name. The file at the path stays where that costs nothing, so that the same
 * can be done once more.
 */
export type PlaceBlob = (path: string, blob: StoredBlob) => Promise<void>;

interface Filled {
  readonly spooled: Spooled;
  readonly blob: StoredBlob;
}

async function fillPiece(folder: string, chunks: Chunks): Promise<Filled | undefined> {
  const first = await chunks.next(pieceSize);
  if (first === undefined) return undefined;
  const spooled = await Spooled.create(folder);
  try {
    return { spooled, blob: await spooled.fill(first, chunks) };
  } catch (error) {
    await drop(spooled);
    throw error;
  }
}

async function drop(spooled: Spooled): Promise<void> {
  try {
    await spooled.finish();
  } finally {
    await spooled.remove();
  }
}

/** Bytes that are stored and kept beside, for as long as somebody else may remove the same ones. */
export class KeptBytes {
  readonly #spooled: Spooled[] = [];

  /** Keeps one more, and as many of those before as there may be. */
  async add(spooled: Spooled, most: number): Promise<void> {
    this.#spooled.push(spooled);
    while (this.#spooled.length > most) await this.#spooled.shift()?.remove();
  }

  async forget(): Promise<void> {
    for (const spooled of this.#spooled.splice(0)) await spooled.remove();
  }
}

interface SpoolOptions {
  /** Whether the file itself gets the lasting name, and so has to be on the disk before. */
  readonly syncs: boolean;
  /** Pieces that are kept beside for one source. */
  readonly mostKept: number;
}

/** Where bytes become blobs before they get their place. */
export class Spool {
  readonly #folder: string;
  readonly #place: PlaceBlob;
  readonly #options: SpoolOptions;
  /** Those that can get their place once more. */
  readonly #spooled = new WeakMap<StoredBlob, Spooled>();

  constructor(folder: string, place: PlaceBlob, options: SpoolOptions) {
    this.#folder = folder;
    this.#place = place;
    this.#options = options;
  }

  /**
   * Cuts the source into blobs, and gives each once it has its place. While the disk is busy with one, the next is being
   * filled already; but it gets its place only when it is asked for. A blob can get its place again until the next one is
   * asked for, or for as long as it is kept.
   */
  async *pieces(source: AsyncIterable<Uint8Array>, kept?: KeptBytes): AsyncGenerator<StoredBlob> {
    const chunks = new Chunks(source);
    const fill = () => {
      const filling = fillPiece(this.#folder, chunks);
      // Awaited later; that it failed must not end the process before.
      filling.catch(() => {});
      return filling;
    };
    let next = fill();
    try {
      for (let filled = await next; filled !== undefined; filled = await next) {
        next = fill();
        yield* this.#placed(filled, kept);
      }
    } catch (error) {
      refuseDisk(error);
    } finally {
      next.then((unwanted) => unwanted && drop(unwanted.spooled)).catch(() => {});
    }
    chunks.throwFailure();
  }

  async *#placed({ spooled, blob }: Filled, kept: KeptBytes | undefined): AsyncGenerator<StoredBlob> {
    let isKept = false;
    try {
      await this.#finish(spooled);
      await this.#place(spooled.path, blob);
      this.#spooled.set(blob, spooled);
      if (kept !== undefined) {
        isKept = true;
        await kept.add(spooled, this.#options.mostKept);
      }
      yield blob;
    } finally {
      if (!isKept) await spooled.remove();
    }
  }

  async #finish(spooled: Spooled): Promise<void> {
    try {
      if (this.#options.syncs) await spooled.sync();
    } finally {
      await spooled.finish();
    }
  }

  /** Gives a blob its place once more, after somebody removed the same bytes; false when it is not kept any more. */
  async placeAgain(blob: StoredBlob): Promise<boolean> {
    const spooled = this.#spooled.get(blob);
    if (spooled === undefined) return false;
    try {
      await this.#place(spooled.path, blob);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      return refuseDisk(error);
    }
  }

  /** Removes files that a crash left in the making. */
  async tidy(before: number): Promise<void> {
    await tidyFolder(this.#folder, before).catch(refuseDisk);
  }
}

async function removeIfOld(path: string, before: number): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true });
}

async function tidyFolder(folder: string, before: number): Promise<void> {
  await removeAbandonedFiles(folder);
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) await removeIfOld(join(folder, name), before);
}
