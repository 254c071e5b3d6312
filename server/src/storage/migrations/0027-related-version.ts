import type { Migration } from './migration.ts';

/** The counter that rises with what an artifact shows of others is called what it is. */
export const relatedVersion: Migration = {
  id: 27,
  name: 'related version',
  statements: () => ['alter table artifact rename column surroundings to related_version'],
};
