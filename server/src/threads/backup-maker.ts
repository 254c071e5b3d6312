import { type BackupOrder, runStartedBackup } from '../backup/index.ts';
import { openBlobs } from '../storage/index.ts';
import { letOthersFirst } from './priority.ts';
import { databaseOf } from './setup.ts';

/*
 * A process of its own that makes one backup: reading a whole database would hold a thread that answers requests.
 */

async function makeAsOrdered(order: BackupOrder): Promise<void> {
  const { config } = order;
  letOthersFirst();
  const database = await databaseOf({ config });
  const platform = { config, database, blobs: openBlobs(config) };
  await runStartedBackup(platform, order).finally(() => database.close());
}

// The service says when it is over; signals of a terminal go to all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async (order: BackupOrder) => {
  try {
    await makeAsOrdered(order);
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
