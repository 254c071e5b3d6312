export { Activity } from './activity.tsx';
export type { HeartbeatEntry } from './calls.ts';
export { HomePage } from './page.tsx';
export { ProjectList } from './project-list.tsx';
