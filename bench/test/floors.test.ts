import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFloor } from '../src/floors/floor.ts';
import { writeRows } from '../src/floors/rows.ts';
import { runLoad } from '../src/load/run-load.ts';
import { rawRequest } from '../src/plan.ts';

const requests = [1, 2].map((id) => rawRequest({ method: 'GET', path: `/rows/${id}` }, 'key'));
const order = { connections: 4, warmUpSeconds: 0.05, seconds: 0.1, requests };
const modes = process.platform === 'linux' ? (['one', 'all'] as const) : (['one'] as const);

describe.each(modes)('floors with %s', (threads) => {
  it('answers a constant body', async () => {
    await using floor = await startFloor({ kind: 'http', bytes: 100_000 }, threads);
    const result = await runLoad({ ...order, port: floor.port });
    expect(result).toMatchObject({ failures: {}, meanBodyBytes: 100_000 });
    expect(result.requestsPerSecond).toBeGreaterThan(0);
  });

  it('answers the row of the URL', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'atelier-floor-'));
    const path = join(folder.path, 'rows.sqlite');
    writeRows(path, ['first', 'sécond']);
    await using floor = await startFloor({ kind: 'http+sqlite', path }, threads);
    const response = await fetch(`http://127.0.0.1:${floor.port}/rows/2`);
    expect(await response.text()).toBe('sécond');
    expect((await runLoad({ ...order, port: floor.port })).failures).toEqual({});
  });
});

describe('load', () => {
  it('reports a server that is not there', async () => {
    const { failures } = await runLoad({ ...order, port: 1 });
    expect(failures).toEqual({ 'connect ECONNREFUSED 127.0.0.1:1': 4 });
  });
});
