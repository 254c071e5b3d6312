import type { Migration } from './migration.ts';

/** Jobs know who works on them, so that others can tell one that was cut off from one that is done. */
export const heldJobs: Migration = {
  id: 19,
  name: 'held jobs',
  statements: ({ columns: { integer, text } }) => [
    `alter table job add column holder ${text}`,
    `alter table job add column held_until ${integer} not null default 0`,
  ],
};
