import type { Migration } from './migration.ts';

/**
 * Which trackers links lead between, so that a search knows where to look who may see the other ends. Postings tell links by
 * the tracker at the other end, too: artifacts that have links are folded once more.
 */
export const linkedTrackers: Migration = {
  id: 20,
  name: 'linked trackers',
  statements: ({ columns: { integer }, keyedTableOptions }) => [
    `create table tracker_link (${[
      `source_tracker_id ${integer} not null references tracker (id) on delete cascade`,
      `target_tracker_id ${integer} not null references tracker (id) on delete cascade`,
      'primary key (source_tracker_id, target_tracker_id)',
    ].join(', ')})${keyedTableOptions}`,
    'create index tracker_link_by_target on tracker_link (target_tracker_id, source_tracker_id)',
    `insert into tracker_link (source_tracker_id, target_tracker_id)
      select distinct source.tracker_id, target.tracker_id from artifact_link
      inner join artifact as source on source.id = artifact_link.source_id
      inner join artifact as target on target.id = artifact_link.target_id`,
    `insert into search_pending (artifact_id, ticket)
      select ends.id, 1 from (select source_id as id from artifact_link union select target_id from artifact_link) as ends
      where exists (select 1 from posting)
      on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
  ],
};
