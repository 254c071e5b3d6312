import { type MessagePort, workerData } from 'node:worker_threads';
import { second } from '../kernel/clock.ts';
import { searches } from '../operations.ts';
import { answerCalls, searchesOn } from '../storage/index.ts';
import { FairQueue } from './fair-queue.ts';
import { databaseOf, obey, report, type ThreadSetup } from './setup.ts';

/** Runs reads that take their time, so that no event loop waits for them. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
const calls = searchesOn(database, searches);
const queue = new FairQueue(setup.config.searchSeconds * second);

function answer(port: MessagePort): void {
  answerCalls<typeof searches>(port, calls, (viewer, work) => queue.run(viewer.userId, work));
}

async function stop(): Promise<void> {
  await database.close();
  process.exit(0);
}

obey({ caller: ({ port }) => answer(port), stop });
report('ready');
