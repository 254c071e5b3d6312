import type { LoadResult } from './load/load.ts';
import { runLoad } from './load/run-load.ts';
import { rssAnonMb } from './machine.ts';
import type { ServerName, Subject } from './plan.ts';
import type { ThreadMode } from './scenario.ts';

const connections = 32;
const warmUpSeconds = 4;

export interface Measurement extends Omit<LoadResult, 'failures'> {
  scenario: string;
  server: ServerName;
  threads: ThreadMode;
  rssAnonMb: number | undefined;
}

export interface Effort {
  rounds: number;
  seconds: number;
}

/** Measures each subject once a round, so that a slow moment of the machine falls on all of them alike. */
export async function measureAll(subjects: Subject[], { rounds, seconds }: Effort): Promise<Measurement[]> {
  const bySubject = new Map(subjects.map((subject): [Subject, Measurement[]] => [subject, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [subject, measurements] of bySubject) {
      const measurement = await measureOnce(subject, seconds);
      logProgress(`round ${round}/${rounds}`, measurement);
      measurements.push(measurement);
    }
  }
  return [...bySubject.values()].map(medianByThroughput);
}

/** With an even number of rounds, the lower of the two in the middle. */
export function medianByThroughput(measurements: Measurement[]): Measurement {
  const sorted = measurements.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined) throw new Error('There is no median of nothing');
  return median;
}

async function measureOnce(subject: Subject, seconds: number): Promise<Measurement> {
  await using server = await subject.start();
  const { requests, scenario, threads } = subject;
  const order = { port: server.port, connections, warmUpSeconds, seconds, requests };
  const { failures, ...figures } = await runLoad(order);
  refuseFailures(subject, failures, figures.requestsPerSecond);
  return { scenario, server: subject.server, threads, ...figures, rssAnonMb: rssAnonMb(server.pid) };
}

function refuseFailures({ scenario, server }: Subject, failures: LoadResult['failures'], rate: number): void {
  const kinds = Object.entries(failures).map(([kind, count]) => `${count} × ${kind}`);
  if (kinds.length > 0) throw new Error(`${scenario} on ${server} failed: ${kinds.join(', ')}`);
  if (rate === 0) throw new Error(`${scenario} on ${server} got no answer in the measured time`);
}

function logProgress(round: string, { scenario, server, threads, requestsPerSecond }: Measurement): void {
  console.error(`${round}  ${scenario}  ${server}  ${threads}  ${Math.round(requestsPerSecond)} req/s`);
}
