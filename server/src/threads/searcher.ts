import { parentPort, workerData } from 'node:worker_threads';
import { second } from '../kernel/clock.ts';
import { searches } from '../operations.ts';
import { answerCalls, searchesOn } from '../storage/index.ts';
import { FairQueue } from './fair-queue.ts';
import { databaseOf, type ThreadOrder, type ThreadReport, type ThreadSetup } from './setup.ts';

/** Runs reads that take their time, so that no event loop waits for them. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
const calls = searchesOn(database, searches);
const queue = new FairQueue(setup.config.searchSeconds * second);
for (const port of setup.callers ?? [])
  answerCalls<typeof searches>(port, calls, (viewer, work) => queue.run(viewer.userId, work));

parentPort?.on('message', async (_: ThreadOrder) => {
  await database.close();
  process.exit(0);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
