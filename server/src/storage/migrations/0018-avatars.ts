import type { Migration } from './migration.ts';

/** Pictures that people upload of themselves. */
export const avatars: Migration = {
  id: 18,
  name: 'avatars',
  statements: ({ columns: { integer, text, bytes }, keyedTableOptions }) => [
    `alter table account add column avatar_hash ${text}`,
    `create table avatar (account_id ${integer} primary key, picture ${bytes} not null)${keyedTableOptions}`,
  ],
};
