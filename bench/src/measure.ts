import type { ServerFigures, Subject } from './plan.ts';
import { messageOf } from './processes.ts';
import type { ServerName, ThreadMode } from './scenario.ts';

export interface Measurement extends ServerFigures {
  scenario: string;
  server: ServerName;
  threads: ThreadMode;
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
  return [...bySubject].map(([{ isPaced }, measurements]) => median(measurements, isPaced));
}

/**
 * By throughput or, where the load itself decides about that, by the longest latency. With an even number of rounds, the
 * worse of the two in the middle.
 */
export function median(measurements: Measurement[], isPaced: boolean): Measurement {
  const sorted = measurements.toSorted((a, b) =>
    isPaced ? b.maxMs - a.maxMs : a.requestsPerSecond - b.requestsPerSecond,
  );
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing');
  return middle;
}

async function measureOnce(subject: Subject, seconds: number): Promise<Measurement> {
  const { scenario, server, threads } = subject;
  try {
    return { scenario, server, threads, ...(await subject.run(seconds)) };
  } catch (error) {
    throw new Error(`${scenario} on ${server} failed: ${messageOf(error)}`, { cause: error });
  }
}

function logProgress(round: string, { scenario, server, threads, requestsPerSecond }: Measurement): void {
  console.error(`${round}  ${scenario}  ${server}  ${threads}  ${Math.round(requestsPerSecond)} req/s`);
}
