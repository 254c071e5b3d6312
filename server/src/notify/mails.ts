import { requireSiteAdministrator } from '../identity/index.ts';
import { day, type Instant, minute } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { MailOrder, TakenMail } from './model.ts';
import { lease, pauseAfter } from './retries.ts';

/** How long mails that were given up can be looked at, and how many of them. */
const keptFor = 30 * day;
const mostKept = 1000;

const newColumns = [
  'kind',
  'payload',
  'account_id',
  'address',
  'project_id',
  'receiver',
  'attempts',
  'due_at',
  'waits_since',
  'created_at',
] as const;

const hostIn = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The hosts that take mails of accounts. */
async function hostsOf(tx: Transaction, mails: readonly MailOrder[]): Promise<Map<number, string>> {
  const ids = mails.flatMap(({ accountId }) => accountId ?? []);
  if (ids.length === 0) return new Map();
  const accounts = tx.sql
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', 'in', [...new Set(ids)]);
  return new Map((await tx.all(accounts)).map(({ id, email }) => [id, hostIn(email)]));
}

/** Promises mails. Each is kept until the mail server took it, or refused it for good or for a day. */
export async function insertMails(tx: Transaction, mails: readonly MailOrder[]): Promise<void> {
  if (mails.length === 0) return;
  const now = Date.now();
  const hosts = await hostsOf(tx, mails);
  const rows = mails.map(({ kind, payload, accountId, address, projectId }) => {
    const host = accountId === null ? hostIn(address ?? '') : (hosts.get(accountId) ?? '');
    return [kind, payload, accountId, address, projectId, host, 0, now, now, now] as const;
  });
  await tx.insertMany('mail', newColumns, rows);
}

const columns = [
  'id',
  'kind',
  'payload',
  'account_id as accountId',
  'address',
  'project_id as projectId',
  'receiver',
  'attempts',
] as const;

/** Takes mails that are due: nobody else gets them until they are settled, or their taker must have died. */
export async function takeMails(
  tx: Transaction,
  _viewer: Viewer,
  { ids }: { ids: readonly number[] },
): Promise<TakenMail[]> {
  const now = Date.now();
  const due = tx.sql.selectFrom('mail').select(columns).where('due_at', '<=', now).where('id', 'in', ids);
  const mails = await tx.lockFree(due.orderBy('id'));
  if (mails.length === 0) return [];
  const take = tx.sql
    .updateTable('mail')
    .set((row) => ({ due_at: now + lease, waits_since: now, attempts: row('attempts', '+', 1) }));
  await tx.run(
    take.where(
      'id',
      'in',
      mails.map(({ id }) => id),
    ),
  );
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
  /** Nobody was there to take it, which says nothing about this mail: the try does not count. */
  readonly isServerAway: boolean;
}

/** How long ago the last try must have been at the most: a server that takes nothing is tried more often than that. */
const recent = 3 * minute;

/** What the mail server says where it takes no mail at all, be it that it refuses the sender; undefined where it takes some. */
export async function findRefusalOfAll(reader: Reader): Promise<string | undefined> {
  const refused = reader.sql
    .selectFrom('mail')
    .select('fault')
    // Such tries are not counted (`isServerAway`), once they are over.
    .where((row) =>
      row('attempts', '=', 0).or(row('attempts', '=', 1).and('due_at', '=', row('waits_since', '+', lease))),
    )
    .where('due_at', 'is not', null)
    .where('fault', 'is not', null)
    .where('waits_since', '>', Date.now() - recent);
  return (await reader.first(refused.orderBy('waits_since', 'desc').limit(1)))?.fault ?? undefined;
}

/** What became of a mail. */
export type SettledMail = 'sent' | 'waiting' | 'failed';

/** A mail that was sent is forgotten; one that was not is due again after a pause, or given up. */
export async function settleMail(
  tx: Transaction,
  _viewer: Viewer,
  { id, attempts, fault, mayRetry, isServerAway }: MailOutcome,
): Promise<SettledMail> {
  if (fault === undefined) {
    await tx.run(tx.sql.deleteFrom('mail').where('id', '=', id));
    return 'sent';
  }
  const now = Date.now();
  const pause = isServerAway ? 0 : mayRetry ? pauseAfter(attempts) : undefined;
  const due_at = pause === undefined ? null : now + pause;
  const change = { due_at, waits_since: now, fault, attempts: isServerAway ? attempts - 1 : attempts };
  await tx.run(tx.sql.updateTable('mail').set(change).where('id', '=', id));
  return due_at === null ? 'failed' : 'waiting';
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
  const retry = tx.sql
    .updateTable('mail')
    .set({ due_at: 0, waits_since: Date.now(), attempts: 0, fault: null });
  if ((await tx.run(retry.where('id', '=', id).where('due_at', 'is', null))) === 0) throw unknown();
}

export async function discardMail(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  requireSiteAdministrator(viewer);
  const deletion = tx.sql.deleteFrom('mail').where('id', '=', id).where('due_at', 'is', null);
  if ((await tx.run(deletion)) === 0) throw unknown();
}

/** Forgets mails that were given up long ago, and the oldest of too many. What waits is sent, however late. */
export async function purgeMails(tx: Transaction): Promise<void> {
  const old = tx.sql.deleteFrom('mail').where('due_at', 'is', null);
  await tx.run(old.where('created_at', '<', Date.now() - keptFor));
  const last = await tx.first(failed(tx).select('id').orderBy('id', 'desc').limit(1).offset(mostKept));
  if (last !== undefined) await tx.run(old.where('id', '<=', last.id));
}
