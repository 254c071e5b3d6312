import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { listsIn } from './folder.ts';
import { BackupFault, listsFolder, objectPath } from './model.ts';
import { unpack, withoutList } from './tar.ts';

/** A backup that can be read: one of a folder, or one that was unpacked. */
export interface Source {
  readonly listPath: string;
  pathOf(sha256: string): string;
  /** What people find those bytes by: a folder that a tar file was unpacked into is gone soon. */
  nameOf(sha256: string): string;
}

async function kindOf(path: string): Promise<'folder' | 'file'> {
  const found = await stat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new BackupFault(`${path} cannot be read: ${reasonOf(error)}.`);
  });
  if (found?.isDirectory()) return 'folder';
  if (found?.isFile()) return 'file';
  throw new BackupFault(`There is no backup at ${path}.`);
}

export const isFile = async (path: string) => (await kindOf(path)) === 'file';

/** The list that is asked for by the beginning of its name; without one, the newest. */
function chosenList(lists: readonly string[], place: string, at: string | undefined): string {
  const found = lists.find((name) => at === undefined || name.startsWith(at));
  if (found !== undefined) return found;
  const known = lists.map((name) => name.replace(/\.jsonl$/, '')).join(', ');
  throw new BackupFault(`There is no backup of ${at} in ${place}. There are: ${known}`);
}

async function openFolder(path: string, at: string | undefined): Promise<Source> {
  const lists = await listsIn(path);
  if (lists.length === 0) throw new BackupFault(`There is no backup in ${path}.`);
  const pathOf = (sha256: string) => join(path, objectPath(sha256));
  return { listPath: join(path, listsFolder, chosenList(lists, path, at)), pathOf, nameOf: pathOf };
}

async function openTar(path: string, at: string | undefined, workFolder: string): Promise<Source> {
  const folder = join(workFolder, 'unpacked');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await unpack(path, folder);
  const lists = await listsIn(folder);
  if (lists.length === 0) throw withoutList(path);
  return {
    listPath: join(folder, listsFolder, chosenList(lists, path, at)),
    pathOf: (sha256) => join(folder, objectPath(sha256)),
    nameOf: (sha256) => `${objectPath(sha256)} in ${path}`,
  };
}

/** Opens a backup; a tar file is unpacked into the work folder first. */
export async function openSource(path: string, at: string | undefined, workFolder: string): Promise<Source> {
  return (await isFile(path)) ? openTar(path, at, workFolder) : openFolder(path, at);
}

/** Writes a text to a new file, and gives its path. */
export async function textFile(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}
