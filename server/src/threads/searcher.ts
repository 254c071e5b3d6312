import { parentPort, workerData } from 'node:worker_threads';
import { searches } from '../operations.ts';
import { answerCalls, searchesOn } from '../storage/index.ts';
import { databaseOf, type ThreadOrder, type ThreadReport, type ThreadSetup } from './setup.ts';

/** Runs reads that take their time, so that no event loop waits for them. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
const calls = searchesOn(database, searches);
for (const port of setup.callers ?? []) answerCalls<typeof searches>(port, calls);

parentPort?.on('message', async (_: ThreadOrder) => {
  await database.close();
  process.exit(0);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
