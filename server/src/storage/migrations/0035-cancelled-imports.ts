import type { Migration } from './migration.ts';

/** Somebody wants an import to come to nothing. */
export const cancelledImports: Migration = {
  id: 35,
  name: 'cancelled-imports',
  statements: ({ columns: { integer } }) => [`alter table project_import add column cancelled_by ${integer}`],
};
