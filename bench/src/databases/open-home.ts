import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../../server/test/harness/postgres.ts';
import type { EngineName, Home } from './home.ts';
import { PostgresHome } from './postgres-home.ts';
import { SqliteHome } from './sqlite-home.ts';

/** A home below the folder. PostgreSQL is the server at the address or, without one, a server of our own. */
export async function openHome(
  engine: EngineName,
  folder: string,
  serverUrl: string | undefined,
): Promise<Home> {
  if (engine === 'SQLite') return new SqliteHome(join(folder, 'sqlite'));
  const places = join(folder, 'postgresql');
  await mkdir(places, { recursive: true });
  if (serverUrl !== undefined) return PostgresHome.open(places, serverUrl);
  const server = await startPostgres(folder, { isDurable: true });
  return PostgresHome.open(places, server.urlOf('postgres'), () => server.stop());
}
