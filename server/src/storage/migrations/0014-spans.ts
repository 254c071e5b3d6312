import type { Migration } from './migration.ts';

/**
 * Postings tell dates, too: artifacts that were folded before are folded once more. PostgreSQL has no postings; there, those who do not
 * see restricted artifacts are told quickly which ones there are.
 */
export const spans: Migration = {
  id: 14,
  name: 'spans',
  statements: () => [
    'create index artifact_restricted on artifact (tracker_id, id) where is_restricted = 1',
    `insert into search_pending (artifact_id, ticket) select id, 1 from artifact where exists (select 1 from posting)
      on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
  ],
};
