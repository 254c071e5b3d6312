import { type DeletedArtifacts, purgeDueProjects, sweepDataFolder, type Workshop } from '../archive/index.ts';
import { day, hour, minute } from '../kernel/clock.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import type { Operations } from '../operations.ts';
import type { BlobKeeper, PeriodicJob } from '../storage/index.ts';
import {
  type DeletedRepositories,
  type Desk,
  removeOldTransactions,
  removeUnfinished,
  renewHooks,
} from '../svn/index.ts';

/** What jobs work with. */
export interface JobTools {
  readonly operations: Operations;
  readonly keeper: BlobKeeper;
  readonly archive: DeletedArtifacts;
  /** What repositories are worked on with. */
  readonly desk: Desk;
  readonly deletedRepositories: DeletedRepositories;
  readonly workshop: Workshop;
}

/** Work that nobody waits for. */
export interface Job extends PeriodicJob {
  /** Otherwise it is done by one thread of one process, however many there are. */
  readonly isForEveryProcess?: boolean;
  readonly run: (tools: JobTools) => Promise<void>;
}

const platform = commandLineViewer('regular');

async function purgeCredentials({ operations }: JobTools): Promise<void> {
  await operations.purgeTokens(platform, undefined);
  await operations.purgeAccessKeys(platform, undefined);
  await operations.purgeSessions(platform, undefined);
  await operations.purgeAttempts(platform, undefined);
}

/** Files of one transaction. */
const someFiles = 20;

/** Files that nobody attached in time, and the bytes of all that are gone. */
async function purgeFiles({ operations, keeper }: JobTools): Promise<void> {
  while ((await operations.removeExpiredFiles(platform, { limit: someFiles })) > 0);
  await keeper.eraseAll();
}

/** Long enough for any upload to have got its row. */
const orphanAge = day;

/** Long enough to notice that the service runs on the wrong database, before the bytes of the right one are gone. */
const orphanDelay = 7 * day;

/** Finds bytes that a crash left without a row; `purgeFiles` removes them when their time has come. */
async function findOrphans({ keeper }: JobTools): Promise<void> {
  await keeper.releaseOrphans(Date.now() - orphanAge, orphanDelay);
}

/** What is left of deleted artifacts. */
async function clearRemains({ operations }: JobTools): Promise<void> {
  while (await operations.clearRemains(platform, undefined));
}

/** Mails that were given up and deliveries that were made, long ago. */
async function purgeNotifications({ operations }: JobTools): Promise<void> {
  await operations.purgeMails(platform, undefined);
  while (await operations.settleGivenUp(platform, undefined));
  await operations.purgeDeliveries(platform, undefined);
}

export const jobs: readonly Job[] = [
  { name: 'clear-remains', pause: minute, run: clearRemains },
  {
    name: 'purge-deletions',
    pause: day,
    run: ({ operations }) => operations.purgeDeletions(platform, undefined),
  },
  { name: 'purge-projects', pause: minute, run: ({ workshop }) => purgeDueProjects(workshop) },
  { name: 'purge-credentials', pause: hour, run: purgeCredentials },
  { name: 'purge-notifications', pause: hour, run: purgeNotifications },
  { name: 'purge-files', pause: minute, run: purgeFiles },
  { name: 'purge-repositories', pause: day, run: ({ deletedRepositories }) => deletedRepositories.purge() },
  { name: 'remove-unfinished-repositories', pause: hour, run: ({ desk }) => removeUnfinished(desk) },
  { name: 'remove-old-transactions', pause: day, run: ({ desk }) => removeOldTransactions(desk) },
  { name: 'renew-hooks', pause: hour, run: ({ desk }) => renewHooks(desk) },
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
    run: ({ workshop }) => sweepDataFolder(workshop),
  },
  {
    name: 'tidy-archives',
    pause: hour,
    isForEveryProcess: true,
    run: ({ archive }) => archive.tidy(Date.now() - orphanAge),
  },
];
