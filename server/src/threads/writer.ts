import { workerData } from 'node:worker_threads';
import type { OperationTable } from '../operations.ts';
import { answerCalls, operationsOn } from '../storage/index.ts';
import { databaseOf, obey, platformOf, report, type ThreadSetup } from './setup.ts';

/** The one thread of the process that writes to SQLite. Work that waits is committed together. */
const setup: ThreadSetup = workerData;
const database = await databaseOf(setup);
// The first write should not wait for the connection, and a stop without any write should tidy up as well.
await database.transaction(async () => {});
const calls = operationsOn(database, platformOf(setup).operations);

async function stop(): Promise<void> {
  await database.close();
  process.exit(0);
}

obey({ caller: ({ port }) => answerCalls<OperationTable>(port, calls), stop });
report('ready');
