import type { Migration } from './migration.ts';

/**
 * What waits for a time knows since when, so that a clock that was set back holds nothing up. Webhooks have turns, and
 * pauses of their own; mails have turns by project and receiver.
 */
export const waiting: Migration = {
  id: 15,
  name: 'waiting',
  statements: ({ columns: { integer, text } }) => {
    const add = (table: string, ...columns: string[]) =>
      columns.map((column) => `alter table ${table} add column ${column}`);
    const waitsSince = `waits_since ${integer} not null default 0`;
    return [
      ...add('outbox', waitsSince),
      'create index outbox_by_wait on outbox (waits_since)',

      ...add(
        'mail',
        waitsSince,
        `project_id ${integer} not null default 0`,
        `receiver ${text} not null default ''`,
      ),
      'create index mail_by_turn on mail (project_id, due_at, id) where due_at is not null',
      'create index mail_by_wait on mail (waits_since) where due_at is not null',

      ...add('webhook_delivery', waitsSince),
      'drop index webhook_delivery_by_due',
      'create index webhook_delivery_by_turn on webhook_delivery (webhook_id, due_at, id) where due_at is not null',
      'create index webhook_delivery_settled on webhook_delivery (webhook_id, id) where due_at is null',
      'create index webhook_delivery_by_wait on webhook_delivery (waits_since) where due_at is not null',

      ...add(
        'webhook',
        `due_at ${integer}`,
        waitsSince,
        `paused_until ${integer} not null default 0`,
        `failures ${integer} not null default 0`,
        `failing_since ${integer}`,
        `answered_at ${integer}`,
        `given_up_at ${integer}`,
        `warned_at ${integer}`,
      ),
      `update webhook set due_at =
        (select min(due_at) from webhook_delivery where webhook_delivery.webhook_id = webhook.id)`,
      'create index webhook_by_turn on webhook (project_id, due_at) where due_at is not null',
      'create index webhook_by_due on webhook (due_at) where due_at is not null',
      'create index webhook_by_wait on webhook (waits_since) where due_at is not null',
    ];
  },
};
