import { parentPort, workerData } from 'node:worker_threads';
import { hasDueCalls, hasLinksToRetype, makeCalls, TotalsKeeper } from '../artifacts/index.ts';
import { hour, minute, second } from '../kernel/clock.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { createLog } from '../log.ts';
import { type Operations, trackers } from '../operations.ts';
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

/** Calls that changes of artifacts asked for; whoever takes them makes them. */
async function makeDueCalls(): Promise<void> {
  try {
    if (!(await hasDueCalls(database))) return;
    const calls = await operations.takeJobCalls(platform, undefined);
    for (const { fault, ...outcome } of await makeCalls(database, calls)) {
      if (fault !== undefined) log.warn({ call: outcome.id, fault }, 'a build server was not reached');
      await operations.settleJobCall(platform, outcome);
    }
  } catch (error) {
    log.error({ error: String(error) }, 'calls to build servers failed');
  }
}

const totals = new TotalsKeeper(database, trackers, operations);

/** What changes of trackers and artifacts left to be done: much of it in small parts. */
async function catchUp(): Promise<void> {
  try {
    if (await hasLinksToRetype(database)) while (await operations.retypeLinks(platform, undefined));
    await totals.run();
  } catch (error) {
    log.error({ error: String(error) }, 'catching up failed');
  }
}

/** Runs work again and again, never twice at once. */
function every(pause: number, work: () => Promise<void>): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    await work();
    isRunning = false;
  }, pause);
}

const timers = [every(minute, runDueJobs), every(2 * second, makeDueCalls), every(second / 2, catchUp)];
parentPort?.on('message', async (_: ThreadOrder) => {
  for (const timer of timers) clearInterval(timer);
  await database.close();
  process.exit(0);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
void runDueJobs();
