import type { Viewer } from '../kernel/viewer.ts';
import type { Database, Reader, Transaction } from '../storage/index.ts';
import { insertDeliveries } from './deliveries.ts';
import { insertDigestItems } from './digest.ts';
import type { EventOutcome } from './handlers/index.ts';
import { insertMails } from './mails.ts';
import type { OutboxEvent } from './model.ts';
import { joinNotifications } from './notifications.ts';
import { lease, pauseAfter } from './retries.ts';
import { noteMatches } from './searches.ts';

/** Events that are taken at once. */
const mostEvents = 20;

const dueNow = ({ sql }: Reader, kinds: readonly string[]) =>
  sql.selectFrom('outbox').where('due_at', '<=', Date.now()).where('kind', 'in', kinds);

/** Whether there is anything to do, told without writing. */
export async function hasDueEvents(database: Database, kinds: readonly string[]): Promise<boolean> {
  database.renew();
  return (await database.first(dueNow(database, kinds).select('id').limit(1))) !== undefined;
}

/** Takes events of these kinds: nobody else gets them until they are settled, or their taker must have died. */
export async function takeEvents(
  tx: Transaction,
  _viewer: Viewer,
  { kinds }: { kinds: readonly string[] },
): Promise<OutboxEvent[]> {
  const now = Date.now();
  const due = dueNow(tx, kinds)
    .select(['id', 'kind', 'payload', 'attempts'])
    .orderBy('due_at')
    .orderBy('id')
    .limit(mostEvents);
  const events = await tx.lockFree(due);
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const take = tx.sql
    .updateTable('outbox')
    .set((row) => ({ due_at: now + lease, waits_since: now, attempts: row('attempts', '+', 1) }));
  await tx.run(take.where('id', 'in', ids));
  return events.map((event) => ({ ...event, attempts: event.attempts + 1 }));
}

/** An event, and what came of it. */
export interface SettledEvent extends EventOutcome {
  readonly id: number;
}

const deletion = (tx: Transaction, ids: readonly number[]) =>
  tx.sql.deleteFrom('outbox').where('id', 'in', ids);

/** Turns events into what is sent because of them, once: a retry of one of them never repeats another. */
export async function settleEvents(
  tx: Transaction,
  _viewer: Viewer,
  { events }: { events: readonly SettledEvent[] },
): Promise<void> {
  const ids = events.map(({ id }) => id);
  // Somebody else may have taken some for left behind, and been faster.
  const own = new Set((await tx.all(deletion(tx, ids).returning('id'))).map(({ id }) => id));
  const settled = events.filter(({ id }) => own.has(id));
  await insertMails(
    tx,
    settled.flatMap(({ mails }) => mails),
  );
  await insertDigestItems(
    tx,
    settled.flatMap(({ digested = [] }) => digested),
  );
  await joinNotifications(
    tx,
    settled.flatMap(({ notifications = [] }) => notifications),
  );
  await insertDeliveries(
    tx,
    settled.flatMap(({ deliveries }) => deliveries),
  );
  for (const { matches } of settled) if (matches !== undefined) await noteMatches(tx, matches);
}

/** Lets an event wait from which nothing could be made; tells whether there is another try. */
export async function postponeEvent(
  tx: Transaction,
  _viewer: Viewer,
  { id, attempts }: { id: number; attempts: number },
): Promise<boolean> {
  const now = Date.now();
  const pause = pauseAfter(attempts);
  if (pause === undefined) await tx.run(deletion(tx, [id]));
  else {
    const later = { due_at: now + pause, waits_since: now };
    await tx.run(tx.sql.updateTable('outbox').set(later).where('id', '=', id));
  }
  return pause !== undefined;
}
