import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { bootstrap, type FirstCredentials, type FirstStart, isEmpty } from './bootstrap.ts';
import { HashLimiter, PasswordHasher } from './identity/index.ts';
import { second } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import { Refusal } from './kernel/errors.ts';
import { userOfData } from './kernel/folders.ts';
import { connectionsWithin, mostOpenFiles } from './kernel/open-files.ts';
import { makePrivate } from './kernel/private-folder.ts';
import { reasonOf, systemCodeOf } from './kernel/system-faults.ts';
import { requireFinished } from './kernel/unfinished-restore.ts';
import { systemViewer } from './kernel/viewer.ts';
import {
  type Database,
  migrate,
  NewerDatabase,
  openDatabase,
  operationsOn,
  prepareReplicas,
  UnfitDatabase,
} from './storage/index.ts';
import { providePackages, svnUserFault } from './svn/index.ts';
import { type StartWorker, Supervisor, startWorker } from './threads/supervisor.ts';
import { provideWeb } from './web-build/index.ts';

/** A fault that a person can mend: shown without a stack. */
class StartError extends Error {}

function unusablePort(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const place = `Port ${port} of ${host}`;
  const otherPort = 'Choose another with ATELIER_PORT or --port.';
  switch (systemCodeOf(error)) {
    case 'EADDRINUSE':
      return `${place} is in use by another program. ${otherPort}`;
    case 'EACCES':
    case 'EPERM':
      return `${place} is not for this user to listen on. ${otherPort}`;
    default:
      return `${place} cannot be listened on: ${reasonOf(error)}. Choose another with ATELIER_HOST or --host.`;
  }
}

/** A port that nobody else listens on. */
interface ClaimedPort {
  readonly port: number;
  /** Whether it is held until it is released, so that nothing else gets it before the threads listen on it. */
  readonly isHeld: boolean;
  release(): void;
}

/** Finds out at once whether the port is free; port 0 becomes one that is, and that connections of others are not given meanwhile. */
async function claimPort({ host, port }: Config): Promise<ClaimedPort> {
  const isHeld = port === 0 && process.platform === 'linux';
  const probe = createServer((connection) => connection.destroy());
  try {
    probe.listen({ host, port, reusePort: isHeld });
    await once(probe, 'listening');
  } catch (error) {
    throw new StartError(unusablePort(error, { host, port }));
  }
  const address = probe.address();
  const claimed = typeof address === 'object' && address !== null ? address.port : port;
  if (!isHeld) {
    probe.close();
    await once(probe, 'close');
  }
  return { port: claimed, isHeld, release: () => void (isHeld && probe.close()) };
}

/** Where this machine reaches the service. */
function localUrlOf({ host, port }: Config): string {
  const name = ['0.0.0.0', '::', ''].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The address the service gives as its own. */
const publicUrlOf = (config: Config) => config.publicUrl ?? localUrlOf(config);

function createSupervisor(
  config: Config,
  setup: { hasWorkingThreads: boolean; sharesPort: boolean },
  startWorker: StartWorker,
): Supervisor {
  const all = {
    config,
    ...setup,
    publicUrl: publicUrlOf(config),
    jwtSecret: config.jwtSecret ?? randomBytes(64).toString('hex'),
    davSecrets: { hooks: randomBytes(32).toString('hex') },
    hashingPlaces: Math.max(1, availableParallelism() - 1),
  };
  return new Supervisor(all, startWorker);
}

/** Done when the words are with whoever reads them. */
const say = (words: string) =>
  new Promise<void>((done, failed) => {
    process.stdout.write(`${words}\n`, (error) => (error ? failed(error) : done()));
  });

const welcome = (config: Config, { password, accessKey }: FirstCredentials) =>
  [
    '',
    'Welcome to Atelier. The account admin is made; these are shown only now:',
    '',
    `  password    ${password}`,
    `  access key  ${accessKey}`,
    '',
    'Try it:',
    '',
    `  curl -H 'X-Auth-AccessKey: ${accessKey}' ${localUrlOf(config)}/api/${config.hasDemo ? 'projects' : 'users/self'}`,
    '',
    ...(config.hasDemo ? ['The demo project "Lighthouse Keeper" is there in a moment.', ''] : []),
  ].join('\n');

/** What there is to do before the first request of all. */
async function firstStart(config: Config): Promise<FirstStart> {
  const { createPlatform } = await import('./operations.ts');
  const { operations } = createPlatform({ tellsPeople: false });
  return {
    show: (credentials) => say(welcome(config, credentials)),
    requestDemo: config.hasDemo ? (tx) => operations.requestDemo(tx, systemViewer, undefined) : undefined,
  };
}

function stopOnSignal(supervisor: Supervisor, { drainSeconds, stopSeconds }: Config): void {
  const stop = async (grace: number) => {
    process.once('SIGINT', () => process.exit(130));
    await supervisor.drain(grace);
    setTimeout(() => process.exit(1), stopSeconds * second).unref();
    await supervisor.stop();
    process.exit(0);
  };
  let isAsked = false;
  const once = (grace: number) => () => {
    if (!isAsked) void stop(grace);
    isAsked = true;
  };
  process.on('SIGTERM', once(drainSeconds * second));
  // Whoever sits in front of it has no other machine that would take over meanwhile.
  process.once('SIGINT', once(0));
}

/** What a newer version finds artifacts by is made before anybody searches; most starts have nothing to do here. */
async function fillIndex(database: Database): Promise<void> {
  const backlog = database.sql.selectFrom('search_backlog').select('field_id').where('field_id', '=', 0);
  if ((await database.first(backlog)) === undefined) return;
  console.log('Making the search index from the artifacts that are there. This may take a while.');
  const { createPlatform } = await import('./operations.ts');
  const { reindexNext } = operationsOn(database, createPlatform({ tellsPeople: false }).operations);
  while (await reindexNext(systemViewer, undefined));
}

/** Brings the stored data to what this program knows, and fills an empty database. */
async function prepare(database: Database, config: Config): Promise<void> {
  await migrate(database);
  if (config.databaseReadUrls.length > 0) await prepareReplicas(database);
  await fillIndex(database);
  if (!(await isEmpty(database))) return;
  const hashLimiter = new HashLimiter(HashLimiter.createMemory(1));
  await bootstrap(database, new PasswordHasher(config.argon2, hashLimiter), await firstStart(config));
}

/** A part of an address as people read it; one that is none, as a lone `%`, as it was written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where PostgreSQL is, as an address tells it: the host may be a folder with its socket, among the parameters. */
function placeOf(databaseUrl: string): { name: string; place: string } {
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? decoded(hostname);
  const place = `${host === '' ? 'localhost' : host}:${searchParams.get('port') ?? (port === '' ? 5432 : port)}`;
  return { name: decoded(pathname.slice(1)), place };
}

const awayAdvice =
  'Look whether it runs there and takes connections, and whether ATELIER_DATABASE_URL names the right user, password and database. ' +
  'The service has not started and does not keep trying: start it again when the database answers.';

/** A database that cannot be used is told by its place, without the password, and with what can be done. */
function startFault({ databaseUrl }: Config, error: unknown): unknown {
  if (error instanceof NewerDatabase || !(error instanceof Error)) return error;
  const words = (error instanceof Refusal ? error.extras.cause : undefined) ?? error.message;
  if (databaseUrl === undefined) return error instanceof Refusal ? new StartError(words) : error;
  const { name, place } = placeOf(databaseUrl);
  const fault = `The database ${name} of PostgreSQL at ${place} cannot be used: ${words.replace(/\.$/, '')}.`;
  return new StartError(error instanceof UnfitDatabase ? fault : `${fault} ${awayAdvice}`);
}

/** So few connections are worth a word. */
const fewConnections = 1000;

/** No more connections than leave room for what else must be open. */
function withRoom(config: Config): Config {
  const openFiles = mostOpenFiles();
  if (openFiles === undefined) return config;
  const { httpThreads: threads, databaseUrl, databaseReadUrls, databaseConnections: each } = config;
  const servers = databaseUrl === undefined ? 0 : 1 + databaseReadUrls.length;
  const databaseConnections = servers * (threads + 1) * each;
  const room = connectionsWithin(openFiles, { threads, databaseConnections });
  if (room < Math.min(config.maxConnections, fewConnections))
    console.error(
      `atelier: at most ${room} connections are taken, because this process may have only ${openFiles} files open (ulimit -n).`,
    );
  return { ...config, maxConnections: Math.min(config.maxConnections, room) };
}

/** Sees to what repositories need, and tells what keeps them from being used. */
async function provideSubversion(config: Config): Promise<void> {
  const state = await providePackages(config, (line) => console.log(line));
  const fault = state === 'missing' ? undefined : svnUserFault(config);
  if (fault !== undefined) console.error(`atelier: ${fault} Repositories cannot be used; all else can.`);
}

/** The application is built when its sources have changed. */
async function serveWeb(supervisor: Supervisor): Promise<void> {
  const state = await provideWeb((current) => supervisor.serveWeb(current));
  // A build that a stop ended has nothing to tell.
  if (state.kind === 'failed' && !supervisor.isStopping)
    console.error(
      `atelier: the web application could not be built, so only the API is served: ${state.words}`,
    );
}

/** A service that answers requests. */
export interface RunningService {
  /** Where this machine reaches it. */
  readonly url: string;
  stop(): Promise<void>;
}

interface StartOptions {
  /** Told before any thread runs, so that a signal finds somebody to stop. */
  readonly onSupervisor?: (supervisor: Supervisor, config: Config) => void;
  readonly startWorker?: StartWorker;
}

/** Prepares the data and starts the threads. */
export async function startService(
  configured: Config,
  { onSupervisor, startWorker: start = startWorker }: StartOptions = {},
): Promise<RunningService> {
  const claimed = await claimPort(configured);
  const config = withRoom({ ...configured, port: claimed.port });
  const { dataFolder: folder, databaseUrl } = config;
  requireFinished(folder);
  const database = await openDatabase({ folder, databaseUrl, connections: 2 });
  for (const fault of makePrivate(folder)) console.error(`atelier: others may look into the data: ${fault}`);
  try {
    await prepare(database, config);
  } catch (error) {
    throw startFault(config, error);
  }
  if (userOfData(folder) !== undefined)
    console.error(
      `atelier: the data in ${folder} belong to another user, who cannot use what root makes there. Start the service as that user.`,
    );
  await database.close();
  const { needsWriterThread: hasWorkingThreads } = database.capabilities;
  const sharesPort = claimed.isHeld || config.httpThreads > 1;
  const supervisor = createSupervisor(config, { hasWorkingThreads, sharesPort }, start);
  onSupervisor?.(supervisor, config);
  await supervisor.start();
  claimed.release();
  const [localUrl, publicUrl] = [localUrlOf(config), publicUrlOf(config)];
  const service: RunningService = { url: localUrl, stop: () => supervisor.stop() };
  // Told to stop while it started, it begins nothing more.
  if (supervisor.isStopping) return service;
  console.log(`Atelier serves on ${localUrl}${publicUrl === localUrl ? '' : ` as ${publicUrl}`}`);
  // What takes its time is seen to once requests are answered.
  void provideSubversion(config);
  if (config.hasWeb) void serveWeb(supervisor);
  return service;
}

/** Serves until told to stop. */
export async function serve(config: Config): Promise<void> {
  await startService(config, { onSupervisor: stopOnSignal });
}
