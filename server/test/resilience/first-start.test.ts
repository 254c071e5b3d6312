import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { engines, type ServerProcess, spawnServer, startServer } from '../harness/atelier.ts';

const isThere = 'select id from account where id = 101';

describe.each(engines)('a first start that is cut off on %s', (engine) => {
  let server: ServerProcess | undefined;
  const remove: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await server?.end();
    for (const step of remove.splice(0).reverse()) await step();
  });

  async function emptyPlace(): Promise<{
    environment: Record<string, string>;
    hasAdmin: () => Promise<boolean>;
  }> {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-cut-'));
    remove.push(async () => rmSync(folder, { recursive: true, force: true }));
    const environment = {
      ATELIER_DATA: folder,
      ATELIER_PORT: '0',
      ATELIER_HOST: '127.0.0.1',
      ATELIER_HTTP_THREADS: '1',
      ATELIER_APT: '0',
      ATELIER_DEMO: '1',
      ATELIER_ARGON2_MEMORY: '8',
      ATELIER_ARGON2_PASSES: '1',
    };
    if (engine === 'SQLite') {
      const path = join(folder, 'atelier.sqlite');
      const hasAdmin = async () => {
        if (!existsSync(path)) return false;
        const database = new DatabaseSync(path, { readOnly: true });
        try {
          return database.prepare(isThere).get() !== undefined;
        } catch {
          return false;
        } finally {
          database.close();
        }
      };
      return { environment, hasAdmin };
    }
    const { postgresUrl } = inject('prepared');
    const name = `cut_start_${process.pid}`;
    const client = new pg.Client({ connectionString: `${postgresUrl}postgres` });
    await client.connect();
    await client.query(`create database ${name}`);
    remove.push(async () => {
      await client.query(`drop database ${name} with (force)`);
      await client.end();
    });
    const url = `${postgresUrl}${name}`;
    const inside = new pg.Client({ connectionString: url });
    inside.on('error', () => {});
    await inside.connect();
    remove.push(() => inside.end());
    const hasAdmin = async () => (await inside.query(isThere).catch(() => undefined))?.rowCount === 1;
    return { environment: { ...environment, ATELIER_DATABASE_URL: url }, hasAdmin };
  }

  test('has shown the password of every account that it made, and wishes for the demo', async () => {
    const { environment, hasAdmin } = await emptyPlace();
    const { child, output } = spawnServer(environment);
    const closed = once(child, 'close');
    while (!(await hasAdmin())) await pause(1);
    child.kill('SIGKILL');
    await closed;
    const key = /access key\s+(\S+)/.exec(output())?.[1];
    expect(key, output()).toBeDefined();
    server = await startServer(environment);
    expect(server.output()).not.toContain('password');
    const ask = (path: string) =>
      fetch(`${server?.url}/api/${path}`, { headers: { 'X-Auth-AccessKey': key ?? '' } });
    expect((await ask('users/self')).status).toBe(200);
    const projects = async () => (await ask('projects')).json();
    await vi.waitFor(async () => expect(await projects()).toMatchObject([{ shortname: 'lighthouse' }]), {
      timeout: 60_000,
      interval: 100,
    });
  });

  test('before anything was stored begins anew, with a password that works', async () => {
    const { environment, hasAdmin } = await emptyPlace();
    const { child, output } = spawnServer(environment);
    const closed = once(child, 'close');
    child.stdout?.once('data', () => child.kill('SIGKILL'));
    await closed;
    const wasStored = await hasAdmin();
    server = await startServer({ ...environment, ATELIER_DEMO: '0' });
    const shown = wasStored ? output() : server.output();
    const key = /access key\s+(\S+)/.exec(shown)?.[1] ?? '';
    const self = await fetch(`${server.url}/api/users/self`, { headers: { 'X-Auth-AccessKey': key } });
    expect(self.status).toBe(200);
  });
});
