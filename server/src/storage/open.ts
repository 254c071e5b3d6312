import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from './database.ts';
import { PostgresEngine } from './engine-postgres.ts';
import { SqliteEngine } from './engine-sqlite.ts';

export interface StorageOptions {
  /** The data folder. */
  readonly folder: string;
  /** Where PostgreSQL is; without it everything is kept in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Connections of one thread to PostgreSQL. */
  readonly connections: number;
}

/** Opens the database that the options name. Nothing is read or written yet. */
export function openDatabase({ folder, databaseUrl, connections }: StorageOptions): Database {
  if (databaseUrl !== undefined) return new Database(new PostgresEngine(databaseUrl, connections));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Database(new SqliteEngine(join(folder, 'atelier.sqlite')));
}
