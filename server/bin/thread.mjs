// Where every thread begins. Plain JavaScript: the first TypeScript file that a thread loads without the compile cache would
// make it load the compiler as well, at 15 MB a thread.
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { loaderOf } from './load.mjs';

const bundle = getEnvironmentData('bundle');
const { kind, hasWorkingThreads } = workerData;
const load = loaderOf(bundle, hasWorkingThreads ? kind : `${kind}-alone`);
const { run } = await load(`threads/${kind}`);
await run(workerData, parentPort, () => process.exit(0));
