export { Activity } from './activity.tsx';
export type { HeartbeatEntry } from './calls.ts';
export { FirstSteps } from './first-steps-later.tsx';
export { HomePage } from './page.tsx';
export { ProjectList } from './project-list.tsx';
