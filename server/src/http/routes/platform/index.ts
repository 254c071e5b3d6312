/*
 * Routes of the platform itself: version, settings, tasks in the background, groups of the platform (`platform.ts`).
 */

export { platformBindings } from './platform.ts';
