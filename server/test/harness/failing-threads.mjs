// Loaded into every thread of a service under test. A thread dies in the way that a file of its name says, once.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';

function runOutOfMemory() {
  const kept = [];
  for (;;) kept.push(new Array(1_000_000).fill(0.5));
}

const deaths = {
  throw() {
    throw new Error('This thread was told to fail.');
  },
  exit: () => process.exit(7),
  memory: runOutOfMemory,
};

const folder = process.env.FAILING_THREADS;
if (!isMainThread && folder !== undefined && workerData?.kind !== undefined) {
  const order = join(folder, `${workerData.kind}-${workerData.index}`);
  setInterval(() => {
    if (!existsSync(order)) return;
    const death = readFileSync(order, 'utf8');
    rmSync(order);
    deaths[death]();
  }, 20).unref();
}
