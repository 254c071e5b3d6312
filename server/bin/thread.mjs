// Where every thread begins. Plain JavaScript: the first TypeScript file that a thread loads without the compile cache would
// make it load the compiler as well, at 15 MB a thread.
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { keepCompiled } from './compiled.mjs';
import { followSourceMaps } from './stacks.mjs';

const bundle = getEnvironmentData('bundle');
const { kind, hasWorkingThreads } = workerData;
// A thread does not inherit what is kept; without it, loading the code takes twice as long.
keepCompiled(bundle, hasWorkingThreads ? kind : `${kind}-alone`);
followSourceMaps(bundle);
const { run } = await import(
  bundle === undefined ? `../src/threads/${kind}.ts` : `${bundle}/threads/${kind}.js`
);
await run(workerData, parentPort, () => process.exit(0));
