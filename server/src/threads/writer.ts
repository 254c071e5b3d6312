import { parentPort, workerData } from 'node:worker_threads';
import { operations } from '../operations.ts';
import { answerCalls, operationsOn } from '../storage/index.ts';
import { databaseOf, type ThreadOrder, type ThreadReport, type ThreadSetup } from './setup.ts';

/** The one thread of the process that writes to SQLite. Work that waits is committed together. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
// The first write should not wait for the connection, and a stop without any write should tidy up as well.
await database.transaction(async () => {});
const calls = operationsOn(database, operations);
for (const port of setup.callers ?? []) answerCalls<typeof operations>(port, calls);

parentPort?.on('message', async (_: ThreadOrder) => {
  await database.close();
  process.exit(0);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
