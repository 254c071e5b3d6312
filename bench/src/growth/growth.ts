import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, sql } from '../../../server/src/storage/index.ts';
import type { EngineName, Home, Place } from '../databases/home.ts';
import { openHome } from '../databases/open-home.ts';
import { provideDataset } from '../dataset/datasets.ts';
import { runLoad } from '../load/run-load.ts';
import { rssAnonMb } from '../machine.ts';
import { ProductApi } from '../product/api.ts';
import { Installation } from '../product/installation.ts';
import { streamsOf } from '../requests.ts';
import type { Scenario } from '../scenario.ts';
import { artifacts } from '../scenarios/artifacts.ts';
import { workFolder } from '../work-folder.ts';
import type { GrowthOptions } from './options.ts';

/** What one request of a kind costs, one client alone. */
export interface Cost {
  readonly scenario: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number | undefined;
}

/** All that was measured of one size on one engine. */
export interface SizeFigures {
  readonly engine: EngineName;
  readonly artifacts: number;
  readonly costs: readonly Cost[];
  readonly startSeconds: number;
  readonly memoryMb: number | undefined;
  readonly bytes: number;
}

const starts = 3;
const warmUpSeconds = 1;

/** Those that measure how others wait tell nothing about what they cost themselves. */
const isCost = ({ beside, paceMs }: Scenario) => beside === undefined && paceMs === undefined;

/** Names without the size: the same thing in trackers of all sizes. */
const plainName = (name: string) => name.replace(/^artifact-read-\d+[km]?$/, 'artifact-read');

export async function* measureGrowth(options: GrowthOptions): AsyncGenerator<SizeFigures> {
  await using folder = await workFolder(options.isKept);
  for (const engine of options.engines) {
    await using home = await openHome(engine, folder.path, options.databaseUrl);
    for (const size of options.artifacts) yield await measureSize(home, size, options);
  }
}

async function measureSize(home: Home, size: number, options: GrowthOptions): Promise<SizeFigures> {
  const { name, dataset } = await provideDataset(home, size, options.isKept);
  const place = await home.copy(name, `run_${process.pid}_growth_${size}`);
  const installation = new Installation(place.folder, place.databaseUrl);
  const bytes = await bytesOf(place);
  const startSeconds = await medianStart(installation);
  const accessKey = dataset.form.memberKey;
  return installation.use('one', async ({ port, pid }) => {
    const site = { baseUrl: `http://127.0.0.1:${port}`, api: new ProductApi(port, accessKey), dataset };
    const scenarios = (await artifacts([size], 0).prepare(site)).filter(isCost);
    const costs: Cost[] = [];
    for (const scenario of scenarios) {
      const streams = streamsOf({ ...scenario, connections: 1 }, scenario.traffic, accessKey);
      const figures = await runLoad({ port, pid, warmUpSeconds, seconds: options.seconds, streams });
      const { p50Ms, p99Ms, cpuMicros } = figures;
      console.error(`${home.engine} ${size} ${scenario.name}: p50 ${p50Ms.toFixed(2)} ms`);
      costs.push({ scenario: plainName(scenario.name), p50Ms, p99Ms, cpuMicros });
    }
    return { engine: home.engine, artifacts: size, costs, startSeconds, memoryMb: rssAnonMb(pid), bytes };
  });
}

/** From the first instruction of the process until it is ready, on data that is there already. */
async function medianStart(installation: Installation): Promise<number> {
  const seconds: number[] = [];
  for (let count = 0; count < starts; count++) {
    const begun = performance.now();
    await installation.use('one', async () => seconds.push((performance.now() - begun) / 1000));
  }
  return seconds.toSorted((left, right) => left - right)[Math.floor(starts / 2)] ?? 0;
}

/** Of the database and all that the product keeps beside it. */
async function bytesOf({ folder, databaseUrl }: Place): Promise<number> {
  const files = globSync('data/**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const beside = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  if (databaseUrl === undefined) return beside;
  const database = await openDatabase({ folder, databaseUrl, connections: 1 });
  const size = sql`select pg_database_size(current_database())::float8 as bytes`;
  const [row] = await database.all<{ bytes: number }>({ compile: () => size.compile(database.sql) });
  await database.close();
  return beside + (row?.bytes ?? 0);
}
