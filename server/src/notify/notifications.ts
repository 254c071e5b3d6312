import { requireSelf } from '../identity/index.ts';
import { day, type Instant } from '../kernel/clock.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { lockingStatement, logEvent, type Reader, type Tables, type Transaction } from '../storage/index.ts';
import type { NotificationOrder } from './model.ts';
import { isReason, strongerReason } from './reasons.ts';

/** People who made the changes of an entry; the last ones are kept. */
const mostPeople = 3;

/** How long entries stay that were done, or read. */
const doneFor = 90 * day;
const readFor = 180 * day;

/** Rows of one statement, or of one transaction that there may be more of. */
const mostRows = 500;

export const numbersIn = (json: string): number[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'number') : [];
};

type Row = Pick<
  Tables['notification'],
  | 'reason'
  | 'changed_at'
  | 'read_at'
  | 'done_at'
  | 'change_count'
  | 'people'
  | 'field_ids'
  | 'comment_id'
  | 'first_changeset_id'
  | 'last_changeset_id'
>;

const joinedColumns = [
  'reason',
  'changed_at',
  'read_at',
  'done_at',
  'change_count',
  'people',
  'field_ids',
  'comment_id',
  'first_changeset_id',
  'last_changeset_id',
] as const;

/** An entry of one change. */
function entryOf({ reason, at, by, fieldIds, hasComment, changesetId }: NotificationOrder, now: Instant) {
  return {
    reason,
    changed_at: at,
    came_at: now,
    read_at: null,
    done_at: null,
    snoozed_until: null,
    change_count: 1,
    people: JSON.stringify([by]),
    field_ids: JSON.stringify(fieldIds),
    comment_id: hasComment ? changesetId : null,
    first_changeset_id: changesetId,
    last_changeset_id: changesetId,
  };
}

/** The entry after one more change: what was read or done before it is not told again. */
function joined(before: Row, order: NotificationOrder, now: Instant) {
  const entry = entryOf(order, now);
  const changed_at = Math.max(before.changed_at, entry.changed_at);
  if (before.read_at !== null || before.done_at !== null) return { ...entry, changed_at };
  const others = numbersIn(before.people).filter((id) => id !== order.by);
  return {
    ...entry,
    changed_at,
    reason: isReason(before.reason) ? strongerReason(before.reason, order.reason) : order.reason,
    change_count: before.change_count + 1,
    people: JSON.stringify([order.by, ...others].slice(0, mostPeople)),
    field_ids: JSON.stringify([...new Set([...numbersIn(before.field_ids), ...order.fieldIds])]),
    comment_id: entry.comment_id ?? before.comment_id,
    first_changeset_id: Math.min(before.first_changeset_id, order.changesetId),
    last_changeset_id: Math.max(before.last_changeset_id, order.changesetId),
  };
}

const tell = (tx: Transaction, accountId: number, notificationId: number | null) =>
  logEvent(tx, 'notification.changed', { accountId, notificationId });

const entryFor = lockingStatement((sql, p: { accountId: number; artifactId: number }) =>
  sql
    .selectFrom('notification')
    .select(['id', ...joinedColumns])
    .where('account_id', '=', p.accountId)
    .where('artifact_id', '=', p.artifactId),
);

const pairOf = (accountId: number, artifactId: number) => `${accountId}/${artifactId}`;

/** Those of artifacts that may have been deleted since somebody decided whom to tell are left out. */
async function stillThere(
  tx: Transaction,
  orders: readonly NotificationOrder[],
): Promise<readonly NotificationOrder[]> {
  const ids = [...new Set(orders.map(({ artifactId }) => artifactId))];
  const rows = await tx.all(tx.sql.selectFrom('artifact').select('id').where('id', 'in', ids));
  const there = new Set(rows.map(({ id }) => id));
  return orders.filter(({ artifactId }) => there.has(artifactId));
}

/** Puts changes into inboxes. */
export async function joinNotifications(
  tx: Transaction,
  orders: readonly NotificationOrder[],
): Promise<void> {
  for (let start = 0; start < orders.length; start += mostRows)
    await joinSome(tx, await stillThere(tx, orders.slice(start, start + mostRows)));
}

/** As many as one statement takes: a statement has a limited number of values, and a change may concern thousands of people. */
async function joinSome(tx: Transaction, orders: readonly NotificationOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const now = Date.now();
  const rows = orders.map((order) => ({
    account_id: order.accountId,
    artifact_id: order.artifactId,
    ...entryOf(order, now),
  }));
  const insert = tx.sql.insertInto('notification').values(rows);
  const made = await tx.all(
    insert.onConflict((conflict) => conflict.doNothing()).returning(['id', 'account_id', 'artifact_id']),
  );
  const madeIds = new Map(made.map((row) => [pairOf(row.account_id, row.artifact_id), row.id]));
  for (const order of orders) {
    const { accountId, artifactId } = order;
    const pair = pairOf(accountId, artifactId);
    const madeId = madeIds.get(pair);
    // Another order of the same pair joins it.
    madeIds.delete(pair);
    const id = madeId ?? (await joinOne(tx, order, now));
    if (id !== undefined) await tell(tx, accountId, id);
  }
}

/** Adds a change to the entry that is there; tells which that is. */
async function joinOne(tx: Transaction, order: NotificationOrder, now: Instant): Promise<number | undefined> {
  const known = await tx.first(entryFor, order);
  if (known === undefined) return undefined;
  await tx.write(
    tx.sql
      .updateTable('notification')
      .set(joined(known, order, now))
      .where('id', '=', known.id),
  );
  return known.id;
}

/** Which entries are changed, and how. */
export interface NotificationChange {
  readonly accountId: number;
  readonly ids?: readonly number[] | undefined;
  readonly artifactId?: number | undefined;
  /** All that are in the inbox and were changed no later. */
  readonly until?: Instant | undefined;
  readonly isRead?: boolean | undefined;
  readonly isDone?: boolean | undefined;
  /** Null: not put off any more. */
  readonly snoozedUntil?: Instant | null | undefined;
}

/** Entries of which nobody knows are named, so that a script learns of its mistake. */
async function requireOwn(tx: Transaction, accountId: number, ids: readonly number[]): Promise<void> {
  const query = tx.sql.selectFrom('notification').select('id').where('account_id', '=', accountId);
  const known = new Set((await tx.all(query.where('id', 'in', ids))).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw notFound(`\`ids\`: you have no notification ${unknown}.`);
}

function newState(
  { isRead, isDone, snoozedUntil }: NotificationChange,
  now: Instant,
): Partial<Pick<Tables['notification'], 'read_at' | 'done_at' | 'snoozed_until'>> {
  return {
    ...(isRead === undefined ? {} : { read_at: isRead ? now : null }),
    ...(isDone === undefined ? {} : { done_at: isDone ? now : null }),
    ...(isDone === true ? { snoozed_until: null } : {}),
    ...(snoozedUntil === undefined ? {} : { snoozed_until: snoozedUntil }),
    ...(typeof snoozedUntil === 'number' ? { done_at: null } : {}),
  };
}

/** Reads, does or puts off entries of one's own, or takes that back. */
export async function changeNotifications(
  tx: Transaction,
  viewer: Viewer,
  change: NotificationChange,
): Promise<void> {
  const { accountId, ids, artifactId, until, isRead, isDone, snoozedUntil } = change;
  requireSelf(viewer, accountId);
  const now = Date.now();
  if (ids === undefined && artifactId === undefined && until === undefined)
    throw invalid('One of `ids`, `artifact_id` and `until` must say which notifications are meant.');
  if (isRead === undefined && isDone === undefined && snoozedUntil === undefined)
    throw invalid('One of `is_read`, `is_done` and `snoozed_until` must be given.');
  if (isDone === true && typeof snoozedUntil === 'number')
    throw invalid('`is_done` and `snoozed_until` exclude each other.');
  if (typeof snoozedUntil === 'number' && snoozedUntil <= now)
    throw invalid('`snoozed_until` must be in the future.');
  if (ids !== undefined && ids.length === 0) return;
  if (ids !== undefined) await requireOwn(tx, accountId, ids);
  let update = tx.sql
    .updateTable('notification')
    .set(newState(change, now))
    .where('account_id', '=', accountId);
  if (ids !== undefined) update = update.where('id', 'in', ids);
  if (artifactId !== undefined) update = update.where('artifact_id', '=', artifactId);
  if (until !== undefined)
    update = update
      .where('changed_at', '<=', until)
      .where('done_at', 'is', null)
      .where('snoozed_until', 'is', null);
  if ((await tx.run(update)) > 0) await tell(tx, accountId, ids?.length === 1 ? (ids[0] ?? null) : null);
}

/** Whether somebody has not read what they were told of an artifact. */
export async function isUnread(reader: Reader, accountId: number, artifactId: number): Promise<boolean> {
  const query = reader.sql
    .selectFrom('notification')
    .select('id')
    .where('artifact_id', '=', artifactId)
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null);
  return (await reader.first(query)) !== undefined;
}

/** Notes that somebody looked at the artifact itself. */
export async function readNotification(
  tx: Transaction,
  { userId }: Viewer,
  { artifactId }: { artifactId: number },
): Promise<void> {
  const read = tx.sql
    .updateTable('notification')
    .set({ read_at: Date.now() })
    .where('artifact_id', '=', artifactId)
    .where('account_id', '=', userId)
    .where('read_at', 'is', null);
  if ((await tx.run(read)) > 0) await tell(tx, userId, null);
}

const overdue = ({ sql }: Reader, now: Instant) =>
  sql
    .selectFrom('notification')
    .select(['id', 'account_id'])
    .where('snoozed_until', 'is not', null)
    .where('snoozed_until', '<=', now)
    .limit(mostRows);

/** Whether something comes back, told without writing. */
export const hasSnoozedOver = async (reader: Reader): Promise<boolean> =>
  (await reader.first(overdue(reader, Date.now()))) !== undefined;

/** What was put off comes back unread when its time is over; tells whether there may be more. */
export async function wakeSnoozed(tx: Transaction, _viewer: Viewer, _: undefined): Promise<boolean> {
  const now = Date.now();
  const rows = await tx.lockFree(overdue(tx, now));
  if (rows.length === 0) return false;
  const wake = tx.sql
    .updateTable('notification')
    .set({ snoozed_until: null, read_at: null, came_at: now })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    );
  await tx.run(wake);
  for (const { id, account_id } of rows) await tell(tx, account_id, id);
  return true;
}

/** Removes what was done or read long ago, and what nobody can read any more; tells whether there may be more. */
export async function purgeOldNotifications(
  tx: Transaction,
  _viewer: Viewer,
  _: undefined,
): Promise<boolean> {
  const now = Date.now();
  const deleted = tx.sql.selectFrom('account').select('id').where('status', '=', 'D');
  const old = tx.sql
    .selectFrom('notification')
    .select('id')
    .where((row) =>
      row.or([
        row('done_at', '<', now - doneFor),
        row.and([row('read_at', '<', now - readFor), row('snoozed_until', 'is', null)]),
        row('account_id', 'in', deleted),
      ]),
    );
  const ids = (await tx.lockFree(old.limit(mostRows))).map(({ id }) => id);
  if (ids.length === 0) return false;
  await tx.run(tx.sql.deleteFrom('notification').where('id', 'in', ids));
  return true;
}
