import { day } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { requireSelf } from './policy.ts';
import type { VisitedPlace } from './visits.ts';

/** How long favourites are kept that their owner cannot see: a right that was taken may be given again. */
const keptUnseen = 30 * day;

/** The favourites of somebody in their order, whether or not they may still see them. */
export async function listFavorites(
  reader: Reader,
  viewer: Viewer,
  accountId: number,
): Promise<VisitedPlace[]> {
  requireSelf(viewer, accountId);
  const query = reader.sql.selectFrom('favorite').select(['kind', 'item_id as id']);
  return reader.all(query.where('account_id', '=', accountId).orderBy('position'));
}

export interface FavoritesRequest {
  readonly accountId: number;
  readonly places: readonly VisitedPlace[];
  /** Those that are hidden from their owner now, who so could not name them. */
  readonly unseen: readonly VisitedPlace[];
}

const keyOf = ({ kind, id }: VisitedPlace) => `${kind} ${id}`;

/** Replaces the favourites of somebody. */
export async function replaceFavorites(
  tx: Transaction,
  viewer: Viewer,
  { accountId, places, unseen }: FavoritesRequest,
): Promise<void> {
  requireSelf(viewer, accountId);
  const now = Date.now();
  const query = tx.sql.selectFrom('favorite').select(['kind', 'item_id as id', 'unseen_since as since']);
  const before = await tx.all(query.where('account_id', '=', accountId));
  const since = new Map(before.map((favorite) => [keyOf(favorite), favorite.since ?? now]));
  const kept = unseen.filter((place) => (since.get(keyOf(place)) ?? 0) > now - keptUnseen);
  const all = [
    ...places.map((place) => ({ place, unseen_since: null })),
    ...kept.map((place) => ({ place, unseen_since: since.get(keyOf(place)) ?? now })),
  ];
  await tx.run(tx.sql.deleteFrom('favorite').where('account_id', '=', accountId));
  const rows = all.map(({ place: { kind, id }, unseen_since }, position) => ({
    ...{ account_id: accountId, kind, item_id: id, position, unseen_since },
  }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('favorite').values(rows));
}
