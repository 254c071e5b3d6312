import type { ChildProcess } from 'node:child_process';
import { second } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import { FairQueue } from '../../kernel/fair-queue.ts';

/** Programs that look something up at once, in all and for one person: each may take a processor and much memory. */
const places = { all: 8, ofOne: 4 };
const patience = 60 * second;
const looks = new FairQueue(patience, places, 'to look up in repositories');

/** Looks something up with programs when it is somebody's turn. Nothing that takes a turn may wait for another one inside of it. */
export const inTurn = <Result>(userId: number, look: () => Promise<Result>): Promise<Result> =>
  looks.run(userId, look);

/** Programs that one person may read from at once. As they are read slowly perhaps, nobody waits for the place of one. */
const mostRead = 10;
const read = new Map<number, number>();

/** Starts a program that somebody reads from, unless they read from many already. */
export function startForReader(userId: number, start: () => ChildProcess): ChildProcess {
  const count = (change: 1 | -1) => {
    const now = (read.get(userId) ?? 0) + change;
    if (now === 0) read.delete(userId);
    else read.set(userId, now);
  };
  if ((read.get(userId) ?? 0) >= mostRead)
    throw unavailable(`You are reading ${mostRead} files or differences already.`, { retryAfter: 5 });
  const child = start();
  count(1);
  child.once('exit', () => count(-1));
  return child;
}
