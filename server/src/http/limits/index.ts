/*
 * What keeps one thread within its means.
 *
 * body-budget.ts    memory for bodies that arrive, shared fairly among callers; slots.ts who waits and who comes next
 * answer-memory.ts  memory for answers that are sent (decision 33)
 * slices.ts         long work in slices between other requests
 * listener.ts       connections, and a stop that lets nobody down
 */

export { AnswerMemory, AnswerRoom, CallerGone } from './answer-memory.ts';
export { BodyBudget, type BodyShare, callerAt, callerOf } from './body-budget.ts';
export { Door } from './listener.ts';
export { atOnce, Slices, type Steps } from './slices.ts';
