import { parentPort, workerData } from 'node:worker_threads';
import { hour, minute } from '../kernel/clock.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { createLog } from '../log.ts';
import type { Operations } from '../operations.ts';
import { databaseOf, operationsOf, type ThreadOrder, type ThreadReport, type ThreadSetup } from './setup.ts';

/** Work that nobody waits for. Each job is run by one thread of one process at a time, however many there are. */
interface Job {
  readonly name: string;
  readonly pause: number;
  readonly run: (operations: Operations) => Promise<void>;
}

const platform = commandLineViewer('regular');

const jobs: readonly Job[] = [
  {
    name: 'purge-credentials',
    pause: hour,
    run: async (operations) => {
      await operations.purgeTokens(platform, undefined);
      await operations.purgeAccessKeys(platform, undefined);
      await operations.purgeSessions(platform, undefined);
      await operations.purgeAttempts(platform, undefined);
    },
  },
];

const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
const operations = operationsOf(setup, database);
const log = createLog(setup.config.logLevel, 'background');

async function runDueJobs(): Promise<void> {
  for (const { name, pause, run } of jobs) {
    try {
      if (await operations.claimJob(platform, { name, pause })) await run(operations);
    } catch (error) {
      log.error({ job: name, error: String(error) }, 'background job failed');
    }
  }
}

const timer = setInterval(() => void runDueJobs(), minute);
parentPort?.on('message', async (_: ThreadOrder) => {
  clearInterval(timer);
  await database.close();
  process.exit(0);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
void runDueJobs();
