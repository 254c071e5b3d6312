import { day } from '../kernel/clock.ts';
import { invalid } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { digest, newToken } from './model.ts';

export const tokenLifetime = day;

/** Gives a token to an account whose password was just checked. */
export async function createToken(
  tx: Transaction,
  _: Viewer,
  { accountId }: { accountId: number },
): Promise<string> {
  const token = newToken();
  const row = { hash: digest(token), account_id: accountId, created_at: Date.now() };
  await tx.run(tx.sql.insertInto('token').values(row));
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
