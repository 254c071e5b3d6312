import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { Caller, Person } from './caller.ts';
import { type CommandResult, takeCommandHost, takeHost } from './hosts.ts';
import { cheapHashing, postgresTemplate } from './prepared.ts';
import { endsWithTests } from './processes.ts';
import { processorSecondsOf } from './processor-time.ts';
import { leavesRareCases } from './thorough.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof engines)[number];

/**
 * The engine of tests whose subject is the same code on both: what is decided before anything is stored, or said after it was read.
 * `_why` tells readers so. Whatever hangs on SQL, stored types, order, transactions, kills or several writers runs on `engines`.
 * `ATELIER_TEST_ENGINES=all` runs these on both as well.
 */
export function oneEngine(engine: EngineName, _why: string): readonly EngineName[] {
  return process.env['ATELIER_TEST_ENGINES'] === 'all' ? engines : [engine];
}

/** Both engines, of which `npm test` by itself takes this one: for files that take long. */
export const usuallyOn = (engine: EngineName): readonly EngineName[] =>
  leavesRareCases ? [engine] : engines;

export { Caller, Person, type Reply } from './caller.ts';
export type { CommandResult } from './hosts.ts';

/** What people run. */
export const command = fileURLToPath(new URL('../../bin/atelier.mjs', import.meta.url));

/** Where an instance keeps its data: a copy of the prepared template. */
export interface Instance {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly adminKey: string;
  remove(): Promise<void>;
}

async function onPostgres(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject('prepared').postgresUrl}postgres` });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function makePostgres(from: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `atelier_${randomBytes(6).toString('hex')}`;
  await onPostgres(`create database ${name} template ${from} strategy file_copy`);
  const drop = () => onPostgres(`drop database if exists ${name} with (force)`);
  return { url: `${inject('prepared').postgresUrl}${name}`, drop };
}

function commonEnvironment(folder: string): Record<string, string> {
  return {
    ATELIER_DATA: folder,
    ATELIER_PORT: '0',
    ATELIER_HOST: '127.0.0.1',
    ATELIER_HTTP_THREADS: '1',
    ATELIER_APT: '0',
    ATELIER_ARGON2_MEMORY: String(cheapHashing.memory),
    ATELIER_ARGON2_PASSES: String(cheapHashing.passes),
    TZ: 'Europe/Paris',
  };
}

/** An empty folder, and an empty database where one is needed: nothing was ever started there. */
export async function createEmptyInstance(engine: EngineName): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-instance-'));
  const environment = commonEnvironment(folder);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (engine === 'SQLite') return { environment, folder, adminKey: '', remove: async () => removeFolder() };
  const { url, drop } = await makePostgres('template1');
  const remove = async () => {
    removeFolder();
    await drop();
  };
  return { environment: { ...environment, ATELIER_DATABASE_URL: url }, folder, adminKey: '', remove };
}

export async function createInstance(engine: EngineName): Promise<Instance> {
  const prepared = inject('prepared');
  const folder = mkdtempSync(join(tmpdir(), 'atelier-instance-'));
  const common = commonEnvironment(folder);
  if (engine === 'SQLite') {
    cpSync(prepared.sqliteFolder, folder, { recursive: true });
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { environment: common, folder, adminKey: prepared.sqliteKey, remove };
  }
  const { url, drop } = await makePostgres(postgresTemplate);
  const remove = async () => {
    rmSync(folder, { recursive: true, force: true });
    await drop();
  };
  const environment = { ...common, ATELIER_DATABASE_URL: url, ATELIER_DATABASE_CONNECTIONS: '4' };
  return { environment, folder, adminKey: prepared.postgresKey, remove };
}

/** The product keeps what it compiles beside its code. */
const isOfTests = (name: string) => name.startsWith('ATELIER_') || name === 'NODE_COMPILE_CACHE';

function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !isOfTests(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Starts a command of the product; `by` is a program that starts it, with its own arguments. */
export function spawnCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  by: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const env = { ...inherited(), ...environment };
  const [program = process.execPath, ...words] = [...by, process.execPath, command, ...args];
  return endsWithTests(spawn(program, words, { env }));
}

/** These are what a process is started with: no other can take them on. */
const needsOwnProcess = (environment: Readonly<Record<string, string>>, args: readonly string[]) =>
  'NODE_OPTIONS' in environment || args.includes('serve');

/** Runs a command of the product to its end, in a process that has run others before. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<CommandResult> {
  if (needsOwnProcess(environment, args)) return runProcess(environment, args, input);
  const env = { ...inherited(), ...environment };
  const host = await takeCommandHost(env);
  return host.run(env, args, input);
}

/** As `runCommand`, in a process of its own: for tests of the process itself. */
export async function runProcess(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
  by: readonly string[] = [],
): Promise<CommandResult> {
  const child = spawnCommand(environment, args, by);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  child.stdin.on('error', () => {}).end(input);
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}

/** A running process of the product. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  output(): string;
  /** Ends it, by SIGTERM unless another signal is named, and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** What most tests do without: the demo project, the web application, and time to leave after a stop. */
const bare = { ATELIER_DEMO: '0', ATELIER_WEB: '0', ATELIER_DRAIN_SECONDS: '0' };

/** Starts a process of the product, which may or may not come to serve. `limits`: of `prlimit`, which it has. */
export function spawnServer(
  environment: Readonly<Record<string, string>>,
  limits: readonly string[] = [],
): { readonly child: ChildProcess; readonly output: () => string } {
  const env = { ...inherited(), ...bare, ...environment };
  const words = [process.execPath, command, 'serve'];
  const [program = '', ...args] = limits.length === 0 ? words : ['prlimit', ...limits, ...words];
  const child = endsWithTests(spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] }));
  let output = '';
  const collect = (part: Buffer) => {
    output += part.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => output };
}

export async function startServer(
  environment: Readonly<Record<string, string>>,
  limits: readonly string[] = [],
): Promise<ServerProcess> {
  const { child, output } = spawnServer(environment, limits);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const address = /Atelier serves on (\S+)/.exec(output())?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', look);
    // With the last of what it said.
    child.once('close', (code) => reject(new Error(`The server ended with code ${code}:\n${output()}`)));
  });
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    return code === null ? null : Number(code);
  };
  return { child, url, output, end };
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Numbers may be larger than JavaScript has them. */
function rowsOf(statement: StatementSync): ReturnType<StatementSync['all']> {
  statement.setReadBigInts(true);
  return statement.all();
}

function sqlOnFile(file: string, texts: readonly string[]): Rows[] {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    return texts.map((text) => {
      if (/^select\b/i.test(text)) return rowsOf(database.prepare(text));
      database.exec(text);
      return [];
    });
  } finally {
    database.close();
  }
}

/** A running instance of the product with callers to talk to it. */
export class Atelier {
  readonly engine: EngineName;
  readonly instance: Instance;
  server: ServerProcess;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #start: typeof startHosted;

  constructor(
    engine: EngineName,
    instance: Instance,
    environment: Readonly<Record<string, string>>,
    { server, start }: { readonly server: ServerProcess; readonly start: typeof startHosted },
  ) {
    this.engine = engine;
    this.instance = instance;
    this.#environment = environment;
    this.server = server;
    this.#start = start;
  }

  get url(): string {
    return this.server.url;
  }

  get admin(): Person {
    const { adminKey: key } = this.instance;
    return new Person(this.url, { id: 101, name: 'admin', password: '', key });
  }

  get anonymous(): Caller {
    return new Caller(this.url, {});
  }

  callerWith(headers: Readonly<Record<string, string>>): Caller {
    return new Caller(this.url, headers);
  }

  /** Somebody who sends user name and password with every request. */
  withPassword(name: string, password: string): Caller {
    const encoded = Buffer.from(`${name}:${password}`).toString('base64');
    return this.callerWith({ Authorization: `Basic ${encoded}` });
  }

  /** Changes platform settings. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { status, text } = await this.admin.patch('/platform/settings', settings);
    if (status !== 200) throw new Error(`The settings were not changed: ${text}`);
  }

  /** An account that was never used: its first password is looked at as long as a wrong one. */
  async createAccount(
    name: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly id: number; readonly password: string }> {
    const password = `${name}-password`;
    const account = {
      username: name,
      password,
      real_name: `${name} Doe`,
      email: `${name}@example.com`,
      ...more,
    };
    const { status, body, text } = await this.admin.post('/users', account);
    if (status !== 201) throw new Error(`The account ${name} was not created: ${text}`);
    return { id: body.id, password };
  }

  async createUser(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<Person> {
    const { id, password } = await this.createAccount(name, more);
    const key = await this.withPassword(name, password).post('/access_keys', { description: 'for tests' });
    if (key.status !== 201) return new Person(this.url, { id, name, password, key: '' });
    return new Person(this.url, { id, name, password, key: key.body.identifier });
  }

  /** Changes or reads the stored data behind the product's back: for what only time would bring about, or nothing else tells. */
  async sql(text: string): Promise<Rows> {
    const [rows = []] = await this.sqlAll([text]);
    return rows;
  }

  /** As `sql`, one after another by the same connection: PostgreSQL starts a process for each. */
  async sqlAll(texts: readonly string[]): Promise<Rows[]> {
    const url = this.#environment['ATELIER_DATABASE_URL'];
    if (url === undefined) return sqlOnFile(join(this.instance.folder, 'atelier.sqlite'), texts);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const all: Rows[] = [];
    try {
      for (const text of texts) all.push((await client.query(text)).rows);
    } finally {
      await client.end();
    }
    return all;
  }

  /** Seconds of the processor that the server spends while something is asked of it. */
  async costOf(asking: () => Promise<unknown>): Promise<number> {
    const { pid = 0 } = this.server.child;
    const before = processorSecondsOf(pid);
    await asking();
    return processorSecondsOf(pid) - before;
  }

  cli(...args: string[]): Promise<CommandResult> {
    return runCommand(this.#environment, args);
  }

  /** As it was started: in a process of its own if it had one. */
  async restart(): Promise<void> {
    await this.server.end();
    this.server = await this.#start(this.#environment);
  }

  async stop(): Promise<void> {
    await this.server.end();
    await this.instance.remove();
  }
}

/** As `startServer`, in a process that has served before and will again. It is told by nothing but time. */
export async function startHosted(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const { TZ = '' } = environment;
  const host = await takeHost({ ...inherited(), TZ });
  const url = await host.start({ ...bare, ...environment });
  let ending: Promise<void> | undefined;
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    // Once: afterwards the process may serve somebody else.
    ending ??= signal === 'SIGTERM' ? host.release() : host.kill(signal);
    await ending;
    return 0;
  };
  return { child: host.child, url, output: () => host.output(), end };
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly instance?: Instance;
  /** For tests of the process itself: one that was started for nothing else. */
  readonly isAlone?: boolean;
}

/** Settings are told to a service, and there are processes for each time zone; everything else of an environment belongs to a process. */
const isOfProcess = (name: string) => !name.startsWith('ATELIER_') && name !== 'TZ';

export async function startAtelier(
  engine: EngineName,
  { env, instance: given, isAlone = false }: StartOptions = {},
): Promise<Atelier> {
  const instance = given ?? (await createInstance(engine));
  const environment = { ...instance.environment, ...env };
  const needsProcess = isAlone || Object.keys(env ?? {}).some(isOfProcess);
  const start = needsProcess ? (all: typeof environment) => startServer(all) : startHosted;
  return new Atelier(engine, instance, environment, { server: await start(environment), start });
}
