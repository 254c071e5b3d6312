import type { Migration } from './migration.ts';

/** What attached files were described by before somebody described them anew. */
export const fileDescriptions: Migration = {
  id: 42,
  name: 'file-descriptions',
  statements: ({ columns: { text } }) => [`alter table attachment add column first_description ${text}`],
};
