import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { requireSelf } from './policy.ts';

/** Something that has a page, as people visit it and choose it as a favourite. */
export interface VisitedPlace {
  readonly kind: string;
  readonly id: number;
}

export interface Visit extends VisitedPlace {
  readonly visitedAt: number;
}

/** Visits that are kept of each person. */
const mostVisits = 200;

/** What somebody visited, the last first, whether or not they may still see it. */
export async function listVisits(reader: Reader, viewer: Viewer, accountId: number): Promise<Visit[]> {
  requireSelf(viewer, accountId);
  const query = reader.sql.selectFrom('visit').select(['kind', 'item_id as id', 'visited_at as visitedAt']);
  const own = query.where('account_id', '=', accountId);
  return reader.all(own.orderBy('visited_at', 'desc').orderBy('item_id', 'desc').limit(mostVisits));
}

/** Writes a visit down; a later one of the same place takes its place, and the oldest are forgotten. */
export async function recordVisit(
  tx: Transaction,
  viewer: Viewer,
  { accountId, place }: { readonly accountId: number; readonly place: VisitedPlace },
): Promise<void> {
  requireSelf(viewer, accountId);
  const visited_at = Date.now();
  const row = { account_id: accountId, kind: place.kind, item_id: place.id, visited_at };
  const insert = tx.sql.insertInto('visit').values(row);
  await tx.run(
    insert.onConflict((conflict) =>
      conflict.columns(['account_id', 'kind', 'item_id']).doUpdateSet({ visited_at }),
    ),
  );
  await forgetOldest(tx, accountId);
}

async function forgetOldest(tx: Transaction, accountId: number): Promise<void> {
  const own = tx.sql.selectFrom('visit').where('account_id', '=', accountId);
  const first = own.select('visited_at').orderBy('visited_at', 'desc').offset(mostVisits).limit(1);
  const tooOld = await tx.first(first);
  if (tooOld === undefined) return;
  const old = tx.sql.deleteFrom('visit').where('account_id', '=', accountId);
  await tx.run(old.where('visited_at', '<=', tooOld.visited_at));
}

/** Forgets what the viewer visited. A history can be emptied but not written. */
export async function clearHistory(
  tx: Transaction,
  viewer: Viewer,
  { accountId, entries }: { accountId: number; entries: number },
): Promise<void> {
  requireSelf(viewer, accountId);
  if (entries > 0) throw forbidden('History can only be cleared: send an empty array.');
  await tx.run(tx.sql.deleteFrom('visit').where('account_id', '=', accountId));
}
