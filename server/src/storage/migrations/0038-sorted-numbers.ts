import type { Migration } from './migration.ts';

/** Postings tell numbers, too: artifacts with numbers that were folded before are folded once more. PostgreSQL has no postings. */
export const sortedNumbers: Migration = {
  id: 38,
  name: 'sorted numbers',
  statements: () => [
    `insert into search_pending (artifact_id, ticket)
      select distinct artifact_id, 1 from artifact_measure
      where field_id in (select id from tracker_field where type in ('int', 'float'))
      and exists (select 1 from posting)
      on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
  ],
};
