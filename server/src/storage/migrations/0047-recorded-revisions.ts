import type { Migration } from './migration.ts';

/** Up to which revision the commits of a repository were written down. Where none was, what is there already is left as it is. */
export const recordedRevisions: Migration = {
  id: 47,
  name: 'recorded-revisions',
  statements: ({ columns: { integer } }) => [
    `alter table svn_repository add column recorded_revision ${integer}`,
    `update svn_repository set recorded_revision =
      (select max(revision) from svn_commit where repository_id = svn_repository.id)`,
  ],
};
