import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams, nullable } from './route.ts';
import { ProjectReference, Tracker } from './trackers.ts';
import { MinimalUser } from './users.ts';

export const DeletedTracker = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    item_name: Type.String(),
    color_name: Type.String(),
    project: ProjectReference,
    deleted_on: date(),
    deleted_by: nullable(MinimalUser),
  },
  { $id: 'DeletedTracker' },
);
export type DeletedTracker = Static<typeof DeletedTracker>;

export const deleteTracker = defineRoute({
  method: 'DELETE',
  path: '/trackers/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a tracker with all that is in it, for project administrators',
  description: 'It can be brought back as it was.',
  params: idParams,
});

export const listDeletedTrackers = defineRoute({
  method: 'GET',
  path: '/projects/{id}/deleted_trackers',
  kind: 'protected',
  own: true,
  summary: 'Deleted trackers of a project, the last one first, for its administrators',
  description: '`POST /deleted_trackers/{id}/restore` brings one back, with all that it had.',
  params: idParams,
  paging: { default: 10, maximum: 50 },
  response: Type.Array(DeletedTracker),
});

export const restoreTracker = defineRoute({
  method: 'POST',
  path: '/deleted_trackers/{id}/restore',
  kind: 'protected',
  own: true,
  summary: 'Bring a deleted tracker back, for project administrators',
  description:
    'With all its artifacts. If another tracker has taken its short name meanwhile, give another one.',
  example: { params: { id: 6 }, body: { item_name: 'idea' } },
  params: idParams,
  argument: 'tracker',
  body: Type.Object({
    item_name: Type.Optional(Type.String({ description: 'Another short name, when its own was taken' })),
  }),
  response: Tracker,
});

export const deletedTrackerRoutes = [deleteTracker, listDeletedTrackers, restoreTracker] as const;
