import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams, nullable, untrimmed } from './route.ts';

export const Token = Type.Object(
  {
    user_id: Type.String({ description: 'Decimal id of the user' }),
    token: Type.String({ description: '32 hexadecimal digits, valid for 24 hours' }),
    uri: Type.String(),
  },
  { $id: 'Token' },
);
export type Token = Static<typeof Token>;

export const createToken = defineRoute({
  method: 'POST',
  path: '/tokens',
  kind: 'public',
  deprecated: true,
  summary: 'Get a token for a user name and password',
  description: 'Deprecated: use an access key. The token is valid for 24 hours.',
  example: { body: { username: 'alice', password: 'correct horse' } },
  body: Type.Object({ username: Type.String(), password: untrimmed() }),
  refusals: [401, 403, 429],
  response: Token,
});

export const deleteTokens = defineRoute({
  method: 'DELETE',
  path: '/tokens',
  kind: 'protected',
  summary: 'Delete all your tokens',
  description: 'All of them end at once.',
});

export const deleteToken = defineRoute({
  method: 'DELETE',
  path: '/tokens/{token}',
  kind: 'protected',
  summary: 'Delete one of your tokens',
  description: 'It cannot be used any more. A token of somebody else is 404.',
  params: Type.Object({ token: Type.String() }),
});

export const AccessKey = Type.Object(
  {
    id: Type.Integer(),
    creation_date: date(),
    expiration_date: nullable(date()),
    description: Type.String(),
    last_used_on: nullable(date()),
    last_used_by: nullable(Type.String({ description: 'IP address of the last use' })),
    scopes: Type.Array(Type.Object({ identifier: Type.String() })),
  },
  { $id: 'AccessKey' },
);
export type AccessKey = Static<typeof AccessKey>;

export const createAccessKey = defineRoute({
  method: 'POST',
  path: '/access_keys',
  kind: 'protected',
  summary: 'Generate an access key',
  description:
    'The key is shown in this answer only and cannot be read again. Whoever asks with an access key gets none that lasts longer or may more than it; ' +
    'without `expiration_date` the new one ends with it.',
  example: { body: { description: 'Nightly build', expiration_date: '2099-12-31', scopes: ['write:rest'] } },
  argument: 'access_key',
  body: Type.Object({
    description: Type.Optional(Type.String()),
    expiration_date: Type.Optional(nullable(Type.String({ description: 'ISO 8601' }))),
    scopes: Type.Optional(
      nullable(
        Type.Array(Type.String(), {
          description:
            'write:rest (the default), read:rest, write:svn, read:svn; write:git_repository is taken and opens nothing. Others are left out; at least one of these is needed',
        }),
      ),
    ),
  }),
  status: 201,
  response: Type.Object({ identifier: Type.String() }),
});

const accessKeyParams = Type.Object({
  id: Type.String({ description: 'Key id, or self for the key in use' }),
});

export const getAccessKey = defineRoute({
  method: 'GET',
  path: '/access_keys/{id}',
  kind: 'protected',
  summary: 'Read one of your access keys',
  description:
    'What it is for, what it may do, when it ends and when it was used last. The secret is told only when a key is made.',
  params: accessKeyParams,
  response: AccessKey,
});

export const deleteAccessKey = defineRoute({
  method: 'DELETE',
  path: '/access_keys/{id}',
  kind: 'protected',
  summary: 'Revoke one of your access keys',
  description: 'It ends at once, also for Subversion. Doing it again is a success.',
  params: idParams,
});

export const listAccessKeys = defineRoute({
  method: 'GET',
  path: '/users/{id}/access_keys',
  kind: 'protected',
  summary: 'Your access keys',
  description: 'Only one’s own: `self`, or your id. The secrets are not told.',
  params: Type.Object({ id: Type.String({ description: 'Your user id, or self' }) }),
  paging: { default: 50, maximum: 50, minimum: 1 },
  response: Type.Array(AccessKey),
});

export const Session = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    creation_date: date(),
    expiration_date: date(),
    address: Type.String(),
    user_agent: Type.String(),
    is_current: Type.Boolean(),
  },
  { $id: 'Session' },
);
export type Session = Static<typeof Session>;

export const createSession = defineRoute({
  method: 'POST',
  path: '/sessions',
  kind: 'public',
  own: true,
  ownPagesOnly: true,
  summary: 'Log in for the web pages',
  description:
    'Sets a cookie that is accepted from pages of this server only. Whoever has an expired password gets a session as well, which is good for changing it.',
  example: { body: { username: 'alice', password: 'correct horse', is_shared_computer: true } },
  body: Type.Object({
    username: Type.String(),
    password: untrimmed(),
    is_shared_computer: Type.Optional(
      Type.Boolean({ description: 'The session lasts for 12 hours, and no longer than the browser is open' }),
    ),
  }),
  status: 201,
  response: Type.Object({ user_id: Type.Integer(), uri: Type.String() }),
});

export const listSessions = defineRoute({
  method: 'GET',
  path: '/sessions',
  kind: 'protected',
  own: true,
  summary: 'Your web sessions',
  description: 'Where you are logged in by a web page, and since when.',
  paging: { default: 50, maximum: 50 },
  response: Type.Array(Session),
});

export const deleteSessions = defineRoute({
  method: 'DELETE',
  path: '/sessions',
  kind: 'protected',
  own: true,
  summary: 'End all your web sessions but the one in use',
  description: 'Whoever asks otherwise than by a web page ends all of them.',
});

export const deleteSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/{id}',
  kind: 'protected',
  own: true,
  withExpiredPassword: true,
  summary: 'End one of your web sessions',
  description: 'The page that has it must log in again. A session of somebody else is 404.',
  params: Type.Object({ id: Type.String({ description: 'Session id, or self for the one in use' }) }),
});

export const credentialRoutes = [
  createToken,
  deleteTokens,
  deleteToken,
  createAccessKey,
  getAccessKey,
  deleteAccessKey,
  listAccessKeys,
  createSession,
  listSessions,
  deleteSessions,
  deleteSession,
] as const;
