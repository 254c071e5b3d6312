import type { Migration } from './migration.ts';

/** PostgreSQL has postings and words, too. Where none were made yet, all artifacts and texts wait for theirs. */
export const postingsEverywhere: Migration = {
  id: 41,
  name: 'postings everywhere',
  statements: ({ numberNotes }) => [
    ...numberNotes('search_pending', 'artifact_id', 'ticket'),
    ...numberNotes('word_pending', 'id', 'ticket'),
    `insert into search_pending (artifact_id, ticket) select id, 0 from artifact
      where not exists (select 1 from posting) on conflict do nothing`,
    `insert into word_pending (id, ticket) select field_id * 4294967296 + artifact_id, 0 from artifact_text
      where not exists (select 1 from posting) on conflict do nothing`,
  ],
};
