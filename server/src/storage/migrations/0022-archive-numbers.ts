import type { Migration } from './migration.ts';

/** Archives that people upload are numbered by themselves; those that are under way keep the addresses they have. */
export const archiveNumbers: Migration = {
  id: 22,
  name: 'archive numbers',
  statements: ({ columns: { integer } }) => [
    `alter table project_import add column archive_number ${integer}`,
    'update project_import set archive_number = id where upload_id is not null',
    'create unique index project_import_archive_number on project_import (archive_number)',
  ],
};
