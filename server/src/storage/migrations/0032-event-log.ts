import type { Migration } from './migration.ts';

/** What happened in the last minutes, for those who look at it as it happens. */
export const eventLog: Migration = {
  id: 32,
  name: 'event log',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => [
    `create table event_log (id ${identity}, number ${integer}, kind ${text} not null, payload ${text} not null, ` +
      `client ${text}, created_at ${integer} not null)${tableOptions}`,
    'create unique index event_log_by_number on event_log (number)',
    'create index event_log_by_time on event_log (created_at)',
    `insert into revision (name, value) values ('events', 0)`,
  ],
};
