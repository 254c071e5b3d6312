import Type, { type Static } from '@bundled/typebox';
import { searchParameters } from './artifact-rows.ts';
import { changeResult } from './artifact-tables.ts';
import { CommentChange, FieldEntry } from './artifacts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export const BulkChange = Type.Object(
  {
    dry_run: Type.Boolean(),
    results: Type.Array(
      Type.Object({
        id: Type.Integer(),
        uri: Type.String(),
        outcome: choice(['changed', 'unchanged', 'refused']),
        etag: nullable(
          Type.String({ description: 'Of the artifact as it is now, for `etag` of the next change' }),
        ),
        ...changeResult,
      }),
    ),
  },
  { $id: 'BulkChange' },
);
export type BulkChange = Static<typeof BulkChange>;

export const changeArtifacts = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/artifact_changes',
  kind: 'protected',
  own: true,
  summary: 'Make one change to many artifacts of a tracker',
  description:
    'Those in the list and those that the search of GET /trackers/{id}/artifact_rows finds, at most a thousand. Each is changed as PUT /artifacts/{id} would, ' +
    'in a transaction of its own, and has a result of its own: what one of them refuses keeps no other from being changed.',
  example: {
    params: { id: 5 },
    body: {
      artifacts: [{ id: 142 }, { id: 145 }],
      values: [{ field_id: 200, bind_value_ids: [130] }],
      comment: { body: 'Not so bad after all.', format: 'text' },
    },
  },
  params: idParams,
  isRepeatable: true,
  body: Type.Object({
    artifacts: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          etag: Type.Optional(Type.String({ description: 'Change it only while this is its version' })),
        }),
      ),
    ),
    ...searchParameters,
    query: Type.Optional(Type.Unsafe<unknown>({ description: 'Criteria, as an object or as JSON' })),
    values: Type.Optional(Type.Array(FieldEntry)),
    comment: Type.Optional(CommentChange),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only tell what would come of it' })),
  }),
  response: BulkChange,
});

export const bulkChangeRoutes = [changeArtifacts] as const;
