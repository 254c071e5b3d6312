import type { LiveDeed } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { recordInHistory } from '../projects/index.ts';
import { logEvent, type Transaction } from '../storage/index.ts';
import { loadTracker } from './compile.ts';
import { changesBetween } from './history.ts';
import type { Tracker } from './model.ts';

async function tell(
  tx: Transaction,
  { userId: by }: Viewer,
  { id: trackerId, project }: Tracker,
  what: LiveDeed,
): Promise<void> {
  await tx.touch('structure');
  await logEvent(tx, 'tracker.changed', { trackerId, projectId: project.id, what, by });
}

async function requireAfter(tx: Transaction, id: number): Promise<Tracker> {
  const tracker = await loadTracker(tx, id);
  if (tracker === undefined) throw new Error('The tracker that was changed is gone.');
  return tracker;
}

/** A tracker was made: its project's history says so, and those who look at it are told. */
export async function trackerCreated(tx: Transaction, viewer: Viewer, id: number): Promise<void> {
  const tracker = await requireAfter(tx, id);
  await recordInHistory(tx, viewer, tracker.project.id, { event: 'tracker_create', subject: tracker.name });
  await tell(tx, viewer, tracker, 'created');
}

/**
 * A tracker is another now than `before`, which is how the transaction found it: what was remembered of it is old, those
 * who look at it are told, and the history of its project says what is not as it was. What that is, is seen by comparing,
 * so that no change can be forgotten.
 */
export async function trackerChanged(tx: Transaction, viewer: Viewer, before: Tracker): Promise<void> {
  for (const change of changesBetween(before, await requireAfter(tx, before.id)))
    await recordInHistory(tx, viewer, before.project.id, change);
  await tell(tx, viewer, before, 'changed');
}

const deeds = { deleted: 'tracker_delete', restored: 'tracker_restore' } as const;

/** A tracker went, or came back. */
export async function trackerMoved(
  tx: Transaction,
  viewer: Viewer,
  tracker: Tracker,
  what: keyof typeof deeds,
): Promise<void> {
  const entry = { event: deeds[what], subject: tracker.name };
  await recordInHistory(tx, viewer, tracker.project.id, entry);
  await tell(tx, viewer, tracker, what);
}
