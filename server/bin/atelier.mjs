#!/usr/bin/env node
// The command `atelier`. Plain JavaScript, so that a Node too old to run TypeScript can still say what to do.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setEnvironmentData } from 'node:worker_threads';

const needed = 26;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

if (Number(process.versions.node.split('.')[0]) >= needed) {
  module.enableCompileCache();
  const { bundleOfCode } = await import('./bundle.mjs');
  const bundle = bundleOfCode();
  setEnvironmentData('bundle', bundle);
  if (bundle !== undefined) process.setSourceMapsEnabled(true);
  const { main } = await import(bundle === undefined ? '../src/main.ts' : `${bundle}/main.js`);
  await main(process.argv.slice(2));
} else {
  // npm scripts find the right Node by themselves; this is for a shell.
  const node = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(node)) {
    console.error(`Atelier needs Node ${needed}. Run "npm start" once, which installs it.`);
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both of us: the child is who decides when to end.
  process.on('SIGINT', () => {});
  child.on('exit', (code) => process.exit(code ?? 1));
}
