import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { day, minute } from '../kernel/clock.ts';
import { makeFolder, namesIn, syncFolder } from '../kernel/folders.ts';
import { reasonOf } from '../kernel/system-faults.ts';
import { isAlive, removeAbandonedFiles, workFileName, workFileNames } from '../kernel/work-files.ts';
import { copyChecked } from './contents.ts';
import { listName, readList } from './list.ts';
import { BackupFault, type Content, listsFolder, objectPath, objectsFolder } from './model.ts';
import type { FinishedBackup, Vault } from './vault.ts';

const lockFile = '.lock';

/** How far the clocks of machines lie apart that are well, even where one of them takes the local time for that of the world. */
const longestLead = day;

/**
 * The lists of the backups in a folder, the newest first. Those that lie in the future come last: a clock was wrong when they were made,
 * and whatever was made since then is newer. A folder that cannot be read is told: who took it for an empty one would say that there are
 * no backups, or remove the bytes of all of them.
 */
export async function listsIn(folder: string): Promise<string[]> {
  const path = join(folder, listsFolder);
  const names = await namesIn(path).catch((error: unknown) => {
    throw new BackupFault(`${path} cannot be read: ${reasonOf(error)}.`);
  });
  const lists = names.filter((name) => name.endsWith('.jsonl') && !name.startsWith('.'));
  const latest = listName(new Date(Date.now() + longestLead));
  const { future = [], past = [] } = Object.groupBy(lists.sort().reverse(), (name) =>
    name > latest ? 'future' : 'past',
  );
  return [...past, ...future];
}

async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Refuses a folder in which there is something else. */
async function requireOwn(folder: string): Promise<void> {
  const own = [objectsFolder, listsFolder, lockFile, 'lost+found'];
  const others = (await workFileNames(folder)).filter(
    (name) => !own.includes(name) && !name.startsWith('.work.'),
  );
  if (others.length > 0)
    throw new BackupFault(
      `${folder} has other things in it than backups: there is ${others[0]}. Move that elsewhere, or name another folder.`,
    );
}

interface LockOwner {
  readonly host: string;
  readonly pid: number;
}

/** How long a lock may be without its owner in it: it is written right after it is made. */
const longestWriting = minute;

async function lockOwner(path: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether whoever took a lock is gone. One whose number is that of this process was another, before the machine started anew. */
async function isLeft(path: string, owner: LockOwner | undefined): Promise<boolean> {
  if (owner !== undefined)
    return owner.host === hostname() && (owner.pid === process.pid || !isAlive(owner.pid));
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.mtimeMs < Date.now() - longestWriting;
}

/** Makes the lock; false when there is one. */
async function makeLock(path: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  const owner: LockOwner = { host: hostname(), pid: process.pid };
  try {
    await file.writeFile(JSON.stringify(owner)).finally(() => file.close());
  } catch (error) {
    await unlink(path);
    throw error;
  }
  return true;
}

/** One backup at a time: another one might remove what this one counts on. */
async function takeLock(folder: string): Promise<void> {
  const path = join(folder, lockFile);
  if (await makeLock(path)) return;
  const other = await lockOwner(path);
  if (await isLeft(path, other)) {
    await unlink(path).catch(() => {});
    if (await makeLock(path)) return;
  }
  throw new BackupFault(
    `Another backup into ${folder} runs${other === undefined ? '' : ` (process ${other.pid} of ${other.host})`}. If it does not, remove ${path}.`,
  );
}

/**
 * Backups in a folder: `objects/ab/<sha256>` has all bytes, each once, `backups/<time>.jsonl` what belongs to the backup of that
 * time. A backup that is cut off leaves those before it as they were.
 */
export class FolderVault implements Vault {
  readonly workFolder: string;
  readonly #folder: string;
  readonly #keep: number;

  private constructor(folder: string, keep: number) {
    this.#folder = folder;
    this.#keep = keep;
    this.workFolder = join(folder, workFileName(''));
  }

  /** `keep`: backups that stay, this one included; those before them are removed when it is whole. */
  static async open(folder: string, keep: number): Promise<FolderVault> {
    makeFolder(folder);
    await requireOwn(folder);
    await takeLock(folder);
    await removeAbandonedFiles(folder);
    const vault = new FolderVault(folder, keep);
    for (const path of [join(folder, objectsFolder), join(folder, listsFolder), vault.workFolder])
      await mkdir(path, { recursive: true, mode: 0o700 });
    return vault;
  }

  #pathOf({ sha256 }: Pick<Content, 'sha256'>): string {
    return join(this.#folder, objectPath(sha256));
  }

  /** Whatever has a name is whole, unless the disk lost some of it. */
  has(content: Content): Promise<boolean> {
    return stat(this.#pathOf(content)).then(
      ({ size }) => size === content.size,
      () => false,
    );
  }

  async #place(content: Content, write: (draft: string) => Promise<void>): Promise<void> {
    const draft = join(this.workFolder, content.sha256);
    await write(draft);
    const path = this.#pathOf(content);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  }

  putBytes(content: Content, bytes: Uint8Array): Promise<void> {
    return this.#place(content, (draft) => writeBytes(draft, bytes));
  }

  putFile(content: Content, path: string): Promise<void> {
    return this.#place(content, (draft) => copyChecked(path, draft, content, 0o600));
  }

  async finish(listPath: string, name: string): Promise<FinishedBackup> {
    for (const prefix of await readdir(join(this.#folder, objectsFolder)))
      await syncFolder(join(this.#folder, objectsFolder, prefix));
    await syncFolder(join(this.#folder, objectsFolder));
    const place = join(this.#folder, listsFolder, name);
    await rename(listPath, place);
    await syncFolder(join(this.#folder, listsFolder));
    return { place, faults: await this.#prune(name) };
  }

  /**
   * Removes the oldest backups, and all bytes that no backup has. Gives what is wrong with those that stay. The one that was just made
   * is among them, whatever the times of the others say.
   */
  async #prune(own: string): Promise<string[]> {
    const lists = [own, ...(await listsIn(this.#folder)).filter((name) => name !== own)];
    for (const name of lists.slice(this.#keep)) await rm(join(this.#folder, listsFolder, name));
    const kept = new Set<string>();
    const faults: string[] = [];
    for (const name of lists.slice(0, this.#keep))
      try {
        await readList(join(this.#folder, listsFolder, name), async (entry) => {
          if ('path' in entry) kept.add(entry.sha256);
        });
      } catch (error) {
        if (!(error instanceof BackupFault)) throw error;
        faults.push(`${error.message} Nothing is removed from the folder while it is there.`);
      }
    // What a list that cannot be read needs is not known.
    if (faults.length === 0) await this.#removeObjects((sha256) => !kept.has(sha256));
    return faults;
  }

  async #removeObjects(isUnused: (sha256: string) => boolean): Promise<void> {
    for (const prefix of await workFileNames(join(this.#folder, objectsFolder)))
      for (const sha256 of await workFileNames(join(this.#folder, objectsFolder, prefix)))
        if (isUnused(sha256)) await rm(join(this.#folder, objectsFolder, prefix, sha256), { force: true });
  }

  async close(): Promise<void> {
    await rm(this.workFolder, { recursive: true, force: true });
    await rm(join(this.#folder, lockFile), { force: true });
  }
}
