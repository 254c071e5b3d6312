import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { nameOf, type OpenApiDocument, type RouteContract, routes } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atOnce } from '../../src/http/limits/index.ts';
import { asMeantByXml, bindBody } from '../../src/http/pipeline/binding.ts';
import { xmlInSteps } from '../../src/http/pipeline/xml.ts';
import { lacksSubversion, needsSubversion } from '../fixtures/svn.ts';
import type { Caller } from '../harness/atelier.ts';
import { type Demo, startDemo } from '../harness/demo.ts';

const allRoutes: readonly RouteContract[] = routes;
const withBody = allRoutes.filter(({ body }) => body !== undefined);

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Params = Readonly<Record<string, string | number>>;

/** What the examples are about and the demo does not have: it is made just before the example is sent. */
type Preparation = (admin: Caller) => Promise<Params | undefined>;

const okay = ({ status, text }: { status: number; text: string }) => expect(status, text).toBeLessThan(300);

const preparations: Readonly<Record<string, Preparation>> = {
  async createToken(admin) {
    const account = { username: 'alice', real_name: 'Alice', email: 'alice@example.org' };
    okay(await admin.post('/users', { ...account, password: 'correct horse' }));
    return undefined;
  },
  async redeemPasswordReset(admin) {
    const { body } = await admin.post('/users/103/password_links');
    return { token: new URL(body.href).searchParams.get('token') ?? '' };
  },
  async restoreTracker(admin) {
    okay(await admin.delete('/trackers/6'));
    return undefined;
  },
  async restoreField(admin) {
    okay(await admin.delete('/tracker_fields/205'));
    return undefined;
  },
  /** Where a changeset stands among all depends on what was sent before. */
  async putComment(admin) {
    const { body } = await admin.get('/artifacts/142/changesets?fields=comments&order=desc&limit=1');
    return { id: 142, changeset_id: body[0].id };
  },
  /** All kinds of files share their numbers. */
  async appendToTemporaryFile(admin) {
    const { body } = await admin.get('/artifact_temporary_files');
    return { id: body[0].id };
  },
  /** Queries get ids by chance. */
  async putQuery(admin) {
    const { body } = await admin.get('/crosstracker_widget/1');
    return { id: body.queries[0].id };
  },
};

/** As `fetch` would, but for the body of a GET. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length = text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) };
  const outgoing = request(url, {
    method,
    headers: { ...headers, ...length, 'Content-Type': 'application/json' },
  });
  outgoing.end(text);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await incoming.toArray());
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: bytes.toString('utf8') };
}

/** The same body without one of its members. */
function without(body: unknown, member: string): unknown {
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => name !== member));
}

describe('the examples of the API document', () => {
  let demo: Demo;
  let key: Demo['key'];
  let admin: Caller;
  let document: OpenApiDocument;

  beforeAll(async () => {
    demo = await startDemo({ mail: true });
    ({ key, admin } = demo);
    document = (await admin.get('/openapi.json')).body;
  });
  afterAll(() => demo?.stop());

  const operationOf = ({ method, path }: RouteContract) => document.paths[path]?.[method.toLowerCase()];

  /** What the document has as the example of a route. */
  function exampleOf(route: RouteContract) {
    const { parameters = [], requestBody } = operationOf(route) ?? {};
    const params = parameters.filter((parameter) => parameter.in === 'path');
    return {
      params: Object.fromEntries(params.map(({ name, example }) => [name, example])),
      body: requestBody?.content['application/json']?.example,
      isRequired: requestBody?.required,
      required: Object(route.body)['required'] ?? [],
    };
  }

  const addressOf = ({ path }: RouteContract, params: Readonly<Record<string, unknown>>) =>
    `${demo.url}/api${path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))}`;

  test('are there for every operation that takes a body', () => {
    const lacking = withBody.filter((route) => {
      const { params, body } = exampleOf(route);
      return [body, ...Object.values(params)].includes(undefined);
    });
    expect(lacking.map(nameOf)).toEqual([]);
  });

  test('say the same in XML as in JSON', () => {
    // Leaves of XML are text until somebody knows what they are.
    const leavesAsText = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (_, leaf) => (leaf === Object(leaf) ? leaf : String(leaf)));
    for (const route of withBody) {
      const { body } = exampleOf(route);
      const [, xml] = /```xml\n(.*)```/s.exec(operationOf(route)?.requestBody?.description ?? '') ?? [];
      const read = asMeantByXml(route.body!, route.argument, atOnce(xmlInSteps(String(xml))));
      const bound = [read, body].map((value) =>
        leavesAsText(bindBody(route.body!, value, route.argument, {})),
      );
      expect(bound[0], `${nameOf(route)}\n${xml}`).toEqual(bound[1]);
    }
  });

  const tried = withBody.filter((route) => !(lacksSubversion && needsSubversion(route)));
  test.each(tried.map((route) => [nameOf(route), route] as const))('%s works', async (name, route) => {
    const { params, body, isRequired, required } = exampleOf(route);
    const address = addressOf(route, { ...params, ...(await preparations[name]?.(admin)) });
    // First what is refused, since that changes nothing.
    for (const member of required) {
      const { status, text } = await send(address, route.method, key, without(body, member));
      expect({ member, status }, text).toEqual({ member, status: 400 });
    }
    if (isRequired) expect((await send(address, route.method, key)).status).toBe(400);
    const { status, headers, text } = await send(address, route.method, key, body);
    expect(status, text).toBe(route.status ?? 200);
    const told = Object.keys(Object(operationOf(route)?.responses[status]).headers);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(told.map((header) => header.toLowerCase())));
  });

  test('headers of versions, pages and room are told in the document where answers have them', async () => {
    const worthTelling = Object.keys(document.components.headers);
    const params: Readonly<Record<string, number | string>> = {
      projects: 101,
      trackers: 5,
      artifacts: 142,
      users: 'self',
    };
    const reading = allRoutes.filter(({ method }) => method === 'GET');
    let answered = 0;
    for (const route of reading) {
      const id = params[route.path.split('/')[1] ?? ''] ?? 1;
      const address = addressOf(route, { id, changeset_id: 1, label_id: 1, revision: 1 });
      const { status, headers } = await send(address, 'GET', key);
      if (status !== 200) continue;
      answered++;
      const told = Object.keys(Object(operationOf(route)?.responses[200]).headers);
      const found = worthTelling.filter((header) => header.toLowerCase() in headers);
      expect(found.sort(), nameOf(route)).toEqual(told.sort());
    }
    // The others are of things that the demo does not have under these numbers.
    expect(answered).toBeGreaterThan(reading.length / 2);
  });
});
