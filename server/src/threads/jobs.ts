import {
  type ArchiveDeps,
  type DeletedArtifacts,
  purgeDueProjects,
  sweepDataFolder,
} from '../archive/index.ts';
import { day, hour, minute } from '../kernel/clock.ts';
import { systemViewer } from '../kernel/viewer.ts';
import type { Operations } from '../operations.ts';
import type { BlobKeeper, PeriodicJob } from '../storage/index.ts';
import {
  type DeletedRepositories,
  removeOldTransactions,
  removeUnfinished,
  renewHooks,
  type SvnDeps,
} from '../svn/index.ts';

/** What jobs work with. */
export interface JobDeps {
  readonly operations: Operations;
  readonly keeper: BlobKeeper;
  readonly archive: DeletedArtifacts;
  /** What repositories are worked on with. */
  readonly svnDeps: SvnDeps;
  readonly deletedRepositories: DeletedRepositories;
  readonly archiveDeps: ArchiveDeps;
}

/** Work that nobody waits for. */
export interface Job extends PeriodicJob {
  /** Otherwise it is done by one thread of one process, however many there are. */
  readonly isForEveryProcess?: boolean;
  readonly run: (tools: JobDeps) => Promise<void>;
}

async function purgeCredentials({ operations }: JobDeps): Promise<void> {
  await operations.purgeTokens(systemViewer, undefined);
  await operations.purgeAccessKeys(systemViewer, undefined);
  await operations.purgeSessions(systemViewer, undefined);
  await operations.purgeAttempts(systemViewer, undefined);
}

/** Files of one transaction. */
const someFiles = 20;

/** Files that nobody attached in time, and the bytes of all that are gone. */
async function purgeFiles({ operations, keeper }: JobDeps): Promise<void> {
  while ((await operations.removeExpiredFiles(systemViewer, { limit: someFiles })) > 0);
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
async function clearRemains({ operations }: JobDeps): Promise<void> {
  while (await operations.clearRemains(systemViewer, undefined));
}

/** Mails that were given up and deliveries that were made, long ago. */
async function purgeNotifications({ operations }: JobDeps): Promise<void> {
  await operations.purgeMails(systemViewer, undefined);
  while (await operations.settleGivenUp(systemViewer, undefined));
  await operations.purgeDeliveries(systemViewer, undefined);
}

export const jobs: readonly Job[] = [
  { name: 'clear-remains', pause: minute, run: clearRemains },
  {
    name: 'purge-deletions',
    pause: day,
    run: ({ operations }) => operations.purgeDeletions(systemViewer, undefined),
  },
  { name: 'purge-projects', pause: minute, run: ({ archiveDeps }) => purgeDueProjects(archiveDeps) },
  { name: 'purge-credentials', pause: hour, run: purgeCredentials },
  { name: 'purge-notifications', pause: hour, run: purgeNotifications },
  { name: 'purge-files', pause: minute, run: purgeFiles },
  { name: 'purge-repositories', pause: day, run: ({ deletedRepositories }) => deletedRepositories.purge() },
  { name: 'remove-unfinished-repositories', pause: hour, run: ({ svnDeps }) => removeUnfinished(svnDeps) },
  { name: 'remove-old-transactions', pause: day, run: ({ svnDeps }) => removeOldTransactions(svnDeps) },
  { name: 'renew-hooks', pause: hour, run: ({ svnDeps }) => renewHooks(svnDeps) },
  { name: 'find-orphans', pause: day, run: findOrphans },
  {
    // What was in the making when a process died lies in its own data folder.
    name: 'tidy-incoming',
    pause: hour,
    isForEveryProcess: true,
    run: ({ keeper }) => keeper.blobs.tidy(Date.now() - orphanAge),
  },
  {
    name: 'sweep-data-folder',
    pause: day,
    isForEveryProcess: true,
    run: ({ archiveDeps }) => sweepDataFolder(archiveDeps),
  },
  {
    name: 'tidy-archives',
    pause: hour,
    isForEveryProcess: true,
    run: ({ archive }) => archive.tidy(Date.now() - orphanAge),
  },
];
