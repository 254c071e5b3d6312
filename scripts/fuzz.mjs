// Sends requests made by chance to the service on both engines: npm run fuzz -- --requests 200000 --seed 42
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const root = dirname(import.meta.dirname);
const options = { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } };

function numbersIn(args) {
  const { values } = parseArgs({ args, options });
  for (const [name, value] of Object.entries(values))
    if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} must be a number of at most nine digits.`);
  return values;
}

function environmentFor({ requests, seed = String(Math.trunc(Math.random() * 1e9)) }) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path, ATELIER_FUZZ_REQUESTS: requests, ATELIER_FUZZ_SEED: seed };
}

try {
  const env = environmentFor(numbersIn(process.argv.slice(2)));
  const args = ['run', 'server/test/hostile/requests.test.ts', '--reporter=verbose', '--retry=0'];
  process.exitCode = spawnSync('vitest', args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
