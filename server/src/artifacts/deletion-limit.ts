import { readSettings } from '../identity/index.ts';
import { day, type Instant } from '../kernel/clock.ts';
import { type RateLimit, Refusal } from '../kernel/errors.ts';
import { type Soon, whenThere } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';

/** Deletions of one person count for so long. */
const window = day;

const used = statement((builder, p: { accountId: number; since: number }) =>
  builder
    .selectFrom('artifact_deletion')
    .select((row) => [
      row.fn.countAll<number>().as('used'),
      row.fn.min<number | null>('deleted_at').as('oldest'),
    ])
    .where('account_id', '=', p.accountId)
    .where('deleted_at', '>=', p.since),
);

/** How many artifacts somebody may delete, and how long that holds unless they delete some. */
export interface Allowance {
  readonly left: number;
  readonly until: Instant;
}

const allowanceIn = (
  limit: number,
  row: { readonly used: number; readonly oldest: number | null } | undefined,
): Allowance => ({
  left: Math.max(0, limit - Number(row?.used ?? 0)),
  until: row?.oldest == null ? Number.POSITIVE_INFINITY : Number(row.oldest) + window,
});

const countedFor = ({ userId }: Viewer) => ({ accountId: userId, since: Date.now() - window });

/** `limit`: how many anybody may delete. */
export const readAllowance = (reader: Reader, viewer: Viewer, limit: number): Soon<Allowance> =>
  whenThere(reader.soon(used, countedFor(viewer)), (rows) => allowanceIn(limit, rows[0]));

/** How many artifacts the viewer may still delete; refuses when it is none. */
export async function requireAllowance(reader: Reader, viewer: Viewer): Promise<RateLimit> {
  const { artifact_deletion_limit: limit } = await readSettings(reader);
  const rateLimit = { limit, remaining: 0 };
  if (limit === 0) throw new Refusal('forbidden', 'Deletion of artifacts is not allowed', { rateLimit });
  const { left } = await readAllowance(reader, viewer, limit);
  const words = 'The limit of artifacts deletions has been reached for the previous 24 hours.';
  if (left === 0) throw new Refusal('too-many', words, { rateLimit });
  return { limit, remaining: left };
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
  await tx.write(tx.sql.insertInto('artifact_deletion').values(deletion));
  return { limit, remaining: remaining - 1 };
}

/** Forgets deletions that count no more. */
export async function purgeDeletions(tx: Transaction): Promise<void> {
  await tx.write(tx.sql.deleteFrom('artifact_deletion').where('deleted_at', '<', Date.now() - window));
}
