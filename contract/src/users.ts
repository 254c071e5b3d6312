import Type, { type Static } from '@bundled/typebox';
import { FullUserGroup, MinimalProject } from './projects.ts';
import { choice, date, defineRoute, nullable, untrimmed } from './route.ts';

export const MinimalUser = Type.Object(
  {
    id: nullable(Type.Integer()),
    uri: nullable(Type.String()),
    user_url: nullable(Type.String()),
    real_name: nullable(Type.String()),
    display_name: Type.String({ description: "Shaped by the caller's preference username_display" }),
    username: nullable(Type.String()),
    ldap_id: nullable(Type.String()),
    avatar_url: Type.String(),
    is_anonymous: Type.Boolean(),
    has_avatar: Type.Boolean(),
  },
  { $id: 'MinimalUser' },
);
export type MinimalUser = Static<typeof MinimalUser>;

export const User = Type.Object(
  {
    ...MinimalUser.properties,
    email: Type.Optional(nullable(Type.String({ description: 'Shown to authenticated callers only' }))),
    status: Type.Optional(nullable(Type.String({ description: 'A, R, P, V, W, S or D' }))),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;

export const UserWithResources = Type.Object(
  {
    ...User.properties,
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
  },
  { $id: 'UserWithResources' },
);
export type UserWithResources = Static<typeof UserWithResources>;

const userParams = Type.Object({ id: Type.String({ description: 'User id, or self for the caller' }) });

export const listUsers = defineRoute({
  method: 'GET',
  path: '/users',
  kind: 'hybrid',
  summary: 'Search accounts',
  description:
    'Free text finds accounts whose user name or real name contains one of the words. A JSON object with exactly one of username, loginname or email finds exact matches.',
  query: Type.Object({ query: Type.String({ description: 'At least 3 characters, or a JSON object' }) }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(User),
});

export const createUser = defineRoute({
  method: 'POST',
  path: '/users',
  kind: 'protected',
  own: true,
  summary: 'Create an account',
  description: 'For site administrators and holders of the "User management" delegation.',
  example: {
    body: {
      username: 'grace',
      real_name: 'Grace Okafor',
      email: 'grace@example.org',
      password: 'battery staple',
      status: 'A',
    },
  },
  argument: 'user',
  body: Type.Object({
    username: Type.String(),
    real_name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    password: Type.Optional(untrimmed({ description: 'Without one nobody can log in by password' })),
    status: Type.Optional(choice(['A', 'R', 'P', 'S'])),
    ldap_id: Type.Optional(nullable(Type.String())),
  }),
  status: 201,
  response: User,
});

export const getUser = defineRoute({
  method: 'GET',
  path: '/users/{id}',
  kind: 'hybrid',
  summary: 'Read one account',
  description: 'By id, or `self` for yourself.',
  params: userParams,
  response: UserWithResources,
});

export const patchUser = defineRoute({
  method: 'PATCH',
  path: '/users/{id}',
  kind: 'protected',
  summary: 'Change an account',
  description:
    'For site administrators and holders of the "User management" delegation. Other members are ignored.',
  example: { params: { id: '102' }, body: { real_name: 'Ada Lindqvist', email: 'ada@example.org' } },
  params: userParams,
  argument: 'values',
  body: Type.Object({
    status: Type.Optional(Type.String({ description: 'A, R, D, S or P; other values are ignored' })),
    email: Type.Optional(Type.String()),
    real_name: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
  }),
  response: Type.Boolean(),
});

export const ChangedPassword = Type.Object({
  access_keys_revoked: Type.Integer({ description: 'Access keys that ended with the old password' }),
  access_keys_left: Type.Integer({ description: 'Access keys that can still be used' }),
});
export type ChangedPassword = Static<typeof ChangedPassword>;

export const putPassword = defineRoute({
  method: 'PUT',
  path: '/users/{id}/password',
  kind: 'protected',
  own: true,
  withExpiredPassword: true,
  summary: 'Change a password',
  description:
    'One needs the current password to change one’s own. Administrators of users set those of others without it. ' +
    'Tokens and web sessions end with the old password, but for the session of this request. Access keys stay unless ' +
    'their revocation is asked for.',
  example: { params: { id: '103' }, body: { password: 'another correct horse', revoke_access_keys: true } },
  params: userParams,
  body: Type.Object({
    password: untrimmed(),
    current_password: Type.Optional(untrimmed()),
    revoke_access_keys: Type.Optional(
      Type.Boolean({
        description: 'Revoke the access keys of the account too, but for the one of this request',
      }),
    ),
  }),
  response: ChangedPassword,
});

export const patchProfile = defineRoute({
  method: 'PATCH',
  path: '/users/{id}/profile',
  kind: 'protected',
  own: true,
  summary: 'Change your own name and mail address',
  description:
    'Only one’s own. Another mail address needs the current password, and a notice goes to the address that was there before.',
  example: { params: { id: 'self' }, body: { real_name: 'Site Administrator' } },
  params: userParams,
  body: Type.Object({
    real_name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    current_password: Type.Optional(untrimmed({ description: 'Needed to change `email`' })),
  }),
  response: User,
});

export const putAvatar = defineRoute({
  method: 'PUT',
  path: '/users/{id}/avatar',
  kind: 'protected',
  own: true,
  summary: 'Upload a picture of yourself',
  description:
    'Only one’s own. PNG, JPEG or WebP of at most 2 MB; it is cropped to a square and written anew. Its address is in `avatar_url`.',
  example: {
    params: { id: 'self' },
    body: {
      picture:
        'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4tNGEJMQwqmFUw/DVAAAjXtcQix0x5QAAAABJRU5ErkJggg==',
    },
  },
  params: userParams,
  body: Type.Object({ picture: Type.String({ description: 'The bytes of the picture in base64' }) }),
  response: User,
});

export const deleteAvatar = defineRoute({
  method: 'DELETE',
  path: '/users/{id}/avatar',
  kind: 'protected',
  own: true,
  summary: 'Take the picture of yourself away',
  description: 'Only one’s own. The picture that the platform makes of a name is shown again.',
  params: userParams,
});

export const Standing = Type.Object(
  {
    user: nullable(User),
    is_site_administrator: Type.Boolean(),
    is_read_only_administrator: Type.Boolean(),
    permissions: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), {
      description: 'Delegated permissions',
    }),
    may_create_projects: Type.Boolean(),
    must_change_password: Type.Boolean({
      description: 'The password has expired: all else is 403 until it is changed',
    }),
    memberships: Type.Array(
      Type.Object({
        project: MinimalProject,
        is_administrator: Type.Boolean(),
        may_manage_members: Type.Boolean({
          description: 'Adds and removes members: administrators, and groups to which the project left it',
        }),
        banner: Type.Optional(
          Type.String({
            description:
              'The announcement on the pages of the project; one of more than 500 characters is told by the project alone',
          }),
        ),
      }),
      { description: 'Active projects by id, at most 1000' },
    ),
    preferences: Type.Record(Type.String(), Type.String(), {
      description: 'Those of the web pages, whose keys begin with `web.`, and those that change answers',
    }),
    unread_notifications: Type.Integer(),
    client_limit: Type.Object({
      upload_bytes: Type.Integer({ description: 'Of one attached file' }),
      body_bytes: Type.Integer({ description: 'Of the body of a request' }),
    }),
  },
  { $id: 'Standing' },
);
export type Standing = Static<typeof Standing>;

export const getStanding = defineRoute({
  method: 'GET',
  path: '/users/{id}/standing',
  kind: 'hybrid',
  own: true,
  withExpiredPassword: true,
  isRevalidated: 'by-tag',
  summary: 'Who you are and what you may do, in one answer',
  description:
    'Only one’s own: `self`, or your id. Without an account, on an open platform, `user` is null and the rest is empty. Tells somebody whose password has expired that it must be changed.',
  params: userParams,
  response: Standing,
});

export const getMembership = defineRoute({
  method: 'GET',
  path: '/users/{id}/membership',
  kind: 'protected',
  summary: 'Groups a user belongs to',
  description:
    'Short names such as `site_active` and `lighthouse_project_members`. Of others for site administrators and holders of a permission for it. `format` goes with `scope=project`.',
  params: userParams,
  query: Type.Object({
    scope: Type.Optional(choice(['project'])),
    format: Type.Optional(choice(['id', 'full'], { description: 'Needs scope=project' })),
  }),
  response: Type.Array(Type.Union([Type.String(), FullUserGroup])),
});

export const Preference = Type.Object({
  key: Type.String(),
  value: Type.Union([Type.String(), Type.Boolean()]),
});
const preferenceKey = Type.Object({ key: Type.String() });

export const getPreference = defineRoute({
  method: 'GET',
  path: '/users/{id}/preferences',
  kind: 'protected',
  summary: 'Read one of your preferences, or all of them',
  description:
    'Only one’s own. Without `key` all of them, with the headers `X-PAGINATION-*`; with one that is not set, `false`.',
  params: userParams,
  query: Type.Object({ key: Type.Optional(Type.String({ description: 'Without it, all that are set' })) }),
  response: Type.Union([Preference, Type.Array(Preference)]),
});

export const patchPreference = defineRoute({
  method: 'PATCH',
  path: '/users/{id}/preferences',
  kind: 'protected',
  summary: 'Set one of your preferences',
  description: 'Only one’s own. A key that is not there yet is added.',
  example: { params: { id: 'self' }, body: { key: 'colour', value: 'blue' } },
  params: userParams,
  argument: 'preference',
  body: Type.Object({ key: Type.String(), value: Type.String({ 'x-mayBeEmpty': true }) }),
});

export const deletePreference = defineRoute({
  method: 'DELETE',
  path: '/users/{id}/preferences',
  kind: 'protected',
  summary: 'Forget one of your preferences',
  description: 'Only one’s own. A key that is not there is a success too.',
  params: userParams,
  query: preferenceKey,
});

export const HistoryEntry = Type.Object({
  visit_time: date(),
  xref: nullable(Type.String()),
  html_url: Type.String(),
  title: Type.String(),
  color_name: Type.String(),
  type: Type.String(),
  per_type_id: Type.Integer(),
  icon: nullable(Type.String()),
  small_icon: nullable(Type.String()),
  icon_name: Type.String(),
  project: MinimalProject,
  quick_links: Type.Array(
    Type.Object({ name: Type.String(), html_url: Type.String(), icon_name: Type.String() }),
  ),
  badges: Type.Array(Type.Object({ label: Type.String(), color: nullable(Type.String()) })),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const getHistory = defineRoute({
  method: 'GET',
  path: '/users/{id}/history',
  kind: 'protected',
  summary: 'What you visited last in the web pages',
  description: 'Only one’s own; the last visit first.',
  params: userParams,
  response: Type.Object({ entries: Type.Array(HistoryEntry) }),
});

export const putHistory = defineRoute({
  method: 'PUT',
  path: '/users/{id}/history',
  kind: 'protected',
  summary: 'Forget what you visited',
  description: 'Only an empty array is accepted.',
  example: { params: { id: 'self' }, body: [] },
  params: userParams,
  argument: 'history_entries',
  body: Type.Array(Type.Unknown()),
});

export const getSshKeys = defineRoute({
  method: 'GET',
  path: '/users/{id}/ssh_keys',
  kind: 'protected',
  own: true,
  summary: 'Your SSH keys',
  description: 'Only one’s own, as they were given.',
  params: userParams,
  response: Type.Object({ keys: Type.Array(Type.String()) }),
});

export const putSshKeys = defineRoute({
  method: 'PUT',
  path: '/users/{id}/ssh_keys',
  kind: 'protected',
  own: true,
  summary: 'Replace your SSH keys',
  description:
    'Only one’s own. Each is a line as `ssh-keygen` writes it; one that cannot be read is 400 and changes nothing. Keys that are not named are gone.',
  example: {
    params: { id: 'self' },
    body: {
      keys: [
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDJLgmmx7vfxaXWowODoll/ikb2/pUkArzN/QO6YywO ada@lighthouse',
      ],
    },
  },
  params: userParams,
  body: Type.Object({ keys: Type.Array(Type.String(), { maxItems: 100 }) }),
});

export const listMemberships = defineRoute({
  method: 'GET',
  path: '/users_memberships',
  kind: 'protected',
  summary: 'Groups of all users with an SSH key',
  description:
    'For site administrators and holders of a permission for it: user names with the groups that each belongs to.',
  query: Type.Object({ query: choice(['with_ssh_key']) }),
  paging: { default: 10, maximum: 1000 },
  response: Type.Array(Type.Object({ username: Type.String(), user_groups: Type.Array(Type.String()) })),
});

export const userRoutes = [
  listUsers,
  createUser,
  getUser,
  patchUser,
  putPassword,
  patchProfile,
  putAvatar,
  deleteAvatar,
  getStanding,
  getMembership,
  getPreference,
  patchPreference,
  deletePreference,
  getHistory,
  putHistory,
  getSshKeys,
  putSshKeys,
  listMemberships,
] as const;
