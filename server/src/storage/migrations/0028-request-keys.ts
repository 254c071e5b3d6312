import type { Migration } from './migration.ts';

/** Keys by which a write is recognised that is sent once more, and what came of it. */
export const requestKeys: Migration = {
  id: 28,
  name: 'request keys',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table request_key (account_id ${integer} not null references account (id), key ${text} not null, ` +
      `digest ${text} not null, outcome ${text}, made_at ${integer} not null, ` +
      `primary key (account_id, key))${keyedTableOptions}`,
    'create index request_key_by_time on request_key (made_at)',
  ],
};
