import type { AnyInput } from './input.ts';
import type { RouteContract } from './routes.ts';

const isDot = (text: string) => text === '.' || text === '..';

/** Texts that would lead to another path are refused: there is no way to write them as a part of one. */
function segmentOf(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '' || isDot(text))
    throw new TypeError(`"${text}" cannot be the value of {${name}} in a path.`);
  return encodeURIComponent(text);
}

function pathOf({ path }: RouteContract, params: object): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, Reflect.get(params, name)));
}

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const written = given.flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)]));
  const text = new URLSearchParams(written).toString();
  return text === '' ? '' : `?${text}`;
}

/** A value at the end of a path that looks like a format would be taken for one, were no other named. */
const withFormat = (path: string) => (/\.(json|xml)$/i.test(path) ? `${path}.json` : path);

const withoutSlash = (baseUrl: string) => baseUrl.replace(/\/+$/, '');

export function addressOf(
  baseUrl: string,
  route: RouteContract,
  { params = {}, query = {} }: AnyInput,
): string {
  return `${withoutSlash(baseUrl)}/api${withFormat(pathOf(route, params))}${queryOf(query)}`;
}

/**
 * The address of something that an answer links to: a path from the root of the server, or the same with the server in front. Credentials go
 * nowhere else.
 */
export function addressOfHref(baseUrl: string, href: string): string {
  const base = withoutSlash(baseUrl);
  const path = base !== '' && href.startsWith(`${base}/`) ? href.slice(base.length) : href;
  if (!/^\/(?![/\\])/.test(path)) throw new TypeError(`"${href}" is no address of this server.`);
  return `${base}${path}`;
}

/** Headers that were given a value. */
function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function requestOf(
  { method, produces }: RouteContract,
  { body, signal, ifMatch, ifNoneMatch, idempotencyKey, clientId }: AnyInput,
): RequestInit {
  const isJson = body !== undefined && method !== 'GET';
  return {
    method,
    headers: given({
      Accept: produces === undefined ? 'application/json' : undefined,
      'Content-Type': isJson ? 'application/json' : undefined,
      'If-Match': ifMatch,
      'If-None-Match': ifNoneMatch,
      'Idempotency-Key': idempotencyKey,
      'X-Client-Uuid': clientId,
    }),
    ...(isJson ? { body: JSON.stringify(body) } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
}
