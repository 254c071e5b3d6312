import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';

export async function isWritable(path: string, kind: 'folder' | 'other' = 'folder'): Promise<boolean> {
  const entered = kind === 'folder' ? constants.X_OK : 0;
  return access(path, constants.R_OK | constants.W_OK | entered).then(
    () => true,
    () => false,
  );
}

export async function kindOf(path: string): Promise<'folder' | 'other' | 'missing'> {
  return stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'other'),
    () => 'missing',
  );
}

export async function nearestThatExists(path: string): Promise<string> {
  if ((await kindOf(path)) !== 'missing' || dirname(path) === path) return path;
  return nearestThatExists(dirname(path));
}

/** Why no folder can be made in another. Only trying tells: some places look as if they could be written to. */
export async function makingFault(parent: string): Promise<string | undefined> {
  if ((await kindOf(parent)) !== 'folder') return `${parent} is a file`;
  try {
    await rmdir(await mkdtemp(join(parent, '.atelier-doctor-')));
    return undefined;
  } catch (error) {
    // A file system of the kernel's own says of a new folder that it does not exist.
    const reason = systemCodeOf(error) === 'ENOENT' ? 'that file system takes none' : reasonOf(error);
    return `no folder can be made in ${parent}: ${reason}`;
  }
}
