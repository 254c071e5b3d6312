import Type, { type Static } from '@bundled/typebox';
import { defineRoute, idParams } from './route.ts';

export const ProjectService = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    service_url: Type.String({ description: 'Path or absolute address of its page' }),
    name: Type.String({ description: 'Short name; empty for links defined by the project' }),
    label: Type.String(),
    is_enabled: Type.Boolean(),
    icon: Type.String({ description: 'Icon class name, or empty' }),
    is_custom: Type.Boolean({ description: 'Defined by the project' }),
    open_in_new_tab: Type.Boolean({ description: 'Whether it leaves the page that it is chosen on' }),
  },
  { $id: 'ProjectService' },
);
export type ProjectService = Static<typeof ProjectService>;

export const listProjectServices = defineRoute({
  method: 'GET',
  path: '/projects/{id}/project_services',
  kind: 'hybrid',
  summary: 'Tools of a project, in the order of its menu',
  description:
    'Those that are switched off too, with `is_enabled` false. Kinds that an archive brought and that we do not have are never enabled.',
  params: idParams,
  paging: { default: 10, maximum: 50 },
  response: Type.Array(ProjectService),
});

export const getProjectService = defineRoute({
  method: 'GET',
  path: '/project_services/{id}',
  kind: 'hybrid',
  own: true,
  summary: 'One tool of a project',
  description: 'As the list of the project shows it.',
  params: idParams,
  response: ProjectService,
});

export const putProjectService = defineRoute({
  method: 'PUT',
  path: '/project_services/{id}',
  kind: 'protected',
  summary: 'Switch a service on or off, for project administrators',
  description:
    'What the service has stays while it is off. Services of kinds that we do not have, which an archive brought, can be switched as well, and do nothing.',
  example: { params: { id: 12 }, body: { is_enabled: true } },
  params: idParams,
  argument: 'body',
  body: Type.Object({ is_enabled: Type.Boolean() }),
});

export const createProjectService = defineRoute({
  method: 'POST',
  path: '/projects/{id}/project_services',
  kind: 'protected',
  own: true,
  summary: 'Add a link to the menu of a project, for its administrators',
  description:
    'It leads to a path of this server or to another site, and stands in the menu for everybody who sees the project.',
  example: {
    params: { id: 101 },
    body: { label: 'Tide tables', service_url: 'https://tides.example.org/', open_in_new_tab: true },
  },
  params: idParams,
  argument: 'service',
  body: Type.Object({
    label: Type.String(),
    service_url: Type.String({ description: 'Path on this server, or an http or https address' }),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    is_enabled: Type.Optional(Type.Boolean()),
    open_in_new_tab: Type.Optional(Type.Boolean()),
    rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  status: 201,
  response: ProjectService,
});

export const patchProjectService = defineRoute({
  method: 'PATCH',
  path: '/project_services/{id}',
  kind: 'protected',
  own: true,
  summary: 'Change a link that the project defined',
  description:
    'For project administrators. What is not given stays. Only links that were added can be changed, not the services of the platform.',
  example: { params: { id: 17 }, body: { label: 'Tides' } },
  params: idParams,
  argument: 'service',
  body: Type.Object({
    label: Type.Optional(Type.String()),
    service_url: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    is_enabled: Type.Optional(Type.Boolean()),
    open_in_new_tab: Type.Optional(Type.Boolean()),
    rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  response: ProjectService,
});

export const deleteProjectService = defineRoute({
  method: 'DELETE',
  path: '/project_services/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a link that the project defined',
  description:
    'For project administrators. Only links that were added can be deleted, not the services of the platform.',
  params: idParams,
});

export const putProjectServicesOrder = defineRoute({
  method: 'PUT',
  path: '/projects/{id}/project_services_order',
  kind: 'protected',
  own: true,
  summary: 'Put the menu of a project in order, for its administrators',
  description:
    'Tools and links alike, by their ids. Those that are not named follow, in the order they had; one that the project does not have is refused and changes nothing.',
  example: { params: { id: 101 }, body: { ids: [11, 9] } },
  params: idParams,
  body: Type.Object({ ids: Type.Array(Type.Integer(), { maxItems: 1000 }) }),
});

export const projectServiceRoutes = [
  listProjectServices,
  getProjectService,
  putProjectService,
  createProjectService,
  patchProjectService,
  deleteProjectService,
  putProjectServicesOrder,
] as const;
