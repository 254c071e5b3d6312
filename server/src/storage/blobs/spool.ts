import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBlob } from './blobs.ts';
import { Chunks } from './chunks.ts';
import { codeOf, refuseDisk } from './faults.ts';

/** Bytes of one blob at the most. What arrives of a cut upload is kept, and no removal takes long. */
export const pieceSize = 16 * 1024 * 1024;

/** Chunks are written together once they are this long. */
const batchSize = 512 * 1024;

/** A blob in the making: bytes in a file of their own that has no lasting name yet. */
export class Spooled {
  readonly path: string;
  readonly file: FileHandle;
  #size = 0;
  readonly #hash = createHash('sha256');
  #batch: Uint8Array[] = [];
  #batched = 0;

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
    for (
      let chunk: Uint8Array | undefined = first;
      chunk !== undefined;
      chunk = await chunks.next(pieceSize - this.#size)
    )
      await this.#add(chunk);
    await this.#flush();
    return { hash: this.#hash.digest('hex'), size: this.#size };
  }

  async #add(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#size += bytes.length;
    this.#batch.push(bytes);
    this.#batched += bytes.length;
    if (this.#batched >= batchSize) await this.#flush();
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batched = 0;
    await writeAll(this.file, batch);
  }

  /** Ends the work on the file, and removes it unless it got another name. */
  async close(): Promise<void> {
    await this.file.close();
    await rm(this.path, { force: true });
  }
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const wanted = chunks.reduce((sum, { length }) => sum + length, 0);
  if (wanted === 0) return;
  const { bytesWritten } = await file.writev([...chunks]);
  if (bytesWritten < wanted) await writeAll(file, withoutFirst(chunks, bytesWritten));
}

function withoutFirst(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let left = count;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}

/** Gives a finished blob its lasting place and name. */
export type Place = (spooled: Spooled, blob: StoredBlob) => Promise<void>;

async function storePiece(folder: string, chunks: Chunks, place: Place): Promise<StoredBlob | undefined> {
  const first = await chunks.next(pieceSize);
  if (first === undefined) return undefined;
  const spooled = await Spooled.create(folder);
  try {
    const blob = await spooled.fill(first, chunks);
    await place(spooled, blob);
    return blob;
  } finally {
    await spooled.close();
  }
}

/** Cuts the source into blobs, and gives each once it has its place. */
export async function* spoolPieces(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  place: Place,
): AsyncGenerator<StoredBlob> {
  const chunks = new Chunks(source);
  const next = () => storePiece(folder, chunks, place).catch(refuseDisk);
  for (let blob = await next(); blob !== undefined; blob = await next()) yield blob;
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
