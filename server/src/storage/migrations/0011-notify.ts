import type { Migration } from './migration.ts';

/** Mails and webhooks: what is to be sent, to whom, and who does not want it. */
export const notify: Migration = {
  id: 11,
  name: 'notify',
  statements: ({ columns: { identity, integer, text }, tableOptions, keyedTableOptions }) => {
    const table = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${tableOptions}`;
    const keyed = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${keyedTableOptions}`;
    return [
      // What was written before anybody took it is as old as the platform.
      'delete from outbox',
      `alter table outbox add column attempts ${integer} not null default 0`,
      `alter table outbox add column due_at ${integer} not null default 0`,
      'create index outbox_by_due on outbox (due_at, id)',

      `alter table project add column has_truncated_mails ${integer} not null default 0`,

      keyed('secret', `name ${text} primary key`, `value ${text} not null`),

      table(
        'mail',
        `id ${identity}`,
        `kind ${text} not null`,
        `payload ${text} not null`,
        `account_id ${integer}`,
        `address ${text}`,
        `attempts ${integer} not null`,
        `due_at ${integer}`,
        `fault ${text}`,
        `created_at ${integer} not null`,
      ),
      'create index mail_by_due on mail (due_at, id) where due_at is not null',
      'create index mail_failed on mail (id) where due_at is null',

      keyed(
        'mail_choice',
        `who ${text} not null`,
        `kind ${text} not null`,
        `subject_id ${integer} not null`,
        'primary key (who, kind, subject_id)',
      ),

      table(
        'webhook',
        `id ${identity}`,
        `project_id ${integer} not null references project (id) on delete cascade`,
        `tracker_id ${integer} references tracker (id) on delete cascade`,
        `owner_id ${integer} not null`,
        `url ${text} not null`,
        `secret ${text} not null`,
        `events ${text} not null`,
        `is_enabled ${integer} not null`,
        `created_at ${integer} not null`,
      ),
      'create index webhook_by_project on webhook (project_id, tracker_id)',
      'create index webhook_by_tracker on webhook (tracker_id)',

      table(
        'webhook_delivery',
        `id ${identity}`,
        `webhook_id ${integer} not null references webhook (id) on delete cascade`,
        `owner_id ${integer} not null`,
        `event ${text} not null`,
        `body ${text} not null`,
        `state ${text} not null`,
        `attempts ${integer} not null`,
        `due_at ${integer}`,
        `status ${integer}`,
        `fault ${text}`,
        `answer ${text} not null`,
        `duration ${integer}`,
        `created_at ${integer} not null`,
        `tried_at ${integer}`,
      ),
      'create index webhook_delivery_by_due on webhook_delivery (due_at, id) where due_at is not null',
      'create index webhook_delivery_by_webhook on webhook_delivery (webhook_id, id)',
    ];
  },
};
