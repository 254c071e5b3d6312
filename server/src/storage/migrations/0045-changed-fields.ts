import type { Migration } from './migration.ts';

/** Entries of an index have room for no more on PostgreSQL; whoever reads looks inside the changes then. */
const longest = 2000;

/**
 * Which fields each changeset changes, beside the changes, which may be long; and who commented. What the mark of a comment is says
 * `artifacts/comments.ts`, and in the same words, or the index would not be found.
 */
export const changedFields: Migration = {
  id: 45,
  name: 'changed-fields',
  statements: ({ columns: { text }, keysIn }) => [
    `alter table changeset add column field_ids ${text}`,
    `update changeset set field_ids = coalesce(${keysIn('changes')}, '')`,
    `update changeset set field_ids = null where length(field_ids) > ${longest}`,
    'drop index changeset_by_artifact',
    'create index changeset_by_artifact on changeset (artifact_id, id, field_ids)',
    `create index changeset_by_commenter on changeset (artifact_id, (case
      when comment is null or comment like '{"content":"",%' then 0
      when comment like '{"content":"%,"groups":null}' then 1
      else 2 end), submitted_by) where comment is not null`,
  ],
};
