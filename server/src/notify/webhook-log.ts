import { requireSiteAdministrator } from '../identity/index.ts';
import { day, type Instant } from '../kernel/clock.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Selectable, Tables, Transaction } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { requireWebhook } from './webhooks.ts';

/** Settled deliveries of one webhook that its log keeps, and for how long. What waits is kept, however much and old. */
const mostLogged = 200;
const loggedFor = 30 * day;

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

/** A delivery as those see it who look after the platform: what it says is for its owner alone. */
export interface PlatformDelivery extends Omit<Delivery, 'answer' | 'duration' | 'body'> {
  readonly webhookId: number;
  readonly project: { readonly id: number; readonly label: string; readonly icon: string };
  readonly trackerId: number | null;
  readonly host: string;
}

/** Deliveries of all webhooks, the newest first, for site administrators. */
export async function listPlatformDeliveries(
  reader: Reader,
  viewer: Viewer,
  { state, limit, offset }: Page & { state: Delivery['state'] | undefined },
): Promise<Slice<PlatformDelivery>> {
  requireSiteAdministrator(viewer);
  let all = reader.sql
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
    .innerJoin('project', 'project.id', 'webhook.project_id');
  if (state !== undefined) all = all.where('delivery.state', '=', state);
  const count = await reader.first(all.select((row) => row.fn.countAll<number>().as('size')));
  const columns = [
    'delivery.id',
    'delivery.event',
    'delivery.state',
    'delivery.attempts',
    'delivery.status',
    'delivery.fault',
    'delivery.created_at as createdAt',
    'delivery.tried_at as triedAt',
    'delivery.due_at as dueAt',
    'webhook.id as webhookId',
    'webhook.tracker_id as trackerId',
    'webhook.url',
    'project.id as projectId',
    'project.label',
    'project.icon',
  ] as const;
  const page = all.select(columns).orderBy('delivery.id', 'desc').limit(limit).offset(offset);
  const items = (await reader.all(page)).map(({ url, projectId, label, icon, ...delivery }) => ({
    ...delivery,
    project: { id: projectId, label, icon },
    host: new URL(url).host,
  }));
  return { items, size: count?.size ?? 0 };
}

/** Forgets the oldest deliveries that are settled. */
export async function trimLog(tx: Transaction, webhookId: number): Promise<void> {
  const settled = tx.sql.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhookId);
  const newest = settled.where('due_at', 'is', null).orderBy('id', 'desc');
  const last = await tx.first(newest.limit(1).offset(mostLogged));
  if (last === undefined) return;
  const old = tx.sql.deleteFrom('webhook_delivery').where('webhook_id', '=', webhookId);
  await tx.run(old.where('due_at', 'is', null).where('id', '<=', last.id));
}

/** Forgets deliveries of long ago. */
export async function purgeDeliveries(tx: Transaction): Promise<void> {
  const old = tx.sql.deleteFrom('webhook_delivery').where('due_at', 'is', null);
  await tx.run(old.where('created_at', '<', Date.now() - loggedFor));
}
