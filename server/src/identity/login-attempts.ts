import { second } from '../kernel/clock.ts';
import { tooMany } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { readSettings } from './settings.ts';

/** One try at a password. */
export interface Attempt {
  readonly accountKey: string;
  readonly address: string;
}

const subjectsOf = ({ accountKey, address }: Attempt) => [
  `account:${accountKey.slice(0, 100)}`,
  `address:${address}`,
];

/**
 * Counts a try before the password is looked at, so that many at once cannot slip past the limit, and refuses it when
 * there were too many. Answers how many tries for this account have failed so far. A success takes it back.
 */
export async function beginAttempt(tx: Transaction, _: Viewer, attempt: Attempt): Promise<number> {
  const settings = await readSettings(tx);
  const limits = [settings.login_account_attempts, settings.login_address_attempts];
  const now = Date.now();
  const failures: number[] = [];
  for (const [index, subject] of subjectsOf(attempt).entries()) {
    const [row] = await tx.lock(
      tx.sql.selectFrom('login_attempt').selectAll().where('subject', '=', subject),
    );
    const known = row !== undefined && row.expires_at > now ? row : { failures: 0, expires_at: 0 };
    if (known.failures >= (limits[index] ?? 0)) {
      throw tooMany(
        'Too many wrong passwords. Try again later.',
        Math.ceil((known.expires_at - now) / second),
      );
    }
    failures.push(known.failures);
    await count(tx, subject, known.failures + 1, now + settings.login_wait_seconds * second);
  }
  return failures[0] ?? 0;
}

async function count(tx: Transaction, subject: string, failures: number, expires_at: number): Promise<void> {
  const insert = tx.sql.insertInto('login_attempt').values({ subject, failures, expires_at });
  await tx.run(
    insert.onConflict((conflict) => conflict.column('subject').doUpdateSet({ failures, expires_at })),
  );
}

/** The password was right: the account starts anew, and the address gets this try back. */
export async function endAttempt(tx: Transaction, _: Viewer, attempt: Attempt): Promise<void> {
  const [account = '', address = ''] = subjectsOf(attempt);
  await tx.run(tx.sql.deleteFrom('login_attempt').where('subject', '=', account));
  const giveBack = tx.sql.updateTable('login_attempt').set((row) => ({ failures: row('failures', '-', 1) }));
  await tx.run(giveBack.where('subject', '=', address).where('failures', '>', 0));
}

export async function purgeAttempts(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('login_attempt').where('expires_at', '<', Date.now()));
}
