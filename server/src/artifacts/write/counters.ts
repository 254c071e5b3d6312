import { type SqlBuilder, statement, type Transaction } from '../../storage/index.ts';

interface Counted {
  readonly trackerId: number;
  readonly restricted: number;
}

/** Counts an artifact in its tracker, and gives its number there. */
export const raisedCounter = (sql: Pick<SqlBuilder, 'updateTable'>, p: Counted) =>
  sql
    .updateTable('tracker_counter')
    .set((row) => ({
      last_number: row('last_number', '+', 1),
      artifacts: row('artifacts', '+', 1),
      restricted: row('restricted', '+', p.restricted),
    }))
    .where('tracker_id', '=', p.trackerId)
    .returning('last_number');

const raiseCounter = statement(raisedCounter);

/** The number of an artifact in its tracker, which from then on counts it. */
export async function countIn(tx: Transaction, trackerId: number, restricted: 0 | 1): Promise<number> {
  const [counter] = await tx.all(raiseCounter, { trackerId, restricted });
  return counter?.last_number ?? 0;
}

const lowerCounter = statement((sql, p: Counted) =>
  sql
    .updateTable('tracker_counter')
    .set((row) => ({
      artifacts: row('artifacts', '-', 1),
      restricted: row('restricted', '-', p.restricted),
    }))
    .where('tracker_id', '=', p.trackerId),
);

/** The tracker counts the artifact no more. */
export async function countOut(tx: Transaction, trackerId: number, restricted: 0 | 1): Promise<void> {
  await tx.write(lowerCounter, { trackerId, restricted });
}
