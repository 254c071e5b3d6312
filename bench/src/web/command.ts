import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../../server/test/harness/browser.ts';
import { openHome } from '../databases/open-home.ts';
import { provideDataset } from '../dataset/datasets.ts';
import { machineFacts } from '../machine.ts';
import { Installation } from '../product/installation.ts';
import { writeResults } from '../report/results.ts';
import { workFolder } from '../work-folder.ts';
import { startFloor } from './floor.ts';
import { readWebOptions, type WebOptions } from './options.ts';
import {
  floorInteraction,
  heldAfter,
  interaction,
  open,
  type Site,
  scrolling,
  signedIn,
  untilKept,
} from './visits.ts';

/** One figure, with what it must not pass and the same of the floor. */
interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'kB' | 'MB';
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

type Measures = Readonly<Record<string, Omit<Figure, 'name' | 'value' | 'floor'> & Measuring>>;

interface Measuring {
  measure(): Promise<number>;
  /** The same of the least that a page can be. */
  floor?(): Promise<number>;
}

/** Remembers what was measured: several figures stand beside the same floor. */
function once(measure: () => Promise<number>): () => Promise<number> {
  let value: Promise<number> | undefined;
  return () => {
    value ??= measure();
    return value;
  };
}

function measuresOf(browser: Browser, site: Site, floorUrl: string, rounds: number): Measures {
  const table = `/trackers/${site.trackerId}`;
  const cold = async (path: string) => {
    await using context = await signedIn(browser, site);
    return (await open(context, path)).loaded.rows;
  };
  const bytesOf = async (kind: 'script' | 'style') => {
    // What is counted is the smallest form that all browsers take.
    await using context = await signedIn(browser, site, { 'Accept-Encoding': 'gzip' });
    return (await open(context, table)).loaded[kind] / 1000;
  };
  const again = async () => {
    await using context = await signedIn(browser, site);
    const { page } = await open(context, table);
    // What is read is kept on the device when nothing else is to be done.
    await Promise.all([untilKept(page), pause(1500)]);
    await page.close();
    return (await open(context, table)).loaded.rows;
  };
  const used = async (rate: number) => {
    await using context = await signedIn(browser, site);
    // Awaited here: the context ends with this function.
    return await interaction(context, table, rate);
  };
  const scrolled = async () => {
    await using context = await signedIn(browser, site);
    return await scrolling(context, table, 10);
  };
  const held = async () => {
    await using context = await signedIn(browser, site);
    return (await heldAfter(500, context, site)) / 1_000_000;
  };
  const floorRows = async () => {
    await using context = await browser.newContext();
    return (await open(context, floorUrl)).loaded.rows;
  };
  const floor = once(() => repeated(rounds, floorRows));
  const ms = (atMost: number) => ({ unit: 'ms' as const, atMost });
  return {
    'JavaScript before the first rows': { unit: 'kB', atMost: 200, measure: () => bytesOf('script') },
    'style sheets before the first rows': { unit: 'kB', atMost: 30, measure: () => bytesOf('style') },
    'table, first rows, cold': { ...ms(1000), measure: () => repeated(rounds, () => cold(table)), floor },
    'table, first rows, second visit': { ...ms(300), measure: () => repeated(rounds, again), floor },
    'home, first rows, cold': { ...ms(900), measure: () => repeated(rounds, () => cold('/')), floor },
    'interaction to next paint, p98': {
      ...ms(50),
      measure: () => used(1),
      floor: () => floorInteraction(browser, floorUrl),
    },
    'the same, processor slowed 4 times': { ...ms(100), measure: () => used(4) },
    'longest frame in 10 s of scrolling': { ...ms(50), measure: scrolled },
    'more memory after 500 pages': { unit: 'MB', atMost: 30, measure: held },
  };
}

/** Nothing needs so long: what does is told, and not waited for. */
const limit = 600_000;

async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const ending = new AbortController();
  const tooLong = async (): Promise<never> => {
    await pause(milliseconds, undefined, { signal: ending.signal });
    throw new Error(`It took longer than ${milliseconds / 1000} s.`);
  };
  try {
    return await Promise.race([work, tooLong()]);
  } finally {
    ending.abort();
  }
}

/** Measures one after the other; what cannot be measured is told, and the others are measured. */
async function* figuresOf(measures: Measures): AsyncGenerator<Figure> {
  for (const [name, { unit, atMost: most, measure, floor }] of Object.entries(measures)) {
    try {
      const value = await atMost(limit, measure());
      yield { name, value, unit, atMost: most, ...(floor === undefined ? {} : { floor: await floor() }) };
    } catch (error) {
      const [reason] = String(error).split('\n');
      console.log(`${name.padEnd(38)} not measured: ${reason}`);
    }
  }
}

function lineOf({ name, value, unit, atMost, floor }: Figure): string {
  const ratio = floor === undefined ? '' : `${(value / floor).toFixed(1)} of the floor`;
  const verdict = value <= atMost ? 'met' : 'MISSED';
  return `${name.padEnd(38)}${value.toFixed(0).padStart(7)} ${unit}  at most ${String(atMost).padStart(4)}  ${verdict.padEnd(8)}${ratio}`;
}

async function measure(site: Site, { rounds }: WebOptions): Promise<Figure[]> {
  // As people have it, unlike the one of the tests.
  const { browser, close } = await startBrowser([]);
  await using floor = await startFloor();
  const figures: Figure[] = [];
  try {
    for await (const figure of figuresOf(measuresOf(browser, site, floor.url, rounds))) {
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
