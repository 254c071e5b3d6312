// Serves the sources of the web application, which pages that are open load anew when a file changes: `npm run web`, beside a service that
// runs. Everything but pages is passed on to that service.
import { join } from 'node:path';
import { createServer } from 'vite';
import config from '../vite.config.ts';

const { ATELIER_PORT = '8080', ATELIER_WEB_PORT = '8081' } = process.env;
const service = `http://localhost:${ATELIER_PORT}`;

/** What the service answers itself. Pages have the same first parts as some of these, and are told apart by what is asked for. */
const passedOn =
  '^/(api|uploads|exports|svn-content|svnplugin|plugins|goto|unsubscribe)(/|\\?|$)|^/users/[^/]+/avatar';

const server = await createServer({
  ...config,
  configFile: false,
  cacheDir: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'vite'),
  server: { port: Number(ATELIER_WEB_PORT), proxy: { [passedOn]: { target: service } } },
});
await server.listen();
console.log(`The web application is at http://localhost:${ATELIER_WEB_PORT}, with the API of ${service}`);
