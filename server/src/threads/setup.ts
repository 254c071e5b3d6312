import type { MessagePort } from 'node:worker_threads';
import { Turnstile } from '../identity/index.ts';
import type { Config } from '../kernel/config.ts';
import { listeners, type Operations, operations, type Searches, searches } from '../operations.ts';
import { type Database, openDatabase, operationsOn, remoteCalls, searchesOn } from '../storage/index.ts';
import type { DavSecrets } from '../svn/index.ts';

export type ThreadKind = 'http' | 'writer' | 'searcher' | 'background';

/** What the main thread hands to a thread when it starts. */
export interface ThreadSetup {
  readonly kind: ThreadKind;
  readonly config: Config;
  /** Whether a demo project is to be loaded. */
  readonly awaitsDemo: boolean;
  /** The thread's place among those of its kind, from 0. */
  readonly index: number;
  readonly publicUrl: string;
  readonly jwtSecret: string;
  readonly metricsMemory: SharedArrayBuffer;
  readonly turnstileMemory: SharedArrayBuffer;
  /** The way to the thread that writes; absent where writes run in place. */
  readonly writer?: MessagePort | undefined;
  /** The way to the thread that searches; absent where searches run in place. */
  readonly searcher?: MessagePort | undefined;
  /** The way to the Apache that serves repositories, for threads that answer requests. */
  readonly dav?: MessagePort | undefined;
  readonly davSecrets: DavSecrets;
  /** Threads that will ask this one for work. */
  readonly callers?: readonly MessagePort[];
}

export type ThreadReport = { readonly kind: 'ready' };
export type ThreadOrder = { readonly kind: 'stop' };

export function databaseOf({ config }: Pick<ThreadSetup, 'config'>): Promise<Database> {
  if (config.mail !== undefined) listeners.expectMail();
  const { dataFolder: folder, databaseUrl, databaseConnections: connections, lockSeconds } = config;
  return openDatabase({ folder, databaseUrl, connections, lockPatience: lockSeconds * 1000 });
}

export function operationsOf(setup: ThreadSetup, database: Database): Operations {
  return setup.writer === undefined
    ? operationsOn(database, operations)
    : remoteCalls(setup.writer, operations, database);
}

export function searchesOf(setup: ThreadSetup, database: Database): Searches {
  return setup.searcher === undefined
    ? searchesOn(database, searches)
    : remoteCalls(setup.searcher, searches, database);
}

export const turnstileOf = ({ turnstileMemory }: ThreadSetup) => new Turnstile(turnstileMemory);
