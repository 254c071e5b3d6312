import type { Instant } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { foldedWords } from '../kernel/text.ts';
import { delegation, type Viewer } from '../kernel/viewer.ts';
import { contains, containsInAnyCase, type Reader, type Transaction } from '../storage/index.ts';
import { settleKeys } from './access-keys.ts';
import { endTokens, readAccount } from './accounts.ts';
import { type Account, administrationProjectId, lastTechnicalAccountId, type Status } from './model.ts';
import { recordPlatformEvent } from './platform-events.ts';
import { requireSiteAdministrator, requireUserManagement } from './policy.ts';
import { isSiteAdministrator } from './site-administrators.ts';
import { findAccount, toAccount } from './store.ts';

/** An account as those see it who look after accounts. */
export interface PlatformUser {
  readonly account: Account;
  readonly createdAt: Instant;
  readonly lastAccessAt: Instant | null;
  readonly isSiteAdmin: boolean;
  readonly hasPassword: boolean;
  readonly keyCount: number;
  readonly sessionCount: number;
}

export interface PlatformUserSearch extends Page {
  readonly words: string;
  readonly status?: Status | undefined;
  readonly order: 'name' | 'created' | 'last_access';
}

/** How many each account of a page has of something. */
const countsOf = (rows: readonly { readonly id: number; readonly size: number }[]) =>
  new Map(rows.map(({ id, size }) => [id, size]));

async function administratorsAmong(reader: Reader, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const byProject = reader.sql
    .selectFrom('project_member')
    .select('account_id')
    .where('project_id', '=', administrationProjectId)
    .where('is_admin', '=', 1)
    .where('account_id', 'in', ids);
  const byGroup = reader.sql
    .selectFrom('platform_group_member as member')
    .innerJoin('platform_group_permission as granted', 'granted.group_id', 'member.group_id')
    .select('member.account_id')
    .where('granted.permission', '=', delegation.platformAdministration)
    .where('member.account_id', 'in', ids);
  const rows = await reader.all(byProject.union(byGroup));
  return new Set(rows.map(({ account_id }) => account_id));
}

const keysOf = (reader: Reader, ids: readonly number[], now: number) =>
  reader.sql
    .selectFrom('access_key')
    .select(['account_id as id', (row) => row.fn.countAll<number>().as('size')])
    .where('account_id', 'in', ids)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .groupBy('account_id');

const sessionsOf = (reader: Reader, ids: readonly number[], now: number) =>
  reader.sql
    .selectFrom('session')
    .select(['account_id as id', (row) => row.fn.countAll<number>().as('size')])
    .where('account_id', 'in', ids)
    .where('expires_at', '>', now)
    .groupBy('account_id');

/** Accounts of people, whatever their status, for those who look after them. */
export async function listPlatformUsers(
  reader: Reader,
  viewer: Viewer,
  { words, status, order, limit, offset }: PlatformUserSearch,
): Promise<Slice<PlatformUser>> {
  requireUserManagement(viewer);
  let matching = reader.sql
    .selectFrom('account')
    .where('id', '>', lastTechnicalAccountId)
    .where((row) =>
      row.and(
        foldedWords(words).map((word) =>
          row.or([contains('search_text', word), containsInAnyCase('email', word)]),
        ),
      ),
    );
  if (status !== undefined) matching = matching.where('status', '=', status);
  const count = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const all = matching.selectAll();
  const sorted =
    order === 'created'
      ? all.orderBy('created_at', 'desc')
      : order === 'last_access'
        ? all.orderBy((row) => row.fn.coalesce('last_access_at', row.lit(0)), 'desc')
        : all.orderBy('name_key');
  const rows = await reader.all(sorted.orderBy('id').limit(limit).offset(offset));
  if (rows.length === 0) return { items: [], size: count?.size ?? 0 };
  const ids = rows.map(({ id }) => id);
  const now = Date.now();
  const administrators = await administratorsAmong(reader, ids);
  const keys = countsOf(await reader.all(keysOf(reader, ids, now)));
  const sessions = countsOf(await reader.all(sessionsOf(reader, ids, now)));
  const items = rows.map((row) => ({
    account: toAccount(row),
    createdAt: row.created_at,
    lastAccessAt: row.last_access_at,
    isSiteAdmin: administrators.has(row.id),
    hasPassword: row.password_hash !== null,
    keyCount: keys.get(row.id) ?? 0,
    sessionCount: sessions.get(row.id) ?? 0,
  }));
  return { items, size: count?.size ?? 0 };
}

/** Whoever looks after accounts looks after those of administrators only as one of them. */
async function requireLookingAfter(tx: Transaction, viewer: Viewer, id: number): Promise<void> {
  requireUserManagement(viewer);
  if (id <= lastTechnicalAccountId || (await findAccount(tx, id)) === undefined)
    throw notFound('User Id not found');
  if (await isSiteAdministrator(tx, id)) requireSiteAdministrator(viewer);
}

/** Ends the web sessions of somebody and the tokens of their clients, but for the session in use; tells how many sessions there were. */
export async function endSessionsOf(
  tx: Transaction,
  viewer: Viewer,
  { accountId }: { accountId: number },
): Promise<number> {
  await requireLookingAfter(tx, viewer, accountId);
  const current = viewer.credential.kind === 'session' ? viewer.credential.id : 0;
  const others = tx.sql.deleteFrom('session').where('account_id', '=', accountId).where('id', '<>', current);
  const ended = await tx.run(others);
  const { name: subject } = await readAccount(tx, accountId);
  await recordPlatformEvent(tx, viewer.userId, { kind: 'sessions_end', subject });
  await endTokens(tx, accountId);
  await tx.touch('identity');
  return ended;
}

/** Revokes the access keys of somebody, but for the one in use; tells how many there were. */
export async function revokeKeysOf(
  tx: Transaction,
  viewer: Viewer,
  { accountId }: { accountId: number },
): Promise<number> {
  await requireLookingAfter(tx, viewer, accountId);
  const { revoked } = await settleKeys(tx, viewer, { accountId, isRevocation: true });
  const { name: subject } = await readAccount(tx, accountId);
  await recordPlatformEvent(tx, viewer.userId, { kind: 'key_delete', subject: `${subject}: ${revoked}` });
  await tx.touch('identity');
  return revoked;
}
