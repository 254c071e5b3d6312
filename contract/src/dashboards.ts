import Type, { type Static } from '@bundled/typebox';
import { dashboardBounds, widgetKinds, widgetRoles } from './dashboard-bounds.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export { dashboardBounds, widgetKinds, widgetRoles };

const aboutSettings =
  'By kind. query: {query_id} of a kept query, or {tql_query}. report and chart: {report_id, renderer_id}; without a renderer its first one, of a chart the first chart. ' +
  'count: {tracker_id, expert_query, target}. burndown: {artifact_id, field_id}. activity: {project_id}. mine: {role} of ' +
  `${widgetRoles.join(', ')}. recent, favorites: {}. text: {commonmark}. links: a list of {label, href}. Other members are refused.`;

const minimal = {
  id: Type.Integer(),
  uri: Type.String(),
  title: Type.String(),
  project_id: nullable(Type.Integer({ description: 'Null for a dashboard of a person' })),
  is_default: Type.Boolean({ description: 'The one that is shown first; where there are any, one is' }),
  version: Type.Integer({ description: 'Another one after every change' }),
  may_change: Type.Boolean({ description: 'Whether you may change it' }),
};

export const MinimalDashboard = Type.Object(minimal, { $id: 'MinimalDashboard' });
export type MinimalDashboard = Static<typeof MinimalDashboard>;

export const DashboardWidget = Type.Object(
  {
    id: Type.Integer({ description: 'Told apart by it within its dashboard' }),
    kind: choice(widgetKinds),
    title: Type.String({ description: 'Empty where nobody chose one' }),
    label: Type.String({ description: 'The title, or else the name of what it shows; may be empty' }),
    is_hidden: Type.Boolean({
      description: 'What it shows is gone, or you may not see it: title, label and settings are empty',
    }),
    settings: Type.Unsafe<unknown>({ description: aboutSettings }),
  },
  { $id: 'DashboardWidget' },
);
export type DashboardWidget = Static<typeof DashboardWidget>;

export const DashboardRow = Type.Object(
  {
    cells: Type.Array(
      Type.Object({
        width: Type.Integer({ description: 'Columns of twelve' }),
        widgets: Type.Array(DashboardWidget, { description: 'One below the other' }),
      }),
    ),
  },
  { $id: 'DashboardRow' },
);
export type DashboardRow = Static<typeof DashboardRow>;

export const Dashboard = Type.Object({ ...minimal, rows: Type.Array(DashboardRow) }, { $id: 'Dashboard' });
export type Dashboard = Static<typeof Dashboard>;

const givenRows = Type.Array(
  Type.Object({
    cells: Type.Array(
      Type.Object({
        width: Type.Integer({
          minimum: 1,
          maximum: dashboardBounds.columns,
          description: 'The cells of a row have at most 12 columns together',
        }),
        widgets: Type.Array(
          Type.Object({
            id: Type.Optional(
              Type.Integer({ description: 'A widget that the dashboard has. None: a new one' }),
            ),
            kind: choice(widgetKinds),
            title: Type.Optional(Type.String({ 'x-mayBeEmpty': true })),
            settings: Type.Optional(Type.Unsafe<unknown>({ description: aboutSettings })),
          }),
          { minItems: 1, maxItems: dashboardBounds.widgets },
        ),
      }),
      { minItems: 1, maxItems: dashboardBounds.columns },
    ),
  }),
  { maxItems: dashboardBounds.widgets, description: 'At most 40 widgets in all' },
);

const dashboardArgument = 'dashboard';

export const listDashboards = defineRoute({
  method: 'GET',
  path: '/dashboards',
  kind: 'hybrid',
  own: true,
  summary: 'Dashboards of a project, or my own',
  description:
    'Without `project_id` one’s own. The default one first, then in the order in which they were made; what is on them is read one by one. At most 20, so there are no pages.',
  query: Type.Object({
    project_id: Type.Optional(Type.Integer({ description: 'Without it: my own dashboards' })),
  }),
  response: Type.Array(MinimalDashboard),
});

export const createDashboard = defineRoute({
  method: 'POST',
  path: '/dashboards',
  kind: 'protected',
  own: true,
  summary: 'Make a dashboard for a project, for its administrators, or for myself',
  description:
    'Empty, or with what another one shows that you see; what is hidden from you there is left out. The first one of a project or a person is the default. ' +
    'At most 20 for a project, and 20 for a person.',
  example: { body: { project_id: 101, title: 'Release 2.5' } },
  argument: dashboardArgument,
  body: Type.Object({
    title: Type.String(),
    project_id: Type.Optional(Type.Integer({ description: 'Without it the dashboard is my own' })),
    from_dashboard_id: Type.Optional(Type.Integer({ description: 'Takes over what is on that one' })),
  }),
  status: 201,
  headers: ['Location'],
  response: Dashboard,
});

export const getDashboard = defineRoute({
  method: 'GET',
  path: '/dashboards/{id}',
  kind: 'hybrid',
  own: true,
  summary: 'One dashboard',
  description:
    'Those of projects for whoever sees the project, those of people for their owner. What a widget shows is read by the routes of what it is about, with the rights of whoever looks; ' +
    'a widget about something that is hidden from you tells its kind and nothing else.',
  params: idParams,
  response: Dashboard,
});

export const putDashboard = defineRoute({
  method: 'PUT',
  path: '/dashboards/{id}',
  kind: 'protected',
  own: true,
  summary: 'Replace the title of a dashboard and all that is on it',
  description:
    'For administrators of its project, or for its owner. `version` is the one that was read: when somebody else was first, the answer is 409 with what is there now in `error.details.dashboard`. ' +
    'A widget with the id of one that is hidden from you stays what it is, wherever you put it. New widgets may show only what you see yourself.',
  example: {
    params: { id: 1 },
    body: {
      version: 1,
      title: 'Release 2.5',
      rows: [
        {
          cells: [
            {
              width: 4,
              widgets: [{ kind: 'count', title: 'Open bugs', settings: { tracker_id: 5 } }],
            },
            {
              width: 8,
              widgets: [{ kind: 'text', title: 'Goal', settings: { commonmark: 'Ship **2.5**.' } }],
            },
          ],
        },
      ],
    },
  },
  params: idParams,
  argument: dashboardArgument,
  body: Type.Object({
    version: Type.Integer({ description: 'The version that this replaces' }),
    title: Type.String(),
    is_default: Type.Optional(
      Type.Boolean({ description: 'True: this one is shown first, and another one no more' }),
    ),
    rows: givenRows,
  }),
  response: Dashboard,
});

export const deleteDashboard = defineRoute({
  method: 'DELETE',
  path: '/dashboards/{id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a dashboard',
  description:
    'For administrators of its project, or for its owner. What its widgets show stays; the oldest of the others becomes the default.',
  params: idParams,
  status: 204,
});

export const dashboardRoutes = [
  listDashboards,
  createDashboard,
  getDashboard,
  putDashboard,
  deleteDashboard,
] as const;
