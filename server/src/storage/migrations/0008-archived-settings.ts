import type { Migration } from './migration.ts';

/** What archives carry and other platforms act upon: kept, so that it is there when the project leaves again. */
export const archivedSettings: Migration = {
  id: 8,
  name: 'archived-settings',
  statements: ({ columns: { text } }) => [
    `alter table tracker add column kept ${text} not null default '{}'`,
    `alter table changeset add column email ${text}`,
  ],
};
