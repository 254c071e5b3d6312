import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { saysSignedIn } from '../pipeline/index.ts';
import type { Services } from '../services.ts';
import type { WebApplication, WebFile } from '../web-application.ts';
import { redirectToPresent, registerOldAddresses } from './old-addresses.ts';
import { withSecurity } from './page-headers.ts';
import { waitingPage, waitingPolicy } from './waiting-page.ts';

/** The first parts of the addresses at which the application has pages; what is below them it finds out itself. */
const places = [
  'account',
  'admin',
  'artifacts',
  'dashboards',
  'help',
  'inbox',
  'login',
  'password',
  'projects',
  'query',
  'search',
  'svn',
  'trackers',
];

/** Scripts of ours alone, styles of ours or with the nonce, and nothing from elsewhere. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types atelier dompurify ProseMirrorClipboard',
  ].join('; ');

/** What no page of ours asks of a browser, nothing on it may. */
const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];

const pageHeaders = {
  // Without an Etag: a 304 would pair the nonce of an old document with a new policy.
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': permissions.map((name) => `${name}=()`).join(', '),
};

function sendPage(reply: FastifyReply, status: number, content: string, contentPolicy: string): FastifyReply {
  return withSecurity(reply)
    .code(status)
    .headers({ ...pageHeaders, 'Content-Security-Policy': contentPolicy })
    .type('text/html; charset=utf-8')
    .send(content);
}

/** Answers with the document of the application, which looks at the address itself; or with a page that waits for it. */
function sendDocument(
  web: WebApplication,
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply {
  const document = web.document({
    place: url.split(/[/?]/, 2)[1] ?? '',
    languages: headers['accept-language'] ?? '',
    isSignedIn: saysSignedIn(headers),
  });
  if (document !== undefined) return sendPage(reply, status, document.html, policy(document.nonce));
  const nonce = randomBytes(16).toString('base64');
  reply.header('Retry-After', '1');
  return sendPage(reply, 503, waitingPage(web.state, nonce), waitingPolicy(nonce));
}

/** Whether somebody opened an address in a browser: programs get the answers that they always got. */
function isNavigation({ method, headers, url = '/' }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (headers.accept ?? '').includes('text/html') && !/^\/(api|svnplugin)(\/|$|\?)/i.test(url);
}

/** Answers an address that leads nowhere with a page, where a page was asked for; tells whether it was. */
export function answerUnknown(
  { config, web }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (!config.hasWeb || !isNavigation(request.raw)) return false;
  sendDocument(web, request, reply, 404);
  return true;
}

/** The smallest form of a file that the browser takes. */
function formFor({ headers }: FastifyRequest, file: WebFile): { encoding?: string; bytes: Buffer } {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((part) => part.split(';', 1)[0]?.trim());
  if (file.br !== undefined && accepted.includes('br')) return { encoding: 'br', bytes: file.br };
  if (file.gzip !== undefined && accepted.includes('gzip')) return { encoding: 'gzip', bytes: file.gzip };
  return { bytes: file.plain };
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  const { encoding, bytes } = formFor(request, file);
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return withSecurity(reply).header('Vary', 'Accept-Encoding').type(file.type).send(bytes);
}

const isName = (text: string) => /^\w[\w.-]{0,200}$/.test(text);

/** Parts of the application have names that change with what is in them, so that browsers may keep them for good. */
function registerAssets(app: FastifyInstance, web: WebApplication): void {
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    const file = isName(name) ? await web.file(`assets/${name}`) : undefined;
    if (file === undefined) return reply.callNotFound();
    reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return sendFile(request, reply, file);
  });
}

/** Files that others know by their names. */
const namedFiles = ['favicon.svg', 'manifest.webmanifest', 'robots.txt', 'service-worker.js'];

function registerNamedFile(app: FastifyInstance, web: WebApplication, name: string): void {
  app.get(`/${name}`, async (request, reply) => {
    const file = await web.file(name);
    if (file === undefined) return reply.callNotFound();
    const etag = `"${createHash('sha256').update(file.plain).digest('base64url').slice(0, 16)}"`;
    withSecurity(reply).headers({ 'Cache-Control': 'no-cache', Etag: etag });
    return request.headers['if-none-match'] === etag
      ? reply.code(304).send()
      : sendFile(request, reply, file);
  });
}

/** The application: one document for all of its pages, and the files that it loads. */
export function registerWeb(app: FastifyInstance, { web }: Services): void {
  const page = async (request: FastifyRequest, reply: FastifyReply) => sendDocument(web, request, reply, 200);
  app.get('/', page);
  app.get('/users/:name', page);
  for (const place of places) {
    app.get(
      `/${place}`,
      async (request, reply) => redirectToPresent(request, reply) ?? sendDocument(web, request, reply, 200),
    );
    app.get(`/${place}/*`, page);
  }
  registerOldAddresses(app);
  registerAssets(app, web);
  for (const name of namedFiles) registerNamedFile(app, web, name);
}
