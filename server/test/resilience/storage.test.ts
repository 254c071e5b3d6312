import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { PostgresEngine } from '../../src/storage/engine-postgres.ts';
import { type Atelier, createInstance, engines, runCommand, startAtelier } from '../harness/atelier.ts';

const patience = { timeout: 60_000, interval: 100 };

const readiness = async ({ url }: Atelier) => {
  const reply = await fetch(`${url}/readyz`);
  return [reply.status, (await reply.json()).status];
};
const write = ({ admin }: Atelier) => admin.patch('/users/self/preferences', { key: 'k', value: 'x' });

/** Stands between the service and PostgreSQL, and can be as silent as a server that was stopped by a signal. */
class Silencer {
  readonly #target: URL;
  readonly #server = createServer((socket) => this.#join(socket));
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    const url = Object.assign(new URL(this.#target), { hostname: '127.0.0.1' });
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    return url.href;
  }

  #join(socket: Socket): void {
    const onward = connect(Number(this.#target.port), '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      if (this.#isSilent) one.pause();
    }
  }

  silence(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets) isSilent ? socket.pause() : socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

describe('a PostgreSQL that hangs', () => {
  let atelier: Atelier;
  let silencer: Silencer;
  beforeAll(async () => {
    const instance = await createInstance('PostgreSQL');
    silencer = new Silencer(instance.environment['ATELIER_DATABASE_URL'] ?? '');
    const env = { ATELIER_DATABASE_URL: await silencer.listen() };
    atelier = await startAtelier('PostgreSQL', { env, instance, isAlone: true });
  });
  afterAll(async () => {
    silencer?.silence(false);
    await atelier?.stop();
    silencer?.close();
  });

  test('is told by /readyz, and to everybody who asks or writes, for as long as it lasts; then all is well', async () => {
    expect(await readiness(atelier)).toEqual([200, 'ready']);
    silencer.silence(true);
    const early = [atelier.admin.get('/users/self'), write(atelier), atelier.admin.get('/projects')];
    expect(await readiness(atelier)).toEqual([503, 'the database does not answer']);
    const late = [atelier.admin.get('/users/self'), write(atelier)];
    for (const reply of await Promise.all([...early, ...late])) {
      expect(reply.status, reply.text).toBe(503);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await fetch(`${atelier.url}/healthz`)).status).toBe(200);
    silencer.silence(false);
    await vi.waitFor(async () => expect(await readiness(atelier)).toEqual([200, 'ready']), patience);
    for (let count = 0; count < 10; count++) expect((await write(atelier)).status).toBe(200);
  });

  test('does not keep the service from stopping', async () => {
    silencer.silence(true);
    expect(await readiness(atelier)).toEqual([503, 'the database does not answer']);
    expect(await atelier.server.end()).not.toBeNull();
    silencer.silence(false);
  });
});

describe.each(engines)('a place that takes no writes on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { isAlone: true });
  });
  afterAll(() => atelier?.stop());

  /** On SQLite no file can grow any more, as on a full disk; PostgreSQL is as one that only repeats another. */
  async function takeWrites(isTaken: boolean): Promise<void> {
    if (engine === 'SQLite') {
      const limit = isTaken ? 'unlimited' : '0';
      execFileSync('prlimit', [`--pid=${atelier.server.child.pid}`, `--fsize=${limit}:unlimited`]);
      return;
    }
    const name = new URL(atelier.instance.environment['ATELIER_DATABASE_URL'] ?? '').pathname.slice(1);
    const client = new pg.Client({ connectionString: `${inject('prepared').postgresUrl}postgres` });
    await client.connect();
    await client.query(
      `alter database ${name} set default_transaction_read_only = ${isTaken ? 'off' : 'on'}`,
    );
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await client.end();
  }
  afterEach(() => takeWrites(true));

  test('is told by /readyz; reading goes on, writing is 503, and all is well once there is room', async () => {
    expect(await readiness(atelier)).toEqual([200, 'ready']);
    await takeWrites(false);
    await vi.waitFor(
      async () => expect(await readiness(atelier)).toEqual([503, 'nothing can be written']),
      patience,
    );
    expect((await atelier.admin.get('/users/self')).status).toBe(200);
    expect((await write(atelier)).status).toBe(503);
    await takeWrites(true);
    await vi.waitFor(async () => expect(await readiness(atelier)).toEqual([200, 'ready']), patience);
    expect((await write(atelier)).status).toBe(200);
  });
});

describe('a PostgreSQL without room', () => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier('PostgreSQL', { isAlone: true });
  });
  afterAll(() => atelier?.stop());

  /** Files that grow are refused, as on a full disk; a row is written again within its page as before. */
  async function letGrow(isLet: boolean): Promise<void> {
    const name = new URL(atelier.instance.environment['ATELIER_DATABASE_URL'] ?? '').pathname.slice(1);
    const client = new pg.Client({ connectionString: `${inject('prepared').postgresUrl}postgres` });
    await client.connect();
    await client.query(`alter database ${name} set temp_file_limit = '${isLet ? '-1' : '0'}'`);
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await client.end();
  }

  test('is told by /readyz, on the health page and by the doctor, until there is room', async () => {
    await vi.waitFor(async () => expect(await readiness(atelier)).toEqual([200, 'ready']), patience);
    await letGrow(false);
    await vi.waitFor(
      async () => expect(await readiness(atelier)).toEqual([503, 'nothing can be written']),
      patience,
    );
    expect((await atelier.admin.get('/users/self')).status).toBe(200);
    expect((await atelier.cli('doctor')).stdout).toMatch(/^problem +database +.*There is no room to write/m);
    await vi.waitFor(async () => {
      const { checks } = (await atelier.admin.get('/platform/health')).body;
      expect(checks).toContainEqual(expect.objectContaining({ name: 'database', code: 'database-full' }));
    }, patience);
    await letGrow(true);
    await vi.waitFor(async () => expect(await readiness(atelier)).toEqual([200, 'ready']), patience);
    expect((await atelier.cli('doctor')).stdout).toMatch(/^ok +database /m);
  });
});

describe('a PostgreSQL that gives fewer connections than are wanted', () => {
  const sleep = { sql: 'select pg_sleep(0.02)', values: [] };
  let admin: pg.Client;
  let engine: PostgresEngine;
  let url: string;
  beforeAll(async () => {
    const { postgresUrl } = inject('prepared');
    admin = new pg.Client({ connectionString: `${postgresUrl}postgres` });
    await admin.connect();
    await admin.query('create role narrow login connection limit 2');
    url = Object.assign(new URL(`${postgresUrl}postgres`), { username: 'narrow' }).href;
    engine = new PostgresEngine(url, { connections: 8, lockPatience: 10_000, statementPatience: 60_000 });
  });
  afterAll(async () => {
    await admin?.query('drop role if exists narrow');
    await admin?.end();
  });

  test('lets nobody down: everybody waits for one of those that there are', async () => {
    for (let round = 0; round < 3; round++) {
      const reads = Array.from({ length: 16 }, () => engine.all(sleep));
      const changes = Array.from({ length: 16 }, () => engine.transaction((session) => session.all(sleep)));
      const outcomes = await Promise.allSettled([...reads, ...changes]);
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });

  test('is out of use where there is not a single one', async () => {
    await engine.close();
    const others: pg.Client[] = [];
    // Those that were closed are gone a moment later.
    while (others.length < 2) {
      const other = new pg.Client({ connectionString: url });
      await other.connect().then(
        () => others.push(other),
        () => undefined,
      );
    }
    const alone = new PostgresEngine(url, { connections: 2, lockPatience: 1000, statementPatience: 1000 });
    await expect(alone.all(sleep)).rejects.toMatchObject({ trouble: 'broken' });
    await alone.close();
    for (const other of others) await other.end();
  });

  test('is told by the doctor', async () => {
    const instance = await createInstance('PostgreSQL');
    const { stdout, code } = await runCommand(
      { ...instance.environment, ATELIER_DATABASE_CONNECTIONS: '500' },
      ['doctor'],
    );
    expect(stdout).toMatch(
      /^warning +database +PostgreSQL .* gives 397 connections, and a process may want \d+\./m,
    );
    expect(code).toBe(0);
    await instance.remove();
  });
});

describe('a start that cannot open its database', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-closed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('says which file, why, and what to do', async () => {
    const path = join(folder, 'atelier.sqlite');
    mkdirSync(path);
    const { code, stderr } = await runCommand({ ATELIER_DATA: folder, ATELIER_PORT: '0' }, ['serve']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `atelier: The database ${path} cannot be used: it is a folder. ` +
        'Let the user of the service own the folder and all in it, on a file system that is mounted writable.\n',
    );
  });

  test('says where PostgreSQL was looked for, and no password', async () => {
    const url = 'postgres://ann:secret@127.0.0.1:1/forge';
    const environment = { ATELIER_DATA: folder, ATELIER_PORT: '0', ATELIER_DATABASE_URL: url };
    const { code, stderr } = await runCommand(environment, ['serve']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^atelier: The database forge of PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*nothing listens there/,
    );
    expect(stderr).toContain('ATELIER_DATABASE_URL');
    expect(stderr).not.toContain('secret');
  });
});
