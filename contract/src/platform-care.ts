import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, nullable } from './route.ts';
import { ProjectReference } from './trackers.ts';
import { MinimalUser } from './users.ts';

const careStates = ['ok', 'warning', 'fault'] as const;

export const HealthCheck = Type.Object(
  {
    name: Type.String({ description: 'What was looked at, such as `database` or `mail`' }),
    state: choice(careStates),
    text: Type.String({ description: 'What was found' }),
    remedy: Type.String({ description: 'What to do about it; empty where nothing is to be done' }),
    code: Type.String({
      description:
        'Which finding it is, such as `mail-off`: it stays when words change; empty where the words are those of something else, such as a database',
    }),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'What `text` and `remedy` tell beside that: places, names, figures',
    }),
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
    file_bytes: Type.Integer({ description: 'Of all files of artifacts; looked at every minute' }),
    disk_free_bytes: Type.Integer({ description: 'Where the data folder is' }),
    threads: Type.Integer({ description: 'That answer requests' }),
    memory_bytes: Type.Integer({ description: 'Of the whole process' }),
    queues: Type.Object({
      outbox: Type.Integer({ description: 'Events that are still to become mails and deliveries' }),
      mails: Type.Integer(),
      webhooks: Type.Integer(),
      text_index: Type.Integer({
        description: 'Texts that searches look at one by one until they are in the index',
      }),
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

export const BackupRun = Type.Object(
  {
    state: choice(['running', 'done', 'failed']),
    started_on: date(),
    started_by: MinimalUser,
    place: Type.String({ description: 'The folder on the server' }),
    stage: Type.String({ description: 'What is copied now' }),
    done: Type.Integer(),
    total: Type.Integer({ description: 'Of this stage; 0 where it is not known' }),
    ended_on: nullable(date()),
    fault: nullable(Type.String({ description: 'Why it failed' })),
    outcome: nullable(
      Type.Object({
        files: Type.Integer(),
        bytes: Type.Integer(),
        copied_bytes: Type.Integer({ description: 'That were not in the folder before' }),
        missing: Type.Array(Type.String(), { description: 'What the platform itself has lost' }),
        faults: Type.Array(Type.String(), { description: 'What is wrong with older backups in the folder' }),
      }),
    ),
  },
  { $id: 'BackupRun' },
);
export type BackupRun = Static<typeof BackupRun>;

export const PlatformBackups = Type.Object(
  {
    folder: nullable(Type.String({ description: '`ATELIER_BACKUP_FOLDER`; null where none can be started' })),
    kept: Type.Integer({ description: 'Backups that stay in the folder' }),
    run: nullable(BackupRun),
  },
  { $id: 'PlatformBackups' },
);
export type PlatformBackups = Static<typeof PlatformBackups>;

export const getPlatformBackups = defineRoute({
  method: 'GET',
  path: '/platform/backups',
  kind: 'protected',
  own: true,
  summary: 'The backup that runs, or the last one that was started here, for site administrators',
  description:
    'Backups by `atelier backup` are made beside it; `last_backup` of `GET /platform/health` knows of both.',
  response: PlatformBackups,
});

export const startPlatformBackup = defineRoute({
  method: 'POST',
  path: '/platform/backups',
  kind: 'protected',
  own: true,
  summary: 'Back the whole platform up, for site administrators',
  description:
    'What `atelier backup` does, into the folder that `ATELIER_BACKUP_FOLDER` names, while the service runs; `GET /platform/backups` tells how far it is. 409 while one ' +
    'is being made, and where the service was given no folder. Written to the log of `GET /platform/events`.',
  status: 202,
  response: PlatformBackups,
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

/** Everything that is written down for whoever has to look it up later. */
export const platformEventKinds = [
  'sign_in',
  'sign_in_failed',
  'account_create',
  'account_change',
  'password_change',
  'password_link',
  'sessions_end',
  'key_create',
  'key_delete',
  'platform_group_create',
  'platform_group_change',
  'platform_group_delete',
  'setting_change',
  'backup_start',
  'project_create',
  'project_status',
  'project_access',
  'project_delete',
  'project_restore',
  'project_import',
  'administrator_add',
  'administrator_remove',
  'tracker_delete',
  'artifact_delete',
  'repository_delete',
] as const;

export const PlatformEvent = Type.Object(
  {
    id: Type.Integer(),
    date: date(),
    kind: choice(platformEventKinds),
    subject: Type.String({
      description:
        'To whom or what, in words; of a wrong password the name of the account, where there is one',
    }),
    details: nullable(
      Type.Object(
        { before: Type.String(), after: Type.String() },
        { description: 'What stood there before and after, shortened' },
      ),
    ),
    address: Type.String({
      description: 'Where a sign-in came from, or whoever chose a password by a link; else empty',
    }),
    user: MinimalUser,
  },
  { $id: 'PlatformEvent' },
);
export type PlatformEvent = Static<typeof PlatformEvent>;

export const listPlatformEvents = defineRoute({
  method: 'GET',
  path: '/platform/events',
  kind: 'protected',
  own: true,
  summary: 'Who signed in, whose rights and accounts changed, what was deleted: for site administrators',
  description:
    'The last first, kept for a year: sign-ins and wrong passwords, accounts, passwords, sessions and keys, groups of the platform, settings, projects, their administrators, and deletions.',
  query: Type.Object({
    actor: Type.Optional(Type.Integer({ description: 'Id of the account that did it' })),
    kind: Type.Optional(choice(platformEventKinds)),
    from: Type.Optional(Type.String({ description: 'ISO 8601; that moment and later' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601; before that moment' })),
  }),
  paging: { default: 50, maximum: 1000 },
  response: Type.Array(PlatformEvent),
});

export const platformCareRoutes = [
  getPlatformHealth,
  getPlatformBackups,
  startPlatformBackup,
  sendTestMail,
  listPlatformDeliveries,
  listPlatformEvents,
] as const;
