// A worker that runs one thread of a service after another, each from what it is handed.
import { getEnvironmentData, MessagePort, parentPort } from 'node:worker_threads';
import { loaderOf } from '../../bin/load.mjs';

const bundle = getEnvironmentData('bundle');
let load;

parentPort.on('message', async ({ setup, port }) => {
  const { kind, hasWorkingThreads } = setup;
  load ??= loaderOf(bundle, hasWorkingThreads ? kind : `${kind}-alone`);
  const { run } = await load(`threads/${kind}`);
  const ports = [port, setup.dav].filter((one) => one instanceof MessagePort);
  /** Sees the ways to other threads that it is handed. */
  const control = {
    on: (_name, take) =>
      port.on('message', (order) => {
        if (order.port instanceof MessagePort) ports.push(order.port);
        take(order);
      }),
    postMessage: (report) => port.postMessage(report),
  };
  // As they do with a worker that ends.
  const end = () => {
    for (const one of ports) one.close();
    parentPort.postMessage('done');
  };
  await run(setup, control, end);
});
