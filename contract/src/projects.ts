import Type, { type Static } from 'typebox';
import { defineRoute, idParams, nullable } from './route.ts';

export const MinimalProject = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    label_without_icon: Type.String(),
    shortname: Type.String(),
    status: nullable(Type.String({ description: 'active, pending, suspended, deleted or system' })),
    access: Type.String({ description: 'public, unrestricted, private or private-wo-restr' }),
    is_template: Type.Boolean(),
  },
  { $id: 'MinimalProject' },
);
export type MinimalProject = Static<typeof MinimalProject>;

export const Project = Type.Object(
  {
    ...MinimalProject.properties,
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
    additional_informations: Type.Array(Type.Unknown()),
    is_member_of: Type.Boolean(),
    description: Type.String(),
    additional_fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    icon: Type.String(),
  },
  { $id: 'Project' },
);
export type Project = Static<typeof Project>;

export const MinimalUserGroup = Type.Object(
  {
    id: Type.String({ description: 'A number, or project id and group id joined by an underscore' }),
    uri: Type.String(),
    label: Type.String(),
    users_uri: Type.String(),
    short_name: Type.String(),
    key: Type.String(),
    additional_information: Type.Optional(Type.Array(Type.Unknown())),
  },
  { $id: 'MinimalUserGroup' },
);
export type MinimalUserGroup = Static<typeof MinimalUserGroup>;

export const FullUserGroup = Type.Object(
  { ...MinimalUserGroup.properties, project: nullable(MinimalProject) },
  { $id: 'UserGroup' },
);
export type FullUserGroup = Static<typeof FullUserGroup>;

export const listProjects = defineRoute({
  method: 'GET',
  path: '/projects',
  kind: 'hybrid',
  summary: 'Projects you may see, by id',
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        description:
          'JSON object with one of shortname, is_tracker_admin, with_status, is_member_of, is_admin_of',
      }),
    ),
  }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(Project),
});

export const getProject = defineRoute({
  method: 'GET',
  path: '/projects/{id}',
  kind: 'hybrid',
  summary: 'Read one project',
  params: idParams,
  response: Project,
});
