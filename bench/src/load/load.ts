import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { Tally } from './tally.ts';

export interface LoadOrder {
  port: number;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /** Complete HTTP/1.1 requests. */
  requests: string[];
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  meanBodyBytes: number;
  /** Share of the time in which the generator itself was at work: near 1, it is what limits the figures. */
  generatorBusy: number;
  /** How often each kind of failure came; empty when all went well. */
  failures: Record<string, number>;
}

export async function generateLoad(order: LoadOrder): Promise<LoadResult> {
  const tally = new Tally();
  const connections = openConnections(order, tally);
  await sleep(order.warmUpSeconds * 1000);
  const result = await measure(tally, order.seconds);
  for (const connection of connections) connection.close();
  return result;
}

function openConnections(order: LoadOrder, tally: Tally): Connection[] {
  const requests = order.requests.map((request) => Buffer.from(request));
  return Array.from({ length: order.connections }, () => new Connection(order.port, requests, tally));
}

async function measure(tally: Tally, seconds: number): Promise<LoadResult> {
  const startedAt = performance.now();
  const utilization = performance.eventLoopUtilization();
  tally.startMeasuring();
  await sleep(seconds * 1000);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return {
    requestsPerSecond: tally.latencies.count / elapsedSeconds,
    p50Ms: tally.latencies.quantile(0.5),
    p99Ms: tally.latencies.quantile(0.99),
    meanBodyBytes: tally.meanBodyBytes,
    generatorBusy: performance.eventLoopUtilization(utilization).utilization,
    failures: tally.failures,
  };
}
