import type { AllOperations } from '../operations.ts';
import { answerCalls, operationsOn } from '../storage/index.ts';
import { databaseOf, platformOf, threadOf } from './setup.ts';

/** The one thread of the process that writes to SQLite. Work that waits is committed together. */
export const run = threadOf(async (setup, control) => {
  const database = await databaseOf(setup);
  // The first write should not wait for the connection, and a stop without any write should tidy up as well.
  await database.transaction(async () => {});
  const calls = operationsOn(database, platformOf().operations);
  control.obey({
    caller: ({ port }) => answerCalls<AllOperations>(port, calls),
    stop: () => database.close(),
  });
  control.report('ready');
});
