import { mkdirSync, statSync } from 'node:fs';
import { chown, lchown, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { systemCodeOf } from './system-faults.ts';

/** Nothing has that name: what is asked for is missing, or a folder on the way to it. */
const isAbsence = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error));

/**
 * Whether there is something of that name. Node's own `existsSync` also says no where this user may not look, and what is there would
 * then be taken for missing; this throws.
 */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isAbsence(error)) return false;
      throw error;
    },
  );

/** What is in a folder; nothing where there is none. Who may not look into it is told, like above. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });

/** Whether a path is that of a folder, or of something in it. */
export const isWithin = (path: string, folder: string) =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST' || !isFolder(path)) throw error;
  }
}

/**
 * Makes a folder and those above it, for its owner alone; well too when it is there, or others make it at the same time. Node's own way
 * never comes back from places such as /proc, which are there and in which nothing can be made.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path);
  }
}

/** Sees to it that the names in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  await opened.sync().finally(() => opened.close());
}

/** A user of the machine, and their first group. */
export interface FolderOwner {
  readonly uid: number;
  readonly gid: number;
}

/** Whom something belongs to, where this process is root and they are not. */
export function ownerBesideRoot(path: string): FolderOwner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

/** What a service makes in its data folder; the folder itself may have been there before, and be of anybody. */
const ownThings = ['atelier.sqlite', 'blobs'];

/** The user who runs the service, where this process is root and the service is not: only what is theirs can be used by it. */
export function userOfData(dataFolder: string): FolderOwner | undefined {
  const known = ownThings
    .map((name) => join(dataFolder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false }));
  return ownerBesideRoot(known ?? dataFolder);
}

/** Makes a folder in the data folder that the service can use as well, whoever it is made by. */
export async function makeInData(dataFolder: string, name: string): Promise<string> {
  const path = join(dataFolder, name);
  makeFolder(path);
  const user = userOfData(dataFolder);
  if (user !== undefined) await chown(path, user.uid, user.gid);
  return path;
}

/** Gives a folder and all that is in it to a user. */
export async function giveAll(folder: string, user: FolderOwner): Promise<void> {
  await lchown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveAll(path, user);
    else await lchown(path, user.uid, user.gid);
  }
}
