import { type Selectable, statement, type Tables, type Transaction } from '../storage/index.ts';

export type WebhookRow = Selectable<Tables['webhook']>;

/** When a delivery is due that somebody asked for: it is made by a webhook that is switched off, too. */
export const askedFor = 0;

const firstWaiting = statement((sql, p: { webhookId: number }) =>
  sql
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
    .select('delivery.due_at')
    .where('delivery.webhook_id', '=', p.webhookId)
    .where('delivery.due_at', 'is not', null)
    .where((row) => row.or([row('webhook.is_enabled', '=', 1), row('delivery.due_at', '=', askedFor)]))
    .orderBy('delivery.due_at')
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

/** Ends the pauses of what waits: whoever changed something may have mended what failed. */
export async function wakeDeliveries(tx: Transaction, webhookId: number): Promise<void> {
  const now = Date.now();
  const waiting = tx.sql.updateTable('webhook_delivery').set({ due_at: now, waits_since: now });
  await tx.run(waiting.where('webhook_id', '=', webhookId).where('due_at', '>', now));
}
