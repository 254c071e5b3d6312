// The floor of writing as a process of its own: one durable transaction after the other, with the rows that the product
// writes and nothing else. An order as JSON on stdin, the result as JSON on stdout.
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Histogram } from '../load/histogram.ts';
import type { Figures } from '../load/load.ts';
import type { WriteOrder } from './write-floor.ts';
import { changes, creations } from './writes.ts';

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  // As the product sets up its own connection.
  database.exec('pragma cache_size = -16000; pragma journal_mode = wal; pragma synchronous = full');
  return database;
}

function runFor(seconds: number, write: () => void): Histogram {
  const latencies = new Histogram();
  const end = performance.now() + seconds * 1000;
  for (let now = performance.now(); now < end; ) {
    write();
    const after = performance.now();
    latencies.record(after - now);
    now = after;
  }
  return latencies;
}

function run({ rows, path, dataset, warmUpSeconds, seconds }: WriteOrder): Figures {
  using database = open(path);
  const write = rows === 'creations' ? creations(database, dataset) : changes(database, dataset);
  runFor(warmUpSeconds, write);
  const before = process.cpuUsage();
  const latencies = runFor(seconds, write);
  const { user, system } = process.cpuUsage(before);
  return {
    requestsPerSecond: latencies.count / seconds,
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
    maxMs: latencies.max,
    meanBodyBytes: 0,
    cpuMicros: (user + system) / latencies.count,
    generatorBusy: 0,
  };
}

process.stdout.write(JSON.stringify(run(JSON.parse(await text(process.stdin)))));
