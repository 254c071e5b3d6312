/*
 * Routes of dashboards: dashboards.ts.
 */

export { dashboardBindings } from './dashboards.ts';
