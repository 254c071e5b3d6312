import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, messageOf, spawnNode, stop, waitFor } from '../processes.ts';
import { RunningServer } from '../running-server.ts';
import type { ThreadMode } from '../thread-modes.ts';

const program = fileURLToPath(new URL('../../../server/bin/atelier.mjs', import.meta.url));
const addressPattern = /https?:\/\/\S+:\d+/;
const accessKeyPattern = /tlp-k1-[^\s.]+\.[0-9a-f]{64}/;

/** The product on a data folder of its own; it can be started many times on the same data. */
export class Installation {
  readonly #folder: string;
  readonly #databaseUrl: string | undefined;
  readonly #more: NodeJS.ProcessEnv;
  readonly #log: string;

  /** `more` are settings of the environment beside the usual ones. */
  constructor(folder: string, databaseUrl: string | undefined, more: NodeJS.ProcessEnv = {}) {
    this.#folder = folder;
    this.#databaseUrl = databaseUrl;
    this.#more = more;
    this.#log = join(folder, 'product.log');
  }

  async start(threads: ThreadMode): Promise<RunningServer> {
    const port = await freePort();
    const child = this.#spawn(port, threads);
    try {
      await waitFor(child, 'the address that the product prints', () => this.#printsAddress());
      await waitFor(child, 'the product answering /readyz', () => isReady(port));
    } catch (error) {
      await this.#giveUp(child, error);
    }
    return new RunningServer(child, port);
  }

  /** Runs work on a started product. When it fails, the error tells what the product said last. */
  async use<T>(threads: ThreadMode, work: (product: RunningServer) => Promise<T>): Promise<T> {
    await using product = await this.start(threads);
    try {
      return await work(product);
    } catch (error) {
      throw new Error(`${messageOf(error)}\nThe last output of the product:\n${this.#lastOutput()}`, {
        cause: error,
      });
    }
  }

  /** Begins a command of the product on the same data. */
  run(args: string[]): ChildProcess {
    const env = { ...environmentWithoutSettings(), ...this.#settings(0, 'one') };
    return spawnNode([program, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  }

  /** The key that the first start prints, and no later one. */
  readAccessKey(): string {
    const key = accessKeyPattern.exec(this.#output())?.[0];
    if (key !== undefined) return key;
    throw new Error('The product printed no access key: is its database empty, as on a first start?');
  }

  #spawn(port: number, threads: ThreadMode): ChildProcess {
    const log = openSync(this.#log, 'w');
    const child = spawnNode([program, 'serve'], {
      stdio: ['ignore', log, log],
      env: { ...environmentWithoutSettings(), ...this.#settings(port, threads) },
    });
    closeSync(log);
    return child;
  }

  #settings(port: number, threads: ThreadMode): NodeJS.ProcessEnv {
    return {
      ATELIER_DATA: join(this.#folder, 'data'),
      ATELIER_PORT: String(port),
      ATELIER_DEMO: '0',
      ATELIER_WEB: '0',
      ATELIER_DRAIN_SECONDS: '0',
      ...(threads === 'one' && { ATELIER_HTTP_THREADS: '1' }),
      ...(this.#databaseUrl !== undefined && { ATELIER_DATABASE_URL: this.#databaseUrl }),
      ...this.#more,
    };
  }

  /** The address comes when all threads listen; /readyz answers as soon as one of them does. */
  async #printsAddress(): Promise<true | undefined> {
    return addressPattern.test(this.#output()) || undefined;
  }

  async #giveUp(child: ChildProcess, cause: unknown): Promise<never> {
    await stop(child);
    throw new Error(`The product does not start. Its last output:\n${this.#lastOutput()}`, {
      cause,
    });
  }

  #lastOutput(): string {
    return this.#output().slice(-2000);
  }

  #output(): string {
    return readFileSync(this.#log, 'utf8');
  }
}

/** Settings of the caller's own installation must not change what is measured. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATELIER_')));
}

async function isReady(port: number): Promise<true | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    await response.arrayBuffer();
    return response.status === 200 || undefined;
  } catch {
    return undefined;
  }
}
