import { mentionMails } from '../artifact-mail.ts';
import { type EventHandler, nothing } from './handler.ts';

/** Nobody else hears once more of what was edited. */
export const commentMentioned: EventHandler<'comment.mentioned'> = {
  outcomeOf: async (event, deps) =>
    deps.sendsMail ? { ...nothing, mails: await mentionMails(event, event.accountIds, deps) } : nothing,
};
