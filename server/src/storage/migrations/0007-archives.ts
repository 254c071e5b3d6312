import type { Migration } from './migration.ts';

/** Projects that are being read from archives, and what came of it. */
export const archives: Migration = {
  id: 7,
  name: 'archives',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => [
    `create table project_import (${[
      `id ${identity}`,
      `project_id ${integer}`,
      `requested_by ${integer} not null`,
      `upload_id ${integer}`,
      `file_name ${text} not null`,
      `options ${text} not null`,
      `state ${text} not null`,
      `progress ${text}`,
      `report ${text}`,
      `fault ${text}`,
      `holder ${text}`,
      `seen_at ${integer} not null`,
      `created_at ${integer} not null`,
    ].join(', ')})${tableOptions}`,
    `create index project_import_unfinished on project_import (state) where state <> 'done' and state <> 'failed'`,
  ],
};
