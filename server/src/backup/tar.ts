import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ReadEntry, TarOptionsWithAliases } from 'tar';
import { isThere, makeFolder, syncFolder } from '../kernel/folders.ts';
import { removeAbandonedFiles, workFileName } from '../kernel/work-files.ts';
import { checkedBytes } from './contents.ts';
import { BackupFault, type Content, listsFolder, objectPath } from './model.ts';
import type { FinishedBackup, Vault } from './vault.ts';

/** Loaded with the first tar file: every start would wait for it, and most services never write one. */
const library = () => import('tar');

/** Tar files consist of blocks, and end with two empty ones. */
const blockSize = 512;

/** One backup in one file, with the same paths in it as a folder has; its list comes last. */
export class TarVault implements Vault {
  readonly workFolder: string;
  readonly #path: string;
  readonly #draft: string;
  readonly #file: FileHandle;
  readonly #written = new Set<string>();

  private constructor(path: string, draft: string, workFolder: string, file: FileHandle) {
    this.#path = path;
    this.#draft = draft;
    this.workFolder = workFolder;
    this.#file = file;
  }

  static async open(path: string): Promise<TarVault> {
    if (await isThere(path)) throw new BackupFault(`${path} is there already. Name another file.`);
    const folder = dirname(path);
    makeFolder(folder);
    await removeAbandonedFiles(folder);
    const workFolder = join(folder, workFileName(''));
    await mkdir(workFolder, { mode: 0o700 });
    const draft = join(folder, workFileName('.tar'));
    return new TarVault(path, draft, workFolder, await open(draft, 'wx', 0o600));
  }

  async has({ sha256 }: Content): Promise<boolean> {
    return this.#written.has(sha256);
  }

  async #write(path: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { Header } = await library();
    const header = new Header({ path, size, mode: 0o600, mtime: new Date(), type: 'File' });
    const block = Buffer.alloc(blockSize);
    header.encode(block, 0);
    await this.#file.appendFile(block);
    for await (const part of bytes) await this.#file.appendFile(part);
    const rest = size % blockSize;
    if (rest > 0) await this.#file.appendFile(Buffer.alloc(blockSize - rest));
  }

  async #put({ sha256, size }: Content, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#write(objectPath(sha256), size, bytes);
    this.#written.add(sha256);
  }

  async putBytes(content: Content, bytes: Uint8Array): Promise<void> {
    await this.#put(content, whole(bytes));
  }

  async putFile(content: Content, path: string): Promise<void> {
    await this.#put(content, checkedBytes(path, content));
  }

  async finish(listPath: string, name: string): Promise<FinishedBackup> {
    const file = await open(listPath);
    try {
      const { size } = await file.stat();
      await this.#write(`${listsFolder}/${name}`, size, file.createReadStream({ autoClose: false }));
    } finally {
      await file.close();
    }
    await this.#file.appendFile(Buffer.alloc(2 * blockSize));
    await this.#file.sync();
    await rename(this.#draft, this.#path);
    await syncFolder(dirname(this.#path));
    return { place: this.#path, faults: [] };
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#draft, { force: true });
    await rm(this.workFolder, { recursive: true, force: true });
  }
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function unreadable(path: string, error: unknown): BackupFault {
  const reason = error instanceof Error ? error.message : String(error);
  // The library puts a code of its own in front of its words.
  return new BackupFault(`${path} cannot be read as a tar file: ${reason.replace(/^TAR_\w+: /, '')}.`);
}

export const withoutList = (path: string) =>
  new BackupFault(`${path} has no list of a backup in it: it is cut, or something else.`);

/** What a backup has in it: a tar file that somebody else made may have links and devices. */
const isOurs = (path: string, entry: object) =>
  'type' in entry &&
  entry.type === 'File' &&
  /^(objects\/[0-9a-f]{2}\/[0-9a-f]{64}|backups\/[^/]+\.jsonl)$/.test(path);

async function writeEntry(entry: ReadEntry, target: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = createWriteStream(target, { mode: 0o600, signal });
  entry.pipe(file);
  await finished(file);
}

/**
 * Unpacks a backup into a folder, which then is as one that was written to. Nothing is written any more when it ends, also when it
 * fails: the unpacker of the library goes on for a while, and takes a write that the disk took half of for a whole one.
 */
export async function unpack(path: string, folder: string): Promise<void> {
  const { Parser } = await library();
  const source = createReadStream(path);
  const cut = new AbortController();
  const writes: Promise<void>[] = [];
  const reading = new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      cut.abort();
      reject(error);
    };
    const onReadEntry = (entry: ReadEntry) => {
      // What was read before the fault still comes.
      if (cut.signal.aborted) return void entry.resume();
      const written = writeEntry(entry, join(folder, entry.path), cut.signal);
      written.catch(fail);
      writes.push(written);
    };
    const parser = new Parser({ strict: true, filter: isOurs, onReadEntry });
    const failReading = (error: unknown) => fail(unreadable(path, error));
    source.on('error', failReading);
    parser.on('error', failReading).on('end', resolve);
    source.pipe(parser);
  });
  try {
    await reading;
    await Promise.all(writes);
  } finally {
    source.destroy();
    await Promise.allSettled(writes);
  }
}

export interface TarContents {
  /** By the path in the tar file. */
  readonly files: ReadonlyMap<string, Content>;
  /** The list of the backup, as bytes. */
  readonly lists: ReadonlyMap<string, Buffer>;
}

/** Reads a whole tar file, and tells what its files are without keeping them. */
export async function surveyTar(path: string): Promise<TarContents> {
  const files = new Map<string, Content>();
  const lists = new Map<string, Buffer>();
  const onReadEntry: TarOptionsWithAliases['onReadEntry'] = (entry) => {
    const hash = createHash('sha256');
    const kept: Buffer[] | undefined = entry.path.startsWith(`${listsFolder}/`) ? [] : undefined;
    entry.on('data', (part: Buffer) => {
      hash.update(part);
      kept?.push(part);
    });
    entry.on('end', () => {
      files.set(entry.path, { sha256: hash.digest('hex'), size: entry.size });
      if (kept !== undefined) lists.set(entry.path.slice(listsFolder.length + 1), Buffer.concat(kept));
    });
  };
  const { list } = await library();
  await list({ file: path, strict: true, onReadEntry }).catch((error) => {
    throw unreadable(path, error);
  });
  return { files, lists };
}
