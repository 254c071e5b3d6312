/*
 * Trackers as forms: what `present/` shows of a tracker, with what the database has to tell first. context.ts reads it once for all fields of a form, trackers.ts
 * puts it together.
 */

export { groupPresenter } from './context.ts';
export { describeTracker, presentFormElement, presentPlainElement } from './trackers.ts';
