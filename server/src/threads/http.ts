import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DeletedArtifacts } from '../archive/index.ts';
import { PreviewMaker } from '../files/index.ts';
import { createApp, People, type Services } from '../http/index.ts';
import { Authenticator, PasswordHasher } from '../identity/index.ts';
import { Metrics } from '../kernel/metrics.ts';
import { createLog } from '../log.ts';
import { projectExtensions, trackers } from '../operations.ts';
import { BlobKeeper, openBlobs } from '../storage/index.ts';
import { AccessKeeper, CommitJudge, DavLine, deskOn, HookServer } from '../svn/index.ts';
import {
  databaseOf,
  operationsOf,
  searchesOf,
  type ThreadOrder,
  type ThreadReport,
  type ThreadSetup,
  turnstileOf,
} from './setup.ts';

/** Answers requests. Every such thread listens on the same port; the kernel deals connections out. */
const setup: ThreadSetup = workerData;
const { config, index, publicUrl, jwtSecret, metricsMemory, dav, davSecrets } = setup;
if (dav === undefined) throw new Error('A thread that answers requests needs the way to Apache.');
const database = await databaseOf(setup);
const operations = operationsOf(setup, database);
const hasher = new PasswordHasher(config.argon2, turnstileOf(setup));
const keeper = new BlobKeeper(openBlobs(config), database, operations);
const davLine = new DavLine(dav);
const desk = deskOn(config, database, operations);
let isStopping = false;

const services: Services = {
  config,
  publicUrl,
  jwtSecret,
  database,
  operations,
  searches: searchesOf(setup, database),
  trackers,
  archive: new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder),
  keeper,
  previews: new PreviewMaker({ keeper, operations }, database),
  people: new People(publicUrl),
  hasher,
  authenticator: new Authenticator(database, operations, hasher),
  metrics: new Metrics(metricsMemory, index),
  desk,
  access: new AccessKeeper(desk),
  dav: davLine,
  log: createLog(config.logLevel, `http-${index}`),
  isStopping: () => isStopping,
};

const app = createApp(services);

/** One of the threads answers the hooks of repositories. */
async function answerHooks(): Promise<void> {
  const { judge } = new CommitJudge(desk, projectExtensions);
  const server = new HookServer(davSecrets.hooks, judge, services.log);
  davLine.hooksAt(await server.listen());
}
if (index === 0) await answerHooks();

/** Requests whose headers have arrived and whose answer is not written yet. */
let running = 0;
app.server.on('request', (_request, response) => {
  running++;
  response.once('close', () => running--);
});

/** Waits for what runs; connections on which nothing runs are closed, whatever their clients may still have in mind. */
async function finishRequests(): Promise<void> {
  app.server.close();
  while (running > 0) {
    app.server.closeIdleConnections();
    await pause(20);
  }
  app.server.closeAllConnections();
}

parentPort?.on('message', async (_: ThreadOrder) => {
  isStopping = true;
  await finishRequests();
  await app.close();
  await database.close();
  process.exit(0);
});

// Fastify hands all of this to Node's server, though its types do not name reusePort.
const listening = { host: config.host, port: config.port, reusePort: config.httpThreads > 1 };
await app.listen(listening);
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReport);
