import type { WebhookEvent } from '@atelier/contract/webhook-events';
import { viewerFor } from '../identity/index.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, type SqlBuilder, statement } from '../storage/index.ts';
import type { NewDelivery } from './deliveries.ts';
import { toWebhook, type Webhook } from './webhooks.ts';

/** Where something happened. */
export interface EventPlace {
  readonly projectId: number;
  /** Absent for what concerns no tracker: then only webhooks of the project hear of it. */
  readonly trackerId?: number;
}

const enabledIn = (sql: SqlBuilder, projectId: number) =>
  sql
    .selectFrom('webhook')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('is_enabled', '=', 1)
    .orderBy('id');

const webhooksOfProject = statement((sql, p: { projectId: number }) =>
  enabledIn(sql, p.projectId).where('tracker_id', 'is', null),
);

const webhooksOfBoth = statement((sql, p: { projectId: number; trackerId: number }) =>
  enabledIn(sql, p.projectId).where((row) =>
    row.or([row('tracker_id', 'is', null), row('tracker_id', '=', p.trackerId)]),
  ),
);

/** The webhooks that listen to an event in a place. */
async function webhooksAt(
  reader: Reader,
  event: WebhookEvent,
  { projectId, trackerId }: EventPlace,
): Promise<Webhook[]> {
  const rows = await (trackerId === undefined
    ? reader.all(webhooksOfProject, { projectId })
    : reader.all(webhooksOfBoth, { projectId, trackerId }));
  return rows.map(toWebhook).filter(({ events }) => events.includes(event));
}

/** What a delivery says beside its event and its webhook: JSON by the names of members. */
export type DeliveryMembers = Readonly<Record<string, string>>;

const bodyOf = (event: WebhookEvent, { id }: Webhook, members: DeliveryMembers) => {
  const told = Object.entries(members).map(([name, json]) => `,"${name}":${json}`);
  return `{"event":"${event}","webhook_id":${id}${told.join('')}}`;
};

/**
 * What the webhooks of some places are told of an event. `membersFor` says it as the owner of a webhook may see it; undefined where that is
 * nothing.
 */
export async function deliveriesOf(
  reader: Reader,
  event: WebhookEvent,
  places: readonly EventPlace[],
  membersFor: (owner: Viewer) => Promise<DeliveryMembers | undefined>,
): Promise<NewDelivery[]> {
  const hooks = new Map<number, Webhook>();
  for (const place of places)
    for (const webhook of await webhooksAt(reader, event, place)) hooks.set(webhook.id, webhook);
  const deliveries: NewDelivery[] = [];
  for (const webhook of hooks.values()) {
    const { id: webhookId, ownerId } = webhook;
    const owner = await viewerFor(reader, ownerId);
    const members = owner && (await membersFor(owner));
    if (members !== undefined)
      deliveries.push({ webhookId, ownerId, event, body: bodyOf(event, webhook, members) });
  }
  return deliveries;
}
