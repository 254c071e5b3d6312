import { dirname, resolve } from 'node:path';
import type { Config } from '../kernel/config.ts';
import type { HealthFinding } from './finding.ts';
import { isWritable, kindOf, makingFault, nearestThatExists } from './folders.ts';

async function faultOf(folder: string): Promise<string | undefined> {
  const kind = await kindOf(folder);
  if (kind === 'missing') return makingFault(await nearestThatExists(dirname(folder)));
  if (kind === 'other') return 'it is not a folder';
  return (await isWritable(folder)) ? undefined : 'it cannot be written to';
}

/** What keeps the service from making backups where it was told to; nothing to say while it can. */
export async function checkBackupFolder({
  backupFolder,
}: Pick<Config, 'backupFolder'>): Promise<HealthFinding[]> {
  if (backupFolder === undefined) return [];
  const folder = resolve(backupFolder);
  const reason = await faultOf(folder);
  if (reason === undefined) return [];
  return [
    {
      ...{ about: 'backup folder', state: 'problem', code: 'backup-shut', facts: { folder, reason } },
      says: `No backup can be made in ${folder}: ${reason}.`,
      advice: 'Give it to the user that runs the service, or choose another with ATELIER_BACKUP_FOLDER.',
    },
  ];
}
