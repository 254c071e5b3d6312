import type { ArchiveDeps } from '../archive/index.ts';
import * as identity from '../identity/index.ts';
import type { Config } from '../kernel/config.ts';
import { isThere, userOfData } from '../kernel/folders.ts';
import { systemFault } from '../kernel/system-faults.ts';
import { requireFinished } from '../kernel/unfinished-restore.ts';
import { commandLineViewer, type Viewer } from '../kernel/viewer.ts';
import { createPlatform, type Operations, type Platform, projectExtensions } from '../operations.ts';
import * as projects from '../projects/index.ts';
import {
  BlobKeeper,
  type Database,
  firstReleasedSchema,
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

/** The schema of what is stored, which this program knows. */
async function knownSchema(database: Database, config: Config): Promise<number> {
  const stored = await storedSchema(database);
  if (stored === 0) throw neverStarted(config);
  if (stored > newestSchema) throw new NewerDatabase(stored);
  return stored;
}

const olderVersion = (stored: number, advice: string) =>
  new CommandFault(
    `The database was written by an older version (schema ${stored}, this program needs ${newestSchema}). ${advice}`,
  );
const beginning = 'Start it once with `atelier serve`, which brings it up to date';

async function requireStarted(database: Database, config: Config): Promise<void> {
  const stored = await knownSchema(database, config);
  if (stored < newestSchema)
    throw olderVersion(stored, `${beginning}; \`atelier backup\` copies it as it is.`);
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

/** Opens the database, beside the service if that runs. Nothing is created. */
async function open<T>(config: Config, make: (database: Database) => Promise<T>): Promise<T> {
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
    return await make(database);
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

/**
 * Root works as whoever the data belong to, who runs the service: it could not use what is root's. To be called before
 * anything is made.
 */
function becomeOwner({ dataFolder }: Config): void {
  const owner = userOfData(dataFolder);
  if (owner === undefined) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

/** Opens the stored data, to be changed. */
export function openInstance(config: Config): Promise<Instance> {
  becomeOwner(config);
  return openInstanceToRead(config);
}

/** Opens the stored data, which this version has written or brought up to date. */
export const openInstanceToRead = (config: Config): Promise<Instance> =>
  open(config, (database) => instanceOn(database, config));

/** Opens what is stored as it is, by this version or an older one: to be copied before it is brought up to date. */
export const openStored = (config: Config): Promise<Database> =>
  open(config, async (database) => {
    const stored = await knownSchema(database, config);
    if (stored < firstReleasedSchema) throw olderVersion(stored, `${beginning}.`);
    if (stored === newestSchema) await requireStarted(database, config);
    return database;
  });
