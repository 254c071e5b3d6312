import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isThere, isWithin } from '../kernel/folders.ts';
import { markFile, markFinished, markUnfinished, requireFinished } from '../kernel/unfinished-restore.ts';
import { workFileName } from '../kernel/work-files.ts';
import { silenceWaiting } from '../notify/index.ts';
import { pendEverything } from '../search/index.ts';
import { isUntouched, loadDatabase, newestSchema, readDescription } from '../storage/index.ts';
import { forgetUnfinished, type RepositoryPlace, SvnWorkspace } from '../svn/index.ts';
import { checkedBytes, copyChecked } from './contents.ts';
import { inWords } from './disk-faults.ts';
import { readList } from './list.ts';
import {
  type BackupEntry,
  BackupFault,
  type FileEntry,
  type Head,
  parts,
  type Tail,
  type Tell,
} from './model.ts';
import type { BackedUpPlatform } from './platform.ts';
import { openSource, type Source } from './source.ts';

export interface RestoreOptions {
  /** A folder of backups, or a tar file. */
  readonly from: string;
  /** The beginning of the name of a backup in the folder; undefined: the newest. */
  readonly at: string | undefined;
  /** Whether mails and webhooks that were waiting are sent. */
  readonly delivers: boolean;
  /** Whether the store of files may have bytes already. */
  readonly reusesBlobs: boolean;
}

export interface RestoredBackup extends Head, Tail {}

/** Refuses a platform in the folder of its backups, which then takes no more of them, and backups in that of the platform. */
export function requireApart(from: string, dataFolder: string): void {
  if (isWithin(dataFolder, from))
    throw new BackupFault(`${dataFolder} is in the backup ${from}. Restore into a folder elsewhere.`);
  if (isWithin(from, dataFolder))
    throw new BackupFault(
      `${from} is in the data folder, which is not empty then. Restore into a folder that is.`,
    );
}

const wordsOfFolder = (folder: string) =>
  `${folder} is not empty. Restore into a folder that is, and move it into place when all is well.`;

async function requireEmptyFolder(folder: string): Promise<void> {
  requireFinished(folder);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new BackupFault(`${folder} cannot be used: ${error.message}.`);
  });
  if (names.some((name) => name !== 'lost+found')) throw new BackupFault(wordsOfFolder(folder));
}

async function requireEmptyStore({ blobs }: BackedUpPlatform): Promise<void> {
  for await (const _ of blobs.list())
    throw new BackupFault(
      'The store of ATELIER_BLOBS has files already, which may belong to another platform: two of them on one store remove what ' +
        'the other one needs. Name another prefix or, if the store is that of the platform you restore, use --reuse-blobs.',
    );
}

async function requireEmptyPlatform(
  platform: BackedUpPlatform,
  { reusesBlobs }: RestoreOptions,
): Promise<void> {
  if (!(await isUntouched(platform.database)))
    throw new BackupFault(
      'The database of ATELIER_DATABASE_URL is not empty. Restore into a new one (createdb), and leave the old one alone until all is well.',
    );
  if (platform.config.blobs !== undefined && !reusesBlobs) await requireEmptyStore(platform);
}

/** Puts the files of a backup where the platform has them. */
class Unpacking {
  readonly databaseFolder: string;
  readonly #platform: BackedUpPlatform;
  readonly #source: Source;
  #svnWorkspace: SvnWorkspace | undefined;

  constructor(platform: BackedUpPlatform, source: Source, workFolder: string) {
    this.#platform = platform;
    this.#source = source;
    this.databaseFolder = join(workFolder, parts.database);
  }

  async take(entry: BackupEntry): Promise<void> {
    if ('folder' in entry) return this.#takeFolder(entry.folder);
    const [part = '', ...rest] = entry.path.split('/');
    if (part === parts.blobs) return this.#takeBlob(entry);
    if (part === parts.repositories) return this.#takeOfRepository(entry, rest);
    const folder = this.#folderOf(part);
    // What this program does not know is left in the backup.
    if (folder === undefined) return;
    const target = join(folder, ...rest);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await this.#copy(entry, target, 0o640);
  }

  #folderOf(part: string): string | undefined {
    const { dataFolder } = this.#platform.config;
    const folders: Readonly<Record<string, string>> = {
      [parts.database]: this.databaseFolder,
      [parts.dumps]: join(dataFolder, 'backup', 'svn'),
      [parts.deleted]: join(dataFolder, 'deleted'),
      [parts.waiting]: join(dataFolder, parts.waiting),
      [parts.imports]: join(dataFolder, 'imports'),
    };
    return folders[part];
  }

  #nameOf({ path, sha256 }: FileEntry): string {
    return `${this.#source.nameOf(sha256)}, which is ${path} of the backup,`;
  }

  async #objectOf(entry: FileEntry): Promise<string> {
    const object = this.#source.pathOf(entry.sha256);
    if (!(await isThere(object))) throw new BackupFault(`${this.#nameOf(entry)} is missing.`);
    return object;
  }

  async #copy(entry: FileEntry, target: string, mode: number): Promise<void> {
    await copyChecked(await this.#objectOf(entry), target, entry, mode, this.#nameOf(entry));
  }

  async #takeBlob(entry: FileEntry): Promise<void> {
    const { blobs } = this.#platform;
    if (basename(entry.path) !== entry.sha256)
      throw new BackupFault(`${entry.path} has other bytes than it says.`);
    // They are few, and looked at before any of them is stored.
    const bytes = await Array.fromAsync(
      checkedBytes(await this.#objectOf(entry), entry, this.#nameOf(entry)),
    );
    for await (const { hash } of blobs.store(Readable.from(bytes)))
      if (hash !== entry.sha256) throw new BackupFault(`${entry.path} could not be stored as it was.`);
  }

  /** The youngest revision of a repository that was put there. */
  async youngestIn(place: RepositoryPlace): Promise<number | undefined> {
    return this.#svnWorkspace?.youngestIn(place);
  }

  get #repositories(): SvnWorkspace {
    this.#svnWorkspace ??= new SvnWorkspace(this.#platform.config);
    return this.#svnWorkspace;
  }

  async #takeFolder(path: string): Promise<void> {
    const [part = '', ...rest] = path.split('/');
    if (part === parts.repositories)
      await this.#repositories.makeFolder(join(this.#repositories.folder, ...rest));
  }

  async #takeOfRepository(entry: FileEntry, path: readonly string[]): Promise<void> {
    const svnWorkspace = this.#repositories;
    const target = join(svnWorkspace.folder, ...path);
    await svnWorkspace.makeFolder(dirname(target));
    await this.#copy(entry, target, entry.executable ? 0o755 : 0o644);
    await svnWorkspace.give(target);
  }
}

function requireKnown({ version, schema }: Head): void {
  if (schema > newestSchema)
    throw new BackupFault(
      `The backup was written by a newer version of Atelier (${version}, schema ${schema}; this program knows ${newestSchema}). Restore it with that version.`,
    );
}

async function restoreInto(
  platform: BackedUpPlatform,
  options: RestoreOptions,
  workFolder: string,
  tell: Tell,
): Promise<RestoredBackup> {
  const source = await openSource(options.from, options.at, workFolder);
  // Read once before anything is done, so that a list that is damaged costs nothing.
  const { head, tail } = await readList(source.listPath);
  requireKnown(head);
  const unpacking = new Unpacking(platform, source, workFolder);
  let done = 0;
  await readList(source.listPath, async (entry) => {
    tell({ stage: 'Files', done: done++, total: tail.files });
    await unpacking.take(entry);
  });
  await readDescription(unpacking.databaseFolder);
  await loadDatabase(
    platform.database,
    unpacking.databaseFolder,
    async (tx) => {
      await forgetUnfinished(tx, (place) => unpacking.youngestIn(place));
      if (!options.delivers) await silenceWaiting(tx);
      await pendEverything(tx);
    },
    (count, total) => tell({ stage: 'Database', done: count, total }),
  );
  return { ...head, ...tail };
}

/** The mark goes last: whatever is left over is not taken for a platform. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== 'lost+found' && name !== markFile)
      await rm(join(folder, name), { recursive: true, force: true });
  await markFinished(folder);
}

/** Takes back what was stored in a store that was empty before. */
async function emptyStore(
  { config, blobs }: BackedUpPlatform,
  { reusesBlobs }: RestoreOptions,
): Promise<void> {
  if (config.blobs === undefined || reusesBlobs) return;
  for await (const { hash } of blobs.list()) await blobs.remove(hash);
}

/**
 * Fills an empty data folder, an empty database and an empty store from a backup, whichever engine and store it was taken from. Every
 * digest is checked. What fails leaves them empty.
 */
export async function restoreBackup(
  platform: BackedUpPlatform,
  options: RestoreOptions,
  tell: Tell,
): Promise<RestoredBackup> {
  const { dataFolder } = platform.config;
  requireApart(options.from, dataFolder);
  await requireEmptyFolder(dataFolder);
  let isStoreEmpty = false;
  const workFolder = join(dataFolder, workFileName('.restore'));
  await markUnfinished(dataFolder);
  try {
    await requireEmptyPlatform(platform, options);
    isStoreEmpty = true;
    await mkdir(workFolder, { mode: 0o700 });
    const restored = await restoreInto(platform, options, workFolder, tell);
    await rm(workFolder, { recursive: true, force: true });
    await markFinished(dataFolder);
    return restored;
  } catch (error) {
    if (isStoreEmpty) await emptyStore(platform, options).catch(() => {});
    // What cannot be emptied keeps its mark, which says so; why the restore failed is what counts.
    await emptyFolder(dataFolder).catch(() => {});
    throw inWords(dataFolder, error);
  }
}
