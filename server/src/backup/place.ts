import { resolve } from 'node:path';
import { isWithin } from '../kernel/folders.ts';
import { type TakenBackup, takeBackup } from './backup.ts';
import { inWords } from './disk-faults.ts';
import { FolderVault } from './folder.ts';
import { noteBackup } from './last-backup.ts';
import { BackupFault, type Tell } from './model.ts';
import type { BackedUpPlatform } from './platform.ts';
import { TarVault } from './tar.ts';
import type { Vault } from './vault.ts';

/** Opens the place of a backup: a file when its name ends as that of a tar file, otherwise a folder. */
async function openVault(place: string, dataFolder: string, keep: number): Promise<Vault> {
  if (isWithin(place, dataFolder))
    throw new BackupFault(
      `${place} is in the data folder. A backup belongs elsewhere, best on another machine.`,
    );
  return place.endsWith('.tar') ? TarVault.open(place) : FolderVault.open(place, keep);
}

/** Copies a platform to a place; `keep`: backups that stay there if it is a folder. */
export async function backUp(
  platform: BackedUpPlatform,
  path: string,
  keep: number,
  tell: Tell,
): Promise<TakenBackup> {
  const place = resolve(path);
  try {
    const vault = await openVault(place, platform.config.dataFolder, keep);
    const taken = await takeBackup(platform, vault, tell).finally(() => vault.close());
    await noteBackup(platform.config.dataFolder, { madeAt: Date.now(), bytes: taken.bytes, place });
    return taken;
  } catch (error) {
    throw inWords(place, error);
  }
}
