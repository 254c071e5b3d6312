import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from '../harness/atelier.ts';

/** What is started after these words writes its log to a disk without room. */
const ontoFullDisk = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];

const folder = mkdtempSync(join(tmpdir(), 'atelier-log-'));
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
});

test('a service whose log has no room answers as it always does, and stops in good order', async () => {
  const environment = {
    ATELIER_DATA: folder,
    ATELIER_PORT: '0',
    ATELIER_HOST: '127.0.0.1',
    ATELIER_HTTP_THREADS: '2',
    ATELIER_APT: '0',
    ATELIER_LOG_LEVEL: 'info',
  };
  server = await startServer(environment, ontoFullDisk);
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
