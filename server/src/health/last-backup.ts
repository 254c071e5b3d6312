import { type LastBackup, readLastBackup } from '../backup/index.ts';
import { day } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { HealthFinding } from './finding.ts';

/** Days after which a backup is asked for. */
const longest = 7;

/** Pages make one only where a folder for it is set. */
const adviceOf = (folder: string | undefined) =>
  `${folder === undefined ? 'Run' : 'Make one at /admin/backups, or run'} \`atelier backup FOLDER\` on the server, and let something call it every night.`;

const daysSince = (at: number) => Math.floor((Date.now() - at) / day);

function wordsOf({ madeAt, place }: LastBackup): string {
  const days = daysSince(madeAt);
  const age = days <= 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`;
  return `The last one was made ${age}, to ${place}.`;
}

/** Whether there is a backup, and how old it is. */
export async function checkLastBackup({
  dataFolder,
  backupFolder,
}: Pick<Config, 'dataFolder' | 'backupFolder'>): Promise<HealthFinding> {
  const about = 'backup';
  const advice = adviceOf(backupFolder);
  const folder = backupFolder ?? '';
  const last = await readLastBackup(dataFolder);
  if (last === undefined) {
    const says = 'None was made yet.';
    return { about, state: 'warning', says, code: 'backup-none', facts: { folder }, advice };
  }
  const days = daysSince(last.madeAt);
  const told = { about, says: wordsOf(last), facts: { days: Math.max(days, 0), place: last.place, folder } };
  if (days < longest) return { ...told, state: 'ok', code: 'backup-made' };
  return { ...told, state: 'warning', code: 'backup-old', advice };
}
