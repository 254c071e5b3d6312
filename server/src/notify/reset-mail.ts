import { findResetAccounts } from '../identity/index.ts';
import { formatInstant, type Instant } from '../kernel/clock.ts';
import type { LostPasswordFacts } from '../kernel/events.ts';
import type { Reader } from '../storage/index.ts';
import type { MailMessage, MailOrder } from './model.ts';

export const resetMail = 'password-reset';

interface ResetMail {
  readonly requestedAt: Instant;
}

/** Nobody but the owner of the address learns whether there is such an account. */
export async function resetMails({ login, at }: LostPasswordFacts, reader: Reader): Promise<MailOrder[]> {
  const payload: ResetMail = { requestedAt: at };
  return (await findResetAccounts(reader, login)).map(({ id }) => ({
    ...{ kind: resetMail, payload: JSON.stringify(payload), accountId: id, address: null, projectId: 0 },
  }));
}

export const requestOf = ({ payload }: Pick<MailOrder, 'payload'>): ResetMail => JSON.parse(payload);

/** Where a page asks for the new password. */
export const passwordPage = (publicUrl: string, token: string) =>
  `${publicUrl}/password/reset?token=${token}`;

export function writeResetMail(mail: MailOrder, publicUrl: string, token: string): MailMessage {
  const { requestedAt } = requestOf(mail);
  const text = [
    `Somebody asked for a new password for your account on ${publicUrl}.`,
    '',
    'Choose one here, within an hour; the link can be used once:',
    passwordPage(publicUrl, token),
    '',
    `Asked for: ${formatInstant(requestedAt)}`,
    '',
    'If it was not you, nothing needs to be done: the password stays as it is.',
    '',
  ].join('\n');
  return {
    subject: 'A new password for your account',
    text,
    id: `password.${mail.accountId}.${requestedAt}`,
  };
}
