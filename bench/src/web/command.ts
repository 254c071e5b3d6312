import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../../server/test/harness/browser.ts';
import { openHome } from '../databases/open-home.ts';
import { provideDataset } from '../dataset/datasets.ts';
import { machineFacts } from '../machine.ts';
import { Installation } from '../product/installation.ts';
import { writeResults } from '../report/results.ts';
import { startFloor } from './floor.ts';
import { readWebOptions, type WebOptions } from './options.ts';
import { floorInteraction, interaction, open, type Site, scrolling, signedIn } from './visits.ts';

/** One figure, with what it must not pass and the same of the floor. */
interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'kB';
  readonly atMost: number;
  readonly floor?: number;
}

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Measures something some times, each time from nothing, and takes the median. */
async function repeated(rounds: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return median(values);
}

async function untilServed(baseUrl: string): Promise<void> {
  for (let left = 240; left > 0; left--) {
    const answer = await fetch(`${baseUrl}/login`, { headers: { Accept: 'text/html' } });
    if ((await answer.text()).includes('/assets/')) return;
    await pause(250);
  }
  throw new Error('The web application was not built within a minute.');
}

async function* figuresOf(
  browser: Browser,
  site: Site,
  floorUrl: string,
  rounds: number,
): AsyncGenerator<Figure> {
  const table = `/trackers/${site.trackerId}`;
  const cold = async (path: string) => {
    await using context = await signedIn(browser, site);
    return (await open(context, path)).loaded;
  };
  // What is counted is the smallest form that all browsers take.
  await using counted = await signedIn(browser, site, { 'Accept-Encoding': 'gzip' });
  const { loaded: first } = await open(counted, table);
  yield { name: 'JavaScript before the first rows', value: first.script / 1000, unit: 'kB', atMost: 200 };
  yield { name: 'style sheets before the first rows', value: first.style / 1000, unit: 'kB', atMost: 30 };
  const floor = await repeated(rounds, async () => {
    await using context = await browser.newContext();
    return (await open(context, floorUrl)).loaded.rows;
  });
  const coldRows = await repeated(rounds, async () => (await cold(table)).rows);
  yield { name: 'table, first rows, cold', value: coldRows, unit: 'ms', atMost: 1000, floor };
  const again = await repeated(rounds, async () => {
    await using context = await signedIn(browser, site);
    const { page } = await open(context, table);
    // What is kept on the device is written when nothing else is to be done.
    await pause(1500);
    await page.close();
    return (await open(context, table)).loaded.rows;
  });
  yield { name: 'table, first rows, second visit', value: again, unit: 'ms', atMost: 300, floor };
  const home = await repeated(rounds, async () => (await cold('/')).rows);
  yield { name: 'home, first rows, cold', value: home, unit: 'ms', atMost: 900, floor };
  const floorKey = await floorInteraction(browser, floorUrl);
  const used = async (rate: number) => {
    await using context = await signedIn(browser, site);
    return interaction(context, table, rate);
  };
  yield {
    name: 'interaction to next paint, p98',
    value: await used(1),
    unit: 'ms',
    atMost: 50,
    floor: floorKey,
  };
  yield { name: 'the same, processor slowed 4 times', value: await used(4), unit: 'ms', atMost: 100 };
  await using context = await signedIn(browser, site);
  const frame = await scrolling(context, table, 10);
  yield { name: 'longest frame in 10 s of scrolling', value: frame, unit: 'ms', atMost: 50 };
}

function lineOf({ name, value, unit, atMost, floor }: Figure): string {
  const ratio = floor === undefined ? '' : `${(value / floor).toFixed(1)} of the floor`;
  const verdict = value <= atMost ? 'met' : 'MISSED';
  return `${name.padEnd(38)}${value.toFixed(0).padStart(7)} ${unit}  at most ${String(atMost).padStart(4)}  ${verdict.padEnd(8)}${ratio}`;
}

async function measure(site: Site, { rounds }: WebOptions): Promise<Figure[]> {
  const { browser, close } = await startBrowser();
  await using floor = await startFloor();
  const figures: Figure[] = [];
  try {
    for await (const figure of figuresOf(browser, site, floor.url, rounds)) {
      console.log(lineOf(figure));
      figures.push(figure);
    }
  } finally {
    await close();
  }
  return figures;
}

/** Opens the pages of a large tracker in a real browser, and tells how long a person waits. */
export async function runWebBench(args: string[]): Promise<void> {
  const options = readWebOptions(args);
  await using folder = await workFolder(options.isKept);
  await using home = await openHome('SQLite', folder.path, undefined);
  const { name, dataset } = await provideDataset(home, options.artifacts, options.isKept);
  const place = await home.copy(name, `run_${process.pid}_web`);
  const installation = new Installation(place.folder, place.databaseUrl, { ATELIER_WEB: '1' });
  await installation.use('one', async ({ port }) => {
    const baseUrl = `http://127.0.0.1:${port}`;
    await untilServed(baseUrl);
    const site = { baseUrl, trackerId: dataset.form.trackerId, person: dataset.form.member };
    const machine = machineFacts();
    console.log(
      `\nNode ${machine.node}, ${machine.cores} cores, a tracker of ${options.artifacts} artifacts\n`,
    );
    const figures = await measure(site, options);
    console.log(`Results: ${writeResults({ machine, options, figures })}`);
  });
}

async function workFolder(isKept: boolean): Promise<AsyncDisposable & { path: string }> {
  if (!isKept) return mkdtempDisposable(join(tmpdir(), 'atelier-bench-'));
  const path = join(tmpdir(), 'atelier-bench');
  await mkdir(path, { recursive: true });
  return { path, async [Symbol.asyncDispose]() {} };
}
