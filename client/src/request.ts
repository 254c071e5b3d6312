import type { RouteContract } from '@atelier/contract';
import type { AnyInput } from './input.ts';

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

export function addressOf(
  baseUrl: string,
  route: RouteContract,
  { params = {}, query = {} }: AnyInput,
): string {
  return `${baseUrl.replace(/\/+$/, '')}/api${withFormat(pathOf(route, params))}${queryOf(query)}`;
}

export function requestOf(
  { method }: RouteContract,
  { body, signal }: AnyInput,
  accessKey: string | undefined,
): RequestInit {
  return {
    method,
    headers: {
      Accept: 'application/json',
      ...(accessKey === undefined ? {} : { 'X-Auth-AccessKey': accessKey }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
}
