import { once } from 'node:events';
import { connect } from 'node:net';
import { reasonOf } from '../kernel/system-faults.ts';
import type { HealthFinding } from './finding.ts';

const about = 'mail';
const patience = 5000;
const ports: Readonly<Record<string, number>> = { 'smtp:': 25, 'smtps:': 465 };

async function reach(host: string, port: number): Promise<void> {
  const socket = connect({ host, port, timeout: patience });
  socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** The address may hold a password: only the host and the port are told. */
export async function checkMail(address: string | undefined): Promise<HealthFinding> {
  const form = 'smtp://user:password@host:port or smtps://…';
  if (address === undefined || address.trim() === '') {
    const advice = `To send it, set ATELIER_SMTP_URL to ${form}`;
    return { about, state: 'warning', says: 'No mail is sent.', code: 'mail-off', advice };
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const usualPort = ports[url?.protocol ?? ''];
  if (url === undefined || usualPort === undefined || url.hostname === '')
    return {
      about,
      state: 'problem',
      says: 'ATELIER_SMTP_URL is no address of a mail server.',
      code: 'mail-address',
      advice: `Expecting ${form}`,
    };
  const port = url.port === '' ? usualPort : Number(url.port);
  const server = `${url.hostname}:${port}`;
  return reach(url.hostname, port).then(
    (): HealthFinding => ({
      ...{ about, state: 'ok', says: `${server} answers.` },
      ...{ code: 'mail-answers', facts: { server } },
    }),
    (error): HealthFinding => ({
      about,
      state: 'problem',
      says: `${server} cannot be reached: ${reasonOf(error)}. Mails wait and are sent later.`,
      code: 'mail-away',
      facts: { server, reason: reasonOf(error) },
      advice: 'Start the mail server, or set another one with ATELIER_SMTP_URL; then send a test mail.',
    }),
  );
}
