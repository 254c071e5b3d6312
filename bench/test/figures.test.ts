import { describe, expect, it } from 'vitest';
import type { Outcome } from '../src/bench.ts';
import { Histogram } from '../src/load/histogram.ts';
import { type Measurement, median } from '../src/measure.ts';
import { caveats, ratioTo } from '../src/report/compare.ts';
import { renderTable } from '../src/report/table.ts';
import { verdicts } from '../src/report/verdicts.ts';
import type { Scenario, Target } from '../src/scenario.ts';

function measurement(change: Partial<Measurement>): Measurement {
  return {
    scenario: 'read',
    server: 'atelier',
    threads: 'one',
    requestsPerSecond: 1000,
    p50Ms: 1,
    p99Ms: 2,
    maxMs: 3,
    meanBodyBytes: 400,
    generatorBusy: 0.3,
    rssAnonMb: 50,
    ...change,
  };
}

const floor = measurement({ server: 'http+sqlite', requestsPerSecond: 1600 });

function scenario(...targets: Target[]): Scenario {
  return { name: 'read', traffic: { kind: 'any', requests: [] }, floors: 'answers', targets };
}

const share = (least: number): Target => ({ kind: 'share', of: 'http+sqlite', least });

function outcome(change: Partial<Outcome>): Outcome {
  return {
    engine: 'SQLite',
    scenarios: [],
    rows: [],
    makings: [],
    memory: [],
    files: [],
    imports: [],
    ...change,
  };
}

describe('Histogram', () => {
  it('gives quantiles to 10 µs', () => {
    const histogram = new Histogram();
    for (let milliseconds = 1; milliseconds <= 100; milliseconds++) histogram.record(milliseconds);
    expect(histogram.quantile(0.5)).toBeCloseTo(50, 1);
    expect(histogram.quantile(0.99)).toBeCloseTo(99, 1);
    expect(histogram.max).toBe(100);
  });

  it('keeps latencies beyond its range in the last bucket', () => {
    const histogram = new Histogram();
    histogram.record(60_000);
    expect(histogram.quantile(1)).toBeCloseTo(2000);
    expect(histogram.max).toBe(60_000);
  });
});

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2],
    [[7], 7],
  ])('of the throughputs %j is %j', (rates, middle) => {
    const rounds = rates.map((requestsPerSecond) => measurement({ requestsPerSecond }));
    expect(median(rounds, false).requestsPerSecond).toBe(middle);
  });

  it('goes by the longest latency where the load decides how many requests there are', () => {
    const rounds = [9, 20, 5, 7].map((maxMs) => measurement({ maxMs }));
    expect(median(rounds, true).maxMs).toBe(9);
  });
});

describe('comparison', () => {
  it('takes the floor with the same scenario and threads', () => {
    const product = measurement({});
    const rows = [{ ...floor, threads: 'all' as const, requestsPerSecond: 5 }, floor, product];
    expect(ratioTo('http+sqlite', product, rows)).toBe(0.625);
    expect(ratioTo('http', product, rows)).toBeUndefined();
  });

  it('warns of a busy generator and of unequal bodies', () => {
    expect(caveats([floor, measurement({})])).toEqual([]);
    expect(caveats([measurement({ generatorBusy: 0.99 })])).toHaveLength(1);
    expect(caveats([floor, measurement({ meanBodyBytes: 300 })])).toHaveLength(1);
    expect(caveats([measurement({ server: 'sqlite', meanBodyBytes: 0 }), measurement({})])).toEqual([]);
  });

  it('renders lines of one width', () => {
    const lines = renderTable([floor, measurement({ rssAnonMb: undefined })]).split('\n');
    expect(lines).toHaveLength(3);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('verdicts', () => {
  const rows = [floor, measurement({}), measurement({ scenario: 'small', requestsPerSecond: 1200 })];

  it.each<[Target, string]>([
    [share(0.6), 'Target reached'],
    [share(0.7), 'Target MISSED'],
    [{ kind: 'flat', as: 'small', least: 0.8 }, 'Target reached'],
    [{ kind: 'flat', as: 'small', least: 0.9 }, 'Target MISSED'],
    [{ kind: 'latency', figure: 'p99Ms', most: 2 }, 'Target reached'],
    [{ kind: 'latency', figure: 'maxMs', most: 2 }, 'Target MISSED'],
  ])('%j: %s', (target, verdict) => {
    const lines = verdicts(outcome({ scenarios: [scenario(target)], rows }));
    expect(lines).toEqual([expect.stringContaining(verdict)]);
  });

  it('say nothing of what was not measured', () => {
    expect(verdicts(outcome({ scenarios: [scenario(share(0.7))], rows: [floor] }))).toEqual([]);
    expect(verdicts(outcome({ memory: [{ threads: 'one', rssAnonMb: undefined }] }))).toEqual([]);
  });

  it('of shares are of the floors of the engine', () => {
    const own = measurement({ server: 'http+postgres', requestsPerSecond: 1500 });
    const scenarios = [scenario(share(0.7), { kind: 'share', of: 'http+postgres', least: 0.6 })];
    const lines = verdicts(outcome({ engine: 'PostgreSQL', scenarios, rows: [own, measurement({})] }));
    expect(lines).toEqual([expect.stringContaining('at least 0.6 of http+postgres; measured 0.67')]);
  });

  it('may be for one engine alone', () => {
    const scenarios = [
      scenario(
        { kind: 'latency', figure: 'maxMs', most: 9, on: 'SQLite' },
        { kind: 'latency', figure: 'maxMs', most: 8, on: 'PostgreSQL' },
      ),
    ];
    const lines = verdicts(outcome({ engine: 'PostgreSQL', scenarios, rows }));
    expect(lines).toEqual([expect.stringContaining('at most 8 ms')]);
  });

  it('tell of memory and of the making of datasets', () => {
    const memory = [
      { threads: 'one' as const, rssAnonMb: 299 },
      { threads: 'all' as const, rssAnonMb: 301 },
    ];
    const makings = [
      { artifacts: 10_000, seconds: 9 },
      { artifacts: 100_000, seconds: 4 },
      { artifacts: 1_000_000, seconds: 60 },
    ];
    const lines = verdicts(outcome({ memory, makings }));
    expect(lines.map((line) => /^Target (\w+)/.exec(line)?.[1])).toEqual([
      'reached',
      'MISSED',
      'reached',
      'MISSED',
    ]);
  });
});
