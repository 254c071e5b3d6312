import Type, { type Static } from '@bundled/typebox';
import { FullUserGroup, MinimalUserGroup } from './projects.ts';
import { mostItems } from './request-parts.ts';
import { defineRoute, idParams } from './route.ts';
import { User } from './users.ts';

const groupParams = Type.Object({
  id: Type.String({ description: '104, or 101_3 for group 3 of project 101' }),
});

export const listUserGroups = defineRoute({
  method: 'GET',
  path: '/projects/{id}/user_groups',
  kind: 'hybrid',
  summary: 'User groups of a project',
  description:
    'Those that every project has (members, administrators, …) and its own. `query` is `{"with_system_user_groups": true}` for those of the platform too.',
  params: idParams,
  query: Type.Object({
    query: Type.Optional(
      Type.String({ description: '{"with_system_user_groups": true} adds the groups of the platform' }),
    ),
  }),
  response: Type.Array(MinimalUserGroup),
});

export const getUserGroup = defineRoute({
  method: 'GET',
  path: '/user_groups/{id}',
  kind: 'hybrid',
  summary: 'Read one user group',
  description:
    'By number for groups that a project defined; `101_3` is group 3 (the members) of project 101.',
  params: groupParams,
  response: FullUserGroup,
});

export const createUserGroup = defineRoute({
  method: 'POST',
  path: '/user_groups',
  kind: 'protected',
  summary: 'Create an empty user group, for project administrators',
  description: 'Its members are set by `PUT /user_groups/{id}/users`.',
  example: { body: { project_id: 101, short_name: 'reviewers', description: 'Who looks at changes first' } },
  argument: 'user_group',
  body: Type.Object({
    project_id: Type.Integer(),
    short_name: Type.String({ description: 'Letters, digits, hyphens and underscores' }),
    description: Type.Optional(Type.String()),
  }),
  status: 201,
  refusals: [404],
  response: FullUserGroup,
});

export const patchUserGroup = defineRoute({
  method: 'PATCH',
  path: '/user_groups/{id}',
  kind: 'protected',
  own: true,
  summary: 'Rename a user group that the project defined',
  description: 'For project administrators. What is not given stays; permissions stay with the group.',
  example: { params: { id: '102' }, body: { description: 'Who looks at changes before they are committed' } },
  params: groupParams,
  argument: 'user_group',
  body: Type.Object({
    short_name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  }),
  response: FullUserGroup,
});

export const deleteUserGroup = defineRoute({
  method: 'DELETE',
  path: '/user_groups/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a user group that the project defined',
  description:
    'For project administrators. Permissions that were given to the group alone are gone with it; the groups that every project has cannot be deleted.',
  params: groupParams,
});

export const listGroupUsers = defineRoute({
  method: 'GET',
  path: '/user_groups/{id}/users',
  kind: 'protected',
  summary: 'Members of a user group, by user name',
  description: '`query` is `{"identifier": "ada"}` for one person.',
  params: groupParams,
  query: Type.Object({
    query: Type.Optional(Type.String({ description: '{"identifier": "bob"} looks for one user' })),
  }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(User),
});

export const UserReference = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    ldap_id: Type.Optional(Type.String()),
  },
  { $id: 'UserReference', description: 'Exactly one member, the same in all references of a request' },
);
export type UserReference = Static<typeof UserReference>;

export const putGroupUsers = defineRoute({
  method: 'PUT',
  path: '/user_groups/{id}/users',
  kind: 'protected',
  summary: 'Replace the members of a user group',
  description:
    'For project administrators. Everybody whom the group lists and who is not named leaves it. All are named by the same one of id, username, email and ldap_id. The last administrator of a project whose account can be used cannot be removed.',
  example: { params: { id: '102' }, body: [{ username: 'ada' }, { username: 'bruno' }] },
  params: groupParams,
  argument: 'user_references',
  body: Type.Array(UserReference),
});

export const patchGroupUsers = defineRoute({
  method: 'PATCH',
  path: '/user_groups/{id}/users',
  kind: 'protected',
  own: true,
  summary: 'Add members to a user group and remove others',
  description:
    'Who may, and what is checked, is as for PUT. Everybody else stays where they are, so that two who change a group at once lose nobody. All or nothing; adding who is there and removing who is not changes nothing.',
  example: { params: { id: '102' }, body: { add: [{ username: 'ada' }], remove: [{ username: 'bruno' }] } },
  params: groupParams,
  body: Type.Object({
    add: Type.Optional(Type.Array(UserReference, { maxItems: mostItems })),
    remove: Type.Optional(Type.Array(UserReference, { maxItems: mostItems })),
  }),
  response: Type.Object({ size: Type.Integer({ description: 'Members that the group has then' }) }),
});

export const userGroupRoutes = [
  listUserGroups,
  getUserGroup,
  createUserGroup,
  patchUserGroup,
  deleteUserGroup,
  listGroupUsers,
  putGroupUsers,
  patchGroupUsers,
] as const;
