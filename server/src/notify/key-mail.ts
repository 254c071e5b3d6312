import { formatInstant } from '../kernel/clock.ts';
import type { AccessKeyFacts } from '../kernel/events.ts';
import { type MailMessage, type MailOrder, oneLine } from './model.ts';

export const keyMail = 'access-key';

/** The owner is told of a new key whatever they wished: somebody else may have made it. */
export function keyMails(key: AccessKeyFacts): MailOrder[] {
  const [accountId, payload] = [key.account, JSON.stringify(key)];
  return [{ kind: keyMail, payload, accountId, address: null, projectId: 0 }];
}

export function writeKeyMail({ payload }: MailOrder, publicUrl: string): MailMessage {
  const { key, description, scopes, createdAt, expiresAt }: AccessKeyFacts = JSON.parse(payload);
  const text = [
    `An access key was created for your account on ${publicUrl}.`,
    '',
    `Key: ${key}`,
    ...(description === '' ? [] : [`Description: ${oneLine(description, 1000)}`]),
    `Scopes: ${scopes.join(', ')}`,
    `Created: ${formatInstant(createdAt)}`,
    `Expires: ${expiresAt === null ? 'never' : formatInstant(expiresAt)}`,
    '',
    'Whoever has it can act in your name. If it was not you who created it, delete the key, change your password',
    'and tell an administrator.',
    '',
  ].join('\n');
  return { subject: 'An access key was created for your account', text, id: `access-key.${key}` };
}
