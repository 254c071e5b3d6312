import type { IncomingMessage } from 'node:http';
import type { RouteContract } from '@atelier/contract';
import Type, { type TObject } from '@bundled/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid, unauthenticated } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import { anonymousViewer, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { addressOf, authenticate, ForeignPage, refuseForeignPages } from './authentication.ts';
import { bindBody, bindQuery, withEmptyElements } from './binding.ts';
import { bodyFormat, parseBody } from './bodies.ts';
import { errorBody, toFailure } from './errors.ts';
import { Exchange } from './exchange.ts';
import { allowHeaders, type FlatHeaders, type RouteHeaders, routeHeaders } from './headers.ts';
import type { Answer, ApiRequest, RouteBinding } from './route.ts';
import type { Services } from './services.ts';

/** What is worked out once for a route, before the first request. */
interface PreparedRoute {
  readonly binding: RouteBinding;
  readonly label: string;
  readonly headers: RouteHeaders;
  readonly query: TObject | undefined;
  readonly integerParams: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

function querySchema({ query, paging }: RouteContract): TObject | undefined {
  if (paging === undefined) return query;
  const limit = Type.Optional(Type.Integer({ minimum: paging.minimum ?? 0, maximum: paging.maximum }));
  const offset = Type.Optional(Type.Integer({ minimum: 0 }));
  return Type.Object({ ...query?.properties, limit, offset });
}

function prepare(binding: RouteBinding, allowed: string): PreparedRoute {
  const { contract } = binding;
  const params: Readonly<Record<string, { type?: unknown }>> = contract.params?.properties ?? {};
  return {
    binding,
    label: `${contract.method} ${contract.path}`,
    headers: routeHeaders([
      ...allowHeaders(allowed),
      ...(contract.deprecated ? ['Deprecation', 'true'] : []),
    ]),
    query: querySchema(contract),
    integerParams: Object.keys(params).filter((name) => params[name]?.type === 'integer'),
  };
}

/** Path variables, before anything else is looked at. */
function bindParams({ integerParams }: PreparedRoute, given: Values): Values {
  const bound: Record<string, unknown> = { ...given };
  for (const name of integerParams) {
    const text = String(given[name]);
    const number = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(number))
      throw invalid(`invalid value specified for \`${name}\``);
    bound[name] = number;
  }
  for (const value of Object.values(bound)) {
    if (typeof value === 'string' && !isStorable(value))
      throw invalid('The path contains a character it cannot have.');
  }
  return bound;
}

/** The parsed body. DELETE ignores what was sent, and so does GET on routes whose contract has no body. */
function readBody({ method, body, argument }: RouteContract, request: FastifyRequest): unknown {
  if (method === 'DELETE' || (method === 'GET' && body === undefined)) return undefined;
  const format = bodyFormat(request.raw.declaredContentType);
  const value = parseBody(request.body instanceof Buffer ? request.body : undefined, format);
  return format === 'xml' && body !== undefined ? withEmptyElements(body, argument, value) : value;
}

async function identify(services: Services, contract: RouteContract, exchange: Exchange): Promise<Viewer> {
  const { kind, withExpiredPassword = false } = contract;
  if (kind === 'public') return anonymousViewer((await services.authenticator.settings()).access_mode);
  const viewer = await authenticate(services, exchange.request, withExpiredPassword);
  exchange.userId = viewer.userId;
  if (kind === 'protected' && isAnonymous(viewer)) throw unauthenticated('Authentication is required.');
  return viewer;
}

function bindQueryOf({ query, binding }: PreparedRoute, given: Values): Values {
  if (query === undefined) return {};
  const bound = bindQuery(query, given);
  const { paging } = binding.contract;
  return paging === undefined
    ? bound
    : { ...bound, limit: bound['limit'] ?? paging.default, offset: bound['offset'] ?? 0 };
}

function checkAccessMode({ kind }: RouteContract, viewer: Viewer): void {
  if (kind === 'hybrid' && isAnonymous(viewer) && viewer.accessMode !== 'anonymous') {
    throw unauthenticated('This platform is open to people with an account only.');
  }
}

function headersOf({ headers, page }: Answer, { paging }: RouteContract): FlatHeaders {
  const flat = headers === undefined ? [] : Object.entries(headers).flat();
  if (page === undefined) return flat;
  return [
    ...flat,
    'X-PAGINATION-LIMIT',
    String(page.limit),
    'X-PAGINATION-OFFSET',
    String(page.offset),
    'X-PAGINATION-SIZE',
    String(page.size),
    'X-PAGINATION-LIMIT-MAX',
    String(paging?.maximum ?? page.limit),
  ];
}

/** HTTP/1.1 makes Host mandatory, so that what stands behind a proxy is never in doubt. */
function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0') throw invalid('The request has no Host header.');
}

/** The stages of a request, in the order in which their refusals must come. */
async function run(
  services: Services,
  route: PreparedRoute,
  request: FastifyRequest,
  exchange: Exchange,
): Promise<void> {
  const { contract, handle } = route.binding;
  requireHost(exchange.request);
  const params = bindParams(route, request.params as Values);
  const rawBody = readBody(contract, request);
  const format = exchange.negotiate();
  if (contract.ownPagesOnly) refuseForeignPages(exchange.request, services.publicUrl);
  const viewer = await identify(services, contract, exchange);
  const rawQuery = request.query as Values;
  const query = bindQueryOf(route, rawQuery);
  const body = contract.body && bindBody(contract.body, rawBody, contract.argument, rawQuery);
  checkAccessMode(contract, viewer);
  const address = addressOf(exchange.request, services.config.trustProxy);
  const userAgent = request.headers['user-agent'] ?? '';
  const apiRequest = { viewer, params, query, body, address, userAgent } as ApiRequest<RouteContract>;
  const answer = await handle(apiRequest);
  exchange.answer(answer.status ?? contract.status ?? 200, answer.body, format, headersOf(answer, contract));
}

/** A Fastify handler for one route of the contract. */
export function apiHandler(services: Services, binding: RouteBinding, allowed: string) {
  const route = prepare(binding, allowed);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    services.database.beginTurn();
    const exchange = new Exchange(services, request.raw, reply.raw, route.headers, route.label);
    try {
      if (services.isStopping()) refuseWhileStopping(exchange);
      else await run(services, route, request, exchange);
    } catch (error) {
      failed(exchange, error);
    }
  };
}

function refuseWhileStopping(exchange: Exchange): void {
  const body = errorBody(503, 'The service is stopping.');
  exchange.fail({ status: 503, body, retryAfter: 5 });
}

function failed(exchange: Exchange, error: unknown): void {
  if (error instanceof ForeignPage) exchange.refuseForeignPage(error.message);
  else exchange.fail(toFailure(error));
}
