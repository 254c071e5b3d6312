import { dirname, join } from 'node:path';
import { Refusal } from '../kernel/errors.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { BackupFault } from './model.ts';

/** Whether an error is about a place, or what is in the making beside it; some do not say. */
function isAbout(place: string, error: Error): boolean {
  if (!('path' in error) || typeof error.path !== 'string') return true;
  const { path } = error;
  return path.startsWith(place) || place.startsWith(path) || path.startsWith(join(dirname(place), '.work.'));
}

/** A refusal is for people who ask the service; whoever runs a command has no log to look into. */
function withoutLog(refusal: Refusal): Error {
  const { cause } = refusal.extras;
  return cause !== undefined && refusal.detail.includes('the log says why')
    ? new BackupFault(cause)
    : refusal;
}

/** What the disk says about the place of a backup, or of what is restored, in words. */
export function inWords(place: string, error: unknown): unknown {
  if (error instanceof Refusal) return withoutLog(error);
  if (!(error instanceof Error) || !/^E(?!RR_)/.test(systemCodeOf(error)) || !isAbout(place, error))
    return error;
  return new BackupFault(`${place} cannot be written to: ${reasonOf(error)}.`);
}
