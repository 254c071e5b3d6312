export { createApp } from './app.ts';
export type { Log, Services } from './services.ts';
