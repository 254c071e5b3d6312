import { mayReadComment } from '../../artifacts/index.ts';
import { seenBy } from '../artifact-changes.ts';
import { deliveriesOf } from '../new-deliveries.ts';
import type { EventHandler } from './handler.ts';

/** Told to webhooks whose owners may read the comment as it is now; one without text was removed. */
export const commentEdited: EventHandler<'comment.edited'> = {
  async outcomeOf(event, deps) {
    const deliveries = await deliveriesOf(deps.database, event.kind, [event], async (owner) => {
      const seen = await seenBy(owner, event, deps);
      const comment = seen?.change.comment;
      if (seen === undefined || !comment || !mayReadComment(seen.artifact.view, comment)) return undefined;
      const showing = await deps.showing();
      return {
        ...(await showing.present(seen.readContext, seen.artifact, seen.change)),
        user: await showing.user(seen.readContext, event.by),
      };
    });
    return { mails: [], deliveries };
  },
};
