import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { uploadInChunks } from '../fixtures/file.ts';
import { createProject, databaseOf } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import {
  type Atelier,
  createInstance,
  oneEngine,
  type Reply,
  startAtelier,
  startServer,
} from '../harness/atelier.ts';

const patience = { timeout: 60_000, interval: 100 };

const engines = oneEngine('PostgreSQL', 'files are counted by the process');

describe.each(engines)('a process that can open no more files, on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { isAlone: true });
  });
  afterAll(() => atelier?.stop());

  /** Nothing new gets a number below 3. */
  const letOpen = (files: number) =>
    execFileSync('prlimit', [`--pid=${atelier.server.child.pid}`, `--nofile=${files}:`]);

  /** A thread that has not loaded its code yet could not do so any more. */
  async function allThreadsRun(): Promise<void> {
    expect((await atelier.admin.get('/search?words=one')).status).toBe(200);
    const database = await databaseOf(atelier);
    const done = database.sql
      .selectFrom('job')
      .select('name')
      .where('due_at', '>', 0)
      .where('holder', 'is', null);
    const isCleaned = async () => expect(await database.all(done)).toContainEqual({ name: 'purge-files' });
    await vi.waitFor(isCleaned, patience).finally(() => database.close());
  }

  test('says 503 to what needs one, goes on with everything else, and lives', async () => {
    const { admin } = atelier;
    const { id: project } = await createProject(admin, 'crowded');
    const { id: tracker } = await createTracker(admin, project);
    const { field_id: title } = await addField(admin, tracker, { type: 'string', name: 'title' });
    const artifact = await submit(admin, tracker, [{ field_id: title, value: 'one' }]);
    const file = await uploadInChunks(admin, Buffer.from('some bytes'));
    const content = Buffer.from('other bytes').toString('base64');
    // All on the connection that is there; a new one would be a file.
    const requests: (() => Promise<Reply>)[] = [
      () => admin.get('/users/self'),
      () => admin.get(`/artifact_temporary_files/${file}`),
      () => admin.post('/artifact_temporary_files', { name: 'a', mimetype: 'text/plain', content }),
      () => admin.get(`/artifacts/${artifact}`),
      () => admin.get(`/trackers/${tracker}/artifacts?query={"${title}":"one"}`),
      () => admin.get('/search?words=one'),
      () => admin.get('/platform/templates'),
      () => admin.get(`/trackers/${tracker}/artifacts_export`),
      () => admin.put(`/artifacts/${artifact}`, { values: [{ field_id: title, value: 'two' }] }),
      () => admin.post('/svn', { name: 'code', project_id: project }),
    ];
    await allThreadsRun();
    letOpen(3);
    const statuses: number[] = [];
    for (const request of requests) statuses.push((await request()).status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(503);
    await atelier.sql('update job set due_at = 0, holder = null');
    await vi.waitFor(() => expect(atelier.server.output()).toContain('"thread":"background"'), patience);
    letOpen(1000);
    for (const request of requests.slice(0, -1)) expect(Math.floor((await request()).status / 100)).toBe(2);
    const metrics = await (await fetch(`${atelier.url}/metrics`)).text();
    expect(metrics.match(/^atelier_threads_replaced_total.* [^0]/m)).toBeNull();
    expect(atelier.server.output()).not.toContain('thread failed');
  });
});

test('with few open files there is always room for those who ask, whoever else only connects', async () => {
  const instance = await createInstance('SQLite');
  const server = await startServer(instance.environment, ['--nofile=256']);
  expect(server.output()).toMatch(/at most \d+ connections are taken, because .* 256 files/);
  const { hostname, port } = new URL(server.url);
  const idle: Socket[] = [];
  for (let count = 0; count < 300; count++) idle.push(connect(Number(port), hostname).on('error', () => {}));
  await Promise.all(
    idle.map((socket) => new Promise((done) => socket.once('connect', done).once('error', done))),
  );
  for (let count = 0; count < 20; count++) {
    const reply = await fetch(`${server.url}/readyz`, { headers: { Connection: 'close' } });
    expect(await reply.text()).toBe('{"status":"ready"}');
  }
  for (const socket of idle) socket.destroy();
  await server.end();
  await instance.remove();
});
