import { randomBytes } from 'node:crypto';
import { day, hour, type Instant } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { digest } from './model.ts';
import { recordPlatformEvent } from './platform-events.ts';
import { readSettings } from './settings.ts';
import { type CheckedPassword, requireSamePassword } from './tokens.ts';

export interface WebSession {
  readonly id: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly address: string;
  readonly agent: string;
}

export interface NewSession extends CheckedPassword {
  readonly address: string;
  readonly agent: string;
  /** Others use the same computer: the session ends soon by itself. */
  readonly isSharedComputer: boolean;
}

const sharedLifetime = 12 * hour;

/** Opens a web session for an account whose password was just checked. The text goes into a cookie. */
export async function createSession(
  tx: Transaction,
  _: Viewer,
  { accountId, passwordSetAt, address, agent, isSharedComputer }: NewSession,
): Promise<{ text: string; expiresAt: Instant }> {
  await requireSamePassword(tx, { accountId, passwordSetAt });
  const text = randomBytes(32).toString('base64url');
  const { session_lifetime_days } = await readSettings(tx);
  const created_at = Date.now();
  const lifetime = session_lifetime_days * day;
  const expires_at = created_at + (isSharedComputer ? Math.min(lifetime, sharedLifetime) : lifetime);
  const row = {
    hash: digest(text),
    account_id: accountId,
    created_at,
    expires_at,
    address,
    agent: agent.slice(0, 400),
  };
  await tx.run(tx.sql.insertInto('session').values(row));
  await recordPlatformEvent(tx, accountId, { kind: 'sign_in', subject: 'web', address });
  await tx.run(tx.sql.updateTable('account').set({ last_access_at: created_at }).where('id', '=', accountId));
  return { text, expiresAt: expires_at };
}

export async function endSession(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const own = tx.sql.deleteFrom('session').where('id', '=', id).where('account_id', '=', viewer.userId);
  if ((await tx.run(own)) === 0) throw notFound('There is no such session of yours.');
  await tx.touch('identity');
}

/** Ends all web sessions of the viewer but the one in use. */
export async function endOtherSessions(tx: Transaction, { userId, credential }: Viewer): Promise<void> {
  const own = tx.sql.deleteFrom('session').where('account_id', '=', userId);
  await tx.run(credential.kind === 'session' ? own.where('id', '<>', credential.id) : own);
  await tx.touch('identity');
}

export async function listSessions(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<WebSession>> {
  const own = reader.sql
    .selectFrom('session')
    .where('account_id', '=', viewer.userId)
    .where('expires_at', '>', Date.now());
  const count = await reader.first(own.select((session) => session.fn.countAll<number>().as('size')));
  const rows = await reader.all(own.selectAll().orderBy('id').limit(limit).offset(offset));
  const items = rows.map(({ id, created_at, expires_at, address, agent }) => ({
    id,
    createdAt: created_at,
    expiresAt: expires_at,
    address,
    agent,
  }));
  return { items, size: count?.size ?? 0 };
}

export async function purgeSessions(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('session').where('expires_at', '<', Date.now()));
}
