import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProject } from '../fixtures/project.ts';
import { createRepository, lacksSubversion, SvnClient } from '../fixtures/svn.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

const patience = { timeout: 60_000, interval: 50 };
const preload = new URL('../harness/failing-threads.mjs', import.meta.url).href;

const engines = oneEngine('SQLite', 'threads are replaced by the process, whatever they wait for');

describe.each(engines)('a thread that dies on %s', (engine) => {
  let atelier: Atelier;
  let orders: string;
  beforeAll(async () => {
    orders = mkdtempSync(join(tmpdir(), 'atelier-orders-'));
    atelier = await startAtelier(engine, {
      env: { ATELIER_HTTP_THREADS: '2', NODE_OPTIONS: `--import ${preload}`, FAILING_THREADS: orders },
    });
  });
  afterAll(async () => {
    await atelier?.stop();
    rmSync(orders, { recursive: true, force: true });
  });

  /** Written in one step: a thread that looks never finds half an order. */
  function order(thread: string, death: 'throw' | 'exit' | 'memory'): void {
    const path = join(orders, thread);
    writeFileSync(`${path}.new`, death);
    renameSync(`${path}.new`, path);
  }

  /** One that a dying thread held is tried again, as a client would. */
  async function get(path: string): Promise<string> {
    for (;;) {
      try {
        const reply = await fetch(`${atelier.url}${path}`, { headers: { Connection: 'close' } });
        return await reply.text();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  async function replaced(kind: string): Promise<number> {
    const metrics = await get('/metrics');
    return Number(
      new RegExp(`atelier_threads_replaced_total\\{thread="${kind}"\\} (\\d+)`).exec(metrics)?.[1],
    );
  }

  const ending = () => new Promise((resolve) => atelier.server.child.once('exit', resolve));

  /** The service answers all the time, and the dead one is missed by nobody for long. */
  async function survive(thread: string, death: Parameters<typeof order>[1]): Promise<void> {
    const [kind = ''] = thread.split('-');
    const before = await replaced(kind);
    order(thread, death);
    while ((await replaced(kind)) === before) expect(await get('/healthz')).toBe('{"status":"ok"}');
    expect(await replaced(kind)).toBe(before + 1);
    expect(atelier.server.output()).toContain(`the ${kind} thread failed`);
  }

  /** Each of several connections may come to another thread. */
  async function isServed(): Promise<void> {
    for (let count = 0; count < 8; count++) expect(await get('/readyz')).toBe('{"status":"ready"}');
    expect((await atelier.admin.get('/users/self')).status).toBe(200);
    // A request is counted as over after it was answered, maybe in another thread than the one that is asked here.
    const isOver = async () => expect(await get('/metrics')).toMatch(/atelier_http_requests_running 0\n/);
    await vi.waitFor(isOver, patience);
  }

  test('is replaced while the others go on; the third in a minute ends the process', async () => {
    await survive('http-0', 'throw');
    await survive('background-0', 'exit');
    await isServed();
    const ended = ending();
    order('http-1', 'throw');
    expect(await ended).toBe(1);
    await atelier.restart();
    await isServed();
  });

  if (engine === 'SQLite') {
    test('for want of memory is replaced like any other', async () => {
      await survive('http-1', 'memory');
      await isServed();
    });

    test('under searches lets them be told so, and the next ones wait for another', async () => {
      const search = () => atelier.admin.get('/users?query=adm');
      order('searcher-0', 'exit');
      const statuses = new Set<number>();
      while ((await replaced('searcher')) === 0) statuses.add((await search()).status);
      for (const status of statuses) expect([200, 503]).toContain(status);
      expect((await search()).status).toBe(200);
    });

    test('and was the writer ends the process, after everybody got an answer', async () => {
      const statuses: number[] = [];
      const writers = Array.from({ length: 8 }, async (_, client) => {
        for (let round = 0; ; round++) {
          const change = { key: `k${client}-${round}`, value: 'x' };
          const reply = await atelier.admin.patch('/users/self/preferences', change).catch((error) => error);
          if (reply.code === 'ECONNREFUSED') return;
          expect(reply.status, String(reply)).toBeDefined();
          statuses.push(reply.status);
        }
      });
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(20), patience);
      const ended = ending();
      order('writer-0', 'throw');
      expect(await ended).toBe(1);
      await Promise.all(writers);
      for (const status of statuses) expect([200, 503]).toContain(status);
      await atelier.restart();
      await isServed();
    });

    test.skipIf(lacksSubversion)(
      'and answered the hooks of repositories keeps nobody from committing',
      async () => {
        const alice = await atelier.createUser('alice');
        const { id: project } = await createProject(alice, 'commits');
        const { svn_url: url } = await createRepository(alice, project, 'code');
        const client = new SvnClient();
        const commit = async (folder: string) =>
          expect(await client.mucc(alice, url, 'more', 'mkdir', folder)).toMatchObject({ code: 0 });
        await commit('before');
        await survive('http-0', 'throw');
        await isServed();
        await commit('after');
        client.remove();
      },
    );
  }
});
