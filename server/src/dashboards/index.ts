/*
 * Dashboards: tiles that projects and people arrange.
 *
 * model.ts    what a dashboard is: read it first
 * settings.ts what each kind of widget is told, and how that is checked
 * shown.ts    what widgets are about, as far as a viewer sees it
 * read.ts     which dashboards somebody sees; change.ts what people change; store.ts rows; quick-search.ts by words;
 *             renaming.ts follows fields and values that queries name
 *
 * A dashboard keeps no content of trackers: whoever looks reads that with their own rights. What is hidden from them is told neither by
 * title nor by settings, and stays as it is when they arrange the rest.
 */

export { dashboardOperations, dashboardSearches } from './change.ts';
export type { Dashboard } from './model.ts';
export { listDashboards, requireDashboard, type SeenDashboard } from './read.ts';
export { dashboardsOfTrackers } from './renaming.ts';
export { rowsFrom } from './settings.ts';
export { copiedRows, requireShown, type ShownWidget, shownWidgets } from './shown.ts';
