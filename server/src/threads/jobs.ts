import {
  type ArchiveDeps,
  type DeletedArtifacts,
  loadWaitingRepositories,
  purgeDueProjects,
  removeAbandonedImports,
  runRequestedImports,
  settleUploads,
  sweepDataFolder,
} from '../archive/index.ts';
import {
  hasBacklog,
  hasDueCalls,
  hasLinksToRetype,
  makeCalls,
  type TotalsKeeper,
} from '../artifacts/index.ts';
import type { Log } from '../http/index.ts';
import { day, hour, minute, second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { findWaiting, type Notifier } from '../notify/index.ts';
import type { Operations } from '../operations.ts';
import type { IndexKeeper } from '../search/index.ts';
import type { BlobKeeper, Database } from '../storage/index.ts';
import {
  type DeletedRepositories,
  recordMissingCommits,
  removeOldTransactions,
  removeUnfinished,
  renewHooks,
  type SvnDeps,
} from '../svn/index.ts';
import { importInProcess } from './import-process.ts';
import type { Job } from './job-runner.ts';

/** What jobs work with. */
export interface JobDeps {
  readonly database: Database;
  readonly operations: Operations;
  readonly keeper: BlobKeeper;
  readonly archive: DeletedArtifacts;
  /** What repositories are worked on with. */
  readonly svnDeps: SvnDeps;
  readonly deletedRepositories: DeletedRepositories;
  readonly archiveDeps: ArchiveDeps;
  readonly totals: TotalsKeeper;
  readonly index: IndexKeeper;
  readonly notifier: Notifier;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Runs a job of this process ahead of its time. */
  readonly wake: (name: string) => void;
}

async function purgeCredentials({ operations }: JobDeps): Promise<void> {
  await operations.purgeTokens(systemViewer, undefined);
  await operations.purgeAccessKeys(systemViewer, undefined);
  await operations.purgeSessions(systemViewer, undefined);
  await operations.purgeAttempts(systemViewer, undefined);
  await operations.purgePasswordTokens(systemViewer, undefined);
  await operations.purgePlatformEvents(systemViewer, undefined);
}

/** Files of one transaction. */
const someFiles = 20;

/** Files that nobody attached in time, and the bytes of all that are gone. */
async function purgeFiles({ operations, keeper }: JobDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await operations.removeExpiredFiles(systemViewer, { limit: someFiles })) > 0);
  await keeper.eraseAll();
}

/** Long enough for any upload to have got its row. */
const orphanAge = day;

/** Long enough to notice that the service runs on the wrong database, before the bytes of the right one are gone. */
const orphanDelay = 7 * day;

/** Finds bytes that a crash left without a row; `purgeFiles` removes them when their time has come. */
async function findOrphans({ keeper }: JobDeps): Promise<void> {
  await keeper.releaseOrphans(Date.now() - orphanAge, orphanDelay);
}

/** What is left of deleted artifacts. */
async function clearRemains({ operations }: JobDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await operations.clearRemains(systemViewer, undefined)));
}

/** Mails that were given up, deliveries that were made, and notifications that were read or done, long ago. */
async function purgeNotifications({ operations }: JobDeps, stopping: AbortSignal): Promise<void> {
  await operations.purgeMails(systemViewer, undefined);
  while (!stopping.aborted && (await operations.settleGivenUp(systemViewer, undefined)));
  await operations.purgeDeliveries(systemViewer, undefined);
  while (!stopping.aborted && (await operations.purgeOldNotifications(systemViewer, undefined)));
}

/** Calls that changes of artifacts asked for; whoever takes them makes them. */
async function callBuildServers({ database, operations, log }: JobDeps): Promise<void> {
  if (!(await hasDueCalls(database))) return;
  const calls = await operations.takeJobCalls(systemViewer, undefined);
  for (const { fault, ...outcome } of await makeCalls(database, calls)) {
    if (fault !== undefined) log.warn({ call: outcome.id, fault }, 'a build server was not reached');
    await operations.settleJobCall(systemViewer, outcome);
  }
}

/** What changes of trackers and artifacts left to be done: much of it in small parts. */
async function catchUp({ database, operations, totals }: JobDeps, stopping: AbortSignal): Promise<void> {
  if (await hasLinksToRetype(database))
    while (!stopping.aborted && (await operations.retypeLinks(systemViewer, undefined)));
  if (await hasBacklog(database))
    while (!stopping.aborted && (await operations.reindexNext(systemViewer, undefined)));
  await totals.run(stopping);
}

/** Repositories whose time is over, and those that wait for Subversion to be there. */
async function tendRepositories({ deletedRepositories, archiveDeps, log }: JobDeps): Promise<void> {
  for (const { id, fault } of await deletedRepositories.deleteDue())
    log.error({ repository: id, fault }, 'a repository could not be dumped, so it is kept');
  await loadWaitingRepositories(archiveDeps, log);
}

/** Archives that somebody uploads, and what is left of imports that were cut off. */
async function tendImports({ archiveDeps }: JobDeps): Promise<void> {
  await removeAbandonedImports(archiveDeps);
  await settleUploads(archiveDeps);
}

/** Imports that wait, each in a process of its own. */
const importArchives =
  (ofUsers: boolean) =>
  ({ archiveDeps, config, log }: JobDeps, stopping: AbortSignal): Promise<void> =>
    runRequestedImports(archiveDeps, log, {
      ofUsers,
      stopping,
      run: (claimed, stop) => importInProcess(config, claimed, stop),
    });

/** Mails and deliveries of what has just happened need not wait for their time. */
async function handOutEvents({ notifier, wake }: JobDeps): Promise<void> {
  if (!(await notifier.handOut())) return;
  wake(sendMails.name);
  wake(deliverWebhooks.name);
}

async function countWaiting({ database, metrics }: JobDeps): Promise<void> {
  database.renew();
  const { mails, deliveries, events } = await findWaiting(database);
  metrics.set({ mailsWaiting: mails, deliveriesWaiting: deliveries, eventsWaiting: events });
}

type PlatformJob = Job<JobDeps>;

/** Telling people and programs of something. One that cannot be reached holds up nobody else. */
const sendMails: PlatformJob = {
  name: 'send-mails',
  every: second,
  scope: 'process',
  run: ({ notifier }) => notifier.sendMails(),
};
const deliverWebhooks: PlatformJob = {
  name: 'deliver-webhooks',
  every: second,
  scope: 'process',
  run: ({ notifier }) => notifier.deliver(),
};

/** Everything that is done again and again. */
export const jobs: readonly PlatformJob[] = [
  { name: 'hand-out-events', every: second / 4, scope: 'process', run: handOutEvents },
  sendMails,
  deliverWebhooks,
  { name: 'keep-time', every: second, scope: 'process', run: ({ notifier }) => notifier.keepTime() },
  { name: 'catch-up', every: second / 2, scope: 'process', run: catchUp },
  {
    // The names of jobs are in metrics that people watch, and stay as they were.
    name: 'fold-postings',
    every: second,
    scope: 'process',
    run: ({ index }, stopping) => index.mergePostingsInTime(stopping),
  },
  {
    name: 'fold-texts',
    every: second,
    scope: 'process',
    run: ({ index }, stopping) => index.mergeTexts({ stopping }),
  },
  { name: 'call-build-servers', every: 2 * second, scope: 'process', run: callBuildServers },
  { name: 'tend-imports', every: second, scope: 'process', run: tendImports },
  // A long import of somebody who administers the platform keeps nobody else's waiting.
  { name: 'import-archives', every: second, scope: 'process', run: importArchives(false) },
  { name: 'import-archives-of-users', every: second, scope: 'process', run: importArchives(true) },
  { name: 'tend-repositories', every: second, scope: 'process', run: tendRepositories },
  { name: 'count-waiting', every: 2 * second, scope: 'process', run: countWaiting },
  { name: 'clear-remains', every: minute, scope: 'platform', run: clearRemains },
  {
    name: 'purge-deletions',
    every: day,
    scope: 'platform',
    run: ({ operations }) => operations.purgeDeletions(systemViewer, undefined),
  },
  {
    name: 'purge-projects',
    every: minute,
    scope: 'platform',
    run: ({ archiveDeps }) => purgeDueProjects(archiveDeps),
  },
  {
    name: 'purge-request-keys',
    every: hour,
    scope: 'platform',
    run: ({ operations }) => operations.purgeRequestKeys(systemViewer, undefined),
  },
  {
    name: 'purge-event-log',
    every: minute,
    scope: 'platform',
    run: ({ operations }) => operations.purgeEventLog(systemViewer, undefined),
  },
  { name: 'purge-credentials', every: hour, scope: 'platform', run: purgeCredentials },
  { name: 'purge-notifications', every: hour, scope: 'platform', run: purgeNotifications },
  {
    name: 'look-at-watched-searches',
    every: 10 * minute,
    scope: 'platform',
    run: ({ notifier }) => notifier.lookAtSearches(),
  },
  { name: 'purge-files', every: minute, scope: 'platform', run: purgeFiles },
  {
    name: 'purge-repositories',
    every: day,
    scope: 'platform',
    run: ({ deletedRepositories }) => deletedRepositories.purge(),
  },
  {
    name: 'remove-unfinished-repositories',
    every: hour,
    scope: 'platform',
    run: ({ svnDeps }) => removeUnfinished(svnDeps),
  },
  {
    name: 'remove-old-transactions',
    every: day,
    scope: 'platform',
    run: ({ svnDeps }) => removeOldTransactions(svnDeps),
  },
  {
    name: 'record-commits',
    every: 30 * second,
    scope: 'platform',
    run: ({ svnDeps }, stopping) => recordMissingCommits(svnDeps, stopping),
  },
  { name: 'renew-hooks', every: hour, scope: 'platform', run: ({ svnDeps }) => renewHooks(svnDeps) },
  { name: 'find-orphans', every: day, scope: 'platform', run: findOrphans },
  // What was in the making when a process died lies in its own data folder.
  {
    name: 'tidy-incoming',
    every: hour,
    scope: 'process',
    run: ({ keeper }) => keeper.blobs.tidy(Date.now() - orphanAge),
  },
  {
    name: 'sweep-data-folder',
    every: day,
    scope: 'process',
    run: ({ archiveDeps }) => sweepDataFolder(archiveDeps),
  },
  {
    name: 'tidy-archives',
    every: hour,
    scope: 'process',
    run: ({ archive }) => archive.tidy(Date.now() - orphanAge),
  },
];
