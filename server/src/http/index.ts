export { createApp } from './app.ts';
export { AnswerMemory } from './pipeline/answer-memory.ts';
export { BodyBudget } from './pipeline/body-budget.ts';
export { Door } from './pipeline/listener.ts';
export { Slices } from './pipeline/slices.ts';
export { ChangeShowing } from './present/changes.ts';
export { People } from './present/people.ts';
export type { Log, Services } from './services.ts';
export { WebApplication } from './site/web-application.ts';
