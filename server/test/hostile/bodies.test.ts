import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProject } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { MetricsText } from '../harness/metrics.ts';
import { head, RawConnection } from './raw-connection.ts';

const manyAttributes = () => Array.from({ length: 1001 }, (_, at) => `a${at}="x"`).join(' ');

const engines = oneEngine('SQLite', 'bodies are refused before anything is stored');

describe.each(engines)('bodies of people who mean harm on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_TRUST_PROXY: '1' } });
    alice = await atelier.createUser('alice');
  });
  afterAll(() => atelier.stop());

  describe('with an object that has a toString of its own', () => {
    const poison = { toString: 1, valueOf: 'x' };
    let tracker: number;
    let fields: Readonly<Record<string, number>>;
    beforeAll(async () => {
      const project = await createProject(alice, 'poisoned');
      tracker = (await createTracker(alice, project.id)).id;
      const bind = { type: 'static', values: [{ label: 'red' }] };
      const made = [
        { type: 'string', name: 'string' },
        { type: 'int', name: 'int' },
        { type: 'sb', name: 'sb', bind },
        { type: 'msb', name: 'msb', bind },
        { type: 'tbl', name: 'tbl', bind },
        { type: 'file', name: 'file' },
        { type: 'art_link', name: 'art_link' },
        { type: 'perm', name: 'perm' },
      ];
      const ids: Record<string, number> = {};
      for (const field of made) ids[field.name] = (await addField(alice, tracker, field)).field_id;
      fields = ids;
    });

    test.each([
      ['PATCH', '/platform/settings', { secure_mail: poison }],
      ['PATCH', '/platform/settings', { login_wait_seconds: poison }],
      ['PATCH', '/platform/settings', { access_mode: poison }],
      ['PATCH', '/users/self/preferences', { key: 'k', value: poison }],
      ['POST', '/access_keys', { description: 'x', scopes: [poison] }],
      ['POST', '/access_keys', { description: 'x', expiration_date: poison }],
      ['PUT', '/users/self/ssh_keys', { keys: [poison] }],
    ])('%s %s is 400', async (method, path, body) => {
      expect((await atelier.admin.request(method, path, { body })).status).toBe(400);
    });

    test('an artifact is refused, whatever is poisoned in it', async () => {
      const string = { field_id: fields['string'], value: 'x' };
      const { body } = await alice.post('/artifacts', { tracker: { id: tracker }, values: [string] });
      const entries = Object.values(fields).flatMap((field_id) => [
        { field_id, value: poison },
        { field_id, value: [poison] },
        { field_id, bind_value_ids: [poison] },
        { field_id, links: [{ id: poison }] },
        { field_id, value: { content: poison, format: poison } },
      ]);
      const named = [
        { ...string, field_id: poison },
        { field_id: poison, links: [] },
      ];
      for (const values of [...entries, ...named].map((entry) => [entry])) {
        const changed = await alice.put(`/artifacts/${body.id}`, { values });
        expect(changed.status, JSON.stringify(values)).toBeLessThan(500);
        const made = await alice.post('/artifacts', {
          tracker: { id: tracker },
          values: [string, ...values],
        });
        expect(made.status, JSON.stringify(values)).toBeLessThan(500);
      }
      expect((await alice.post('/artifacts', { tracker: { id: poison }, values: [string] })).status).toBe(
        400,
      );
    });

    test('XML that says the same is 400, and so are other names that every object knows', async () => {
      for (const name of ['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__']) {
        const rawBody = `<request><tracker><id><${name}>1</${name}></id></tracker><values></values></request>`;
        const headers = { 'Content-Type': 'application/xml' };
        expect((await alice.request('POST', '/artifacts', { rawBody, headers })).status, name).toBe(400);
      }
    });

    test('criteria of reports and lists are refused', async () => {
      const asked = [
        poison,
        [poison],
        { operator: poison, value: 'x' },
        { operator: 'contains', value: poison },
      ];
      for (const name of Object.keys(fields))
        for (const criterion of asked) {
          const query = encodeURIComponent(JSON.stringify({ [name]: criterion }));
          const listed = await alice.get(`/trackers/${tracker}/artifacts?query=${query}`);
          expect(listed.status, `${name} ${JSON.stringify(criterion)}`).toBeLessThan(500);
          const report = { name: 'Poisoned', criteria: { [name]: criterion } };
          const saved = await alice.post(`/trackers/${tracker}/tracker_reports`, report);
          expect(saved.status, `${name} ${JSON.stringify(criterion)}`).toBeLessThan(500);
        }
    });
  });

  describe('of somebody who is not known', () => {
    const large = { 'Content-Type': 'application/json', 'Content-Length': 15_000_000 };
    const wrong = Buffer.from('alice:wrong').toString('base64');

    /** The answer to a request of whose body not one byte is sent. */
    async function unsent(method: string, path: string, headers: Readonly<Record<string, string | number>>) {
      const connection = await RawConnection.open(atelier.url);
      const status = await connection.send(head(method, path, headers)).status();
      connection.end();
      return status;
    }

    test.each([
      ['nobody on a route that needs a login', 'POST', '/api/access_keys', {}, 401],
      ['a wrong key', 'POST', '/api/access_keys', { 'X-Auth-AccessKey': 'tlp-k1-1.0' }, 401],
      ['a wrong password', 'PUT', '/api/artifacts/1', { Authorization: `Basic ${wrong}` }, 401],
      ['a wrong token', 'PATCH', '/api/users/101', { 'X-Auth-Token': 'x', 'X-Auth-UserId': '101' }, 401],
      ['somebody who wants to log in', 'POST', '/api/tokens', {}, 413],
      ['nobody on a route that needs none', 'GET', '/api/trackers/1/artifacts', {}, 413],
      ['somebody with a strange type', 'POST', '/api/access_keys', { 'Content-Type': 'text/plain' }, 415],
      ['somebody who takes no answer', 'POST', '/api/access_keys', { Accept: 'image/png' }, 406],
      ['a path that is no number', 'PUT', '/api/artifacts/x', {}, 400],
      ['a path that there is not', 'POST', '/api/nothing', {}, 404],
      ['a method that there is not', 'PATCH', '/api/access_keys', {}, 405],
    ])('is not read before %s is answered', async (_, method, path, headers, status) => {
      expect(await unsent(method, path, { ...large, ...headers })).toBe(status);
    });

    test('is not read past 64 KiB where it does not say how long it is', async () => {
      const connection = await RawConnection.open(atelier.url);
      connection.send(head('POST', '/api/access_keys', { 'Transfer-Encoding': 'chunked' }));
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
      expect(await connection.send(chunk).send(chunk).status()).toBe(401);
      connection.end();
    });

    test('is called broken before anything is asked, as long as it is small', async () => {
      const strangers = [
        atelier.anonymous,
        atelier.withPassword('alice', 'wrong'),
        atelier.callerWith({ 'X-Auth-AccessKey': 'tlp-k1-1.0' }),
      ];
      for (const stranger of strangers) {
        const send = (rawBody: string) => stranger.request('POST', '/access_keys', { rawBody });
        expect((await send('{"broken')).status).toBe(400);
        expect((await send('{}')).status).toBe(401);
        expect((await send(`{"broken${' '.repeat(70_000)}`)).status).toBe(401);
      }
      const { status } = await alice.request('POST', '/access_keys', {
        rawBody: `{"broken${' '.repeat(70_000)}`,
      });
      expect(status).toBe(400);
    });

    test('is asked for only when it will be read', async () => {
      const expecting = { ...large, 'Content-Length': 100_000, Expect: '100-continue' };
      const stranger = await RawConnection.open(atelier.url);
      expect(await stranger.send(head('POST', '/api/access_keys', expecting)).status()).toBe(401);
      expect(stranger.answer).not.toContain('100 Continue');
      await stranger.closed();
      const known = await RawConnection.open(atelier.url);
      known.send(head('POST', '/api/access_keys', { ...expecting, 'X-Auth-AccessKey': alice.key }));
      await vi.waitUntil(() => known.answer.startsWith('HTTP/1.1 100 Continue'), { timeout: 60_000 });
      expect(await known.send(`{}${' '.repeat(99_998)}`).status()).toBe(201);
      known.end();
    });

    test('leaves the connection for the next request when it is refused', async () => {
      const connection = await RawConnection.open(atelier.url);
      const body = ' '.repeat(100_000);
      connection.send(head('POST', '/api/access_keys', { 'Content-Length': body.length }) + body);
      expect(await connection.status()).toBe(401);
      connection.answer = '';
      expect(await connection.send(head('GET', '/api/version', {})).status()).toBe(200);
      connection.end();
    });
  });

  test.each(['a body', 'a file'])(
    '%s that is refused on a connection that ends with it can be sent to its end',
    async (what) => {
      const { hostname, port } = new URL(atelier.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      const half = 'x'.repeat(100_000);
      const headers = { 'Content-Length': 2 * half.length, Connection: 'close' };
      const [method, path] =
        what === 'a body' ? ['POST', '/api/access_keys'] : ['PATCH', '/uploads/tracker/file/1'];
      let answer = '';
      let fault: Error | undefined;
      socket.on('data', (part) => {
        answer += part.toString('latin1');
      });
      socket.on('error', (error) => {
        fault = error;
      });
      const closed = once(socket, 'close');
      const write = (text: string) => new Promise((done) => socket.write(text, done));
      await write(head(method, path, headers) + half);
      await once(socket, 'end');
      expect(answer).toMatch(/^HTTP\/1\.1 4/);
      for (let at = 0; at < half.length; at += 10_000) await write(half.slice(at, at + 10_000));
      socket.end();
      await closed;
      expect(fault).toBeUndefined();
    },
  );

  describe('that are dear to read', () => {
    const xml = { 'Content-Type': 'application/xml' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const json = { 'Content-Type': 'application/json' };
    test.each([
      ['a comment of many dashes', xml, `<r><!--${'a-'.repeat(40_000)}--></r>`, 400, /comment/],
      ['a comment that does not end', xml, `<r><!--${'a'.repeat(80_000)}`, 400, /comment/],
      ['many comments', xml, `<r>${'<!---->'.repeat(100_001)}</r>`, 400, /more than 100000/],
      [
        'a document type that does not end',
        xml,
        `<?xml version="1.0"?>\n<!-- a --> <!DOCTYPE r [${'<!ENTITY a "b">'.repeat(9000)}`,
        400,
        /document type/,
      ],
      ['many references', xml, `<r>${'&lt;'.repeat(500_001)}</r>`, 400, /references/],
      ['many attributes', xml, `<r ${manyAttributes()}/>`, 400, /attributes/],
      ['many marked texts', xml, `<r>${'<![CDATA[]]>'.repeat(100_001)}</r>`, 400, /more than 100000/],
      ['many instructions', xml, `${'<?a b?>'.repeat(100_001)}<r/>`, 400, /more than 100000/],
      ['many elements', xml, `<r>${'<a/>'.repeat(100_001)}</r>`, 400, /more than 100000/],
      ['a form of many pairs', form, 'a=b&'.repeat(100_000), 400, /fields/],
      ['a form that is long', form, 'a='.repeat(600_000), 413, /form/],
      ['many values', json, `[${'1,'.repeat(100_001)}1]`, 400, /values/],
      [
        'many lists in lists',
        json,
        `[${`${'['.repeat(90)}${']'.repeat(90)},`.repeat(2000)}1]`,
        400,
        /values/,
      ],
      ['many lines before a fault', json, `${'\n'.repeat(2_000_000)}x`, 400, /line 2000001, column 1$/],
      ['a long text', json, `{"description":"${'\\n'.repeat(1_000_000)}"}`, 201, undefined],
      [
        'a marked text with a comment in it',
        xml,
        `<r><padding><![CDATA[<!--${'a'.repeat(80_000)}]]></padding></r>`,
        201,
        undefined,
      ],
    ])('are read within their bounds: %s', async (_, headers, rawBody, status, words) => {
      const reply = await alice.request('POST', '/access_keys', { rawBody, headers });
      expect(reply.status, reply.text.slice(0, 200)).toBe(status);
      if (words !== undefined) expect(reply.body.error.message).toMatch(words);
    });

    test('let everybody else be answered meanwhile', async () => {
      const body = `<r>${'<a>b</a>'.repeat(99_000)}</r>`;
      const headers = { ...xml, 'X-Auth-AccessKey': alice.key, 'Content-Length': body.length };
      const [dear, quick] = [await RawConnection.open(atelier.url), await RawConnection.open(atelier.url)];
      // The last byte of it and the other request are there at the same moment.
      dear.send(head('POST', '/api/access_keys', headers) + body.slice(0, -1));
      expect((await alice.get('/version')).status).toBe(200);
      dear.send(body.slice(-1));
      expect(await quick.send(head('GET', '/api/version', {})).status()).toBe(200);
      expect(dear.answer).toBe('');
      expect(await dear.status()).toBe(201);
      for (const connection of [dear, quick]) connection.end();
    });
  });

  test('all addresses of one IPv6 network of 64 bits are one when passwords are guessed', async () => {
    await atelier.configure({ login_address_attempts: 3 });
    const guess = (address: string, name: string) =>
      atelier
        .callerWith({ 'X-Forwarded-For': address })
        .post('/tokens', { username: name, password: 'wrong' })
        .then(({ status }) => status);
    for (let guesses = 0; guesses < 3; guesses++)
      expect(await guess(`2001:db8:7:7::${guesses}`, `nobody-${guesses}`)).toBe(401);
    expect(await guess('2001:db8:7:7:ffff::9', 'nobody-9')).toBe(429);
    expect(await guess('2001:db8:7:8::9', 'nobody-9')).toBe(401);
    await atelier.configure({ login_address_attempts: 100 });
  });
});

describe('memory for bodies', () => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  beforeAll(async () => {
    // A password takes its time here: long enough for somebody to go away meanwhile.
    const env = { ATELIER_ARGON2_MEMORY: '65536', ATELIER_ARGON2_PASSES: '4' };
    atelier = await startAtelier('SQLite', { isAlone: true, env });
    [alice, bob, carol] = [
      await atelier.createUser('alice'),
      await atelier.createUser('bob'),
      await atelier.createUser('carol'),
    ];
  });
  afterAll(() => atelier.stop());

  const length = 15_000_000;
  const beginning = Buffer.alloc(length - 1, 32);

  /** Somebody who sends all of a body but the last byte. */
  async function stall({ key }: Person): Promise<RawConnection> {
    const connection = await RawConnection.open(atelier.url);
    return connection
      .send(head('POST', '/api/access_keys', { 'X-Auth-AccessKey': key, 'Content-Length': length }))
      .send(beginning);
  }

  test('one person takes so much of it and no more, which others do not notice', async () => {
    const stalled = [await stall(alice), await stall(alice), await stall(alice)];
    expect(await Promise.race(stalled.map((connection) => connection.status()))).toBe(503);
    expect(stalled.find(({ answer }) => answer !== '')?.answer).toMatch(/\r\nRetry-After: \d+\r\n/);
    expect((await alice.post('/access_keys', {})).status).toBe(201);
    const large = { padding: 'x'.repeat(1_000_000) };
    expect((await bob.post('/access_keys', large)).status).toBe(201);
    for (const connection of stalled) connection.end();
    await vi.waitUntil(async () => (await alice.post('/access_keys', large)).status === 201, {
      timeout: 60_000,
    });
  });

  test('whoever does not go on sending gives way when it is full', async () => {
    const stalled = [await stall(alice), await stall(alice), await stall(bob), await stall(bob)];
    const body = { padding: 'x'.repeat(10_000_000) };
    const statuses = new Set<number>();
    await vi.waitUntil(
      async () => {
        const { status } = await carol.post('/access_keys', body);
        statuses.add(status);
        return status === 201 && stalled.some(({ answer }) => answer !== '');
      },
      { timeout: 60_000 },
    );
    expect([...statuses].every((status) => status === 201 || status === 503)).toBe(true);
    for (const connection of stalled) connection.end();
  });

  test('whoever goes away before they are known leaves nothing behind', async () => {
    // Nobody whose password was right a moment ago.
    const { password } = await atelier.createAccount('dora');
    const begin = head('POST', '/api/projects', {
      Authorization: `Basic ${Buffer.from(`dora:${password}`).toString('base64')}`,
      'Content-Length': 1_000_000,
    });
    const gone = Array.from({ length: 8 }, async () =>
      (await RawConnection.open(atelier.url)).send(begin).end(),
    );
    await Promise.all(gone);
    const told = { method: 'POST', route: '/projects', status: '4xx' };
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      expect(metrics.sum('atelier_http_requests_total', told)).toBe(8);
      // The question itself may be one.
      expect(metrics.sum('atelier_http_requests_running')).toBeLessThan(2);
    });
  });

  test('many bodies of many values at once are read or put off', async () => {
    const objects = `[${'{"a":1},'.repeat(90_000)}{}]`;
    const rawBody = `{"description":"x","scopes":${objects}}`;
    const send = () => alice.request('POST', '/access_keys', { rawBody });
    const statuses = (await Promise.all(Array.from({ length: 20 }, send))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 400 && status !== 503)).toEqual([]);
    expect((await send()).status).toBe(400);
  });
});
