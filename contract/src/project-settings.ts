import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams } from './route.ts';

const access = choice(['public', 'unrestricted', 'private', 'private-wo-restr']);

const fieldValue = Type.Object({
  field_id: Type.Integer(),
  value: Type.String({ 'x-mayBeEmpty': true }),
});

export const ProjectSettings = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String({ description: 'Without the icon' }),
    shortname: Type.String(),
    description: Type.String(),
    icon: Type.String({ description: 'An emoji, or empty' }),
    access,
    status: Type.String({ description: 'active, pending, suspended, deleted or system' }),
    is_template: Type.Boolean(),
    has_synchronised_membership: Type.Boolean({
      description: 'Who joins a user group of a public project also becomes a project member',
    }),
    has_truncated_mails: Type.Boolean({ description: 'Mails tell nothing but where to look' }),
    membership_delegation: Type.Array(Type.String(), {
      description: 'Ids of the static user groups whose members manage the project members',
    }),
    fields: Type.Array(fieldValue, { description: 'Values of the project fields of the platform' }),
    header_background: Type.String({ description: 'Identifier of the picture, or empty' }),
  },
  { $id: 'ProjectSettings' },
);
export type ProjectSettings = Static<typeof ProjectSettings>;

export const getProjectSettings = defineRoute({
  method: 'GET',
  path: '/projects/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'Settings of a project, for its administrators',
  description: 'Holders of the "Project approval" delegation read those of pending projects.',
  params: idParams,
  response: ProjectSettings,
});

export const patchProjectSettings = defineRoute({
  method: 'PATCH',
  path: '/projects/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'Change the settings of a project',
  description:
    'All or nothing. For project administrators; the status is for site administrators, for project managers (active, suspended) and for those who approve projects (pending to active).',
  example: {
    params: { id: 101 },
    body: { description: 'How a small team looks after the light of a coast', icon: '💡' },
  },
  params: idParams,
  argument: 'settings',
  body: Type.Object({
    label: Type.Optional(Type.String({ description: '3 to 40 characters' })),
    shortname: Type.Optional(Type.String({ description: '3 to 30 letters, digits and hyphens' })),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String({ description: 'An emoji, or empty' })),
    access: Type.Optional(access),
    status: Type.Optional(choice(['active', 'suspended', 'deleted', 'pending', 'system'])),
    is_template: Type.Optional(Type.Boolean()),
    has_synchronised_membership: Type.Optional(Type.Boolean()),
    has_truncated_mails: Type.Optional(Type.Boolean()),
    membership_delegation: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of static user groups' }),
    ),
    fields: Type.Optional(Type.Array(fieldValue)),
  }),
  response: ProjectSettings,
});

export const projectSettingsRoutes = [getProjectSettings, patchProjectSettings] as const;
