import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bootstrap, type FirstCredentials } from '../../src/bootstrap.ts';
import { PasswordHasher, Turnstile } from '../../src/identity/index.ts';
import { migrate, openDatabase } from '../../src/storage/index.ts';
import { providePackages } from '../../src/svn/index.ts';
import { startPostgres } from './postgres.ts';
import { cheapHashing, type Prepared, postgresTemplate } from './prepared.ts';

async function prepareTemplate(folder: string, databaseUrl: string | undefined): Promise<string> {
  const database = await openDatabase({ folder, databaseUrl, connections: 2 });
  await migrate(database);
  const hasher = new PasswordHasher(cheapHashing, new Turnstile(Turnstile.createMemory(1)));
  let key: string | undefined;
  const show = async ({ accessKey }: FirstCredentials) => {
    key = accessKey;
  };
  await bootstrap(database, hasher, { show });
  await database.close();
  if (key === undefined) throw new Error('The template was not empty.');
  return key;
}

/** A folder for all that the run makes, and a process that removes it with all that runs when the run ends, however that happens. */
function openRun(): { folder: string; close: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-tests-'));
  writeFileSync(join(folder, 'processes'), '');
  mkdirSync(join(folder, 'tmp'));
  const cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.mjs'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Compiled code is worth keeping from run to run.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  // For the processes in which the test files run.
  Object.assign(process.env, { ATELIER_TEST_RUN: folder, TMPDIR: join(folder, 'tmp') });
  const close = async () => {
    const ended = once(cleaner, 'exit');
    cleaner.stdin.end();
    await ended;
  };
  return { folder, close };
}

/** Makes one migrated database of each engine; every test file works on a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The tests talk to real repositories.
  await providePackages(process.env['ATELIER_APT'] !== '0', (line) => console.log(line));
  const { folder, close } = openRun();
  const sqlite = join(folder, 'sqlite');
  mkdirSync(sqlite);
  const postgres = await startPostgres(folder);
  await postgres.query(`create database ${postgresTemplate}`);
  const prepared: Prepared = {
    sqliteFolder: sqlite,
    sqliteKey: await prepareTemplate(sqlite, undefined),
    postgresUrl: postgres.urlOf(''),
    postgresKey: await prepareTemplate(sqlite, postgres.urlOf(postgresTemplate)),
  };
  project.provide('prepared', prepared);
  return close;
}
