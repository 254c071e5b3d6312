import type { Migration } from './migration.ts';

/** The order of artifacts, sums that are kept, values that were removed, and what changes of trackers leave to be done. */
export const administration: Migration = {
  id: 5,
  name: 'administration',
  statements: ({ columns: { identity, integer, text }, tableOptions, keyedTableOptions }) => {
    // As `rankOf` in artifacts/ranks.ts has it.
    const rank = '(coalesce(rank, id * 1048576))';
    return [
      `alter table artifact add column rank ${integer}`,
      `create unique index artifact_by_rank on artifact (${rank})`,
      `create index artifact_by_tracker_and_rank on artifact (tracker_id, ${rank})`,
      `insert into revision (name, value) values ('ranks', 0)`,

      `alter table list_value add column deleted_at ${integer}`,
      'create index tracker_field_by_type on tracker_field (type, name)',
      `create index artifact_link_by_type on artifact_link (type) where type <> '' and type <> '_is_child'`,

      `create table link_retyping (${[
        `id ${identity}`,
        `parent_id ${integer} not null references tracker (id) on delete cascade`,
        `child_id ${integer} not null references tracker (id) on delete cascade`,
        `type ${text} not null`,
        `after_id ${integer} not null`,
      ].join(', ')})${tableOptions}`,

      `create table summed_name (${[
        `name ${text} primary key`,
        `build ${integer} not null`,
        `is_ready ${integer} not null`,
      ].join(', ')})${keyedTableOptions}`,
      `create table artifact_total (${[
        `artifact_id ${integer} not null references artifact (id) on delete cascade`,
        `name ${text} not null`,
        `build ${integer} not null`,
        `sum ${text} not null`,
        `parts ${integer} not null`,
        `is_manual ${integer} not null`,
        `is_shared ${integer} not null`,
        `is_stale ${integer} not null`,
        `ticket ${integer} not null`,
        'primary key (artifact_id, name)',
      ].join(', ')})${keyedTableOptions}`,
      'create index artifact_total_stale on artifact_total (name, artifact_id) where is_stale = 1',
    ];
  },
};
