import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownerOnly } from '../kernel/private-folder.ts';
import { isUnfinished, unfinishedWords } from '../kernel/unfinished-restore.ts';
import type { HealthFinding } from './finding.ts';
import { isWritable, kindOf, makingFault, nearestThatExists } from './folders.ts';

const about = 'data folder';
const mebibyte = 1024 * 1024;
/** Free space in MiB below which the service is about to stop writing, or will before long. */
const space = { least: 100, comfortable: 1024 };

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

/** What the service writes to there. What else lies there, as the `lost+found` of a disk, is none of its business. */
const written = [
  ...['atelier.sqlite', 'atelier.sqlite-wal', 'atelier.sqlite-shm'],
  ...['blobs', 'svn_plugin', 'backup', 'deleted', 'imports', 'imported-repositories', 'exports'],
];

/** The first of these that is there, and cannot be written to. */
async function shutPart(folder: string): Promise<string | undefined> {
  for (const path of [folder, ...written.map((name) => join(folder, name))]) {
    const kind = await kindOf(path);
    if (kind !== 'missing' && !(await isWritable(path, kind))) return path;
  }
  return undefined;
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
  const shut = await shutPart(folder);
  if (shut !== undefined) {
    const advice = 'Give it to the user that runs the service.';
    return [
      {
        about,
        state: 'problem',
        says: `${shut} cannot be written to.`,
        code: 'folder-shut',
        facts: { folder: shut },
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
