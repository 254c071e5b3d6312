import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../machine.ts';
import { Connection } from './connection.ts';
import { createScripts, type ScriptOrder } from './script.ts';
import { Tally } from './tally.ts';

/** Connections that do the same. */
export interface Stream {
  connections: number;
  /** Milliseconds from one request of a connection to its next; without it, a request follows the answer before. */
  paceMs?: number;
  script: ScriptOrder;
}

export interface LoadOrder {
  port: number;
  /** The process of the server, to look at the processor time it takes. */
  pid?: number;
  warmUpSeconds: number;
  seconds: number;
  /** The first is measured; what the others see only has to be free of failures. */
  streams: Stream[];
}

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  meanBodyBytes: number;
  /** Processor time of the server for each request, in microseconds, where the system tells. */
  cpuMicros?: number;
  /** Share of the time in which the generator itself was at work: near 1, it is what limits the figures. */
  generatorBusy: number;
}

export interface LoadResult {
  figures: Figures;
  /** How often each kind of failure came; empty when all went well. */
  failures: Record<string, number>;
}

export async function generateLoad(order: LoadOrder): Promise<LoadResult> {
  const failures: Record<string, number> = {};
  const streams = order.streams.map((stream) => openStream(order.port, stream, new Tally(failures)));
  const [measured] = streams;
  if (measured === undefined) throw new Error('There is no stream to measure');
  await sleep(order.warmUpSeconds * 1000);
  const figures = await measure(measured.tally, order);
  for (const { connections } of streams) for (const connection of connections) connection.close();
  return { figures, failures };
}

function openStream(port: number, { connections, paceMs, script }: Stream, tally: Tally) {
  const scripts = createScripts(script, connections);
  return { tally, connections: scripts.map((own) => new Connection(port, own, tally, paceMs)) };
}

async function measure(tally: Tally, { seconds, pid }: LoadOrder): Promise<Figures> {
  const startedAt = performance.now();
  const cpuBefore = cpuOf(pid);
  const utilization = performance.eventLoopUtilization();
  tally.startMeasuring();
  await sleep(seconds * 1000);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuOf(pid) - cpuBefore;
  return {
    requestsPerSecond: tally.latencies.count / elapsedSeconds,
    p50Ms: tally.latencies.quantile(0.5),
    p99Ms: tally.latencies.quantile(0.99),
    maxMs: tally.latencies.max,
    meanBodyBytes: tally.meanBodyBytes,
    cpuMicros: Number.isNaN(cpu) ? undefined : (cpu * 1e6) / tally.latencies.count,
    generatorBusy: performance.eventLoopUtilization(utilization).utilization,
  };
}

const cpuOf = (pid: number | undefined) => (pid === undefined ? undefined : cpuSeconds(pid)) ?? Number.NaN;
