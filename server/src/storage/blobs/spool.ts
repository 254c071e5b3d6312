import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBlob } from './blobs.ts';
import { Chunks } from './chunks.ts';
import { codeOf, refuseDisk } from './faults.ts';
import { giveBack, portionSize, takePortion } from './portions.ts';

/** Bytes of one blob at the most. What arrives of a cut upload is kept, and no removal takes long. */
export const pieceSize = 16 * 1024 * 1024;

/** A blob in the making: bytes in a file of their own that has no lasting name yet. */
export class Spooled {
  readonly path: string;
  readonly file: FileHandle;
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
    this.file = file;
  }

  static async create(folder: string): Promise<Spooled> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomBytes(16).toString('hex'));
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
    this.#writing = writeAll(this.file, filled).finally(() => giveBack(portion));
    // Awaited later; that it failed must not end the process before.
    this.#writing.catch(() => {});
    this.#portion = takePortion();
    this.#filled = 0;
  }

  /** Ends the work on the file, and removes it unless it got another name. */
  async close(): Promise<void> {
    await this.#writing.catch(() => {});
    giveBack(this.#portion);
    await this.file.close();
    await rm(this.path, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return;
  const { bytesWritten } = await file.write(bytes);
  await writeAll(file, bytes.subarray(bytesWritten));
}

/** Gives a finished blob its lasting place and name. */
export type Place = (spooled: Spooled, blob: StoredBlob) => Promise<void>;

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
    await spooled.close();
    throw error;
  }
}

async function placePiece({ spooled, blob }: Filled, place: Place): Promise<StoredBlob> {
  try {
    await place(spooled, blob);
    return blob;
  } finally {
    await spooled.close();
  }
}

/**
 * Cuts the source into blobs, and gives each once it has its place. While the disk is busy with one, the next is being
 * filled already; but it gets its place only when it is asked for.
 */
export async function* spoolPieces(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  place: Place,
): AsyncGenerator<StoredBlob> {
  const chunks = new Chunks(source);
  const fill = () => {
    const filling = fillPiece(folder, chunks);
    // Awaited later; that it failed must not end the process before.
    filling.catch(() => {});
    return filling;
  };
  let next = fill();
  try {
    for (let filled = await next; filled !== undefined; filled = await next) {
      next = fill();
      yield await placePiece(filled, place);
    }
  } catch (error) {
    refuseDisk(error);
  } finally {
    next.then((unwanted) => unwanted?.spooled.close()).catch(() => {});
  }
  chunks.throwFailure();
}

async function removeIfOld(path: string, before: number): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true });
}

/** Removes files that a crash left in the making. */
export async function tidySpool(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) await removeIfOld(join(folder, name), before);
}
