export { createApp } from './app.ts';
export { Door } from './door.ts';
export { ChangeShowing } from './present/changes.ts';
export { People } from './present/people.ts';
export type { Log, Services } from './services.ts';
