import type { Migration } from './migration.ts';

/** Each widget stands in a row of its own; what is left out after 40 is still where queries are kept. */
const rowOf =
  `'{"cells":[{"width":12,"widgets":[{"id":' || cast(place as text) || ` +
  `',"kind":"query","title":"","settings":{"query_id":"' || id || '"}}]}]}'`;

/** Dashboards of projects and of people; queries that are kept already appear on a first one. */
export const dashboards: Migration = {
  id: 34,
  name: 'dashboards',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => [
    `create table dashboard (
      id ${identity},
      project_id ${integer} references project (id) on delete cascade,
      owner_id ${integer} references account (id) on delete cascade,
      title ${text} not null,
      title_key ${text} not null,
      is_default ${integer} not null,
      version ${integer} not null,
      next_widget_id ${integer} not null,
      content ${text} not null
    )${tableOptions}`,
    'create index dashboard_by_project on dashboard (project_id)',
    'create index dashboard_by_owner on dashboard (owner_id)',
    `insert into dashboard (project_id, owner_id, title, title_key, is_default, version, next_widget_id, content)
      select project_id, owner_id, 'Queries', 'queries', 1, 1, max(place) + 1, '[' || string_agg(${rowOf}, ',' order by place) || ']'
      from (
        select search_widget.project_id, search_widget.owner_id, search_query.id,
          row_number() over (
            partition by search_widget.project_id, search_widget.owner_id order by search_widget.id, search_query.number
          ) as place
        from search_query join search_widget on search_widget.id = search_query.widget_id
      ) as kept
      where place <= 40
      group by project_id, owner_id`,
  ],
};
