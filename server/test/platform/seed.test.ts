import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, Store } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from '../harness/atelier.ts';

interface Resource {
  readonly type: string;
  readonly uri: string;
}

/** The mission, walked as a client would that has nothing but its text. */
describe.each(engines.flatMap((engine) => [[engine, ''] as const, [engine, '/v1'] as const]))(
  'the service as it was asked for on %s under /api%s',
  (engine, base) => {
    let atelier: Atelier;
    let store: Store;
    let alice: Person;
    let client: Caller;
    const json = { 'Content-type': 'application/json' };
    const xml = { 'Content-type': 'application/xml', Accept: 'application/xml' };
    /** What a client finds out about the tracker. */
    const known = { tracker: 0, summary: 0, details: 0, status: 0, links: 0, open: 0, closed: 0 };
    const get = (path: string, headers: Record<string, string> = json) =>
      client.get(`${base}/${path}`, { headers });
    const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      client.request(method, `${base}/${path}`, {
        rawBody: JSON.stringify(body),
        headers: { ...json, ...headers },
      });
    const create = async (value: string, ...more: object[]) => {
      const values = [{ field_id: known.summary, value }, ...more];
      const reply = await send('POST', 'artifacts', { tracker: { id: known.tracker }, values });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.id as number;
    };

    beforeAll(async () => {
      atelier = await startAtelier(engine);
      store = await Store.of(atelier);
      alice = await atelier.createUser('alice');
      const { id: project } = await createProject(alice, 'walked', { label: 'Walked' });
      await setMembers(alice, `${project}_3`, [alice]);
      const { id } = await createTracker(alice, project, { item_name: 'bug', label: 'Bugs' });
      const title = await addField(alice, id, { type: 'string', name: 'summary' });
      await addField(alice, id, { type: 'text', name: 'details' });
      const values = [{ label: 'Open' }, { label: 'Closed' }];
      await addField(alice, id, { type: 'sb', name: 'status_id', bind: { type: 'static', values } });
      await addField(alice, id, { type: 'art_link', name: 'links' });
      await setSemantics(alice, id, { title: { field_id: title.field_id } });
    });
    afterAll(async () => {
      await store?.close();
      await atelier?.stop();
    });

    test('a token lets somebody in', async () => {
      const credentials = { username: 'alice', password: alice.password };
      const reply = await atelier.anonymous.request('POST', `${base}/tokens`, { body: credentials });
      expect([reply.status, typeof reply.body.user_id, typeof reply.body.token]).toEqual([
        200,
        'string',
        'string',
      ]);
      client = atelier.callerWith({
        'X-Auth-Token': reply.body.token,
        'X-Auth-UserId': reply.body.user_id,
      });
      expect((await get('users/self')).body.username).toBe('alice');
    });

    test('from GET /projects the uris lead to the tracker, its fields, values and artifacts', async () => {
      const projects = (await get('projects')).body;
      const project = projects.find(({ shortname }: { shortname: string }) => shortname === 'walked');
      const uriOf = ({ resources }: { resources: Resource[] }, type: string) =>
        resources.find((resource) => resource.type === type)!.uri;
      const [listed] = (await get(uriOf(project, 'trackers'))).body;
      const tracker = (await get(listed.uri)).body;
      expect(tracker.fields).toEqual(listed.fields);
      const field = (name: string) =>
        tracker.fields.find((candidate: { name: string }) => candidate.name === name);
      known.tracker = tracker.id;
      known.summary = field('summary').field_id;
      known.details = field('details').field_id;
      known.status = field('status_id').field_id;
      known.links = field('links').field_id;
      [known.open, known.closed] = field('status_id').values.map(({ id }: { id: number }) => id);
      expect((await get(uriOf(tracker, 'artifacts'))).body).toEqual([]);
    });

    test('POST /artifacts with value, bind_value_ids and links', async () => {
      const [first, second] = [await create('first'), await create('second')];
      const reply = await send('POST', 'artifacts', {
        tracker: { id: known.tracker },
        values: [
          { field_id: known.summary, value: 'It breaks' },
          { field_id: known.details, value: 'Whenever I look' },
          { field_id: known.status, bind_value_ids: [known.open] },
          {
            field_id: known.links,
            links: [
              { id: first, type: '_is_child' },
              { id: second, type: 'custom' },
            ],
          },
        ],
      });
      expect(reply.status, reply.text).toBe(201);
      const { body, headers } = await get(reply.body.uri);
      expect([headers.get('Etag'), headers.get('Last-Modified')]).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
      expect(entryOf(body, known.summary).value).toBe('It breaks');
      expect(entryOf(body, known.status).bind_value_ids).toEqual([known.open]);
      expect(entryOf(body, known.links).links).toMatchObject([
        { id: first, type: '_is_child' },
        { id: second, type: 'custom' },
      ]);
    });

    test('GET /trackers/{id}/artifacts with criteria in the body', async () => {
      const id = await create('closed', { field_id: known.status, bind_value_ids: [known.closed] });
      const criteria = { status_id: { operator: 'contains', value: String(known.closed) } };
      const rawBody = JSON.stringify(criteria);
      const path = `${base}/trackers/${known.tracker}/artifacts`;
      const found = await client.get(path, { rawBody, headers: json });
      expect(found.body.map((artifact: { id: number }) => artifact.id)).toEqual([id]);
      expect([found.headers.get('X-Pagination-Size'), found.headers.get('X-Pagination-Limit')]).toEqual([
        '1',
        '100',
      ]);
      const all = await client.get(path, { headers: json });
      expect(Number(all.headers.get('X-Pagination-Size'))).toBeGreaterThan(1);
    });

    test('PUT /artifacts/{id} with If-match and If-Unmodified-Since', async () => {
      const id = await create('version 1');
      const path = `artifacts/${id}`;
      const put = (value: string, headers: Record<string, string> = {}) =>
        send(
          'PUT',
          path,
          { tracker: { id: known.tracker }, values: [{ field_id: known.summary, value }] },
          headers,
        );
      const first = (await get(path)).headers;
      const tag = { 'If-match': first.get('Etag')! };
      const date = { 'If-Unmodified-Since': first.get('Last-Modified')! };
      const second = await put('version 2', { ...tag, ...date });
      expect(second.status, second.text).toBe(200);
      expect(entryOf(second.body, known.summary).value).toBe('version 2');
      for (const stale of [tag, date, { ...tag, ...date }]) {
        const refused = await put('lost', stale);
        expect([refused.status, refused.body.error.code]).toEqual([412, 412]);
      }
      expect((await get(path)).body.title).toBe('version 2');
      const current = (await get(path)).headers;
      expect((await put('version 3', { 'If-match': current.get('Etag')! })).status).toBe(200);
      const newest = (await get(path)).headers;
      expect((await put('version 4', { 'If-Unmodified-Since': newest.get('Last-Modified')! })).status).toBe(
        200,
      );
      expect((await put('overwritten')).status).toBe(200);
      expect((await get(path)).body.title).toBe('overwritten');
      expect(await store.changesetsOf(id)).toBe(5);
    });

    test('GET, POST and PUT in XML', async () => {
      const made = await client.request('POST', `${base}/artifacts`, {
        rawBody: `<request><tracker><id>${known.tracker}</id></tracker><values>
          <item><field_id>${known.summary}</field_id><value>In XML</value></item>
          <item><field_id>${known.status}</field_id><bind_value_ids><item>${known.open}</item></bind_value_ids></item>
        </values></request>`,
        headers: xml,
      });
      expect(made.status, made.text).toBe(201);
      const id = /<id>(\d+)<\/id>/.exec(made.text)?.[1];
      const read = await get(`artifacts/${id}`, xml);
      expect(read.text).toContain(`<item><field_id>${known.summary}</field_id>`);
      expect(read.text).toContain(`<bind_value_ids><item>${known.open}</item></bind_value_ids>`);
      const changed = await client.request('PUT', `${base}/artifacts/${id}`, {
        rawBody: `<request><values><item><field_id>${known.summary}</field_id><value>Still XML</value></item></values></request>`,
        headers: { ...xml, 'If-match': read.headers.get('Etag')! },
      });
      expect([changed.status, changed.text.includes('<title>Still XML</title>')]).toEqual([200, true]);
      expect((await get(`artifacts/${id}`)).body.title).toBe('Still XML');
    });

    test('an access key and a password let somebody in, wrong credentials nobody', async () => {
      const path = `${base}/artifacts/${await create('x')}`;
      expect((await alice.get(path)).status).toBe(200);
      expect((await atelier.withPassword('alice', alice.password).get(path)).status).toBe(200);
      expect((await atelier.anonymous.get(path)).status).toBe(200);
      for (const wrong of [
        atelier.withPassword('alice', 'nonsense'),
        atelier.callerWith({ 'X-Auth-AccessKey': 'nonsense' }),
        atelier.callerWith({ 'X-Auth-Token': 'nonsense', 'X-Auth-UserId': '102' }),
      ])
        expect((await wrong.get(path)).status).toBe(401);
      const body = { tracker: { id: known.tracker }, values: [{ field_id: known.summary, value: 'x' }] };
      expect((await atelier.anonymous.request('POST', `${base}/artifacts`, { body })).status).toBe(401);
      expect((await atelier.anonymous.request('PUT', path, { body })).status).toBe(401);
    });
  },
);
