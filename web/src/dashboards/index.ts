/*
 * Dashboards of people and projects.
 *
 * page.tsx          a dashboard, seen and arranged: read it first
 * tiles.ts          the kinds of widgets; widgets.tsx what each shows, settings-dialog.tsx what each is told; spark.tsx, states-asked.ts
 * grid.tsx, arrange.ts, drag.ts   rows of tiles, and how they are moved by mouse and keys
 */

export {
  DashboardOnPage,
  DashboardPage,
  DefaultDashboard,
  NewOwnDashboard,
  ProjectDashboardsPage,
} from './page.tsx';
