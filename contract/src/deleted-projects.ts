import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams, nullable } from './route.ts';
import { MinimalUser } from './users.ts';

export const DeletedProject = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    shortname: Type.String({ description: 'It is free for another project once this one is purged' }),
    deleted_on: date(),
    deleted_by: nullable(MinimalUser),
    purge_due_on: nullable(date()),
  },
  { $id: 'DeletedProject' },
);
export type DeletedProject = Static<typeof DeletedProject>;

export const deleteProject = defineRoute({
  method: 'DELETE',
  path: '/projects/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a project with all that is in it, for site administrators',
  description:
    'It can be brought back as it was, until it is purged: after the days of the setting `project_purge_delay`, or when somebody asks for it.',
  params: idParams,
});

export const listDeletedProjects = defineRoute({
  method: 'GET',
  path: '/deleted_projects',
  kind: 'protected',
  own: true,
  summary: 'Deleted projects that can be brought back, the last one first, for site administrators',
  description: '`purge_due_on` tells when each is gone for good.',
  paging: { default: 10, maximum: 50 },
  response: Type.Array(DeletedProject),
});

export const getDeletedProject = defineRoute({
  method: 'GET',
  path: '/deleted_projects/{id}',
  kind: 'protected',
  own: true,
  summary: 'A deleted project that can be brought back, for site administrators',
  description: 'As the list shows it. One that was purged is 404.',
  params: idParams,
  response: DeletedProject,
});

export const restoreProject = defineRoute({
  method: 'POST',
  path: '/deleted_projects/{id}/restore',
  kind: 'protected',
  own: true,
  summary: 'Bring a deleted project back as it was, for site administrators',
  description: 'With its trackers, artifacts, files and repositories. One that was purged is 404.',
  params: idParams,
  response: Type.Object({ id: Type.Integer(), uri: Type.String() }),
});

export const purgeProject = defineRoute({
  method: 'DELETE',
  path: '/deleted_projects/{id}',
  kind: 'protected',
  own: true,
  status: 202,
  summary: 'Purge a deleted project at once, for site administrators',
  description: 'Within a minute or so nothing of it is left, and nothing brings it back.',
  params: idParams,
});

export const deletedProjectRoutes = [
  deleteProject,
  listDeletedProjects,
  getDeletedProject,
  restoreProject,
  purgeProject,
] as const;
