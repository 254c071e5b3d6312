import { DeletedArtifacts } from '../archive/index.ts';
import { ListedArtifacts } from '../artifacts/index.ts';
import { PreviewMaker } from '../files/index.ts';
import {
  AnswerMemory,
  BodyBudget,
  createApp,
  Door,
  ReadingRecorder,
  type Services,
  Slices,
  SvnUseRecorder,
  VisitRecorder,
  WebApplication,
} from '../http/index.ts';
import { Authenticator, PasswordHasher } from '../identity/index.ts';
import { second } from '../kernel/clock.ts';
import { ConnectionCounts } from '../kernel/connection-counts.ts';
import { Metrics } from '../kernel/metrics.ts';
import { Places } from '../kernel/places.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { EventStreams } from '../live/index.ts';
import { createLog } from '../log.ts';
import { projectExtensions } from '../operations.ts';
import { People } from '../present/index.ts';
import { BlobKeeper, openBlobs } from '../storage/index.ts';
import { AccessKeeper, CommitJudge, DavLine, HookServer, placesOf, svnDepsOn } from '../svn/index.ts';
import { connectionGauges, keepTelling, replicaGauges } from './counting.ts';
import { databaseOf, hashLimiterOf, Lines, operationsOf, platformOf, searchesOf, threadOf } from './setup.ts';

/** Answers requests. Every such thread listens on the same port; the kernel deals connections out. */
export const run = threadOf(async (setup, control) => {
  const {
    config,
    index,
    publicUrl,
    jwtSecret,
    metricsMemory,
    connectionMemory,
    streamMemory,
    dav,
    davSecrets,
    hookPort,
  } = setup;
  if (dav === undefined) throw new Error('A thread that answers requests needs the way to Apache.');
  const platform = platformOf();
  const { trackers } = platform;
  const database = await databaseOf(setup);
  const lines = new Lines(database);
  const operations = operationsOf(setup, platform, database, lines);
  const hasher = new PasswordHasher(config.argon2, hashLimiterOf(setup));
  const keeper = new BlobKeeper(openBlobs(config), database, operations);
  const davLine = new DavLine(dav);
  const svnDeps = svnDepsOn(config, database, operations);
  const door = new Door();

  const metrics = new Metrics(metricsMemory, index);
  const searching = searchesOf(setup, platform, database, lines);

  const log = createLog(config.logLevel, `http-${index}`);
  const streams = new EventStreams({
    ...{ database, trackers },
    numberEvents: () => operations.numberEvents(systemViewer, undefined),
    fault: (error) => log.warn({ error: String(error) }, 'events could not be told for a moment'),
  });

  const services: Services = {
    config,
    publicUrl,
    jwtSecret,
    database,
    operations,
    searches: searching.calls,
    trackers,
    archive: new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder),
    keeper,
    previews: new PreviewMaker({ keeper, operations }, database),
    people: new People(publicUrl),
    listed: new ListedArtifacts(),
    visits: new VisitRecorder(operations),
    readings: new ReadingRecorder(database, operations),
    svnUses: new SvnUseRecorder(operations),
    hasher,
    authenticator: new Authenticator(database, operations, hasher),
    connections: new ConnectionCounts(connectionMemory, index),
    bodies: new BodyBudget(config.bodyMemory),
    slices: new Slices(),
    metrics,
    answerMemory: new AnswerMemory(config.answerMemory, metrics),
    svnDeps,
    access: new AccessKeeper(svnDeps),
    svnPlaces: new Places(placesOf(config.httpThreads)),
    dav: davLine,
    log,
    streams,
    streamCounts: new ConnectionCounts(streamMemory, index),
    door,
    web: new WebApplication(setup.web),
    isStopping: () => door.isClosed,
  };

  const app = createApp(services);
  const stopTelling = keepTelling(metrics, () => ({
    // What all threads have together is told by one of them.
    connections: index === 0 ? services.connections.all() : 0,
    eventStreams: index === 0 ? services.streamCounts.all() : 0,
    writerQueue: lines.writer.length,
    searchQueue: searching.queue.length,
    ...connectionGauges(database),
    ...(index === 0 ? replicaGauges(database) : {}),
  }));

  /** One of the threads answers the hooks of repositories. */
  async function answerHooks(): Promise<HookServer> {
    const { judge } = new CommitJudge(svnDeps, projectExtensions);
    const server = new HookServer(davSecrets.hooks, judge, services.log);
    davLine.hooksAt(await server.listen(hookPort));
    return server;
  }
  const hooks = index === 0 ? await answerHooks() : undefined;

  async function close(): Promise<void> {
    const { drainSeconds, stopSeconds } = config;
    // A stop may come before the listener is open; one that is closed while it opens fails.
    await listening;
    await door.closeListener(app.server, { grace: drainSeconds * second, running: stopSeconds * second });
    control.report('closed');
  }

  async function stop(): Promise<void> {
    streams.endAll();
    await door.finish(app.server);
    await app.close();
    hooks?.close();
    stopTelling();
    await database.close();
  }

  // Fastify hands all of this to Node's server, though its types do not name reusePort.
  const place = { host: config.host, port: config.port, reusePort: setup.sharesPort };
  const listening = app.listen(place);

  control.obey({
    line: (line) => lines.lay(line),
    web: ({ web }) => services.web.renew(web),
    drain: () => door.drain(app.server),
    close,
    stop,
  });

  await listening;
  control.report('ready');
});
