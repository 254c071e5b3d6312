import Type, { type Static } from '@bundled/typebox';
import { Status } from './artifacts.ts';
import { choice, date, defineRoute, nullable } from './route.ts';
import { MinimalTracker, ProjectReference } from './trackers.ts';
import { MinimalUser } from './users.ts';

const userParams = Type.Object({ id: Type.String({ description: 'User id, or self for the caller' }) });

/** Why somebody is told of a change, the strongest first. */
export const notificationReasons = [
  'mention',
  'assigned',
  'chosen',
  'commented',
  'submitted',
  'watching',
  'search',
] as const;

const notificationStates = ['unread', 'inbox', 'snoozed', 'done'] as const;

export const Notification = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    date: date({ description: 'When the last of the changes was made' }),
    reason: choice(notificationReasons, { description: 'Why you are told' }),
    is_read: Type.Boolean(),
    read_date: nullable(date({ description: 'When you read it; null while it is unread' })),
    is_done: Type.Boolean(),
    snoozed_until: nullable(date({ description: 'It comes back unread then' })),
    count: Type.Integer({ description: 'How many changes there were since it was last read or done' }),
    artifact: Type.Object({
      id: Type.Integer(),
      uri: Type.String(),
      xref: Type.String(),
      html_url: Type.String(),
      title: nullable(Type.String()),
      full_status: nullable(Status),
      tracker: MinimalTracker,
      project: ProjectReference,
    }),
    by: Type.Array(MinimalUser, { description: 'The last who changed it, at most 3, the last one first' }),
    changes: Type.Array(Type.String(), {
      description: 'Names of the fields that were changed; none where it was created, or only commented on',
    }),
    excerpt: nullable(Type.String({ description: 'The beginning of the last comment' })),
    first_changeset_id: Type.Integer(),
    last_changeset_id: Type.Integer(),
  },
  { $id: 'Notification' },
);
export type Notification = Static<typeof Notification>;

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/users/{id}/notifications',
  kind: 'protected',
  own: true,
  summary: 'Your inbox',
  description:
    'Only one’s own: one entry for each artifact whose changes you are told of, the last that came first. A later change joins the entry and makes it unread. The artifact that a web session reads is read here as well. What you do not see any more is left out and not counted. Done entries are kept for 90 days, read ones for 180.',
  params: userParams,
  query: Type.Object({
    state: Type.Optional(
      choice(notificationStates, {
        description:
          'inbox: neither done nor snoozed; unread: those of them that were not read. All unless given',
      }),
    ),
    reason: Type.Optional(choice(notificationReasons)),
    project_id: Type.Optional(Type.Integer({ description: 'Only of artifacts of this project' })),
    artifact_id: Type.Optional(Type.Integer({ description: 'Only of this artifact' })),
  }),
  paging: { default: 50, maximum: 100 },
  response: Type.Array(Notification),
});

export const patchNotifications = defineRoute({
  method: 'PATCH',
  path: '/users/{id}/notifications',
  kind: 'protected',
  own: true,
  summary: 'Read, do or put off notifications',
  description:
    'Only one’s own. `ids`, `artifact_id` and `until` say which: all that are given must hold, and one must be. `until` means those in the inbox that were changed no later. What is not given stays; what is done is not snoozed any more.',
  example: { params: { id: 'self' }, body: { until: '2030-01-01T00:00:00+01:00', is_done: true } },
  params: userParams,
  argument: 'notifications',
  body: Type.Object({
    ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 500 })),
    artifact_id: Type.Optional(Type.Integer()),
    until: Type.Optional(Type.String({ description: 'ISO 8601; that second is meant too' })),
    is_read: Type.Optional(Type.Boolean()),
    is_done: Type.Optional(Type.Boolean()),
    snoozed_until: Type.Optional(
      nullable(Type.String({ description: 'ISO 8601, in the future; null: not any more' })),
    ),
  }),
  response: Type.Object({ unread: Type.Integer({ description: 'How many are unread now' }) }),
});

const ReasonWish = Type.Object({
  inbox: Type.Boolean({ description: 'Whether it comes into the inbox' }),
  mail: Type.Boolean({ description: 'Whether it is told by mail, where mails are sent' }),
});

const digest = () =>
  choice(['none', 'daily', 'weekly'], {
    description:
      'none: each mail about a change of an artifact at once; else one mail that sums up, in the morning of every day or Monday',
  });

const forEachReason = <Wish extends typeof ReasonWish | ReturnType<typeof partialWish>>(wish: Wish) => ({
  mention: wish,
  assigned: wish,
  chosen: wish,
  commented: wish,
  submitted: wish,
  watching: wish,
  search: wish,
});

const partialWish = () =>
  Type.Optional(Type.Object({ inbox: Type.Optional(Type.Boolean()), mail: Type.Optional(Type.Boolean()) }));

export const NotificationWishes = Type.Object(
  { reasons: Type.Object(forEachReason(ReasonWish)), digest: digest() },
  { $id: 'NotificationWishes' },
);
export type NotificationWishes = Static<typeof NotificationWishes>;

export const getNotificationWishes = defineRoute({
  method: 'GET',
  path: '/users/{id}/notification_wishes',
  kind: 'protected',
  own: true,
  summary: 'What you want to be told of, and where',
  description:
    'Only one’s own. Who has several reasons to be told of a change is told for the first that they wish to hear of. Whether mails come at all is in `mail_notifications`, and so is what is muted.',
  params: userParams,
  response: NotificationWishes,
});

export const putNotificationWishes = defineRoute({
  method: 'PUT',
  path: '/users/{id}/notification_wishes',
  kind: 'protected',
  own: true,
  summary: 'Say what you want to be told of, and where',
  description: 'Only one’s own. What is not given stays.',
  example: {
    params: { id: 'self' },
    body: { reasons: { watching: { inbox: true, mail: false } }, digest: 'daily' },
  },
  params: userParams,
  argument: 'wishes',
  body: Type.Object({
    reasons: Type.Optional(Type.Object(forEachReason(partialWish()), { additionalProperties: false })),
    digest: Type.Optional(digest()),
  }),
  response: NotificationWishes,
});

export const notificationRoutes = [
  listNotifications,
  patchNotifications,
  getNotificationWishes,
  putNotificationWishes,
] as const;
