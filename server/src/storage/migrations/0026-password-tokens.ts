import type { Migration } from './migration.ts';

/** What lets somebody choose the password of an account, once: by its digest alone. */
export const passwordTokens: Migration = {
  id: 26,
  name: 'password tokens',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => [
    `create table password_token (hash ${text} primary key, account_id ${integer} not null references account (id), ` +
      `purpose ${text} not null, requested_at ${integer} not null, expires_at ${integer} not null)${keyedTableOptions}`,
    'create index password_token_by_account on password_token (account_id, purpose)',
  ],
};
