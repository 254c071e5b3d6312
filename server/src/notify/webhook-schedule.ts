import { type Selectable, statement, type Tables, type Transaction } from '../storage/index.ts';

export type WebhookRow = Selectable<Tables['webhook']>;

const firstWaiting = statement((sql, p: { webhookId: number }) =>
  sql
    .selectFrom('webhook_delivery')
    .select('due_at')
    .where('webhook_id', '=', p.webhookId)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1),
);

/**
 * Puts a webhook behind all others that have something to be told, when its next delivery and its receiver are ready. `change`: what else
 * its row gets to know of its receiver.
 */
export async function reschedule(
  tx: Transaction,
  { id, paused_until }: Pick<WebhookRow, 'id' | 'paused_until'>,
  change: Partial<WebhookRow> = {},
): Promise<void> {
  const now = Date.now();
  const first = (await tx.first(firstWaiting, { webhookId: id }))?.due_at ?? null;
  const readyAt = change.paused_until ?? paused_until;
  const due_at = first === null ? null : Math.max(now, first, readyAt);
  const stored = { ...change, due_at, waits_since: now };
  await tx.run(tx.sql.updateTable('webhook').set(stored).where('id', '=', id));
}
