import { sql } from '../../storage/index.ts';
import type { Finding } from './search-index.ts';
import { all, type SqlPiece } from './sql.ts';

/** The trackers of fields and of artifacts. */
export const trackersOf = (fields: SqlPiece, artifacts: SqlPiece): SqlPiece => sql`
  select tracker_id as id from tracker_field where id in (${fields})
  union select tracker_id as id from artifact where id in (${artifacts})`;

export async function trackerIds({ readContext, clock }: Finding, query: SqlPiece): Promise<Set<number>> {
  clock.check();
  return new Set((await all<{ id: number }>(readContext.reader, query)).map(({ id }) => id));
}
