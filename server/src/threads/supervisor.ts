import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { answerDavLine, DavServer, Workplace } from '../svn/index.ts';
import type { ThreadKind, ThreadReport, ThreadSetup } from './setup.ts';

/** Mebibytes for young objects. Left alone, every thread takes as much as a whole server needs. */
const youngGeneration: Readonly<Record<ThreadKind, number>> = {
  http: 24,
  writer: 8,
  searcher: 8,
  background: 8,
};

/**
 * Megabytes at the most of what lives longer, in each thread. Far more than anything needs; but the nearer the end, the
 * sooner the collector runs, and without one it lets garbage double the size of the process.
 */
const oldGeneration = 512;

/** Those who ask stop before those who answer. */
const stopOrder: readonly ThreadKind[] = ['http', 'background', 'searcher', 'writer'];

/** What is the same for every thread of the process. */
export type CommonSetup = Omit<ThreadSetup, 'kind' | 'index' | 'writer' | 'searcher' | 'dav' | 'callers'>;

/** The threads of one process: how they are started, joined and stopped. */
export class Supervisor {
  readonly #common: CommonSetup;
  readonly #workers: { readonly kind: ThreadKind; readonly worker: Worker }[] = [];
  readonly #dav: DavServer;
  #isStopping = false;

  constructor(common: CommonSetup) {
    this.#common = common;
    this.#dav = new DavServer({
      workplace: () => new Workplace(common.config),
      secrets: common.davSecrets,
      tell: (fault) => console.error(`atelier: ${fault}`),
    });
  }

  /** Starts everything, and is done when requests are answered; the threads that can be waited for come after. */
  async start({ hasWriterThread }: { hasWriterThread: boolean }): Promise<void> {
    const { httpThreads } = this.#common.config;
    const channels = (count: number) =>
      Array.from({ length: hasWriterThread ? count : 0 }, () => new MessageChannel());
    const toWriter = channels(httpThreads + 1);
    const toSearcher = channels(httpThreads);
    const answering = Array.from({ length: httpThreads }, (_, index) =>
      this.#begin('http', {
        index,
        writer: toWriter[index]?.port1,
        searcher: toSearcher[index]?.port1,
        dav: this.#lineToDav(),
      }),
    );
    if (hasWriterThread) void this.#begin('writer', { callers: toWriter.map(({ port2 }) => port2) });
    await Promise.all(answering);
    if (hasWriterThread) void this.#begin('searcher', { callers: toSearcher.map(({ port2 }) => port2) });
    void this.#begin('background', { writer: toWriter.at(-1)?.port1 });
  }

  #lineToDav(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    answerDavLine(port2, this.#dav);
    return port1;
  }

  async #begin(kind: ThreadKind, own: Partial<ThreadSetup>): Promise<void> {
    const workerData: ThreadSetup = { ...this.#common, kind, index: 0, ...own };
    const ports = [workerData.writer, workerData.searcher, workerData.dav, ...(workerData.callers ?? [])];
    const worker = new Worker(new URL('../../bin/thread.mjs', import.meta.url), {
      workerData,
      transferList: ports.filter((port): port is MessagePort => port !== undefined),
      name: kind,
      resourceLimits: {
        maxYoungGenerationSizeMb: youngGeneration[kind],
        maxOldGenerationSizeMb: oldGeneration,
      },
    });
    this.#workers.push({ kind, worker });
    worker.on('error', (error) => this.#failed(kind, error));
    worker.on('exit', (code) => this.#failed(kind, `it ended with code ${code}`));
    await new Promise<void>((resolve) => worker.once('message', (_: ThreadReport) => resolve()));
  }

  /** A thread that ends unasked leaves the process in an unknown state: end it, and let whoever started it start anew. */
  #failed(kind: ThreadKind, reason: unknown): void {
    if (this.#isStopping) return;
    const words = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    console.error(`atelier: the ${kind} thread failed: ${words}`);
    process.exit(1);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const kind of stopOrder) {
      const workers = this.#workers.filter((entry) => entry.kind === kind);
      await Promise.all(workers.map(({ worker }) => stopped(worker)));
      // Nobody is left who would ask it for anything.
      if (kind === 'http') await this.#dav.stop();
    }
  }
}

async function stopped(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  worker.postMessage({ kind: 'stop' });
  await ended;
}
