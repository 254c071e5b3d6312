import type { Migration } from './migration.ts';

/** Events that wait take turns by whoever made them happen, and those of one artifact keep their order. What waits meanwhile has the turn of nobody. */
export const turnsOfEvents: Migration = {
  id: 46,
  name: 'turns-of-events',
  statements: ({ columns: { integer } }) => [
    `alter table outbox add column account_id ${integer} not null default 0`,
    `alter table outbox add column artifact_id ${integer}`,
    'create index outbox_by_turn on outbox (account_id, due_at, id)',
    'create index outbox_by_artifact on outbox (artifact_id, id) where artifact_id is not null',
  ],
};
