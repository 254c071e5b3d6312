import { readdirSync } from 'node:fs';
import { type OpenApiDocument, type RouteContract, routes, type SwaggerDocument } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAnswer } from '../harness/answer-schemas.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { lacksBrowser, startBrowser } from '../harness/browser.ts';

const contractFolder = new URL('../../../contract/src/', import.meta.url);
const allRoutes: readonly RouteContract[] = routes;

/** Everything inside a document: the name it stands under, and itself. Members of described objects are no keywords. */
function* parts(value: unknown, name = ''): Generator<{ name: string; value: unknown }> {
  yield { name, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) {
    yield* parts(inner, name === 'properties' ? `member ${member}` : member);
  }
}

function resolve(document: unknown, ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, name) => Object(value)[name], document);
}

function danglingReferences(document: unknown): unknown[] {
  const references = [...parts(document)].filter(({ name }) => name === '$ref').map(({ value }) => value);
  expect(references.length).toBeGreaterThan(10);
  return references.filter((ref) => resolve(document, String(ref)) === undefined);
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

const isRoute = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'kind' in value;

test('every route that a file of the contract exports is in its list of routes', async () => {
  for (const file of readdirSync(contractFolder)) {
    const exported: Record<string, unknown> = await import(new URL(file, contractFolder).href);
    for (const [name, value] of Object.entries(exported)) {
      if (isRoute(value)) expect(allRoutes.includes(value), `${name} of ${file}`).toBe(true);
    }
  }
});

test('every success that a test receives is compared with the contract', async () => {
  const atelier = await startAtelier('SQLite');
  try {
    const reply = await atelier.admin.get('/users/101');
    for (const body of [{ ...reply.body, more: 1 }, { ...reply.body, id: 'one' }, {}])
      expect(() => checkAnswer('GET', '/users/101', { ...reply, body })).toThrow('GET /users/{id}');
    checkAnswer('GET', '/users/101', reply);
  } finally {
    await atelier.stop();
  }
});

const engines = oneEngine('SQLite', 'the document is made of the contract');

describe.each(engines)('the API document on %s', (engine) => {
  let atelier: Atelier;
  let document: OpenApiDocument;
  let swagger: SwaggerDocument;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    document = (await atelier.anonymous.get('/openapi.json')).body;
    swagger = (await atelier.anonymous.get('/explorer/swagger.json')).body;
  });
  afterAll(() => atelier.stop());

  const contractOf = (method: string, path: string) =>
    allRoutes.find((route) => route.method === method && route.path === path)!;

  test('it is OpenAPI 3.1 and has every route of the contract once', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: 'Atelier', version: expect.any(String) });
    expect(document.servers).toEqual([{ url: '/api' }]);
    const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('the explorer reads the same in OpenAPI 3.0, which says in its own way what may be null', async () => {
    const { body: older, text } = await atelier.anonymous.get('/explorer/openapi.json');
    expect(older.openapi).toMatch(/^3\.0\./);
    expect(danglingReferences(older)).toEqual([]);
    const named = (one: typeof document) => operationsOf(one).map(({ operation }) => operation.operationId);
    expect(named(older)).toEqual(named(document));
    expect(Object.keys(older.components.schemas)).toEqual(Object.keys(document.components.schemas));
    expect(text).not.toMatch(/"type":"null"|,"null"\]/);
    const nulls = (written: string) => written.match(/"type":"null"|,"null"\]|"nullable":true/g)?.length ?? 0;
    expect(nulls(text)).toBe(nulls(JSON.stringify(document)));
  });

  test('every reference leads somewhere', () => {
    expect(danglingReferences(document)).toEqual([]);
    expect(document.components.schemas['User']).toMatchObject({ type: 'object' });
  });

  test('every operation has a name of its own, a success, and the usual error', () => {
    const operations = operationsOf(document).map(({ operation }) => operation);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, responses, summary, tags } of operations) {
      const statuses = Object.keys(responses);
      const successes = statuses.filter((status) => status.startsWith('2'));
      // Projects are tried out by the route that creates them.
      expect(successes, operationId).toHaveLength(operationId === 'createProject' ? 2 : 1);
      expect(statuses.at(-1)).toBe('default');
      expect(responses['default']).toEqual({ $ref: '#/components/responses/Error' });
      expect(summary).not.toBe('');
      expect(document.tags).toContainEqual({ name: tags[0], description: expect.any(String) });
    }
  });

  test('every operation says in more words than its title what it does', () => {
    const operations = operationsOf(document).map(({ operation }) => operation);
    const silent = operations.filter(
      ({ description, summary }) => !/\w.*\.$/s.test(description) || description === summary,
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  /** The rules of Redocly’s recommended set that this document can break; the tool itself brings 70 MB along. */
  test('linters find nothing', () => {
    const { info, paths, components } = document;
    expect(info).toMatchObject({
      license: { name: 'MIT', identifier: 'MIT' },
      description: expect.any(String),
    });
    expect(Object.keys(paths).filter((path) => !/^(\/[\w-]+|\/\{\w+\})+$/.test(path))).toEqual([]);
    const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const { operation } of operationsOf(document)) {
      const { operationId, parameters = [], responses, security } = operation;
      expect(operationId).toMatch(/^[A-Za-z]\w*$/);
      const named = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(named).size, operationId).toBe(named.length);
      expect(
        Object.keys(responses).some((status) => /^4\d\d$/.test(status)),
        operationId,
      ).toBe(true);
      for (const scheme of security.flatMap((requirement) => Object.keys(requirement)))
        expect(components.securitySchemes).toHaveProperty(scheme);
    }
    const used = new Set(
      [...parts(document)].filter(({ name }) => name === '$ref').map(({ value }) => value),
    );
    for (const [kind, members] of Object.entries({
      schemas: components.schemas,
      responses: components.responses,
    }))
      for (const name of Object.keys(members)) expect(used).toContain(`#/components/${kind}/${name}`);
  });

  const statusesOf = (method: string, path: string) =>
    Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});

  test.each<[string, string, number[]]>([
    ['POST', '/projects', [201, 204, 409, 429]],
    ['POST', '/tokens', [401, 403, 429]],
    ['POST', '/user_groups', [404]],
    ['POST', '/artifacts', [404, 409]],
    ['PUT', '/artifacts/{id}', [409, 412]],
    ['DELETE', '/artifacts/{id}', [429, 503]],
    ['POST', '/tracker_workflow_transitions', [404]],
    ['POST', '/tracker_fields/{id}/files', [404, 409]],
    ['POST', '/svn', [404, 409, 503]],
  ])('%s %s says that it answers %j', (method, path, statuses) => {
    expect(statusesOf(method, path)).toEqual(expect.arrayContaining(statuses.map(String)));
  });

  test('what is refused for its size or type is described wherever there is a body', () => {
    for (const { method, path, body } of allRoutes) {
      const told = statusesOf(method, path).filter((status) => status === '413' || status === '415');
      expect(told, `${method} ${path}`).toEqual(body === undefined || method === 'GET' ? [] : ['413', '415']);
    }
  });

  test('refusals are described as they come', async () => {
    const { admin } = atelier;
    const project = { shortname: 'tried', label: 'Only tried', is_public: true, xml_template_name: 'empty' };
    const transition = { tracker_id: 999_999, from_id: 0, to_id: 101 };
    for (const [path, answer, status] of [
      ['/projects', await admin.post('/projects?dry_run=true', project), 204],
      ['/tokens', await atelier.anonymous.post('/tokens', { username: 'nobody', password: 'x' }), 401],
      ['/user_groups', await admin.post('/user_groups', { project_id: 999_999, short_name: 'x' }), 404],
      [
        '/artifacts',
        await admin.post('/artifacts', { tracker: { id: 999_999 }, values: [{ field_id: 1 }] }),
        404,
      ],
      ['/tracker_workflow_transitions', await admin.post('/tracker_workflow_transitions', transition), 404],
      [
        '/access_keys',
        await admin.request('POST', '/access_keys', {
          rawBody: 'x',
          headers: { 'Content-Type': 'image/png' },
        }),
        415,
      ],
    ] as const) {
      expect(answer.status, path).toBe(status);
      expect(statusesOf('POST', path)).toContain(String(status));
    }
  });

  test('what was made says where it is, and what may be tried again says when', () => {
    const made = contractOf('POST', '/artifacts');
    expect(made.headers).toContain('Location');
    const post = document.paths['/artifacts']?.['post'];
    expect(post?.responses['201']).toMatchObject({ headers: { Location: expect.any(Object) } });
    for (const name of ['Refusal429', 'Refusal503'])
      expect(document.components.responses[name]?.headers).toHaveProperty('Retry-After');
  });

  test('versions are described where there are some', () => {
    const read = document.paths['/artifacts/{id}']?.['get'];
    const change = document.paths['/artifacts/{id}']?.['put'];
    const headersOf = (operation: typeof read) =>
      (operation?.parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name);
    expect(headersOf(read)).toEqual(['If-None-Match']);
    expect(headersOf(change)).toEqual(['If-Match', 'If-Unmodified-Since', 'Idempotency-Key']);
    for (const operation of [read, change])
      expect(Object.keys(Object(operation?.responses['200']).headers)).toEqual([
        'Allow',
        'Etag',
        'Last-Modified',
      ]);
    expect(read?.responses).toHaveProperty('304');
    expect(change?.responses).toHaveProperty('412');
  });

  test('a body is required only where there is something in it that must be', () => {
    const isRequired = (method: string, path: string) =>
      document.paths[path]?.[method]?.requestBody?.required;
    expect(isRequired('post', '/artifacts')).toBe(true);
    expect(isRequired('put', '/users/{id}/history')).toBe(true);
    expect(isRequired('patch', '/users/{id}')).toBe(false);
    expect(isRequired('get', '/trackers/{id}/artifacts')).toBe(false);
  });

  test('an answer that the contract gives a schema has it in JSON and XML, others have the types it names or no body', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const { response, produces, status = 200 } = contractOf(method, path);
      const success = Object(operation.responses[status]);
      const formats = response === undefined ? produces : ['application/json', 'application/xml'];
      expect(success.content && Object.keys(success.content), operation.operationId).toEqual(formats);
    }
  });

  test('the variables of a path are declared, and no others', () => {
    for (const { path, operation } of operationsOf(document)) {
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name).sort(), operation.operationId).toEqual(variables.sort());
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  test('the pages of a collection are described by limit, offset and headers', () => {
    const paged = operationsOf(document).filter(({ method, path }) => contractOf(method, path).paging);
    expect(paged.length).toBeGreaterThan(4);
    for (const { method, path, operation } of paged) {
      const { default: usual, maximum, minimum = 0 } = contractOf(method, path).paging!;
      const schemas = Object.fromEntries(
        (operation.parameters ?? []).map(({ name, schema }) => [name, schema]),
      );
      expect(schemas['limit']).toEqual({ type: 'integer', default: usual, minimum, maximum });
      expect(schemas['offset']).toEqual({ type: 'integer', default: 0, minimum: 0 });
      const { headers } = Object(operation.responses['200']);
      const names = [
        'Allow',
        'X-PAGINATION-LIMIT',
        'X-PAGINATION-OFFSET',
        'X-PAGINATION-SIZE',
        'X-PAGINATION-LIMIT-MAX',
      ];
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
    }
  });

  test('an operation says which credentials it takes', () => {
    const { securitySchemes } = document.components;
    expect(securitySchemes['api_access_key']).toMatchObject({ in: 'header', name: 'X-Auth-AccessKey' });
    const login = [{ api_access_key: [] }, { token: [], token_user: [] }, { basic: [] }];
    expect(document.paths['/version']?.['get']?.security).toEqual([]);
    expect(document.paths['/users/{id}']?.['get']?.security).toEqual([...login, {}]);
    expect(document.paths['/users/{id}']?.['patch']?.security).toEqual(login);
    for (const name of login.flatMap((scheme) => Object.keys(scheme)))
      expect(securitySchemes).toHaveProperty(name);
  });

  test('bodies can be sent in every format, and wrapped where the contract says so', () => {
    const { requestBody, description } = document.paths['/access_keys']?.['post'] ?? {};
    const formats = ['application/json', 'application/xml', 'application/x-www-form-urlencoded'];
    expect(Object.keys(requestBody?.content ?? {})).toEqual(formats);
    expect(description).toContain('`access_key`');
    const list = document.paths['/users/{id}/history']?.['put']?.requestBody;
    expect(Object.keys(list?.content ?? {})).toEqual(formats.slice(0, 2));
  });

  test('deprecated routes and routes of our own are marked', () => {
    expect(document.paths['/tokens']?.['post']?.deprecated).toBe(true);
    expect(document.paths['/users']?.['post']?.['x-atelier-own']).toBe(true);
    expect(document.paths['/users']?.['get']).not.toHaveProperty('x-atelier-own');
  });

  test('lists of choices become types in every language: texts alone, with names where they are signs', () => {
    for (const one of [document, swagger])
      for (const { value } of parts(one)) {
        const { enum: choices, 'x-enum-varnames': names } = Object(value);
        if (!Array.isArray(choices)) continue;
        expect(choices.filter((choice) => typeof choice !== 'string')).toEqual([]);
        const words = (names ?? choices).map((word: string) => word.replaceAll(/\W/g, '').toLowerCase());
        expect(new Set(words), JSON.stringify(value)).toHaveLength(choices.length);
        expect(words).not.toContain('');
      }
  });

  test.each(['OpenAPI', 'Swagger'])('no internal keyword shows up in the %s document', (format) => {
    const known = ['x-atelier-own', 'x-nullable', 'x-enum-varnames'];
    const names = [...parts(format === 'OpenAPI' ? document : swagger)].map(({ name }) => name);
    const leaked = names.filter(
      (name) => /^(x-|~|\$id$|patternProperties$)/.test(name) && !known.includes(name),
    );
    expect(leaked).toEqual([]);
  });

  test('every described operation is served', async () => {
    const missing: string[] = [];
    for (const { method, path } of operationsOf(document)) {
      const address = path.replace(/\{\w+\}/g, '999999');
      const { status, headers, text } = await atelier.anonymous.request(method, address);
      // Unknown paths carry no Allow; things that do not exist do.
      if (status === 405 || headers.get('Allow') === null) missing.push(`${method} ${path}`);
      expect(status, `${method} ${path}: ${text}`).toBeLessThan(500);
    }
    expect(missing).toEqual([]);
  });

  test('every described path answers OPTIONS, and refuses exactly the methods that are not described', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const [path, item] of Object.entries(document.paths)) {
      const address = path.replace(/\{\w+\}/g, '999999');
      const options = await atelier.anonymous.options(address);
      expect({ path, status: options.status, text: options.text }).toEqual({ path, status: 200, text: '' });
      expect(options.headers.get('Allow'), path).toMatch(/^OPTIONS(, [A-Z]+)+$/);
      const described = methods.filter((method) => method.toLowerCase() in item);
      for (const method of methods.filter((candidate) => !described.includes(candidate))) {
        const { status, headers } = await atelier.anonymous.request(method, address);
        const allowed = ['OPTIONS', ...described].join(', ');
        expect({ path, method, status, allowed: headers.get('Allow') }).toEqual({
          path,
          method,
          status: 405,
          allowed,
        });
      }
    }
  });

  test('the Swagger document is what older tools expect', () => {
    expect(swagger).toMatchObject({ swagger: '2.0', basePath: '/api' });
    const { license: _, ...info } = document.info;
    expect(swagger.info).toEqual({ ...info, license: { name: 'MIT' } });
    expect(swagger.consumes).toEqual(['application/json', 'application/xml']);
    expect(swagger.produces).toEqual(['application/json', 'application/xml']);
    const accessKey = { type: 'apiKey', in: 'header', name: 'X-Auth-AccessKey' };
    expect(swagger.securityDefinitions['api_access_key']).toEqual(accessKey);
    expect(Object.keys(swagger.paths)).toEqual(Object.keys(document.paths));
    expect(danglingReferences(swagger)).toEqual([]);
  });

  test('the Swagger document uses nothing that came after it', () => {
    const newer = ['anyOf', 'oneOf', 'const', 'nullable', 'requestBody', 'content', 'components', 'servers'];
    for (const { name, value } of parts({ ...swagger, definitions: Object.values(swagger.definitions) })) {
      expect(newer).not.toContain(name);
      if (name === 'type') expect(Array.isArray(value)).toBe(false);
      if (name === '$ref') expect(value).toMatch(/^#\/(definitions|responses)\/\w+$/);
    }
    expect(swagger.definitions['AccessKey']).toMatchObject({
      properties: { expiration_date: { type: 'string', format: 'date-time', 'x-nullable': true } },
    });
  });

  test('answers of the Swagger document that may be one of several things say what they have in common', () => {
    const schemaOf = (path: string, method: string, status: number) =>
      Object(swagger.paths[path]?.[method])['responses'][status].schema;
    expect(schemaOf('/projects', 'post', 201)).toEqual({
      type: 'object',
      description: 'One of Project, AwaitedProject',
    });
    for (const name of ['Project', 'AwaitedProject'])
      expect(swagger.definitions[name]).toMatchObject({ type: 'object' });
    expect(schemaOf('/projects/{id}/trackers', 'get', 200)).toMatchObject({ type: 'array' });
  });

  test('parameters of the Swagger document have a type, or a schema in the body', () => {
    const operations = Object.values(swagger.paths).flatMap((item) => Object.values(item));
    const parameters = operations.flatMap((operation) => Object(operation)['parameters'] ?? []);
    expect(parameters.length).toBeGreaterThan(20);
    for (const parameter of parameters) {
      if (parameter.in === 'body')
        expect(parameter).toMatchObject({ name: 'body', schema: expect.any(Object) });
      else expect(['string', 'integer', 'number', 'boolean', 'array']).toContain(parameter.type);
      // Without a word about it, lists would be sent in one parameter.
      if (parameter.type === 'array') expect(parameter.collectionFormat, parameter.name).toBe('multi');
    }
  });

  test('operations of the Swagger document say when they answer neither JSON nor XML', () => {
    const types = (path: string) => swagger.paths[path]?.['get']?.['produces'];
    expect(types('/trackers/{id}/artifacts_export')).toEqual(['text/csv', 'application/x-ndjson']);
    expect(types('/events')).toEqual(['text/event-stream']);
    expect(types('/artifacts/{id}')).toBeUndefined();
  });

  test.each(['/openapi.json', '/explorer/openapi.json', '/explorer/swagger.json', '/v1/openapi.json'])(
    'GET %s is JSON that pages of other sites may read, without a login',
    async (path) => {
      const { status, headers, text } = await atelier.anonymous.get(path, {
        headers: { Accept: 'application/xml' },
      });
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toMatch(/^application\/json(;|$)/);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      const head = await atelier.anonymous.request('HEAD', path);
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
      expect(head.headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
    },
  );

  describe('the explorer', () => {
    const types: Readonly<Record<string, RegExp>> = {
      css: /^text\/css/,
      js: /^text\/javascript/,
      png: /^image\/png/,
      json: /^application\/json/,
    };

    test.skipIf(lacksBrowser || engine !== 'SQLite')('asks for an access key first', async () => {
      const { browser, close } = await startBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`${atelier.url}/api/explorer/`);
        await page.locator('.btn.authorize').first().click();
        await page.locator('.auth-container').first().waitFor();
        const asked = await page.locator('.auth-container h4').allTextContents();
        expect(asked[0]).toContain('api_access_key');
        expect(asked.length).toBe(4);
      } finally {
        await close();
      }
    });

    test('GET /api/explorer leads to the folder', async () => {
      const { status, headers } = await atelier.anonymous.get('/explorer');
      expect({ status, location: headers.get('Location') }).toEqual({
        status: 301,
        location: '/api/explorer/',
      });
    });

    test('the page and all that it refers to come from this server', async () => {
      const page = await fetch(`${atelier.url}/api/explorer/`);
      expect(page.status).toBe(200);
      expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
      const html = await page.text();
      const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
      expect(references.length).toBeGreaterThan(4);
      for (const reference of references) {
        const address = new URL(reference, page.url);
        expect(address.origin).toBe(atelier.url);
        const asset = await fetch(address);
        expect({ reference, status: asset.status }).toEqual({ reference, status: 200 });
        expect(asset.headers.get('Content-Type')).toMatch(types[address.pathname.split('.').at(-1)!]!);
        expect(asset.headers.get('X-Content-Type-Options')).toBe('nosniff');
        expect((await asset.bytes()).length).toBe(Number(asset.headers.get('Content-Length')));
      }
    });

    test('the page runs no script of its own text and may load from this server only', async () => {
      const { text, headers } = await atelier.anonymous.get('/explorer/');
      expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:/);
      const policy = headers.get('Content-Security-Policy');
      expect(policy).toContain("default-src 'self';");
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src/);
      const script = (await atelier.anonymous.get('/explorer/explorer.js')).text;
      expect(script).toContain('validatorUrl: null');
      expect(script).not.toMatch(/https?:/);
      const style = (await atelier.anonymous.get('/explorer/swagger-ui.css')).text;
      const loaded = [...style.matchAll(/url\(["']?([^"')]{0,10})/g)].map(([, address]) => address);
      expect(loaded.every((address) => address?.startsWith('data:'))).toBe(true);
    });

    test('files of the library are kept by browsers, and only those that are needed are served', async () => {
      const { headers } = await atelier.anonymous.get('/explorer/swagger-ui-bundle.js?v=1');
      expect(headers.get('Cache-Control')).toContain('immutable');
      for (const name of [
        'package.json',
        'swagger-ui.js',
        'index.html',
        '..%2fpackage.json',
        'swagger-ui.css.map',
      ]) {
        expect((await atelier.anonymous.get(`/explorer/${name}`)).status, name).toBe(404);
      }
    });

    test.each([
      '/explorer',
      '/explorer/',
      '/explorer/swagger-ui.css',
      '/explorer/explorer.js',
      '/openapi.json',
    ])('%s can only be read', async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
        const { status, headers, body } = await atelier.anonymous.request(method, path);
        expect({ method, status, allowed: headers.get('Allow') }).toEqual({
          method,
          status: 405,
          allowed: 'OPTIONS, GET',
        });
        expect(body).toEqual({ error: { code: 405, message: 'Method Not Allowed' } });
      }
      const options = await atelier.anonymous.options(path);
      expect({ status: options.status, allowed: options.headers.get('Allow') }).toEqual({
        status: 200,
        allowed: 'OPTIONS, GET',
      });
      expect((await atelier.anonymous.request('HEAD', path)).status).toBe(path === '/explorer' ? 301 : 200);
    });
  });
});
