import Type, { type Static } from '@bundled/typebox';
import { defineRoute, idParams, nullable } from './route.ts';

const MovedField = Type.Object({ field_id: Type.Integer(), label: Type.String(), name: Type.String() });

export const ArtifactMove = Type.Object(
  {
    dry_run: nullable(
      Type.Object({
        fields: Type.Object({
          fields_migrated: Type.Array(MovedField),
          fields_not_migrated: Type.Array(MovedField),
          fields_partially_migrated: Type.Array(MovedField),
        }),
      }),
    ),
  },
  { $id: 'ArtifactMove', description: 'Fields are those of the tracker that the artifact comes from' },
);
export type ArtifactMove = Static<typeof ArtifactMove>;

export const patchArtifact = defineRoute({
  method: 'PATCH',
  path: '/artifacts/{id}',
  kind: 'protected',
  summary: 'Move an artifact to another tracker, for administrators of both',
  description:
    'It keeps its id, history, rank and submitter. Values go to the fields of the same short name whose type fits; a dry ' +
    'run tells which do, and changes nothing.',
  example: { params: { id: 142 }, body: { move: { tracker_id: 4, dry_run: true } } },
  params: idParams,
  argument: 'patch',
  body: Type.Object({
    move: Type.Object({
      tracker_id: Type.Integer(),
      dry_run: Type.Optional(Type.Boolean()),
      should_populate_feedback_on_success: Type.Optional(
        Type.Boolean({ description: 'Taken for the sake of clients that send it; means nothing' }),
      ),
    }),
  }),
  response: ArtifactMove,
});

export const artifactMoveRoutes = [patchArtifact] as const;
