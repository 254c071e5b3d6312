// A process in which one service after another runs, each with a database and a memory of its own, on threads that have run one before: most of
// what a test costs is a new process that loads the code and has to become fast. Plain JavaScript, as `bin/atelier.mjs` is.
import { EventEmitter } from 'node:events';
import { flushCompileCache } from 'node:module';
import { MessageChannel, setEnvironmentData, Worker } from 'node:worker_threads';
import { bundleOfCode } from '../../bin/bundle.mjs';
import { loaderOf } from '../../bin/load.mjs';

const bundle = bundleOfCode();
setEnvironmentData('bundle', bundle);
const load = loaderOf(bundle, 'host');
process.umask(0o077);
const { loadService } = await load('main');
const { startService, readConfig, limitsOf } = await loadService();

/** Workers that wait for their next thread, by its kind. */
const idle = new Map();

const takeWorker = (kind) =>
  idle.get(kind)?.pop() ??
  new Worker(new URL('host-thread.mjs', import.meta.url), { name: kind, resourceLimits: limitsOf(kind) });

/** What the service takes for a worker: it ends with its thread, while the real one goes on to the next. */
class LentWorker extends EventEmitter {
  #port;

  constructor(setup, ports) {
    super();
    const { kind } = setup;
    const worker = takeWorker(kind);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1.on('message', (message) => this.emit('message', message));
    const fail = (error) => this.emit('error', error);
    const end = (code) => {
      worker.off('error', fail).off('exit', end).off('message', giveBack);
      port1.close();
      this.emit('exit', code);
    };
    const giveBack = () => {
      idle.set(kind, [...(idle.get(kind) ?? []), worker]);
      end(0);
    };
    worker.on('error', fail).on('exit', end).on('message', giveBack);
    worker.postMessage({ setup, port: port2 }, [port2, ...ports]);
  }

  postMessage(message, ports = []) {
    this.#port.postMessage(message, ports);
  }
}

const startWorker = (setup, ports) => new LentWorker(setup, ports);

let service;

const orders = {
  async start({ environment }) {
    service = await startService(readConfig(environment), { startWorker });
    // For the next of these processes: some tests kill theirs.
    flushCompileCache();
    return { url: service.url };
  },
  async stop() {
    await service.stop();
    return {};
  },
};

process.on('message', async ({ order, ...input }) => {
  try {
    process.send(await orders[order](input));
  } catch (error) {
    process.send({ fault: error.stack ?? String(error) });
  }
});
// Nobody is left who would want a service.
process.on('disconnect', () => process.exit(0));
process.send({});
