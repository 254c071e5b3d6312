// A floor as a process of its own: the least that Node does for such an answer. It ends with its parent.
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { FloorContent, FloorOrder } from './floor.ts';
import { openPostgresRows, type PostgresRows } from './postgres-rows.ts';
import { openRows } from './rows.ts';

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function constantAnswers(bytes: number): RequestListener {
  const body = 'x'.repeat(bytes);
  return (_request, response) => answer(response, body);
}

const rowIn = (url: string | undefined) => Number(url?.slice('/rows/'.length));

function rowAnswers(path: string): RequestListener {
  const read = openRows(path);
  return (request, response) => answer(response, read(rowIn(request.url)));
}

function postgresAnswers(rows: PostgresRows): RequestListener {
  const read = openPostgresRows(rows);
  return (request, response) => {
    read(rowIn(request.url)).then(
      (body) => answer(response, body),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  };
}

function answersOf(content: FloorContent): RequestListener {
  switch (content.kind) {
    case 'http':
      return constantAnswers(content.bytes);
    case 'http+sqlite':
      return rowAnswers(content.path);
    case 'http+postgres':
      return postgresAnswers(content);
  }
}

async function listen({ port, threads, content }: FloorOrder): Promise<void> {
  const server = createServer(answersOf(content));
  server.listen({ host: '127.0.0.1', port, reusePort: threads > 1 });
  await once(server, 'listening');
}

async function listenInThread(order: FloorOrder): Promise<void> {
  await once(new Worker(new URL(import.meta.url), { workerData: order }), 'message');
}

async function listenInAllThreads(order: FloorOrder): Promise<void> {
  if (order.threads === 1) return listen(order);
  await Promise.all(Array.from({ length: order.threads }, () => listenInThread(order)));
}

if (isMainThread) {
  process.once('disconnect', () => process.exit());
  await listenInAllThreads(JSON.parse(process.argv[2] ?? ''));
  process.send?.('listening');
} else {
  await listen(workerData);
  parentPort?.postMessage('listening');
}
