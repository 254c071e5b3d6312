import { type ChangesetPlace, type SeenChange, seenBy } from '../artifact-changes.ts';
import { tellOfChange } from '../change-telling.ts';
import type { NewDelivery } from '../deliveries.ts';
import type { Showing } from '../model.ts';
import { deliveriesOf } from '../new-deliveries.ts';
import { type EventHandler, type EventOutcome, type HandlerDeps, noOutcome } from './handler.ts';

/** Whether the owner of a webhook sees something change. */
async function isVisible(
  { readContext, artifact, change, comment }: SeenChange,
  showing: Showing,
): Promise<boolean> {
  if (change.isCreation || comment !== undefined) return true;
  return (await showing.describe(readContext, artifact, change)).differences.length > 0;
}

/** What webhooks are told of a changeset, each as its owner may see it. */
async function changesetDeliveries(
  place: ChangesetPlace,
  { readContext, artifact, change }: SeenChange,
  deps: HandlerDeps,
): Promise<NewDelivery[]> {
  // Said by the changeset: earlier versions left events of one kind for both.
  const event = change.isCreation ? 'artifact.created' : 'artifact.updated';
  const { tracker } = artifact.view;
  if (!(await deps.listeners.wants(readContext, event, tracker))) return [];
  const places = [{ projectId: tracker.project.id, trackerId: tracker.id }];
  return deliveriesOf(deps.database, event, places, async (owner) => {
    const seen = await seenBy(owner, place, deps);
    const showing = await deps.showing();
    if (seen === undefined || !(await isVisible(seen, showing))) return undefined;
    return showing.present(seen.readContext, seen.artifact, seen.change);
  });
}

/** A changeset is told to those who have to do with the artifact, in their inbox and by mail, and to webhooks. */
export async function changesetOutcome(place: ChangesetPlace, deps: HandlerDeps): Promise<EventOutcome> {
  const whole = await deps.onlookers.platform(place);
  if (whole === undefined) return noOutcome;
  const deliveries = await changesetDeliveries(place, whole, deps);
  return { ...(await tellOfChange(whole, deps)), deliveries };
}

export const artifactUpdated: EventHandler<'artifact.updated'> = { outcomeOf: changesetOutcome };
