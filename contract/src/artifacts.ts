import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable, untrimmed } from './route.ts';
import { MinimalTracker, ProjectReference, Tracker, TrackerReference } from './trackers.ts';
import { MinimalUser } from './users.ts';

export const FieldValue = Type.Object(
  { field_id: Type.Integer(), type: Type.String(), label: Type.String() },
  {
    $id: 'FieldValue',
    additionalProperties: true,
    description:
      'The value of one field. The members beside these three depend on the type: value, values and bind_value_ids, ' +
      'links and reverse_links, file_descriptions, granted_groups and so on.',
  },
);

export const Status = Type.Object(
  { value: Type.String(), color: nullable(Type.String()) },
  { $id: 'Status', description: 'The label of the status and its colour' },
);

export const Artifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    xref: Type.String({ description: 'How texts refer to it: bug #42' }),
    tracker: Type.Union([MinimalTracker, Tracker]),
    project: ProjectReference,
    submitted_by: Type.Integer(),
    submitted_by_user: MinimalUser,
    submitted_on: date(),
    html_url: Type.String(),
    changesets_uri: Type.String(),
    values: nullable(Type.Array(FieldValue)),
    values_by_field: nullable(Type.Record(Type.String(), nullable(FieldValue))),
    last_modified_date: date(),
    last_update_by: Type.Integer(),
    last_update_by_user: MinimalUser,
    status: Type.String(),
    full_status: nullable(Status),
    is_open: Type.Boolean(),
    title: nullable(Type.String()),
    assignees: Type.Array(MinimalUser),
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
    frozen_field_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'Fields that nobody can change in its state; of one artifact only',
      }),
    ),
    hidden_fieldset_ids: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Fieldsets that its state hides; of one artifact only' }),
    ),
    may_update: Type.Optional(
      Type.Boolean({ description: 'Whether you may change some field of it; of one artifact only' }),
    ),
    may_delete: Type.Optional(
      Type.Boolean({ description: 'Whether you may delete it; of one artifact only' }),
    ),
    deletions_left: Type.Optional(
      nullable(
        Type.Integer({ description: 'How many artifacts you may still delete today; of one artifact only' }),
      ),
    ),
  },
  { $id: 'Artifact' },
);
export type Artifact = Static<typeof Artifact>;

export const ArtifactReference = Type.Object(
  { id: Type.Integer(), uri: Type.String(), tracker: TrackerReference },
  { $id: 'ArtifactReference' },
);
export type ArtifactReference = Static<typeof ArtifactReference>;

const entryDescription =
  'field_id and one of value, bind_value_ids, links, all_links, parent, manual_value, is_autocomputed. ' +
  'A change of an artifact that is there may instead add single items and take them away, which asks for no version and is never ' +
  'a conflict: add_value_ids and remove_value_ids (lists of several values), add_values (labels, open lists), ' +
  'add_links ([{id, type}]) and remove_links ([id]), add_files and remove_files ([id]), describe_files ([{id, description}]); never together with the whole value. ' +
  'The whole value of a field of files is an array of ids, or of {id, description} where a file shall be described in other words. ' +
  'Other members are ignored, so that what was read can be sent back.';

export const FieldEntry = Type.Unsafe<Readonly<Record<string, unknown>>>({
  $id: 'FieldEntry',
  'x-object': true,
  description: entryDescription,
});

/** A comment that comes with a change. */
export const CommentChange = Type.Object({
  body: Type.Optional(untrimmed()),
  format: Type.String({ 'x-mayBeEmpty': true }),
  ugroups: Type.Optional(
    nullable(
      Type.Array(Type.String(), {
        description:
          'None: who alone may read a comment is said where it is made by itself, POST /artifacts/{id}/comments',
      }),
    ),
  ),
});
export type CommentChange = Static<typeof CommentChange>;

export const getArtifact = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}',
  kind: 'hybrid',
  summary: 'Read one artifact',
  description: 'Etag and Last-Modified tell the version; If-None-Match gives 304 when nothing changed.',
  params: idParams,
  query: Type.Object({
    values_format: Type.Optional(choice(['collection', 'by_field', 'all'])),
    tracker_structure_format: Type.Optional(choice(['minimal', 'complete'])),
  }),
  isRevalidated: true,
  response: Artifact,
});

export const createArtifact = defineRoute({
  method: 'POST',
  path: '/artifacts',
  kind: 'protected',
  summary: 'Create an artifact',
  description:
    'Values are given as a list (`values`) or by short name (`values_by_field`). Fields that are not given get their default. The workflow, the rules and the required fields of the tracker must be met.',
  example: {
    body: {
      tracker: { id: 5 },
      values: [
        { field_id: 195, value: 'The lamp flickers' },
        { field_id: 196, value: { content: 'Twice a minute, **since Sunday**.', format: 'commonmark' } },
        { field_id: 200, bind_value_ids: [131] },
      ],
    },
  },
  body: Type.Object({
    tracker: Type.Object({ id: Type.Integer() }),
    values: Type.Optional(Type.Array(FieldEntry)),
    values_by_field: Type.Optional(Type.Record(Type.String(), FieldEntry)),
    from_artifact: Type.Optional(Type.Object({ id: Type.Optional(Type.Integer()) })),
  }),
  status: 201,
  headers: ['Location'],
  refusals: [404],
  isRevalidated: true,
  isRepeatable: true,
  response: ArtifactReference,
});

export const putArtifact = defineRoute({
  method: 'PUT',
  path: '/artifacts/{id}',
  kind: 'protected',
  summary: 'Change an artifact, comment on it, or both',
  description:
    'Fields that are not listed keep their value. With If-Match or If-Unmodified-Since the change is refused with ' +
    '412 when the artifact is no longer the one that was read.',
  example: {
    params: { id: 142 },
    body: {
      values: [{ field_id: 200, bind_value_ids: [131] }],
      comment: { body: 'Worse than it looked.', format: 'text' },
    },
  },
  params: idParams,
  body: Type.Object({
    values: Type.Array(FieldEntry),
    comment: Type.Optional(CommentChange),
  }),
  isRevalidated: true,
  isConditional: true,
  isRepeatable: true,
  response: Artifact,
});

export const listArtifacts = defineRoute({
  method: 'GET',
  path: '/artifacts',
  kind: 'hybrid',
  summary: 'Read several artifacts by their ids',
  description:
    'At most 100 ids: `query={"id":[1,2,3]}`. Artifacts that are not there, or that you may not see, are left out.',
  query: Type.Object({ query: Type.String({ description: '{"id": [1, 2, 3]}' }) }),
  paging: { default: 100, maximum: 100, minimum: 1 },
  response: Type.Object({ collection: Type.Array(Artifact) }),
});

export const artifactRoutes = [listArtifacts, createArtifact, getArtifact, putArtifact] as const;
