import type { Viewer } from '../kernel/viewer.ts';
import { blobOperations } from './blobs/index.ts';
import type { Transaction } from './database.ts';

/**
 * Claims the next run of a periodic job. Of all threads and processes that ask, one gets it; the others are told no
 * until the pause is over.
 */
export async function claimJob(
  tx: Transaction,
  _: Viewer,
  { name, pause }: { name: string; pause: number },
): Promise<boolean> {
  const now = Date.now();
  const insert = tx.sql.insertInto('job').values({ name, due_at: 0 });
  await tx.run(insert.onConflict((conflict) => conflict.column('name').doNothing()));
  const claim = tx.sql.updateTable('job').set({ due_at: now + pause });
  // Due further away than one pause means that the clock was set back.
  const isDue = claim.where((job) => job.or([job('due_at', '<=', now), job('due_at', '>', now + pause)]));
  return (await tx.run(isDue.where('name', '=', name))) === 1;
}

export const storageOperations = { claimJob, ...blobOperations };
