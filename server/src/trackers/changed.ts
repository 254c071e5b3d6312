import type { LiveDeed } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { logEvent, type Transaction } from '../storage/index.ts';

/** Which tracker, and where it is. */
interface TrackerPlace {
  readonly id: number;
  readonly project: { readonly id: number };
}

/** A tracker is another now: what was remembered of it is old, and those who look at it are told. */
export async function trackerChanged(
  tx: Transaction,
  { userId: by }: Viewer,
  { id: trackerId, project }: TrackerPlace,
  what: LiveDeed = 'changed',
): Promise<void> {
  await tx.touch('structure');
  await logEvent(tx, 'tracker.changed', { trackerId, projectId: project.id, what, by });
}
