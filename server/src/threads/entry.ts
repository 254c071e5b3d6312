import module from 'node:module';
import { workerData } from 'node:worker_threads';

// A thread does not inherit the compile cache; without it, loading the code takes twice as long.
module.enableCompileCache();
await import(`./${workerData.kind}.ts`);
