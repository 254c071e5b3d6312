import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/kernel/config.ts';
import { providePackages } from '../../src/svn/workspace/packages.ts';
import { lacksBrowser } from './browser.ts';
import { startPostgres } from './postgres.ts';
import { lacksCurl } from './programs.ts';
import { provideTemplates } from './templates.ts';
import { leavesRareCases } from './thorough.ts';

/** Far more than a run needs at once. */
const plenty = 8 * 1024 ** 3;

/** Files in memory: databases by the hundred are made and thrown away. Not where somebody names another place for what is temporary. */
function placeInMemory(): string | undefined {
  const place = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined) return undefined;
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const settings = mount.find(([, where]) => where === place)?.[3]?.split(',') ?? ['noexec'];
    const { bavail, bsize } = statfsSync(place);
    const isRoomy = Math.min(freemem(), bavail * bsize) >= plenty;
    // Programs run from there, PostgreSQL among them.
    return isRoomy && !settings.includes('noexec') ? place : undefined;
  } catch {
    return undefined;
  }
}

/** A folder for all that the run makes, and a process that removes it with all that runs when the run ends, however that happens. */
function openRun(): { folder: string; close: () => Promise<void> } {
  const folder = mkdtempSync(join(placeInMemory() ?? tmpdir(), 'atelier-tests-'));
  // PostgreSQL may run as somebody else.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'processes'), '');
  mkdirSync(join(folder, 'tmp'));
  const cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.mjs'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // A run that cannot begin does not wait for it.
  cleaner.unref();
  // Compiled code is worth keeping from run to run.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  // For the processes in which the test files run.
  Object.assign(process.env, { ATELIER_TEST_RUN: folder, TMPDIR: join(folder, 'tmp') });
  const close = async () => {
    cleaner.ref();
    const ended = once(cleaner, 'exit');
    cleaner.stdin.end();
    await ended;
  };
  return { folder, close };
}

/** Provides one migrated database of each engine; every test file works on a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The tests talk to real repositories.
  await providePackages(readConfig(process.env), (line) => console.log(line));
  const { folder, close } = openRun();
  const { sqliteFolder, keys } = provideTemplates(folder);
  const postgres = await startPostgres(folder);
  project.provide('prepared', {
    sqliteFolder,
    sqliteKey: keys.sqlite,
    postgresUrl: postgres.localUrlOf(''),
    postgresKey: keys.postgres,
  });
  return async () => {
    await close();
    if (leavesRareCases) console.log('Rare cases were left out: `npm test -- --thorough` has them too.');
    if (lacksCurl) console.log('The tour of README was left out: there is no curl.');
    if (lacksBrowser)
      console.log(
        'Tests in a browser were left out: npm has no Chromium for this machine. Name one by ATELIER_TEST_BROWSER=/usr/bin/chromium.',
      );
  };
}
