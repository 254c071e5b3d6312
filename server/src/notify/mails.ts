import { requireSiteAdministrator } from '../identity/index.ts';
import { day, type Instant } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Database, Reader, Transaction } from '../storage/index.ts';
import { lease, nextTry, type TakenMail } from './model.ts';

/** Mails that are on their way at once: as many as there are connections to the mail server. */
export const mostMails = 4;

/** How long mails that were given up can be looked at, and how many of them. */
const keptFor = 30 * day;
const mostKept = 1000;

const dueNow = ({ sql }: Reader, kinds: readonly string[]) =>
  sql.selectFrom('mail').where('due_at', '<=', Date.now()).where('kind', 'in', kinds);

/** Whether there is anything to do for somebody who can write these kinds of mails, told without writing. */
export async function hasDueMails(database: Database, kinds: readonly string[]): Promise<boolean> {
  database.renew();
  return (await database.first(dueNow(database, kinds).select('id').limit(1))) !== undefined;
}

const columns = ['id', 'kind', 'payload', 'account_id as accountId', 'address', 'attempts'] as const;

/** Takes mails that are due: nobody else gets them until they are settled, or their taker must have died. */
export async function takeMails(
  tx: Transaction,
  _viewer: Viewer,
  { kinds, count }: { kinds: readonly string[]; count: number },
): Promise<TakenMail[]> {
  const now = Date.now();
  const due = dueNow(tx, kinds).select(columns);
  const mails = await tx.lockFree(due.orderBy('due_at').orderBy('id').limit(count));
  if (mails.length === 0) return [];
  const ids = mails.map(({ id }) => id);
  const take = tx.sql
    .updateTable('mail')
    .set((row) => ({ due_at: now + lease, attempts: row('attempts', '+', 1) }));
  await tx.run(take.where('id', 'in', ids));
  return mails.map((mail) => ({ ...mail, attempts: mail.attempts + 1 }));
}

/** How sending a mail ended. */
export interface MailOutcome {
  readonly id: number;
  readonly attempts: number;
  /** Undefined: it was sent, or nobody wants it any more. */
  readonly fault: string | undefined;
  /** Whether another try can end otherwise. */
  readonly mayRetry: boolean;
}

/** A mail that was sent is forgotten; one that was not is due again after a pause, or given up. */
export async function settleMail(
  tx: Transaction,
  _viewer: Viewer,
  { id, attempts, fault, mayRetry }: MailOutcome,
): Promise<void> {
  const due_at = mayRetry ? (nextTry(attempts) ?? null) : null;
  const change =
    fault === undefined
      ? tx.sql.deleteFrom('mail').where('id', '=', id)
      : tx.sql.updateTable('mail').set({ due_at, fault }).where('id', '=', id);
  await tx.run(change);
}

/** A mail that was given up. */
export interface FailedMail {
  readonly id: number;
  readonly kind: string;
  readonly accountId: number | null;
  readonly address: string | null;
  readonly attempts: number;
  readonly fault: string;
  readonly createdAt: Instant;
}

const failed = ({ sql }: Reader) => sql.selectFrom('mail').where('due_at', 'is', null);

/** The mails that were given up, the newest first, for site administrators. */
export async function listFailedMails(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<FailedMail>> {
  requireSiteAdministrator(viewer);
  const count = await reader.first(failed(reader).select((row) => row.fn.countAll<number>().as('size')));
  const page = failed(reader)
    .select(['id', 'kind', 'account_id', 'address', 'attempts', 'fault', 'created_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  const items = (await reader.all(page)).map((row) => ({
    id: row.id,
    kind: row.kind,
    accountId: row.account_id,
    address: row.address,
    attempts: row.attempts,
    fault: row.fault ?? '',
    createdAt: row.created_at,
  }));
  return { items, size: count?.size ?? 0 };
}

const unknown = () => notFound('There is no such failed mail.');

/** Lets a mail that was given up be tried anew. */
export async function retryMail(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  requireSiteAdministrator(viewer);
  const retry = tx.sql.updateTable('mail').set({ due_at: Date.now(), attempts: 0 });
  if ((await tx.run(retry.where('id', '=', id).where('due_at', 'is', null))) === 0) throw unknown();
}

export async function discardMail(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  requireSiteAdministrator(viewer);
  const deletion = tx.sql.deleteFrom('mail').where('id', '=', id).where('due_at', 'is', null);
  if ((await tx.run(deletion)) === 0) throw unknown();
}

/** Forgets mails of long ago, also those that wait for a mail server that there is no more, and the oldest of too many. */
export async function purgeMails(tx: Transaction): Promise<void> {
  const longAgo = Date.now() - keptFor;
  await tx.run(tx.sql.deleteFrom('mail').where('created_at', '<', longAgo));
  await tx.run(tx.sql.deleteFrom('outbox').where('created_at', '<', longAgo));
  const old = tx.sql.deleteFrom('mail').where('due_at', 'is', null);
  const last = await tx.first(failed(tx).select('id').orderBy('id', 'desc').limit(1).offset(mostKept));
  if (last !== undefined) await tx.run(old.where('id', '<=', last.id));
}
