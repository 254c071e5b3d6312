import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithTests } from '../../server/test/harness/processes.ts';

const stopMs = 10_000;
/** Long: it ends what hangs, and a busy machine does not. */
const patienceMs = 240_000;
const running = new Set<ChildProcess>();
let stopping = false;

/** A child with this Node; it is known to `stopAll` until it ends. */
export function spawnNode(args: string[], options: SpawnOptions): ChildProcess {
  if (stopping) throw new Error('Stopped');
  const child = endsWithTests(spawn(process.execPath, args, options));
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a file of ours that takes an order as JSON on its standard input and prints the result as JSON. */
export async function runProgram<Order, Result>(file: string, order: Order): Promise<Result> {
  const child = spawnNode([file], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdin || !child.stdout) throw new Error(`${file} has no pipes`);
  child.stdin.end(JSON.stringify(order));
  const [output, code] = await Promise.all([text(child.stdout), exited(child)]);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(output);
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The exit code, or the signal that ended the child. */
export async function exited(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (!hasExited(child)) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}

/** Asks the child to end, and ends it by force when it does not in time. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  const deadline = setTimeout(() => endByForce(child), stopMs);
  child.kill('SIGTERM');
  await exited(child);
  clearTimeout(deadline);
}

function endByForce(child: ChildProcess): void {
  console.error(`Process ${child.pid} did not end ${stopMs / 1000} s after SIGTERM and was killed`);
  child.kill('SIGKILL');
}

/** Ends all children and lets no new one start. */
export async function stopAll(): Promise<void> {
  stopping = true;
  await Promise.all([...running].map(stop));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

/** Tries until it gets a value; gives up when the child ends or the time is over. */
export async function waitFor<T>(
  child: ChildProcess,
  what: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(25)) {
    if (hasExited(child)) throw new Error(`The process ended (${await exited(child)}) before ${what}`);
    const value = await attempt();
    if (value !== undefined) return value;
  }
  throw new Error(`After ${patienceMs / 1000} s still no sign of ${what}`);
}
