import type { Migration } from './migration.ts';

/** Search widgets of projects and of people, with the queries that are kept in them. */
export const crosstracker: Migration = {
  id: 13,
  name: 'crosstracker',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => [
    `create table search_widget (
      id ${identity},
      project_id ${integer} references project (id) on delete cascade,
      owner_id ${integer} references account (id) on delete cascade,
      title ${text} not null
    )${tableOptions}`,
    'create index search_widget_by_project on search_widget (project_id)',
    'create index search_widget_by_owner on search_widget (owner_id)',
    `create table search_query (
      number ${identity},
      id ${text} not null unique,
      widget_id ${integer} not null references search_widget (id) on delete cascade,
      tql_query ${text} not null,
      title ${text} not null,
      description ${text} not null,
      is_default ${integer} not null
    )${tableOptions}`,
    'create index search_query_by_widget on search_query (widget_id, number)',
  ],
};
