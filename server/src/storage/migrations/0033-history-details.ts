import type { Migration } from './migration.ts';

/** What stood there before and after, of what happened in a project. */
export const historyDetails: Migration = {
  id: 33,
  name: 'history-details',
  statements: ({ columns: { text } }) => [`alter table project_history add column details ${text}`],
};
