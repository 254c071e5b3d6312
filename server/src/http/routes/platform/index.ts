/*
 * Routes of the platform itself: version, settings, tasks in the background, groups of the platform (`platform.ts`); what happens there, as it happens (`events.ts`).
 */

export { eventBindings } from './events.ts';
export { platformBindings } from './platform.ts';
