import { mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Whether there is something of that name. Node's own `existsSync` also says no where this user may not look, and what is there would
 * then be taken for missing; this throws.
 */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder and those above it, for its owner alone; well too when it is there. Node's own way never comes back from places
 * such as /proc, which are there and in which nothing can be made.
 */
export function makeFolder(path: string): void {
  const make = () => mkdirSync(path, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && isFolder(path)) return;
    if (codeOf(error) !== 'ENOENT' || isFolder(dirname(path)) || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    make();
  }
}

/** Sees to it that the names in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  await opened.sync().finally(() => opened.close());
}
