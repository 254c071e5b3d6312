import { workerData } from 'node:worker_threads';
import {
  DeletedArtifacts,
  loadWaitingRepositories,
  removeAbandonedImports,
  runRequestedImports,
  settleUploads,
  type Workshop,
} from '../archive/index.ts';
import { hasBacklog, hasDueCalls, hasLinksToRetype, makeCalls, TotalsKeeper } from '../artifacts/index.ts';
import { second } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';
import { Metrics } from '../kernel/metrics.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { createLog } from '../log.ts';
import { Notifier, Postman, type Showing } from '../notify/index.ts';
import { projectExtensions as extensions, trackers } from '../operations.ts';
import { IndexKeeper } from '../search/index.ts';
import { BlobKeeper, doJob, findDueJobs, openBlobs } from '../storage/index.ts';
import { CommitRegister, DeletedRepositories, deskOn } from '../svn/index.ts';
import { ImportProcess } from './import-process.ts';
import { type Job, jobs } from './jobs.ts';
import { databaseOf, Lines, obey, operationsOf, report, type ThreadSetup } from './setup.ts';

/** Does work that nobody waits for. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
const lines = new Lines(database);
const operations = operationsOf(setup, database, lines);
const keeper = new BlobKeeper(openBlobs(setup.config), database, operations);
const archive = new DeletedArtifacts(database, trackers, keeper.blobs, setup.config.dataFolder);
const desk = deskOn(setup.config, database, operations);
const deletedRepositories = new DeletedRepositories(desk, setup.config.dataFolder);
const log = createLog(setup.config.logLevel, 'background');
const platform = commandLineViewer('regular');
const workshop: Workshop = { database, operations, keeper, trackers, extensions, config: setup.config };

const ownJobs = jobs.filter(({ isForEveryProcess }) => isForEveryProcess);
const sharedJobs = jobs.filter(({ isForEveryProcess }) => !isForEveryProcess);

/** When a job that every process does for itself is next due here. */
const dueHere = new Map<string, number>();

function isDueHere({ name, pause }: Job): boolean {
  if ((dueHere.get(name) ?? 0) > performance.now()) return false;
  dueHere.set(name, performance.now() + pause);
  return true;
}

const reasonOf = (error: unknown) =>
  error instanceof Refusal ? [error.detail, error.extras.cause].join(' ').trim() : String(error);

const running = new Set<Job>();

async function run(job: Job): Promise<void> {
  if (running.has(job)) return;
  running.add(job);
  const work = () => job.run({ operations, keeper, archive, desk, deletedRepositories, workshop });
  try {
    await (job.isForEveryProcess ? work() : doJob(operations, job, work));
  } catch (error) {
    log.error({ job: job.name, error: reasonOf(error) }, 'background job failed');
  } finally {
    running.delete(job);
  }
}

/** No job waits for another that takes long. */
async function runDueJobs(): Promise<void> {
  for (const job of ownJobs) if (isDueHere(job)) void run(job);
  try {
    database.renew();
    for (const job of await findDueJobs(database, sharedJobs)) void run(job);
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'looking for due jobs failed');
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
    if (await hasBacklog(database)) while (await operations.reindexNext(platform, undefined));
    await totals.run();
  } catch (error) {
    log.error({ error: String(error) }, 'catching up failed');
  }
}

const index = new IndexKeeper(database, trackers, operations);

async function keepIndex(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'keeping the search index failed');
  }
}

/** Repositories whose time is over, and those that wait for Subversion to be there. */
async function tendRepositories(): Promise<void> {
  try {
    for (const { id, fault } of await deletedRepositories.deleteDue())
      log.error({ repository: id, fault }, 'a repository could not be dumped, so it is kept');
    await loadWaitingRepositories(workshop, log);
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'repositories could not be tended');
  }
}

async function withImports(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'imports failed');
  }
}

/** Archives that somebody uploads, and what is left of imports that were cut off. */
async function tendImports(): Promise<void> {
  await removeAbandonedImports(workshop);
  await settleUploads(workshop);
}

/** A long import of somebody who administers the platform keeps nobody else's waiting. */
const importers = [false, true].map((ofUsers) => ({ ofUsers, importing: new ImportProcess(setup.config) }));

const runImports = ({ ofUsers, importing }: (typeof importers)[number]) =>
  runRequestedImports(workshop, log, { ofUsers, run: (claimed) => importing.run(claimed) });

const { config, publicUrl } = setup;
const postman = config.mail && (await Postman.open(config.mail, publicUrl));

/** What artifacts are shown with is loaded when the first mail or webhook needs it: most platforms start without. */
async function loadShowing(): Promise<Showing> {
  const { ChangeShowing, People } = await import('../http/index.ts');
  return new ChangeShowing({ publicUrl, people: new People(publicUrl) });
}
let loaded: Promise<Showing> | undefined;
/** What could not be loaded, for want of open files maybe, is loaded by the next who needs it. */
const showing = () =>
  (loaded ??= loadShowing().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  }));

const commits = new CommitRegister(database, () => desk.workplace);
const metrics = new Metrics(setup.metricsMemory, config.httpThreads);
const notifier = new Notifier({
  database,
  trackers,
  operations,
  publicUrl,
  log,
  metrics,
  postman,
  showing,
  commits,
});

/** Work that is never done twice at once: whoever asks meanwhile has asked in vain. */
function guarded(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    await work();
    isRunning = false;
  };
}

/** Runs work again and again, never twice at once. */
function every(pause: number, work: () => Promise<void>): NodeJS.Timeout {
  const run = guarded(work);
  void run();
  return setInterval(run, pause);
}

/** Tells people and programs of something. One that cannot be reached holds up nobody else. */
const telling = (work: () => Promise<void>) => async () => {
  try {
    await work();
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'notifications failed');
  }
};
const sendMails = telling(() => notifier.sendMails());
const deliver = telling(() => notifier.deliver());
const handOut = telling(async () => {
  if (!(await notifier.handOut())) return;
  void sendMails();
  void deliver();
});

/** How often is looked for jobs: more often than any is due, so that one that was cut off waits for nothing else. */
const jobPause = 5 * second;

const timers = [
  every(jobPause, runDueJobs),
  every(2 * second, makeDueCalls),
  every(second / 2, catchUp),
  every(second, () => withImports(tendImports)),
  ...importers.map((importer) => every(second, () => withImports(() => runImports(importer)))),
  every(second, () => keepIndex(() => index.foldPostings())),
  every(second, () => keepIndex(() => index.foldTexts())),
  every(second / 4, handOut),
  every(second, sendMails),
  every(second, deliver),
  every(second, tendRepositories),
];
async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  for (const importer of importers) importer.importing.stop();
  postman?.close();
  await database.close();
  process.exit(0);
}
obey({ line: (line) => lines.lay(line), stop });
report('ready');
