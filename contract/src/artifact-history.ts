import Type, { type Static } from '@bundled/typebox';
import { RowCell } from './artifact-rows.ts';
import { FieldValue } from './artifacts.ts';
import { MinimalUserGroup } from './projects.ts';
import { choice, date, defineRoute, direction, idParams, nullable, untrimmed } from './route.ts';
import { MinimalUser } from './users.ts';

export const Comment = Type.Object(
  {
    body: Type.String({ description: 'As it was written; Markdown as HTML' }),
    post_processed_body: Type.String({ description: 'Safe HTML with links for references' }),
    format: choice(['text', 'html']),
    commonmark: Type.Optional(Type.String({ description: 'The source of Markdown' })),
    ugroups: nullable(
      Type.Array(MinimalUserGroup, {
        description: 'Who alone may read it: all groups for administrators, else those of the caller',
      }),
    ),
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

export const Changeset = Type.Object(
  {
    id: Type.Integer(),
    submitted_by: Type.Integer(),
    submitted_by_details: nullable(MinimalUser),
    submitted_on: date(),
    email: nullable(Type.String()),
    last_comment: Comment,
    values: Type.Array(FieldValue, { description: 'The whole state at this changeset' }),
    last_modified_by: nullable(MinimalUser),
    last_modified_date: date({ description: 'When the comment was last edited' }),
  },
  { $id: 'Changeset' },
);
export type Changeset = Static<typeof Changeset>;

export const listChangesets = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/changesets',
  kind: 'hybrid',
  summary: 'History of an artifact',
  description: 'Changesets of which the caller may see neither a change nor a comment are left out.',
  params: idParams,
  query: Type.Object({
    fields: Type.Optional(
      choice(['all', 'comments'], {
        description: 'comments: only changesets with a comment, without values',
      }),
    ),
    order: Type.Optional(direction({ description: 'desc: the newest one first' })),
  }),
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Array(Changeset),
});

const commentMembers = {
  format: choice(['text', 'html', 'commonmark']),
  ugroups: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Ids of the groups that alone may read it, where the tracker has private comments',
    }),
  ),
};

export const createComment = defineRoute({
  method: 'POST',
  path: '/artifacts/{id}/comments',
  kind: 'protected',
  own: true,
  summary: 'Comment on an artifact',
  description:
    'Nothing else is changed. It shows in the changesets and is told by mail like any other change.',
  example: { params: { id: 142 }, body: { body: 'Seen again *tonight*.', format: 'commonmark' } },
  params: idParams,
  isRepeatable: true,
  argument: 'comment',
  body: Type.Object({ body: untrimmed(), ...commentMembers }),
  status: 201,
  response: Changeset,
});

const commentParams = Type.Object({
  id: Type.Integer({ description: 'Id of the artifact' }),
  changeset_id: Type.Integer({ description: 'Id of the changeset' }),
});

export const putComment = defineRoute({
  method: 'PUT',
  path: '/artifacts/{id}/changesets/{changeset_id}/comment',
  kind: 'protected',
  own: true,
  summary: 'Edit a comment, for its author and administrators of the tracker',
  description:
    'An empty body deletes it. Without ugroups those who may read it stay the same; an empty list makes it public. ' +
    'The version of the artifact does not change.',
  example: {
    params: { id: 142, changeset_id: 900 },
    body: { body: 'Seen again *last night*.', format: 'commonmark' },
  },
  params: commentParams,
  isRepeatable: true,
  argument: 'comment',
  body: Type.Object({ body: untrimmed({ 'x-mayBeEmpty': true }), ...commentMembers }),
  response: Changeset,
});

export const CommentVersion = Type.Object(
  {
    ...Comment.properties,
    version: Type.Integer({ description: 'Counts from 1' }),
    submitted_by: Type.Integer(),
    submitted_by_details: nullable(MinimalUser),
    submitted_on: date(),
    email: nullable(Type.String({ description: 'The address of an author without an account' })),
  },
  { $id: 'CommentVersion' },
);
export type CommentVersion = Static<typeof CommentVersion>;

export const listCommentVersions = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/changesets/{changeset_id}/comment_versions',
  kind: 'protected',
  own: true,
  summary: 'What a comment was before it was edited, for its author and administrators of the tracker',
  description: 'The oldest version first; the last one is the comment as it is.',
  params: commentParams,
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Array(CommentVersion),
});

export const FieldChange = Type.Object(
  {
    field_id: Type.Integer(),
    label: Type.String(),
    type: Type.String({ description: 'What kind of cells it has, as in rows of a table' }),
    before: RowCell,
    after: RowCell,
    is_cut: Type.Boolean({ description: 'Whether one of them does not show everything' }),
  },
  { $id: 'FieldChange' },
);

export const TimelineEntry = Type.Object(
  {
    id: Type.String({ description: 'changeset-12, commit-firmware/42, reference-7-comment:13' }),
    kind: choice(['comment', 'change', 'commit', 'reference'], {
      description: 'comment: a changeset with a comment, whatever else it changed',
    }),
    changeset_id: nullable(Type.Integer()),
    is_creation: Type.Boolean({ description: 'Whether it made the artifact' }),
    submitted_by: MinimalUser,
    submitted_on: date(),
    email: nullable(Type.String()),
    comment: nullable(Comment),
    is_edited: Type.Boolean({ description: 'Whether the comment was edited' }),
    may_edit: Type.Boolean({ description: 'Whether you may edit the comment' }),
    changes: Type.Array(FieldChange),
    commit: nullable(
      Type.Object({
        repository: Type.String(),
        revision: Type.Integer(),
        message: Type.String(),
        html_url: Type.String({ description: 'The page of the revision' }),
      }),
    ),
    reference: nullable(
      Type.Object({
        id: Type.Integer(),
        uri: Type.String(),
        xref: Type.String(),
        html_url: Type.String(),
        title: nullable(Type.String()),
      }),
    ),
  },
  { $id: 'TimelineEntry' },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const getArtifactTimeline = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/timeline',
  kind: 'hybrid',
  own: true,
  summary: 'What happened to an artifact, ready to read',
  description:
    'Changesets that you may see, with what they changed, commits and texts of other artifacts that name it. Texts are shown as ' +
    'they were written, up to 4000 characters; `GET /artifacts/{id}/changesets/{changeset_id}/changes` has all of them. ' +
    'A text in a field of another artifact has the submitter of that artifact, and the first moment at which both were there.',
  params: idParams,
  query: Type.Object({
    order: Type.Optional(direction({ description: 'desc unless given: the newest first' })),
    kinds: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'comments, changes, commits and references, several times or with commas; all unless given',
      }),
    ),
  }),
  paging: { default: 30, maximum: 100, minimum: 1 },
  response: Type.Array(TimelineEntry),
});

export const getChanges = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/changesets/{changeset_id}/changes',
  kind: 'hybrid',
  own: true,
  summary: 'What a changeset changed, whole',
  description: 'As in the timeline, but nothing is cut. Fields that you may not read are left out.',
  params: commentParams,
  response: Type.Array(FieldChange),
});

export const artifactHistoryRoutes = [
  listChangesets,
  createComment,
  putComment,
  listCommentVersions,
  getArtifactTimeline,
  getChanges,
] as const;
