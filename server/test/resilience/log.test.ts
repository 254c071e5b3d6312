import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type ServerProcess, spawnServer, startServer } from '../harness/atelier.ts';
import { freePort } from '../harness/postgres.ts';

/** What is started after these words writes its log to a disk without room. */
const ontoFullDisk = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
/** What is started after these says something to a reader that leaves after the first line. */
const toShortReader = ['bash', '-c', 'exec "$@" > >(head -n 1 > /dev/null)', 'bash'];

const folder = mkdtempSync(join(tmpdir(), 'atelier-log-'));
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
});

const environmentIn = (name: string) => ({
  ATELIER_DATA: join(folder, name),
  ATELIER_PORT: '0',
  ATELIER_HOST: '127.0.0.1',
  ATELIER_HTTP_THREADS: '2',
  ATELIER_APT: '0',
  ATELIER_LOG_LEVEL: 'info',
});

test('a service goes on when nobody reads any more what it says', async () => {
  const port = String(await freePort());
  const { child } = spawnServer({ ...environmentIn('read'), ATELIER_PORT: port }, toShortReader);
  const ended = once(child, 'exit');
  // It has said where it serves by the time at which it has looked round a few times.
  const looks = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(/job="count-waiting",result="done"} (\d+)/.exec(metrics)?.[1]);
  };
  const patience = { timeout: 60_000, interval: 100 };
  await vi.waitFor(async () => expect(await looks()).toBeGreaterThan(3), patience);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a service whose log has no room answers as it always does, and stops in good order', async () => {
  server = await startServer(environmentIn('full'), ontoFullDisk);
  const key = /access key\s+(\S+)/.exec(server.output())?.[1] ?? '';
  const headers = { 'X-Auth-AccessKey': key, 'Content-Type': 'application/json' };
  for (let round = 0; round < 10; round++) {
    const body = JSON.stringify({ description: `key ${round}` });
    const made = await fetch(`${server.url}/api/access_keys`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    expect((await fetch(`${server.url}/api/users/self`, { headers })).status).toBe(200);
  }
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics.match(/^atelier_threads_replaced_total.* [^0]/m)).toBeNull();
  expect(await server.end()).toBe(0);
});
