/*
 * Routes of the platform itself: version, settings, tasks in the background, groups of the platform (`platform.ts`); accounts (`users.ts`); how it
 * is (`care.ts`); what happens there, as it happens (`events.ts`).
 */

export { platformCareBindings } from './care.ts';
export { eventBindings } from './events.ts';
export { platformBindings } from './platform.ts';
export { platformUserBindings } from './users.ts';
