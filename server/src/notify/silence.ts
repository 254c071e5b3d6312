import type { Transaction } from '../storage/index.ts';

/** What the logs show of something that was waiting in a backup. */
const fault = 'It was waiting when the backup was made that this platform was restored from.';

/**
 * Gives up all that waits to be told to anybody: the platform that the copy was taken from tells it. Mails and deliveries stay in
 * the lists of failed ones, where somebody can send them after all.
 */
export async function silenceWaiting(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('outbox'));
  await tx.run(tx.sql.deleteFrom('digest_item'));
  await tx.run(tx.sql.updateTable('mail').set({ due_at: null, fault }).where('due_at', 'is not', null));
  const deliveries = tx.sql.updateTable('webhook_delivery').set({ state: 'failed', due_at: null, fault });
  await tx.run(deliveries.where('state', '=', 'waiting'));
  await tx.run(tx.sql.updateTable('webhook').set({ due_at: null }));
}
