import { day, formatInstant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { insertMails } from './mails.ts';
import { lease, pauseAfter } from './retries.ts';
import { trimLog } from './webhook-log.ts';
import { webhookMailOrder } from './webhook-mail.ts';
import type { WebhookRow } from './webhook-schedule.ts';

/** When a webhook is due, and how its receiver does: what stands on its row beside what people chose. */
export type ReceiverState = Pick<WebhookRow, 'due_at' | 'paused_until' | 'failures' | 'failing_since'>;

/** A receiver that took something is well. Undefined: that is known. */
export function afterSuccess({ failures, answered_at }: WebhookRow): Partial<WebhookRow> | undefined {
  if (failures === 0 && answered_at !== null) return undefined;
  return { failures: 0, failing_since: null, paused_until: 0, answered_at: Date.now() };
}

/** Nobody else tries a receiver that fails while somebody does. */
export const whileTried = () => ({ paused_until: Date.now() + lease });

/** How a receiver that failed once more is left alone; undefined: it was away for a day. */
export function afterFailure(
  { failures, failing_since }: ReceiverState,
  /** Its failures when the try began: of several at once, one counts. */
  failuresThen: number,
): Pick<WebhookRow, 'failures' | 'failing_since' | 'paused_until'> | undefined {
  const now = Date.now();
  const count = failures === failuresThen ? failures + 1 : failures;
  const pause = pauseAfter(count);
  return pause === undefined
    ? undefined
    : { failures: count, failing_since: failing_since ?? now, paused_until: now + pause };
}

/** What was given up, for whoever is told. */
interface Loss {
  readonly deliveries: number;
  readonly fault: string;
  readonly isSwitchedOff: boolean;
}

/** Tells the owner by mail, once a day at the most. */
async function warn(tx: Transaction, hook: WebhookRow, loss: Loss): Promise<void> {
  const now = Date.now();
  const { warned_at } = hook;
  const isRecent = warned_at !== null && warned_at <= now && warned_at > now - day;
  if (isRecent && !loss.isSwitchedOff) return;
  await insertMails(tx, [webhookMailOrder(hook, { ...loss, since: hook.failing_since, at: now })]);
  await tx.run(tx.sql.updateTable('webhook').set({ warned_at: now }).where('id', '=', hook.id));
}

/** Tells the owner of one delivery that was given up while the receiver takes others. */
export const warnOfLoss = (tx: Transaction, hook: WebhookRow, fault: string) =>
  warn(tx, hook, { deliveries: 1, fault, isSwitchedOff: false });

/** The entry of the log that says so. */
async function logGivingUp(tx: Transaction, hook: WebhookRow, { deliveries, fault }: Loss): Promise<void> {
  const now = Date.now();
  const { id: webhook_id, owner_id, failing_since } = hook;
  const since = formatInstant(failing_since ?? now);
  const body = JSON.stringify({ event: givenUpEvent, webhook_id, deliveries, since });
  const settled = { state: 'failed', attempts: 0, due_at: null, waits_since: now, answer: '' } as const;
  const row = { webhook_id, owner_id, event: givenUpEvent, body, fault, created_at: now, ...settled };
  await tx.run(tx.sql.insertInto('webhook_delivery').values(row));
}
export const givenUpEvent = 'given_up';

/** Gives up a receiver that took nothing for a day: it is told nothing more until somebody switches its webhook on. */
export async function giveUpReceiver(
  tx: Transaction,
  hook: WebhookRow,
  { lastFault, sendsMail }: { lastFault: string; sendsMail: boolean },
): Promise<void> {
  const now = Date.now();
  const waiting = tx.sql.selectFrom('webhook_delivery').where('webhook_id', '=', hook.id);
  const count = await tx.first(
    waiting.where('due_at', 'is not', null).select((row) => row.fn.countAll<number>().as('size')),
  );
  const deliveries = count?.size ?? 0;
  const since = formatInstant(hook.failing_since ?? now);
  const fault =
    `The receiver took nothing since ${since}, so it was given up with ${deliveries} waiting deliveries ` +
    `and the webhook was switched off. The last try: ${lastFault}`;
  const loss = { deliveries, fault, isSwitchedOff: true };
  const off = { is_enabled: 0, given_up_at: now, due_at: null } as const;
  await tx.run(tx.sql.updateTable('webhook').set(off).where('id', '=', hook.id));
  await logGivingUp(tx, hook, loss);
  if (sendsMail) await warn(tx, hook, loss);
  await tx.touch('structure');
}

/** Deliveries of one transaction. */
const mostAtOnce = 500;

const givenUp = 'The receiver was given up: it took nothing for a day.';

/** Settles what waits for receivers that were given up, in parts; tells whether there may be more. */
export async function settleGivenUp(tx: Transaction, _viewer: Viewer, _: undefined): Promise<boolean> {
  const waiting = tx.sql
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.webhook_id as webhookId'])
    .where('webhook.given_up_at', 'is not', null)
    .where('delivery.due_at', 'is not', null)
    .where('webhook.due_at', 'is', null);
  const rows = await tx.all(waiting.limit(mostAtOnce));
  if (rows.length === 0) return false;
  const failed = { state: 'failed', due_at: null, fault: givenUp } as const;
  await tx.run(
    tx.sql
      .updateTable('webhook_delivery')
      .set(failed)
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      ),
  );
  for (const webhookId of new Set(rows.map((row) => row.webhookId))) await trimLog(tx, webhookId);
  return true;
}
