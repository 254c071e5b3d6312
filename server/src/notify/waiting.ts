import { second } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Database, type Reader, statement, type Transaction } from '../storage/index.ts';

/** Clocks of machines that share a database differ by less. */
const skew = 10 * second;

/** Where rows wait for a time. Each knows since when: later than now means that the clock was set back. */
type Waiting = 'outbox' | 'mail' | 'webhook' | 'webhook_delivery';

/** Rows of one transaction. */
const mostWoken = 500;

const waitingAhead = ({ sql }: Reader, table: Waiting) =>
  sql
    .selectFrom(table)
    .select('id')
    .where('due_at', 'is not', null)
    .where('waits_since', '>', Date.now() + skew);

/** Makes due what would wait for a clock that was set back; tells whether there may be more. */
export async function wakeAhead(
  tx: Transaction,
  _viewer: Viewer,
  { table }: { table: Waiting },
): Promise<boolean> {
  const now = Date.now();
  const ids = (await tx.lockFree(waitingAhead(tx, table).limit(mostWoken))).map(({ id }) => id);
  if (ids.length === 0) return false;
  await tx.run(tx.sql.updateTable(table).set({ due_at: now, waits_since: now }).where('id', 'in', ids));
  if (table === 'webhook')
    await tx.run(tx.sql.updateTable('webhook').set({ paused_until: 0 }).where('id', 'in', ids));
  return true;
}

/** Sees to it that nothing in these tables waits longer because the clock was set back. */
export async function followClock(
  database: Database,
  tables: readonly Waiting[],
  wake: (table: Waiting) => Promise<boolean>,
): Promise<void> {
  for (const table of tables) {
    const isAhead = (await database.first(waitingAhead(database, table).limit(1))) !== undefined;
    if (isAhead) while (await wake(table));
  }
}

const rowsWaiting = (table: Exclude<Waiting, 'webhook'>) =>
  statement((sql) =>
    sql
      .selectFrom(table)
      .where('due_at', 'is not', null)
      .select((row) => row.fn.countAll<number>().as('size')),
  );
const countedTables = {
  mails: rowsWaiting('mail'),
  deliveries: rowsWaiting('webhook_delivery'),
  events: rowsWaiting('outbox'),
};

/** How much waits to be sent, and how many events are still to become mails and deliveries. */
export async function findWaiting(reader: Reader): Promise<Record<keyof typeof countedTables, number>> {
  const sizeOf = async (table: keyof typeof countedTables) =>
    (await reader.first(countedTables[table], {}))?.size ?? 0;
  return {
    mails: await sizeOf('mails'),
    deliveries: await sizeOf('deliveries'),
    events: await sizeOf('events'),
  };
}
