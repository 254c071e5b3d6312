import type { Migration } from './migration.ts';

/** Saved searches of trackers. Every tracker has a public one that comes first. */
export const reports: Migration = {
  id: 12,
  name: 'reports',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => {
    const table = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${tableOptions}`;
    return [
      table(
        'report',
        `id ${identity}`,
        `tracker_id ${integer} not null references tracker (id) on delete cascade`,
        `owner_id ${integer} references account (id) on delete cascade`,
        `name ${text} not null`,
        `name_key ${text} not null`,
        `description ${text} not null`,
        `is_default ${integer} not null`,
        `is_query_displayed ${integer} not null`,
        `uses_query ${integer} not null`,
        `query ${text} not null`,
        `criteria ${text} not null`,
      ),
      'create index report_by_tracker on report (tracker_id, name_key)',
      'create index report_by_owner on report (owner_id) where owner_id is not null',
      'create unique index report_default on report (tracker_id) where is_default = 1',
      table(
        'report_table',
        `id ${identity}`,
        `report_id ${integer} not null references report (id) on delete cascade`,
        `name ${text} not null`,
        `description ${text} not null`,
        `rank ${integer} not null`,
        `page_size ${integer} not null`,
        `columns ${text}`,
        `sort ${text} not null`,
      ),
      'create index report_table_by_report on report_table (report_id)',
      `insert into report (tracker_id, name, name_key, description, is_default, is_query_displayed, uses_query, query, criteria)
        select id, 'Default', 'default', '', 1, 1, 0, '', '[]' from tracker`,
      `insert into report_table (report_id, name, description, rank, page_size, columns, sort)
        select id, 'Table', '', 0, 15, null, '[]' from report`,
    ];
  },
};
