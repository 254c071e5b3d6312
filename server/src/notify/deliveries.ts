import { day, type Instant } from '../kernel/clock.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  type Database,
  type Reader,
  type Selectable,
  statement,
  type Tables,
  type Transaction,
} from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { lease, nextTry } from './model.ts';
import { requireWebhook } from './webhooks.ts';

/** Something that a webhook is to be told. */
export interface NewDelivery {
  readonly webhookId: number;
  /** Whose view of things the body has. */
  readonly ownerId: number;
  readonly event: string;
  readonly body: string;
}

/** The log of one webhook: so many deliveries of the last month. */
const mostLogged = 200;
const loggedFor = 30 * day;
/** Deliveries that wait for a receiver that is away. */
const mostWaiting = 1000;
/** Deliveries that are under way at once. */
export const mostDeliveries = 8;

const columns = [
  'webhook_id',
  'owner_id',
  'event',
  'body',
  'state',
  'attempts',
  'due_at',
  'answer',
  'created_at',
] as const;

/** Deliveries that are older than so many others of their webhook. */
async function lastBut(tx: Transaction, webhookId: number, kept: number): Promise<number> {
  const query = tx.sql.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhookId);
  return (await tx.first(query.orderBy('id', 'desc').limit(1).offset(kept)))?.id ?? 0;
}

/** Forgets the oldest deliveries; a receiver that was away for long misses some. */
async function trim(tx: Transaction, webhookId: number): Promise<void> {
  const own = tx.sql.deleteFrom('webhook_delivery').where('webhook_id', '=', webhookId);
  const logged = await lastBut(tx, webhookId, mostLogged);
  if (logged === 0) return;
  await tx.run(own.where('id', '<=', logged).where('state', '<>', 'waiting'));
  const waiting = await lastBut(tx, webhookId, mostWaiting);
  if (waiting > 0) await tx.run(own.where('id', '<=', waiting));
}

export async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const now = Date.now();
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  // A webhook may be deleted while somebody writes what it would be told.
  const known = await tx.lock(tx.sql.selectFrom('webhook').select('id').where('id', 'in', ids).orderBy('id'));
  const kept = new Set(known.map(({ id }) => id));
  await tx.insertMany(
    'webhook_delivery',
    columns,
    deliveries
      .filter(({ webhookId }) => kept.has(webhookId))
      .map(({ webhookId, ownerId, event, body }) => [
        webhookId,
        ownerId,
        event,
        body,
        'waiting',
        0,
        now,
        '',
        now,
      ]),
  );
  for (const id of kept) await trim(tx, id);
}

const firstDue = statement((sql, p: { now: number }) =>
  sql.selectFrom('webhook_delivery').select('id').where('due_at', '<=', p.now).limit(1),
);

/** Whether there is anything to do, told without writing. */
export async function hasDueDeliveries(database: Database): Promise<boolean> {
  database.renew();
  return (await database.first(firstDue, { now: Date.now() })) !== undefined;
}

/** A delivery that was taken, with all that sending it needs. */
export interface TakenDelivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly secret: string;
}

/** Takes deliveries that are due: nobody else gets them until they are settled, or their taker must have died. */
export async function takeDeliveries(
  tx: Transaction,
  _viewer: Viewer,
  { count }: { count: number },
): Promise<TakenDelivery[]> {
  const now = Date.now();
  const due = tx.sql.selectFrom('webhook_delivery').select('id').where('due_at', '<=', now);
  const ids = (await tx.lockFree(due.orderBy('due_at').orderBy('id').limit(count))).map(({ id }) => id);
  if (ids.length === 0) return [];
  const take = tx.sql
    .updateTable('webhook_delivery')
    .set((row) => ({ due_at: now + lease, tried_at: now, attempts: row('attempts', '+', 1) }));
  await tx.run(take.where('id', 'in', ids));
  const taken = await tx.all(ownDeliveries(tx).where('delivery.id', 'in', ids).orderBy('delivery.id'));
  await dropForeign(tx, ids, taken);
  return taken;
}

/** Those that were written for whoever has the webhook now. */
const ownDeliveries = ({ sql }: Reader) =>
  sql
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook', (join) =>
      join
        .onRef('webhook.id', '=', 'delivery.webhook_id')
        .onRef('webhook.owner_id', '=', 'delivery.owner_id'),
    )
    .select([
      'delivery.id',
      'delivery.event',
      'delivery.body',
      'delivery.attempts',
      'webhook.url',
      'webhook.secret',
    ]);

const foreign = 'The webhook has another owner now, who may not see the same.';

/** Gives up what was written for somebody else: the new owner may have chosen another receiver. */
async function dropForeign(
  tx: Transaction,
  ids: readonly number[],
  taken: readonly TakenDelivery[],
): Promise<void> {
  const own = new Set(taken.map(({ id }) => id));
  const others = ids.filter((id) => !own.has(id));
  if (others.length === 0) return;
  const end = { state: 'failed', due_at: null, fault: foreign } as const;
  await tx.run(tx.sql.updateTable('webhook_delivery').set(end).where('id', 'in', others));
}

/** How a delivery ended. */
export interface DeliveryOutcome {
  readonly id: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly answer: string;
  readonly duration: number;
  /** Undefined: it was taken. */
  readonly fault: string | undefined;
  readonly mayRetry: boolean;
}

export async function settleDelivery(
  tx: Transaction,
  _viewer: Viewer,
  { id, attempts, fault, mayRetry, ...told }: DeliveryOutcome,
): Promise<void> {
  const retryAt = fault !== undefined && mayRetry ? (nextTry(attempts) ?? null) : null;
  const state = fault === undefined ? 'delivered' : retryAt === null ? 'failed' : 'waiting';
  const columns = { ...told, state, due_at: retryAt, fault: fault ?? null } as const;
  await tx.run(tx.sql.updateTable('webhook_delivery').set(columns).where('id', '=', id));
}

/** A delivery as the log shows it. */
export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
  readonly duration: number | null;
  /** Null for all but the one for whom it was written. */
  readonly body: string | null;
  readonly createdAt: Instant;
  readonly triedAt: Instant | null;
  readonly dueAt: Instant | null;
}

const toDelivery = (row: Selectable<Tables['webhook_delivery']>, { userId }: Viewer): Delivery => ({
  id: row.id,
  event: row.event,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  fault: row.fault,
  answer: row.answer,
  duration: row.duration,
  body: row.owner_id === userId ? row.body : null,
  createdAt: row.created_at,
  triedAt: row.tried_at,
  dueAt: row.due_at,
});

/** The log of a webhook, the newest delivery first. */
export async function listDeliveries(
  reader: Reader,
  viewer: Viewer,
  { webhookId, limit, offset }: Page & { webhookId: number },
  trackers: Trackers,
): Promise<Slice<Delivery>> {
  await requireWebhook(reader, viewer, webhookId, trackers);
  const own = reader.sql.selectFrom('webhook_delivery').where('webhook_id', '=', webhookId);
  const count = await reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(own.selectAll().orderBy('id', 'desc').limit(limit).offset(offset));
  return { items: rows.map((row) => toDelivery(row, viewer)), size: count?.size ?? 0 };
}

/** Sends a delivery once more, as it was: its id stays, so that a receiver can tell. */
export async function redeliver(
  tx: Transaction,
  viewer: Viewer,
  { webhookId, id }: { webhookId: number; id: number },
  trackers: Trackers,
): Promise<void> {
  const { owner_id } = await requireWebhook(tx, viewer, webhookId, trackers);
  const own = tx.sql.selectFrom('webhook_delivery').select(['state', 'owner_id']).where('id', '=', id);
  const [row] = await tx.lock(own.where('webhook_id', '=', webhookId));
  if (row === undefined) throw notFound('There is no such delivery.');
  if (row.state === 'waiting') throw invalid('The delivery is still on its way.');
  if (row.owner_id !== owner_id) throw invalid(foreign);
  const again = { state: 'waiting', attempts: 0, due_at: Date.now() } as const;
  await tx.run(tx.sql.updateTable('webhook_delivery').set(again).where('id', '=', id));
}

/** Tells a webhook nothing but that it is reached. Gives the id of the delivery. */
export async function ping(
  tx: Transaction,
  viewer: Viewer,
  { webhookId }: { webhookId: number },
  trackers: Trackers,
): Promise<{ id: number }> {
  const hook = await requireWebhook(tx, viewer, webhookId, trackers);
  const { project_id, tracker_id, owner_id: ownerId } = hook;
  const content = { event: 'ping', webhook_id: webhookId, project_id, tracker_id };
  await insertDeliveries(tx, [{ webhookId, ownerId, event: 'ping', body: JSON.stringify(content) }]);
  const newest = tx.sql.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhookId);
  return { id: (await tx.first(newest.orderBy('id', 'desc').limit(1)))?.id ?? 0 };
}

/** Forgets deliveries of long ago. */
export async function purgeDeliveries(tx: Transaction): Promise<void> {
  const old = tx.sql.deleteFrom('webhook_delivery').where('state', '<>', 'waiting');
  await tx.run(old.where('created_at', '<', Date.now() - loggedFor));
}
