import type { Reader } from '../storage/index.ts';

/** What can be watched. */
export interface Watched {
  readonly kind: 'tracker' | 'artifact';
  readonly id: number;
}

/** The accounts that asked to hear of something. */
export async function findWatchers(reader: Reader, { kind, id }: Watched): Promise<number[]> {
  const query = reader.sql.selectFrom('watch').select('account_id').where('kind', '=', kind);
  const rows = await reader.all(query.where('item_id', '=', id).orderBy('account_id'));
  return rows.map(({ account_id }) => account_id);
}
