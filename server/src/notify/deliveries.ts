import { viewerFor } from '../identity/index.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import {
  afterFailure,
  afterSuccess,
  givenUpEvent,
  giveUpReceiver,
  warnOfLoss,
  whileTried,
} from './receivers.ts';
import { lease, pauseAfter } from './retries.ts';
import { trimLog } from './webhook-log.ts';
import { askedFor, reschedule, type WebhookRow } from './webhook-schedule.ts';
import { requireWebhook } from './webhooks.ts';

/** Something that a webhook is to be told. */
export interface NewDelivery {
  readonly webhookId: number;
  /** Whose view of things the body has. */
  readonly ownerId: number;
  readonly event: string;
  readonly body: string;
}

const columns = [
  'webhook_id',
  'owner_id',
  'event',
  'body',
  'state',
  'attempts',
  'due_at',
  'waits_since',
  'answer',
  'created_at',
] as const;

/** Promises deliveries. Each is kept until its receiver took it, or was away for a day. */
export async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const now = Date.now();
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  // A webhook may be deleted while somebody writes what it would be told.
  const hooks = await tx.lock(
    tx.sql
      .selectFrom('webhook')
      .select(['id', 'due_at', 'paused_until'])
      .where('id', 'in', ids)
      .orderBy('id'),
  );
  const known = new Set(hooks.map(({ id }) => id));
  const state = 'waiting';
  const rows = deliveries
    .filter(({ webhookId }) => known.has(webhookId))
    .map(
      ({ webhookId, ownerId, event, body }) =>
        [webhookId, ownerId, event, body, state, 0, now, now, '', now] as const,
    );
  await tx.insertMany('webhook_delivery', columns, rows);
  for (const hook of hooks) if (!isDue(hook)) await reschedule(tx, hook);
}

/** Whoever is due already keeps their turn. */
const isDue = ({ due_at, paused_until }: Pick<WebhookRow, 'due_at' | 'paused_until'>) =>
  due_at !== null && due_at <= Math.max(Date.now(), paused_until);

/** A delivery that was taken, with all that sending it needs. */
export interface TakenDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly secret: string;
  /** Of the receiver in a row, before this try. */
  readonly failures: number;
}

/** How many deliveries of a webhook are wanted. */
export interface WebhookTurn {
  readonly webhookId: number;
  readonly count: number;
}

/**
 * Takes deliveries of webhooks whose turn it is: nobody else gets them until they are settled, or their taker must have
 * died. `underWay` are those that the taker has already, which a clock that jumps can make due again.
 */
export async function takeDeliveries(
  tx: Transaction,
  _viewer: Viewer,
  { turns, underWay }: { turns: readonly WebhookTurn[]; underWay: readonly number[] },
): Promise<TakenDelivery[]> {
  const taken: TakenDelivery[] = [];
  for (const turn of [...turns].sort((one, other) => one.webhookId - other.webhookId))
    taken.push(...(await takeTurn(tx, turn, underWay)));
  return taken;
}

async function takeTurn(
  tx: Transaction,
  { webhookId, count }: WebhookTurn,
  underWay: readonly number[],
): Promise<TakenDelivery[]> {
  const now = Date.now();
  const due = tx.sql
    .selectFrom('webhook')
    .select(['id', 'owner_id', 'is_enabled', 'failures', 'paused_until'])
    .where('id', '=', webhookId);
  const [hook] = await tx.lockFree(due.where('due_at', '<=', now));
  if (hook === undefined) return [];
  // One try is enough to tell whether a receiver that failed is well again.
  const ids = await nextOf(tx, hook, { underWay, count: hook.failures > 0 ? 1 : count });
  await lend(tx, ids);
  await reschedule(tx, hook, hook.failures > 0 && ids.length > 0 ? whileTried() : {});
  if (ids.length === 0) return [];
  if ((await viewerFor(tx, hook.owner_id)) === undefined) {
    await giveUp(tx, ids, ownerless);
    return [];
  }
  const taken = await tx.all(ownDeliveries(tx).where('delivery.id', 'in', ids).orderBy('delivery.id'));
  const own = new Set(taken.map(({ id }) => id));
  // The new owner may have chosen another receiver.
  await giveUp(
    tx,
    ids.filter((id) => !own.has(id)),
    foreign,
  );
  return taken;
}

async function nextOf(
  tx: Transaction,
  { id, is_enabled }: Pick<WebhookRow, 'id' | 'is_enabled'>,
  { underWay, count }: { underWay: readonly number[]; count: number },
): Promise<number[]> {
  const due = tx.sql
    .selectFrom('webhook_delivery')
    .select('id')
    .where('webhook_id', '=', id)
    .where('due_at', '<=', is_enabled === 1 ? Date.now() : askedFor);
  const others = underWay.length === 0 ? due : due.where('id', 'not in', underWay);
  return (await tx.all(others.orderBy('due_at').orderBy('id').limit(count))).map(({ id }) => id);
}

async function lend(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const now = Date.now();
  const take = tx.sql.updateTable('webhook_delivery').set((row) => ({
    due_at: now + lease,
    waits_since: now,
    tried_at: now,
    attempts: row('attempts', '+', 1),
  }));
  await tx.run(take.where('id', 'in', ids));
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
      'delivery.webhook_id as webhookId',
      'delivery.event',
      'delivery.body',
      'delivery.attempts',
      'webhook.url',
      'webhook.secret',
      'webhook.failures',
    ]);

const foreign = 'The webhook has another owner now, who may not see the same.';

const ownerless = 'The account of its owner cannot be used, so it is told nothing.';

async function giveUp(tx: Transaction, ids: readonly number[], fault: string): Promise<void> {
  if (ids.length === 0) return;
  const end = { state: 'failed', due_at: null, fault } as const;
  await tx.run(tx.sql.updateTable('webhook_delivery').set(end).where('id', 'in', ids));
}

/** How a delivery ended. */
export interface DeliveryOutcome {
  readonly id: number;
  readonly webhookId: number;
  readonly attempts: number;
  /** Of the receiver in a row, before this try. */
  readonly failures: number;
  readonly status: number | null;
  readonly answer: string;
  readonly duration: number;
  /** Undefined: it was taken. */
  readonly fault: string | undefined;
  readonly mayRetry: boolean;
  /** Whether the owner can be told by mail of what is given up. */
  readonly sendsMail: boolean;
  /** Whether it is time to forget the oldest entries of the log. */
  readonly trimsLog: boolean;
}

/** What became of a delivery, and of its receiver. */
export type Settled = 'delivered' | 'waiting' | 'failed' | 'given-up';

export async function settleDelivery(
  tx: Transaction,
  _viewer: Viewer,
  outcome: DeliveryOutcome,
): Promise<Settled> {
  const { id, webhookId, fault } = outcome;
  const [hook] = await tx.lock(tx.sql.selectFrom('webhook').selectAll().where('id', '=', webhookId));
  if (hook === undefined) return fault === undefined ? 'delivered' : 'failed';
  const { settled, dueAt, receiverState } = await judge(tx, hook, outcome);
  const { status, answer, duration } = outcome;
  const state = settled === 'given-up' ? 'failed' : settled;
  const told = { status, answer, duration, state, fault: fault ?? null };
  const times = { due_at: dueAt, waits_since: Date.now() };
  await tx.run(
    tx.sql
      .updateTable('webhook_delivery')
      .set({ ...told, ...times })
      .where('id', '=', id),
  );
  const keepsTurn = receiverState === undefined && (settled === 'given-up' || isDue(hook));
  if (!keepsTurn) await reschedule(tx, hook, receiverState);
  if (outcome.trimsLog) await trimLog(tx, webhookId);
  return settled;
}

/** Decides what comes of a try, for the delivery and for its receiver. */
async function judge(
  tx: Transaction,
  hook: WebhookRow,
  { fault, attempts, failures, mayRetry, sendsMail }: DeliveryOutcome,
): Promise<{ settled: Settled; dueAt: number | null; receiverState: Partial<WebhookRow> | undefined }> {
  if (fault === undefined) return { settled: 'delivered', dueAt: null, receiverState: afterSuccess(hook) };
  const receiverState = mayRetry ? afterFailure(hook, failures) : undefined;
  if (mayRetry && receiverState === undefined) {
    await giveUpReceiver(tx, hook, { lastFault: fault, sendsMail });
    return { settled: 'given-up', dueAt: null, receiverState };
  }
  const pause = mayRetry ? pauseAfter(attempts) : undefined;
  if (pause !== undefined) return { settled: 'waiting', dueAt: Date.now() + pause, receiverState };
  if (sendsMail) await warnOfLoss(tx, hook, fault);
  return { settled: 'failed', dueAt: null, receiverState };
}

/** Somebody wants to know whether a receiver is well again, perhaps after it was given up. */
const triedNow = ({ given_up_at }: WebhookRow): Partial<WebhookRow> => ({
  paused_until: 0,
  ...(given_up_at === null ? {} : { failures: 0, failing_since: null, given_up_at: null }),
});

/** Due at once, before everything else that waits: somebody looks at it. */
const atOnce = () => ({ state: 'waiting', attempts: 0, due_at: askedFor, waits_since: Date.now() }) as const;

/** Sends a delivery once more, as it was: its id stays, so that a receiver can tell. */
export async function redeliver(
  tx: Transaction,
  viewer: Viewer,
  { webhookId, id }: { webhookId: number; id: number },
  trackers: Trackers,
): Promise<void> {
  const hook = await requireWebhook(tx, viewer, webhookId, trackers);
  await tx.lock(tx.sql.selectFrom('webhook').select('id').where('id', '=', webhookId));
  const own = tx.sql
    .selectFrom('webhook_delivery')
    .select(['state', 'owner_id', 'event'])
    .where('id', '=', id);
  const [row] = await tx.lock(own.where('webhook_id', '=', webhookId));
  if (row === undefined || row.event === givenUpEvent) throw notFound('There is no such delivery.');
  // What waits at a webhook that is switched off goes nowhere by itself.
  if (row.state === 'waiting' && hook.is_enabled === 1) throw invalid('The delivery is still on its way.');
  if (row.owner_id !== hook.owner_id) throw invalid(foreign);
  await tx.run(tx.sql.updateTable('webhook_delivery').set(atOnce()).where('id', '=', id));
  await reschedule(tx, hook, triedNow(hook));
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
  const id = (await tx.first(newest.orderBy('id', 'desc').limit(1)))?.id ?? 0;
  await tx.run(tx.sql.updateTable('webhook_delivery').set(atOnce()).where('id', '=', id));
  await reschedule(tx, hook, triedNow(hook));
  return { id };
}
