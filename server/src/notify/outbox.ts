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

const inOrder = (reader: Reader, kinds: readonly string[]) =>
  dueNow(reader, kinds)
    .select(['id', 'kind', 'payload', 'attempts', 'account_id as accountId'])
    .orderBy('due_at')
    .orderBy('id');

type DueEvent = OutboxEvent & { readonly accountId: number };

/** Those for whom something is due, whose turn comes after that of somebody, and then the others: as many as can have a turn at once. */
async function peopleInTurn(tx: Transaction, kinds: readonly string[], last: number): Promise<number[]> {
  const people: number[] = [];
  const next = (after: number) =>
    tx.first(
      dueNow(tx, kinds).select('account_id').where('account_id', '>', after).orderBy('account_id').limit(1),
    );
  for (const from of [last, -1])
    for (let after = from; people.length < mostEvents; ) {
      const found = await next(after);
      if (found === undefined || people.includes(found.account_id)) break;
      after = found.account_id;
      people.push(after);
    }
  return people;
}

/** The next events of one person. One of an artifact waits for what others did to it before: what comes of it depends on what came of that. */
function nextOf(tx: Transaction, kinds: readonly string[], accountId: number, most: number) {
  const own = inOrder(tx, kinds)
    .where('account_id', '=', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox as earlier')
            .select('earlier.id')
            .whereRef('earlier.artifact_id', '=', 'outbox.artifact_id')
            .whereRef('earlier.id', '<', 'outbox.id')
            .where('earlier.account_id', '<>', accountId)
            // One that could not be told holds up nobody.
            .where('earlier.attempts', '=', 0),
        ),
      ),
    );
  return tx.lockFree<DueEvent>(own.limit(most));
}

/** Where more waits than is taken at once: as much of everybody, one of each after the other. */
async function takeInTurn(tx: Transaction, kinds: readonly string[], last: number) {
  const people = await peopleInTurn(tx, kinds, last);
  const share = Math.max(1, Math.floor(mostEvents / people.length));
  const lists: DueEvent[][] = [];
  for (const accountId of people) lists.push(await nextOf(tx, kinds, accountId, share));
  const rounds = Array.from({ length: share }, (_, place) => lists.flatMap((own) => own[place] ?? []));
  return { due: rounds.flat(), last: people.at(-1) ?? last };
}

/** Events that were taken, and whose turn was last. */
export interface TakenEvents {
  readonly events: readonly OutboxEvent[];
  readonly last: number;
}

/**
 * Takes events of these kinds: nobody else gets them until they are settled, or their taker must have died. Whoever makes much happen waits for
 * themselves: people take turns, after the one who had the last one.
 */
export async function takeEvents(
  tx: Transaction,
  _viewer: Viewer,
  { kinds, last }: { kinds: readonly string[]; last: number },
): Promise<TakenEvents> {
  const now = Date.now();
  const first: DueEvent[] = await tx.lockFree(inOrder(tx, kinds).limit(mostEvents + 1));
  const taken = first.length <= mostEvents ? { due: first, last } : await takeInTurn(tx, kinds, last);
  const events = taken.due.map(({ accountId: _, ...event }) => ({ ...event, attempts: event.attempts + 1 }));
  const ids = events.map(({ id }) => id);
  const take = tx.sql
    .updateTable('outbox')
    .set((row) => ({ due_at: now + lease, waits_since: now, attempts: row('attempts', '+', 1) }));
  if (ids.length > 0) await tx.run(take.where('id', 'in', ids));
  return { events, last: taken.last };
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
