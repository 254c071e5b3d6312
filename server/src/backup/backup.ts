import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../kernel/version.ts';
import { dumpDatabase, holdRemovals } from '../storage/index.ts';
import { prefillBlobs } from './blob-copies.ts';
import { describeEnvironment } from './environment.ts';
import { ListWriter, listName } from './list.ts';
import { backupForm, type Head, parts, type Tail, type Tell } from './model.ts';
import type { BackedUpPlatform } from './platform.ts';
import { archivesIn, type Snapshot, SnapshotContents } from './snapshot-contents.ts';
import type { FinishedBackup, Vault } from './vault.ts';

/** Snapshots that are taken before what vanished under all of them is told as missing. */
const attempts = 10;

export interface TakenBackup extends Tail, FinishedBackup {
  /** Bytes that were not there before. */
  readonly copied: number;
}

async function takeSnapshot(platform: BackedUpPlatform, folder: string, tell: Tell): Promise<Snapshot> {
  await rm(folder, { recursive: true, force: true });
  const waiting = await archivesIn(platform.config.dataFolder, parts.waiting);
  const description = await dumpDatabase(platform.database, folder, (done, total) =>
    tell({ stage: 'Database', done, total }),
  );
  return { folder, description, waiting };
}

interface Round {
  readonly list: ListWriter;
  readonly contents: SnapshotContents;
}

/** Takes snapshots until nothing that one names was removed before it was copied. */
async function copySnapshot(
  platform: BackedUpPlatform,
  vault: Vault,
  head: Omit<Head, 'engine' | 'schema'>,
  tell: Tell,
): Promise<Round> {
  for (let attempt = 1; ; attempt++) {
    const snapshot = await takeSnapshot(platform, join(vault.workFolder, parts.database), tell);
    const { engine, schema } = snapshot.description;
    const list = await ListWriter.create(join(vault.workFolder, 'list'), { ...head, engine, schema });
    try {
      const contents = new SnapshotContents(platform, vault, list, snapshot, tell);
      await contents.copy();
      if (contents.vanished.length === 0 || attempt === attempts) return { list, contents };
    } catch (error) {
      await list.close();
      throw error;
    }
    await list.close();
  }
}

/**
 * Copies a platform into a vault while the service runs. The database is read as one state; whatever it points to is copied after it,
 * and stays until then. Where something was removed all the same, which is rare, the state is read once more.
 */
export async function takeBackup(platform: BackedUpPlatform, vault: Vault, tell: Tell): Promise<TakenBackup> {
  const begun = new Date();
  await mkdir(vault.workFolder, { recursive: true, mode: 0o700 });
  const head = { atelier_backup: backupForm, version, begun_at: begun.toISOString() };
  const before = await prefillBlobs(platform, vault, tell);
  const { list, contents } = await holdRemovals(platform.database, () =>
    copySnapshot(platform, vault, head, tell),
  );
  try {
    await contents.addDatabase();
    await contents.addText(parts.environment, describeEnvironment(process.env));
    const tail = await list.finish([...contents.missing, ...contents.vanished]);
    const finished = await vault.finish(list.path, listName(begun));
    return { ...tail, ...finished, copied: before + contents.copied };
  } finally {
    await list.close();
  }
}
