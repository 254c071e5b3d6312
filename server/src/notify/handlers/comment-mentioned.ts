import { tellOfChange } from '../change-telling.ts';
import { type EventHandler, noOutcome } from './handler.ts';

/** Nobody else hears once more of what was edited. */
export const commentMentioned: EventHandler<'comment.mentioned'> = {
  async outcomeOf(event, deps) {
    const seen = await deps.onlookers.platform(event);
    if (seen === undefined) return noOutcome;
    return { ...(await tellOfChange(seen, deps, event.accountIds)), deliveries: [] };
  },
};
