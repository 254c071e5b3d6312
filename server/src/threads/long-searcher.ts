import { second } from '../kernel/clock.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import type { AllSearches } from '../operations.ts';
import { answerCalls, searchesOn } from '../storage/index.ts';
import { databaseOf, platformOf, threadOf } from './setup.ts';

/** Runs searches that were not done in one turn, one at a time and everybody's in turn. It begins with the first of them. */
export const run = threadOf(async (setup, control) => {
  const database = await databaseOf(setup);
  const calls = searchesOn(database, platformOf().searches);
  const queue = new FairQueue(setup.config.searchSeconds * second);
  control.obey({
    caller: ({ port }) =>
      answerCalls<AllSearches>(port, calls, (viewer, work) => queue.run(viewer.userId, work)),
    stop: () => database.close(),
  });
  control.report('ready');
});
