import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessagePort } from 'node:worker_threads';
import { HashLimiter } from '../identity/index.ts';
import { second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { unavailable } from '../kernel/errors.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import {
  type AllSearches,
  createPlatform,
  type Operations,
  type Platform,
  type Searches,
} from '../operations.ts';
import {
  CallLine,
  callNamed,
  type Database,
  openDatabase,
  operationsOn,
  remoteCalls,
  searchesOn,
  wrappedCalls,
} from '../storage/index.ts';
import type { DavSecrets } from '../svn/index.ts';
import type { WebState } from '../web-build/index.ts';

export type ThreadKind = 'http' | 'writer' | 'searcher' | 'long-searcher' | 'background';

/** Threads that work for others. */
export type WorkingKind = 'writer' | 'searcher' | 'long-searcher';

/** What the main thread hands to a thread when it starts. */
export interface ThreadSetup {
  readonly kind: ThreadKind;
  readonly config: Config;
  /** The thread's place among those of its kind, from 0. */
  readonly index: number;
  readonly publicUrl: string;
  readonly jwtSecret: string;
  readonly metricsMemory: SharedArrayBuffer;
  readonly hashLimiterMemory: SharedArrayBuffer;
  readonly connectionMemory: SharedArrayBuffer;
  readonly streamMemory: SharedArrayBuffer;
  /** Whether writes and searches run in threads of their own; elsewhere they run in place. */
  readonly hasWorkingThreads: boolean;
  /** Whether others listen on the port as well: another thread, or the main thread until all have begun. */
  readonly sharesPort: boolean;
  /** The way to the Apache that serves repositories, for threads that answer requests. */
  readonly dav?: MessagePort | undefined;
  readonly davSecrets: DavSecrets;
  /** Where the thread whose place this one takes answered the hooks of repositories. */
  readonly hookPort?: number | undefined;
  /** What there is of the web application. */
  readonly web: WebState;
}

/** `long-searches`: there is work for the thread of long searches. */
export type ThreadReport = { readonly kind: 'ready' | 'closed' | 'long-searches' };

/** What the main thread tells a thread that runs. */
export type ThreadOrder =
  /** Here is the way to a thread that works for you; another one, when that thread had to be replaced. */
  | { readonly kind: 'line'; readonly to: WorkingKind; readonly port: MessagePort }
  /** Here calls somebody for whom you work. */
  | { readonly kind: 'caller'; readonly port: MessagePort }
  /** There is something else to serve of the web application. */
  | { readonly kind: 'web'; readonly web: WebState }
  /** The service will stop: let nobody come back. */
  | { readonly kind: 'drain' }
  /** Listen no more, and say so. */
  | { readonly kind: 'close' }
  /** Finish what runs, and end. */
  | { readonly kind: 'stop' };

/** What a thread does when it is told to; it gets only the orders that are meant for its kind. */
export type Obedience = {
  readonly [Kind in Exclude<ThreadOrder['kind'], 'stop'>]?: (
    order: Extract<ThreadOrder, { kind: Kind }>,
  ) => void;
} & {
  /** Finishes what runs, and lets go of all that it has. */
  readonly stop: () => Promise<void>;
};

/** The way between a thread and the main thread. */
class Control {
  readonly #port: MessagePort;
  readonly #end: () => void;

  /** `end`: what happens when the thread was told to stop, and has. */
  constructor(port: MessagePort, end: () => void) {
    this.#port = port;
    this.#end = end;
  }

  obey({ line, caller, web, drain, close, stop }: Obedience): void {
    this.#port.on('message', (order: ThreadOrder) => {
      if (order.kind === 'line') line?.(order);
      else if (order.kind === 'caller') caller?.(order);
      else if (order.kind === 'web') web?.(order);
      else if (order.kind === 'drain') drain?.(order);
      else if (order.kind === 'close') close?.(order);
      else void stop().then(this.#end);
    });
  }

  report(kind: ThreadReport['kind']): void {
    this.#port.postMessage({ kind } satisfies ThreadReport);
  }
}

/** All that a thread does, from what it is handed: exported by one file of this room for each kind of thread. */
export const threadOf =
  (work: (setup: ThreadSetup, control: Control) => Promise<void>) =>
  (setup: ThreadSetup, port: MessagePort, end: () => void): Promise<void> =>
    work(setup, new Control(port, end));

/** What the thread can do, with a memory of its own. */
export const platformOf = (): Platform => createPlatform({ tellsPeople: true });

export function databaseOf({ config }: Pick<ThreadSetup, 'config'>): Promise<Database> {
  const { dataFolder: folder, databaseUrl, databaseReadUrls: readUrls } = config;
  return openDatabase({
    ...{ folder, databaseUrl, readUrls, connections: config.databaseConnections },
    lockPatience: config.lockSeconds * second,
    statementPatience: config.statementSeconds * second,
  });
}

/** What may have been stored by a writer that died, nobody knows; and without one, the service ends. */
const writerLost = () =>
  unavailable(
    'The service had to be started again in the middle. Look whether the change was stored before you repeat it.',
    { retryAfter: 5 },
  );
const searcherLost = () =>
  unavailable('Searching had to be started again in the middle. Try once more.', { retryAfter: 1 });

/** The ways from a thread to those that work for it. */
export class Lines {
  readonly writer = new CallLine({ refusal: writerLost, isMended: false });
  readonly searcher = new CallLine({ refusal: searcherLost, isMended: true });
  readonly 'long-searcher' = new CallLine({ refusal: searcherLost, isMended: true });
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What was committed at the other end is seen by the next read here. */
  lay({ to, port }: Extract<ThreadOrder, { kind: 'line' }>): void {
    this[to].lay(port, () => this.#database.renew());
  }
}

export function operationsOf(
  setup: ThreadSetup,
  { operations }: Platform,
  database: Database,
  lines: Lines,
): Operations {
  return setup.hasWorkingThreads ? remoteCalls(lines.writer, operations) : operationsOn(database, operations);
}

/** Searches, and how many of them wait or run. */
interface Searching {
  readonly calls: Searches;
  readonly queue: { readonly length: number };
}

export function searchesOf(
  setup: ThreadSetup,
  { searches }: Platform,
  database: Database,
  lines: Lines,
): Searching {
  if (!setup.hasWorkingThreads) return searchesInPlace(setup, searches, database);
  return { calls: remoteCalls(lines.searcher, searches), queue: lines.searcher };
}

/** Searches of one person never take all connections to the database, which every request needs. */
function searchesInPlace({ config }: ThreadSetup, searches: AllSearches, database: Database): Searching {
  const all = Math.max(1, Math.floor((config.databaseConnections * 3) / 4));
  const places = { all, ofOne: Math.max(1, Math.floor(all / 2)) };
  const queue = new FairQueue(config.searchSeconds * second, places);
  const here = searchesOn(database, searches);
  const calls = wrappedCalls(searches, (name, viewer, input) =>
    // Whoever lets it begin reads elsewhere.
    queue.run(
      viewer.userId,
      AsyncLocalStorage.bind(() => callNamed(here, name)(viewer, input)),
    ),
  );
  return { calls, queue };
}

export const hashLimiterOf = ({ hashLimiterMemory, index }: ThreadSetup) =>
  new HashLimiter(hashLimiterMemory, index);
