import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** By the number that signals go to: negative is a group of processes, as the system has it. */
const running = new Map<number, ChildProcess>();

function note(line: string): void {
  // The folder in which everything lies that a test run makes; the benchmark has none.
  const runFolder = process.env['ATELIER_TEST_RUN'];
  if (runFolder !== undefined) appendFileSync(join(runFolder, 'processes'), `${line}\n`);
}

/** Sees to it that a process ends with the run, however that ends. */
export function endsWithRun<Child extends ChildProcess>(child: Child): Child {
  note(`+${child.pid}`);
  child.once('exit', () => note(`-${child.pid}`));
  return child;
}

/**
 * Sees to it that a process ends with the file or the run that started it, however they end. One that leads a group (it was started
 * `detached`) takes the group along.
 */
export function endsWithTests<Child extends ChildProcess>(child: Child, { leadsGroup = false } = {}): Child {
  if (child.pid === undefined) return child;
  const id = leadsGroup ? -child.pid : child.pid;
  running.set(id, child);
  note(`+${id}`);
  // Others of a group may live on.
  if (!leadsGroup) child.once('exit', () => forget(id));
  return child;
}

function forget(id: number): void {
  running.delete(id);
  note(`-${id}`);
}

async function endByForce(id: number, child: ChildProcess): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const ended = hasEnded ? undefined : once(child, 'exit');
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
  await ended;
  forget(id);
}

/** Ends whatever this thread of tests has started and not ended. */
export async function endLeftovers(): Promise<void> {
  await Promise.all([...running].map(([id, child]) => endByForce(id, child)));
}
