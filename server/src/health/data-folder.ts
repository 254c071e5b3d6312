import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownerOnly } from '../kernel/private-folder.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { isUnfinished, unfinishedWords } from '../kernel/unfinished-restore.ts';
import type { HealthFinding } from './finding.ts';

const about = 'data folder';
const mebibyte = 1024 * 1024;
/** Free space in MiB below which the service is about to stop writing, or will before long. */
const space = { least: 100, comfortable: 1024 };

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function kindOf(path: string): Promise<'folder' | 'other' | 'missing'> {
  return stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'other'),
    () => 'missing',
  );
}

async function nearestThatExists(path: string): Promise<string> {
  if ((await kindOf(path)) !== 'missing' || dirname(path) === path) return path;
  return nearestThatExists(dirname(path));
}

async function checkMissing(folder: string): Promise<HealthFinding> {
  const says = `${folder} does not exist yet.`;
  const parent = await nearestThatExists(dirname(folder));
  const fault = await makingFault(parent);
  if (fault === undefined) return { about, state: 'warning', says, advice: '`atelier serve` makes it.' };
  return {
    ...{ about, state: 'problem', says: `${says} It cannot be made, because ${fault}.` },
    advice: `Make it and give it to the user that runs the service, or choose another with ATELIER_DATA or --data.`,
  };
}

/** Why no folder can be made in another. Only trying tells: some places look as if they could be written to. */
async function makingFault(parent: string): Promise<string | undefined> {
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

async function checkSpace(folder: string): Promise<HealthFinding> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / mebibyte);
  const says = `${free.toLocaleString('en')} MiB are free.`;
  const advice = 'Make room, or move the data folder to a larger disk.';
  const told = { about: 'free space', says, facts: { mebibytes: free } };
  if (free < space.least) return { ...told, state: 'problem', code: 'space-short', advice };
  if (free < space.comfortable) return { ...told, state: 'warning', code: 'space-short', advice };
  return { ...told, state: 'ok', code: 'space-free' };
}

async function checkPrivacy(folder: string): Promise<HealthFinding> {
  const { mode } = await stat(folder);
  const told = { about, says: `${folder} can be written to.`, facts: { folder } };
  if ((mode & ownerOnly) === 0) return { ...told, state: 'ok', code: 'folder-writable' };
  const advice = `Others on this machine may look into it: run chmod go= ${folder}`;
  return { ...told, state: 'warning', code: 'folder-open', advice };
}

export async function checkDataFolder(folder: string): Promise<HealthFinding[]> {
  const facts = { folder };
  const kind = await kindOf(folder);
  if (kind === 'missing') return [await checkMissing(folder)];
  if (kind === 'other') {
    const advice = 'Choose another with ATELIER_DATA or --data.';
    return [
      { about, state: 'problem', says: `${folder} is not a folder.`, code: 'folder-none', facts, advice },
    ];
  }
  if (!(await isWritable(folder))) {
    const advice = 'Give it to the user that runs the service.';
    return [
      {
        about,
        state: 'problem',
        says: `${folder} cannot be written to.`,
        code: 'folder-shut',
        facts,
        advice,
      },
      await checkSpace(folder),
    ];
  }
  const unfinished: HealthFinding[] = isUnfinished(folder)
    ? [{ about, state: 'problem', says: unfinishedWords(folder), code: 'folder-half', facts }]
    : [];
  return [await checkPrivacy(folder), ...unfinished, await checkSpace(folder)];
}
