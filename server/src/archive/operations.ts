import { insertHistory, insertLinks } from '../artifacts/index.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { typedValueFor } from '../trackers/index.ts';
import { importTracker, tieTrackers } from './tracker-import.ts';

/** Ids for artifacts or files that are still to be made. */
const reserveIds = (
  tx: Transaction,
  _: Viewer,
  { table, count }: { readonly table: 'artifact' | 'attachment'; readonly count: number },
): Promise<number[]> => tx.newIds(table, count);

/** The ids of values that somebody typed into an open list. */
async function nameTypedValues(
  tx: Transaction,
  _: Viewer,
  { fieldId, labels }: { readonly fieldId: number; readonly labels: readonly string[] },
): Promise<number[]> {
  const ids: number[] = [];
  for (const label of labels) ids.push(await typedValueFor(tx, fieldId, label));
  return ids;
}

/** What the thread that writes does for archives. Nothing of it asks who may: whoever calls has asked. */
export const archiveOperations = {
  importTracker,
  tieTrackers,
  reserveIds,
  nameTypedValues,
  insertHistory,
  insertLinks,
};
