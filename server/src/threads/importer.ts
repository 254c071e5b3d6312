import { writeFile } from 'node:fs/promises';
import { type ArchiveDeps, runClaimedImport } from '../archive/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { projectExtensions as extensions } from '../operations.ts';
import { BlobKeeper, openBlobs, operationsOn } from '../storage/index.ts';
import type { ImportOrder, ImportProcessOutcome } from './import-process.ts';
import { letOthersFirst } from './priority.ts';
import { databaseOf, platformOf } from './setup.ts';

/*
 * A process of its own that imports one archive. Archives come from anywhere: whatever one of them does to whoever reads it,
 * it does to this process alone.
 */

/** Others come first: at the processor, and in staying alive when the machine runs out of memory. */
async function stepBack(): Promise<void> {
  letOthersFirst();
  if (process.platform === 'linux') await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
}

async function importAsOrdered({ config, ...order }: ImportOrder): Promise<void> {
  const { operations, trackers } = platformOf();
  const database = await databaseOf({ config });
  const calls = operationsOn(database, operations);
  const keeper = new BlobKeeper(openBlobs(config), database, calls);
  const archiveDeps: ArchiveDeps = { database, operations: calls, keeper, trackers, extensions, config };
  await runClaimedImport(archiveDeps, order).finally(() => database.close());
}

async function outcomeOf(order: ImportOrder): Promise<ImportProcessOutcome> {
  try {
    await stepBack();
    await importAsOrdered(order);
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error.toData() };
    return { kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('disconnect', () => process.exit(1));
process.once('message', async (order: ImportOrder) => {
  const outcome = await outcomeOf(order);
  process.send?.(outcome, () => process.exit(0));
});
