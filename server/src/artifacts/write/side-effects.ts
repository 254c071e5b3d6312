import type { StoredLink, Tracker } from '../../trackers/index.ts';
import type { Document } from '../model.ts';
import type { Change } from './change.ts';
import { queueJobs } from './ci-jobs.ts';
import { triggerEventOf } from './trigger-events.ts';
import type { GovernedChanges } from './workflow.ts';

/** What the workflow wants of a change: remembers what triggers must look at, and leaves calls to other servers for later. */
export async function noteEffects(
  change: Change,
  tracker: Tracker,
  before: { id: number; document: Document; links: readonly StoredLink[] },
  changes: GovernedChanges,
): Promise<void> {
  const { tx, viewer } = change.context;
  const triggerEvent = triggerEventOf(tracker, before, changes);
  if (triggerEvent !== undefined) change.triggerEvents.push(triggerEvent);
  await queueJobs(tx, viewer, { artifactId: before.id, tracker }, changes.jobs);
}
