import type { RouteContract } from '@atelier/contract';

/*
 * Requests that nobody sends who means well, each made from a number: the same seed and index give the same request.
 * They fit the contract often enough to get past its checks, and lead to things that are there.
 */

/** What a schema says, as far as guessing values for it needs to know. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** Chance that can be had again. */
export class Dice {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  }

  /** Mulberry32: small, and good enough to choose by. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }

  some<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  "'; drop table account; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '日本語 🎉',
  '\u202e\u0007',
  'x'.repeat(300),
  'x'.repeat(5000),
  '{"a":',
  '{"shortname":{}}',
  '{"identifier":[]}',
  '{"with_system_user_groups":"yes"}',
  '{"id":[1,2,3]}',
  '{"toString":1}',
  '[1,2]',
  '99999999999999999999',
  '-1',
  '1e400',
  'NaN',
  'Infinity',
  'true',
  'null',
  'undefined',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '101_3',
  '101_104',
  '3',
  '2030-01-01T00:00:00Z',
  '2030-02-30',
  '0000-00-00T99:99:99+99:99',
  'A sensible text',
  'crew',
  'https://host.invalid/',
  'http://[::1]:0/',
  'javascript:alert(1)',
  'title = "a" and @comments != ""',
  'title between(1, 2) or (',
  'SELECT @id FROM @project = MY_PROJECTS() WHERE @id >= 1',
  'SELECT secret FROM',
  '/(a+)+$/',
  'title,state\n"a,b\n',
  '=cmd()',
  'art #1 task #999999999999 rev #code/1',
  '[/]\n* = rw\n[/trunk]\n@nobody =',
];
const numbers = [0, -1, 1, 2, 3, 1.5, -0, 100, 101, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324];

/** Objects that are not what they are taken for. */
const poisons: readonly unknown[] = [
  { toString: 1 },
  { toString: { toString: 1 }, valueOf: 'x' },
  { constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"id":1}}'),
  { length: 3, 0: 'a' },
  [[[[[]]]]],
  JSON.parse('{"then":1}'),
];

const anyCharacters = (dice: Dice) =>
  dice.some(30, () => String.fromCodePoint(dice.once(8) ? dice.below(0x11_0000) : dice.below(128))).join('');

function anything(dice: Dice, depth = 0): unknown {
  switch (dice.below(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return dice.once(2);
    case 2:
      return dice.of(numbers);
    case 3:
      return dice.of(texts);
    case 4:
      return anyCharacters(dice);
    case 5:
      return dice.of(poisons);
    case 6:
      return dice.some(4, () => anything(dice, depth + 1));
    default:
      return Object.fromEntries(
        dice.some(3, () => [dice.of(['id', 'value', 'type', ...texts.slice(28)]), anything(dice, depth + 1)]),
      );
  }
}

const queries = [
  'title = "a"',
  'state in("todo", "done") and start > NOW() - 1d',
  'assignee = MYSELF() or @comments = "all"',
  'is linked from artifact = 1 and not is linked to',
  'secret != "" and title between("a", "b")',
  '(title = "a" or (state = "todo" and (start = "" or end < "2030-01-01")))',
];
const crossQueries = [
  'SELECT @id, @pretty_title, secret FROM @project = MY_PROJECTS() WHERE @id >= 1',
  "SELECT @id FROM @project.name = 'workshop' AND @tracker.name IN('task', 'desk') WHERE @title = 'a' ORDER BY @last_update_date DESC",
  "SELECT * FROM @project = 'self' WHERE @status = OPEN()",
  'SELECT @id FROM @project.category = "x" WHERE WITH PARENT',
];
const criteria = [
  '{"title":"a"}',
  '{"title":"/a+/","state":["101"]}',
  '{"start":{"operator":">","value":"2020-01-01"}}',
  '{"id":[1,2,3,4]}',
  '{"status":"open"}',
  '{"assigned_to":true}',
  '{"secret":{"toString":1}}',
  '{"cross":"1","links":"1-9"}',
  { title: 'a' },
  { state: [100, 101] },
  { is_tracker_admin: true },
];

/** Ids that lead to something, by the path up to the variable that they stand for. */
export type Places = Readonly<Record<string, readonly (readonly (number | string)[])[]>>;
/** Ids that lead to something, by a pattern of the names of the members in which they stand. */
export type Pools = Readonly<Record<string, readonly (number | string)[]>>;

/** What often stands in members of a name, so that requests get past the first check. */
const likely: readonly (readonly [name: RegExp, values: readonly unknown[]])[] = [
  [/^expert_query$/, queries],
  [/^tql_query$/, crossQueries],
  [/^(query|criteria)$/, criteria],
  [/^words$/, ['zq', 'see art', '"see art" bytes', 'a b c d e f g h i j k', '"']],
  [/^format$/, ['text', 'html', 'commonmark', 'csv', 'jsonl', 'full', 'id']],
  [
    /^(body|message|description|label|title|name|short_?name|item_name)$/,
    ['sensible', 'zürich-1', 'a b', 'more'],
  ],
  [/^content$/, ['YQ==', 'YWJj', '%%%', 'text art #1']],
  [/^csv$/, ['title\nmore\n', 'id,title\n1,changed\n', 'title;state\na;todo\n', '"', 'nothing\n1\n']],
  [/url$/, ['https://host.invalid/', 'http://127.0.0.1:1/', 'ftp://x', 'https://']],
  [/date|start|end/, ['2030-01-01', '2030-01-01T10:00:00+02:00', '']],
  [/^path$/, ['/', '/trunk', '/secret', '../..', '/trunk\n']],
  [/^access_file$/, ['', '[/]\n* = r', '[/trunk]\n@nobody = rw\n', '[a:/]\n']],
  [/^(order|direction)$/, ['asc', 'desc', 'before', 'after', 'forward', 'reverse']],
];

function likelyValues(name: string, pools: Pools): readonly unknown[] {
  const pool = Object.entries(pools).find(([pattern]) => new RegExp(pattern).test(name))?.[1];
  return pool ?? likely.find(([pattern]) => pattern.test(name))?.[1] ?? [];
}

/** A value that fits a schema more often than not. */
function fitting(dice: Dice, shape: Shape, pools: Pools, name = ''): unknown {
  if (dice.once(25)) return anything(dice);
  if (shape.enum !== undefined) return dice.of(shape.enum);
  if (shape.anyOf !== undefined) return fitting(dice, dice.of(shape.anyOf), pools, name);
  if (shape.properties !== undefined) {
    const { required = [] } = shape;
    const members = Object.entries(shape.properties).filter(
      ([key]) => !dice.once(required.includes(key) ? 30 : 2),
    );
    return Object.fromEntries(members.map(([key, member]) => [key, fitting(dice, member, pools, key)]));
  }
  if (shape.type === 'array')
    return dice.some(4, () => fitting(dice, shape.items ?? valueShape(name), pools, name));
  const values = likelyValues(name, pools);
  if (values.length > 0 && !dice.once(4)) return dice.of(values);
  switch (shape.type) {
    case 'string':
      return dice.once(3) ? anyCharacters(dice) : dice.of(texts);
    case 'integer':
    case 'number':
      return dice.of(numbers);
    case 'boolean':
      return dice.once(2);
    case 'null':
      return null;
    default:
      return name === 'values' ? dice.some(4, () => fitting(dice, valueShape(name), pools)) : anything(dice);
  }
}

/** Entries of `values` have a shape of their own for every type of field, which the contract does not tell. */
function valueShape(name: string): Shape {
  if (name !== 'values') return {};
  const any = {};
  return {
    properties: {
      field_id: { type: 'integer' },
      value: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          {
            properties: {
              content: { type: 'string' },
              format: { enum: ['text', 'html', 'commonmark'] },
              granted_groups: any,
            },
          },
          { type: 'array', items: { type: 'integer' } },
        ],
      },
      bind_value_ids: { type: 'array', items: { type: 'integer' } },
      links: {
        type: 'array',
        items: {
          properties: {
            id: { type: 'integer' },
            type: { type: 'string' },
            direction: { enum: ['forward', 'reverse'] },
          },
        },
      },
      all_links: { type: 'array', items: any },
      parent: { properties: { id: { type: 'integer' } } },
      manual_value: { type: 'number' },
      is_autocomputed: { type: 'boolean' },
    },
  };
}

const oddIds = [
  '0',
  '-1',
  'self',
  'abc',
  '1.5',
  '2147483648',
  '9007199254740993',
  '%00',
  '%zz',
  '%2e%2e',
  '101_3',
  '3',
  '%f0%9f%8e%89',
  'x'.repeat(500),
  '1e3',
  '0x10',
  '१',
  'constructor',
];

function pathOf(dice: Dice, { path }: RouteContract, places: Places): string {
  const known = places[path.slice(1, path.lastIndexOf('}') + 1)] ?? [];
  const ids = known.length === 0 || dice.once(15) ? [] : [...dice.of(known)];
  return path.replace(/\{\w+\}/g, () => {
    const id = ids.shift();
    return id === undefined || dice.once(60) ? dice.of(oddIds) : encodeURIComponent(id);
  });
}

const written = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function encoded(dice: Dice, text: string): string {
  if (dice.once(60)) return dice.of(['%zz', '%', '%c3%28', '%00', '+', '%ed%a0%80']);
  return encodeURIComponent(text.toWellFormed()).slice(0, 3000);
}

function queryOf(dice: Dice, { query, paging, bodyYieldsTo = [] }: RouteContract, pools: Pools): string {
  const declared = (query as Shape | undefined)?.properties ?? {};
  const pages = paging === undefined ? [] : ['limit', 'offset'];
  const { required = [] } = (query ?? {}) as Shape;
  const names = [...Object.keys(declared), ...pages, ...bodyYieldsTo].filter(
    (name) => !dice.once(required.includes(name) ? 30 : 2),
  );
  if (dice.once(15)) names.push(dice.of(['unknown', '__proto__', 'limit', 'a[b][c]', 'constructor', '']));
  const pairs = names.map((name) => {
    const value =
      pages.includes(name) && !dice.once(3)
        ? dice.below(20)
        : fitting(dice, declared[name] ?? {}, pools, name);
    const key = dice.once(25) ? `${name}[]` : name;
    return `${encodeURIComponent(key)}=${encoded(dice, written(value))}`;
  });
  return pairs.join(dice.once(30) ? '&&=&' : '&');
}

const asXmlName = (name: string) => (/^[a-z_][\w.-]*$/i.test(name) ? name : 'item');

function xmlOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${xmlOf(item, depth + 1)}</item>`).join('');
  if (typeof value !== 'object' || value === null)
    return String(value ?? '').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const members = Object.entries(value).map(([name, member]) => {
    const tag = asXmlName(name);
    return `<${tag}>${xmlOf(member, depth + 1)}</${tag}>`;
  });
  return members.join('');
}

/** Text that is almost what it was. */
function damaged(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  switch (dice.below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return (
        text.slice(0, at) +
        dice.of(['\0', '"', '}', ']', '<', '&', '\\u', ',', '\ufeff', '9'.repeat(400)]) +
        text.slice(at)
      );
    case 2:
      return text.slice(at) + text.slice(0, at);
    default:
      return text + text;
  }
}

const oddTypes = [
  'text/plain',
  'constructor',
  '__proto__',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'text/csv',
  'application/xml; charset=latin1',
  ';',
  'application/vnd.x+json',
  'text/xml',
];

interface Body {
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

function bodyOf(dice: Dice, { body, argument }: RouteContract, pools: Pools): Body {
  const plain = fitting(dice, (body ?? {}) as Shape, pools);
  const value = argument !== undefined && dice.once(2) ? { [argument]: plain } : plain;
  const json = JSON.stringify(value) ?? '';
  const oddType = dice.once(11) ? undefined : dice.of(oddTypes);
  const type = dice.once(25) ? oddType : 'application/json';
  switch (dice.below(20)) {
    case 0:
      return { type, bytes: Buffer.from(damaged(dice, json)) };
    case 1:
      return { type: 'application/xml', bytes: Buffer.from(`<request>${xmlOf(value)}</request>`) };
    case 2:
      return {
        type: 'application/xml',
        bytes: Buffer.from(damaged(dice, `<?xml version="1.0"?><a>${xmlOf(value)}</a>`)),
      };
    case 3: {
      const members = typeof plain === 'object' && plain !== null ? Object.entries(plain) : [['a', plain]];
      const pairs = members.map(([name, member]): [string, string] => [String(name), written(member)]);
      return {
        type: 'application/x-www-form-urlencoded',
        bytes: Buffer.from(new URLSearchParams(pairs).toString()),
      };
    }
    case 4:
      return { type, bytes: Buffer.from(dice.some(60, () => dice.below(256))) };
    case 5:
      return { type: 'text/csv', bytes: Buffer.from(dice.of(texts)) };
    default:
      return { type, bytes: Buffer.from(json) };
  }
}

const oddHeaders: readonly (readonly [string, readonly string[]])[] = [
  [
    'Accept',
    [
      '',
      'text/html',
      'application/xml',
      'image/png',
      ';;;,q=',
      'a'.repeat(2000),
      '*/*;q=0',
      'application/json;q=NaN',
    ],
  ],
  ['X-HTTP-Method-Override', ['PUT', 'PATCH', 'DELETE', 'GET', 'NONSENSE']],
  ['If-Match', ['', '*', '"1"', '"', 'W/"1"', '"1", "2"', ',']],
  ['If-None-Match', ['*', '"x"', '"', ',']],
  ['If-Unmodified-Since', ['x', 'Thu, 01 Jan 1970 00:00:00 GMT', '99999999999999']],
  ['X-Forwarded-For', ['', 'é', '1.2.3.4, x', '::', 'a'.repeat(300)]],
  ['Cookie', ['atelier_session=', 'atelier_session=abc', ';=;', 'a'.repeat(3000)]],
  ['Range', ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'x', 'bytes=0-0,1-1']],
  ['Accept-Language', ['fr', '*', ';q=']],
  ['X-Auth-UserId', ['101', 'x', '']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin', 'x']],
  ['Authorization', ['Basic', 'Basic =', 'Bearer', 'Bearer x', 'Digest a="b"', `Basic ${'a'.repeat(500)}`]],
  ['Tus-Resumable', ['1.0.0', '0']],
  ['Upload-Offset', ['0', '-1', 'x', '99999999999999999999']],
  ['Upload-Checksum', ['sha1 x', 'md5', '']],
];

function headersOf(dice: Dice): Record<string, string> {
  if (!dice.once(5)) return {};
  return Object.fromEntries(
    dice.some(2, () => dice.of(oddHeaders)).map(([name, values]) => [name, dice.of(values)]),
  );
}

/** A request, and who sends it. */
export interface GeneratedRequest {
  readonly caller: string;
  readonly method: string;
  /** From the root of the server. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** What requests are made from. */
export interface Grounds {
  readonly routes: readonly RouteContract[];
  readonly places: Places;
  /** What may be ended, by the same paths. */
  readonly spares: Places;
  readonly pools: Pools;
  /** Addresses beside the API. */
  readonly addresses: readonly string[];
  /** Names of those who send them, the first one of whom may do everything. */
  readonly callers: readonly string[];
}

/** Routes that end something: they are led to what nobody else needs. */
const ending =
  /^(DELETE|PATCH \/(users|projects)\/|PUT \/(users|user_groups|platform)\/|PATCH \/artifacts|PATCH \/tracker_fields)/;
/** Routes by which whoever may do everything could lose that. */
const selfEnding = /^(DELETE \/(access_keys|tokens|sessions)|PATCH \/platform\/settings)/;

const rootMethods = [
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'REPORT',
  'LOCK',
];

function rootRequest(dice: Dice, { addresses, callers }: Grounds): GeneratedRequest {
  const address = dice.of(addresses);
  const path = dice.once(3)
    ? `${address.slice(0, dice.below(address.length) + 1)}${encoded(dice, dice.of(texts)).slice(0, 500)}`
    : address;
  const method = dice.of(rootMethods);
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  return {
    caller: dice.of(callers),
    method,
    path: `/${path.replace(/^\/+/, '')}`,
    headers: {
      ...(hasBody && dice.once(2) ? { 'Content-Type': 'application/offset+octet-stream' } : {}),
      ...headersOf(dice),
    },
    body: hasBody ? Buffer.from(dice.of(texts)) : undefined,
  };
}

/** Most often one of the first, who get furthest. */
const callerOf = (dice: Dice, callers: readonly string[]) =>
  dice.of(callers.slice(0, 1 + dice.below(callers.length)));

function apiRequest(dice: Dice, grounds: Grounds): GeneratedRequest {
  const route = dice.of(grounds.routes);
  const { method } = route;
  const label = `${method} ${route.path}`;
  const places = ending.test(label) ? { ...grounds.places, ...grounds.spares } : grounds.places;
  const callers = selfEnding.test(label) ? grounds.callers.slice(1) : grounds.callers;
  const query = queryOf(dice, route, grounds.pools);
  const { type, bytes } = bodyOf(dice, route, grounds.pools);
  const hasBody = method !== 'DELETE' && (method !== 'GET' || route.body !== undefined || dice.once(20));
  const version = dice.once(10) ? '/v1' : '';
  const suffix = dice.once(15) ? dice.of(['.xml', '.json', '/', '.html']) : '';
  return {
    caller: callerOf(dice, callers),
    method: dice.once(60) ? dice.of(rootMethods) : method,
    path: `/api${version}${pathOf(dice, route, places)}${suffix}${query === '' ? '' : `?${query}`}`,
    headers: { ...(hasBody && type !== undefined ? { 'Content-Type': type } : {}), ...headersOf(dice) },
    body: hasBody ? bytes : undefined,
  };
}

/** The request of a seed and an index. */
export function generateRequest(seed: number, index: number, grounds: Grounds): GeneratedRequest {
  const dice = new Dice(seed, index);
  return dice.once(12) ? rootRequest(dice, grounds) : apiRequest(dice, grounds);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as somebody can send it again by hand. */
export function asCurl(
  url: string,
  { method, path, headers, body }: GeneratedRequest,
  credentials: Readonly<Record<string, string>>,
): string {
  const all = Object.entries({ ...credentials, ...headers }).map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  );
  const sent =
    body === undefined || body.length === 0
      ? []
      : [`--data-binary @<(printf %s ${body.toString('base64')} | base64 -d)`];
  return ['curl --path-as-is -g', `-X ${method}`, ...all, ...sent, quoted(url + path)].join(' ');
}
