import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';

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
    header_background: Type.Optional(
      Type.String({ description: 'The picture above its page, where one was chosen' }),
    ),
    banner: Type.Optional(Type.String({ description: 'The announcement on its pages, where there is one' })),
    last_activity_date: Type.Optional(
      date({ description: 'When something last happened that you may know of; in lists' }),
    ),
    member_count: Type.Optional(Type.Integer({ description: 'In lists' })),
  },
  { $id: 'Project' },
);
export type Project = Static<typeof Project>;

/** A project whose archive is still to be uploaded. */
export const AwaitedProject = Type.Object(
  { id: Type.Integer(), uri: Type.String(), upload_href: Type.String() },
  { $id: 'AwaitedProject' },
);
export type AwaitedProject = Static<typeof AwaitedProject>;

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
  {
    ...MinimalUserGroup.properties,
    project: nullable(MinimalProject),
    description: Type.Optional(Type.String({ description: 'Of a group that a project defined' })),
  },
  { $id: 'UserGroup' },
);
export type FullUserGroup = Static<typeof FullUserGroup>;

export const listProjects = defineRoute({
  method: 'GET',
  path: '/projects',
  kind: 'hybrid',
  summary: 'Projects you may see, by id',
  description:
    'Private ones only to those who may see them. `query` narrows the list, for example `{"is_member_of": true}`, `{"shortname": "lighthouse"}` or ' +
    '`{"words": "light house"}`, which are looked for in label, short name and description and go together with any other member.',
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        description:
          'JSON object with one of shortname, is_tracker_admin, with_status, is_member_of, is_admin_of; and with words',
      }),
    ),
    order: Type.Optional(
      choice(['id', 'name', 'activity'], { description: 'activity: what happened last comes first' }),
    ),
  }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(Project),
});

export const createProject = defineRoute({
  method: 'POST',
  path: '/projects',
  kind: 'protected',
  summary: 'Create a project',
  description:
    'One of template_id, xml_template_name and from_archive is needed. With dry_run nothing is created: 204 when all is well, else 400 with every problem.',
  example: {
    body: {
      shortname: 'web-shop',
      label: 'Web Shop',
      description: 'Where the lamps are sold',
      is_public: true,
      xml_template_name: 'issues',
    },
  },
  query: Type.Object({ dry_run: Type.Optional(Type.Boolean({ description: 'Only check' })) }),
  argument: 'post_representation',
  body: Type.Object({
    shortname: Type.String({ description: '3 to 30 letters, digits and hyphens' }),
    label: Type.String({ description: '3 to 40 characters' }),
    description: Type.Optional(Type.String()),
    is_public: Type.Boolean(),
    allow_restricted: Type.Optional(nullable(Type.Boolean())),
    template_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Project to copy the structure of' })),
    xml_template_name: Type.Optional(
      Type.String({
        description: 'empty, issues (also kanban), agile (also scrum, agile_alm) or service_desk',
      }),
    ),
    from_archive: Type.Optional(
      Type.Object({ file_name: Type.String(), file_size: Type.Integer({ minimum: 0 }) }),
    ),
    categories: Type.Optional(
      Type.Array(Type.Object({ category_id: Type.Integer(), value_id: Type.Integer() })),
    ),
    fields: Type.Optional(
      Type.Array(Type.Object({ field_id: Type.Integer(), value: Type.String({ 'x-mayBeEmpty': true }) })),
    ),
  }),
  status: 201,
  emptySuccess: 'With `dry_run`: all is well',
  // An import of one's own that is not over; projects that wait for their approval.
  refusals: [409, 429],
  response: Type.Union([Project, AwaitedProject]),
});

export const getProject = defineRoute({
  method: 'GET',
  path: '/projects/{id}',
  kind: 'hybrid',
  summary: 'Read one project',
  description: 'What it is called, who may see it and what lies below it.',
  params: idParams,
  isRevalidated: 'by-tag',
  response: Project,
});

export const getProjectNamed = defineRoute({
  method: 'GET',
  path: '/project_names/{shortname}',
  kind: 'hybrid',
  own: true,
  summary: 'Read one project by its short name',
  description:
    'As by its id: 403 where there is one that you may not see. Addresses of pages name projects so.',
  params: Type.Object({ shortname: Type.String() }),
  response: Project,
});

export const patchProject = defineRoute({
  method: 'PATCH',
  path: '/projects/{id}',
  kind: 'protected',
  summary: 'Activate or suspend a project',
  description: 'For site administrators and holders of the "REST projects management" delegation.',
  example: { params: { id: 101 }, body: { status: 'active' } },
  params: idParams,
  argument: 'patch_resource',
  body: Type.Object({ status: choice(['active', 'suspended']) }),
});

export const projectRoutes = [
  listProjects,
  createProject,
  getProject,
  getProjectNamed,
  patchProject,
] as const;
