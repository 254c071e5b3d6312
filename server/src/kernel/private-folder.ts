import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folders.ts';

/** What everybody but the owner is denied, as a mask. */
export const ownerOnly = 0o077;

/** Denies everybody else a file or folder; links are left as they are. */
function close(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink() || (found.mode & ownerOnly) === 0) return;
  chmodSync(path, found.mode & 0o7777 & ~ownerOnly);
}

/**
 * Lets nobody but its owner into a folder, which may be older than this rule. What lies deeper need not be looked at: nobody
 * else gets that far. Gives what could not be closed, with the reason.
 */
export function makePrivate(folder: string): string[] {
  makeFolder(folder);
  const faults: string[] = [];
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    try {
      close(path);
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return faults;
}
