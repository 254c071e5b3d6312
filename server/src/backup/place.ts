import { dirname, join, resolve, sep } from 'node:path';
import { FolderVault } from './folder.ts';
import { BackupFault, type Tell } from './model.ts';
import type { Platform } from './platform.ts';
import { type TakenBackup, takeBackup } from './taking.ts';
import { TarVault } from './tar.ts';
import type { Vault } from './vault.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that file system is read-only',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  ENOTDIR: 'a part of that path is a file',
  ENOENT: 'no folder can be made there',
  EEXIST: 'there is a file of that name',
};

/** Whether an error is about the place of a backup, or what is in the making beside it; some do not say. */
function isAbout(place: string, error: Error): boolean {
  if (!('path' in error) || typeof error.path !== 'string') return true;
  const { path } = error;
  return path.startsWith(place) || place.startsWith(path) || path.startsWith(join(dirname(place), '.work.'));
}

/** What the disk says about the place of a backup, in words. */
function inWords(place: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !isAbout(place, error)) return error;
  const reason = reasons[String(error.code)];
  return reason === undefined ? error : new BackupFault(`${place} cannot be written to: ${reason}.`);
}

/** Opens the place of a backup: a file when its name ends as that of a tar file, otherwise a folder. */
async function openVault(place: string, dataFolder: string, keep: number): Promise<Vault> {
  if (`${place}${sep}`.startsWith(`${resolve(dataFolder)}${sep}`))
    throw new BackupFault(
      `${place} is in the data folder. A backup belongs elsewhere, best on another machine.`,
    );
  return place.endsWith('.tar') ? TarVault.open(place) : FolderVault.open(place, keep);
}

/** Copies a platform to a place; `keep`: backups that stay there if it is a folder. */
export async function backUp(
  platform: Platform,
  path: string,
  keep: number,
  tell: Tell,
): Promise<TakenBackup> {
  const place = resolve(path);
  try {
    const vault = await openVault(place, platform.config.dataFolder, keep);
    return await takeBackup(platform, vault, tell).finally(() => vault.close());
  } catch (error) {
    throw inWords(place, error);
  }
}
