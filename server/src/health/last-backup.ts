import { type LastBackup, readLastBackup } from '../backup/index.ts';
import { day } from '../kernel/clock.ts';
import type { HealthFinding } from './finding.ts';

/** Days after which a backup is asked for. */
const longest = 7;

const command =
  'Make one at /admin/backups, or run `atelier backup FOLDER` on the server, and let something call it every night.';

const daysSince = (at: number) => Math.floor((Date.now() - at) / day);

function wordsOf({ madeAt, place }: LastBackup): string {
  const days = daysSince(madeAt);
  const age = days <= 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`;
  return `The last one was made ${age}, to ${place}.`;
}

/** Whether there is a backup, and how old it is. */
export async function checkLastBackup(dataFolder: string): Promise<HealthFinding> {
  const about = 'backup';
  const last = await readLastBackup(dataFolder);
  if (last === undefined)
    return { about, state: 'warning', says: 'None was made yet.', code: 'backup-none', advice: command };
  const days = daysSince(last.madeAt);
  const told = { about, says: wordsOf(last), facts: { days: Math.max(days, 0), place: last.place } };
  if (days < longest) return { ...told, state: 'ok', code: 'backup-made' };
  return { ...told, state: 'warning', code: 'backup-old', advice: command };
}
