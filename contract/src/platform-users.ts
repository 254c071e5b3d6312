import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';
import { User } from './users.ts';

export const PlatformUser = Type.Object(
  {
    ...User.properties,
    created_on: date(),
    last_access_on: nullable(date({ description: 'When they last signed in or used an access key' })),
    is_site_administrator: Type.Boolean(),
    has_password: Type.Boolean({ description: 'Without one nobody can sign in by password' }),
    access_key_count: Type.Integer(),
    session_count: Type.Integer({ description: 'Web sessions that have not ended' }),
    project_count: Type.Integer({ description: 'Projects that they are a member of' }),
  },
  { $id: 'PlatformUser' },
);
export type PlatformUser = Static<typeof PlatformUser>;

export const listPlatformUsers = defineRoute({
  method: 'GET',
  path: '/platform/users',
  kind: 'protected',
  own: true,
  summary: 'All accounts of the platform, whatever their status, for administrators of users',
  description:
    'For site administrators and holders of the "User management" delegation. `words` finds accounts whose user name, real name or mail address has all of them.',
  query: Type.Object({
    words: Type.Optional(Type.String({ maxLength: 200 })),
    status: Type.Optional(choice(['A', 'R', 'P', 'V', 'W', 'S', 'D'])),
    order: Type.Optional(
      choice(['name', 'created', 'last_access'], {
        description: 'By user name unless given; the latest first by the others',
      }),
    ),
  }),
  paging: { default: 50, maximum: 100 },
  response: Type.Array(PlatformUser),
});

export const EndedCredentials = Type.Object({
  ended: Type.Integer({ description: 'How many there were' }),
});

export const endUserSessions = defineRoute({
  method: 'DELETE',
  path: '/platform/users/{id}/sessions',
  kind: 'protected',
  own: true,
  summary: 'End all web sessions of somebody, for administrators of users',
  description:
    'Their open pages ask them to sign in again. Tokens of clients end too; access keys stay. One’s own session of this request stays.',
  params: idParams,
  response: EndedCredentials,
});

export const revokeUserKeys = defineRoute({
  method: 'DELETE',
  path: '/platform/users/{id}/access_keys',
  kind: 'protected',
  own: true,
  summary: 'Revoke all access keys of somebody, for administrators of users',
  description: 'Programs that use them are refused from then on. The key of this request stays.',
  params: idParams,
  response: EndedCredentials,
});

export const platformUserRoutes = [listPlatformUsers, endUserSessions, revokeUserKeys] as const;
