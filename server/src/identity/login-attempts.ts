import { networkOf } from '../kernel/addresses.ts';
import { second } from '../kernel/clock.ts';
import { tooMany } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';
import { readSettings, type Settings } from './settings.ts';

/** One try at a password. */
export interface Attempt {
  readonly accountKey: string;
  /** Set when somebody who is known repeats their own password, which guesses of others do not count for. */
  readonly isRepeated: boolean;
  readonly address: string;
}

/** What stands before the first colon is never anything that somebody typed. */
const subjectsOf = ({ accountKey, isRepeated, address }: Attempt) => [
  `${isRepeated ? 'repeated' : 'account'}:${accountKey.slice(0, 100)}`,
  `address:${networkOf(address)}`,
];

interface Limit {
  readonly subject: string;
  readonly most: number;
}

function limitsOf(attempt: Attempt, settings: Settings): Limit[] {
  const most = [settings.login_account_attempts, settings.login_address_attempts];
  return subjectsOf(attempt).map((subject, index) => ({ subject, most: most[index] ?? 0 }));
}

const attemptsOf = statement((sql, p: { subject: string }) =>
  sql.selectFrom('login_attempt').selectAll().where('subject', '=', p.subject),
);

/**
 * Refuses when there were too many wrong passwords for the account or from the address. Asked before any password is
 * looked at, known ones too: otherwise a refused guesser could still tell the right one. Answers whether there were any.
 */
export async function refuseWhenLocked(
  reader: Reader,
  attempt: Attempt,
  settings: Settings,
): Promise<boolean> {
  const now = Date.now();
  let hasFailures = false;
  for (const { subject, most } of limitsOf(attempt, settings)) {
    const row = await reader.first(attemptsOf, { subject });
    const left = row === undefined ? 0 : row.expires_at - now;
    // More than the wait itself is left only when the clock was set back.
    const isRunning = left > 0 && left <= settings.login_wait_seconds * second;
    if (row !== undefined && isRunning && row.failures >= most) throw locked(left);
    hasFailures ||= row !== undefined && row.failures > 0;
  }
  return hasFailures;
}

const locked = (milliseconds: number) =>
  tooMany('Too many wrong passwords. Try again later.', Math.max(1, Math.ceil(milliseconds / second)));

/**
 * Counts a try before the password is looked at, so that many at once cannot slip past the limit. Answers how many
 * tries for this account have failed so far. A success takes it back; a refusal is not counted.
 */
export async function beginAttempt(tx: Transaction, _: Viewer, attempt: Attempt): Promise<number> {
  const settings = await readSettings(tx);
  const wait = settings.login_wait_seconds * second;
  const counts: number[] = [];
  for (const { subject, most } of limitsOf(attempt, settings)) {
    const failures = await count(tx, subject, wait);
    if (failures > most) throw locked(wait);
    counts.push(failures - 1);
  }
  return counts[0] ?? 0;
}

async function count(tx: Transaction, subject: string, wait: number): Promise<number> {
  const now = Date.now();
  const expires_at = now + wait;
  const insert = tx.sql.insertInto('login_attempt').values({ subject, failures: 1, expires_at });
  const upsert = insert.onConflict((conflict) =>
    conflict.column('subject').doUpdateSet((row) => ({
      expires_at,
      failures: row
        .case()
        .when('login_attempt.expires_at', '>', now)
        .then(row('login_attempt.failures', '+', 1))
        .else(1)
        .end(),
    })),
  );
  const [stored] = await tx.all(upsert.returning('failures'));
  return stored?.failures ?? 1;
}

/** The password was right: the account starts anew, and the address gets this try back when it was counted. */
export async function endAttempt(
  tx: Transaction,
  _: Viewer,
  { wasCounted, ...attempt }: Attempt & { wasCounted: boolean },
): Promise<void> {
  const [account = '', address = ''] = subjectsOf(attempt);
  await tx.run(tx.sql.deleteFrom('login_attempt').where('subject', '=', account));
  if (!wasCounted) return;
  const giveBack = tx.sql.updateTable('login_attempt').set((row) => ({ failures: row('failures', '-', 1) }));
  await tx.run(giveBack.where('subject', '=', address).where('failures', '>', 0));
}

/** The account got another password: guesses at the one before do not keep its owner out. */
export async function forgetGuesses(tx: Transaction, accountKey: string): Promise<void> {
  const [account = ''] = subjectsOf({ accountKey, isRepeated: false, address: '' });
  await tx.run(tx.sql.deleteFrom('login_attempt').where('subject', '=', account));
}

export async function purgeAttempts(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('login_attempt').where('expires_at', '<', Date.now()));
}
