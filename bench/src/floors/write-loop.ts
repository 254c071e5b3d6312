// The floor of writing as a process of its own: one durable transaction after the other, with the rows that the product
// writes and nothing else; on PostgreSQL by as many clients as the product has. An order as JSON on stdin, the result as JSON on stdout.
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Histogram } from '../load/histogram.ts';
import type { Figures } from '../load/load.ts';
import { changesBy, creationsBy, WritingClient } from './postgres-writes.ts';
import { type WriteOrder, writingClients } from './write-floor.ts';
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

function figuresOf(latencies: Histogram, seconds: number, before: NodeJS.CpuUsage): Figures {
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

function runOnSqlite(path: string, { rows, dataset, warmUpSeconds, seconds }: WriteOrder): Figures {
  using database = open(path);
  const write = rows === 'creations' ? creations(database, dataset) : changes(database, dataset);
  runFor(warmUpSeconds, write);
  const before = process.cpuUsage();
  return figuresOf(runFor(seconds, write), seconds, before);
}

async function writeFor(seconds: number, write: () => Promise<void>, latencies: Histogram): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let now = performance.now(); now < end; ) {
    await write();
    const after = performance.now();
    latencies.record(after - now);
    now = after;
  }
}

async function runOnPostgres(url: string, order: WriteOrder): Promise<Figures> {
  const { rows, dataset, warmUpSeconds, seconds } = order;
  const clients = await Promise.all(Array.from({ length: writingClients }, () => WritingClient.open(url)));
  const writes = await Promise.all(
    clients.map((client, index) =>
      rows === 'creations'
        ? creationsBy(client, dataset)
        : changesBy(client, dataset, { index, of: writingClients }),
    ),
  );
  const all = async (time: number) => {
    const latencies = new Histogram();
    await Promise.all(writes.map((write) => writeFor(time, write, latencies)));
    return latencies;
  };
  await all(warmUpSeconds);
  const before = process.cpuUsage();
  const figures = figuresOf(await all(seconds), seconds, before);
  await Promise.all(clients.map((client) => client.close()));
  return figures;
}

const run = (order: WriteOrder): Figures | Promise<Figures> =>
  order.place.kind === 'sqlite'
    ? runOnSqlite(order.place.path, order)
    : runOnPostgres(order.place.url, order);

process.stdout.write(JSON.stringify(await run(JSON.parse(await text(process.stdin)))));
