import type { FastifyInstance } from 'fastify';
import { findAccountByName } from '../identity/index.ts';
import { drawAvatar } from './avatar.ts';
import { registerExplorer } from './explorer.ts';
import { withSecurity } from './page-headers.ts';
import type { Services } from './services.ts';
import { registerUnsubscription } from './unsubscription.ts';

/** Alive: the process answers. Ready: it is not stopping and the database answers too. */
function registerHealth(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async (_request, reply) => withSecurity(reply).send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    withSecurity(reply).header('Cache-Control', 'no-store');
    if (services.door.isDraining) return reply.code(503).send({ status: 'stopping' });
    try {
      await services.database.first(services.database.sql.selectFrom('migration').select('id').limit(1));
      return reply.send({ status: 'ready' });
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });
  app.get('/metrics', async (_request, reply) =>
    withSecurity(reply).type('text/plain; version=0.0.4; charset=utf-8').send(services.metrics.render()),
  );
}

const oneDay = 86_400;

function registerAvatars(app: FastifyInstance, { database }: Services): void {
  app.get<{ Params: { name: string; file: string } }>('/users/:name/:file', async (request, reply) => {
    const { name, file } = request.params;
    const isPicture = /^avatar(-[0-9a-f]{1,64})?\.png$/.test(file);
    const isKnown =
      name === 'default' || (isPicture && (await findAccountByName(database, name)) !== undefined);
    if (!isPicture || !isKnown) return reply.callNotFound();
    withSecurity(reply).header('Cache-Control', `public, max-age=${oneDay}`);
    return reply.type('image/png').send(drawAvatar(name === 'default' ? '' : name.toLowerCase()));
  });
}

/** Everything that is served beside the API. */
export function registerPages(app: FastifyInstance, services: Services): void {
  registerHealth(app, services);
  registerAvatars(app, services);
  registerExplorer(app, services);
  registerUnsubscription(app, services);
  app.get('/', async (_request, reply) => withSecurity(reply).redirect('/api/explorer/', 302));
}
