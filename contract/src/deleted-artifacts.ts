import Type, { type Static } from '@bundled/typebox';
import { ArtifactReference } from './artifacts.ts';
import { date, defineRoute, idParams, nullable } from './route.ts';
import { TrackerReference } from './trackers.ts';
import { MinimalUser } from './users.ts';

export const DeletedArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    xref: Type.String(),
    title: nullable(Type.String()),
    tracker: TrackerReference,
    deleted_on: date(),
    deleted_by: MinimalUser,
  },
  { $id: 'DeletedArtifact' },
);
export type DeletedArtifact = Static<typeof DeletedArtifact>;

export const deleteArtifact = defineRoute({
  method: 'DELETE',
  path: '/artifacts/{id}',
  kind: 'protected',
  summary: 'Delete an artifact, for administrators of its tracker',
  description:
    'Everybody may delete so many in 24 hours as the platform says: X-RateLimit-Limit and X-RateLimit-Remaining tell, 429 ' +
    'refuses. The artifact is archived first; when that is impossible, nothing is deleted (503).',
  params: idParams,
  headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining'],
  refusals: [429, 503],
});

export const listDeletedArtifacts = defineRoute({
  method: 'GET',
  path: '/deleted_artifacts',
  kind: 'protected',
  own: true,
  summary: 'Deleted artifacts that you can bring back, the last one first',
  description: '`POST /deleted_artifacts/{id}/restore` brings one back.',
  query: Type.Object({ query: Type.Optional(Type.String({ description: '{"tracker_id": 12}' })) }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(DeletedArtifact),
});

export const restoreArtifact = defineRoute({
  method: 'POST',
  path: '/deleted_artifacts/{id}/restore',
  kind: 'protected',
  own: true,
  summary: 'Bring a deleted artifact back from its archive, for administrators of its tracker',
  description:
    'It gets its id, history, comments, values and files again, and the links whose other end still exists. Its deletion stays counted.',
  params: idParams,
  response: ArtifactReference,
});

export const deletedArtifactRoutes = [deleteArtifact, listDeletedArtifacts, restoreArtifact] as const;
