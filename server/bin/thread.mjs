// Where every thread begins. Plain JavaScript: the first TypeScript file that a thread loads without the compile cache would
// make it load the compiler as well, at 15 MB a thread.
import module from 'node:module';
import { workerData } from 'node:worker_threads';

// A thread does not inherit the cache; without it, loading the code takes twice as long.
module.enableCompileCache();
await import(`../src/threads/${workerData.kind}.ts`);
