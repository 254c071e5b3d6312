import { second } from '../kernel/clock.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import type { AllSearches } from '../operations.ts';
import { answerCalls, callNamed, remoteCalls, searchesOn, TurnOver, wrappedCalls } from '../storage/index.ts';
import { keepTelling, metricsOf } from './counting.ts';
import { databaseOf, Lines, platformOf, threadOf } from './setup.ts';

/** Milliseconds of a turn. */
const turn = 100;

/**
 * Runs reads that take their time, so that no event loop waits for them. Each gets a short turn here. What is not done by
 * then is begun once more in another thread, so that quick searches wait for nobody's long ones.
 */
export const run = threadOf(async (setup, control) => {
  const { searches } = platformOf();
  const database = await databaseOf(setup);
  const lines = new Lines(database);
  const queue = new FairQueue(setup.config.searchSeconds * second);

  const quick = searchesOn(database, searches, turn);
  const long = remoteCalls(lines['long-searcher'], searches);
  const metrics = metricsOf('searcher', setup);
  const stopTelling = keepTelling(metrics, () => ({ longSearchQueue: lines['long-searcher'].length }));

  /**
   * Long searches of each person that wait or run: whoever has one there has the next ones behind it. Those without an
   * account are many people, who do not wait for each other's.
   */
  const longSearches = new Map<number, number>();
  let isHelped = false;

  async function searchLong(name: string, viewer: Viewer, input: unknown): Promise<unknown> {
    if (!isHelped) control.report('long-searches');
    isHelped = true;
    metrics.count('long_searches');
    const { userId } = viewer;
    longSearches.set(userId, (longSearches.get(userId) ?? 0) + 1);
    try {
      return await callNamed(long, name)(viewer, input);
    } finally {
      const left = (longSearches.get(userId) ?? 1) - 1;
      if (left === 0) longSearches.delete(userId);
      else longSearches.set(userId, left);
    }
  }

  async function search(name: string, viewer: Viewer, input: unknown): Promise<unknown> {
    if (!isAnonymous(viewer) && longSearches.has(viewer.userId)) return searchLong(name, viewer, input);
    try {
      return await queue.run(viewer.userId, () => callNamed(quick, name)(viewer, input));
    } catch (error) {
      if (!(error instanceof TurnOver)) throw error;
      return searchLong(name, viewer, input);
    }
  }

  const calls = wrappedCalls(searches, search);

  async function stop(): Promise<void> {
    stopTelling();
    await database.close();
  }

  control.obey({
    caller: ({ port }) => answerCalls<AllSearches>(port, calls),
    line: (order) => lines.lay(order),
    stop,
  });
  control.report('ready');
});
