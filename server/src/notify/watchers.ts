import { type Reader, statement } from '../storage/index.ts';

/** What can be watched. */
export interface Watched {
  readonly kind: 'tracker' | 'artifact';
  readonly id: number;
}

const watchersOf = statement((sql, p: Watched) =>
  sql
    .selectFrom('watch')
    .select('account_id')
    .where('kind', '=', p.kind)
    .where('item_id', '=', p.id)
    .orderBy('account_id'),
);

/** The accounts that asked to hear of something. */
export async function findWatchers(reader: Reader, { kind, id }: Watched): Promise<number[]> {
  const rows = await reader.all(watchersOf, { kind, id });
  return rows.map(({ account_id }) => account_id);
}
