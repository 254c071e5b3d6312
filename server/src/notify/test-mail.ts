import { randomUUID } from 'node:crypto';
import { requireSiteAdministrator } from '../identity/index.ts';
import type { MailPlace } from '../kernel/config.ts';
import { invalidMember, unavailable } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { Mailer, MailRefused } from './mailer.ts';
import { isAddress } from './model.ts';

/** What the mail server said to a mail that was sent to try it. */
export interface TriedMail {
  readonly isAccepted: boolean;
  readonly answer: string;
}

const words = (publicUrl: string) =>
  `This mail was sent from ${publicUrl} to see whether mails leave. They do, as you see.\n`;

/** Sends one mail at once, for site administrators. */
export async function sendTestMail(
  viewer: Viewer,
  { address, place, publicUrl }: { address: string; place: MailPlace | undefined; publicUrl: string },
): Promise<TriedMail> {
  requireSiteAdministrator(viewer);
  if (!isAddress(address)) throw invalidMember('address', 'It is not a mail address.');
  if (place === undefined)
    throw unavailable('This platform has no mail server. Set ATELIER_SMTP_URL and start the service again.');
  const mailer = await Mailer.open(place, publicUrl);
  try {
    const message = { subject: 'A test mail of Atelier', text: words(publicUrl), id: `test-${randomUUID()}` };
    return { isAccepted: true, answer: await mailer.send(address, message) };
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return { isAccepted: false, answer: error.message };
  } finally {
    mailer.close();
  }
}
