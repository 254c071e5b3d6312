import { describe, expect, it } from 'vitest';
import { Histogram } from '../src/load/histogram.ts';
import { type Measurement, medianByThroughput } from '../src/measure.ts';
import { caveats, ratioTo, targetLines } from '../src/report/compare.ts';
import { renderTable } from '../src/report/table.ts';
import type { Scenario } from '../src/scenario.ts';

function measurement(change: Partial<Measurement>): Measurement {
  return {
    scenario: 'read',
    server: 'atelier',
    threads: 'one',
    requestsPerSecond: 1000,
    p50Ms: 1,
    p99Ms: 2,
    meanBodyBytes: 400,
    generatorBusy: 0.3,
    rssAnonMb: 50,
    ...change,
  };
}

const floor = measurement({ server: 'http+sqlite', requestsPerSecond: 1600 });

function scenario(ratio: number): Scenario {
  return { name: 'read', requests: [], target: { floor: 'http+sqlite', threads: 'one', ratio } };
}

describe('Histogram', () => {
  it('gives quantiles to 10 µs', () => {
    const histogram = new Histogram();
    for (let milliseconds = 1; milliseconds <= 100; milliseconds++) histogram.record(milliseconds);
    expect(histogram.quantile(0.5)).toBeCloseTo(50, 1);
    expect(histogram.quantile(0.99)).toBeCloseTo(99, 1);
  });

  it('keeps latencies beyond its range in the last bucket', () => {
    const histogram = new Histogram();
    histogram.record(60_000);
    expect(histogram.quantile(1)).toBeCloseTo(2000);
  });
});

describe('medianByThroughput', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2],
    [[7], 7],
  ])('of %j is %j', (rates, median) => {
    const rounds = rates.map((requestsPerSecond) => measurement({ requestsPerSecond }));
    expect(medianByThroughput(rounds).requestsPerSecond).toBe(median);
  });
});

describe('comparison', () => {
  it('takes the floor with the same scenario and threads', () => {
    const product = measurement({});
    const rows = [{ ...floor, threads: 'all' as const, requestsPerSecond: 5 }, floor, product];
    expect(ratioTo('http+sqlite', product, rows)).toBe(0.625);
    expect(ratioTo('http', product, rows)).toBeUndefined();
  });

  it('says whether a target is reached', () => {
    const rows = [floor, measurement({})];
    expect(targetLines([scenario(0.6)], rows)).toEqual([expect.stringContaining('Target reached')]);
    expect(targetLines([scenario(0.7)], rows)).toEqual([expect.stringContaining('Target MISSED')]);
    expect(targetLines([scenario(0.7)], [floor])).toEqual([]);
  });

  it('warns of a busy generator and of unequal bodies', () => {
    expect(caveats([floor, measurement({})])).toEqual([]);
    expect(caveats([measurement({ generatorBusy: 0.99 })])).toHaveLength(1);
    expect(caveats([floor, measurement({ meanBodyBytes: 300 })])).toHaveLength(1);
  });

  it('renders lines of one width', () => {
    const lines = renderTable([floor, measurement({ rssAnonMb: undefined })]).split('\n');
    expect(lines).toHaveLength(3);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});
