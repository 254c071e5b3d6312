import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { day } from './clock.ts';

/*
 * Files that a process works with, and that nobody needs once it is gone. Their names say whose they are, so whoever finds
 * one after a crash knows that nobody will come back for it.
 */

const environmentName = 'process-token';
const known = getEnvironmentData(environmentName);
/** Tells this process from all that ever had its number; its threads have the same. */
const token = typeof known === 'string' ? known : randomUUID().slice(0, 8);
if (isMainThread) setEnvironmentData(environmentName, token);

const host = hostname().replace(/[^A-Za-z0-9-]/g, '_');
const form = /^\.work\.([A-Za-z0-9_-]+)\.(\d+)\.([0-9a-f]{8})\./;

/** The name of a new file that belongs to this process. */
export const workFileName = (suffix: string) =>
  `.work.${host}.${process.pid}.${token}.${randomUUID()}${suffix}`;

/** Whether there is a process with this number. One of somebody else's counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Nobody works on one file for as long. It is what counts for processes of other machines, and for numbers that came again. */
const longestWork = 7 * day;

function isOwned(name: string): boolean {
  const [, owner, pid, mark] = form.exec(name) ?? [];
  if (owner !== host) return true;
  return Number(pid) === process.pid ? mark === token : isAlive(Number(pid));
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  if (!isOwned(name)) return true;
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - longestWork;
}

/** What is in a folder; nothing where there is none. */
export const workFileNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Removes what processes that are gone left in a folder. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await workFileNames(folder))
    if (form.test(name) && (await isAbandoned(folder, name)))
      await rm(join(folder, name), { recursive: true, force: true });
}

/** Removes files of a folder whose names have a form, when nobody has touched them since. */
export async function removeOldFiles(folder: string, named: RegExp, before: number): Promise<void> {
  for (const name of await workFileNames(folder)) {
    const found = named.test(name) ? await stat(join(folder, name)).catch(() => undefined) : undefined;
    if (found !== undefined && found.mtimeMs < before)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
