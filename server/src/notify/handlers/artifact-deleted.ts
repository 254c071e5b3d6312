import { deliveriesOf } from '../new-deliveries.ts';
import type { EventHandler } from './handler.ts';
import { contextFor, titleFor, viewOfLeft } from './readers.ts';

/** Webhooks hear of it whose owners could see the artifact. Of its values only the title is told. */
export const artifactDeleted: EventHandler<'artifact.deleted'> = {
  async outcomeOf(event, deps) {
    const deliveries = await deliveriesOf(deps.database, event.kind, [event], async (owner) => {
      const readContext = await contextFor(owner, deps);
      const view = await viewOfLeft(readContext, event);
      if (view === undefined) return undefined;
      const { artifactId: id } = event;
      const { tracker } = view;
      const showing = await deps.showing();
      const xref = JSON.stringify(`${tracker.itemName} #${id}`);
      const title = JSON.stringify(titleFor(view, event));
      return {
        user: await showing.user(readContext, event.by),
        artifact: `{"id":${id},"uri":"artifacts/${id}","xref":${xref},"title":${title},"tracker":${showing.tracker(tracker)}}`,
      };
    });
    return { mails: [], deliveries };
  },
};
