export { AnswerMemory } from './answer-memory.ts';
export { createApp } from './app.ts';
export { BodyBudget } from './body-budget.ts';
export { Door } from './door.ts';
export { ChangeShowing } from './present/changes.ts';
export { People } from './present/people.ts';
export type { Log, Services } from './services.ts';
export { Slices } from './slices.ts';
