import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../databases/home.ts';
import { openHome } from '../databases/open-home.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { provideDataset } from '../dataset/datasets.ts';
import type { Figures, Stream } from '../load/load.ts';
import { runLoad } from '../load/run-load.ts';
import { machineFacts, rssAnonMb } from '../machine.ts';
import { ProductApi } from '../product/api.ts';
import { Installation } from '../product/installation.ts';
import { writeResults } from '../report/results.ts';
import { writeSection } from '../report/sections.ts';
import { renderColumns } from '../report/table.ts';
import { streamsOf } from '../requests.ts';
import type { Scenario, Traffic } from '../scenario.ts';
import { artifacts } from '../scenarios/artifacts.ts';
import { workFolder } from '../work-folder.ts';
import { type MixedOptions, readMixedOptions } from './options.ts';

/** Each of them thinks a quarter of a second: 800 requests a second, as of some ten thousand people. */
const clients = 200;
const paceMs = 250;
const shares = { reads: 0.8, searches: 0.1, changes: 0.08, uploads: 0.02 };
const minuteSeconds = 60;
/** What somebody uploads and attaches to nothing may take 64 MB, which those of a quarter of an hour are below. */
const fileBytes = 4096;
const most = { p99Ms: 25, memoryGrowth: 1.05 };

/** The dearest ones are rare in a day; a mix of what a table and a search page ask for. */
const mixedSearches = ['search-fifth', 'search-two-fields', 'search-dates', 'search-word', 'search-all'];

interface Minute extends Figures {
  minute: number;
  memoryMb: number | undefined;
  walBytes: number | undefined;
}

export async function runMixedBench(args: string[]): Promise<void> {
  const options = readMixedOptions(args);
  await using folder = await workFolder(options.isKept);
  for (const engine of options.engines) {
    await using home = await openHome(engine, folder.path, options.databaseUrl);
    const minutes = await measure(home, options);
    tell(engine, minutes);
    if (options.out !== undefined)
      writeSection(options.out, `${clients} clients on ${engine}`, sectionOf(minutes));
  }
}

async function measure(home: Home, { artifacts: size, minutes, isKept }: MixedOptions): Promise<Minute[]> {
  const { name, dataset } = await provideDataset(home, size, isKept);
  const place = await home.copy(name, `run_${process.pid}_mixed`);
  const installation = new Installation(place.folder, place.databaseUrl);
  const accessKey = dataset.form.memberKey;
  const wal = join(place.folder, 'data', 'atelier.sqlite-wal');
  return installation.use('all', async ({ port, pid }) => {
    const site = { baseUrl: `http://127.0.0.1:${port}`, api: new ProductApi(port, accessKey), dataset };
    const streams = streamsIn(await artifacts([size], 0).prepare(site), dataset, accessKey);
    const told: Minute[] = [];
    // The first is for the compiler of Node and for what fills memory once.
    for (let minute = 0; minute <= minutes; minute++) {
      const figures = await runLoad({ port, pid, warmUpSeconds: 0, seconds: minuteSeconds, streams });
      const one = {
        ...figures,
        minute,
        memoryMb: rssAnonMb(pid),
        walBytes: statSync(wal, { throwIfNoEntry: false })?.size,
      };
      console.error(`${home.engine} minute ${minute}: reads p99 ${one.p99Ms.toFixed(1)} ms`);
      if (minute > 0) told.push(one);
    }
    return told;
  });
}

function streamsIn(scenarios: readonly Scenario[], dataset: Dataset, accessKey: string): Stream[] {
  const ofKind = (name: string) => scenarios.filter((one) => one.name.startsWith(name));
  const stream = (share: number, traffic: Traffic | undefined): Stream[] => {
    if (traffic === undefined) return [];
    const scenario: Scenario = { name: '', traffic, connections: clients * share, paceMs, floors: 'none' };
    return streamsOf(scenario, traffic, accessKey);
  };
  const requests = mixedSearches.flatMap((name) =>
    ofKind(name).flatMap(({ traffic }) => (traffic.kind === 'any' ? traffic.requests : [])),
  );
  return [
    ...stream(shares.reads, {
      kind: 'walk',
      path: '/api/artifacts/',
      first: dataset.firstId,
      count: dataset.lastId - dataset.firstId + 1,
    }),
    ...stream(shares.searches, { kind: 'any', requests }),
    ...stream(shares.changes, ofKind('artifact-update')[0]?.traffic),
    ...stream(shares.uploads, uploads()),
  ];
}

function uploads(): Traffic {
  const content = Buffer.alloc(fileBytes, 'Atelier ').toString('base64');
  const body = JSON.stringify({ name: 'log.txt', mimetype: 'text/plain', content });
  return { kind: 'any', requests: [{ method: 'POST', path: '/api/artifact_temporary_files', body }] };
}

function tell(engine: string, minutes: Minute[]): void {
  const machine = machineFacts();
  const shown = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? '–';
  const table = renderColumns(
    minutes,
    [],
    [
      ['minute', ({ minute }) => String(minute)],
      ['reads/s', (one) => shown(one.requestsPerSecond, 0)],
      ['p50 ms', (one) => shown(one.p50Ms, 2)],
      ['p99 ms', (one) => shown(one.p99Ms, 2)],
      ['max ms', (one) => shown(one.maxMs, 1)],
      ['RssAnon MB', (one) => shown(one.memoryMb, 0)],
      ['WAL MB', (one) => shown(one.walBytes === undefined ? undefined : one.walBytes / 1e6, 1)],
    ],
  );
  console.log(
    `\n${clients} clients on ${engine}, Node ${machine.node}, ${machine.cores} cores\n\n${table}\n`,
  );
  const p99 = Math.max(...minutes.map((one) => one.p99Ms));
  const [first, last] = [minutes[0]?.memoryMb ?? Number.NaN, minutes.at(-1)?.memoryMb ?? Number.NaN];
  console.log(`Reads, p99 of the worst minute: ${p99.toFixed(1)} ms, wanted ${most.p99Ms}`);
  console.log(
    `Memory, last minute over the first: ${(last / first).toFixed(2)}, wanted ${most.memoryGrowth}`,
  );
  console.log(`Results: ${writeResults({ machine, engine, mixed: minutes })}`);
}

function sectionOf(minutes: Minute[]): string {
  const rows = minutes.map(
    ({ minute, requestsPerSecond, p50Ms, p99Ms, memoryMb, walBytes }) =>
      `| ${minute} | ${requestsPerSecond.toFixed(0)} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${memoryMb?.toFixed(0) ?? '–'} | ${walBytes === undefined ? '–' : (walBytes / 1e6).toFixed(1)} |`,
  );
  return [
    'Each of them asks four times a second: of 100 requests 80 read an artifact, 10 search, 8 change one and 2 upload a file of 4 kB (`npm run bench -- mixed`).',
    'All were answered as they should. The clients share the cores.',
    '',
    '| minute | reads a second | p50 ms | p99 ms | memory MB | write-ahead log MB |',
    '|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}
