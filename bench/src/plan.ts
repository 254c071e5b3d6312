import { join } from 'node:path';
import type { Dataset } from './dataset/dataset.ts';
import { idsAcross } from './dataset/ids.ts';
import { type FloorContent, startFloor } from './floors/floor.ts';
import { writePostgresRows } from './floors/postgres-rows.ts';
import { writeRows } from './floors/rows.ts';
import { runWriteLoop, type WriteFloor, type WritePlace } from './floors/write-floor.ts';
import type { Figures, Stream } from './load/load.ts';
import { runLoad } from './load/run-load.ts';
import { rssAnonMb } from './machine.ts';
import type { ProductApi } from './product/api.ts';
import type { Installation } from './product/installation.ts';
import { streamsOf } from './requests.ts';
import type { RunningServer } from './running-server.ts';
import type { Scenario, ScenarioRequest, ServerName, ThreadMode, Traffic } from './scenario.ts';

export interface ServerFigures extends Figures {
  rssAnonMb: number | undefined;
}

/** One server under the load of one scenario, with one number of threads. */
export interface Subject {
  scenario: string;
  server: ServerName;
  threads: ThreadMode;
  /** Whether the load decides how many requests there are. */
  isPaced: boolean;
  run(seconds: number): Promise<ServerFigures>;
}

export interface Ground {
  /** For the files of the floors. */
  folder: string;
  installation: Installation;
  accessKey: string;
  dataset?: Dataset;
  /** Set where the product is on PostgreSQL: its floors are there too. */
  databaseUrl?: string;
}

/**
 * What the first seconds of a server tell nothing about: how long the compiler of Node takes to know its code. Of the
 * product's it knows all that is hot after some forty thousand requests; a floor is a page of code.
 */
const warmUpSeconds = { product: 12, floor: 3, loop: 0.5 };
/** How many different answers the floors know for a walk over a tracker, and how many rows hold them. */
const sampleSize = 4000;
const rowCount = 20_000;
const readersAtOnce = 8;

/** Everything to measure of a scenario, the product right after the floors it is compared with. */
export async function planScenario(scenario: Scenario, ground: Ground, api: ProductApi): Promise<Subject[]> {
  const floors = await planFloors(scenario, ground, api);
  return modesOf(scenario).flatMap((threads) => [
    ...floors.map((plan) => plan(threads)),
    productSubject(scenario, threads, ground),
  ]);
}

/** Threads share a port by SO_REUSEPORT, which libuv offers on Linux but neither on macOS nor on Windows. */
function modesOf({ threads = ['one'] }: Scenario): readonly ThreadMode[] {
  return process.platform === 'linux' ? threads : ['one'];
}

function productSubject(scenario: Scenario, threads: ThreadMode, ground: Ground): Subject {
  const streams = streamsOf(scenario, scenario.traffic, ground.accessKey);
  return {
    scenario: scenario.name,
    server: 'atelier',
    threads,
    isPaced: scenario.paceMs !== undefined,
    run: (seconds) =>
      ground.installation.use(threads, (server) => load(server, streams, warmUpSeconds.product, seconds)),
  };
}

async function load(
  { port, pid }: RunningServer,
  streams: Stream[],
  warmUp: number,
  seconds: number,
): Promise<ServerFigures> {
  const figures = await runLoad({ port, pid, warmUpSeconds: warmUp, seconds, streams });
  return { ...figures, rssAnonMb: rssAnonMb(pid) };
}

type FloorPlan = (threads: ThreadMode) => Subject;

async function planFloors(scenario: Scenario, ground: Ground, api: ProductApi): Promise<FloorPlan[]> {
  switch (scenario.floors) {
    case 'none':
      return [];
    case 'answers':
      return answeringFloors(scenario, ground, api);
    default:
      return [await writingFloor(scenario.name, scenario.floors, ground)];
  }
}

/** The floors hold what the product answers, and are asked for it in the same manner. */
async function answeringFloors(scenario: Scenario, ground: Ground, api: ProductApi): Promise<FloorPlan[]> {
  const bodies = await readBodies(sampleOf(scenario.traffic, ground), api);
  const isWalk = scenario.traffic.kind === 'walk';
  const rows = isWalk ? repeated(bodies, rowCount) : bodies;
  const traffic = rowTraffic(rows.length, isWalk);
  const streams = streamsOf({ ...scenario, beside: undefined }, traffic, ground.accessKey);
  const contents: FloorContent[] = [
    { kind: 'http', bytes: meanBytes(bodies) },
    await floorWithRows(scenario.name, ground, rows),
  ];
  return contents.map((content) => (threads) => ({
    scenario: scenario.name,
    server: content.kind,
    threads,
    isPaced: scenario.paceMs !== undefined,
    async run(seconds) {
      await using server = await startFloor(content, threads);
      return await load(server, streams, warmUpSeconds.floor, seconds);
    },
  }));
}

async function floorWithRows(name: string, ground: Ground, rows: string[]): Promise<FloorContent> {
  if (ground.databaseUrl === undefined) {
    const path = join(ground.folder, `${name}.sqlite`);
    writeRows(path, rows);
    return { kind: 'http+sqlite', path };
  }
  const place = { url: ground.databaseUrl, table: name.replaceAll('-', '_') };
  await writePostgresRows(place, rows);
  return { kind: 'http+postgres', ...place };
}

function rowTraffic(rows: number, isWalk: boolean): Traffic {
  if (isWalk) return { kind: 'walk', path: '/rows/', first: 1, count: rows };
  const ids = Array.from({ length: rows }, (_, index) => index + 1);
  return { kind: 'any', requests: ids.map((id) => ({ method: 'GET', path: `/rows/${id}` })) };
}

function sampleOf(traffic: Traffic, { dataset }: Ground): ScenarioRequest[] {
  if (traffic.kind === 'any') return traffic.requests;
  if (traffic.kind === 'edits' || dataset === undefined) throw new Error('Such answers have no floor');
  return idsAcross(dataset, sampleSize).map((id) => ({
    method: 'GET',
    path: `${traffic.path}${id}`,
  }));
}

/** Asks the product each request once. */
async function readBodies(requests: ScenarioRequest[], api: ProductApi): Promise<string[]> {
  const bodies: string[] = [];
  for (let start = 0; start < requests.length; start += readersAtOnce) {
    const some = requests.slice(start, start + readersAtOnce);
    bodies.push(...(await Promise.all(some.map((request) => api.text(request)))));
  }
  return bodies;
}

function repeated(bodies: string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => bodies[index % bodies.length] ?? '');
}

function meanBytes(bodies: string[]): number {
  const total = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return Math.round(total / bodies.length);
}

async function writingFloor(
  scenario: string,
  rows: WriteFloor,
  { dataset, databaseUrl, folder }: Ground,
): Promise<FloorPlan> {
  if (dataset === undefined) throw new Error('There is nothing for this floor to write to');
  const place: WritePlace =
    databaseUrl === undefined
      ? { kind: 'sqlite', path: join(folder, 'data', 'atelier.sqlite') }
      : { kind: 'postgres', url: databaseUrl };
  return (threads) => ({
    scenario,
    server: place.kind,
    threads,
    isPaced: false,
    async run(seconds) {
      const order = { rows, place, dataset, warmUpSeconds: warmUpSeconds.loop, seconds };
      return { ...(await runWriteLoop(order)), rssAnonMb: undefined };
    },
  });
}
