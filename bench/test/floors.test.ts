import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startFloor } from '../src/floors/floor.ts';
import { writePostgresRows } from '../src/floors/postgres-rows.ts';
import { writeRows } from '../src/floors/rows.ts';
import { runLoad } from '../src/load/run-load.ts';
import { rawRequest } from '../src/requests.ts';

const requests = [1, 2].map((id) => rawRequest({ method: 'GET', path: `/rows/${id}` }, 'key'));
const order = {
  warmUpSeconds: 0.2,
  seconds: 0.5,
  streams: [{ connections: 4, script: { kind: 'any' as const, requests } }],
};
const modes = process.platform === 'linux' ? (['one', 'all'] as const) : (['one'] as const);

describe.each(modes)('floors with %s', (threads) => {
  it('answers a constant body', async () => {
    await using floor = await startFloor({ kind: 'http', bytes: 100_000 }, threads);
    const { meanBodyBytes, requestsPerSecond } = await runLoad({ ...order, port: floor.port });
    expect(meanBodyBytes).toBe(100_000);
    expect(requestsPerSecond).toBeGreaterThan(0);
  });

  it('answers the row of the URL', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'atelier-floor-'));
    const path = join(folder.path, 'rows.sqlite');
    writeRows(path, ['first', 'sécond']);
    await using floor = await startFloor({ kind: 'http+sqlite', path }, threads);
    const response = await fetch(`http://127.0.0.1:${floor.port}/rows/2`);
    expect(await response.text()).toBe('sécond');
    expect((await runLoad({ ...order, port: floor.port })).requestsPerSecond).toBeGreaterThan(0);
  });
});

it('P19.1 the floor on PostgreSQL answers the row of the URL from a database of the same server', async () => {
  const place = { url: `${inject('prepared').postgresUrl}postgres`, table: 'floor_of_tests' };
  await writePostgresRows(place, ['first', 'sécond']);
  await using floor = await startFloor({ kind: 'http+postgres', ...place }, 'one');
  const response = await fetch(`http://127.0.0.1:${floor.port}/rows/2`);
  expect(await response.text()).toBe('sécond');
  expect((await runLoad({ ...order, port: floor.port })).requestsPerSecond).toBeGreaterThan(0);
});

describe('load', () => {
  it('throws when a server is not there', async () => {
    await expect(runLoad({ ...order, port: 1 })).rejects.toThrow('4 × connect ECONNREFUSED 127.0.0.1:1');
  });
});
