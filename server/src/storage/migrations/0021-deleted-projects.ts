import type { Migration } from './migration.ts';

/**
 * When a project was deleted, by whom, what it was before, and when nothing of it will be left. Those that were deleted before
 * this was kept are treated as if they had been deleted now.
 */
export const deletedProjects: Migration = {
  id: 21,
  name: 'deleted projects',
  statements: ({ columns: { integer, text } }) => [
    `alter table project add column deleted_at ${integer}`,
    `alter table project add column deleted_by ${integer}`,
    `alter table project add column deleted_from ${text}`,
    `alter table project add column purge_due_at ${integer}`,
    `update project set deleted_at = ${Date.now()}, deleted_by = 0, deleted_from = 'active', purge_due_at = ${Date.now() + 30 * 24 * 3_600_000}
      where status = 'deleted'`,
    'create index project_by_purge on project (purge_due_at) where purge_due_at is not null',
  ],
};
