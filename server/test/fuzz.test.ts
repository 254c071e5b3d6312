import { type RouteContract, routes } from '@atelier/contract';
import type { TSchema } from '@bundled/typebox';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, type Caller, engines, startAtelier } from './harness/atelier.ts';
import { createProject } from './project-fixtures.ts';
import { everyField } from './tracker-fixtures.ts';

/** What a schema says, as far as guessing values for it needs to know. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const hostileTexts = [
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
  'x'.repeat(5000),
  '{"a":',
  '{"shortname":{}}',
  '{"identifier":[]}',
  '{"with_system_user_groups":"yes"}',
  '{"is_member_of":true}',
  '99999999999999999999',
  '-1',
  '1e400',
  'NaN',
  'true',
  'null',
  '101_3',
  '101_104',
  '3',
];
const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }));
const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 1.5, 3, 100, 101, 102, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308),
  fc.integer(),
);
const anything = fc.oneof(
  { depthSize: 'small' },
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
);

/** Values that fit a schema more often than not. */
function fitting(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.enum !== undefined) return fc.oneof(fc.constantFrom(...shape.enum), anything);
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(fitting));
  if (shape.properties !== undefined) {
    const members = Object.entries(shape.properties).map(([name, member]) => [
      name,
      fc.oneof(fitting(member), anything),
    ]);
    return fc.record(Object.fromEntries(members), { requiredKeys: [] });
  }
  const byType: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.oneof(
      text,
      fc.constantFrom('alice', 'A sensible text', 'bench-project', '2030-01-01T00:00:00Z'),
    ),
    integer: number,
    number,
    boolean: fc.boolean(),
    array: fc.array(shape.items === undefined ? anything : fitting(shape.items), { maxLength: 4 }),
  };
  return byType[shape.type ?? ''] ?? anything;
}

const queryText = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .map(([name, value]) => {
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name}=${encodeURIComponent(Buffer.from(written ?? '').toString('latin1')).slice(0, 3000)}`;
    })
    .join('&');

function queryOf({ query, paging }: RouteContract): fc.Arbitrary<string> {
  const declared = (query as Shape | undefined)?.properties ?? {};
  const names = [...Object.keys(declared), ...(paging === undefined ? [] : ['limit', 'offset']), 'unknown'];
  const values = Object.fromEntries(
    names.map((name) => [name, fc.oneof(fitting(declared[name] ?? {}), anything)]),
  );
  return fc.record(values, { requiredKeys: [] }).map(queryText);
}

function pathOf({ path }: RouteContract): fc.Arbitrary<string> {
  const ids = [
    '0',
    '1',
    '100',
    '101',
    '102',
    '103',
    '9999',
    '-1',
    'self',
    'abc',
    '1.5',
    '2147483648',
    '9007199254740993',
  ];
  const odd = [
    '%00',
    '%zz',
    '%2e%2e',
    '101_3',
    '101_4',
    '101_2',
    '3',
    '104',
    '%f0%9f%8e%89',
    'x'.repeat(500),
  ];
  const variable = fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...odd));
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? variable : fc.constant(part)));
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

interface Body {
  readonly rawBody: string;
  readonly type: string;
}

function bodyOf({ body, argument }: RouteContract): fc.Arbitrary<Body> {
  const value = fc.oneof(fitting((body ?? {}) as Shape & TSchema), anything);
  const wrapped =
    argument === undefined
      ? value
      : fc.oneof(
          value,
          value.map((inner) => ({ [argument]: inner })),
        );
  const json = wrapped.map((given) => ({ rawBody: JSON.stringify(given), type: 'application/json' }));
  const broken = text.map((rawBody) => ({ rawBody, type: 'application/json' }));
  const xml = text.map((content) => ({
    rawBody: `<request><a>${content}</a><item>1</item></request>`,
    type: 'application/xml',
  }));
  const form = fc.dictionary(text, text).map((given) => ({
    rawBody: new URLSearchParams(given).toString(),
    type: 'application/x-www-form-urlencoded',
  }));
  return fc.oneof({ arbitrary: json, weight: 6 }, broken, xml, form);
}

const headerValue = fc.constantFrom(
  '',
  'text/html',
  'application/xml',
  'image/png',
  ';;;,q=',
  'a'.repeat(2000),
  '"',
  'é',
);
const headers = fc.record(
  {
    Accept: headerValue,
    'X-HTTP-Method-Override': fc.constantFrom('PUT', 'GET', 'NONSENSE'),
    'If-Match': headerValue,
    'X-Forwarded-For': headerValue,
    Cookie: fc.constantFrom('atelier_session=', 'atelier_session=abc', ';=;', 'a'.repeat(3000)),
    Range: headerValue,
  },
  { requiredKeys: [] },
);

describe.each(engines)('whatever is sent on %s', (engine) => {
  let atelier: Atelier;
  let callers: Record<string, Caller>;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    const alice = await atelier.createUser('alice');
    // Keys with small ids are the ones that get deleted below; these two survive.
    for (let index = 0; index < 110; index++) await alice.post('/access_keys', {});
    // Trackers and fields that the guessed ids lead to.
    const { id } = await createProject(atelier.admin, 'fuzzed');
    await everyField(atelier.admin, id);
    const root = await atelier.admin.post('/access_keys', {});
    const keyed = await alice.post('/access_keys', {});
    callers = {
      admin: atelier.callerWith({ 'X-Auth-AccessKey': root.body.identifier }),
      alice: atelier.callerWith({ 'X-Auth-AccessKey': keyed.body.identifier }),
      anonymous: atelier.anonymous,
      impostor: atelier.callerWith({ 'X-Auth-Token': 'nonsense', 'X-Auth-UserId': '102' }),
    };
  });
  afterAll(() => atelier.stop());

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s answers with a status below 500 and errors with the error body',
    async (_, route: RouteContract) => {
      const caller = fc.constantFrom('admin', 'admin', 'alice', 'anonymous', 'impostor');
      const request = fc.record({
        caller,
        path: pathOf(route),
        query: queryOf(route),
        body: bodyOf(route),
        headers,
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ caller: name, path, query, body, headers: more }) => {
          const {
            status,
            text: answer,
            headers: got,
          } = await callers[name]!.request(route.method, `${path}?${query}`, {
            ...(route.method === 'GET' ? {} : { rawBody: body.rawBody }),
            headers: { 'Content-Type': body.type, ...more },
          });
          expect(status, answer).toBeLessThan(500);
          if (status < 400) return;
          if (got.get('content-type')?.startsWith('application/json'))
            expect(JSON.parse(answer).error.code).toBe(status);
          else expect(answer).toContain(`<error><code>${status}</code>`);
        }),
        { numRuns: 20 },
      );
    },
  );

  test('and the service is still there', async () => {
    expect((await callers['admin']!.get('/version')).status).toBe(200);
    expect((await fetch(`${atelier.url}/readyz`)).status).toBe(200);
  });
});
