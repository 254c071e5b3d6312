import type { Migration } from './migration.ts';

/** People whom texts of artifacts mention, with the changeset that named them first. */
export const mentions: Migration = {
  id: 29,
  name: 'mentions',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table mention (artifact_id ${integer} not null references artifact (id) on delete cascade, ` +
      `origin ${text} not null, account_id ${integer} not null references account (id), ` +
      `changeset_id ${integer} not null, primary key (artifact_id, origin, account_id))${keyedTableOptions}`,
    'create index mention_by_account on mention (account_id, artifact_id)',
    'create index mention_by_changeset on mention (changeset_id)',
  ],
};
