import { readSettings } from '../../identity/index.ts';
import { day } from '../../kernel/clock.ts';
import { type RateLimit, Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';

/** Deletions of one person count for so long. */
const window = day;

/** How many artifacts the viewer may still delete; refuses when it is none. */
export async function requireAllowance(reader: Reader, { userId }: Viewer): Promise<RateLimit> {
  const { artifact_deletion_limit: limit } = await readSettings(reader);
  const rateLimit = { limit, remaining: 0 };
  if (limit === 0) throw new Refusal('forbidden', 'Deletion of artifacts is not allowed', { rateLimit });
  const own = reader.sql
    .selectFrom('artifact_deletion')
    .select((row) => row.fn.countAll<number>().as('used'))
    .where('account_id', '=', userId)
    .where('deleted_at', '>=', Date.now() - window);
  const used = (await reader.first(own))?.used ?? 0;
  const words = 'The limit of artifacts deletions has been reached for the previous 24 hours.';
  if (used >= limit) throw new Refusal('too-many', words, { rateLimit });
  return { limit, remaining: limit - used };
}

/** As `requireAllowance`; nobody else uses up what this person may delete before the transaction ends. */
export async function lockAllowance(tx: Transaction, viewer: Viewer): Promise<RateLimit> {
  await tx.lock(tx.sql.selectFrom('account').select('id').where('id', '=', viewer.userId));
  return requireAllowance(tx, viewer);
}

/** Counts one deletion. */
export async function useAllowance(
  tx: Transaction,
  { userId }: Viewer,
  { limit, remaining }: RateLimit,
): Promise<RateLimit> {
  const deletion = { account_id: userId, deleted_at: Date.now() };
  await tx.run(tx.sql.insertInto('artifact_deletion').values(deletion));
  return { limit, remaining: remaining - 1 };
}

/** Forgets deletions that count no more. */
export async function purgeDeletions(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('artifact_deletion').where('deleted_at', '<', Date.now() - window));
}
