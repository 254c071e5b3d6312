import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { bootstrap, type FirstCredentials } from './bootstrap.ts';
import { Metrics } from './http/metrics.ts';
import { PasswordHasher, Turnstile } from './identity/index.ts';
import type { Config } from './kernel/config.ts';
import { type Database, migrate, openDatabase } from './storage/index.ts';
import type { ThreadReport, ThreadSetup } from './threads/setup.ts';

/** A fault that a person can mend: shown without a stack. */
export class StartError extends Error {}

type ThreadKind = 'http' | 'writer' | 'searcher' | 'background';

/** Finds out at once whether the port is free; port 0 becomes one that is. */
async function claimPort({ host, port }: Config): Promise<number> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`;
    throw new StartError(`Port ${port} of ${host} ${reason}. Choose another with ATELIER_PORT.`);
  }
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}

function publicUrlOf({ publicUrl, host, port }: Config): string {
  const name = ['0.0.0.0', '::', ''].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return publicUrl ?? `http://${name}:${port}`;
}

/** One process: its threads, and how they are started and stopped. */
class Threads {
  readonly #workers: { readonly kind: ThreadKind; readonly worker: Worker }[] = [];
  #isStopping = false;

  async start(kind: ThreadKind, setup: ThreadSetup): Promise<void> {
    const ports = [setup.writer, setup.searcher, ...(setup.callers ?? [])];
    const transferList = ports.filter((port): port is MessagePort => port !== undefined);
    const worker = new Worker(new URL(`./threads/${kind}.ts`, import.meta.url), {
      workerData: setup,
      transferList,
      name: kind,
    });
    this.#workers.push({ kind, worker });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (_: ThreadReport) => resolve());
      worker.once('error', reject);
    });
    worker.on('error', (error) =>
      this.#failed(kind, error instanceof Error ? error : new Error(String(error))),
    );
    worker.on('exit', (code) => this.#failed(kind, new Error(`it ended with code ${code}`)));
  }

  /** A thread that ends unasked leaves the process in an unknown state: end it, and let the supervisor start anew. */
  #failed(kind: ThreadKind, error: Error): void {
    if (this.#isStopping) return;
    console.error(`The ${kind} thread failed: ${error.stack ?? error.message}`);
    process.exit(1);
  }

  async #stopKind(kind: ThreadKind): Promise<void> {
    const workers = this.#workers.filter((entry) => entry.kind === kind).map(({ worker }) => worker);
    await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.postMessage({ kind: 'stop' });
        await ended;
      }),
    );
  }

  /** Those who ask stop before those who answer. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const kind of ['http', 'background', 'searcher', 'writer'] as const) await this.#stopKind(kind);
  }
}

async function startThreads(database: Database, config: Config): Promise<Threads> {
  const threads = new Threads();
  const common = {
    config,
    index: 0,
    publicUrl: publicUrlOf(config),
    jwtSecret: config.jwtSecret ?? randomBytes(64).toString('hex'),
    metricsMemory: Metrics.createMemory(config.httpThreads),
    turnstileMemory: Turnstile.createMemory(Math.max(1, availableParallelism() - 1)),
  };
  const hasOwnThreads = database.capabilities.needsWriterThread;
  const toWriter = Array.from({ length: config.httpThreads + 1 }, () => new MessageChannel());
  const toSearcher = Array.from({ length: config.httpThreads }, () => new MessageChannel());
  const starting: Promise<void>[] = [];
  const portsOf = (index: number) =>
    hasOwnThreads ? { writer: toWriter[index]?.port1, searcher: toSearcher[index]?.port1 } : {};
  if (hasOwnThreads) {
    starting.push(threads.start('writer', { ...common, callers: toWriter.map(({ port2 }) => port2) }));
    starting.push(threads.start('searcher', { ...common, callers: toSearcher.map(({ port2 }) => port2) }));
  }
  for (let index = 0; index < config.httpThreads; index++) {
    starting.push(threads.start('http', { ...common, index, ...portsOf(index) } as ThreadSetup));
  }
  await Promise.all(starting);
  await threads.start('background', {
    ...common,
    ...(hasOwnThreads ? { writer: toWriter.at(-1)?.port1 } : {}),
  } as ThreadSetup);
  return threads;
}

function tell(publicUrl: string, first: FirstCredentials | undefined): void {
  if (first !== undefined) {
    console.log(
      [
        '',
        'Welcome to Atelier. The account admin was made; these are shown only now:',
        '',
        `  password    ${first.password}`,
        `  access key  ${first.accessKey}`,
        '',
        'Try it:',
        '',
        `  curl -H 'X-Auth-AccessKey: ${first.accessKey}' ${publicUrl}/api/users/self`,
        '',
      ].join('\n'),
    );
  }
  console.log(`Atelier serves on ${publicUrl}`);
}

function stopOnSignal(threads: Threads, stopSeconds: number): void {
  const stop = () => {
    process.once('SIGINT', () => process.exit(130));
    setTimeout(() => process.exit(1), stopSeconds * 1000).unref();
    void threads.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Prepares the data, starts the threads and serves until told to stop. */
export async function serve(given: Config): Promise<void> {
  const port = await claimPort(given);
  const config = { ...given, port };
  const { dataFolder: folder, databaseUrl } = config;
  const database = openDatabase({ folder, databaseUrl, connections: 2 });
  await migrate(database);
  const turnstile = new Turnstile(Turnstile.createMemory(1));
  const first = await bootstrap(database, new PasswordHasher(config.argon2, turnstile));
  const threads = await startThreads(database, config);
  await database.close();
  stopOnSignal(threads, config.stopSeconds);
  tell(publicUrlOf(config), first);
}
