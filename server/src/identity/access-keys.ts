import { hour, type Instant } from '../kernel/clock.ts';
import { forbidden, invalid, notFound, unauthenticated } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  appendEvent,
  type ExpressionBuilder,
  type Reader,
  type Tables,
  type Transaction,
} from '../storage/index.ts';
import { isExpired } from './judge.ts';
import { digest, formatKey, newSecret } from './model.ts';
import { recordPlatformEvent } from './platform-events.ts';
import { requireOwnKeys } from './policy.ts';
import { checkScopes, coverAll, type Scope } from './scopes.ts';
import { type AccessKeyRow, accessKeyById } from './store.ts';

export interface AccessKey {
  readonly id: number;
  readonly accountId: number;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly lastUsedBy: string | null;
}

export interface NewAccessKey {
  readonly accountId: number;
  readonly description: string;
  readonly expiresAt: Instant | null;
  readonly scopes: readonly string[];
  /** Nobody is told: the first key of the platform is shown to whoever starts it. */
  readonly isUnannounced?: boolean;
}

function toAccessKey(row: AccessKeyRow): AccessKey {
  return {
    id: row.id,
    accountId: row.account_id,
    description: row.description,
    scopes: row.scopes.split(' '),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedBy: row.last_used_by,
  };
}

/** Whoever got hold of a key must not make one of it that lasts longer or may more. Gives when the new one ends. */
async function endAllowed(
  tx: Transaction,
  { credential }: Viewer,
  request: { readonly scopes: readonly Scope[]; readonly expiresAt: Instant | null },
): Promise<Instant | null> {
  if (credential.kind !== 'access-key') return request.expiresAt;
  const own = await tx.first(accessKeyById, { id: credential.id });
  if (own === undefined || isExpired(own.expires_at)) throw unauthenticated('Invalid access key');
  if (!coverAll(own.scopes.split(' '), request.scopes))
    throw forbidden('An access key cannot make one that may more than itself: `scopes` names what it lacks.');
  if (own.expires_at === null || request.expiresAt === null) return request.expiresAt ?? own.expires_at;
  if (request.expiresAt > own.expires_at)
    throw forbidden(
      'An access key cannot make one that lasts longer than itself: `expiration_date` is later.',
    );
  return request.expiresAt;
}

/** Generates a key. Its text is in this answer and nowhere else: only a digest of the secret is stored. */
export async function createAccessKey(tx: Transaction, viewer: Viewer, key: NewAccessKey): Promise<string> {
  requireOwnKeys(viewer, key.accountId);
  if (key.expiresAt !== null && key.expiresAt <= Date.now()) {
    throw invalid('Invalid value specified for `expiration_date`. It is in the past.');
  }
  if (key.description.length > 1000) {
    throw invalid('Invalid value specified for `description`. It must have at most 1000 characters.');
  }
  const scopes: Scope[] = checkScopes(key.scopes);
  const expiresAt = await endAllowed(tx, viewer, { scopes, expiresAt: key.expiresAt });
  const secret = newSecret();
  const row = {
    account_id: key.accountId,
    secret_hash: digest(secret),
    description: key.description,
    scopes: scopes.join(' '),
    created_at: Date.now(),
    expires_at: expiresAt,
    last_used_at: null,
    last_used_by: null,
  };
  const [stored] = await tx.all(tx.sql.insertInto('access_key').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new access key has no id.');
  const { description, accountId: account } = key;
  const event = { kind: 'key_create', subject: `${stored.id}: ${scopes.join(' ')}` } as const;
  await recordPlatformEvent(tx, account, event);
  if (key.isUnannounced !== true)
    await appendEvent(tx, 'access_key.created', {
      account,
      key: stored.id,
      description,
      scopes,
      createdAt: row.created_at,
      expiresAt,
    });
  return formatKey(stored.id, secret);
}

/** Revokes a key of the owner's; that there is none is no fault. */
export async function deleteAccessKey(
  tx: Transaction,
  viewer: Viewer,
  { id, accountId }: { id: number; accountId: number },
): Promise<boolean> {
  requireOwnKeys(viewer, accountId);
  const deletion = tx.sql.deleteFrom('access_key').where('id', '=', id).where('account_id', '=', accountId);
  const deleted = await tx.run(deletion);
  if (deleted > 0) await tx.touch('identity');
  if (deleted > 0) await recordPlatformEvent(tx, accountId, { kind: 'key_delete', subject: String(id) });
  return deleted > 0;
}

/** What became of the keys of an account when its password was changed. */
export interface KeysAfterChange {
  readonly revoked: number;
  readonly left: number;
}

const isValid = (key: ExpressionBuilder<Tables, 'access_key'>) =>
  key.or([key('expires_at', 'is', null), key('expires_at', '>', Date.now())]);

/** Revokes the keys of an account if that is wished, but for the one in use. Those whose time is over are none any more. */
export async function settleKeys(
  tx: Transaction,
  { credential }: Viewer,
  { accountId, isRevocation }: { accountId: number; isRevocation: boolean },
): Promise<KeysAfterChange> {
  const current = credential.kind === 'access-key' ? credential.id : 0;
  const others = tx.sql
    .deleteFrom('access_key')
    .where('account_id', '=', accountId)
    .where('id', '<>', current);
  const revoked = isRevocation ? await tx.run(others.where(isValid)) : 0;
  const keys = tx.sql.selectFrom('access_key').where('account_id', '=', accountId).where(isValid);
  const count = await tx.first(keys.select((key) => key.fn.countAll<number>().as('size')));
  return { revoked, left: count?.size ?? 0 };
}

export async function readAccessKey(reader: Reader, viewer: Viewer, id: number): Promise<AccessKey> {
  const row = await reader.first(accessKeyById, { id });
  if (row === undefined || row.account_id !== viewer.userId || isExpired(row.expires_at)) throw notFound();
  return toAccessKey(row);
}

export async function listAccessKeys(
  reader: Reader,
  viewer: Viewer,
  { accountId, limit, offset }: { accountId: number } & Page,
): Promise<Slice<AccessKey>> {
  requireOwnKeys(viewer, accountId);
  const valid = reader.sql.selectFrom('access_key').where('account_id', '=', accountId).where(isValid);
  const count = await reader.first(valid.select((key) => key.fn.countAll<number>().as('size')));
  const rows = await reader.all(valid.selectAll().orderBy('id').limit(limit).offset(offset));
  return { items: rows.map(toAccessKey), size: count?.size ?? 0 };
}

export interface KeyUse {
  readonly id: number;
  readonly accountId: number;
  readonly at: Instant;
  readonly by: string;
}

/** Writes down when a key was last used. Callers decide how often that is worth a write. */
export async function recordKeyUse(
  tx: Transaction,
  _: Viewer,
  { id, accountId, at, by }: KeyUse,
): Promise<void> {
  await tx.run(
    tx.sql.updateTable('access_key').set({ last_used_at: at, last_used_by: by }).where('id', '=', id),
  );
  const access = tx.sql.updateTable('account').set({ last_access_at: at }).where('id', '=', accountId);
  await tx.run(
    access.where((row) => row.or([row('last_access_at', 'is', null), row('last_access_at', '<', at)])),
  );
}

/** Expired keys are refused at once; their records stay an hour for those who wonder, then go. */
export async function purgeAccessKeys(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('access_key').where('expires_at', '<', Date.now() - hour));
}
