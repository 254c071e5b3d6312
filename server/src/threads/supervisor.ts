import { type EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  MessageChannel,
  type MessagePort,
  type ResourceLimits,
  type Transferable,
  Worker,
} from 'node:worker_threads';
import { HashLimiter } from '../identity/index.ts';
import { minute, second } from '../kernel/clock.ts';
import { ConnectionCounts } from '../kernel/connection-counts.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { answerDavLine, DavServer, SvnWorkspace } from '../svn/index.ts';
import type { WebState } from '../web-build/index.ts';
import { createMetricsMemory, metricsOf } from './counting.ts';
import type { ThreadKind, ThreadOrder, ThreadReport, ThreadSetup, WorkingKind } from './setup.ts';

/** Mebibytes for young objects. Left alone, every thread takes as much as a whole server needs. */
const youngGeneration: Readonly<Record<ThreadKind, number>> = {
  http: 24,
  writer: 8,
  searcher: 8,
  'long-searcher': 8,
  background: 8,
};

/**
 * Megabytes at the most of what lives longer, in each thread. Far more than anything needs; but the nearer the end, the
 * sooner the collector runs, and without one it lets garbage double the size of the process.
 */
const oldGeneration = 512;

export const limitsOf = (kind: ThreadKind): ResourceLimits => ({
  maxYoungGenerationSizeMb: youngGeneration[kind],
  maxOldGenerationSizeMb: oldGeneration,
});

/** Those who ask stop before those who answer. */
const stopOrder: readonly ThreadKind[] = ['http', 'background', 'searcher', 'long-searcher', 'writer'];

/** Whom each kind of thread asks for work. */
const askedBy: Readonly<Record<ThreadKind, readonly WorkingKind[]>> = {
  http: ['writer', 'searcher'],
  background: ['writer'],
  searcher: ['long-searcher'],
  'long-searcher': [],
  writer: [],
};

/** So many deaths of threads within such a time are no accident: whoever started the process should start it anew. */
const endurance = { deaths: 3, within: minute };

/** What is the same for every thread of the process. */
export type CommonSetup = Omit<
  ThreadSetup,
  | 'kind'
  | 'index'
  | 'dav'
  | 'hookPort'
  | 'web'
  | 'metricsMemory'
  | 'hashLimiterMemory'
  | 'connectionMemory'
  | 'streamMemory'
> & { readonly hashingPlaces: number };

/** What is needed of a worker. */
export interface ThreadWorker extends EventEmitter {
  postMessage(message: unknown, ports?: readonly Transferable[]): void;
}

/** Starts a worker that does what a thread of this setup does. */
export type StartWorker = (setup: ThreadSetup, ports: readonly Transferable[]) => ThreadWorker;

export const startWorker: StartWorker = (workerData, ports) =>
  new Worker(new URL('../../bin/thread.mjs', import.meta.url), {
    workerData,
    transferList: [...ports],
    name: workerData.kind,
    resourceLimits: limitsOf(workerData.kind),
  });

/** A thread that runs, or starts. */
interface Thread {
  readonly kind: ThreadKind;
  readonly index: number;
  readonly worker: ThreadWorker;
}

/** The threads of one process: how they are started, joined, replaced and stopped. */
export class Supervisor {
  readonly #common: Omit<ThreadSetup, 'kind' | 'index' | 'dav' | 'hookPort' | 'web'>;
  readonly #startWorker: StartWorker;
  readonly #threads = new Set<Thread>();
  readonly #dav: DavServer;
  readonly #metrics: Metrics;
  /** When threads died, by a clock that nobody sets. */
  #deaths: number[] = [];
  #web: WebState;
  #isServing = false;
  #isDraining = false;
  #isStopping = false;

  constructor({ hashingPlaces, ...common }: CommonSetup, startWorker: StartWorker) {
    this.#startWorker = startWorker;
    const { httpThreads } = common.config;
    const metricsMemory = createMetricsMemory(common.config);
    const hashLimiterMemory = HashLimiter.createMemory(hashingPlaces, httpThreads);
    const connectionMemory = ConnectionCounts.createMemory(httpThreads);
    const streamMemory = ConnectionCounts.createMemory(httpThreads);
    this.#common = { ...common, metricsMemory, hashLimiterMemory, connectionMemory, streamMemory };
    this.#web = { kind: common.config.hasWeb ? 'building' : 'off' };
    this.#metrics = metricsOf('main', { config: common.config, metricsMemory });
    this.#dav = new DavServer({
      svnWorkspace: () => new SvnWorkspace(common.config),
      secrets: common.davSecrets,
      tell: (fault) => console.error(`atelier: ${fault}`),
    });
  }

  /** Starts everything, and is done when requests are answered; the threads that can be waited for come after. */
  async start(): Promise<void> {
    const { config, hasWorkingThreads } = this.#common;
    const answering = Array.from({ length: config.httpThreads }, (_, index) => this.#begin('http', index));
    if (hasWorkingThreads) void this.#begin('writer');
    await Promise.all(answering);
    // What a stop has begun to end gets no more threads.
    if (this.#isStopping) return;
    this.#isServing = true;
    if (hasWorkingThreads) void this.#begin('searcher');
    void this.#begin('background');
  }

  /** Serves the web application as it is now. */
  serveWeb(web: WebState): void {
    this.#web = web;
    for (const worker of this.#workersOf('http')) tell(worker, { kind: 'web', web });
  }

  #lineToDav(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    answerDavLine(port2, this.#dav);
    return port1;
  }

  async #begin(kind: ThreadKind, index = 0): Promise<void> {
    const dav = kind === 'http' ? this.#lineToDav() : undefined;
    const hookPort = this.#dav.hookPort;
    const setup: ThreadSetup = { ...this.#common, kind, index, dav, hookPort, web: this.#web };
    const worker = this.#startWorker(setup, dav === undefined ? [] : [dav]);
    const thread: Thread = { kind, index, worker };
    let reason: unknown;
    worker.once('error', (error) => {
      reason = error;
    });
    worker.once('exit', (code) => this.#ended(thread, reason ?? `it ended with code ${code}`));
    this.#threads.add(thread);
    this.#join(thread);
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'long-searches') this.#helpSearcher();
    });
    if (this.#isDraining && kind === 'http') tell(worker, { kind: 'drain' });
    await reported(worker, 'ready');
  }

  /**
   * Most platforms never need the thread of long searches, so that it begins with the first of them; also of those that
   * still get their answers during a stop.
   */
  #helpSearcher(): void {
    if (this.#workersOf('long-searcher').length === 0) void this.#begin('long-searcher');
  }

  /** Lays the lines between a new thread and those that are there already. */
  #join(thread: Thread): void {
    if (!this.#common.hasWorkingThreads) return;
    for (const other of this.#threads) {
      if (isAskedBy(thread, other)) layLine(thread, other.kind, other);
      else if (isAskedBy(other, thread)) layLine(other, thread.kind, thread);
    }
  }

  /** A thread that ends unasked gives way to another, while the rest of them go on. */
  #ended(thread: Thread, reason: unknown): void {
    this.#threads.delete(thread);
    if (this.#isStopping) return;
    const { kind, index } = thread;
    const words = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    console.error(`atelier: the ${kind} thread failed: ${words}`);
    // One that cannot even start is a fault of this machine or its configuration.
    if (!this.#isServing) process.exit(1);
    // Nobody knows how far a writer had come. Those who wait for it are told so, and a new process begins with what is stored.
    if (kind === 'writer' || this.#hasEnough()) return void this.#giveUp();
    this.#metrics.threadReplaced(kind);
    if (kind === 'http') new HashLimiter(this.#common.hashLimiterMemory, index).clear();
    void this.#begin(kind, index);
  }

  #hasEnough(): boolean {
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((death) => now - death < endurance.within), now];
    return this.#deaths.length >= endurance.deaths;
  }

  /** Ends the process, so that whoever started it starts it anew; requests that run get their answers. */
  async #giveUp(): Promise<void> {
    console.error('atelier: the service ends, to be started anew.');
    setTimeout(() => process.exit(1), this.#common.config.stopSeconds * second).unref();
    await this.stop();
    process.exit(1);
  }

  #workersOf(kind: ThreadKind): ThreadWorker[] {
    return [...this.#threads].filter((thread) => thread.kind === kind).map(({ worker }) => worker);
  }

  /** Lets those who ask whether the service is ready know that it soon is not, while everybody is still served. */
  async drain(time: number): Promise<void> {
    this.#isDraining = true;
    for (const worker of this.#workersOf('http')) tell(worker, { kind: 'drain' });
    await pause(time, undefined, { ref: false });
  }

  /** Whether it was told to stop, however far that is. */
  get isStopping(): boolean {
    return this.#isDraining || this.#isStopping;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workersOf('http').map(closed));
    for (const kind of stopOrder) {
      await Promise.all(this.#workersOf(kind).map(stopped));
      // Nobody is left who would ask it for anything.
      if (kind === 'http') await this.#dav.stop();
    }
  }
}

const tell = (worker: ThreadWorker, order: ThreadOrder, ports: readonly MessagePort[] = []) =>
  worker.postMessage(order, ports);

function isAskedBy(asking: Thread, working: Thread): working is Thread & { readonly kind: WorkingKind } {
  return askedBy[asking.kind].some((kind) => kind === working.kind);
}

function layLine({ worker }: Thread, to: WorkingKind, working: Thread): void {
  const { port1, port2 } = new MessageChannel();
  tell(worker, { kind: 'line', to, port: port1 }, [port1]);
  tell(working.worker, { kind: 'caller', port: port2 }, [port2]);
}

/** Done when the thread has said so, or died. */
function reported(worker: ThreadWorker, kind: ThreadReport['kind']): Promise<void> {
  return new Promise((resolve) => {
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === kind) resolve();
    });
    worker.once('exit', () => resolve());
  });
}

async function closed(worker: ThreadWorker): Promise<void> {
  const done = reported(worker, 'closed');
  tell(worker, { kind: 'close' });
  await done;
}

async function stopped(worker: ThreadWorker): Promise<void> {
  const ended = once(worker, 'exit');
  tell(worker, { kind: 'stop' });
  await ended;
}
