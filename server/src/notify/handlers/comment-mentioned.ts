import { tellOfChange } from '../change-telling.ts';
import type { EventHandler } from './handler.ts';

/** Nobody else hears once more of what was edited. */
export const commentMentioned: EventHandler<'comment.mentioned'> = {
  outcomeOf: async (event, deps) => ({
    ...(await tellOfChange(event, deps, event.accountIds)),
    deliveries: [],
  }),
};
