import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { forbidden, notFound, unauthenticated, unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  findProjectByShortname,
  mayAccess,
  type Project,
  shortnameKey,
  usesService,
} from '../../projects/index.ts';
import {
  type DavDoor,
  findServedRepository,
  requireReadingAll,
  secretHeader,
  svnService,
} from '../../svn/index.ts';
import type { FlatHeaders } from '../headers.ts';
import { callerOf } from '../limits/index.ts';
import {
  addressOf,
  CutOff,
  dropRest,
  hasBody,
  IncomingBody,
  limitArrival,
  limitSlowness,
  RootExchange,
  stopping,
} from '../pipeline/index.ts';
import type { Services } from '../services.ts';
import { SvnVerdict } from '../svn-verdict.ts';
import { readDavBody } from './dav-body.ts';

/** Below this path lies every repository, as `/svnplugin/PROJECT/REPOSITORY`, for Subversion clients. */
export const svnFolder = '/svnplugin';

const realm = 'Basic realm="Authentication is required to access the repository."';

/** Methods that change nothing. */
const readingMethods = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT'];

/** What concerns one connection and not the next. */
const ofOneConnection = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

interface Target {
  readonly spelling: string;
  readonly name: string;
}

/** Apache follows `..` to wherever it leads, past what was checked here. */
function leadsElsewhere(path: string): boolean {
  try {
    return decodeURIComponent(path)
      .split('/')
      .some((segment) => segment === '.' || segment === '..');
  } catch {
    return true;
  }
}

/** The repository that an address is in. */
function repositoryIn(address: string): Target | undefined {
  const [path = ''] = address.split(/[?#]/, 1);
  const [, spelling, name] = /^\/svnplugin\/([A-Za-z0-9_-]+)\/([A-Za-z0-9._-]+)(?:\/|$)/.exec(path) ?? [];
  if (spelling === undefined || name === undefined || leadsElsewhere(path)) return undefined;
  return { spelling, name };
}

/** What is copied or moved stays in its repository. */
function targetIn({ url = '', headers: { destination } }: IncomingMessage): Target {
  const target = repositoryIn(url);
  if (target === undefined) throw notFound('There is no such repository.');
  if (destination !== undefined && !isIn(target, String(destination)))
    throw forbidden('Nothing can be copied or moved to another repository.');
  return target;
}

function isIn({ spelling, name }: Target, address: string): boolean {
  const target = repositoryIn(address.replace(/^https?:\/\/[^/]+/i, ''));
  return target?.spelling === spelling && target.name === name;
}

/** Whether it copies a whole repository, as it is or was in some revision. */
function isCopyOfAll({ method, url = '' }: IncomingMessage): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  const root = /^\/svnplugin\/[^/]+\/[^/]+(\/+!svn\/+\w+\/+[^/]*)?\/*$/;
  return method === 'COPY' && root.test(decodeURIComponent(path));
}

/** What contents of files arrive with: they may be of any size, and Apache writes them down while they come. */
const isOfFile = ({ method }: IncomingMessage) => method === 'PUT';

/** The body of a request that is not sent on while it arrives, once it is sure that what Apache follows in it leads here. */
async function bodyOf(services: Services, incoming: IncomingBody, target: Target, method: string) {
  const { body, hrefs } = await readDavBody(services, incoming, method);
  if (method === 'MERGE' && !hrefs.every((href) => isIn(target, href)))
    throw forbidden('What is committed must lie in the repository that the request is sent to.');
  return body;
}

async function authenticate(services: Services, request: IncomingMessage) {
  const { method = 'GET', headers } = request;
  return services.authenticator.authenticateForSvn({
    credentials: { authorization: headers.authorization },
    address: addressOf(request, services.config.trustProxy),
    isReading: readingMethods.includes(method),
  });
}

/** Whoever may not get in is not told whether there is anything. */
async function requireOpenProject(services: Services, viewer: Viewer, spelling: string): Promise<Project> {
  const { database } = services;
  const project = await findProjectByShortname(database, viewer, spelling);
  const isOpen = project !== undefined && project.status === 'active' && mayAccess(viewer, project);
  if (!isOpen || !(await usesService(database, project.id, svnService)))
    throw forbidden('You may not access the repositories of this project.');
  return project;
}

/** Addresses of the platform in headers are those of Apache on its side, and the other way round. */
function towards(origin: string, value: string): string {
  return value.replace(/https?:\/\/[^/>\s]+(?=\/svnplugin\/)/g, origin);
}

/** What proves who somebody is stays here. */
const forUsOnly = [
  'cookie',
  'authorization',
  'x-auth-accesskey',
  'x-auth-token',
  'x-auth-userid',
  secretHeader,
];

function headersForApache(request: IncomingMessage, name: string, { port, secret }: DavDoor) {
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string | string[]> = {};
  for (const [header, value] of Object.entries(request.headers)) {
    if (value === undefined || ofOneConnection.includes(header) || forUsOnly.includes(header)) continue;
    headers[header] = value;
  }
  for (const header of ['destination', 'if']) {
    const value = headers[header];
    if (typeof value === 'string') headers[header] = towards(origin, value);
  }
  return {
    ...headers,
    // Node sends bodies of some methods without saying where they end, unless it is told to.
    ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    host: new URL(origin).host,
    connection: 'close',
    authorization: `Basic ${Buffer.from(`${name}:`).toString('base64')}`,
    [secretHeader]: secret,
  };
}

/** What is opened in a browser is saved, and runs nothing. */
const protective: FlatHeaders = ['Content-Disposition', 'attachment', 'Cache-Control', 'private'];
const replaced = [
  'content-disposition',
  'cache-control',
  'x-content-type-options',
  'www-authenticate',
  'server',
  'vary',
];

function headersForClient({ rawHeaders }: IncomingMessage, publicUrl: string): string[] {
  const headers: string[] = [...protective];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const key = name.toLowerCase();
    if (ofOneConnection.includes(key) || replaced.includes(key)) continue;
    headers.push(name, key === 'location' ? towards(new URL(publicUrl).origin, value) : value);
  }
  return headers;
}

/** What is asked for, and by whom. */
interface Place {
  readonly spelling: string;
  readonly project: Project;
  readonly name: string;
  readonly caller: string;
}

/** How often Apache is asked again when it is not there at the moment. */
const tries = 3;

/** A connection to Apache over which the request can be sent. Nothing of a body that is not read already is taken before there is one. */
async function connect(
  services: Services,
  request: IncomingMessage,
  { spelling, project, name, caller }: Place,
): Promise<ClientRequest> {
  for (let attempt = 1; ; attempt++) {
    const usual = [project.shortname, shortnameKey(project.shortname)];
    const door = await services.dav.doorFor({ spelling, projectId: project.id }, usual, caller);
    if (door === undefined)
      throw notFound(
        'The project is not served under this spelling of its name; use the one that the API gives.',
      );
    const { port } = door;
    const headers = headersForApache(request, name, door);
    const { method, url } = request;
    const outgoing = openRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    // Whoever waits for the answer is told; afterwards the broken answer says it.
    outgoing.on('error', () => {});
    try {
      const [socket] = await once(outgoing, 'socket');
      if (socket.connecting) await once(socket, 'connect');
      return outgoing;
    } catch (error) {
      if (attempt >= tries)
        throw unavailable('Subversion does not answer.', { cause: String(error), retryAfter: 2 });
    }
  }
}

/** Sends the body, and tells when Apache begins to answer; undefined where the caller went away before. */
async function ask(
  services: Services,
  exchange: RootExchange,
  outgoing: ClientRequest,
  body: Buffer | undefined,
): Promise<IncomingMessage | undefined> {
  const { request } = exchange;
  // What nobody sends any more has no end that could be handed on.
  if (exchange.isLeft) {
    outgoing.destroy();
    return undefined;
  }
  const answered = once(outgoing, 'response');
  if (body !== undefined) outgoing.end(body);
  else {
    limitSlowness(request, services.config.bodySeconds);
    request.pipe(outgoing);
  }
  request.once('close', () => {
    if (!request.complete) outgoing.destroy();
  });
  const [incoming] = (await answered.catch((error: Error) => {
    if (!request.complete && request.destroyed) return [undefined];
    throw unavailable('Subversion ended in the middle of the request.', {
      cause: String(error),
      retryAfter: 2,
    });
  })) as [IncomingMessage | undefined];
  return incoming;
}

/** Hands the answer back while it arrives. */
async function giveBack(
  services: Services,
  exchange: RootExchange,
  incoming: IncomingMessage,
): Promise<void> {
  const verdict = new SvnVerdict(incoming);
  await exchange.relay(incoming, headersForClient(incoming, services.publicUrl), verdict);
  if (verdict.isRefusal) services.metrics.count('svn_commits_refused');
  else if (exchange.request.method === 'MERGE' && incoming.statusCode === 200)
    services.metrics.count('svn_commits');
}

async function run(services: Services, exchange: RootExchange): Promise<void> {
  if (exchange.isStopping) throw stopping();
  const { request } = exchange;
  if (request.headers.authorization === undefined)
    throw unauthenticated('Authentication is required to access the repository.');
  const { viewer, name } = await authenticate(services, request);
  exchange.requestLog.userId = viewer.userId;
  const target = targetIn(request);
  const project = await requireOpenProject(services, viewer, target.spelling);
  await services.svnDeps.parts.require();
  // The access file is as it should be before Apache reads it.
  const repository = await findServedRepository(services.access, project, target.name);
  // Of a folder Apache looks at all that lies below it; of the root it does not.
  if (isCopyOfAll(request)) await requireReadingAll(services.svnDeps, viewer, project, repository);
  // One for each checkout, update, log and the like.
  if (request.method === 'REPORT') services.svnUses.note(repository.id, viewer.userId, 'reads');
  const place = { spelling: target.spelling, project, name, caller: callerOf(viewer) };
  const incoming = isOfFile(request)
    ? undefined
    : new IncomingBody(request, services.bodies, callerOf(viewer));
  try {
    const body = incoming && (await bodyOf(services, incoming, target, request.method ?? ''));
    await services.svnPlaces.run(place.caller, async () => {
      if (exchange.isLeft) return exchange.abandon();
      const answer = await ask(services, exchange, await connect(services, request, place), body);
      incoming?.release();
      if (answer === undefined) return exchange.abandon();
      await giveBack(services, exchange, answer);
    });
  } finally {
    incoming?.release();
  }
}

/** Answers a request of a Subversion client. */
export async function answerSvn(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const label = `${request.method} ${svnFolder}`;
  const exchange = new RootExchange(services, request, response, { headers: [], label, challenge: realm });
  if (hasBody(request) && !isOfFile(request)) limitArrival(request, services.config.bodySeconds);
  try {
    await run(services, exchange);
  } catch (error) {
    if (error instanceof CutOff) return exchange.abandon();
    exchange.fail(error, ['Cache-Control', 'no-store']);
    request.unpipe();
    dropRest(request);
  }
}
