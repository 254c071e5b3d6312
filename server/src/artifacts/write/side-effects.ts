import type { StoredLink, Tracker } from '../../trackers/index.ts';
import { type Document, linkField } from '../model.ts';
import type { Change } from './change.ts';
import type { Changes } from './changeset.ts';
import { queueJobs } from './ci-jobs.ts';
import { announce, placeOf } from './outbox.ts';
import { triggerEventOf } from './trigger-events.ts';
import type { GovernedChanges } from './workflow.ts';

function fieldIdsOf(tracker: Tracker, { values, links }: Changes): number[] {
  const linked = links === undefined ? undefined : linkField(tracker);
  return [...values.keys(), ...(linked === undefined ? [] : [linked])].map(({ id }) => id);
}

/** Remembers what triggers must look at, and leaves calls to other servers and news of the changeset for later. */
export async function noteEffects(
  change: Change,
  tracker: Tracker,
  before: { id: number; document: Document; links: readonly StoredLink[] },
  changes: GovernedChanges & { readonly changesetId: number },
  kind: 'artifact.created' | 'artifact.updated',
): Promise<void> {
  const { tx, viewer } = change.context;
  const { id: artifactId } = before;
  const triggerEvent = triggerEventOf(tracker, before, changes);
  if (triggerEvent !== undefined) change.triggerEvents.push(triggerEvent);
  await queueJobs(tx, viewer, { artifactId, tracker }, changes.jobs);
  await announce(change, kind, [tracker], () => ({
    ...{ artifactId, ...placeOf(tracker), by: viewer.userId },
    ...{ changesetId: changes.changesetId, fieldIds: fieldIdsOf(tracker, changes) },
  }));
}
