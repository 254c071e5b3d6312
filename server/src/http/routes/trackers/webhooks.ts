import * as contract from '@atelier/contract';
import { formatInstant } from '../../../kernel/clock.ts';
import {
  type Delivery,
  listDeliveries,
  listWebhooks,
  requireWebhook,
  toWebhook,
  type Webhook,
} from '../../../notify/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentWebhook = (webhook: Webhook): contract.Webhook => ({
  id: webhook.id,
  uri: `webhooks/${webhook.id}`,
  project_id: webhook.projectId,
  tracker_id: webhook.trackerId,
  owner_id: webhook.ownerId,
  url: webhook.url,
  events: [...webhook.events],
  is_enabled: webhook.isEnabled,
  creation_date: formatInstant(webhook.createdAt),
});

const optional = (instant: number | null) => (instant === null ? null : formatInstant(instant));

const presentDelivery = ({ createdAt, triedAt, dueAt, ...delivery }: Delivery): contract.WebhookDelivery => ({
  ...delivery,
  creation_date: formatInstant(createdAt),
  tried_on: optional(triedAt),
  due_on: optional(dueAt),
});

function placeBindings({ database, operations, trackers }: Services): RouteBinding[] {
  const creation = (body: contract.BodyOf<typeof contract.createProjectWebhook>) => ({
    url: body.url,
    events: body.events,
    isEnabled: body.is_enabled,
  });
  return [
    bind(contract.listProjectWebhooks, async ({ viewer, params, query }) => {
      const place = { kind: 'project', id: params.id } as const;
      return pageOf(
        query,
        await listWebhooks(database, viewer, { place, ...query }, trackers),
        presentWebhook,
      );
    }),
    bind(contract.createProjectWebhook, async ({ viewer, params, body }) => {
      const place = { kind: 'project', id: params.id } as const;
      const made = await operations.createWebhook(viewer, { place, ...creation(body) });
      return { body: { ...presentWebhook(made), secret: made.secret } };
    }),
    bind(contract.listTrackerWebhooks, async ({ viewer, params, query }) => {
      const place = { kind: 'tracker', id: params.id } as const;
      return pageOf(
        query,
        await listWebhooks(database, viewer, { place, ...query }, trackers),
        presentWebhook,
      );
    }),
    bind(contract.createTrackerWebhook, async ({ viewer, params, body }) => {
      const place = { kind: 'tracker', id: params.id } as const;
      const made = await operations.createWebhook(viewer, { place, ...creation(body) });
      return { body: { ...presentWebhook(made), secret: made.secret } };
    }),
  ];
}

export function webhookBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  return [
    ...placeBindings(services),
    bind(contract.getWebhook, async ({ viewer, params }) => ({
      body: presentWebhook(toWebhook(await requireWebhook(database, viewer, params.id, trackers))),
    })),
    bind(contract.patchWebhook, async ({ viewer, params, body }) => {
      const { url, events, is_enabled: isEnabled, renew_secret: renewSecret } = body;
      const input = { id: params.id, url, events, isEnabled, renewSecret };
      const changed = await operations.changeWebhook(viewer, input);
      return { body: { ...presentWebhook(changed), secret: changed.secret ?? null } };
    }),
    bind(contract.deleteWebhook, async ({ viewer, params }) => {
      await operations.deleteWebhook(viewer, params);
      return {};
    }),
    bind(contract.pingWebhook, async ({ viewer, params }) => {
      const { id } = await operations.pingWebhook(viewer, { webhookId: params.id });
      return { body: { delivery_id: id } };
    }),
    bind(contract.listWebhookDeliveries, async ({ viewer, params, query }) => {
      const page = { webhookId: params.id, ...query };
      return pageOf(query, await listDeliveries(database, viewer, page, trackers), presentDelivery);
    }),
    bind(contract.redeliverWebhook, async ({ viewer, params }) => {
      await operations.redeliver(viewer, { webhookId: params.id, id: params.delivery_id });
      return {};
    }),
  ];
}
