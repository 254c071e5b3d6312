import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { dropPieces } from './pieces.ts';
import { lowerUsage } from './usage.ts';

/**
 * Removes files that nobody attached in time, some at once so that the transaction stays short, and tells how many. On
 * engines with several writers whoever attaches one at this moment is waited for.
 */
export async function removeExpiredFiles(
  tx: Transaction,
  _: Viewer,
  { limit }: { limit: number },
): Promise<number> {
  const now = Date.now();
  const expired = tx.sql
    .selectFrom('attachment')
    .select(['id', 'state', 'submitted_by as owner', 'size'])
    .where('expires_at', '<=', now);
  const rows = await tx.lock(expired.orderBy('id').limit(limit));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await dropPieces(tx, ids);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', 'in', ids));
  await lowerUsage(
    tx,
    rows.filter(({ state }) => state === 'temporary'),
  );
  return ids.length;
}
