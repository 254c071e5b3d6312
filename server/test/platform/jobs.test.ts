import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../src/kernel/clock.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { createPlatform } from '../../src/operations.ts';
import { type Database, openDatabase, operationsOn } from '../../src/storage/index.ts';
import { JobFaults } from '../../src/threads/job-faults.ts';
import { type Job, JobRunner } from '../../src/threads/job-runner.ts';
import { jobs } from '../../src/threads/jobs.ts';
import { createInstance, engines, type Instance } from '../harness/atelier.ts';
import { MetricsText } from '../harness/metrics.ts';

const { operations } = createPlatform({ tellsPeople: false });

/** Longer than any test waits: who runs again did not wait for it. */
const never = 2 ** 31 - 1;
const patience = 60_000;

test('every job has a name of its own', () => {
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('a job that goes on failing is told at once, then rarely, and once when it works again', () => {
  let now = 0;
  const told: string[] = [];
  const log = {
    error: (facts: { error?: string }) => void told.push(`${now / second} ${facts.error}`),
    info: (_: object, words: string) => void told.push(`${now / second} ${words}`),
  };
  const faults = new JobFaults(log, () => now);
  const pass = (time: number, isFailing: boolean) => {
    for (const end = now + time; now < end; now += second / 4)
      if (isFailing) faults.failed('hand-out-events', `full, ${now} bytes wanted`);
      else faults.worked('hand-out-events');
  };
  pass(hour, true);
  const times = told.map((line) => Number.parseFloat(line));
  expect(times).toEqual([0, 10, 30, 70, 150, 310, 630, 1230, 1830, 2430, 3030]);
  faults.failed('hand-out-events', 'another fault');
  expect(told.splice(0).at(-1)).toBe('3600 another fault');
  // It had nothing to do for a moment.
  pass(second, false);
  pass(second, true);
  expect(told).toEqual([]);
  pass(minute, false);
  expect(told.splice(0)).toEqual(['3611.75 background job works again']);
  pass(second, true);
  expect(told).toHaveLength(1);
});

describe.each(engines)('the runner of jobs on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  let metrics: Metrics;
  let told: { facts: object; words: string }[];
  let runner: JobRunner<undefined> | undefined;

  beforeAll(async () => {
    instance = await createInstance(engine);
    const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
    database = await openDatabase({ folder: instance.folder, databaseUrl, connections: 2 });
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });
  beforeEach(() => {
    metrics = new Metrics(Metrics.createMemory(1), 0);
    told = [];
  });
  afterEach(() => runner?.stop(patience));

  function start(...table: readonly Job<undefined>[]): JobRunner<undefined> {
    const tell = (facts: object, words: string) => void told.push({ facts, words });
    const log = { error: tell, info: tell };
    const own = { database, operations: operationsOn(database, operations), log, metrics };
    runner = new JobRunner(table, undefined, own);
    runner.start();
    return runner;
  }

  const runs = (job: string, result: 'done' | 'failed') =>
    new MetricsText(metrics.render()).sum('atelier_job_runs_total', { job, result });

  /** Throws when it is first run: at once, before it could give a promise. */
  function throwingOnce(): () => Promise<void> {
    let count = 0;
    return () => {
      count += 1;
      if (count === 1) throw new Error('The first run fails.');
      return Promise.resolve();
    };
  }

  test('runs a job again that threw, says so in the log, and counts both runs', async () => {
    start({ name: 'fragile', every: 5, scope: 'process', run: throwingOnce() });
    await expect.poll(() => runs('fragile', 'done'), { timeout: patience }).toBeGreaterThan(0);
    expect(runs('fragile', 'failed')).toBe(1);
    expect(told).toEqual([
      { facts: { job: 'fragile', error: 'Error: The first run fails.' }, words: 'background job failed' },
    ]);
  });

  test('runs a job of the platform again that threw', async () => {
    const running = start({ name: `fragile-${engine}`, every: 1, scope: 'platform', run: throwingOnce() });
    await expect
      .poll(
        () => {
          running.wake('look-for-due-jobs');
          return runs(`fragile-${engine}`, 'done');
        },
        { timeout: patience },
      )
      .toBeGreaterThan(0);
    expect(runs(`fragile-${engine}`, 'failed')).toBe(1);
    expect(told).toHaveLength(1);
  });

  test('does a job of the platform in one of several processes that look for it', async () => {
    const name = `shared-${engine}`;
    const table: Job<undefined> = { name, every: never, scope: 'platform', run: async () => {} };
    const own = { database, operations: operationsOn(database, operations), log: console, metrics };
    const others = [1, 2, 3].map(() => new JobRunner([table], undefined, own));
    for (const other of others) other.start();
    await expect.poll(() => runs('look-for-due-jobs', 'done'), { timeout: patience }).toBe(3);
    for (const other of others) await other.stop(patience);
    expect(runs(name, 'done')).toBe(1);
  });

  test('runs a job once more that is woken in the middle, and never twice at once', async () => {
    const gates: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => gates.push(resolve));
    const running = start({ name: 'woken', every: never, scope: 'process', run });
    running.wake('woken');
    running.wake('woken');
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await expect.poll(() => gates.length, { timeout: patience }).toBe(2);
    gates[1]?.();
    await expect.poll(() => runs('woken', 'done'), { timeout: patience }).toBe(2);
    expect(gates).toHaveLength(2);
  });

  test('stops when what runs has ended, having told it to, and begins nothing more', async () => {
    let hasEnded = false;
    const running = start({
      name: 'long',
      every: 1,
      scope: 'process',
      run: (_, stopping) =>
        new Promise<void>((resolve) => {
          const end = () => {
            hasEnded = true;
            resolve();
          };
          stopping.addEventListener('abort', () => setImmediate(end));
        }),
    });
    await running.stop(patience);
    expect(hasEnded).toBe(true);
    expect(runs('long', 'done')).toBe(1);
    running.wake('long');
    await running.stop(patience);
    expect(runs('long', 'done')).toBe(1);
  });

  test('stops without what does not end', async () => {
    const running = start({
      name: 'endless',
      every: never,
      scope: 'process',
      run: () => new Promise(() => {}),
    });
    await running.stop(1);
    expect(runs('endless', 'done')).toBe(0);
    runner = undefined;
  });
});
