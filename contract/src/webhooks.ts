import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';
import { projectEvents, webhookEvents } from './webhook-events.ts';

const members = {
  id: Type.Integer(),
  uri: Type.String(),
  project_id: Type.Integer(),
  tracker_id: nullable(Type.Integer({ description: 'Null: every tracker of the project' })),
  owner_id: Type.Integer({ description: 'Deliveries show what this user may see: whoever changed it last' }),
  url: Type.String(),
  events: Type.Array(choice(webhookEvents)),
  is_enabled: Type.Boolean(),
  creation_date: date(),
};

export const Webhook = Type.Object(members, { $id: 'Webhook' });
export type Webhook = Static<typeof Webhook>;

const shownOnce = 'What deliveries are signed with. It is shown in this answer and never again';

export const WebhookWithSecret = Type.Object(
  { ...members, secret: Type.String({ description: shownOnce }) },
  { $id: 'WebhookWithSecret' },
);

export const ChangedWebhook = Type.Object(
  { ...members, secret: nullable(Type.String({ description: `${shownOnce}; null unless it was renewed` })) },
  { $id: 'ChangedWebhook' },
);

const url = Type.String({
  description:
    'http or https, at most 2000 characters; private addresses only where the platform allows them',
});
const events = Type.Optional(
  Type.Array(choice(webhookEvents), {
    description: `All that there are unless given; ${projectEvents.join(' and ')} for webhooks of projects only`,
  }),
);
const newHook = Type.Object({ url, events, is_enabled: Type.Optional(Type.Boolean()) });
const paging = { default: 50, maximum: 50 };

export const listProjectWebhooks = defineRoute({
  method: 'GET',
  path: '/projects/{id}/webhooks',
  kind: 'protected',
  own: true,
  summary: 'Webhooks that listen to a whole project, for its administrators',
  description: 'Secrets are told only when they are made.',
  params: idParams,
  paging,
  response: Type.Array(Webhook),
});

export const createProjectWebhook = defineRoute({
  method: 'POST',
  path: '/projects/{id}/webhooks',
  kind: 'protected',
  own: true,
  summary: 'Let what happens in a project be told to another server',
  description:
    'For project administrators. The answer has the secret by which deliveries are signed; it is not told again.',
  example: {
    params: { id: 101 },
    body: { url: 'https://ci.example.org/hooks/atelier', events: ['artifact.created'] },
  },
  params: idParams,
  argument: 'webhook',
  body: newHook,
  status: 201,
  response: WebhookWithSecret,
});

export const listTrackerWebhooks = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/webhooks',
  kind: 'protected',
  own: true,
  summary: 'Webhooks that listen to one tracker, for its administrators',
  description: 'Secrets are told only when they are made.',
  params: idParams,
  paging,
  response: Type.Array(Webhook),
});

export const createTrackerWebhook = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/webhooks',
  kind: 'protected',
  own: true,
  summary: 'Let changes of artifacts in a tracker be told to another server',
  description:
    'For administrators of the tracker. The answer has the secret by which deliveries are signed; it is not told again.',
  example: { params: { id: 5 }, body: { url: 'https://chat.example.org/hooks/bugs' } },
  params: idParams,
  argument: 'webhook',
  body: newHook,
  status: 201,
  response: WebhookWithSecret,
});

export const getWebhook = defineRoute({
  method: 'GET',
  path: '/webhooks/{id}',
  kind: 'protected',
  own: true,
  summary: 'One webhook, for those who administer its project or tracker',
  description: 'Without its secret, which is told only when it is made.',
  params: idParams,
  response: Webhook,
});

export const patchWebhook = defineRoute({
  method: 'PATCH',
  path: '/webhooks/{id}',
  kind: 'protected',
  own: true,
  summary: 'Change a webhook, or renew its secret',
  description: 'What is not given stays. A renewed secret is in the answer, once.',
  example: {
    params: { id: 1 },
    body: { events: ['artifact.created', 'artifact.updated'], is_enabled: true },
  },
  params: idParams,
  argument: 'webhook',
  body: Type.Object({
    url: Type.Optional(url),
    events,
    is_enabled: Type.Optional(Type.Boolean()),
    renew_secret: Type.Optional(Type.Boolean()),
  }),
  response: ChangedWebhook,
});

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/webhooks/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a webhook with the log of its deliveries',
  description: 'For those who administer its project or tracker. It cannot be undone.',
  params: idParams,
});

export const pingWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks/{id}/ping',
  kind: 'protected',
  own: true,
  summary: 'Send a delivery with the event ping, to see whether the receiver is reached',
  description: 'For those who administer its project or tracker. The delivery is in the log like any other.',
  params: idParams,
  status: 202,
  response: Type.Object({ delivery_id: Type.Integer() }),
});

export const WebhookDelivery = Type.Object(
  {
    id: Type.Integer({ description: 'The header Webhook-Id of the request' }),
    event: Type.String(),
    state: choice(['waiting', 'delivered', 'failed']),
    attempts: Type.Integer(),
    status: nullable(Type.Integer({ description: 'Of the last answer' })),
    fault: nullable(Type.String({ description: 'What was wrong with the last try' })),
    answer: Type.String({ description: 'The beginning of the body of the last answer' }),
    duration: nullable(Type.Integer({ description: 'Milliseconds that the last try took' })),
    body: nullable(Type.String({ description: 'What is sent, for the owner for whom it was written' })),
    creation_date: date(),
    tried_on: nullable(date()),
    due_on: nullable(date({ description: 'When it is tried next' })),
  },
  { $id: 'WebhookDelivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  kind: 'protected',
  own: true,
  summary: 'The last deliveries of a webhook, the newest first',
  description: 'At most 200 of the last 30 days.',
  params: idParams,
  paging,
  response: Type.Array(WebhookDelivery),
});

export const redeliverWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  kind: 'protected',
  own: true,
  summary: 'Send a delivery once more, as it was and with the same id',
  description: 'For those who administer its project or tracker.',
  params: Type.Object({ id: Type.Integer(), delivery_id: Type.Integer() }),
  status: 202,
});

export const webhookRoutes = [
  listProjectWebhooks,
  createProjectWebhook,
  listTrackerWebhooks,
  createTrackerWebhook,
  getWebhook,
  patchWebhook,
  deleteWebhook,
  pingWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
] as const;
