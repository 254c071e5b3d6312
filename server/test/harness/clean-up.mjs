// Cleans up after a test run, also after one that was killed: its standard input ends when the run does. Then the processes that are
// noted in the folder of the run are ended, and the folder is removed.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const folder = process.argv[2];

/** How long processes get to end by themselves. */
const patience = 5000;

/** Groups of processes are negative, as the system names them. */
function notedProcesses() {
  const noted = new Set();
  for (const line of readFileSync(join(folder, 'processes'), 'utf8').split('\n'))
    if (line.startsWith('+')) noted.add(Number(line.slice(1)));
    else noted.delete(Number(line.slice(1)));
  return [...noted];
}

/** Whether the signal reached somebody. */
function send(id, signal) {
  try {
    return process.kill(id, signal);
  } catch {
    return false;
  }
}

// Whoever ends the run this way means the run; this ends when that has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
await new Promise((resolve) => process.stdin.on('error', resolve).on('end', resolve).resume());
// PostgreSQL takes this one for a quick and clean end.
const left = notedProcesses().filter((id) => send(id, 'SIGINT'));
for (const end = Date.now() + patience; Date.now() < end && left.some((id) => send(id, 0)); ) await pause(20);
for (const id of left) send(id, 'SIGKILL');
rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
