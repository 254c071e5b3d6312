import { join } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { Database } from './database.ts';
import { StorageUnavailable } from './engine.ts';
import type { ReplicaState } from './replica.ts';

export interface StorageOptions {
  /** The data folder. */
  readonly folder: string;
  /** Where PostgreSQL is; without it everything is kept in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Where its replicas are that callers may read from. */
  readonly readUrls?: readonly string[];
  /** Connections of one thread to PostgreSQL, and to each replica. */
  readonly connections: number;
  /** Milliseconds that a write waits for a lock. */
  readonly lockPatience?: number;
  /** Milliseconds that a statement may take on PostgreSQL. */
  readonly statementPatience?: number;
}

const usual = { readUrls: [], lockPatience: 10_000, statementPatience: 60_000 };

/** Opens the database that the options name; only that engine is loaded. Nothing is read or written yet. */
export async function openDatabase(options: StorageOptions): Promise<Database> {
  const { folder, databaseUrl, readUrls, ...limits } = { ...usual, ...options };
  if (databaseUrl !== undefined && readUrls.length > 0) {
    const { ReplicatedEngine } = await import('./engine-replicated.ts');
    return new Database(new ReplicatedEngine(databaseUrl, readUrls, limits));
  }
  if (databaseUrl !== undefined) {
    const { PostgresEngine } = await import('./engine-postgres.ts');
    return new Database(new PostgresEngine(databaseUrl, limits));
  }
  const { SqliteEngine } = await import('./engine-sqlite.ts');
  makeDataFolder(folder);
  return new Database(new SqliteEngine(join(folder, 'atelier.sqlite'), limits.lockPatience));
}

/** Makes in the database what reads from replicas need. */
export async function prepareReplicas(database: Database): Promise<void> {
  const { ReplicatedEngine } = await import('./engine-replicated.ts');
  await database.exclusiveTransaction((_, session) => ReplicatedEngine.prepare(session));
}

/** How the replicas are. */
export async function replicaStates(url: string, readUrls: readonly string[]): Promise<ReplicaState[]> {
  const { lookAtReplicas } = await import('./replica.ts');
  return lookAtReplicas(url, readUrls);
}

function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = systemCodeOf(error) === 'ENOENT' ? 'no folder can be made there' : reasonOf(error);
    throw new StorageUnavailable(`The data folder ${folder} cannot be used: ${reason}.`, 'broken');
  }
}
