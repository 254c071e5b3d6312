import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder } from './folders.ts';

/** Lies in a data folder from before the first file of a restore until after the last row. */
export const markFile = 'restore-unfinished';

const advice =
  'What is there is not whole. If no restore runs, remove all that is in the folder (and in the store of ATELIER_BLOBS, if it is one of its own), and restore once more.';

export async function markUnfinished(dataFolder: string): Promise<void> {
  makeFolder(dataFolder);
  const path = join(dataFolder, markFile);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`A restore into this folder is under way, or was cut off. ${advice}\n`);
    await file.sync();
  } catch (error) {
    // Nothing was restored yet: on a full disk the folder stays as it was.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await syncFolder(dataFolder);
}

export async function markFinished(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, markFile), { force: true });
  await syncFolder(dataFolder);
}

export const isUnfinished = (dataFolder: string) => existsSync(join(dataFolder, markFile));

/** The words about a data folder that somebody began to restore. */
export const unfinishedWords = (dataFolder: string) =>
  `A restore into ${dataFolder} is under way or was cut off. ${advice}`;

/** There is half of a platform. */
class UnfinishedRestore extends Error {}

/** Refuses to work with half of a platform. */
export function requireFinished(dataFolder: string): void {
  if (isUnfinished(dataFolder)) throw new UnfinishedRestore(unfinishedWords(dataFolder));
}
