import { day, type Instant } from '../kernel/clock.ts';
import { invalid, unauthenticated } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { digest, newToken } from './model.ts';
import { recordPlatformEvent } from './platform-events.ts';

export const tokenLifetime = day;

/** An account whose password was just checked. */
export interface CheckedPassword {
  readonly accountId: number;
  readonly passwordSetAt: Instant | null;
}

/** Refuses when the password was changed since it was checked: what it was given for has ended with it. */
export async function requireSamePassword(
  tx: Transaction,
  { accountId, passwordSetAt }: CheckedPassword,
): Promise<void> {
  const account = tx.sql.selectFrom('account').select('password_set_at').where('id', '=', accountId);
  const [row] = await tx.lock(account);
  if (row === undefined || row.password_set_at !== passwordSetAt)
    throw unauthenticated('The password was just changed.');
}

/** Gives a token to an account whose password was just checked. */
export async function createToken(
  tx: Transaction,
  _: Viewer,
  { address, ...checked }: CheckedPassword & { readonly address: string },
): Promise<string> {
  await requireSamePassword(tx, checked);
  const token = newToken();
  const row = { hash: digest(token), account_id: checked.accountId, created_at: Date.now() };
  await tx.run(tx.sql.insertInto('token').values(row));
  await recordPlatformEvent(tx, checked.accountId, { kind: 'sign_in', subject: 'token', address });
  return token;
}

export async function deleteToken(
  tx: Transaction,
  viewer: Viewer,
  { token }: { token: string },
): Promise<void> {
  const own = tx.sql
    .deleteFrom('token')
    .where('hash', '=', digest(token))
    .where('account_id', '=', viewer.userId);
  if ((await tx.run(own)) === 0) throw invalid('Invalid Token');
  await tx.touch('identity');
}

export async function deleteAllTokens(tx: Transaction, viewer: Viewer): Promise<void> {
  await tx.run(tx.sql.deleteFrom('token').where('account_id', '=', viewer.userId));
  await tx.touch('identity');
}

export async function purgeTokens(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('token').where('created_at', '<', Date.now() - tokenLifetime));
}
