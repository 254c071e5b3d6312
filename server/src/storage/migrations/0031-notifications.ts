import type { Migration } from './migration.ts';

/** What people are told of in their inbox, what they wish to be told of, and what waits for the next mail that sums up. */
export const notifications: Migration = {
  id: 31,
  name: 'notifications',
  statements: ({ columns: { identity, integer, text }, tableOptions, keyedTableOptions }) => [
    `create table notification (id ${identity}, account_id ${integer} not null references account (id), ` +
      `artifact_id ${integer} not null references artifact (id) on delete cascade, reason ${text} not null, ` +
      `changed_at ${integer} not null, came_at ${integer} not null, read_at ${integer}, done_at ${integer}, snoozed_until ${integer}, ` +
      `change_count ${integer} not null, people ${text} not null, field_ids ${text} not null, comment_id ${integer}, ` +
      `first_changeset_id ${integer} not null, last_changeset_id ${integer} not null)${tableOptions}`,
    'create unique index notification_by_artifact on notification (artifact_id, account_id)',
    'create index notification_by_account on notification (account_id, came_at)',
    'create index notification_snoozed on notification (snoozed_until) where snoozed_until is not null',
    'create index notification_done on notification (done_at) where done_at is not null',
    'create index notification_read on notification (read_at) where read_at is not null',

    `create table notification_wish (account_id ${integer} primary key references account (id), ` +
      `reasons ${text} not null, digest ${text} not null)${keyedTableOptions}`,

    `create table digest_item (account_id ${integer} not null references account (id), ` +
      `artifact_id ${integer} not null references artifact (id) on delete cascade, changeset_id ${integer} not null, ` +
      `reason ${text} not null, due_at ${integer} not null, primary key (account_id, artifact_id, changeset_id))${keyedTableOptions}`,
    'create index digest_item_by_due on digest_item (due_at)',
    'create index digest_item_by_artifact on digest_item (artifact_id)',
  ],
};
