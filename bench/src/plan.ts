import { join } from 'node:path';
import { type FloorContent, startFloor } from './floors/floor.ts';
import { writeRows } from './floors/rows.ts';
import { apiHeaders, type ProductApi } from './product/api.ts';
import type { Installation } from './product/installation.ts';
import type { RunningServer } from './running-server.ts';
import { type Scenario, type ScenarioRequest, type ThreadMode, threadModes } from './scenario.ts';

export type ServerName = FloorContent['kind'] | 'atelier';

/** One server under the load of one scenario, with one number of threads. */
export interface Subject {
  scenario: string;
  server: ServerName;
  threads: ThreadMode;
  /** Complete HTTP requests. */
  requests: string[];
  start(): Promise<RunningServer>;
}

export interface Ground {
  folder: string;
  installation: Installation;
  accessKey: string;
  /** A product that runs, to learn what it answers. */
  api: ProductApi;
}

/** Everything to measure, in an order that puts the product right after the floors it is compared with. */
export async function planSubjects(scenarios: Scenario[], ground: Ground): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const scenario of scenarios) subjects.push(...(await planScenario(scenario, ground)));
  return subjects;
}

async function planScenario(scenario: Scenario, ground: Ground): Promise<Subject[]> {
  const bodies = await readBodies(scenario, ground.api);
  const floors = floorContents(scenario, bodies, ground.folder);
  return modesOfThisSystem().flatMap((threads) => [
    ...floors.map((content) => floorSubject(scenario, content, threads, ground)),
    productSubject(scenario, threads, ground),
  ]);
}

async function readBodies(scenario: Scenario, api: ProductApi): Promise<string[]> {
  const bodies: string[] = [];
  for (const request of scenario.requests) bodies.push(await api.text(request));
  return bodies;
}

function floorContents(scenario: Scenario, bodies: string[], folder: string): FloorContent[] {
  const path = join(folder, `${scenario.name}.sqlite`);
  writeRows(path, bodies);
  return [
    { kind: 'http', bytes: meanBytes(bodies) },
    { kind: 'http+sqlite', path },
  ];
}

function meanBytes(bodies: string[]): number {
  const total = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return Math.round(total / bodies.length);
}

/** Threads share a port by SO_REUSEPORT, which libuv offers on Linux but neither on macOS nor on Windows. */
function modesOfThisSystem(): readonly ThreadMode[] {
  return process.platform === 'linux' ? threadModes : ['one'];
}

function floorSubject(
  scenario: Scenario,
  content: FloorContent,
  threads: ThreadMode,
  ground: Ground,
): Subject {
  const requests = scenario.requests.map((request, index) => ({ ...request, path: `/rows/${index + 1}` }));
  return {
    scenario: scenario.name,
    server: content.kind,
    threads,
    requests: requests.map((request) => rawRequest(request, ground.accessKey)),
    start: () => startFloor(content, threads),
  };
}

function productSubject(scenario: Scenario, threads: ThreadMode, ground: Ground): Subject {
  return {
    scenario: scenario.name,
    server: 'atelier',
    threads,
    requests: scenario.requests.map((request) => rawRequest(request, ground.accessKey)),
    start: () => ground.installation.start(threads),
  };
}

export function rawRequest({ method, path, body }: ScenarioRequest, accessKey: string): string {
  const headers: Record<string, string> = { Host: '127.0.0.1', ...apiHeaders(accessKey, body) };
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
