import type { RouteContract } from '@atelier/contract';
import type { RateLimit } from '../kernel/errors.ts';

const allowedHeaders = [
  'Authorization, Content-Type, Origin, X-Auth-UserId, X-Auth-Token, X-Client-Uuid, X-Auth-AccessKey',
  'Accept, If-Match, If-None-Match, If-Unmodified-Since, Idempotency-Key, X-HTTP-Method-Override',
].join(', ');

const exposedHeaders = [
  'X-PAGINATION-SIZE, X-PAGINATION-LIMIT-MAX, X-PAGINATION-LIMIT, X-PAGINATION-OFFSET',
  'Etag, Last-Modified, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining',
  'X-QUOTA, X-DISK-USAGE, X-UPLOAD-MAX-FILE-CHUNKSIZE, X-Request-Id',
].join(', ');

/** Header names and values in turn, the form that Node writes fastest. */
export type FlatHeaders = readonly string[];

export type AnswerFormat = 'json' | 'xml';

const contentTypes: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

/** Tells how often somebody may do something, and how often they still may. */
export const rateLimitHeaders = ({ limit, remaining }: RateLimit) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
});

/** On every answer, API or page. */
export const securityHeaders: FlatHeaders = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'same-origin',
];

/** On every answer below `/api`, errors included. */
const apiHeaders: FlatHeaders = [
  'Expires',
  '0',
  'Vary',
  'Accept',
  'Content-Language',
  'en',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Credentials',
  'true',
  'Access-Control-Allow-Headers',
  allowedHeaders,
  'Access-Control-Expose-Headers',
  exposedHeaders,
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  ...securityHeaders,
];

/** Lists that existing clients were told, where they differ from the methods a path has. */
const announced: Readonly<Record<string, string>> = {
  '/projects': 'OPTIONS, GET, POST, PATCH',
  '/projects/{id}': 'OPTIONS, GET, POST, PATCH',
  '/users': 'OPTIONS, GET, PATCH',
  '/users/{id}': 'OPTIONS, GET, PATCH',
  '/tokens': 'OPTIONS, POST, DELETE',
  '/tokens/{token}': 'OPTIONS, DELETE',
  '/access_keys': 'OPTIONS, POST',
  '/access_keys/{id}': 'OPTIONS, GET, POST, DELETE',
  '/user_groups/{id}': 'OPTIONS, GET, PUT',
  '/tracker_workflow_transitions': 'OPTIONS, GET, POST, PATCH, DELETE',
  '/artifacts/{id}': 'OPTIONS, GET, PUT, DELETE, PATCH',
};

/** Paths that answer OPTIONS and have no method of their own: only what is below them can be used. */
export const barePaths = ['/trackers'];

/** The methods that a path really has. */
export function methodsOf(path: string, contracts: readonly RouteContract[]): string {
  const methods = contracts.filter((contract) => contract.path === path).map(({ method }) => method);
  const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return ['OPTIONS', ...order.filter((method) => methods.some((candidate) => candidate === method))].join(
    ', ',
  );
}

/** The methods that a path announces on its answers: on a compatible one those alone that existing clients know. */
function announcedMethods(path: string, contracts: readonly RouteContract[]): string {
  const compatible = contracts.filter((contract) => contract.path === path && contract.own !== true);
  return announced[path] ?? methodsOf(path, compatible.length > 0 ? compatible : contracts);
}

export const allowHeaders = (methods: string, forOtherSites = methods): FlatHeaders => [
  'Allow',
  methods,
  'Access-Control-Allow-Methods',
  forOtherSites,
];

/** What answers of a path say of its methods. Browsers let pages of other sites send those alone that the second list has. */
export function announcing(path: string, contracts: readonly RouteContract[]): FlatHeaders {
  const known = announcedMethods(path, contracts);
  const others = methodsOf(path, contracts)
    .split(', ')
    .filter((method) => !known.split(', ').includes(method));
  return allowHeaders(known, [known, ...others].join(', '));
}

/**
 * Headers that do not depend on the request, prepared once: every answer has some twenty. The list for the usual answer,
 * which adds only the two that always differ, is one and the same every time, with those two overwritten.
 */
export class PreparedHeaders {
  readonly #fixed: FlatHeaders;
  readonly #usual: string[];

  constructor(fixed: FlatHeaders) {
    this.#fixed = fixed;
    this.#usual = [...fixed, 'X-Request-Id', '', 'Content-Length', ''];
  }

  /** To be written at once: the next call changes it. */
  usual(requestId: string, length: number): string[] {
    this.#usual[this.#usual.length - 3] = requestId;
    this.#usual[this.#usual.length - 1] = String(length);
    return this.#usual;
  }

  with(headers: FlatHeaders): string[] {
    return [...this.#fixed, ...headers];
  }
}

export interface RouteHeaders {
  readonly success: Readonly<Record<AnswerFormat | 'empty', PreparedHeaders>>;
  readonly failure: Readonly<Record<AnswerFormat, PreparedHeaders>>;
}

/** Kept by the client alone, and asked about before each use. */
export const revalidated: FlatHeaders = ['Cache-Control', 'private, no-cache'];
const noStore: FlatHeaders = ['Cache-Control', 'no-store'];

export function routeHeaders(own: FlatHeaders, caching: FlatHeaders = noStore): RouteHeaders {
  const common = [...apiHeaders, ...own];
  const typed = (format: AnswerFormat, cache: FlatHeaders) =>
    new PreparedHeaders([...common, ...cache, 'Content-Type', contentTypes[format]]);
  const empty = new PreparedHeaders([...common, ...caching]);
  return {
    success: { json: typed('json', caching), xml: typed('xml', caching), empty },
    failure: { json: typed('json', noStore), xml: typed('xml', noStore) },
  };
}
