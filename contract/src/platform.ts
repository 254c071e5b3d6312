import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export const getVersion = defineRoute({
  method: 'GET',
  path: '/version',
  kind: 'public',
  summary: 'What runs here',
  description: 'The product, its version and its flavour. Needs no credentials.',
  response: Type.Object({ flavor_name: Type.String(), version_number: Type.String() }),
});

export const PlatformAbout = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    access_mode: choice(['anonymous', 'regular', 'restricted']),
    has_mail: Type.Boolean({ description: 'Whether mails are sent, such as those for a lost password' }),
    has_subversion: Type.Boolean(),
    has_demo: Type.Boolean({ description: 'Whether the platform began with a demo project' }),
    password_min_length: Type.Integer(),
    languages: Type.Array(Type.String(), { description: 'Of the web pages' }),
    time_zone: Type.String({ description: 'That of all dates' }),
    first_day_of_week: Type.Integer({ description: '1 for Monday' }),
    build: Type.String({ description: 'Digest of the web pages; empty while there are none' }),
  },
  { $id: 'PlatformAbout' },
);
export type PlatformAbout = Static<typeof PlatformAbout>;

export const getAbout = defineRoute({
  method: 'GET',
  path: '/platform/about',
  kind: 'public',
  own: true,
  summary: 'What a page must know before anybody has signed in',
  description:
    'The product and what this platform offers. Tells nothing about what is in it, and needs no credentials.',
  response: PlatformAbout,
});

export const Template = Type.Object(
  {
    name: Type.String({ description: 'For `xml_template_name` and `from_template`' }),
    label: Type.String(),
    description: Type.String(),
    trackers: Type.Array(
      Type.Object({ label: Type.String(), item_name: Type.String(), color_name: Type.String() }),
    ),
  },
  { $id: 'Template' },
);
export type Template = Static<typeof Template>;

export const listTemplates = defineRoute({
  method: 'GET',
  path: '/platform/templates',
  kind: 'protected',
  own: true,
  summary: 'Templates that come with the product',
  description: 'What new projects and trackers can begin with, and the trackers that each brings.',
  response: Type.Array(Template),
});

export const getJwt = defineRoute({
  method: 'GET',
  path: '/jwt',
  kind: 'hybrid',
  summary: 'A signed statement of who you are, for a push server',
  description:
    'It is valid for a short time and names you and your groups, for servers that push changes to web pages.',
  response: Type.Object({ token: Type.String() }),
});

export const SystemEvent = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String(),
    status: choice(['NEW', 'RUNNING', 'DONE', 'WARNING', 'ERROR']),
    owner: Type.String(),
    log: nullable(Type.String()),
  },
  { $id: 'SystemEvent' },
);
export type SystemEvent = Static<typeof SystemEvent>;

export const listSystemEvents = defineRoute({
  method: 'GET',
  path: '/system_event',
  kind: 'protected',
  summary: 'Background tasks of the platform, oldest first',
  description:
    'For site administrators and holders of a permission for it: what the platform does in the background, and what came of it.',
  query: Type.Object({ status: Type.Optional(choice(['new', 'running', 'done', 'warning', 'error'])) }),
  paging: { default: 10, maximum: 100 },
  response: Type.Array(SystemEvent),
});

export const Setting = Type.Object({
  name: Type.String(),
  value: Type.Union([Type.String(), Type.Integer(), Type.Boolean()]),
  default: Type.Union([Type.String(), Type.Integer(), Type.Boolean()]),
  description: Type.String(),
  choices: nullable(Type.Array(Type.String(), { description: 'All values there are, where they are few' })),
});

export const listSettings = defineRoute({
  method: 'GET',
  path: '/platform/settings',
  kind: 'protected',
  own: true,
  summary: 'Platform settings, for site administrators',
  description: 'Each with its value, the values that it may have, and what it closes or opens.',
  response: Type.Array(Setting),
});

export const patchSettings = defineRoute({
  method: 'PATCH',
  path: '/platform/settings',
  kind: 'protected',
  own: true,
  summary: 'Change platform settings',
  description: 'Members are setting names. All or nothing.',
  example: { body: { artifact_deletion_limit: 10 } },
  argument: 'settings',
  body: Type.Record(Type.String(), Type.Unknown()),
});

export const PlatformGroup = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    users: Type.Array(Type.Object({ id: Type.Integer(), uri: Type.String(), username: Type.String() })),
  },
  { $id: 'PlatformGroup' },
);
export type PlatformGroup = Static<typeof PlatformGroup>;

export const listPlatformGroups = defineRoute({
  method: 'GET',
  path: '/platform/groups',
  kind: 'protected',
  own: true,
  summary: 'Groups of users that hold platform permissions',
  description: 'For site administrators. The answer has the members and the permissions of each group.',
  paging: { default: 50, maximum: 50 },
  response: Type.Array(PlatformGroup),
});

export const createPlatformGroup = defineRoute({
  method: 'POST',
  path: '/platform/groups',
  kind: 'protected',
  own: true,
  summary: 'Create a platform group',
  description: 'For site administrators. The group is empty and holds no permission yet: PUT gives it both.',
  example: { body: { name: 'Deputies' } },
  body: Type.Object({ name: Type.String() }),
  status: 201,
  response: PlatformGroup,
});

export const putPlatformGroup = defineRoute({
  method: 'PUT',
  path: '/platform/groups/{id}',
  kind: 'protected',
  own: true,
  summary: 'Set the members and permissions of a platform group',
  description: 'A member that is not given stays as it is.',
  example: { params: { id: 1 }, body: { name: 'Deputies', user_ids: [102], permissions: [4] } },
  params: idParams,
  body: Type.Object({
    name: Type.Optional(Type.String()),
    user_ids: Type.Optional(Type.Array(Type.Integer())),
    permissions: Type.Optional(Type.Array(Type.Integer(), { description: 'Ids of delegated permissions' })),
  }),
  response: PlatformGroup,
});

export const deletePlatformGroup = defineRoute({
  method: 'DELETE',
  path: '/platform/groups/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a platform group',
  description: 'For site administrators. Its members lose the permissions that they held by it.',
  params: idParams,
});

export const platformRoutes = [
  getVersion,
  getAbout,
  listTemplates,
  getJwt,
  listSystemEvents,
  listSettings,
  patchSettings,
  listPlatformGroups,
  createPlatformGroup,
  putPlatformGroup,
  deletePlatformGroup,
] as const;
