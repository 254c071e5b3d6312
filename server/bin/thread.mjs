// Where every thread begins. Plain JavaScript: the first TypeScript file that a thread loads without the compile cache would
// make it load the compiler as well, at 15 MB a thread.
import module from 'node:module';
import { getEnvironmentData, workerData } from 'node:worker_threads';

// A thread does not inherit the cache; without it, loading the code takes twice as long.
module.enableCompileCache();
const bundle = getEnvironmentData('bundle');
const { kind } = workerData;
if (bundle !== undefined) process.setSourceMapsEnabled(true);
await import(bundle === undefined ? `../src/threads/${kind}.ts` : `${bundle}/threads/${kind}.js`);
