import Type, { type Static } from '@bundled/typebox';
import { defineRoute, idParams, nullable } from './route.ts';

export const SearchWidget = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    title: Type.String(),
    project_id: nullable(Type.Integer({ description: 'Null for a widget of a person' })),
  },
  { $id: 'SearchWidget' },
);
export type SearchWidget = Static<typeof SearchWidget>;

const widgetArgument = 'widget_representation';

export const listWidgets = defineRoute({
  method: 'GET',
  path: '/crosstracker_widget',
  kind: 'hybrid',
  own: true,
  summary: 'Search widgets of a project, or my own',
  description: 'Without `project_id` one’s own.',
  query: Type.Object({
    project_id: Type.Optional(Type.Integer({ description: 'Without it: my own widgets' })),
  }),
  paging: { default: 50, maximum: 50, minimum: 1 },
  response: Type.Array(SearchWidget),
});

export const createWidget = defineRoute({
  method: 'POST',
  path: '/crosstracker_widget',
  kind: 'protected',
  own: true,
  summary: 'Make a search widget for a project, for its administrators, or for myself',
  description: 'It keeps queries over several trackers and shows what they find.',
  example: { body: { project_id: 101, title: 'Open everywhere' } },
  argument: widgetArgument,
  body: Type.Object({
    project_id: Type.Optional(Type.Integer({ description: 'Without it the widget is my own' })),
    title: Type.Optional(Type.String()),
  }),
  status: 201,
  response: SearchWidget,
});

export const patchWidget = defineRoute({
  method: 'PATCH',
  path: '/crosstracker_widget/{id}',
  kind: 'protected',
  own: true,
  summary: 'Give a search widget another title',
  description: 'For administrators of its project, or for whom it belongs to.',
  example: { params: { id: 1 }, body: { title: 'Open in all trackers' } },
  params: idParams,
  argument: widgetArgument,
  body: Type.Object({ title: Type.String() }),
  response: SearchWidget,
});

export const deleteWidget = defineRoute({
  method: 'DELETE',
  path: '/crosstracker_widget/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a search widget with its queries',
  description: 'For administrators of its project, or for whom it belongs to.',
  params: idParams,
  status: 204,
});

export const SavedQuery = Type.Object(
  {
    id: Type.String({ description: 'A UUID of version 7' }),
    tql_query: Type.String(),
    title: Type.String(),
    description: Type.String(),
    is_default: Type.Boolean(),
  },
  { $id: 'SavedQuery' },
);
export type SavedQuery = Static<typeof SavedQuery>;

export const getWidget = defineRoute({
  method: 'GET',
  path: '/crosstracker_widget/{id}',
  kind: 'hybrid',
  summary: 'Queries of a search widget',
  description: 'Each with its id, by which it is run.',
  params: idParams,
  response: Type.Object({ queries: Type.Array(SavedQuery) }),
});

const QueryContent = Type.Object({
  widget_id: Type.Integer(),
  tql_query: Type.String({
    'x-mayBeEmpty': true,
    description: 'SELECT … FROM … WHERE … ORDER BY …; it is checked when it is run',
  }),
  title: Type.String({ 'x-mayBeEmpty': true }),
  description: Type.Optional(Type.String()),
  is_default: Type.Optional(Type.Boolean({ description: 'Other queries of the widget lose it' })),
});

const queryArgument = 'query_representation';
const queryParams = Type.Object({ id: Type.String({ description: 'UUID of the query' }) });

export const KeptQuery = Type.Object(
  {
    id: Type.String({ description: 'A UUID' }),
    uri: Type.String(),
    html_url: Type.String({ description: 'Its page' }),
    title: Type.String(),
    description: Type.String(),
    tql_query: Type.String(),
    is_default: Type.Boolean({ description: 'Whether its widget shows it first' }),
    widget_id: Type.Integer(),
    project: nullable(
      Type.Object({ id: Type.Integer(), uri: Type.String(), label: Type.String(), shortname: Type.String() }),
    ),
    may_change: Type.Boolean({ description: 'Whether you may change and delete it' }),
  },
  { $id: 'KeptQuery' },
);
export type KeptQuery = Static<typeof KeptQuery>;

export const listKeptQueries = defineRoute({
  method: 'GET',
  path: '/crosstracker_query',
  kind: 'hybrid',
  own: true,
  summary: 'Queries that are kept, wherever you see them',
  description:
    'Your own, then those of your projects, then those of other projects that you see; `project` is null for your own. All words must be in the title, anywhere inside ' +
    'longer ones and without regard to case and accents.',
  query: Type.Object({
    words: Type.Optional(Type.String({ maxLength: 1000 })),
    project_id: Type.Optional(Type.Integer({ description: 'Only those of this project' })),
  }),
  paging: { default: 50, maximum: 500 },
  response: Type.Array(KeptQuery),
});

export const createQuery = defineRoute({
  method: 'POST',
  path: '/crosstracker_query',
  kind: 'protected',
  summary: 'Keep a query in a search widget',
  description: 'For administrators of the project of the widget, or for whom it belongs to.',
  example: {
    body: {
      widget_id: 1,
      title: 'Open',
      tql_query: "SELECT @title, @status FROM @project = 'self' WHERE @status = OPEN()",
      is_default: true,
    },
  },
  argument: queryArgument,
  body: QueryContent,
  response: SavedQuery,
});

export const putQuery = defineRoute({
  method: 'PUT',
  path: '/crosstracker_query/{id}',
  kind: 'protected',
  summary: 'Replace a query of a search widget',
  description: 'For administrators of the project of the widget, or for whom it belongs to.',
  example: {
    params: { id: '0193b7a2-6c1e-7c3a-9a53-6f7c2b1d0e4f' },
    body: {
      widget_id: 1,
      title: 'Open, newest first',
      tql_query: "SELECT @title, @status FROM @project = 'self' WHERE @status = OPEN() ORDER BY @id DESC",
    },
  },
  params: queryParams,
  argument: queryArgument,
  body: QueryContent,
  response: SavedQuery,
});

export const deleteQuery = defineRoute({
  method: 'DELETE',
  path: '/crosstracker_query/{id}',
  kind: 'protected',
  summary: 'Delete a query of a search widget',
  description: 'For administrators of the project of the widget, or for whom it belongs to.',
  params: queryParams,
  status: 204,
});

export const QueryResult = Type.Object(
  {
    selected: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }), {
      description: '@artifact, then the columns in the order of SELECT',
    }),
    artifacts: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'A cell for each column, keyed by its name; its shape depends on the type of the column',
    }),
  },
  { $id: 'QueryResult' },
);

const paging = { default: 50, maximum: 50, minimum: 1 } as const;

export const getContent = defineRoute({
  method: 'GET',
  path: '/crosstracker_query/content',
  kind: 'hybrid',
  summary: 'Run a query over several trackers',
  description:
    'The answer has a column for everything that the query selects, and a row for each artifact that you may see.',
  query: Type.Object({
    query: Type.String({
      description:
        '{"tql_query": "SELECT … FROM … WHERE …", "widget_id": 12}; widget_id can be left out, and so can dashboard_id: both say from which project it is asked',
    }),
  }),
  paging,
  response: QueryResult,
});

export const getQueryContent = defineRoute({
  method: 'GET',
  path: '/crosstracker_query/{id}/content',
  kind: 'hybrid',
  summary: 'Run a kept query',
  description:
    'The answer has a column for everything that the query selects, and a row for each artifact that you may see.',
  params: queryParams,
  paging,
  response: QueryResult,
});

const linksDescription = 'Of the query only SELECT and ORDER BY are used.';

export const getForwardLinks = defineRoute({
  method: 'GET',
  path: '/crosstracker_widget/{id}/forward_links',
  kind: 'hybrid',
  summary: 'Artifacts that an artifact links to, with the columns of a query',
  description: linksDescription,
  params: idParams,
  query: Type.Object({ tql_query: Type.String(), source_artifact_id: Type.Integer() }),
  paging,
  response: QueryResult,
});

export const getReverseLinks = defineRoute({
  method: 'GET',
  path: '/crosstracker_widget/{id}/reverse_links',
  kind: 'hybrid',
  summary: 'Artifacts that link to an artifact, with the columns of a query',
  description: linksDescription,
  params: idParams,
  query: Type.Object({ tql_query: Type.String(), target_artifact_id: Type.Integer() }),
  paging,
  response: QueryResult,
});

export const crossTrackerRoutes = [
  listWidgets,
  createWidget,
  getWidget,
  patchWidget,
  deleteWidget,
  getForwardLinks,
  getReverseLinks,
  getContent,
  getQueryContent,
  listKeptQueries,
  createQuery,
  putQuery,
  deleteQuery,
] as const;
