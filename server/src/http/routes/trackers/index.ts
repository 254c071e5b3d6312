/*
 * Routes of trackers: trackers.ts first; forms.ts, administration.ts, checks.ts, workflow.ts, reports.ts, link-types.ts, deleted.ts change them; mail-notifications.ts and webhooks.ts
 * say who is told.
 */

export { trackerAdministrationBindings } from './administration.ts';
export { trackerCheckBindings } from './checks.ts';
export { deletedTrackerBindings } from './deleted.ts';
export { trackerFormBindings } from './forms.ts';
export { linkTypeBindings } from './link-types.ts';
export { mailNotificationBindings } from './mail-notifications.ts';
export { trackerReportBindings } from './reports.ts';
export { trackerBindings } from './trackers.ts';
export { webhookBindings } from './webhooks.ts';
export { workflowBindings } from './workflow.ts';
