import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type ArchiveLimits, usualLimits } from '../kernel/archive-limits.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { type Archive, archiveFault } from './model.ts';
import { ZipArchive } from './zip-reader.ts';

type ContainerLimits = Pick<ArchiveLimits, 'bytes' | 'files'>;

class FolderArchive implements Archive {
  readonly #folder: string;
  readonly #limits: ContainerLimits;
  readonly #sizes = new Map<string, number>();

  private constructor(folder: string, limits: ContainerLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  static async open(folder: string, limits: ContainerLimits): Promise<FolderArchive> {
    const archive = new FolderArchive(folder, limits);
    await archive.#list('');
    const bytes = archive.#sizes.values().reduce((sum, size) => sum + size, 0);
    if (bytes > limits.bytes)
      throw archiveFault(folder, undefined, `It has more than ${limits.bytes} bytes.`);
    return archive;
  }

  async #list(below: string): Promise<void> {
    for (const entry of await readdir(join(this.#folder, below), { withFileTypes: true })) {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory()) await this.#list(path);
      else if (entry.isFile()) this.#sizes.set(path, (await lstat(join(this.#folder, path))).size);
      else throw archiveFault(this.#folder, undefined, `${path} is a link, which is not followed.`);
      if (this.#sizes.size > this.#limits.files)
        throw archiveFault(this.#folder, undefined, `It has more than ${this.#limits.files} files.`);
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

/** Opens a folder or a zip file. `called` is its name in words for people who do not know where it lies. */
export async function openArchive(
  path: string,
  limits: ContainerLimits = usualLimits,
  called = path,
): Promise<Archive> {
  const found = await stat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT')
      throw archiveFault(called, undefined, 'There is no such file or folder.');
    throw archiveFault(called, undefined, `It cannot be read: ${reasonOf(error)}.`);
  });
  return found.isDirectory() ? FolderArchive.open(path, limits) : ZipArchive.open(path, limits, called);
}
