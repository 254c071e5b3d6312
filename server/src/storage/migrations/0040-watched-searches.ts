import type { Migration } from './migration.ts';

/** Saved searches that people watch, and what each of them found when somebody last looked. */
export const watchedSearches: Migration = {
  id: 40,
  name: 'watched searches',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table watched_search (report_id ${integer} not null references report (id) on delete cascade, ` +
      `account_id ${integer} not null references account (id), asks ${text} not null, ` +
      `primary key (report_id, account_id))${keyedTableOptions}`,
    'create index watched_search_by_account on watched_search (account_id)',
    `create table search_match (report_id ${integer} not null, account_id ${integer} not null, artifact_id ${integer} not null, ` +
      'primary key (report_id, account_id, artifact_id), ' +
      `foreign key (report_id, account_id) references watched_search (report_id, account_id) on delete cascade)${keyedTableOptions}`,
    'create index search_match_by_artifact on search_match (artifact_id)',
  ],
};
