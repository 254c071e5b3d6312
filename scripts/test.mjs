// Runs everything `npm test` promises, in the order in which faults are cheapest to find.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const filters = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'atelier-test-'));
const report = join(folder, 'report.json');

function step(title, command, args) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) console.log(`${title}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return status ?? 1;
}

/** What the last run found out about files that have not changed since is not found out again. */
const incremental = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.json'];

function checks() {
  if (filters.length > 0) return 0;
  return (
    step('types', 'tsc', ['--noEmit', ...incremental]) ||
    step('format and lint', 'biome', ['check', '--error-on-warnings', '.'])
  );
}

const status =
  checks() ||
  step('tests', 'vitest', [
    'run',
    // Once more, for machines that are busy with other things; what needed it is named below.
    '--retry=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ]);

try {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const attempted = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { status: outcome, failureMessages, fullName } of attempted)
    if (outcome === 'passed' && failureMessages.length > 0)
      console.log(
        `Unsteady, passed at the second attempt: ${fullName}\n  ${failureMessages[0]?.split('\n')[0]}`,
      );
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
} catch {
  console.log('The tests did not run.');
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);
