import type { Migration } from './migration.ts';

/** What temporary files of somebody come to, so that nobody has to add them up at each chunk; those that expired are told apart by their index. */
export const temporaryUsage: Migration = {
  id: 43,
  name: 'temporary-usage',
  statements: ({ columns: { integer }, keyedTableOptions }) => [
    `create table temporary_usage (account_id ${integer} primary key references account (id), ` +
      `files ${integer} not null, bytes ${integer} not null)${keyedTableOptions}`,
    `insert into temporary_usage (account_id, files, bytes)
      select submitted_by, count(*), sum(size) from attachment where state = 'temporary' group by submitted_by`,
    'drop index attachment_by_submitter',
    'create index attachment_by_submitter on attachment (submitted_by, state, expires_at)',
  ],
};
