import type { Config } from '../kernel/config.ts';
import { isThere } from '../kernel/folders.ts';
import { systemFault } from '../kernel/system-faults.ts';
import {
  type Database,
  NewerDatabase,
  newestSchema,
  openDatabase,
  StorageUnavailable,
  storedSchema,
} from '../storage/index.ts';
import type { HealthFinding } from './finding.ts';

const about = 'database';
const startOnce = 'Start it once with `atelier serve`.';

/** A database that is open. A glance does not look for damage, which takes long. */
export async function checkOpened(
  database: Database,
  config: Config,
  isGlance = false,
): Promise<HealthFinding> {
  const { version, faults, connections: given } = await database.checkHealth(isGlance);
  const engine = `${database.capabilities.name} ${version}`;
  if (faults.length > 0) return { about, state: 'problem', says: `${engine}. ${faults.join(' ')}` };
  const stored = await storedSchema(database);
  if (stored > newestSchema) return { about, state: 'problem', says: new NewerDatabase(stored).message };
  const says = `${engine}, schema ${stored} of ${newestSchema}.`;
  if (stored === 0)
    return { about, state: 'warning', says: `${engine}, nothing stored yet.`, advice: startOnce };
  const reason = await findLackOfRoom(database);
  if (reason !== undefined) return withoutRoom(engine, reason);
  const facts = { engine, stored, newest: newestSchema };
  const wanted = (config.httpThreads + 1) * config.databaseConnections;
  if (given !== undefined && given < wanted) return withFewConnections({ engine, given, wanted });
  if (stored === newestSchema) return { about, state: 'ok', says, code: 'database-current', facts };
  const advice = 'The next `atelier serve` brings it up to date.';
  return { about, state: 'warning', says, code: 'database-old', facts, advice };
}

/** Why it has no room for more; one that cannot be reached at all is another matter. */
async function findLackOfRoom(database: Database): Promise<string | undefined> {
  try {
    await database.requireRoom();
    return undefined;
  } catch (error) {
    if (error instanceof StorageUnavailable && error.trouble === 'broken') return error.message;
    throw error;
  }
}

function withoutRoom(engine: string, reason: string): HealthFinding {
  const facts = { engine, reason: reason.replace(/\.$/, '') };
  const says = `${engine}. There is no room to write: ${facts.reason}.`;
  const advice = 'Make room on the disk of PostgreSQL, or give it a larger one.';
  return { about, state: 'problem', says, code: 'database-full', facts, advice };
}

function withFewConnections(facts: { engine: string; given: number; wanted: number }): HealthFinding {
  const { engine, given, wanted } = facts;
  const says = `${engine} gives ${given} connections, and a process may want ${wanted}.`;
  const advice = 'Lower ATELIER_DATABASE_CONNECTIONS, or raise `max_connections` or the limit of the role.';
  return { about, state: 'warning', says, code: 'database-connections', facts, advice };
}

/** One that cannot be opened or read. */
export function unusable(error: unknown): HealthFinding {
  const reason = systemFault(error) ?? (error instanceof Error ? error.message : String(error));
  const advice = 'See that ATELIER_DATABASE_URL and the data folder are right, or restore a backup.';
  const facts = { reason: reason.replace(/\.$/, '') };
  const says = `It cannot be read: ${facts.reason}.`;
  return { about, state: 'problem', says, code: 'database-away', facts, advice };
}

export async function checkDatabase(config: Config): Promise<HealthFinding> {
  const { dataFolder: folder, databaseUrl } = config;
  try {
    if (databaseUrl === undefined && !(await isThere(folder)))
      return { about, state: 'warning', says: 'There is none yet.', advice: startOnce };
    const database = await openDatabase({ folder, databaseUrl, connections: 1 });
    return await checkOpened(database, config).finally(() => database.close());
  } catch (error) {
    return unusable(error);
  }
}
