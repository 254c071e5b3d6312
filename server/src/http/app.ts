import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { invalid } from '../kernel/errors.ts';
import { type ApiRoute, apiRoute } from './api.ts';
import { takeDownload, takeUpload } from './bytes/index.ts';
import { DirectReads, DirectWrites } from './fast-path/index.ts';
import { allowHeaders, announcing, barePaths, type FlatHeaders, methodsOf, routeHeaders } from './headers.ts';
import { callerAt } from './limits/index.ts';
import {
  ArrivalLimit,
  addressOf,
  answerUnreadable,
  ConnectionGate,
  Exchange,
  errorBody,
  hasBody,
  hostFault,
  IncomingBody,
  oneByOne,
  readTarget,
  toFailure,
} from './pipeline/index.ts';
import type { RouteBinding } from './route.ts';
import { routeBindings } from './routes/index.ts';
import type { Services } from './services.ts';
import { answerUnknown, registerPages } from './site/index.ts';

const methodOverrides = ['PUT', 'PATCH', 'DELETE'];

/** What routes can have. A known path says 405 to whatever else there is, which counts as one method. */
const offeredMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const otherMethod = 'TRACE';

/**
 * Fastify finds what is below `/api` by its path alone, as if all of it were asked by this method, and a path tells its methods apart
 * itself: with every path in a tree for each of eight methods, a quarter of a start went by.
 */
const routedMethod = 'TRACE';

function overrideMethod(request: IncomingMessage): void {
  const hint = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || typeof hint !== 'string') return;
  const method = hint.trim().toUpperCase();
  if (methodOverrides.includes(method)) request.method = method;
}

const isApi = (url: string) => /^\/api(\/|$|\?)/i.test(url);

/** Pages below `/api`, which are routed as other pages are. */
const isExplorer = (path: string) => /^\/api\/explorer(\/|$)/i.test(path);

/** Files below `/api` whose names end like a format. */
const documents = ['/api/openapi.json', '/api/explorer/openapi.json', '/api/explorer/swagger.json'];

/** `/api/v1/x`, `/api/x/` and `/api/x.xml` are all `/api/x`. */
function normalise(request: IncomingMessage): string {
  overrideMethod(request);
  const url = request.url ?? '/';
  if (!isApi(url)) return url;
  const { method = '' } = request;
  request.method = offeredMethods.includes(method) ? method : otherMethod;
  // Whether a content type will do is for the route to say, after everything that comes before it.
  request.declaredContentType = request.headers['content-type'];
  delete request.headers['content-type'];
  const cut = url.indexOf('?');
  let path = cut === -1 ? url : url.slice(0, cut);
  const query = cut === -1 ? '' : url.slice(cut);
  path = path.replace(/^\/api\/v1(?=\/|$)/i, '/api');
  if (documents.includes(path.toLowerCase())) return path + query;
  const suffix = /\.(json|xml)\/?$/i.exec(path);
  if (suffix !== null) {
    request.answerSuffix = suffix[1]?.toLowerCase() === 'xml' ? 'xml' : 'json';
    path = path.slice(0, suffix.index);
  }
  if (!isExplorer(path)) routeByPath(request);
  return path + query;
}

function routeByPath(request: IncomingMessage): void {
  request.askedMethod = request.method;
  request.method = routedMethod;
}

/** For whoever answers. */
function restoreMethod(request: IncomingMessage): void {
  request.method = request.askedMethod ?? request.method;
}

const fastifyPath = (path: string) => `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;

type Respond = (exchange: Exchange) => void | Promise<void>;

function fixedAnswer(services: Services, label: string, own: FlatHeaders, respond: Respond): Handler {
  const headers = routeHeaders(own);
  return async (request, reply) => {
    reply.hijack();
    await respond(new Exchange(services, request.raw, reply.raw, headers, label));
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** A path with its routes, HEAD where there is a GET, OPTIONS, and 405 for everything else. `bindings`: those of the path. */
function registerPath(
  app: FastifyInstance,
  services: Services,
  path: string,
  { bindings, routes }: { bindings: readonly RouteBinding[]; routes: ReadonlyMap<string, Handler> },
): void {
  const contracts = bindings.map(({ contract }) => contract);
  const { headers = [], callerHeaders = async () => [] } = bindings[0] ?? {};
  const announced = [...announcing(path, contracts), ...headers];
  const handleOptions = fixedAnswer(services, `OPTIONS ${path}`, announced, async (exchange) =>
    exchange.answer(200, undefined, 'json', await callerHeaders(0)),
  );
  const notAllowed = { status: 405, body: errorBody(405) };
  const offered = [...allowHeaders(methodsOf(path, contracts)), ...headers];
  const refuse = fixedAnswer(services, `405 ${path}`, offered, (exchange) => exchange.fail(notAllowed));
  const handlers = new Map([['OPTIONS', handleOptions], ...routes]);
  app.route({
    method: routedMethod,
    url: fastifyPath(path),
    handler: (request, reply) => {
      restoreMethod(request.raw);
      const method = request.raw.method === 'HEAD' ? 'GET' : (request.raw.method ?? '');
      return (handlers.get(method) ?? refuse)(request, reply);
    },
  });
}

const bodylessMethods = ['GET', 'HEAD', 'DELETE'];

function routeHandler({ bodies, config }: Services, route: ApiRoute): Handler {
  return async (request, reply) => {
    reply.hijack();
    const params = request.params as Readonly<Record<string, unknown>>;
    const query = request.query as Readonly<Record<string, unknown>>;
    const { raw } = request;
    const caller = callerAt(addressOf(raw, config.trustProxy));
    const isBare = !hasBody(raw) && bodylessMethods.includes(raw.method ?? '');
    const body = isBare ? undefined : new IncomingBody(raw, bodies, caller);
    await route.answer({ request: raw, response: reply.raw, params, query, body });
  };
}

function registerApi(
  app: FastifyInstance,
  services: Services,
  bindings: readonly RouteBinding[],
  direct: readonly (DirectReads | DirectWrites)[],
): void {
  const byPath = Map.groupBy<string, RouteBinding>(bindings, ({ contract }) => contract.path);
  for (const path of barePaths) byPath.getOrInsert(path, []);
  for (const [path, own] of byPath) {
    const contracts = own.map(({ contract }) => contract);
    const routes = new Map<string, Handler>();
    for (const binding of own) {
      const route = apiRoute(services, binding, announcing(path, contracts));
      routes.set(binding.contract.method, routeHandler(services, route));
      for (const way of direct) way.add(binding, route);
    }
    registerPath(app, services, path, { bindings: own, routes });
  }
}

/** The body of a GET is read, too. */
function acceptBodiesOfGet(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

/** Milliseconds between two looks at whose headers are late. */
const lookInterval = 1000;

const serverOptions = ({ headerSeconds }: Config) => ({
  keepAliveTimeout: 65_000,
  headersTimeout: headerSeconds * second,
  connectionsCheckingInterval: lookInterval,
  // Uploads take as long as they take; all other requests have a limit of their own (see arrival.ts).
  requestTimeout: 0,
  // Node refuses a request without Host in silence, and takes the first of two.
  requireHostHeader: false,
});

/** Whoever reads a body below /api asks for it; if nobody does, the sender cannot know whether to send it, and the connection ends. */
function awaitQuestion({ door }: Services, request: IncomingMessage, response: ServerResponse): void {
  readTarget(request);
  if (!isApi(request.url ?? '')) return response.writeContinue();
  response.shouldKeepAlive = false;
  request.askForBody = () => {
    response.shouldKeepAlive = !door.isDraining;
    response.writeContinue();
  };
}

/** The contract checks what comes and goes: left alone, Fastify would load two libraries for it at every start. */
const noSchemas = {
  buildValidator: () => refuseSchema,
  buildSerializer: () => refuseSchema,
};

function refuseSchema(): never {
  throw new Error('A route has a schema for Fastify: it belongs into the contract.');
}

/** The HTTP application of one thread. */
export function createApp(services: Services): FastifyInstance {
  const failUnreadable = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    restoreMethod(request.raw);
    new Exchange(services, request.raw, reply.raw, routeHeaders([]), 'unreadable').fail(toFailure(error));
  };
  const refuseHost = (request: IncomingMessage, response: ServerResponse, fault: string) =>
    new Exchange(services, request, response, routeHeaders([]), 'unreadable').fail(toFailure(invalid(fault)));
  const gate = new ConnectionGate(services.connections, services.config);
  const arrivals = new ArrivalLimit(services.config.bodySeconds);
  const [reads, writes] = [new DirectReads(services), new DirectWrites(services)];
  const app = Fastify({
    logger: false,
    serverFactory: (handler) =>
      createServer(
        serverOptions(services.config),
        services.door.letIn(
          oneByOne((request, response) => {
            if (!gate.hears(request.socket)) return;
            readTarget(request);
            const fault = hostFault(request);
            if (fault !== undefined) return refuseHost(request, response, fault);
            if (reads.take(request, response) || takeUpload(services, request, response)) return;
            arrivals.begin(request);
            if (writes.take(request, response) || takeDownload(services, request, response)) return;
            handler(request, response);
          }),
        ),
      ),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 1000 },
    rewriteUrl: normalise,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: failUnreadable,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    exposeHeadRoutes: true,
    schemaController: { compilersFactory: noSchemas },
  });
  acceptBodiesOfGet(app);
  gate.watch(app.server);
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitQuestion(services, request, response);
    app.server.emit('request', request, response);
  });
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    new Exchange(services, request, response, routeHeaders([]), 'expectation').fail({
      status: 417,
      body: errorBody(417, 'Expectation Failed'),
    }),
  );
  app.removeAllContentTypeParsers();
  // Whether anything of a body is read is for those to say who know its route.
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler(failUnreadable);
  const failUnknown = fixedAnswer(services, 'unknown path', [], (exchange) =>
    exchange.fail({ status: 404, body: errorBody(404) }),
  );
  app.setNotFoundHandler((request, reply) => {
    restoreMethod(request.raw);
    return answerUnknown(services, request, reply) ? reply : failUnknown(request, reply);
  });
  registerApi(app, services, routeBindings(services), [reads, writes]);
  registerPages(app, services);
  return app;
}
