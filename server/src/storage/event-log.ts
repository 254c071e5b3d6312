import { minute } from '../kernel/clock.ts';
import type { LiveFacts, LiveHappening, LiveKind } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { type SqlBuilder, statement } from './statement.ts';

/*
 * What happened, in the order in which it was committed. Where one writer runs at a time a row gets its number at once. Elsewhere rows
 * become visible in another order than they were written in, so they are numbered after their commit, by one transaction at a time:
 * whoever has seen a number has seen all before it. Numbers are made from the time and never used twice, also in a database that was
 * brought back from a backup.
 */

/** How long what happened is kept for somebody who was away: ten minutes, and what looking takes. */
export const eventsKeptFor = 11 * minute;

interface NewRow {
  readonly kind: string;
  readonly payload: string;
  readonly client: string | null;
  readonly at: number;
}

const newest = (sql: SqlBuilder, at: number) =>
  sql.selectFrom('event_log').select((row) => {
    const last = row.fn.max('number');
    return row
      .case()
      .when(last, '>=', at)
      .then(row(last, '+', 1))
      .else(at)
      .end()
      .as('number');
  });

const insertNumbered = statement((sql, p: NewRow) =>
  sql.insertInto('event_log').values({
    number: newest(sql, p.at),
    kind: p.kind,
    payload: p.payload,
    client: p.client,
    created_at: p.at,
  }),
);
const insertUnnumbered = statement((sql, p: NewRow) =>
  sql.insertInto('event_log').values({
    number: null,
    kind: p.kind,
    payload: p.payload,
    client: p.client,
    created_at: p.at,
  }),
);

/** Notes what happened for those who look, once the transaction is stored. */
export async function logEvent<Kind extends LiveKind>(
  tx: Transaction,
  kind: Kind,
  facts: LiveFacts[Kind],
): Promise<void> {
  const row = { kind, payload: JSON.stringify(facts), client: tx.client ?? null, at: Date.now() };
  await tx.write(tx.locksRows ? insertUnnumbered : insertNumbered, row);
}

/** Something that happened. */
export interface LoggedEvent {
  readonly number: number;
  /** The page or program that did it. */
  readonly client: string | null;
  readonly happening: LiveHappening;
}

const columns = ['number', 'kind', 'payload', 'client'] as const;

const rowsAfter = statement((sql, p: { after: number; limit: number }) =>
  sql.selectFrom('event_log').select(columns).where('number', '>', p.after).orderBy('number').limit(p.limit),
);
const anyUnnumbered = statement((sql, _: Record<never, never>) =>
  sql.selectFrom('event_log').select('id').where('number', 'is', null).limit(1),
);
const lastNumber = statement((sql, _: Record<never, never>) =>
  sql
    .selectFrom('event_log')
    .select('number')
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1),
);
const rowNumbered = statement((sql, p: { number: number }) =>
  sql.selectFrom('event_log').select('id').where('number', '=', p.number),
);

/** What happened after that number, in order. */
export async function readEventLog(reader: Reader, after: number, limit: number): Promise<LoggedEvent[]> {
  const rows = await reader.all(rowsAfter, { after, limit });
  return rows.map(({ number, kind, payload, client }) => ({
    number: number ?? 0,
    client,
    // Written by `logEvent` alone.
    happening: { ...JSON.parse(payload), kind } as LiveHappening,
  }));
}

/** The number of what happened last; 0 before anything did. */
export const lastEventNumber = async (reader: Reader): Promise<number> =>
  (await reader.first(lastNumber, {}))?.number ?? 0;

/** Whether all that came after that number is still there. */
export const isInEventLog = async (reader: Reader, number: number): Promise<boolean> =>
  (await reader.first(rowNumbered, { number })) !== undefined;

/** Whether something happened that has no number yet. */
export const hasUnnumberedEvents = async (database: Database): Promise<boolean> =>
  database.capabilities.locksRows && (await database.first(anyUnnumbered, {})) !== undefined;

const mostAtOnce = 1000;

/** Numbers what was committed since the last time. */
async function numberEvents(tx: Transaction, _: Viewer, __: undefined): Promise<void> {
  await tx.alone('events');
  while ((await numberSome(tx)) === mostAtOnce);
}

async function numberSome(tx: Transaction): Promise<number> {
  const rows = await tx.all(
    tx.sql.selectFrom('event_log').select('id').where('number', 'is', null).orderBy('id').limit(mostAtOnce),
  );
  const [first] = rows;
  if (first === undefined) return 0;
  const shift = Math.max((await lastEventNumber(tx)) + 1, Date.now()) - first.id;
  const ids = rows.map(({ id }) => id);
  const update = tx.sql.updateTable('event_log').set((row) => ({ number: row('id', '+', shift) }));
  await tx.write(update.where('id', 'in', ids));
  return rows.length;
}

/** Forgets what is too long ago to be told again; the last one stays, since numbers are counted from it. */
async function purgeEventLog(tx: Transaction, viewer: Viewer, _: undefined): Promise<void> {
  // Where nobody listened nobody has numbered them.
  if (tx.locksRows) await numberEvents(tx, viewer, undefined);
  const last = await lastEventNumber(tx);
  const old = tx.sql.deleteFrom('event_log').where('created_at', '<', Date.now() - eventsKeptFor);
  await tx.write(old.where('number', '<', last));
}

export const eventLogOperations = { numberEvents, purgeEventLog };
