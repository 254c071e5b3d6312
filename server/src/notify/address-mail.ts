import { formatInstant } from '../kernel/clock.ts';
import type { EmailFacts } from '../kernel/events.ts';
import type { MailMessage, MailOrder } from './model.ts';

export const addressMail = 'address-replaced';

/** Goes to the address that was replaced: whoever took an account over would be the only one to read it at the new one. */
export function addressMails(replaced: EmailFacts): MailOrder[] {
  const [address, payload] = [replaced.before, JSON.stringify(replaced)];
  return [{ kind: addressMail, payload, accountId: null, address, projectId: 0 }];
}

export function writeAddressMail({ payload }: MailOrder, publicUrl: string): MailMessage {
  const { account, at }: EmailFacts = JSON.parse(payload);
  const text = [
    `The mail address of your account on ${publicUrl} was changed. Mails for you no longer come here.`,
    '',
    `Changed: ${formatInstant(at)}`,
    '',
    'If it was not you who changed it, somebody else knows your password: tell an administrator at once.',
    '',
  ].join('\n');
  return { subject: 'The mail address of your account was changed', text, id: `address.${account}.${at}` };
}
