// Where a process begins that does one piece of work for the service. Plain JavaScript, for the same reasons as thread.mjs.
import { keepCompiled } from './compiled.mjs';
import { followSourceMaps } from './stacks.mjs';

// Whoever ordered the work says when it is over; the signals of a stop go to all processes of a service, before their work is loaded too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const [kind, bundle] = process.argv.slice(2);
keepCompiled(bundle, kind);
followSourceMaps(bundle);
await import(bundle === undefined ? `../src/threads/${kind}.ts` : `${bundle}/threads/${kind}.js`);
