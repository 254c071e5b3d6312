import { randomBytes } from 'node:crypto';
import { networkOf } from '../kernel/addresses.ts';
import { day, hour, type Instant, second } from '../kernel/clock.ts';
import { forbidden, invalid, invalidMember, notFound, tooMany } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { appendEvent, type Reader, type Transaction } from '../storage/index.ts';
import { endSessions, endTokens, requireNoLessDelegations } from './accounts.ts';
import { forgetGuesses } from './login-attempts.ts';
import { type Account, digest, isUsable, nameKey, noneId } from './model.ts';
import { recordPlatformEvent } from './platform-events.ts';
import { requireSiteAdministrator, requireUserManagement } from './policy.ts';
import { isSiteAdministrator } from './site-administrators.ts';
import { findAccount, findAccountByName, findAccountsByEmail } from './store.ts';

/*
 * Whoever holds such a token chooses the password of an account, once. It is asked for by whoever lost the password and goes to
 * the mail address of the account, or is made by an administrator of users, who hands it on. Only its digest is stored.
 */

const resetLifetime = hour;
const linkLifetime = 7 * day;

/** Requests within an hour for one account, and from one address. */
const mostRequests = { account: 3, address: 20 };
const requestWindow = hour;
const longestLogin = 255;
/** Accounts that share one mail address and are told at once. */
const mostAccounts = 5;

const newToken = () => randomBytes(32).toString('base64url');

/** Counts a request; refuses one too many. The time begins with the first of them. */
async function countRequest(tx: Transaction, subject: string, most: number): Promise<void> {
  const now = Date.now();
  const expires_at = now + requestWindow;
  const insert = tx.sql.insertInto('login_attempt').values({ subject, failures: 1, expires_at });
  const upsert = insert.onConflict((conflict) =>
    conflict.column('subject').doUpdateSet((row) => {
      // More than the whole time is left only when the clock was set back.
      const isRunning = row.and([
        row('login_attempt.expires_at', '>', now),
        row('login_attempt.expires_at', '<=', expires_at),
      ]);
      return {
        failures: row
          .case()
          .when(isRunning)
          .then(row('login_attempt.failures', '+', 1))
          .else(1)
          .end(),
        expires_at: row
          .case()
          .when(isRunning)
          .then(row.ref('login_attempt.expires_at'))
          .else(expires_at)
          .end(),
      };
    }),
  );
  const [stored] = await tx.all(upsert.returning(['failures', 'expires_at']));
  if (stored === undefined || stored.failures <= most) return;
  const left = Math.max(1, Math.ceil((stored.expires_at - now) / second));
  throw tooMany('Too many links were asked for. Try again later.', left);
}

/**
 * Notes that somebody lost their password. Whether there is such an account is found out later, in the background: whoever asks
 * learns nothing of it, not even by the time that it takes.
 */
export async function requestPasswordReset(
  tx: Transaction,
  _: Viewer,
  { login, address }: { readonly login: string; readonly address: string },
): Promise<void> {
  if (login.length > longestLogin)
    throw invalidMember('login', `It must have at most ${longestLogin} characters.`);
  await countRequest(tx, `reset:${nameKey(login)}`, mostRequests.account);
  await countRequest(tx, `reset-address:${networkOf(address)}`, mostRequests.address);
  await appendEvent(tx, 'password_reset.requested', { login, at: Date.now() });
}

/** The accounts that somebody means who lost a password: by user name, or by mail address. */
export async function findResetAccounts(reader: Reader, login: string): Promise<Account[]> {
  if (!isStorable(login)) return [];
  const named = await findAccountByName(reader, login);
  const accounts = named === undefined ? await findAccountsByEmail(reader, login) : [named];
  const usable = accounts.filter(({ status, email }) => isUsable(status) && email !== '');
  return usable.slice(0, mostAccounts);
}

interface NewToken {
  readonly accountId: number;
  readonly purpose: 'reset' | 'link';
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
}

async function insertToken(
  tx: Transaction,
  { accountId, purpose, requestedAt, expiresAt }: NewToken,
): Promise<string> {
  const text = newToken();
  const row = {
    hash: digest(text),
    account_id: accountId,
    purpose,
    requested_at: requestedAt,
    expires_at: expiresAt,
  };
  await tx.run(tx.sql.insertInto('password_token').values(row));
  return text;
}

/**
 * Makes the token of a mail that is about to be sent; undefined where it comes too late, or is one too many for the account
 * under another spelling. Another try of the same mail replaces it.
 */
export async function issueResetToken(
  tx: Transaction,
  _: Viewer,
  { accountId, requestedAt }: { readonly accountId: number; readonly requestedAt: Instant },
): Promise<string | undefined> {
  const now = Date.now();
  if (Math.abs(now - requestedAt) > requestWindow) return undefined;
  const own = tx.sql
    .deleteFrom('password_token')
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset');
  await tx.run(own.where('requested_at', '=', requestedAt));
  const others = tx.sql
    .selectFrom('password_token')
    .select((row) => row.fn.countAll<number>().as('size'))
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset')
    .where('requested_at', '>', now - requestWindow);
  if (((await tx.first(others))?.size ?? 0) >= mostRequests.account) return undefined;
  return insertToken(tx, { accountId, purpose: 'reset', requestedAt, expiresAt: now + resetLifetime });
}

/** Makes a token for somebody else to choose their password with; the one before is void. For administrators of users. */
export async function createPasswordLink(
  tx: Transaction,
  viewer: Viewer,
  { accountId }: { readonly accountId: number },
): Promise<{ readonly token: string; readonly expiresAt: Instant }> {
  const account = await findAccount(tx, accountId);
  if (account === undefined) throw notFound('User Id not found');
  requireUserManagement(viewer);
  if (accountId <= noneId) throw forbidden('A technical account cannot be changed.');
  if (await isSiteAdministrator(tx, accountId)) requireSiteAdministrator(viewer);
  await requireNoLessDelegations(tx, viewer, accountId);
  if (!isUsable(account.status)) throw invalid('This account cannot be used, so it needs no password.');
  await tx.run(
    tx.sql.deleteFrom('password_token').where('account_id', '=', accountId).where('purpose', '=', 'link'),
  );
  const now = Date.now();
  const expiresAt = now + linkLifetime;
  const token = await insertToken(tx, { accountId, purpose: 'link', requestedAt: now, expiresAt });
  await recordPlatformEvent(tx, viewer.userId, { kind: 'password_link', subject: account.name });
  return { token, expiresAt };
}

const unknownToken = () => notFound('This link is not valid: it was used already, or its time is over.');

/**
 * Refuses a token that opens nothing: asked before the password is hashed, which is dear. Answers the hash of the password that
 * the account has so far.
 */
export async function requirePasswordToken(reader: Reader, token: string): Promise<string | null> {
  const query = reader.sql
    .selectFrom('password_token')
    .innerJoin('account', 'account.id', 'password_token.account_id')
    .select('account.password_hash');
  const live = await reader.first(
    query.where('hash', '=', digest(token)).where('expires_at', '>', Date.now()),
  );
  if (live === undefined) throw unknownToken();
  return live.password_hash;
}

/** Sets the password of the account that a token is for. All sessions and tokens of the account end, and this token with them. */
export async function redeemPasswordToken(
  tx: Transaction,
  _: Viewer,
  {
    token,
    passwordHash,
    address,
  }: { readonly token: string; readonly passwordHash: string; readonly address: string },
): Promise<Account> {
  const query = tx.sql.selectFrom('password_token').select('account_id');
  const live = query.where('hash', '=', digest(token)).where('expires_at', '>', Date.now());
  const [row] = await tx.lock(live);
  const [locked] =
    row === undefined
      ? []
      : await tx.lock(tx.sql.selectFrom('account').select('id').where('id', '=', row.account_id));
  const account = locked && (await findAccount(tx, locked.id));
  if (account === undefined || !isUsable(account.status)) throw unknownToken();
  const update = tx.sql
    .updateTable('account')
    .set({ password_hash: passwordHash, password_set_at: Date.now() });
  await tx.run(update.where('id', '=', account.id));
  await endSessions(tx, account.id);
  await endTokens(tx, account.id);
  await forgetGuesses(tx, nameKey(account.name));
  await recordPlatformEvent(tx, account.id, { kind: 'password_change', subject: account.name, address });
  await tx.touch('identity');
  return account;
}

export async function purgePasswordTokens(tx: Transaction): Promise<void> {
  // Those of the last hour are counted, whether or not they still open anything.
  const old = tx.sql.deleteFrom('password_token').where('expires_at', '<', Date.now());
  await tx.run(old.where('requested_at', '<', Date.now() - requestWindow));
}
