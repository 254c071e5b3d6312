import { requireSelf } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { type Reason, reasons } from './reasons.ts';

/** How mails about artifacts come: each at once, or summed up. */
export const digests = ['none', 'daily', 'weekly'] as const;
export type Digest = (typeof digests)[number];

/** Where somebody wants to be told, for one reason. */
export interface ReasonWish {
  readonly inbox: boolean;
  readonly mail: boolean;
}

export interface NotificationWishes {
  readonly reasons: Readonly<Record<Reason, ReasonWish>>;
  readonly digest: Digest;
}

const everything: ReasonWish = { inbox: true, mail: true };

const asUsual: NotificationWishes = {
  reasons: {
    mention: everything,
    assignee: everything,
    chosen: everything,
    commenter: everything,
    submitter: everything,
    watcher: everything,
    search: everything,
  },
  digest: 'none',
};

const isDigest = (text: string): text is Digest => digests.some((digest) => digest === text);

/** What each of these people wishes. */
export async function wishesOf(
  reader: Reader,
  accounts: readonly number[],
): Promise<(accountId: number) => NotificationWishes> {
  if (accounts.length === 0) return () => asUsual;
  const query = reader.sql.selectFrom('notification_wish').selectAll().where('account_id', 'in', accounts);
  const known = new Map(
    (await reader.all(query)).map((row): [number, NotificationWishes] => {
      const own: Partial<NotificationWishes['reasons']> = JSON.parse(row.reasons);
      const digest = isDigest(row.digest) ? row.digest : asUsual.digest;
      return [row.account_id, { reasons: { ...asUsual.reasons, ...own }, digest }];
    }),
  );
  return (accountId) => known.get(accountId) ?? asUsual;
}

export async function readNotificationWishes(
  reader: Reader,
  viewer: Viewer,
  accountId: number,
): Promise<NotificationWishes> {
  requireSelf(viewer, accountId);
  return (await wishesOf(reader, [accountId]))(accountId);
}

/** The hour of the day at which mails that sum up are sent. */
const morning = 7;
const monday = 1;

/** When the next mail is due that sums up, by the clocks of the server's zone. */
export function nextDigest(digest: 'daily' | 'weekly', now: Instant): Instant {
  const due = new Date(now);
  due.setHours(morning, 0, 0, 0);
  while (due.getTime() <= now || (digest === 'weekly' && due.getDay() !== monday))
    due.setDate(due.getDate() + 1);
  return due.getTime();
}

export interface WishesRequest {
  readonly accountId: number;
  readonly reasons: Readonly<Partial<Record<Reason, Partial<ReasonWish>>>>;
  readonly digest?: Digest | undefined;
}

/** Notes what somebody wishes. What waits for a mail that sums up is sent as they wish from now on. */
export async function changeNotificationWishes(
  tx: Transaction,
  viewer: Viewer,
  { accountId, reasons: asked, digest: askedDigest }: WishesRequest,
): Promise<void> {
  const before = await readNotificationWishes(tx, viewer, accountId);
  const digest = askedDigest ?? before.digest;
  const after = Object.fromEntries(
    reasons.map((reason) => [reason, { ...before.reasons[reason], ...asked[reason] }]),
  );
  const row = { reasons: JSON.stringify(after), digest };
  const insert = tx.sql.insertInto('notification_wish').values({ account_id: accountId, ...row });
  await tx.run(insert.onConflict((conflict) => conflict.column('account_id').doUpdateSet(row)));
  if (digest === before.digest) return;
  const due = digest === 'none' ? 0 : nextDigest(digest, Date.now());
  await tx.run(tx.sql.updateTable('digest_item').set({ due_at: due }).where('account_id', '=', accountId));
}
