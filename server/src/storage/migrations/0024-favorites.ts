import type { Migration } from './migration.ts';

/** What people choose to have at hand, in their order; `unseen_since`: when it was first found hidden from its owner. */
export const favorites: Migration = {
  id: 24,
  name: 'favorites',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table favorite (account_id ${integer} not null references account (id), kind ${text} not null, ` +
      `item_id ${integer} not null, position ${integer} not null, unseen_since ${integer}, ` +
      `primary key (account_id, kind, item_id))${keyedTableOptions}`,
    'create index visit_by_time on visit (account_id, visited_at)',
  ],
};
