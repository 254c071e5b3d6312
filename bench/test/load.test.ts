import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { generateLoad, type Stream } from '../src/load/load.ts';
import { createScripts, strideFor } from '../src/load/script.ts';
import { streamsOf } from '../src/requests.ts';
import type { Scenario, Traffic } from '../src/scenario.ts';

async function loadOn(listener: RequestListener, streams: Stream[]) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  try {
    return await generateLoad({ port: address.port, warmUpSeconds: 0.05, seconds: 0.3, streams });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function scenario(traffic: Traffic, change: Partial<Scenario> = {}): Scenario {
  return { name: 'test', traffic, floors: 'none', connections: 3, ...change };
}

const streams = (subject: Scenario) => streamsOf(subject, subject.traffic, 'key');

describe('load', () => {
  it('reports a server that is not there', async () => {
    const order = { port: 1, warmUpSeconds: 0.05, seconds: 0.1 };
    const walk = streams(scenario({ kind: 'walk', path: '/', first: 1, count: 2 }));
    const { failures } = await generateLoad({ ...order, streams: walk });
    expect(failures).toEqual({ 'connect ECONNREFUSED 127.0.0.1:1': 3 });
  });

  it('reports answers that are no success', async () => {
    const walk = streams(scenario({ kind: 'walk', path: '/', first: 1, count: 2 }));
    const { failures } = await loadOn((_, response) => {
      response.writeHead(412, { 'Content-Length': 0 }).end();
    }, walk);
    expect(failures['status 412']).toBeGreaterThan(0);
  });

  it('walks over all numbers before any comes again', async () => {
    const seen: string[] = [];
    const walk = streams(scenario({ kind: 'walk', path: '/things/', first: 11, count: 50 }));
    const { failures } = await loadOn((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(200, { 'Content-Length': 0 }).end();
    }, walk);
    expect(failures).toEqual({});
    const all = Array.from({ length: 50 }, (_, index) => `/things/${index + 11}`);
    expect(seen.slice(0, 50).sort()).toEqual(all.sort());
  });

  it('sends changes with the tag of the answer before', async () => {
    const versions = new Map<string, number>();
    const bodies: string[] = [];
    const wrong: unknown[] = [];
    const answer: RequestListener = async (request, response) => {
      const { url = '', method, headers } = request;
      const version = versions.get(url) ?? 1;
      if (method === 'PUT' && headers['if-match'] !== `"v${version}"`) wrong.push([url, headers['if-match']]);
      for await (const part of request) bodies.push(String(part));
      const next = method === 'PUT' ? version + 1 : version;
      versions.set(url, next);
      response.writeHead(200, { 'Content-Length': 2, Etag: `"v${next}"` }).end('{}');
    };
    const paths = ['/a', '/b', '/c', '/d'];
    const edits = streams(scenario({ kind: 'edits', paths, bodies: ['{"n":1}', '{"n":"é"}'] }));
    const { failures } = await loadOn(answer, edits);
    expect([failures, wrong]).toEqual([{}, []]);
    expect([...versions.keys()].sort()).toEqual(paths);
    for (const version of versions.values()) expect(version).toBeGreaterThan(1);
    expect(new Set(bodies)).toEqual(new Set(['{"n":1}', '{"n":"é"}']));
  });

  it('measures the first stream only, at its pace', async () => {
    const paced = scenario(
      { kind: 'any', requests: [{ method: 'GET', path: '/small' }] },
      {
        connections: 1,
        paceMs: 50,
        beside: { traffic: { kind: 'any', requests: [{ method: 'GET', path: '/large' }] } },
      },
    );
    let large = 0;
    const { figures, failures } = await loadOn((request, response) => {
      if (request.url === '/large') large++;
      const bytes = request.url === '/large' ? 200_000 : 10;
      response.writeHead(200, { 'Content-Length': bytes }).end('x'.repeat(bytes));
    }, streams(paced));
    expect(failures).toEqual({});
    expect(figures.meanBodyBytes).toBe(10);
    expect(figures.requestsPerSecond).toBeLessThan(25);
    expect(large).toBeGreaterThan(2);
  });
});

describe('scripts', () => {
  it.each([1, 2, 3, 10, 1000, 10_000, 1_000_000])('have a stride for %i numbers', (count) => {
    const stride = strideFor(count);
    const seen = new Set(Array.from({ length: Math.min(count, 5000) }, (_, step) => (step * stride) % count));
    expect(seen.size).toBe(Math.min(count, 5000));
  });

  it('share things out so that each belongs to one connection', () => {
    const things = ['a', 'b', 'c', 'd', 'e'].map((read) => ({ read, write: '' }));
    const scripts = createScripts({ kind: 'edits', things, endings: [''] }, 2);
    expect(scripts.map((script) => script.next())).toEqual(['a', 'b']);
  });
});
