/*
 * Routes that search over everything: cross-tracker.ts (queries and their widgets), full-text.ts (words), quick.ts (names, while somebody types).
 */

export { crossTrackerBindings } from './cross-tracker.ts';
export { fullTextBindings } from './full-text.ts';
export { quickSearchBindings } from './quick.ts';
