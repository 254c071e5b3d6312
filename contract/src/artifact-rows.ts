import Type, { type Static } from '@bundled/typebox';
import { Status } from './artifacts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** What tables, counts and exports look for: everything that is given must hold. */
export const searchParameters = {
  query: Type.Optional(
    Type.String({
      description:
        'Criteria as JSON, as those of reports: 100 finds artifacts without a value, `@comments` words in comments. ' +
        'Operators beside those of each type: not (none of the values), empty, filled; `me` is you, in lists of people',
    }),
  ),
  expert_query: Type.Optional(Type.String({ description: 'A query' })),
  report_id: Type.Optional(
    Type.Integer({ minimum: 1, description: 'What this report of the tracker finds' }),
  ),
  overlaps: Type.Optional(
    Type.String({
      description: '2026-11-01/2026-12-31: only artifacts whose timeframe touches these days, both included',
    }),
  ),
  linked_to: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only artifacts that are linked with this one' }),
  ),
  parent: Type.Optional(Type.Integer({ minimum: 1, description: 'Only children of this artifact' })),
};

export const RowColumn = Type.Object(
  {
    name: Type.String(),
    field_id: nullable(Type.Integer()),
    type: choice(
      [
        'numeric',
        'text',
        'date',
        'user',
        'list_user',
        'list_static',
        'list_user_group',
        'files',
        'links',
        'references',
        'artifact',
        'children',
        'boolean',
      ],
      { description: 'What kind of cells it has' },
    ),
    label: Type.String(),
  },
  { $id: 'RowColumn' },
);
export type RowColumn = Static<typeof RowColumn>;

export const RowCell = Type.Object(
  { value: Type.Unknown() },
  {
    $id: 'RowCell',
    additionalProperties: true,
    description:
      'By the type of its column. numeric: a number or null. text: without markup, at most 300 characters, with `is_cut`. ' +
      'date: ISO 8601 or null, with `with_time`. user, list_user: people with id, display_name and avatar_url. ' +
      'list_static: values with id, label and color. list_user_group: groups with id and label. files, links, references: ' +
      'at most 50, with `is_cut` where there are more. artifact: id, xref and title, or null. children: numbers of open and closed ones.',
  },
);

export const ArtifactRow = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    xref: Type.String(),
    etag: Type.String({ description: 'Its version, for If-Match' }),
    title: nullable(Type.String()),
    full_status: nullable(Status),
    is_open: Type.Boolean(),
    may_update: Type.Boolean({ description: 'Whether you may change some field of it' }),
    cells: Type.Record(Type.String(), RowCell, { description: 'By the names of the columns' }),
  },
  { $id: 'ArtifactRow' },
);
export type ArtifactRow = Static<typeof ArtifactRow>;

export const listRows = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifact_rows',
  kind: 'hybrid',
  own: true,
  summary: 'Artifacts of a tracker as rows of a table',
  description:
    'Those that meet the criteria, the query and the report together, or all; sorted by up to five names. Without a value ' +
    'artifacts come last in both directions, and those that are alike by id. Columns of fields that you may not read are left out.',
  params: idParams,
  query: Type.Object({
    ...searchParameters,
    columns: names(
      'Short names of fields, several times or with commas, at most 60; the usual columns of reports unless given. Beside ' +
        'fields: @start, @end, @progress, @parent, @children, @links, @comments, @files, @last_update_date, @last_update_by, ' +
        '@submitted_on, @submitted_by, @rank, @watched',
    ),
    sort: names(
      'Names, those with - in front descending, at most 5; id unless given. By @parent children of the same artifact stand together, in the order of its id',
    ),
  }),
  paging: { default: 100, maximum: 500, minimum: 1 },
  response: Type.Object({ columns: Type.Array(RowColumn), rows: Type.Array(ArtifactRow) }),
});

const bucketMembers = {
  key: Type.Union([Type.Integer(), Type.String(), Type.Boolean(), Type.Null()], {
    description:
      'The id of the value, of the person or of the parent, the first day, whether it is open; null for none',
  }),
  label: Type.String(),
  xref: Type.Optional(
    Type.String({ description: 'Of a parent, how it is referred to; the label is its title' }),
  ),
  color: nullable(Type.String()),
  count: Type.Integer(),
  sum: nullable(Type.Number()),
};

export const CountBucket = Type.Object(
  {
    ...bucketMembers,
    buckets: Type.Optional(
      Type.Array(Type.Object(bucketMembers), { description: 'By the second name, where there are two' }),
    ),
  },
  { $id: 'CountBucket' },
);
export type CountBucket = Static<typeof CountBucket>;

export const ArtifactCounts = Type.Object(
  {
    size: Type.Integer({ description: 'All that is found, each once' }),
    sum: nullable(Type.Number()),
    buckets: Type.Array(CountBucket),
  },
  { $id: 'ArtifactCounts' },
);
export type ArtifactCounts = Static<typeof ArtifactCounts>;

export const countArtifacts = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifact_counts',
  kind: 'hybrid',
  own: true,
  summary: 'How many artifacts of a tracker have what in common',
  description:
    'Counts what the search of GET /trackers/{id}/artifact_rows finds. An artifact with two values of a list counts in both; ' +
    'with :first behind the name by the one that rows are sorted by, and buckets come in the order of those rows. By @parent an artifact counts once, with the parent that rows show; a parent that you do not see is none. Values without artifacts are there with 0; at most 1000 buckets.',
  params: idParams,
  query: Type.Object({
    ...searchParameters,
    by: Type.Array(Type.String(), {
      description:
        'One or two names, several times or with commas: a list, a person, is_open, @parent, or a date with its step behind it: due:day, due:week, due:month',
    }),
    sum: Type.Optional(Type.String({ description: 'A field of numbers that are summed up' })),
  }),
  response: ArtifactCounts,
});

export const TrendSeries = Type.Object(
  {
    key: Type.Union([Type.Integer(), Type.String(), Type.Null()], {
      description: 'The id of a value of the status, null for none; otherwise what is counted',
    }),
    label: Type.String(),
    color: nullable(Type.String()),
    values: Type.Array(nullable(Type.Number()), {
      description: 'One for each step, as it was at its end; null where the step has not begun',
    }),
  },
  { $id: 'TrendSeries' },
);
export type TrendSeries = Static<typeof TrendSeries>;

export const ArtifactTrends = Type.Object(
  {
    steps: Type.Array(Type.String(), { description: 'The first day of each step' }),
    series: Type.Array(TrendSeries),
  },
  { $id: 'ArtifactTrends' },
);
export type ArtifactTrends = Static<typeof ArtifactTrends>;

export const getTrends = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifact_trends',
  kind: 'hybrid',
  own: true,
  summary: 'How the artifacts of a tracker came to be what they are',
  description:
    'Numbers over time, read out of the history of what the search of GET /trackers/{id}/artifact_rows finds today. ' +
    'states: how many were in each value of the status. flow: how many were created and how many were closed in each step; ' +
    'closed are those that are closed at its end and were not at its begin. total: how many were open, and how many there were. ' +
    'effort: the sum of a field over all of them and over the closed ones. Days are those of the server, weeks begin on Monday.',
  params: idParams,
  query: Type.Object({
    ...searchParameters,
    kind: choice(['states', 'flow', 'total', 'effort']),
    from: Type.Optional(Type.String({ description: 'The first day; 90 days before the last unless given' })),
    to: Type.Optional(Type.String({ description: 'The last day; today unless given. At most 800 steps' })),
    step: Type.Optional(choice(['day', 'week', 'month'], { description: 'day unless given' })),
    field: Type.Optional(Type.String({ description: 'effort: the short name of a field of numbers' })),
    artifact: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only children of this artifact, as parent' }),
    ),
  }),
  response: ArtifactTrends,
});

export const artifactRowRoutes = [listRows, countArtifacts, getTrends] as const;
