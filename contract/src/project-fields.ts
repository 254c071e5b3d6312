import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams } from './route.ts';

export const ProjectField = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    rank: Type.Integer(),
    is_required: Type.Boolean(),
    description: Type.String(),
    type: choice(['text', 'line'], { description: 'text has many lines' }),
  },
  { $id: 'ProjectField' },
);
export type ProjectField = Static<typeof ProjectField>;

export const listProjectFields = defineRoute({
  method: 'GET',
  path: '/project_fields',
  kind: 'protected',
  summary: 'Fields of the platform that are asked for when a project is created',
  description: 'For those who may create projects.',
  paging: { default: 10, maximum: 100 },
  response: Type.Object({
    project_fields_representation: Type.Array(ProjectField),
    total_size: Type.Integer({ description: 'Number of fields in this answer' }),
  }),
});

const rank = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const createProjectField = defineRoute({
  method: 'POST',
  path: '/project_fields',
  kind: 'protected',
  own: true,
  summary: 'Add a project field, for site administrators',
  description: 'Every project may be given a value of it, and must be if it is required.',
  example: {
    body: { name: 'Cost centre', description: 'Who pays for it', type: 'line', is_required: false },
  },
  argument: 'project_field',
  body: Type.Object({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    type: Type.Optional(choice(['text', 'line'])),
    rank: Type.Optional(rank),
    is_required: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  response: ProjectField,
});

export const patchProjectField = defineRoute({
  method: 'PATCH',
  path: '/project_fields/{id}',
  kind: 'protected',
  own: true,
  summary: 'Change a project field',
  description: 'For site administrators. What is not given stays.',
  example: { params: { id: 1 }, body: { description: 'Who pays for the project' } },
  params: idParams,
  argument: 'project_field',
  body: Type.Object({
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    type: Type.Optional(choice(['text', 'line'])),
    rank: Type.Optional(rank),
    is_required: Type.Optional(Type.Boolean()),
  }),
  response: ProjectField,
});

export const deleteProjectField = defineRoute({
  method: 'DELETE',
  path: '/project_fields/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a project field and its values',
  description: 'For site administrators. The values of all projects go with it.',
  params: idParams,
});

export const projectFieldRoutes = [
  listProjectFields,
  createProjectField,
  patchProjectField,
  deleteProjectField,
] as const;
