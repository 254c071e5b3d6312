import type { Migration } from './migration.ts';

/** Accounts are found by mail address whatever the case of its letters, in the words of `identity/store.ts`, or the index would not be found. */
export const mailAddresses: Migration = {
  id: 48,
  name: 'mail-addresses',
  statements: () => [
    'drop index account_by_email',
    'create index account_by_email on account (lower(email))',
  ],
};
