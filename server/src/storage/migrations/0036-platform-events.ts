import type { Migration } from './migration.ts';

/** What administrators of the platform can look up later: who signed in, whose rights changed, what was deleted. */
export const platformEvents: Migration = {
  id: 36,
  name: 'platform-events',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => [
    `create table platform_event (id ${identity}, happened_at ${integer} not null, account_id ${integer} not null, ` +
      `kind ${text} not null, subject ${text} not null, address ${text} not null, details ${text})${tableOptions}`,
    'create index platform_event_by_time on platform_event (happened_at)',
    'create index platform_event_by_account on platform_event (account_id, id)',
    'create index platform_event_by_kind on platform_event (kind, id)',
  ],
};
