import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createProject } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, createInstance, oneEngine, runProcess, startAtelier } from '../harness/atelier.ts';

const patience = { timeout: 60_000, interval: 20 };

const engines = oneEngine(
  'SQLite',
  'requests are let out by the process; a stop in the middle of a write is in start.test.ts, on both',
);

describe.each(engines)('a stop on %s', (engine) => {
  let atelier: Atelier | undefined;
  const start = async (env: Record<string, string>) => {
    atelier = await startAtelier(engine, { env, isAlone: true });
    return atelier;
  };
  afterEach(async () => {
    await atelier?.stop();
    atelier = undefined;
  });
  const ending = ({ server }: Atelier) => new Promise((resolve) => server.child.once('exit', resolve));

  test('that comes while it starts ends it as any other, and nothing is begun any more', async () => {
    const instance = await createInstance(engine);
    const env = {
      ...{
        ATELIER_HOST: 'localhost',
        ATELIER_PORT: '0',
        ATELIER_DRAIN_SECONDS: '0',
        ATELIER_STOP_SECONDS: '60',
      },
      NODE_OPTIONS: `--import ${new URL('../harness/stopped-threads.mjs', import.meta.url).href}`,
    };
    const said = await runProcess({ ...instance.environment, ...env }, ['serve']);
    expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
    await instance.remove();
  });

  test('is announced by /readyz while everybody is served for the last time, and resets no connection', async () => {
    const running = await start({ ATELIER_DRAIN_SECONDS: '2', ATELIER_HTTP_THREADS: '2' });
    const faults: string[] = [];
    const kept = new Set<string>();
    let answers = 0;
    let isDraining = false;
    // Some keep their connection and some connect anew, as different clients do.
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let round = 0; ; round++) {
        const change = { key: `k${client}-${round}`, value: 'x' };
        const options = client % 2 === 0 ? {} : { headers: { Connection: 'close' } };
        const wasDraining = isDraining;
        try {
          const reply = await running.admin.request('PATCH', '/users/self/preferences', {
            body: change,
            ...options,
          });
          if (reply.status !== 200 && reply.status !== 503) faults.push(`status ${reply.status}`);
          if (wasDraining) kept.add(reply.headers.get('connection') ?? '');
          answers++;
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
          if (code !== 'ECONNREFUSED') faults.push(code);
          return;
        }
      }
    });
    await vi.waitFor(() => expect(answers).toBeGreaterThan(100), patience);
    const ended = ending(running);
    running.server.child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${running.url}/readyz`)).status).toBe(503), patience);
    isDraining = true;
    expect((await running.admin.get('/users/self')).status).toBe(200);
    expect(await ended).toBe(0);
    await Promise.all(clients);
    expect(faults).toEqual([]);
    expect([...kept]).toEqual(['close']);
  });

  /** A tracker with so many artifacts, and the change of all of them. */
  async function bulkChange({ admin }: Atelier, count: number) {
    const project = (await createProject(admin, 'bulk')).id;
    const { id: tracker } = await createTracker(admin, project);
    const { field_id: title } = await addField(admin, tracker, { type: 'string', name: 'title' });
    const ids = await Promise.all(
      Array.from({ length: count }, () => submit(admin, tracker, [{ field_id: title, value: 'before' }])),
    );
    const body = { artifacts: ids.map((id) => ({ id })), values: [{ field_id: title, value: 'after' }] };
    return { ids, change: () => admin.post(`/trackers/${tracker}/artifact_changes`, body) };
  }

  const changesetsOf = async ({ admin }: Atelier, id: number) =>
    Number((await admin.get(`/artifacts/${id}/changesets?limit=1`)).headers.get('x-pagination-size'));

  /** Lets no change through until it is released. */
  async function holdWrites({ instance }: Atelier): Promise<() => Promise<void>> {
    const url = instance.environment['ATELIER_DATABASE_URL'];
    if (url === undefined) {
      const database = new DatabaseSync(join(instance.folder, 'atelier.sqlite'), { timeout: 20_000 });
      database.exec('begin immediate');
      return async () => {
        database.exec('rollback');
        database.close();
      };
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    await client.query('lock table artifact in exclusive mode');
    return () => client.end();
  }

  async function runningRequests({ url }: Atelier): Promise<number> {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/atelier_http_requests_running (\d+)/.exec(metrics)?.[1]);
  }

  const isClosed = async ({ url }: Atelier) =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );

  interface Result {
    readonly id: number;
    readonly outcome: string;
  }

  test.each([
    ['finishes a change of many that is under way', 20, 200],
    ['tells how far a change of many came for which it has no time', 6, 503],
  ])('%s', async (_, seconds, expected) => {
    const running = await start({ ATELIER_STOP_SECONDS: String(seconds), ATELIER_LOCK_SECONDS: '20' });
    const { ids, change } = await bulkChange(running, 30);
    const release = await holdWrites(running);
    const answer = change();
    await vi.waitFor(async () => expect(await runningRequests(running)).toBe(1), patience);
    const ended = ending(running);
    running.server.child.kill('SIGTERM');
    await vi.waitFor(async () => expect(await isClosed(running)).toBe(true), patience);
    // Half of its time is over: nothing more is begun.
    if (expected === 503) await pause(seconds * 500);
    await release();
    const reply = await answer;
    expect(await ended).toBe(0);
    expect(reply.status).toBe(expected);
    const results: Result[] = reply.body.results;
    const [done, all] = [results.length, ids.length];
    expect(results.map(({ id, outcome }) => [id, outcome])).toEqual(
      ids.slice(0, done).map((id) => [id, 'changed']),
    );
    if (expected === 503) {
      expect(done).toBeLessThan(all);
      expect(reply.body.error.message).toContain(
        `Of ${all} parts of this request the first ${done} were dealt with`,
      );
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    } else expect(done).toBe(all);
    await running.restart();
    const made = await Promise.all(ids.map(async (id) => (await changesetsOf(running, id)) - 1));
    expect(made).toEqual(ids.map((_id, index) => (index < done ? 1 : 0)));
  });
});
