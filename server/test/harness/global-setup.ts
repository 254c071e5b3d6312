import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bootstrap } from '../../src/bootstrap.ts';
import { PasswordHasher, Turnstile } from '../../src/identity/index.ts';
import { migrate, openDatabase } from '../../src/storage/index.ts';
import { startPostgres } from './postgres.ts';
import { cheapHashing, type Prepared, postgresTemplate } from './prepared.ts';

async function prepareTemplate(folder: string, databaseUrl: string | undefined): Promise<string> {
  const database = await openDatabase({ folder, databaseUrl, connections: 2 });
  await migrate(database);
  const hasher = new PasswordHasher(cheapHashing, new Turnstile(Turnstile.createMemory(1)));
  const first = await bootstrap(database, hasher);
  await database.close();
  if (first === undefined) throw new Error('The template was not empty.');
  return first.accessKey;
}

/** Makes one migrated database of each engine; every test file works on a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-tests-'));
  const sqlite = join(folder, 'sqlite');
  mkdirSync(sqlite);
  const postgres = await startPostgres(folder);
  await postgres.query(`create database ${postgresTemplate}`);
  const prepared: Prepared = {
    folder,
    sqliteFolder: sqlite,
    sqliteKey: await prepareTemplate(sqlite, undefined),
    postgresUrl: postgres.urlOf(''),
    postgresKey: await prepareTemplate(sqlite, postgres.urlOf(postgresTemplate)),
  };
  project.provide('prepared', prepared);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
