import { furtherHeaders, type HeaderObject, integer, text } from './header-objects.ts';
import type { JsonSchema } from './json-schema.ts';
import type { RouteContract } from './route.ts';

const pageHeaders = {
  'X-PAGINATION-LIMIT': integer('The limit of this page'),
  'X-PAGINATION-OFFSET': integer('How many items come before this page'),
  'X-PAGINATION-SIZE': integer('How many items there are for you in all'),
  'X-PAGINATION-LIMIT-MAX': integer('The largest limit'),
};

const versionHeaders = {
  Etag: text('The version of what is answered, for If-Match and If-None-Match'),
  'Last-Modified': text('When it was changed last, to the second, for If-Unmodified-Since'),
};

function versionHeadersOf({ isRevalidated = false }: RouteContract): string[] {
  if (isRevalidated === 'by-tag') return ['Etag'];
  return isRevalidated ? Object.keys(versionHeaders) : [];
}

/** Every header of answers that is worth knowing. */
export const answerHeaders: Readonly<Record<string, HeaderObject>> = {
  Allow: text('The methods that the path has'),
  ...pageHeaders,
  ...versionHeaders,
  ...furtherHeaders,
  'Retry-After': integer('Seconds after which to try again, with 429 and 503'),
};

const isArray = (schema: JsonSchema) => schema.items !== undefined;

/** Lists that are not cut say so by the same headers. */
function isList({ method, paging, response }: RouteContract): boolean {
  if (paging !== undefined) return true;
  const schema: JsonSchema = response ?? {};
  return method === 'GET' && (isArray(schema) || (schema.anyOf ?? []).some(isArray));
}

/** The names of the headers that a success has. */
export function headersOf(route: RouteContract): string[] {
  return [
    'Allow',
    ...(isList(route) ? Object.keys(pageHeaders) : []),
    ...versionHeadersOf(route),
    ...(route.headers ?? []),
  ];
}

const revalidation = { 'If-None-Match': text('An Etag: 304 while that is still the version') };

const preconditions = {
  'If-Match': text('An Etag: 412 unless that is still the version'),
  'If-Unmodified-Since': text('A Last-Modified: 412 if it was changed after that'),
};

const repetition = {
  'Idempotency-Key': text(
    'A UUID, in quotes or not: who sends the same again within 24 hours is told what came of it, and nothing is written; 409 with another body',
  ),
};

/** The headers of requests that a route looks at, beside those that all do. */
export function requestHeadersOf(route: RouteContract): Readonly<Record<string, HeaderObject>> {
  const { method, isRevalidated, isConditional, isRepeatable } = route;
  return {
    ...(method === 'GET' && isRevalidated ? revalidation : {}),
    ...(isConditional ? preconditions : {}),
    ...(isRepeatable ? repetition : {}),
  };
}
