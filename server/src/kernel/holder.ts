import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isAlive } from './work-files.ts';

const here = { host: hostname(), pid: process.pid, token: randomUUID() };

/** This thread, among all that ever ran: written beside what it has taken on, so that others leave it alone. */
export const holderHere = `${here.host} ${here.pid} ${here.token}`;

/**
 * Whether somebody who took something on is known to be gone. On the same machine the process can be looked for, and in the
 * same process another thread has taken the place; of other machines only time tells.
 */
export function isGone(holder: string): boolean {
  if (holder === holderHere) return false;
  const [host, pid] = holder.split(' ');
  return host === here.host && (Number(pid) === here.pid || !isAlive(Number(pid)));
}
