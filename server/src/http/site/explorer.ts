import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type About, buildOpenApi, buildSwagger, routes } from '@atelier/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { version } from '../../kernel/version.ts';
import { allowHeaders, routeHeaders } from '../headers.ts';
import { Exchange, errorBody } from '../pipeline/index.ts';
import { Json } from '../route.ts';
import type { Services } from '../services.ts';
import { withSecurity } from './page-headers.ts';

const about: About = { title: 'Atelier', version };

/** The library that draws the explorer, as it was installed. */
const library = new URL(
  './',
  pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
);

/** Files of the library that the page needs, and no others. */
const libraryFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

function libraryVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : '0';
}

/** Addresses carry the library's version, so that browsers may keep the files for good. */
function explorerPage(): string {
  const mark = `?v=${libraryVersion()}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Atelier API explorer</title>
    <link rel="icon" type="image/png" sizes="32x32" href="favicon-32x32.png${mark}">
    <link rel="stylesheet" href="swagger-ui.css${mark}">
  </head>
  <body>
    <div id="explorer"><noscript>The explorer needs JavaScript. The API is described in
      <a href="../openapi.json">openapi.json</a>.</noscript></div>
    <script src="swagger-ui-bundle.js${mark}"></script>
    <script src="explorer.js"></script>
  </body>
</html>
`;
}

const explorerScript = `// No validator: the document of a private server is nobody else's business.
SwaggerUIBundle({
  dom_id: '#explorer',
  url: 'openapi.json',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
`;

/** The library sets styles in place and draws with pictures in the style sheet. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

const offeredHeaders = routeHeaders(allowHeaders('OPTIONS, GET'));

function exchangeOf(services: Services, request: FastifyRequest, reply: FastifyReply): Exchange {
  const label = `${request.method} ${request.routeOptions.url ?? ''}`;
  return new Exchange(services, request.raw, reply.hijack().raw, offeredHeaders, label);
}

/** A path that can only be read: OPTIONS says so, every other method is refused. */
function registerReadable(app: FastifyInstance, services: Services, url: string, handler: Handler): void {
  const others = app.supportedMethods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  app.get(url, handler);
  app.options(url, (request, reply) =>
    exchangeOf(services, request, reply).answer(200, undefined, 'json', []),
  );
  app.route({
    method: others,
    url,
    handler: (request, reply) =>
      exchangeOf(services, request, reply).fail({ status: 405, body: errorBody(405) }),
  });
}

const fiveMinutes = ['Cache-Control', 'public, max-age=300'];
const oneYear = 'public, max-age=31536000, immutable';

function registerDocument(app: FastifyInstance, services: Services, url: string, build: () => unknown): void {
  let text: Json | undefined;
  registerReadable(app, services, url, (request, reply) => {
    text ??= new Json(JSON.stringify(build()));
    exchangeOf(services, request, reply).answer(200, text, 'json', fiveMinutes);
  });
}

function registerLibraryFile(app: FastifyInstance, services: Services, name: string, type: string): void {
  registerReadable(app, services, `/api/explorer/${name}`, async (_request, reply) => {
    const bytes = await readFile(new URL(name, library));
    return withSecurity(reply).header('Cache-Control', oneYear).type(type).send(bytes);
  });
}

/** Addresses inside the page are relative to a folder, so it is served under the folder's name only. */
function isFolder({ originalUrl }: FastifyRequest): boolean {
  return originalUrl.split('?', 1)[0]?.endsWith('/') ?? false;
}

function registerPage(app: FastifyInstance, services: Services): void {
  const page = explorerPage();
  registerReadable(app, services, '/api/explorer', (request, reply) => {
    if (!isFolder(request)) return withSecurity(reply).redirect('/api/explorer/', 301);
    return withSecurity(reply)
      .headers({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': pagePolicy })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  registerReadable(app, services, '/api/explorer/explorer.js', (_request, reply) =>
    withSecurity(reply)
      .header('Cache-Control', 'no-cache')
      .type('text/javascript; charset=utf-8')
      .send(explorerScript),
  );
}

/** The documents of the API, and a page to read it and try it out that loads nothing from elsewhere. */
export function registerExplorer(app: FastifyInstance, services: Services): void {
  registerDocument(app, services, '/api/openapi.json', () => buildOpenApi(routes, about));
  // For the page: its library takes five times as long over the newer edition.
  registerDocument(app, services, '/api/explorer/openapi.json', () => buildOpenApi(routes, about, '3.0'));
  registerDocument(app, services, '/api/explorer/swagger.json', () => buildSwagger(routes, about));
  registerPage(app, services);
  for (const [name, type] of Object.entries(libraryFiles)) registerLibraryFile(app, services, name, type);
}
