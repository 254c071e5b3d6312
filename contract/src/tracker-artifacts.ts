import Type, { type Static } from '@bundled/typebox';
import { Artifact, Status } from './artifacts.ts';
import { choice, date, defineRoute, direction, idParams, nullable } from './route.ts';
import { MinimalTracker, ProjectReference } from './trackers.ts';

/** Read by the route itself: what it is decides the tracker's fields. */
export const Criteria = Type.Unsafe<unknown>({
  $id: 'Criteria',
  // Any names, if it is an object: what else it may be is refused by the route.
  patternProperties: { '^.*$': {} },
  description:
    'An object keyed by field short name or id; each member is {"operator": "contains", "value": …}, or the value alone. ' +
    'Dates take the operators =, <, > and between too. All members must hold. The same as the query parameter, which wins over it.',
});

export const listTrackerArtifacts = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifacts',
  kind: 'hybrid',
  summary: 'Artifacts of a tracker, by id',
  description:
    'Those that meet the criteria (`query`) or the query (`expert_query`), or all. `values=all` adds the values of the fields. The criteria may also be sent as the body of the GET.',
  example: { params: { id: 5 }, body: { status: { operator: 'contains', value: [123, 124] } } },
  params: idParams,
  query: Type.Object({
    values: Type.Optional(choice(['all'], { description: 'Empty, or all to have the values of the fields' })),
    query: Type.Optional(Type.String({ description: 'Criteria as JSON' })),
    expert_query: Type.Optional(
      Type.String({
        description: 'A query such as: summary = "crash" AND status != "Closed"; `query` wins over it',
      }),
    ),
    order: Type.Optional(direction({ description: 'By id; without criteria and query only' })),
  }),
  paging: { default: 100, maximum: 1000, minimum: 1 },
  body: Type.Optional(Criteria),
  bodyYieldsTo: ['query', 'expert_query'],
  response: Type.Array(Artifact),
});

export const ParentArtifact = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    xref: Type.String(),
    uri: Type.String(),
    html_url: Type.String(),
    tracker: MinimalTracker,
    full_status: nullable(Status),
  },
  { $id: 'ParentArtifact' },
);
export type ParentArtifact = Static<typeof ParentArtifact>;

export const listParentArtifacts = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/parent_artifacts',
  kind: 'hybrid',
  summary: 'Open artifacts of the parent tracker, newest first',
  description: 'What an artifact of this tracker may be given as its parent.',
  params: idParams,
  paging: { default: 100, maximum: 1000, minimum: 1 },
  response: Type.Array(ParentArtifact),
});

export const listUsedLinkTypes = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/used_artifact_links',
  kind: 'hybrid',
  summary: 'Types of the links that artifacts of a tracker have',
  description: 'Short names and labels; links without a type have an empty short name.',
  params: idParams,
  paging: { default: 10, maximum: 1000, minimum: 1 },
  response: Type.Array(Type.Object({ shortname: Type.String(), forward_label: Type.String() })),
});

export const OwnArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    title: nullable(Type.String()),
    xref: Type.String(),
    tracker: MinimalTracker,
    project: ProjectReference,
    full_status: nullable(Status),
    last_modified_date: date(),
    due_date: nullable(date({ description: 'The end of its timeframe' })),
    is_overdue: Type.Boolean({ description: 'Whether the day on which it is due is over' }),
    etag: Type.String({ description: 'Its version, for If-Match' }),
  },
  { $id: 'OwnArtifact' },
);
export type OwnArtifact = Static<typeof OwnArtifact>;

export const listOwnArtifacts = defineRoute({
  method: 'GET',
  path: '/users/{id}/artifacts',
  kind: 'protected',
  summary: 'My open artifacts',
  description:
    'Only one’s own: those that you submitted, that are assigned to you, that you watch, or in which a text mentions you. `query` is `{"submitted_by": true}`, `{"assigned_to": true}`, `{"watched": true}`, `{"mentioned": true}` or several of them.',
  params: Type.Object({ id: Type.String({ description: 'self' }) }),
  query: Type.Object({
    query: Type.String({
      description:
        '{"submitted_by": true}, {"assigned_to": true}, {"watched": true}, {"mentioned": true} or several of them',
    }),
    order: Type.Optional(
      choice(['id', 'updated', 'due', 'rank'], {
        description:
          'id unless given; updated: the last changed first; due: the next due first, those without a date last',
      }),
    ),
  }),
  paging: { default: 250, maximum: 250 },
  response: Type.Array(OwnArtifact),
});

export const trackerArtifactRoutes = [
  listTrackerArtifacts,
  listParentArtifacts,
  listUsedLinkTypes,
  listOwnArtifacts,
] as const;
