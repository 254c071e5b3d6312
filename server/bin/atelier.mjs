#!/usr/bin/env node
// The command `atelier`. Plain JavaScript, so that a Node too old to run TypeScript can still find the right one.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setEnvironmentData } from 'node:worker_threads';
import {
  environmentOfNode,
  isNewEnough,
  isRunningNow,
  packageOfNode,
  pinnedNode,
  whereToGetNode,
} from './pinned-node.mjs';

async function runHere() {
  const { bundleOfCode } = await import('./bundle.mjs');
  const bundle = bundleOfCode();
  setEnvironmentData('bundle', bundle);
  const { loaderOf } = await import('./load.mjs');
  const load = loaderOf(bundle, process.argv[2] === 'serve' ? 'main' : 'command');
  const { main } = await load('main');
  await main(process.argv.slice(2));
}

function runOn(node) {
  // Its own path in full, whatever link or relative path led here: so whoever looks at the processes knows whose it is.
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit', env: environmentOfNode() });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both of us: the child is who decides when to end.
  process.on('SIGINT', () => {});
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  // It is there and cannot be run, as on a system with another C library.
  child.on('error', runWithout);
}

function runWithout() {
  if (isNewEnough) return runHere();
  const isToBeInstalled = packageOfNode !== undefined && pinnedNode() === undefined;
  console.error(
    isToBeInstalled
      ? 'Nothing is installed here yet: "npm start" does it, or "node scripts/setup.mjs" alone.'
      : whereToGetNode(),
  );
  process.exit(1);
}

const node = pinnedNode();
if (node === undefined) await runWithout();
else if (isRunningNow(node)) await runHere();
else runOn(node);
