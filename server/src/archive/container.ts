import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Archive, type ArchiveLimits, archiveFault } from './model.ts';
import { ZipArchive } from './zip-reader.ts';

const usualLimits: ArchiveLimits = { mostBytes: 256 * 1024 ** 3 };

const mostFiles = 1_000_000;

class FolderArchive implements Archive {
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string, { mostBytes }: ArchiveLimits): Promise<FolderArchive> {
    const archive = new FolderArchive(folder);
    await archive.#list('');
    const bytes = archive.#sizes.values().reduce((sum, size) => sum + size, 0);
    if (bytes > mostBytes) throw archiveFault(folder, undefined, `It has more than ${mostBytes} bytes.`);
    return archive;
  }

  async #list(below: string): Promise<void> {
    for (const entry of await readdir(join(this.#folder, below), { withFileTypes: true })) {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory()) await this.#list(path);
      else if (entry.isFile()) this.#sizes.set(path, (await lstat(join(this.#folder, path))).size);
      else throw archiveFault(this.#folder, undefined, `${path} is a link, which is not followed.`);
      if (this.#sizes.size > mostFiles)
        throw archiveFault(this.#folder, undefined, 'It has far too many files.');
    }
  }

  get paths(): Iterable<string> {
    return this.#sizes.keys();
  }

  async size(path: string): Promise<number | undefined> {
    return this.#sizes.get(path);
  }

  async open(path: string): Promise<AsyncIterable<Uint8Array>> {
    if (!this.#sizes.has(path)) throw archiveFault(this.#folder, undefined, `It has no ${path}.`);
    return createReadStream(join(this.#folder, path));
  }

  async close(): Promise<void> {}
}

/** Opens a folder or a zip file. */
export async function openArchive(path: string, limits: ArchiveLimits = usualLimits): Promise<Archive> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw archiveFault(path, undefined, 'There is no such file or folder.');
  return found.isDirectory() ? FolderArchive.open(path, limits) : ZipArchive.open(path, limits);
}
