import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { routes as declared, type RouteContract } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, membersOf, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const routes: readonly RouteContract[] = declared;

const deepJson = '['.repeat(5000) + ']'.repeat(5000);
const deepXml = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`;

/** Paths that existing clients know, with the methods that the specification lets each of them announce. */
const compatiblePaths: Readonly<Record<string, string>> = {
  '/access_keys': 'POST',
  '/access_keys/{id}': 'GET, POST, DELETE',
  '/artifact_files/{id}': 'GET',
  '/artifact_temporary_files': 'GET, POST',
  '/artifact_temporary_files/{id}': 'GET, PUT, DELETE',
  '/artifacts': 'GET, POST',
  '/artifacts/{id}': 'GET, PUT, DELETE, PATCH',
  '/artifacts/{id}/changesets': 'GET',
  '/artifacts/{id}/linked_artifacts': 'GET',
  '/artifacts/{id}/links': 'GET',
  '/crosstracker_query': 'POST',
  '/crosstracker_query/content': 'GET',
  '/crosstracker_query/{id}': 'PUT, DELETE',
  '/crosstracker_query/{id}/content': 'GET',
  '/crosstracker_widget/{id}': 'GET',
  '/crosstracker_widget/{id}/forward_links': 'GET',
  '/crosstracker_widget/{id}/reverse_links': 'GET',
  '/jwt': 'GET',
  '/project_fields': 'GET',
  '/project_services/{id}': 'PUT',
  '/projects': 'GET, POST, PATCH',
  '/projects/{id}': 'GET, POST, PATCH',
  '/projects/{id}/3rd_party_integration_data': 'GET',
  '/projects/{id}/banner': 'GET, PUT, DELETE',
  '/projects/{id}/extract_references': 'POST',
  '/projects/{id}/header_background': 'PUT, DELETE',
  '/projects/{id}/heartbeats': 'GET',
  '/projects/{id}/labels': 'GET',
  '/projects/{id}/project_services': 'GET',
  '/projects/{id}/svn': 'GET',
  '/projects/{id}/trackers': 'GET',
  '/projects/{id}/user_groups': 'GET',
  '/svn': 'POST',
  '/svn/{id}': 'GET, PUT, DELETE',
  '/system_event': 'GET',
  '/tokens': 'POST, DELETE',
  '/tokens/{token}': 'DELETE',
  '/tracker_fields/{id}': 'PATCH, DELETE',
  '/tracker_fields/{id}/files': 'POST',
  '/tracker_reports/{id}': 'GET',
  '/tracker_reports/{id}/artifacts': 'GET',
  '/tracker_workflow_transitions': 'GET, POST, PATCH, DELETE',
  '/tracker_workflow_transitions/{id}': 'GET, PATCH, DELETE',
  '/tracker_workflow_transitions/{id}/actions': 'GET, PUT',
  '/trackers': '',
  '/trackers/{id}': 'GET, PATCH',
  '/trackers/{id}/artifacts': 'GET',
  '/trackers/{id}/parent_artifacts': 'GET',
  '/trackers/{id}/tracker_reports': 'GET',
  '/trackers/{id}/used_artifact_links': 'GET',
  '/user_groups': 'POST',
  '/user_groups/{id}': 'GET, PUT',
  '/user_groups/{id}/users': 'GET, PUT',
  '/users': 'GET, PATCH',
  '/users/{id}': 'GET, PATCH',
  '/users/{id}/access_keys': 'GET',
  '/users/{id}/artifacts': 'GET',
  '/users/{id}/history': 'GET, PUT',
  '/users/{id}/membership': 'GET',
  '/users/{id}/preferences': 'GET, PATCH, DELETE',
  '/users_memberships': 'GET',
  '/version': 'GET',
};

const engines = oneEngine('SQLite', 'paths, methods and headers are answered before anything is read');

describe.each(engines)('conventions of every route on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_BODY_LIMIT: '100000' } });
    alice = await atelier.createUser('alice');
  });
  afterAll(() => atelier.stop());

  describe('paths', () => {
    test.each([
      '/users/self',
      '/v1/users/self',
      '/users/self/',
      '/v1/users/self/',
      '/USERS/self',
      '/users/self.json',
    ])('GET %s is the same resource', async (path) => {
      const { status, body } = await alice.get(path);
      expect(status).toBe(200);
      expect(body.username).toBe('alice');
    });

    test.each([
      '',
      '/v1',
      '/v2/users/self',
      '/v3/users/self',
      '/nothing',
      '/users/self/nothing',
      '/git/1/branches',
    ])('GET /api%s answers 404 with the error body', async (path) => {
      const { status, body } = await alice.get(path);
      expect(status).toBe(404);
      expect(body).toEqual({ error: { code: 404, message: 'Not Found' } });
    });

    test('a path id that is not a number is 400, before authentication', async () => {
      const { status, body } = await atelier.anonymous.delete('/access_keys/abc');
      expect(status).toBe(400);
      expect(body.error.message).toBe('Bad Request: invalid value specified for `id`');
    });

    test.each(['9007199254740993', '99999999999999999999', '9'.repeat(400)])(
      'the id %s is a number, and that of nothing',
      async (id) => {
        for (const path of ['projects', 'trackers', 'artifacts', 'tracker_reports', 'artifact_files', 'svn'])
          expect((await alice.get(`/${path}/${id}`)).status, path).toBe(404);
        expect((await alice.get(`/projects/-${id}`)).status).toBe(404);
        expect((await alice.put(`/artifacts/${id}`, { values: [] })).status).toBe(404);
        expect((await alice.delete(`/access_keys/${id}`)).status).toBe(200);
      },
    );

    test.each(['/users/%zz', '/projects/%FF', '/projects/101%', '/projects/%E0%A4%A', '/nothing/%FF'])(
      'the path %s, which cannot be decoded, is 400 and named',
      async (path) => {
        const { status, body } = await alice.get(path);
        const words = `The address /api${path} cannot be read: "%" stands before two hexadecimal digits of UTF-8.`;
        expect([status, body]).toEqual([400, { error: { code: 400, message: `Bad Request: ${words}` } }]);
      },
    );
  });

  describe('methods', () => {
    test('a method that a path does not have is 405 with Allow, with and without variables', async () => {
      const withoutVariable = await alice.request('PUT', '/users');
      expect(withoutVariable.status).toBe(405);
      expect(withoutVariable.headers.get('allow')).toBe('OPTIONS, GET, POST');
      expect(withoutVariable.body.error).toEqual({ code: 405, message: 'Method Not Allowed' });
      const withVariable = await alice.request('DELETE', '/users/101');
      expect(withVariable.status).toBe(405);
      expect(withVariable.headers.get('allow')).toBe('OPTIONS, GET, PATCH');
      expect((await alice.request('PROPFIND', '/users')).status).toBe(405);
    });

    test('OPTIONS needs no login, looks at no credentials, and answers with Allow and CORS', async () => {
      const stranger = atelier.callerWith({ 'X-Auth-AccessKey': 'nonsense' });
      const { status, text, headers } = await stranger.options('/users/101/access_keys');
      expect(status).toBe(200);
      expect(text).toBe('');
      expect(headers.get('allow')).toBe('OPTIONS, GET');
      expect(headers.get('access-control-allow-methods')).toBe('OPTIONS, GET');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-headers')).toContain('X-Auth-AccessKey');
    });

    test.each(Object.entries(compatiblePaths))('OPTIONS %s announces %s', async (path, methods) => {
      const { status, headers } = await atelier.anonymous.options(path.replaceAll(/\{\w+\}/g, '101'));
      const announced = ['OPTIONS', methods].filter((word) => word !== '').join(', ');
      expect(status).toBe(200);
      expect(headers.get('allow')).toBe(announced);
      // Browsers of other sites are told the methods of our own as well: they send no others.
      const own = routes.filter((route) => route.path === path).map(({ method }) => method);
      const usable = new Set([...announced.split(', '), ...own]);
      expect(new Set(headers.get('access-control-allow-methods')?.split(', '))).toEqual(usable);
    });

    test('a method of our own beside compatible ones is no news to existing clients, and can be sent by other sites', async () => {
      const { headers } = await alice.options('/trackers/101');
      expect(headers.get('allow')).toBe('OPTIONS, GET, PATCH');
      expect(headers.get('access-control-allow-methods')).toBe('OPTIONS, GET, PATCH, DELETE');
      const answered = await alice.get('/users');
      expect(answered.headers.get('allow')).toBe('OPTIONS, GET, PATCH');
      expect(answered.headers.get('access-control-allow-methods')).toBe('OPTIONS, GET, PATCH, POST');
    });

    test('every path of the contract is a compatible one, or has only methods of our own', () => {
      const strange = routes.filter(({ own, path }) => own !== true && !(path in compatiblePaths));
      expect(strange.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    });

    test('answers announce what OPTIONS does', async () => {
      for (const [path, methods] of [
        ['/users/self', 'OPTIONS, GET, PATCH'],
        ['/users', 'OPTIONS, GET, PATCH'],
        ['/projects', 'OPTIONS, GET, POST, PATCH'],
        ['/project_fields', 'OPTIONS, GET'],
        ['/users/self/preferences', 'OPTIONS, GET, PATCH, DELETE'],
      ] as const)
        expect((await alice.get(path)).headers.get('allow'), path).toBe(methods);
    });

    test('HEAD is GET without a body', async () => {
      const { status, text, headers } = await alice.request('HEAD', '/users/self');
      expect(status).toBe(200);
      expect(text).toBe('');
      expect(Number(headers.get('content-length'))).toBeGreaterThan(100);
    });

    test('X-HTTP-Method-Override on a POST is honoured, other values are not', async () => {
      const override = (method: string) => ({
        headers: { 'X-HTTP-Method-Override': method },
        body: { key: 'k', value: 'v' },
      });
      expect((await alice.request('POST', '/users/self/preferences', override('PATCH'))).status).toBe(200);
      expect((await alice.get('/users/self/preferences?key=k')).body.value).toBe('v');
      expect((await alice.request('POST', '/users/self/preferences', override('GET'))).status).toBe(405);
      expect((await alice.request('POST', '/users/self/preferences?key=k', override('DELETE'))).status).toBe(
        200,
      );
    });
  });

  describe('bodies', () => {
    test.each([
      ['application/json', '{"description":"one"}'],
      ['APPLICATION/JSON; charset=utf-8', '{"description":"one"}'],
      ['', '{"description":"one"}'],
      ['application/xml', '<request><description>one</description></request>'],
      ['application/x-www-form-urlencoded', 'description=one'],
      // What curl -d sends when nobody names a type.
      ['application/x-www-form-urlencoded', '{"description":"one"}'],
    ])('a body of type "%s" is read', async (type, rawBody) => {
      const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
      const { status } = await alice.request('POST', '/access_keys', {
        rawBody: Buffer.from(rawBody),
        headers,
      });
      expect(status).toBe(201);
      const keys = await alice.get('/users/self/access_keys');
      expect(keys.body.at(-1).description).toBe('one');
    });

    test.each([
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/json2',
      'nonsense',
      'constructor',
      '__proto__',
      'hasOwnProperty',
    ])('a body of type %s is 415', async (type) => {
      const { status, body } = await alice.request('POST', '/access_keys', {
        rawBody: '{}',
        headers: { 'Content-Type': type },
      });
      expect(status).toBe(415);
      expect(body.error.code).toBe(415);
    });

    test.each(['GET', 'DELETE'])('%s with a JSON content type and no body works', async (method) => {
      const { status } = await alice.request(method, '/users/self/preferences?key=none', {
        headers: { 'Content-Type': 'application/json', 'Content-Length': '0' },
      });
      expect(status).toBe(200);
    });

    test.each(['POST', 'PUT', 'PATCH'])(
      '%s with a JSON content type and an empty body has no members',
      async (method) => {
        const paths = { POST: '/access_keys', PUT: '/users/self/ssh_keys', PATCH: '/users/self/preferences' };
        const { status, body } = await alice.request(method, paths[method as keyof typeof paths], {
          rawBody: '',
          headers: { 'Content-Type': 'application/json' },
        });
        if (method === 'POST') expect(status).toBe(201);
        else expect(body.error.message).toMatch(/^Bad Request: `(keys|key)` is required\.$/);
      },
    );

    test('a GET ignores its body, even a malformed one of a strange type', async () => {
      const raw = (text: string) =>
        `GET /api/users/self HTTP/1.1\r\nHost: a\r\nX-Auth-AccessKey: ${alice.key}\r\nContent-Type: nonsense\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
      expect(await rawRequest(atelier.url, raw('{"broken'))).toMatch(/^HTTP\/1\.1 200 /);
    });

    test.each([
      [
        '{"broken',
        'application/json',
        'Bad Request: Error encoding/decoding JSON: Syntax error at line 1, column 9',
      ],
      [
        '{\n  "name": "x",\n  "other": tru\n}',
        'application/json',
        'Bad Request: Error encoding/decoding JSON: Syntax error at line 3, column 12',
      ],
      [
        '{"a": "two\nlines"}',
        'application/json',
        'Bad Request: Error encoding/decoding JSON: Syntax error at line 1, column 11',
      ],
      ['null', 'application/json', 'Bad Request: Error parsing JSON'],
      ['"text"', 'application/json', 'Bad Request: Invalid value specified for `body`. Expecting an object'],
      ['[1]', 'application/json', 'Bad Request: Invalid value specified for `body`. Expecting an object'],
      [deepJson, 'application/json', 'Bad Request: The body is nested more than 100 deep.'],
      ['{"description":"a\\u0000b"}', 'application/json', /`description` contains a character/],
      ['{"description":"\\ud800"}', 'application/json', /`description` contains a character/],
      ['<request><a></request>', 'application/xml', /^Bad Request: Malformed XML\. /],
      ['<request>', 'application/xml', /^Bad Request: Malformed XML\. /],
      [deepXml, 'application/xml', /nested more than 100 deep/],
      [
        '<!DOCTYPE a [<!ENTITY b "c">]><request><description>&b;</description></request>',
        'application/xml',
        /document type/,
      ],
      [
        '<request><description>&unknown;</description></request>',
        'application/xml',
        /^Bad Request: Malformed XML\. /,
      ],
    ])('the body %.40s is refused with words', async (rawBody, type, message) => {
      const { status, body } = await alice.request('POST', '/access_keys', {
        rawBody,
        headers: { 'Content-Type': type },
      });
      expect(status).toBe(400);
      if (typeof message === 'string') expect(body.error.message).toBe(message);
      else expect(body.error.message).toMatch(message);
    });

    test.each([
      [
        'a form of many fields',
        'a&'.repeat(30_000),
        'application/x-www-form-urlencoded',
        /more than 1000 fields/,
      ],
      ['a form that is not encoded', 'description=%zz', 'application/x-www-form-urlencoded', /not encoded/],
      ['an XML body of many elements', `<r>${'<a/>'.repeat(20_000)}</r>`, 'application/xml', undefined],
      [
        'a number of many digits',
        `{"scopes":["write:rest"],"description":"${'1'.repeat(90_000)}x"}`,
        'application/json',
        /`description`/,
      ],
    ])('%s is answered quickly', async (_, rawBody, type, message) => {
      const cost = await atelier.costOf(async () => {
        const { status, body } = await alice.request('POST', '/access_keys', {
          rawBody,
          headers: { 'Content-Type': type },
        });
        expect(status).toBeLessThan(500);
        if (message !== undefined) expect(body.error.message).toMatch(message);
      });
      expect(cost).toBeLessThan(2);
    });

    test('a parameter of many digits is refused quickly', async () => {
      const cost = await atelier.costOf(async () => {
        const { status, body } = await alice.get(`/projects?limit=${'1'.repeat(12_000)}x`);
        expect(status).toBe(400);
        expect(body.error.message).toContain('`limit`');
      });
      expect(cost).toBeLessThan(2);
    });

    test('a body for those who are not logged in is small', async () => {
      const { status } = await atelier.anonymous.post('/tokens', {
        username: 'x'.repeat(70_000),
        password: 'y',
      });
      expect(status).toBe(413);
    });

    test('an empty XML element is the empty list or text where a member must be there', async () => {
      const send = (method: string, path: string, rawBody: string) =>
        alice.request(method, path, { rawBody, headers: { 'Content-Type': 'application/xml' } });
      expect(
        (await send('PUT', '/users/self/history', '<request><history_entries></history_entries></request>'))
          .status,
      ).toBe(200);
      expect((await send('PUT', '/users/self/ssh_keys', '<request><keys> </keys></request>')).status).toBe(
        200,
      );
      expect(
        (await send('PATCH', '/users/self/preferences', '<request><key>xml</key><value></value></request>'))
          .status,
      ).toBe(200);
      expect((await alice.get('/users/self/preferences?key=xml')).body.value).toBe('');
      expect((await send('POST', '/access_keys', '<request><scopes>\n</scopes></request>')).status).toBe(400);
    });

    test('a root of XML with nothing in it is no empty list, its empty member is one', async () => {
      const send = (path: string, rawBody: string) =>
        alice.request('PUT', path, { rawBody, headers: { 'Content-Type': 'application/xml' } });
      const { id: project } = await createProject(alice, `roots-${engine.toLowerCase()}`);
      const group = await createGroup(alice, project, 'kept');
      await setMembers(alice, group, [alice]);
      for (const [path, member] of [
        ['/users/self/history', 'history_entries'],
        [`/user_groups/${group}/users`, 'user_references'],
      ] as const)
        for (const root of [
          '<request/>',
          '<request></request>',
          '<request>\n</request>',
          '<request xmlns="a"/>',
        ]) {
          const { status, body } = await send(path, root);
          expect([status, body?.error.message], root).toEqual([
            400,
            `Bad Request: \`${member}\` is required.`,
          ]);
        }
      expect(await membersOf(alice, group)).toEqual(['alice']);
      const emptied = '<request><user_references/></request>';
      expect((await send(`/user_groups/${group}/users`, emptied)).status).toBe(200);
      expect(await membersOf(alice, group)).toEqual([]);
    });

    test('a body without anything in it is no empty list, whatever it says it is', async () => {
      for (const type of ['application/xml', 'application/json', 'application/x-www-form-urlencoded'])
        for (const rawBody of ['', ' \n']) {
          const sent = { rawBody, headers: { 'Content-Type': type } };
          const { status, body } = await alice.request('PUT', '/users/self/history', sent);
          expect([status, body.error?.message], type).toEqual([
            400,
            'Bad Request: `history_entries` is required.',
          ]);
        }
    });

    test('a strange content type comes after routing, methods and OPTIONS', async () => {
      const strange = { rawBody: '{}', headers: { 'Content-Type': 'foo' } };
      expect((await alice.request('POST', '/nope', strange)).status).toBe(404);
      expect((await alice.request('POST', '/users/101', strange)).status).toBe(405);
      expect((await alice.request('OPTIONS', '/users', strange)).status).toBe(200);
      const { status, body } = await alice.request('POST', '/access_keys', strange);
      expect(status).toBe(415);
      expect(body.error.message).toBe('Unsupported Media Type: Content type `foo` is not supported.');
    });

    test('a body that was packed is 415, whatever its length', async () => {
      for (const length of [1, 65_000]) {
        // What is long stays long when it is packed.
        const description = randomBytes(length).toString('hex');
        const rawBody = gzipSync(JSON.stringify({ description }));
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
        const { status, body } = await alice.request('POST', '/access_keys', { rawBody, headers });
        expect(status).toBe(415);
        expect(body.error.message).toBe('Unsupported Media Type: Content encoding `gzip` is not supported.');
      }
      const plain = { rawBody: '{}', headers: { 'Content-Encoding': 'Identity' } };
      expect((await alice.request('POST', '/access_keys', plain)).status).toBe(201);
      const nothing = { rawBody: '', headers: { 'Content-Encoding': 'gzip' } };
      expect((await alice.request('POST', '/access_keys', nothing)).status).toBe(201);
    });

    test('bytes that are not UTF-8 are 400', async () => {
      const rawBody = Buffer.concat([
        Buffer.from('{"description":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]);
      const { status, body } = await alice.request('POST', '/access_keys', { rawBody });
      expect(status).toBe(400);
      expect(body.error.message).toContain('UTF-8');
    });

    test('a body over the limit is 413 with the error body', async () => {
      const { status, body } = await alice.post('/access_keys', { description: 'x'.repeat(100_001) });
      expect(status).toBe(413);
      expect(body.error.message).toMatch(/^Request Entity Too Large/);
    });

    test('a structured argument is taken bare and wrapped; scalars also come from the query string', async () => {
      expect((await alice.patch('/users/self/preferences', { key: 'bare', value: '1' })).status).toBe(200);
      expect(
        (await alice.patch('/users/self/preferences', { preference: { key: 'wrapped', value: '2' } })).status,
      ).toBe(200);
      expect((await alice.patch('/users/self/preferences?key=query&value=3', {})).status).toBe(200);
      for (const [key, value] of [
        ['bare', '1'],
        ['wrapped', '2'],
        ['query', '3'],
      ]) {
        expect((await alice.get(`/users/self/preferences?key=${key}`)).body).toEqual({ key, value });
      }
    });

    test('a missing member is named, nested when wrapped', async () => {
      const bare = await alice.patch('/users/self/preferences', { value: 'x' });
      expect(bare.body.error.message).toBe('Bad Request: `key` is required.');
      const wrapped = await alice.patch('/users/self/preferences', { preference: { key: '  ', value: 'x' } });
      expect(wrapped.body.error.message).toBe('Bad Request: `preference[key]` is required.');
    });

    test('texts are trimmed, numbers and booleans become text', async () => {
      await alice.patch('/users/self/preferences', { key: '  padded ', value: 12 });
      expect((await alice.get('/users/self/preferences?key=padded')).body.value).toBe('12');
    });
  });

  describe('answer formats', () => {
    test.each([
      ['application/xml', 'xml'],
      ['text/*', 'xml'],
      ['application/json;q=0.5, application/xml', 'xml'],
      ['application/xml;q=0.2, application/json', 'json'],
      ['text/html,application/xhtml+xml,application/xml;q=0.9', 'json'],
      ['*/*', 'json'],
      ['application/*', 'json'],
      ['*', 'json'],
      ['image/png, *; q=.2', 'json'],
      ['*, application/xml;q=0.8', 'xml'],
      ['application/json; charset=utf-8', 'json'],
      ['image/png, */*;q=0.1', 'json'],
    ])('Accept %s gets %s', async (accept, format) => {
      const { status, headers } = await alice.get('/users/self', { headers: { Accept: accept } });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe(`application/${format}; charset=utf-8`);
    });

    test.each<Record<string, string>>([
      { Accept: 'image/png' },
      { Accept: 'text/plain' },
      { 'Accept-Charset': 'ascii' },
    ])('%j is 406 in JSON', async (headers) => {
      const { status, body } = await alice.get('/users/self', { headers });
      expect(status).toBe(406);
      expect(body.error.message).toBe(
        'Not Acceptable: Content negotiation failed. Try `application/json` instead.',
      );
    });

    test('the suffix of the path beats Accept', async () => {
      const { headers, text } = await alice.get('/users/self.xml', {
        headers: { Accept: 'application/json' },
      });
      expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect(text).toMatch(
        /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<response><id>\d+<\/id><uri>users\/\d+<\/uri>/,
      );
    });

    test('XML wraps every array element in item, and errors come in XML too', async () => {
      const keys = await alice.get('/access_keys/self.xml');
      expect(keys.text).toContain('<scopes><item><identifier>write:rest</identifier></item></scopes>');
      const error = await alice.get('/users/999999.xml');
      expect(error.text).toBe(
        '<?xml version="1.0" encoding="UTF-8"?>\n<response><error><code>404</code><message>Not Found: User Id not found</message></error></response>',
      );
    });

    test('an XML body makes arrays of item elements and keeps text as it is', async () => {
      const rawBody =
        '<request><scopes><item>write:rest</item></scopes><description><![CDATA[007 & <b>]]></description></request>';
      const { status } = await alice.request('POST', '/access_keys', {
        rawBody,
        headers: { 'Content-Type': 'application/xml' },
      });
      expect(status).toBe(201);
      expect((await alice.get('/users/self/access_keys')).body.at(-1).description).toBe('007 & <b>');
    });

    test('every answer has the headers of the house', async () => {
      for (const { headers } of [await alice.get('/users/self'), await alice.get('/nothing')]) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('expires')).toBe('0');
        expect(headers.get('vary')).toBe('Accept');
        expect(headers.get('content-language')).toBe('en');
        expect(headers.get('access-control-allow-credentials')).toBe('true');
        expect(headers.get('access-control-expose-headers')).toContain('X-PAGINATION-SIZE');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('x-request-id')).toMatch(/\w+-\w+/);
      }
    });
  });

  describe('parameters', () => {
    test.each([
      ['limit=51', 'Bad Request: Invalid value specified for `limit`. Maximum allowed value is 50.'],
      ['limit=0', 'Bad Request: Invalid value specified for `limit`. Minimum required value is 1.'],
      ['limit=-1', 'Bad Request: Invalid value specified for `limit`. Minimum required value is 1.'],
      ['limit=abc', 'Bad Request: Invalid value specified for `limit`. Expecting integer value'],
      ['limit=1.5', 'Bad Request: Invalid value specified for `limit`. Expecting integer value'],
      [
        'limit=99999999999999999999',
        'Bad Request: Invalid value specified for `limit`. Maximum allowed value is 50.',
      ],
      ['offset=-1', 'Bad Request: Invalid value specified for `offset`. Minimum required value is 0.'],
    ])('?%s is 400 and names the parameter', async (query, message) => {
      const { status, body } = await alice.get(`/users/self/access_keys?${query}`);
      expect(status).toBe(400);
      expect(body.error.message).toBe(message);
    });

    test.each(['9007199254740993', '99999999999999999999', '1e300'])(
      'a page of lists that begins at %s lies behind their end, and a body may name what nothing is with it',
      async (number) => {
        const lists = [
          '/projects',
          '/users?query=alice',
          '/users/self/access_keys',
          '/artifact_temporary_files',
        ];
        for (const list of lists) {
          const page = `${list}${list.includes('?') ? '&' : '?'}offset=${number}`;
          const { status, body } = await alice.get(page);
          expect([status, body], page).toEqual([200, []]);
        }
        for (const id of [number, Number(number)]) {
          const artifact = { tracker: { id }, values: [{ field_id: 1, value: 'x' }] };
          expect((await alice.post('/artifacts', artifact)).status).toBe(404);
          expect((await alice.post('/user_groups', { project_id: id, short_name: 'some' })).status).toBe(404);
        }
      },
    );

    test.each([
      ['/projects?query[]=x', 'query'],
      ['/projects?query=&query[a]=x', 'query'],
      ['/users/self/access_keys?limit[a]=1', 'limit'],
      ['/users/self/access_keys?offset%5B%5D=', 'offset'],
      ['/users/self/preferences?key[]=x', 'key'],
      ['/users/self/artifacts?order[]=desc', 'order'],
      ['/search?words=tide&tracker_id[a]=1', 'tracker_id'],
    ])('%s is 400: the parameter is none of several values', async (path, name) => {
      const { status, body } = await alice.get(path);
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(`^Bad Request: Invalid value specified for \`${name}\`. Expecting `),
      ]);
    });

    test('a member of a body that comes from the query string is one value, too', async () => {
      const path = '/users/self/preferences?key=listed&value[]=1';
      expect((await alice.patch(path, {})).body.error.message).toContain('`value`');
      expect((await alice.patch(path, { value: 'own' })).status).toBe(200);
    });

    test.each([
      'kinds=people&kinds=projects',
      'kinds[]=people',
      'kinds[0]=people&kinds[1]=projects',
      'kinds=people,projects',
    ])('a list is taken as %s', async (list) => {
      expect((await alice.get(`/quick_search?words=alice&${list}`)).status).toBe(200);
      expect((await alice.get(`/quick_search?words=alice&${list},moon`)).status).toBe(400);
    });

    test('an empty parameter counts as absent, an unknown one is ignored', async () => {
      const ignored = 'other=1&other[]=1&limits[]=1&[]=1';
      const { status, headers } = await alice.get(`/users/self/access_keys?limit=&offset=&=&${ignored}`);
      expect(status).toBe(200);
      expect(headers.get('x-pagination-limit')).toBe('50');
    });

    test('pages have the four headers, in upper case on the wire', async () => {
      await alice.post('/access_keys', {});
      await alice.post('/access_keys', {});
      const { body, headers } = await alice.get('/users/self/access_keys?limit=1&offset=1');
      expect(body).toHaveLength(1);
      expect(headers.get('X-PAGINATION-LIMIT')).toBe('1');
      expect(headers.get('X-PAGINATION-OFFSET')).toBe('1');
      expect(Number(headers.get('X-PAGINATION-SIZE'))).toBeGreaterThanOrEqual(3);
      expect(headers.get('X-PAGINATION-LIMIT-MAX')).toBe('50');
      const raw = await rawRequest(
        atelier.url,
        `GET /api/users/self/access_keys HTTP/1.1\r\nHost: a\r\nX-Auth-AccessKey: ${alice.key}\r\nConnection: close\r\n\r\n`,
      );
      expect(raw).toContain('\r\nX-PAGINATION-SIZE: ');
    });

    test('headers are spelled as the specification spells them', async () => {
      const namesOn = async (caller: { readonly key: string }, path: string) => {
        const head = `Host: a\r\nX-Auth-AccessKey: ${caller.key}\r\nConnection: close`;
        const raw = await rawRequest(atelier.url, `GET /api${path} HTTP/1.1\r\n${head}\r\n\r\n`);
        return raw
          .slice(0, raw.indexOf('\r\n\r\n'))
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(':')[0]);
      };
      const usual = ['Content-Type', 'Cache-Control', 'Expires', 'Vary', 'Content-Language', 'Allow'];
      const crossOrigin = ['Origin', 'Credentials', 'Headers', 'Methods'].map(
        (it) => `Access-Control-Allow-${it}`,
      );
      const pages = ['LIMIT', 'OFFSET', 'SIZE', 'LIMIT-MAX'].map((it) => `X-PAGINATION-${it}`);
      expect(await namesOn(alice, '/artifact_temporary_files')).toEqual(
        expect.arrayContaining([
          ...usual,
          ...crossOrigin,
          ...pages,
          'Access-Control-Expose-Headers',
          'X-Quota',
          'X-DISK-USAGE',
          'X-Upload-Max-File-Chunksize',
        ]),
      );
      const { id: project } = await createProject(alice, `spelled-${engine.toLowerCase()}`);
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: title } = await addField(alice, tracker, { type: 'string', name: 'title' });
      const artifact = await submit(alice, tracker, [{ field_id: title, value: 'x' }]);
      expect(await namesOn(alice, `/artifacts/${artifact}`)).toEqual(
        expect.arrayContaining([...usual, 'Etag', 'Last-Modified']),
      );
      expect(await namesOn({ key: 'none' }, '/users/self')).toContain('WWW-Authenticate');
      const deleted = await alice.delete(`/artifacts/${artifact}`);
      expect([deleted.status, deleted.headers.get('X-RateLimit-Limit')]).toEqual([200, '5']);
    });

    test('lists that are never cut are one page of their own size', async () => {
      const { id: project } = await createProject(alice, `whole-${engine.toLowerCase()}`);
      const { id: tracker } = await createTracker(alice, project);
      const status = await addField(alice, tracker, {
        type: 'sb',
        name: 'status',
        bind: { type: 'static', values: [{ label: 'Open' }] },
      });
      const workflow = { workflow: { set_transitions_rules: { field_id: status.field_id } } };
      await alice.patch(`/trackers/${tracker}?query=${encodeURIComponent(JSON.stringify(workflow))}`);
      const step = { tracker_id: tracker, from_id: 0, to_id: Object.values(valueIds(status))[0] };
      const { body: transition } = await alice.post('/tracker_workflow_transitions', step);
      for (const [caller, path] of [
        [alice, `/projects/${project}/user_groups`],
        [alice, '/users/self/membership'],
        [alice, '/users/self/preferences'],
        [alice, '/link_types'],
        [atelier.admin, '/platform/settings'],
        [alice, `/trackers/${tracker}/form_elements`],
        [alice, `/trackers/${tracker}/triggers`],
        [alice, `/tracker_workflow_transitions/${transition.id}/actions`],
        [alice, `/projects/${project}/svn_administrators`],
      ] as const) {
        const { status: code, body, headers } = await caller.get(path);
        expect(code, path).toBe(200);
        const page = ['limit', 'offset', 'size', 'limit-max'].map((it) => headers.get(`x-pagination-${it}`));
        expect(page, path).toEqual([body.length, 0, body.length, body.length].map(String));
      }
    });

    test('an offset beyond the end is an empty page', async () => {
      const { status, body } = await alice.get('/users/self/access_keys?offset=1000');
      expect(status).toBe(200);
      expect(body).toEqual([]);
    });

    test('NUL in a path or parameter is 400', async () => {
      expect((await alice.get('/users/self/preferences?key=a%00b')).status).toBe(400);
      expect((await alice.delete('/tokens/a%00b')).status).toBe(400);
    });
  });

  describe('a small body', () => {
    const head = (key: string, length: number) =>
      `POST /api/access_keys HTTP/1.1\r\nHost: a\r\nX-Auth-AccessKey: ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n`;

    test('may come in pieces', async () => {
      const answer = await inPieces(atelier.url, [head(alice.key, 20), '{"descripti', 'on":"x"}', ' ']);
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    });

    test('that is cut off makes nothing', async () => {
      const keys = async () => (await alice.get('/users/self/access_keys')).body.length;
      const before = await keys();
      expect(await inPieces(atelier.url, [head(alice.key, 20), '{"descripti'], true)).toBe('');
      expect(await keys()).toBe(before);
    });

    test('is read the same way whatever else the request has', async () => {
      const headers = { 'X-HTTP-Method-Override': 'DELETE' };
      expect((await alice.request('POST', '/access_keys', { rawBody: '{}', headers })).status).toBe(405);
      expect((await alice.request('POST', '/access_keys?x=1', { rawBody: '{}' })).status).toBe(201);
    });
  });

  test('an address is asked for in full, as by a proxy', async () => {
    const ask = (target: string, more = '') =>
      rawRequest(
        atelier.url,
        `GET ${target} HTTP/1.1\r\nHost: other\r\nX-Auth-AccessKey: ${alice.key}\r\nConnection: close\r\n${more}\r\n`,
      );
    const paths = ['/api/version', `/api/users/${alice.id}`, '/api/users/self?x=1', '/healthz'];
    for (const path of paths)
      for (const target of [path, `http://a${path}`, `HTTPS://a:8080${path}`])
        expect([target, (await ask(target)).slice(0, 13)]).toEqual([target, 'HTTP/1.1 200 ']);
    expect(await ask('http://a/api/version', 'Expect: 100-continue\r\n')).toContain('200 OK');
    for (const unknown of ['http://a/api/nowhere', 'ftp://a/api/version'])
      expect([unknown, (await ask(unknown)).slice(0, 12)]).toEqual([unknown, 'HTTP/1.1 404']);
  });

  describe('what is not HTTP', () => {
    test.each([
      ['GET /api/version HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['GET /api/version HTTP/1.1\r\nHost: a\r\nhOST: b\r\nConnection: close\r\n\r\n', 400],
      ['GET /api/users/101 HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
      ['GET /api/version HTTP/1.1\r\nHost: a\r\nExpect: moon\r\nConnection: close\r\n\r\n', 417],
    ])('%j is %i with the error body', async (text, status) => {
      const answer = await rawRequest(atelier.url, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(`{"error":{"code":${status},`);
    });

    test.each([
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /api/version HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    ])('%.30s gets a 4xx with the error body and the connection ends', async (text) => {
      const answer = await rawRequest(atelier.url, text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toContain('{"error":{"code":4');
    });
  });
});

/** Sends the parts one after the other, and gives what comes back. Without an end the connection is cut. */
async function inPieces(url: string, parts: readonly string[], isCut = false): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (part) => {
    answer += part;
  });
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  if (isCut) socket.destroy();
  if (!socket.destroyed) await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

/** Sends bytes as they are and gives all that comes back. */
function rawRequest(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (part) => {
      answer += part.toString('latin1');
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(text);
  });
}
