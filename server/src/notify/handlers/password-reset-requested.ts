import { resetMails } from '../reset-mail.ts';
import { type EventHandler, noOutcome } from './handler.ts';

export const passwordResetRequested: EventHandler<'password_reset.requested'> = {
  outcomeOf: async ({ kind: _, ...lost }, { sendsMail, database }) =>
    sendsMail ? { mails: await resetMails(lost, database), deliveries: [] } : noOutcome,
};
