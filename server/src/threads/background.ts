import { workerData } from 'node:worker_threads';
import {
  type ArchiveDeps,
  DeletedArtifacts,
  loadWaitingRepositories,
  removeAbandonedImports,
  runRequestedImports,
  settleUploads,
} from '../archive/index.ts';
import { hasBacklog, hasDueCalls, hasLinksToRetype, makeCalls, TotalsKeeper } from '../artifacts/index.ts';
import { second } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';
import type { JobResult } from '../kernel/metrics.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { createLog } from '../log.ts';
import { findWaiting, Mailer, Notifier, type Showing } from '../notify/index.ts';
import { projectExtensions as extensions, trackers } from '../operations.ts';
import { IndexKeeper } from '../search/index.ts';
import { BlobKeeper, doJob, findDueJobs, openBlobs } from '../storage/index.ts';
import { CommitRegister, DeletedRepositories, svnDepsOn } from '../svn/index.ts';
import { connectionGauges, keepTelling, metricsOf } from './counting.ts';
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
const svnDeps = svnDepsOn(setup.config, database, operations);
const deletedRepositories = new DeletedRepositories(svnDeps, setup.config.dataFolder);
const log = createLog(setup.config.logLevel, 'background');
const metrics = metricsOf('background', setup);
const archiveDeps: ArchiveDeps = { database, operations, keeper, trackers, extensions, config: setup.config };

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

/** Counts and times one run of a job, whatever comes of it. */
async function timed<T>(job: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  let result: JobResult = 'failed';
  try {
    const done = await work();
    result = 'done';
    return done;
  } finally {
    metrics.jobEnded(job, result, (performance.now() - begun) / second);
  }
}

let isStopping = false;

/** Work that is done again and again. `words`: what the log says where it fails. */
const task = (job: string, words: string, work: () => Promise<unknown>) => async () => {
  try {
    await timed(job, work);
  } catch (error) {
    // What is cut off by a stop is done by whoever starts next.
    if (!isStopping) log.error({ job, error: reasonOf(error) }, words);
  }
};

const running = new Set<Job>();

async function run(job: Job): Promise<void> {
  if (running.has(job)) return;
  running.add(job);
  const tools = { operations, keeper, archive, svnDeps, deletedRepositories, archiveDeps };
  const work = () => timed(job.name, () => job.run(tools));
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
const makeDueCalls = task('call-build-servers', 'calls to build servers failed', async () => {
  if (!(await hasDueCalls(database))) return;
  const calls = await operations.takeJobCalls(systemViewer, undefined);
  for (const { fault, ...outcome } of await makeCalls(database, calls)) {
    if (fault !== undefined) log.warn({ call: outcome.id, fault }, 'a build server was not reached');
    await operations.settleJobCall(systemViewer, outcome);
  }
});

const totals = new TotalsKeeper(database, trackers, operations);

/** What changes of trackers and artifacts left to be done: much of it in small parts. */
const catchUp = task('catch-up', 'catching up failed', async () => {
  if (await hasLinksToRetype(database)) while (await operations.retypeLinks(systemViewer, undefined));
  if (await hasBacklog(database)) while (await operations.reindexNext(systemViewer, undefined));
  await totals.run();
});

const index = new IndexKeeper(database, trackers, operations);
const indexFailed = 'keeping the search index failed';
const foldPostings = task('fold-postings', indexFailed, () => index.foldPostings());
const foldTexts = task('fold-texts', indexFailed, () => index.foldTexts());

/** Repositories whose time is over, and those that wait for Subversion to be there. */
const tendRepositories = task('tend-repositories', 'repositories could not be tended', async () => {
  for (const { id, fault } of await deletedRepositories.deleteDue())
    log.error({ repository: id, fault }, 'a repository could not be dumped, so it is kept');
  await loadWaitingRepositories(archiveDeps, log);
});

/** Archives that somebody uploads, and what is left of imports that were cut off. */
const tendImports = task('tend-imports', 'imports failed', async () => {
  await removeAbandonedImports(archiveDeps);
  await settleUploads(archiveDeps);
});

/** A long import of somebody who administers the platform keeps nobody else's waiting. */
const importers = [false, true].map((ofUsers) => ({ ofUsers, importing: new ImportProcess(setup.config) }));

const importing = ({ ofUsers, importing }: (typeof importers)[number]) =>
  task('import-archives', 'imports failed', () =>
    runRequestedImports(archiveDeps, log, { ofUsers, run: (claimed) => importing.run(claimed) }),
  );

const { config, publicUrl } = setup;
const mailer = config.mail && (await Mailer.open(config.mail, publicUrl));

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

const commits = new CommitRegister(database, () => svnDeps.svnWorkspace);
const notifier = new Notifier({
  database,
  trackers,
  operations,
  publicUrl,
  log,
  metrics,
  mailer,
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

/** Telling people and programs of something. One that cannot be reached holds up nobody else. */
const telling = (job: string, work: () => Promise<void>) => task(job, 'notifications failed', work);
const sendMails = telling('send-mails', () => notifier.sendMails());
const deliver = telling('deliver-webhooks', () => notifier.deliver());
const handOut = telling('hand-out-events', async () => {
  if (!(await notifier.handOut())) return;
  void sendMails();
  void deliver();
});

const countWaiting = telling('count-waiting', async () => {
  database.renew();
  const { mails, deliveries, events } = await findWaiting(database);
  metrics.set({ mailsWaiting: mails, deliveriesWaiting: deliveries, eventsWaiting: events });
});
keepTelling(metrics, () => ({ writerQueue: lines.writer.length, ...connectionGauges(database) }));

/** How often is looked for jobs: more often than any is due, so that one that was cut off waits for nothing else. */
const jobPause = 5 * second;

const timers = [
  every(jobPause, runDueJobs),
  every(2 * second, makeDueCalls),
  every(second / 2, catchUp),
  every(second, tendImports),
  ...importers.map((importer) => every(second, importing(importer))),
  every(second, foldPostings),
  every(second, foldTexts),
  every(second / 4, handOut),
  every(second, sendMails),
  every(second, deliver),
  every(second, tendRepositories),
  every(2 * second, countWaiting),
];
async function stop(): Promise<void> {
  isStopping = true;
  for (const timer of timers) clearInterval(timer);
  for (const importer of importers) importer.importing.stop();
  mailer?.close();
  await database.close();
  process.exit(0);
}
obey({ line: (line) => lines.lay(line), stop });
report('ready');
