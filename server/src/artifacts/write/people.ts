import { type Database, statement, type Transaction } from '../../storage/index.ts';

const insertPerson = statement((sql, p: { trackerId: number; role: string; accountId: number }) =>
  sql
    .insertInto('tracker_person')
    .values({ tracker_id: p.trackerId, role: p.role, account_id: p.accountId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Those whom this thread found recorded: they stay recorded for as long as their tracker is there. */
const recordedIn = new WeakMap<Database['sql'], Set<string>>();
const mostRecorded = 100_000;

function recordedOf({ sql }: Transaction): Set<string> {
  const known = recordedIn.get(sql);
  if (known !== undefined) return known;
  const recorded = new Set<string>();
  recordedIn.set(sql, recorded);
  return recorded;
}

/** Remembers that somebody submitted or changed an artifact of the tracker. */
export async function recordPerson(
  tx: Transaction,
  trackerId: number,
  role: 'submitter' | 'editor',
  accountId: number,
): Promise<void> {
  const key = `${trackerId} ${role} ${accountId}`;
  const recorded = recordedOf(tx);
  if (recorded.has(key)) return;
  const isNew = (await tx.run(insertPerson, { trackerId, role, accountId })) > 0;
  // What this transaction records may still come to nothing.
  if (isNew) return;
  if (recorded.size >= mostRecorded) recorded.clear();
  recorded.add(key);
}
