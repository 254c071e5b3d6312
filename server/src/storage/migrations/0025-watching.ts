import type { Migration } from './migration.ts';

/** Artifacts and trackers that people asked to hear of. */
export const watching: Migration = {
  id: 25,
  name: 'watching',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table watch (kind ${text} not null, item_id ${integer} not null, account_id ${integer} not null references account (id), ` +
      `primary key (kind, item_id, account_id))${keyedTableOptions}`,
    'create index watch_by_account on watch (account_id, kind)',
  ],
};
