import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** What a process is begun for may take its time; what a thread does is still awaited soon: a mail, an entry of an inbox. */
const niceness = isMainThread ? 10 : 5;

/**
 * Lets others come first at the processor: of a process all of it, of a thread that thread alone. Only Linux knows the priority of a
 * thread; elsewhere it would be that of the whole process, which answers people.
 */
export function letOthersFirst(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  try {
    setPriority(niceness);
  } catch {
    // Not every system lets a process do so.
  }
}
