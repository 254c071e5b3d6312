// Loaded into every thread of a service under test, which is told to stop as soon as the first of them begins.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) process.kill(process.pid, 'SIGTERM');
