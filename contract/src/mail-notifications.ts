import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';

const userParams = Type.Object({ id: Type.String({ description: 'User id, or self for the caller' }) });

export const MailWishes = Type.Object(
  {
    is_enabled: Type.Boolean({
      description: 'Whether mails come about changes of artifacts and about commits',
    }),
    includes_own_changes: Type.Boolean({ description: 'Whether also about one’s own changes' }),
  },
  { $id: 'MailWishes' },
);

export const getMailWishes = defineRoute({
  method: 'GET',
  path: '/users/{id}/mail_notifications',
  kind: 'protected',
  own: true,
  summary: 'What you want to be told of by mail',
  description: 'Only one’s own.',
  params: userParams,
  response: MailWishes,
});

export const patchMailWishes = defineRoute({
  method: 'PATCH',
  path: '/users/{id}/mail_notifications',
  kind: 'protected',
  own: true,
  summary: 'Say what you want to be told of by mail',
  description: 'Only one’s own. What is not given stays.',
  example: { params: { id: 'self' }, body: { includes_own_changes: true } },
  params: userParams,
  argument: 'wishes',
  body: Type.Object({
    is_enabled: Type.Optional(Type.Boolean()),
    includes_own_changes: Type.Optional(Type.Boolean()),
  }),
  response: MailWishes,
});

export const MutedSubject = Type.Object(
  { kind: choice(['tracker', 'artifact']), id: Type.Integer(), uri: Type.String() },
  { $id: 'MutedSubject' },
);
export type MutedSubject = Static<typeof MutedSubject>;

export const listMutedSubjects = defineRoute({
  method: 'GET',
  path: '/users/{id}/mail_notifications/muted',
  kind: 'protected',
  own: true,
  summary: 'Trackers and artifacts that you get no mails about',
  description: 'Only one’s own.',
  params: userParams,
  paging: { default: 50, maximum: 100 },
  response: Type.Array(MutedSubject),
});

const Muting = Type.Object({ is_muted: Type.Boolean({ description: 'No mails about it for the caller' }) });

const about = (kind: 'trackers' | 'artifacts') =>
  ({ path: `/${kind}/{id}/mail_notifications`, kind: 'protected', own: true, params: idParams }) as const;

export const getTrackerMuting = defineRoute({
  method: 'GET',
  ...about('trackers'),
  summary: 'Whether you get mails about a tracker',
  description: 'For yourself: others are not concerned.',
  response: Muting,
});

export const putTrackerMuting = defineRoute({
  method: 'PUT',
  ...about('trackers'),
  summary: 'Choose whether you get mails about a tracker',
  description: 'For yourself: others are not concerned.',
  example: { params: { id: 5 }, body: { is_muted: true } },
  body: Muting,
  response: Muting,
});

export const getArtifactMuting = defineRoute({
  method: 'GET',
  ...about('artifacts'),
  summary: 'Whether you get mails about an artifact',
  description: 'For yourself: others are not concerned.',
  response: Muting,
});

export const putArtifactMuting = defineRoute({
  method: 'PUT',
  ...about('artifacts'),
  summary: 'Choose whether you get mails about an artifact',
  description: 'For yourself: others are not concerned.',
  example: { params: { id: 142 }, body: { is_muted: true } },
  body: Muting,
  response: Muting,
});

export const FailedMail = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    kind: Type.String({ description: 'What it is about: artifact, access-key or svn-commit' }),
    user_id: nullable(Type.Integer({ description: 'The recipient; null for one without an account' })),
    address: nullable(Type.String({ description: 'Of a recipient without an account' })),
    attempts: Type.Integer(),
    fault: Type.String({ description: 'The words of the mail server' }),
    creation_date: date(),
  },
  { $id: 'FailedMail' },
);
export type FailedMail = Static<typeof FailedMail>;

export const listFailedMails = defineRoute({
  method: 'GET',
  path: '/platform/failed_mails',
  kind: 'protected',
  own: true,
  summary: 'Mails that were given up, the newest first, for site administrators',
  description: 'At most 1000 of the last 30 days. What they say is not kept.',
  paging: { default: 50, maximum: 100 },
  response: Type.Array(FailedMail),
});

export const retryFailedMail = defineRoute({
  method: 'POST',
  path: '/platform/failed_mails/{id}/retry',
  kind: 'protected',
  own: true,
  summary: 'Try to send a mail anew',
  description: 'For site administrators. It goes back to those that wait to be sent.',
  params: idParams,
  status: 202,
});

export const deleteFailedMail = defineRoute({
  method: 'DELETE',
  path: '/platform/failed_mails/{id}',
  kind: 'protected',
  own: true,
  summary: 'Forget a mail that was given up',
  description: 'For site administrators. It is not sent any more.',
  params: idParams,
});

export const mailNotificationRoutes = [
  getMailWishes,
  patchMailWishes,
  listMutedSubjects,
  getTrackerMuting,
  putTrackerMuting,
  getArtifactMuting,
  putArtifactMuting,
  listFailedMails,
  retryFailedMail,
  deleteFailedMail,
] as const;
