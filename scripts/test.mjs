// Runs everything `npm test` promises, in the order in which faults are cheapest to find.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';

const root = dirname(import.meta.dirname);
const isThorough = process.argv.includes('--thorough');
const filters = process.argv.slice(2).filter((word) => word !== '--thorough');
/** Whoever names a file or a room wants all of its tests; of everything, or of one of these, the rare cases take as long as the rest. */
const parts = ['server/test', 'web/test', 'bench/test'];
const isUsual = !isThorough && filters.every((word) => parts.includes(word));
const cache = join(root, 'node_modules', '.cache');
const report = join(cache, 'test-report.json');
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  ATELIER_TESTS: isUsual ? 'usual' : 'all',
};

function step(title, command, args) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  if (status === 0) console.log(`${title}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return status ?? 1;
}

/** As `step`, beside others. */
async function stepBeside(title, command, args) {
  const started = Date.now();
  const [status] = await once(spawn(command, args, { cwd: root, env, stdio: 'inherit' }), 'exit');
  if (status === 0) console.log(`${title}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return status ?? 1;
}

/** What the last run found out about files that have not changed since is not found out again. */
const incremental = ['--incremental', '--tsBuildInfoFile', join(cache, 'types.json')];

/** By itself the type checker works four times over on what files have in common; one part of it leaves room for the other step. */
const alone = ['--checkers', '1'];

async function checks() {
  if (filters.length > 0) return 0;
  const found = await Promise.all([
    stepBeside('types', 'tsc', ['--noEmit', ...alone, ...incremental]),
    stepBeside('format and lint', 'biome', ['check', '--error-on-warnings', '.']),
  ]);
  return Math.max(...found);
}

function runTests(title, args) {
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return step(title, 'vitest', ['run', '--retry=0', ...reporters, ...args]);
}

/** What vitest found: undefined when it did not get so far. */
function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

const failuresOf = ({ testResults }) => testResults.filter(({ status }) => status === 'failed');

function tellUnsteady(failed) {
  for (const { name, message, assertionResults } of failed) {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    const lines = tests.map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]);
    // A file that fails as a whole says so itself.
    for (const [title, words] of lines.length > 0 ? lines : [[relative(root, name), message]])
      console.log(`Unsteady, passed at the second attempt: ${title}\n  ${words?.split('\n')[0]}`);
  }
}

/**
 * Files in which something failed get a second attempt, for machines that are busy with other things: all of the file, so that it begins
 * with a fresh server and fresh data.
 */
function attemptAgain(first) {
  const failed = failuresOf(first);
  const left = first.numPendingTests;
  const others = first.numPassedTests - failed.flatMap(passedIn).length;
  const status = runTests(
    'tests, second attempt',
    failed.map(({ name }) => relative(root, name)),
  );
  const second = readReport();
  if (second === undefined) return { status, passed: others, failed: first.numFailedTests, left };
  const stillFailed = new Set(failuresOf(second).map(({ name }) => name));
  tellUnsteady(failed.filter(({ name }) => !stillFailed.has(name)));
  return { status, passed: others + second.numPassedTests, failed: second.numFailedTests, left };
}

const passedIn = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'passed');

function tests() {
  mkdirSync(cache, { recursive: true });
  const status = runTests('tests', filters);
  const first = readReport();
  if (first === undefined) return { status: status || 1 };
  if (failuresOf(first).length === 0)
    return { status, passed: first.numPassedTests, failed: 0, left: first.numPendingTests };
  return attemptAgain(first);
}

let status = await checks();
if (status === 0) {
  const outcome = tests();
  ({ status } = outcome);
  console.log(
    outcome.passed === undefined
      ? 'The tests did not run.'
      : `${outcome.passed} passed, ${outcome.failed} failed, ${outcome.left} left out`,
  );
}
process.exit(status);
