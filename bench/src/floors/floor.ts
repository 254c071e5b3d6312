import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { exited, freePort, spawnNode } from '../processes.ts';
import { RunningServer } from '../running-server.ts';
import type { ThreadMode } from '../scenario.ts';
import type { PostgresRows } from './postgres-rows.ts';

const server = fileURLToPath(new URL('./server.ts', import.meta.url));

/** What a floor answers: always the same body, or the row whose id is in the URL. */
export type FloorContent =
  | { kind: 'http'; bytes: number }
  | { kind: 'http+sqlite'; path: string }
  | ({ kind: 'http+postgres' } & PostgresRows);

export interface FloorOrder {
  port: number;
  threads: number;
  content: FloorContent;
}

export async function startFloor(content: FloorContent, mode: ThreadMode): Promise<RunningServer> {
  const port = await freePort();
  const order: FloorOrder = { port, threads: mode === 'one' ? 1 : availableParallelism(), content };
  const child = spawnNode([server, JSON.stringify(order)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = exited(child).then((code) => {
    throw new Error(`The floor ended with ${code} before it listened`);
  });
  await Promise.race([once(child, 'message'), ended]);
  return new RunningServer(child, port);
}
