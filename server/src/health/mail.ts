import { once } from 'node:events';
import { connect } from 'node:net';
import type { Config } from '../kernel/config.ts';
import { reasonOf } from '../kernel/system-faults.ts';
import { findRefusalOfAll } from '../notify/index.ts';
import { openDatabase } from '../storage/index.ts';
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

/** What the mail server said to mails that wait, for a doctor who has no database open. The database must be of this version. */
export async function readMailRefusal({ dataFolder, databaseUrl }: Config): Promise<string | undefined> {
  const database = await openDatabase({ folder: dataFolder, databaseUrl, connections: 1 });
  try {
    return await findRefusalOfAll(database);
  } finally {
    await database.close();
  }
}

/** A server that lets itself be reached may still take nothing: that is known of the mails that it refused. */
function answering(server: string, refusal: string | undefined): HealthFinding {
  if (refusal === undefined)
    return { about, state: 'ok', says: `${server} answers.`, code: 'mail-answers', facts: { server } };
  const reason = refusal.replace(/\.$/, '');
  return {
    about,
    state: 'problem',
    says: `${server} takes no mails from here: ${reason}. Mails wait and are sent later.`,
    code: 'mail-refused',
    facts: { server, reason },
    advice:
      'See that it takes mails from the sender in ATELIER_MAIL_FROM, and from the name in ATELIER_SMTP_URL; then send a test mail.',
  };
}

/** The address may hold a password: only the host and the port are told. */
export async function checkMail(
  address: string | undefined,
  refusalOfAll: () => Promise<string | undefined>,
): Promise<HealthFinding> {
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
    async (): Promise<HealthFinding> => answering(server, await refusalOfAll()),
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
