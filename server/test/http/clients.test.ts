import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const projectCount = 23;

/** What published clients of the API do on the wire, one test a habit. */
const engines = oneEngine('SQLite', 'spellings of requests are understood before anything is read');

describe.each(engines)('habits of real clients on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    for (let index = 1; index <= projectCount; index++) {
      const { status, text } = await alice.post('/projects', {
        shortname: `project-${index}`,
        label: `Project ${index}`,
        is_public: true,
        xml_template_name: 'empty',
      });
      expect(status, text).toBe(201);
    }
  });
  afterAll(() => atelier.stop());

  const projectsPage = (caller: Caller, limit: number, offset: number) =>
    caller.get(`/projects?limit=${limit}&offset=${offset}`);

  test('a CI plugin asks who it is and which projects it has, and reads x-pagination-size', async () => {
    expect((await alice.get('/access_keys/self')).body.scopes).toContainEqual({ identifier: 'write:rest' });
    expect((await alice.get('/users/self')).body.username).toBe('alice');
    expect((await alice.get(`/users?query=${json({ username: 'alice' })}`)).body[0].id).toBe(alice.id);
    const full = await alice.get('/users/self/membership?scope=project&format=full');
    expect(full.status).toBe(200);
    expect(full.body[0]).toMatchObject({ short_name: 'project_members', project: { id: 101 } });
    expect((await alice.get('/users/self/membership?scope=project&format=id')).body).toContain('101_3');
    expect((await alice.get(`/user_groups/${full.body[0].id}`)).body.short_name).toBe('project_members');
    const found = await alice.get(`/projects?limit=1&query=${json({ shortname: 'project-7' })}`);
    expect(found.body).toHaveLength(1);
    expect(found.headers.get('x-pagination-size')).toBe('1');
    const mine = await alice.get(`/projects?query=${json({ is_member_of: true })}&limit=50&offset=0`);
    expect(mine.body).toHaveLength(projectCount);
    expect((await alice.get('/explorer/swagger.json')).body.swagger).toBe('2.0');
  });

  test('a Python library sends its login as a form and takes exactly 200 for a deletion', async () => {
    const form = new URLSearchParams({ username: 'alice', password: alice.password }).toString();
    const { status, body } = await atelier.anonymous.request('POST', '/tokens', {
      rawBody: form,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(200);
    const token = atelier.callerWith({ 'X-Auth-Token': body.token, 'X-Auth-UserId': body.user_id });
    expect((await token.get('/projects?limit=10&offset=0&query=')).status).toBe(200);
    expect((await token.delete(`/tokens/${body.token}`)).status).toBe(200);
  });

  test('a Node library puts a slash behind everything and sends empty parameters', async () => {
    const { status, body } = await atelier.anonymous.post('/tokens/', {
      username: 'alice',
      password: alice.password,
    });
    expect(status).toBe(200);
    const token = atelier.callerWith({ 'X-Auth-Token': body.token, 'X-Auth-UserId': body.user_id });
    expect((await token.get('/projects/?limit=5&offset=5&query=')).body[0].id).toBe(106);
    expect((await token.get('/projects/101/')).body.id).toBe(101);
    expect((await token.delete('/tokens/')).status).toBe(200);
  });

  test('an old editor plugin looks header names up in upper case', async () => {
    const { hostname, port } = new URL(atelier.url);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /api/v1/projects HTTP/1.1\r\nHost: a\r\nX-Auth-AccessKey: ${alice.key}\r\nConnection: close\r\n\r\n`,
        ),
      );
      socket.on('data', (part) => {
        text += part.toString('latin1');
      });
      socket.on('close', () => resolve(text));
    });
    for (const name of [
      'X-PAGINATION-SIZE',
      'X-PAGINATION-LIMIT',
      'X-PAGINATION-OFFSET',
      'X-PAGINATION-LIMIT-MAX',
    ]) {
      expect(answer).toContain(`\r\n${name}: `);
    }
  });

  test('an old editor plugin logs in again on 401', async () => {
    const stale = atelier.callerWith({ 'X-Auth-Token': '0'.repeat(32), 'X-Auth-UserId': String(alice.id) });
    const { status, body } = await stale.get('/projects');
    expect(status).toBe(401);
    expect(body.error).toEqual({ code: 401, message: 'Unauthorized: Invalid Token' });
  });

  test('a .NET library sends Content-Type and length 0 on GET and DELETE', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '0' };
    expect((await alice.request('GET', '/projects/101', { headers })).status).toBe(200);
    expect((await alice.request('DELETE', '/users/self/preferences?key=x', { headers })).status).toBe(200);
  });

  test('an assistant sends plain text as the query of projects and gets a clear 400', async () => {
    const { status, body } = await alice.request('GET', '/v1/projects?query=web');
    expect(status).toBe(400);
    expect(body.error.message).toContain('query');
  });

  test('an assistant asks for users/me, which there is not', async () => {
    expect((await alice.get('/users/me')).status).toBe(400);
  });

  test('a desktop tool appends uris to the base address', async () => {
    const [project] = (await alice.get('/projects?limit=1')).body;
    expect(project.uri).toBe('projects/101');
    expect((await alice.get(`/${project.uri}`)).body.id).toBe(101);
    for (const { uri } of project.resources) {
      expect(uri).not.toMatch(/^\//);
      expect((await alice.get(`/${uri}`)).status, uri).toBe(200);
    }
  });

  test('a Java library uses Basic on every call and adds an odd parameter', async () => {
    const basic = atelier.withPassword('alice', alice.password);
    expect((await basic.get('/projects/101?=')).status).toBe(200);
    expect((await basic.get('/projects/99999?=')).status).toBe(404);
    expect((await basic.get('/users?query=alice&=')).status).toBe(200);
  });

  test('a CI library sends PATCH as a POST with X-HTTP-Method-Override', async () => {
    const { status } = await atelier.admin.request('POST', '/projects/101', {
      body: { status: 'active' },
      headers: { 'X-HTTP-Method-Override': 'PATCH' },
    });
    expect(status).toBe(200);
  });

  test.each([
    [
      'until everything counted is collected',
      (page: unknown[], collected: number, size: number) => page.length >= 0 && collected >= size,
    ],
    ['until a page is shorter than asked', (page: unknown[]) => page.length < 10],
    ['until a page is empty', (page: unknown[]) => page.length === 0],
  ])('a loop over pages that runs %s ends with everything once', async (_, isOver) => {
    const ids: number[] = [];
    for (let offset = 0; offset < 1000; offset += 10) {
      const { body, headers } = await projectsPage(alice, 10, offset);
      ids.push(...body.map((project: { id: number }) => project.id));
      if (isOver(body, ids.length, Number(headers.get('x-pagination-size')))) break;
    }
    expect(ids).toEqual(Array.from({ length: projectCount }, (__, index) => 101 + index));
  });

  test('a page of another origin asks for leave to send its access key', async () => {
    const { status, headers } = await atelier.anonymous.request('OPTIONS', '/projects', {
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-auth-accesskey,content-type',
      },
    });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-auth-accesskey');
    expect(headers.get('access-control-allow-methods')).toContain('GET');
  });

  test('what other products have is a clean 404 and is not listed', async () => {
    const { body } = await alice.get('/projects/101');
    const types = body.resources.map((resource: { type: string }) => resource.type);
    for (const type of [
      'git',
      'milestones',
      'plannings',
      'backlog',
      'phpwiki',
      'frs_packages',
      'docman_service',
    ]) {
      expect(types).not.toContain(type);
      expect((await alice.get(`/projects/101/${type}`)).status).toBe(404);
    }
    expect((await alice.get('/git/1/branches')).body.error.code).toBe(404);
  });
});
