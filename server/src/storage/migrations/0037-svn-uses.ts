import type { Migration } from './migration.ts';

/** How often people read a repository, by Subversion and on its pages, each day. */
export const svnUses: Migration = {
  id: 37,
  name: 'svn-uses',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table svn_use (repository_id ${integer} not null references svn_repository (id) on delete cascade, ` +
      `day ${text} not null, account_id ${integer} not null, reads ${integer} not null, views ${integer} not null, ` +
      `primary key (repository_id, day, account_id))${keyedTableOptions}`,
    'create index svn_commit_by_time on svn_commit (repository_id, committed_at)',
  ],
};
