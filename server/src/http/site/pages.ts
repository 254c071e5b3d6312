import type { FastifyInstance, FastifyReply } from 'fastify';
import { findAccountByName, findAvatar } from '../../identity/index.ts';
import { defaultAvatar } from '../../present/index.ts';
import { drawAvatar } from '../bytes/index.ts';
import type { Services } from '../services.ts';
import { registerExplorer } from './explorer.ts';
import { withSecurity } from './page-headers.ts';
import { Readiness } from './readiness.ts';
import { registerUnsubscription } from './unsubscribe.ts';
import { registerWeb } from './web.ts';

/** Alive: the process answers. Ready: it is not stopping, the database answers too, and something can be written. */
function registerHealth(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async (_request, reply) => withSecurity(reply).send({ status: 'ok' }));
  const readiness = new Readiness(services);
  app.get('/readyz', async (_request, reply) => {
    const fault = await readiness.fault();
    withSecurity(reply).header('Cache-Control', 'no-store');
    return fault === undefined ? reply.send({ status: 'ready' }) : reply.code(503).send({ status: fault });
  });
  app.get('/metrics', async (_request, reply) =>
    withSecurity(reply).type('text/plain; version=0.0.4; charset=utf-8').send(services.metrics.render()),
  );
}

const oneDay = 86_400;

/**
 * The picture that somebody uploaded. Where the platform is closed only those who were told its hash get it: what is served to
 * everybody must not tell which names there are.
 */
async function uploadedAvatar(
  { database, authenticator }: Services,
  name: string,
  hash: string | undefined,
): Promise<Buffer | undefined> {
  const account = await findAccountByName(database, name);
  if (account === undefined || account.avatarHash === null) return undefined;
  const { access_mode } = await authenticator.settings();
  const isTold = hash === undefined ? access_mode === 'anonymous' : hash === account.avatarHash;
  return isTold ? findAvatar(database, account.id) : undefined;
}

/** Every name has a picture, whether or not somebody has the name. */
function registerAvatars(app: FastifyInstance, services: Services): void {
  const send = (reply: FastifyReply, picture: Buffer, caching: string) =>
    withSecurity(reply).header('Cache-Control', `public, ${caching}`).type('image/png').send(picture);
  app.get(defaultAvatar, async (_request, reply) => send(reply, drawAvatar(''), `max-age=${oneDay}`));
  app.get<{ Params: { name: string; file: string } }>('/users/:name/:file', async (request, reply) => {
    const { name, file } = request.params;
    const [isPicture, hash] = /^avatar(?:-([0-9a-f]{1,64}))?\.png$/.exec(file) ?? [];
    if (isPicture === undefined) return reply.callNotFound();
    const uploaded = await uploadedAvatar(services, name, hash);
    if (uploaded === undefined) return send(reply, drawAvatar(name.toLowerCase()), `max-age=${oneDay}`);
    return send(reply, uploaded, hash === undefined ? 'max-age=300' : 'max-age=31536000, immutable');
  });
}

/** Everything that is served beside the API. */
export function registerPages(app: FastifyInstance, services: Services): void {
  registerHealth(app, services);
  registerAvatars(app, services);
  registerExplorer(app, services);
  registerUnsubscription(app, services);
  if (services.config.hasWeb) registerWeb(app, services);
  else app.get('/', async (_request, reply) => withSecurity(reply).redirect('/api/explorer/', 302));
}
