import type { Migration } from './migration.ts';

/** Sums tell what they are made from, so that nobody is shown one of something that they may not see: all are made anew. */
export const sumsByTrackers: Migration = {
  id: 16,
  name: 'sums by trackers',
  statements: ({ columns: { integer, text } }) => [
    `alter table artifact_total add column trackers ${text} not null default '*'`,
    `alter table artifact_total add column has_restricted ${integer} not null default 1`,
    'update summed_name set build = build + 1, is_ready = 0',
  ],
};
