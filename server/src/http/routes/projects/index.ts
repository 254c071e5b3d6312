/*
 * Routes of projects: projects.ts first; fields.ts, history.ts, imports.ts, labels.ts, pages.ts, people.ts, services.ts, settings.ts one subject each.
 */

export { projectFieldBindings } from './fields.ts';
export { projectHistoryBindings } from './history.ts';
export { projectImportBindings } from './imports.ts';
export { labelBindings } from './labels.ts';
export { projectPageBindings } from './pages.ts';
export { projectPeopleBindings } from './people.ts';
export { projectBindings } from './projects.ts';
export { projectServiceBindings } from './services.ts';
export { projectSettingsBindings } from './settings.ts';
