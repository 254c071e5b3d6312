import type { Config } from '../kernel/config.ts';
import { type Gauge, Metrics } from '../kernel/metrics.ts';
import type { Database } from '../storage/index.ts';

/** Threads that count something, beside those that answer requests. */
const others = ['background', 'main', 'searcher'] as const;

export const createMetricsMemory = ({ httpThreads }: Config) =>
  Metrics.createMemory(httpThreads + others.length);

/** The metrics of a thread that does not answer requests. */
export const metricsOf = (
  thread: (typeof others)[number],
  { config, metricsMemory }: { readonly config: Config; readonly metricsMemory: SharedArrayBuffer },
) => new Metrics(metricsMemory, config.httpThreads + others.indexOf(thread));

export type Gauges = Partial<Readonly<Record<Gauge, number>>>;

/** How much of the way to the database is in use. */
export function connectionGauges(database: Database): Gauges {
  const use = database.connectionUse();
  if (use === undefined) return {};
  return { connectionsUsed: use.used, connectionsIdle: use.idle, connectionsAwaited: use.awaited };
}

/** How many replicas are read from; each thread finds out for itself, and one of them tells. */
export function replicaGauges(database: Database): Gauges {
  const use = database.replicaUse();
  return use === undefined ? {} : { replicasUsed: use.used, replicasLeftOut: use.leftOut };
}

/** Often enough for whoever asks every few seconds, and nothing that a request would have to do. */
const pause = 500;

/** Tells again and again how it is in this thread, until it is stopped by what this gives. */
export function keepTelling(metrics: Metrics, look: () => Gauges): () => void {
  const timer = setInterval(() => metrics.set(look()), pause).unref();
  return () => clearInterval(timer);
}
