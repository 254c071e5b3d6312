import type { ArchiveDeps } from '../archive/index.ts';
import * as identity from '../identity/index.ts';
import type { Config } from '../kernel/config.ts';
import { isThere } from '../kernel/folders.ts';
import { systemFault } from '../kernel/system-faults.ts';
import { requireFinished } from '../kernel/unfinished-restore.ts';
import { commandLineViewer, type Viewer } from '../kernel/viewer.ts';
import { createPlatform, type Operations, type Platform, projectExtensions } from '../operations.ts';
import * as projects from '../projects/index.ts';
import {
  BlobKeeper,
  type Database,
  NewerDatabase,
  newestSchema,
  openBlobs,
  openDatabase,
  operationsOn,
  StorageUnavailable,
  storedSchema,
} from '../storage/index.ts';
import * as trackers from '../trackers/index.ts';
import { CommandFault } from './faults.ts';

/** What a command works on: the stored data, what can be done with it, and the rooms that read it. */
export interface Instance {
  readonly config: Config;
  readonly database: Database;
  readonly operations: Operations;
  /** The same operations before they have a transaction, for commands that need several in one, and what they know. */
  readonly platform: Platform;
  /** The machine's administrator. */
  readonly viewer: Viewer;
  readonly identity: typeof identity;
  readonly projects: typeof projects;
  readonly trackers: typeof trackers;
  /** What archives are read and written with. */
  openArchiveDeps(): ArchiveDeps & { readonly operations: Operations };
}

function neverStarted({ databaseUrl, dataFolder }: Config): CommandFault {
  const place = databaseUrl === undefined ? dataFolder : 'the database of ATELIER_DATABASE_URL';
  return new CommandFault(`There is no instance in ${place} yet. Start it once with \`atelier serve\`.`);
}

async function requireStarted(database: Database, config: Config): Promise<void> {
  const stored = await storedSchema(database);
  if (stored === 0) throw neverStarted(config);
  if (stored > newestSchema) throw new NewerDatabase(stored);
  if (stored < newestSchema) {
    throw new CommandFault(
      `The database was written by an older version (schema ${stored}, this program needs ${newestSchema}). ` +
        'Start it once with `atelier serve`, which brings it up to date.',
    );
  }
  const isFilled = (await identity.findAccount(database, identity.noneId)) !== undefined;
  if (!isFilled) throw neverStarted(config);
}

async function instanceOn(database: Database, config: Config): Promise<Instance> {
  await requireStarted(database, config);
  const { access_mode } = await identity.readSettings(database);
  const viewer = commandLineViewer(access_mode);
  const platform = createPlatform({ tellsPeople: false });
  const calls = operationsOn(database, platform.operations);
  const openArchiveDeps = () => ({
    ...{ database, config, operations: calls, trackers: platform.trackers, extensions: projectExtensions },
    keeper: new BlobKeeper(openBlobs(config), database, calls),
  });
  return {
    config,
    database,
    viewer,
    identity,
    projects,
    trackers,
    operations: calls,
    platform,
    openArchiveDeps,
  };
}

/** Opens the stored data, beside the service if that runs. Nothing is created. */
export async function openInstance(config: Config): Promise<Instance> {
  const { dataFolder: folder, databaseUrl, lockSeconds } = config;
  if (databaseUrl === undefined && !(await isThere(folder))) throw neverStarted(config);
  requireFinished(folder);
  const database = await openDatabase({
    folder,
    databaseUrl,
    connections: 2,
    lockPatience: lockSeconds * 1000,
  });
  try {
    return await instanceOn(database, config);
  } catch (error) {
    await database.close();
    if (error instanceof StorageUnavailable)
      throw new CommandFault(`The database cannot be reached: ${error.message}`);
    const shut = systemFault(error);
    if (shut !== undefined)
      throw new CommandFault(`${shut}. Run commands as the user that runs the service, or as root.`);
    throw error;
  }
}
