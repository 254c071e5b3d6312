import { addressMails } from '../address-mail.ts';
import { type EventHandler, noOutcome } from './handler.ts';

export const accountEmailChanged: EventHandler<'account.email_changed'> = {
  outcomeOf: async ({ kind: _, ...replaced }, { sendsMail }) =>
    sendsMail ? { mails: addressMails(replaced), deliveries: [] } : noOutcome,
};
