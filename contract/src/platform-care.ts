import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, nullable } from './route.ts';
import { ProjectReference } from './trackers.ts';

const careStates = ['ok', 'warning', 'fault'] as const;

export const HealthCheck = Type.Object(
  {
    name: Type.String({ description: 'What was looked at, such as `database` or `mail`' }),
    state: choice(careStates),
    text: Type.String({ description: 'What was found' }),
    remedy: Type.String({ description: 'What to do about it; empty where nothing is to be done' }),
  },
  { $id: 'HealthCheck' },
);

export const PlatformHealth = Type.Object(
  {
    state: choice(careStates, { description: 'The worst of the checks' }),
    checked_on: date(),
    checks: Type.Array(HealthCheck),
    version: Type.String(),
    started_on: date(),
    engine: Type.String({ description: 'SQLite or PostgreSQL, with its version' }),
    database_bytes: Type.Integer(),
    disk_free_bytes: Type.Integer({ description: 'Where the data folder is' }),
    threads: Type.Integer({ description: 'That answer requests' }),
    memory_bytes: Type.Integer({ description: 'Of the whole process' }),
    queues: Type.Object({
      outbox: Type.Integer({ description: 'Events that are still to become mails and deliveries' }),
      mails: Type.Integer(),
      webhooks: Type.Integer(),
      imports: Type.Integer(),
    }),
    failed_mails: Type.Integer({ description: 'Mails that were given up' }),
    last_backup: nullable(
      Type.Object({
        made_on: date(),
        bytes: Type.Integer(),
        place: Type.String({ description: 'As it was named to `atelier backup`' }),
      }),
    ),
  },
  { $id: 'PlatformHealth' },
);
export type PlatformHealth = Static<typeof PlatformHealth>;

export const getPlatformHealth = defineRoute({
  method: 'GET',
  path: '/platform/health',
  kind: 'protected',
  own: true,
  summary: 'What `atelier doctor` finds, from the running service, for site administrators',
  description:
    'What the platform rests on, each with what to do about it, and how much waits. Looked at anew when the last look is older than five seconds.',
  response: PlatformHealth,
});

export const TestMail = Type.Object({
  accepted: Type.Boolean(),
  answer: Type.String({ description: 'The words of the mail server' }),
});

export const sendTestMail = defineRoute({
  method: 'POST',
  path: '/platform/test_mails',
  kind: 'protected',
  own: true,
  summary: 'Send one mail at once, to see whether mails leave, for site administrators',
  description:
    'Waits for the mail server and tells what it answered, a refusal too. 503 where the platform has no mail server.',
  example: { body: { address: 'ada@example.org' } },
  body: Type.Object({ address: Type.String({ maxLength: 255 }) }),
  response: TestMail,
});

export const PlatformDelivery = Type.Object(
  {
    id: Type.Integer(),
    webhook_id: Type.Integer(),
    project: ProjectReference,
    tracker_id: nullable(Type.Integer()),
    host: Type.String({ description: 'Of the receiver' }),
    event: Type.String(),
    state: choice(['waiting', 'delivered', 'failed']),
    attempts: Type.Integer(),
    status: nullable(Type.Integer({ description: 'Of the last answer' })),
    fault: nullable(Type.String({ description: 'What was wrong with the last try' })),
    creation_date: date(),
    tried_on: nullable(date()),
    due_on: nullable(date({ description: 'When it is tried next' })),
  },
  { $id: 'PlatformDelivery' },
);
export type PlatformDelivery = Static<typeof PlatformDelivery>;

export const listPlatformDeliveries = defineRoute({
  method: 'GET',
  path: '/platform/webhook_deliveries',
  kind: 'protected',
  own: true,
  summary: 'Deliveries of all webhooks, the newest first, for site administrators',
  description:
    'Without what was sent, which is for the owner of the webhook. `POST /webhooks/{id}/deliveries/{delivery_id}/redeliver` sends one once more.',
  query: Type.Object({ state: Type.Optional(choice(['waiting', 'delivered', 'failed'])) }),
  paging: { default: 50, maximum: 100 },
  response: Type.Array(PlatformDelivery),
});

export const platformCareRoutes = [getPlatformHealth, sendTestMail, listPlatformDeliveries] as const;
