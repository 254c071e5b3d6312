import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../kernel/clock.ts';
import { userOfData } from '../kernel/folders.ts';
import { workFileName } from '../kernel/work-files.ts';

/** What is remembered of the last backup, in the data folder: the service tells from it how old it is. */
export interface LastBackup {
  readonly madeAt: Instant;
  readonly bytes: number;
  readonly place: string;
}

const pathIn = (dataFolder: string) => join(dataFolder, 'last-backup.json');

async function writeNote(dataFolder: string, backup: LastBackup): Promise<void> {
  const draft = join(dataFolder, workFileName('.json'));
  await writeFile(draft, `${JSON.stringify(backup)}\n`, { mode: 0o600 });
  const owner = userOfData(dataFolder);
  if (owner !== undefined) await chown(draft, owner.uid, owner.gid);
  await rename(draft, pathIn(dataFolder));
}

/** A backup is as good without this note: that it cannot be written is no fault of it. */
export const noteBackup = (dataFolder: string, backup: LastBackup): Promise<void> =>
  writeNote(dataFolder, backup).catch(() => {});

const isNote = (value: unknown): value is LastBackup =>
  typeof value === 'object' &&
  value !== null &&
  'madeAt' in value &&
  'bytes' in value &&
  'place' in value &&
  typeof value.madeAt === 'number' &&
  typeof value.bytes === 'number' &&
  typeof value.place === 'string';

/** Undefined where none was made, or nothing is known of it. */
export async function readLastBackup(dataFolder: string): Promise<LastBackup | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(pathIn(dataFolder), 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}
