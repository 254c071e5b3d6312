import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { HealthFinding } from './finding.ts';
import { isWritable, kindOf, makingFault, nearestThatExists } from './folders.ts';

async function faultOf(folder: string): Promise<string | undefined> {
  const kind = await kindOf(folder);
  if (kind === 'missing') return makingFault(await nearestThatExists(dirname(folder)));
  if (kind === 'other') return 'it is not a folder';
  return (await isWritable(folder)) ? undefined : 'it cannot be written to';
}

/** How long a folder is waited for: one of another machine may not answer. */
const patience = 2 * second;

/** Looks that go on. A folder is looked at once at a time: each look that is not answered holds a thread of those that read files. */
const looks = new Map<string, Promise<string | undefined>>();

function look(folder: string): Promise<string | undefined> {
  const begun = looks.get(folder) ?? faultOf(folder).finally(() => looks.delete(folder));
  looks.set(folder, begun);
  return Promise.race([begun, pause(patience, 'it does not answer', { ref: false })]);
}

/** What keeps the service from making backups where it was told to; nothing to say while it can. */
export async function checkBackupFolder({
  backupFolder,
}: Pick<Config, 'backupFolder'>): Promise<HealthFinding[]> {
  if (backupFolder === undefined) return [];
  const folder = resolve(backupFolder);
  const reason = await look(folder);
  if (reason === undefined) return [];
  return [
    {
      ...{ about: 'backup folder', state: 'problem', code: 'backup-shut', facts: { folder, reason } },
      says: `No backup can be made in ${folder}: ${reason}.`,
      advice: 'Give it to the user that runs the service, or choose another with ATELIER_BACKUP_FOLDER.',
    },
  ];
}
