import { join } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { Database } from './database.ts';
import { StorageUnavailable } from './engine.ts';

export interface StorageOptions {
  /** The data folder. */
  readonly folder: string;
  /** Where PostgreSQL is; without it everything is kept in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Connections of one thread to PostgreSQL. */
  readonly connections: number;
  /** Milliseconds that a write waits for a lock. */
  readonly lockPatience?: number;
  /** Milliseconds that a statement may take on PostgreSQL. */
  readonly statementPatience?: number;
}

const usual = { lockPatience: 10_000, statementPatience: 60_000 };

/** Opens the database that the options name; only that engine is loaded. Nothing is read or written yet. */
export async function openDatabase(options: StorageOptions): Promise<Database> {
  const { folder, databaseUrl, connections, lockPatience, statementPatience } = { ...usual, ...options };
  if (databaseUrl !== undefined) {
    const { PostgresEngine } = await import('./engine-postgres.ts');
    return new Database(new PostgresEngine(databaseUrl, { connections, lockPatience, statementPatience }));
  }
  const { SqliteEngine } = await import('./engine-sqlite.ts');
  makeDataFolder(folder);
  return new Database(new SqliteEngine(join(folder, 'atelier.sqlite'), lockPatience));
}

function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = systemCodeOf(error) === 'ENOENT' ? 'no folder can be made there' : reasonOf(error);
    throw new StorageUnavailable(`The data folder ${folder} cannot be used: ${reason}.`, 'broken');
  }
}
