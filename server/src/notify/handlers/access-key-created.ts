import { keyMails } from '../key-mail.ts';
import { type EventHandler, noOutcome } from './handler.ts';

export const accessKeyCreated: EventHandler<'access_key.created'> = {
  outcomeOf: async ({ kind: _, ...key }, { sendsMail }) =>
    sendsMail ? { mails: keyMails(key), deliveries: [] } : noOutcome,
};
