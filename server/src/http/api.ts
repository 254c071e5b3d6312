import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract } from '@atelier/contract';
import Type, { type TObject, type TSchema } from '@bundled/typebox';
import { invalid, unauthenticated } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import { anonymousViewer, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import type { CallerReads } from '../storage/index.ts';
import type { AnswerFormat } from './headers.ts';
import { type FlatHeaders, type RouteHeaders, revalidated, routeHeaders } from './headers.ts';
import {
  addressOf,
  authenticate,
  bindBody,
  bindQuery,
  CutOff,
  checkBounds,
  Exchange,
  ForeignPage,
  type IncomingBody,
  isXmlType,
  mayTakeLong,
  type RepeatableAnswer,
  RequestBody,
  refuseForeignPages,
  toFailure,
  withinIds,
} from './pipeline/index.ts';
import {
  type Answer,
  type ApiRequest,
  JsonParts,
  OpenAnswer,
  type Parts,
  type RouteBinding,
  TextParts,
} from './route.ts';
import type { Services } from './services.ts';

/** What is worked out once for a route, before the first request. */
interface PreparedRoute {
  readonly binding: RouteBinding;
  readonly label: string;
  readonly headers: RouteHeaders;
  readonly query: TObject | undefined;
  readonly integerParams: readonly IntegerParam[];
}

/** A path variable that is a number, and what numbers it can be. */
interface IntegerParam {
  readonly name: string;
  readonly bounds: TSchema;
}

type Values = Readonly<Record<string, unknown>>;

/** A request that has found its route. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Values;
  readonly query: Values;
  /** Undefined where none is read. */
  readonly body: IncomingBody | undefined;
  /** Set where reads were begun already for several requests together. */
  readonly isBegun?: boolean;
}

/** One route of the contract, for requests however they got here. */
export interface ApiRoute {
  readonly label: string;
  readonly headers: RouteHeaders;
  /** Answers a request. What it gives can be given again to the same caller, for as long as it is fresh. */
  answer(received: Received): Promise<RepeatableAnswer | undefined>;
}

function querySchema({ query, paging }: RouteContract): TObject | undefined {
  if (paging === undefined) return query;
  const limit = Type.Optional(Type.Integer({ minimum: paging.minimum ?? 0, maximum: paging.maximum }));
  const offset = Type.Optional(Type.Integer({ minimum: 0 }));
  return Type.Object({ ...query?.properties, limit, offset });
}

function prepare(binding: RouteBinding, methods: FlatHeaders): PreparedRoute {
  const { contract } = binding;
  const params: Readonly<Record<string, TSchema & { type?: unknown }>> = contract.params?.properties ?? {};
  return {
    binding,
    label: `${contract.method} ${contract.path}`,
    headers: routeHeaders(
      [...methods, ...(contract.deprecated ? ['Deprecation', 'true'] : []), ...(binding.headers ?? [])],
      contract.isRevalidated ? revalidated : undefined,
    ),
    query: querySchema(contract),
    integerParams: Object.entries(params).flatMap(([name, bounds]) =>
      bounds.type === 'integer' ? { name, bounds } : [],
    ),
  };
}

/** Path variables, before anything else is looked at. */
function bindParams({ integerParams }: PreparedRoute, input: Values): Values {
  const bound: Record<string, unknown> = { ...input };
  for (const { name, bounds } of integerParams) {
    const text = String(input[name]);
    if (!/^-?\d+$/.test(text)) throw invalid(`invalid value specified for \`${name}\``);
    bound[name] = checkBounds(bounds, withinIds(Number(text)), name);
  }
  for (const value of Object.values(bound)) {
    if (typeof value === 'string' && !isStorable(value))
      throw invalid('The path contains a character it cannot have.');
  }
  return bound;
}

const isAsked =
  ({ query }: Received) =>
  (name: string) =>
    !['', '0'].includes(String(query[name] ?? ''));

/** The body of the request, as far as the route wants one. */
function bodyOf(
  { config, slices }: Services,
  contract: RouteContract,
  incoming: IncomingBody,
  received: Received,
): RequestBody {
  const { request } = received;
  const isYielding = contract.bodyYieldsTo?.some(isAsked(received)) ?? false;
  const type = request.declaredContentType;
  const encoding = request.headers['content-encoding'];
  return new RequestBody({ contract, incoming, type, encoding, isYielding, limit: config.bodyLimit, slices });
}

/** What a route gets of a body. What a GET carries is for the route to understand. */
function bindBodyOf(contract: RouteContract, body: RequestBody | undefined, query: Values): unknown {
  const input = body?.give();
  if (contract.method === 'GET') return input;
  return contract.body && bindBody(contract.body, input, contract.argument, query);
}

/** Who calls, once a body of theirs that only those may send who are known is here as well. */
async function identifyWithBody(
  services: Services,
  contract: RouteContract,
  exchange: Exchange,
  body: RequestBody | undefined,
): Promise<Viewer> {
  if (mayTakeLong(exchange.request)) body?.forget();
  const viewer = await identify(services, contract, exchange);
  if (!body?.isForKnown) return viewer;
  checkAccessMode(contract, viewer);
  await body.finish(viewer);
  // It may have taken long to arrive, and who they are may have changed since.
  services.database.beginTurn();
  return identify(services, contract, exchange);
}

async function identify(services: Services, contract: RouteContract, exchange: Exchange): Promise<Viewer> {
  const { kind, withExpiredPassword, method, produces } = contract;
  const fromOwnLinks = method === 'GET' && produces !== undefined;
  if (kind === 'public') return anonymousViewer((await services.authenticator.settings()).access_mode);
  const viewer = await authenticate(services, exchange.request, { withExpiredPassword, fromOwnLinks });
  exchange.requestLog.userId = viewer.userId;
  if (kind === 'protected' && isAnonymous(viewer)) throw unauthenticated('Authentication is required.');
  return method === 'GET' ? viewer : namedBy(exchange.request, viewer);
}

/** The page or program that changes something may name itself, so that it knows its own deed when it hears of it. */
function namedBy({ headers }: IncomingMessage, viewer: Viewer): Viewer {
  const client = headers['x-client-uuid'];
  return typeof client === 'string' && /^[\w-]{1,64}$/.test(client) ? { ...viewer, client } : viewer;
}

function bindQueryOf({ query, binding }: PreparedRoute, input: Values): Values {
  if (query === undefined) return {};
  const bound = bindQuery(query, input);
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

/** A list that is never cut is one page of its own size. */
function pageIn({ body, page }: Answer, { method }: RouteContract): Answer['page'] {
  if (page !== undefined || method !== 'GET' || !Array.isArray(body)) return page;
  return { limit: body.length, offset: 0, size: body.length };
}

function headersOf(answer: Answer, contract: RouteContract): FlatHeaders {
  const { headers } = answer;
  const { paging } = contract;
  const page = pageIn(answer, contract);
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

/** The stages of a request, in the order in which their refusals must come. */
async function run(
  services: Services,
  route: PreparedRoute,
  received: Received,
  exchange: Exchange,
): Promise<RepeatableAnswer | undefined> {
  const { contract, handle } = route.binding;
  const { request } = received;
  const params = bindParams(route, received.params);
  const asked = received.body === undefined ? undefined : bodyOf(services, contract, received.body, received);
  await asked?.begin();
  const format = contract.produces === undefined ? exchange.negotiate() : 'json';
  if (contract.ownPagesOnly) refuseForeignPages(request, services.publicUrl);
  const viewer = await identifyWithBody(services, contract, exchange, asked);
  const query = bindQueryOf(route, received.query);
  const body = bindBodyOf(contract, asked, received.query);
  checkAccessMode(contract, viewer);
  const address = addressOf(request, services.config.trustProxy);
  const { headers } = request;
  const userAgent = headers['user-agent'] ?? '';
  const isXml = isXmlType(request.declaredContentType);
  const apiRequest = {
    viewer,
    params,
    query,
    body,
    isXml,
    address,
    userAgent,
    headers,
    // Most answers are short and never ask for it.
    get room() {
      return exchange.room;
    },
  };
  // Bound by the very contract of the route.
  const handled = async () => handle(apiRequest as ApiRequest<RouteContract>);
  const answer = contract.method === 'GET' ? await readFor(services, viewer, handled) : await handled();
  const own = (await route.binding.callerHeaders?.(viewer.userId)) ?? [];
  return give(answer, { contract, format, viewer, exchange, own });
}

/**
 * An answer that is read from wherever is right for the viewer. What is read while it is sent, is read from there, too; and nothing leaves
 * whole before it is known to all processes how new it is.
 */
async function readFor(
  { database, metrics }: Services,
  viewer: Viewer,
  handled: () => Promise<Answer>,
): Promise<Answer> {
  const reads = await database.beginReads(viewer);
  if (reads === undefined) return handled();
  metrics.count(reads.isReplica ? 'reads_from_replicas' : 'reads_from_database');
  let isOpen = false;
  try {
    const answer = await reads.within(handled);
    const { body } = answer;
    isOpen = body instanceof JsonParts || body instanceof TextParts;
    if (body instanceof JsonParts) return { ...answer, body: new JsonParts(readParts(reads, body.parts)) };
    if (body instanceof TextParts)
      return { ...answer, body: new TextParts(body.type, readParts(reads, body.parts)) };
    return answer;
  } finally {
    if (!isOpen) await reads.end();
  }
}

const readParts = (reads: CallerReads, parts: Parts): Parts => ({
  get isOver() {
    return parts.isOver;
  },
  next: async () => {
    const text = await reads.within(() => parts.next());
    if (parts.isOver) await reads.end();
    return text;
  },
});

async function give(
  answer: Answer,
  { contract, format, viewer, exchange, own }: Giving,
): Promise<RepeatableAnswer | undefined> {
  const { body, version, freshness } = answer;
  const status = answer.status ?? contract.status ?? 200;
  const headers = [...headersOf(answer, contract), ...own];
  if (body instanceof OpenAnswer) return void exchange.answerOpen(status, body, headers);
  if (body instanceof TextParts) return void (await exchange.answerText(status, body, headers));
  if (body instanceof JsonParts)
    return void (version === undefined
      ? await exchange.answerInParts(status, body, format, headers)
      : await exchange.answerVersionInParts(status, body, format, version, headers));
  if (version === undefined) return void (await exchange.answer(status, body, format, headers));
  const sent = exchange.answerVersion(status, body, format, version, headers);
  return freshness && { sent, freshness, viewer };
}

interface Giving {
  readonly contract: RouteContract;
  readonly format: AnswerFormat;
  readonly viewer: Viewer;
  readonly exchange: Exchange;
  /** What the path tells the caller about themselves. */
  readonly own: FlatHeaders;
}

export function apiRoute(services: Services, binding: RouteBinding, methods: FlatHeaders): ApiRoute {
  const route = prepare(binding, methods);
  const { label, headers } = route;
  const answer = async (received: Received) => {
    if (!received.isBegun) services.database.beginTurn();
    const { request, response } = received;
    const exchange = new Exchange(services, request, response, headers, label);
    try {
      if (services.answerMemory.isFull) await exchange.waitForTurn();
      return await run(services, route, received, exchange);
    } catch (error) {
      await failed(exchange, binding, error);
    } finally {
      received.body?.release();
      exchange.done();
    }
    return undefined;
  };
  return { label, headers, answer };
}

async function failed(exchange: Exchange, { callerHeaders }: RouteBinding, error: unknown): Promise<void> {
  if (error instanceof ForeignPage) return exchange.refuseForeignPage(error.message);
  if (error instanceof CutOff) return exchange.abandon();
  // A database that is away is told by the refusal itself.
  const own =
    callerHeaders === undefined ? [] : await callerHeaders(exchange.requestLog.userId).catch(() => []);
  exchange.fail(toFailure(error), own);
}
