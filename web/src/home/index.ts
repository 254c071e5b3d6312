/*
 * Where one begins: one's work, dashboards, projects and what happened.
 *
 * page.tsx          the tabs: read it first; visitors.tsx what those see who have no account
 * work-list.tsx, groups.ts, row-status.tsx, row-choices.tsx   artifacts that wait for somebody, in groups
 * project-list.tsx, activity.tsx   projects, and what happened in them
 * first-page.ts     which page the application opens with; first-steps/ (first-steps-later.tsx) what a new person is shown
 */

export { Activity } from './activity.tsx';
export type { HeartbeatEntry } from './calls.ts';
export { FirstSteps } from './first-steps-later.tsx';
export { HomePage } from './page.tsx';
export { ProjectList } from './project-list.tsx';
