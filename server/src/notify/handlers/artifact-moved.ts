import type { ReadContext } from '../../artifacts/index.ts';
import type { EventOf } from '../../kernel/events.ts';
import { seenBy } from '../artifact-changes.ts';
import type { Showing } from '../model.ts';
import { type DeliveryMembers, deliveriesOf } from '../new-deliveries.ts';
import type { EventHandler } from './handler.ts';
import { contextFor, titleFor, viewOfLeft } from './readers.ts';

type Moved = EventOf<'artifact.moved'>;

/** Whoever may not see where an artifact went, but could see it before, is told that it left, and nothing of what it is now. */
async function leftMembers(
  readContext: ReadContext,
  { artifactId: id, by, from }: Moved,
  showing: Showing,
): Promise<DeliveryMembers | undefined> {
  const view = await viewOfLeft(readContext, from);
  if (view === undefined) return undefined;
  const title = JSON.stringify(titleFor(view, from));
  return {
    user: await showing.user(readContext, by),
    artifact: `{"id":${id},"uri":"artifacts/${id}","xref":null,"title":${title},"tracker":null}`,
    changeset: 'null',
    from: showing.tracker(view.tracker),
  };
}

/** Webhooks of the tracker that an artifact left, and of the one that it came to. */
export const artifactMoved: EventHandler<'artifact.moved'> = {
  async outcomeOf(event, deps) {
    const deliveries = await deliveriesOf(deps.database, event.kind, [event.from, event], async (owner) => {
      const showing = await deps.showing();
      const seen = await seenBy(owner, event, deps);
      if (seen === undefined) return leftMembers(await contextFor(owner, deps), event, showing);
      const former = await viewOfLeft(seen.readContext, event.from);
      return {
        ...(await showing.present(seen.readContext, seen.artifact, seen.change)),
        from: former === undefined ? 'null' : showing.tracker(former.tracker),
      };
    });
    return { mails: [], deliveries };
  },
};
