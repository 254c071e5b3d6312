import Type, { type Static } from '@bundled/typebox';
import { Artifact } from './artifacts.ts';
import { mostItems } from './request-parts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export const Report = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    is_public: Type.Boolean({ description: 'Nobody owns it' }),
    is_default: Type.Boolean(),
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
  },
  { $id: 'Report' },
);
export type Report = Static<typeof Report>;

const withUnsavedChanges = Type.Optional(
  Type.Boolean({ description: 'Taken and ignored: there are no unsaved changes here' }),
);

export const listReports = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/tracker_reports',
  kind: 'hybrid',
  summary: 'Public reports of a tracker and my own, by name',
  description: 'Private reports of others are not told.',
  params: idParams,
  paging: { default: 10, maximum: 1000, minimum: 1 },
  response: Type.Array(Report),
});

export const getReport = defineRoute({
  method: 'GET',
  path: '/tracker_reports/{id}',
  kind: 'hybrid',
  summary: 'One report',
  description:
    'Name, visibility and where its artifacts are; `GET /tracker_reports/{id}/settings` tells the rest.',
  params: idParams,
  query: Type.Object({ with_unsaved_changes: withUnsavedChanges }),
  response: Report,
});

export const listReportArtifacts = defineRoute({
  method: 'GET',
  path: '/tracker_reports/{id}/artifacts',
  kind: 'hybrid',
  summary: 'Artifacts that a report finds, by id',
  description:
    '`values=all` adds the values of the fields; with `table_renderer_id` they are those of a table.',
  params: idParams,
  query: Type.Object({
    with_unsaved_changes: withUnsavedChanges,
    values: Type.Optional(
      choice(['all', 'from_table_renderer'], {
        description: 'Which values of the fields to give: none, all, or the columns of a table of the report',
      }),
    ),
    table_renderer_id: Type.Optional(
      Type.Integer({ description: 'Which table; needed where the report has several' }),
    ),
    output_format: Type.Optional(
      choice(['nested', 'flat', 'flat_with_semicolon_string_array'], {
        description:
          'nested unless given. The flat ones need values, and have one simple value for each field',
      }),
    ),
  }),
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Union([
    Type.Array(Artifact),
    Type.Array(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by short name' })),
  ]),
});

const Column = Type.Object(
  {
    field_id: Type.Integer(),
    artlink_nature: Type.Optional(
      nullable(Type.String({ description: 'Of links: the only type that is shown' })),
    ),
    artlink_nature_format: Type.Optional(
      nullable(Type.String({ description: 'Of links: how they are shown' })),
    ),
  },
  { $id: 'ReportColumn' },
);

const SortKey = Type.Object(
  { field_id: Type.Integer(), is_descending: Type.Optional(Type.Boolean()) },
  { $id: 'ReportSortKey' },
);

const rendererTypes = ['table', 'board', 'calendar', 'timeline', 'chart'] as const;

const aboutSettings =
  'By type. table: group_by, wraps_text, frozen_columns. board: columns_by, column_ids (a value, or a list of ' +
  'values that share a column), swimlanes_by, card_fields, limits ' +
  '{"<value id>": {max, is_strict}}, limits_count_all_swimlanes, hides_empty_swimlanes, collapsed_ids, colors_by. calendar: date, ' +
  'color_by. timeline: group_by, zoom, shows_links, color_by. chart: kind, by, sum, from, step. Fields go by their short names; ' +
  'what is not said is as usual; other members are refused. At most 64 kB.';

export const ReportRenderer = Type.Object(
  {
    id: Type.Integer(),
    type: choice([...rendererTypes]),
    label: Type.String(),
    description: Type.String(),
    page_size: Type.Integer(),
    has_usual_columns: Type.Boolean({ description: 'The columns follow the fields of the tracker' }),
    columns: Type.Array(Column),
    sort: Type.Array(SortKey),
    settings: Type.Record(Type.String(), Type.Unknown(), { description: aboutSettings }),
  },
  { $id: 'ReportRenderer' },
);
export type ReportRenderer = Static<typeof ReportRenderer>;

const aboutCriteria =
  'By short name or id of a field: a value, {"operator": …, "value": …}, or null for a field that is offered and asks for ' +
  'nothing. 100 among the values of a list finds artifacts without any. "@comments": words that a comment contains. ' +
  'Operators for every type: not, empty, filled. "me" among people is whoever looks.';

export const ReportSettings = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    description: Type.String(),
    tracker: Type.Object({ id: Type.Integer(), uri: Type.String() }),
    is_public: Type.Boolean(),
    is_default: Type.Boolean(),
    is_query_displayed: Type.Boolean(),
    is_in_expert_mode: Type.Boolean({ description: 'The query counts, instead of the criteria' }),
    expert_query: Type.String(),
    criteria: Type.Record(Type.String(), Type.Unknown(), { description: aboutCriteria }),
    renderers: Type.Array(ReportRenderer),
  },
  { $id: 'ReportSettings' },
);
export type ReportSettings = Static<typeof ReportSettings>;

const GivenCriteria = Type.Unsafe<unknown>({
  $id: 'ReportCriteria',
  description: aboutCriteria,
  patternProperties: { '^.*$': {} },
});

const GivenRendererSettings = Type.Unsafe<unknown>({
  $id: 'GivenRendererSettings',
  description: aboutSettings,
});

const mostRenderers = 50;
const largestPage = 1000;

const givenRenderer = Type.Object({
  id: Type.Optional(
    Type.Integer({
      description: 'A renderer that the report has; it keeps what is not given. None: a new one',
    }),
  ),
  type: Type.Optional(
    choice([...rendererTypes], { description: 'Of a new one: table where it is not given' }),
  ),
  label: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: largestPage })),
  columns: Type.Optional(
    nullable(
      Type.Array(Column, {
        maxItems: mostItems,
        description: 'In their order; null for the usual ones, which follow the fields of the tracker',
      }),
    ),
  ),
  sort: Type.Optional(Type.Array(SortKey, { maxItems: mostItems })),
  settings: Type.Optional(GivenRendererSettings),
});

const settings = {
  description: Type.Optional(Type.String()),
  is_public: Type.Optional(
    Type.Boolean({ description: 'For administrators of the tracker; what is made private becomes your own' }),
  ),
  is_default: Type.Optional(
    Type.Boolean({ description: 'One public report is the default: another one is that no more' }),
  ),
  is_query_displayed: Type.Optional(Type.Boolean({ description: 'Whether people see what it asks for' })),
  is_in_expert_mode: Type.Optional(
    Type.Boolean({ description: 'The query counts, instead of the criteria' }),
  ),
  expert_query: Type.Optional(Type.String({ description: 'A TQL condition; empty for all artifacts' })),
  criteria: Type.Optional(GivenCriteria),
  renderers: Type.Optional(
    Type.Array(givenRenderer, {
      maxItems: mostRenderers,
      description: 'All of them; those that are not named go',
    }),
  ),
};

export const createReport = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/tracker_reports',
  kind: 'protected',
  own: true,
  summary: 'Save a search: my own, or public for administrators of the tracker',
  description:
    'It asks by criteria or, in expert mode, by a query, and shows what it finds in tables, boards, calendars, timelines and charts.',
  example: {
    params: { id: 5 },
    body: {
      label: 'Blocking and open',
      is_public: true,
      criteria: { severity: 132, status: [123, 124, 125] },
    },
  },
  params: idParams,
  argument: 'report',
  body: Type.Object({ label: Type.String(), ...settings }),
  status: 201,
  headers: ['Location'],
  response: ReportSettings,
});

export const getReportSettings = defineRoute({
  method: 'GET',
  path: '/tracker_reports/{id}/settings',
  kind: 'hybrid',
  own: true,
  summary: 'All that a report asks for and how it shows it',
  description: 'Criteria, query and renderers, as `PATCH` takes them.',
  params: idParams,
  response: ReportSettings,
});

export const patchReportSettings = defineRoute({
  method: 'PATCH',
  path: '/tracker_reports/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'Change a report: my own, or a public one for administrators of the tracker',
  description: 'What is not given stays as it is. Everything is changed or nothing.',
  example: { params: { id: 1 }, body: { description: 'Every release, also those of last year' } },
  params: idParams,
  argument: 'report',
  body: Type.Object({ label: Type.Optional(Type.String()), ...settings }),
  response: ReportSettings,
});

export const deleteReport = defineRoute({
  method: 'DELETE',
  path: '/tracker_reports/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a report: my own, or a public one for administrators of the tracker',
  description: 'The default report stays until another one is the default.',
  params: idParams,
});

export const trackerReportRoutes = [
  listReports,
  getReport,
  listReportArtifacts,
  createReport,
  getReportSettings,
  patchReportSettings,
  deleteReport,
] as const;
