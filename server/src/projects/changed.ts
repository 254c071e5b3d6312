import type { LiveDeed } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { logEvent, type Transaction } from '../storage/index.ts';

/** A project is another now: what was remembered of it is old, and those who look at it are told. */
export async function projectChanged(
  tx: Transaction,
  { userId: by }: Viewer,
  projectId: number,
  what: LiveDeed = 'changed',
): Promise<void> {
  await tx.touch('identity', 'structure');
  await logEvent(tx, 'project.changed', { projectId, what, by });
}
