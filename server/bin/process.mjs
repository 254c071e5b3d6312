// Where a process begins that does one piece of work for the service. Plain JavaScript, for the same reasons as thread.mjs.
import { loaderOf } from './load.mjs';

// Whoever ordered the work says when it is over; the signals of a stop go to all processes of a service, before their work is loaded too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const [kind, bundle] = process.argv.slice(2);
const load = loaderOf(bundle, kind);
await load(`threads/${kind}`);
