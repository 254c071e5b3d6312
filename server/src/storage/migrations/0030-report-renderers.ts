import type { Migration } from './migration.ts';

/** Reports show what they find in other ways than tables, too. */
export const reportRenderers: Migration = {
  id: 30,
  name: 'report renderers',
  statements: ({ columns: { text } }) => [
    `alter table report_table add column type ${text} not null default 'table'`,
    `alter table report_table add column settings ${text} not null default '{}'`,
  ],
};
