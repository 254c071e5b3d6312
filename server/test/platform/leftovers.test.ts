import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endsWithTests } from '../harness/processes.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** Runs one of the files that misbehave, in a temporary folder of its own. */
function runFile(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-leftovers-'));
  const told = join(folder, 'told');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // PostgreSQL may run as somebody else.
  chmodSync(folder, 0o755);
  const args = [vitest, 'run', '--config', 'server/test/leftovers/vitest.config.ts', name];
  const env = { ...process.env, TMPDIR: temporary, LEFTOVERS_TELL: told };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const run = endsWithTests(spawn(process.execPath, args, { cwd: root, env, stdio: [...stdio] }));
  let said = '';
  for (const stream of [run.stdout, run.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  return {
    run,
    /** What was started: known once it runs. */
    started: async (): Promise<{ pid: number; folder: string }> => {
      while (!existsSync(told)) {
        if (run.exitCode !== null) throw new Error(`The run ended before it started anything: ${said}`);
        await pause(20);
      }
      return JSON.parse(readFileSync(told, 'utf8'));
    },
    temporary: () => readdirSync(temporary).filter((entry) => entry.startsWith('atelier')),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a test that fails leaves no process and no folder behind', async () => {
  const { run, started, temporary } = runFile('fails');
  const [code] = await once(run, 'exit');
  expect(code).toBe(1);
  expect(isRunning((await started()).pid)).toBe(false);
  expect(temporary()).toEqual([]);
});

test('a run that is killed while a test hangs leaves no process and no folder behind', async () => {
  const { run, started, temporary } = runFile('hangs');
  const { pid, folder } = await started();
  expect(isRunning(pid)).toBe(true);
  expect(existsSync(folder)).toBe(true);
  run.kill('SIGKILL');
  while (isRunning(pid) || temporary().length > 0) await pause(20);
});
