import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, refused, Store, submit } from '../fixtures/artifact.ts';
import {
  createWorkplace,
  isStored,
  keyOf,
  patchHeaders,
  type Reserved,
  type RootReply,
  reserve,
  send,
  someBytes,
  tusHeaders,
  upload,
  type Workplace,
} from '../fixtures/file.ts';
import { createProject } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const largest = 4 * 1_048_576;
const quota = 2 * largest;

const engines = oneEngine('PostgreSQL', 'the protocol is spoken in code');

describe.each(engines)('resumable uploads on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let place: Workplace;
  let names = 0;
  const newName = () => `upload-${++names}.bin`;

  beforeAll(async () => {
    const env = { ATELIER_MAX_FILE_SIZE: String(largest), ATELIER_UPLOAD_QUOTA: String(quota) };
    atelier = await startAtelier(engine, { env });
    store = await Store.of(atelier);
    place = await createWorkplace(atelier);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  describe('are reserved for a field', () => {
    const wish = (more: object = {}) => ({ name: newName(), file_size: 5, file_type: 'text/plain', ...more });
    const post = (person: Person, field: number, more: object = {}) =>
      person.post(`/tracker_fields/${field}/files`, wish(more));

    test('and answer with an id and two addresses', async () => {
      const { status, body } = await post(place.alice, place.files, { name: 'a b.txt' });
      expect([status, body]).toEqual([
        200,
        {
          id: body.id,
          download_href: `/plugins/tracker/attachments/${body.id}-a%20b.txt`,
          upload_href: `/uploads/tracker/file/${body.id}`,
        },
      ]);
      const empty = await post(place.alice, place.files, { file_size: '0', description: null });
      expect([empty.status, empty.body.upload_href]).toEqual([200, null]);
      await submit(place.alice, place.tracker, [{ field_id: place.files, value: [empty.body.id] }]);
      const options = await atelier.anonymous.options(`/tracker_fields/${place.files}/files`);
      expect([options.status, options.headers.get('allow')]).toEqual([200, 'OPTIONS, POST']);
    });

    test('once for the same name and size, which is how they are resumed', async () => {
      const { alice, bob, files, others } = place;
      const name = newName();
      const first = await post(alice, files, { name });
      expect((await post(alice, files, { name })).body).toEqual(first.body);
      expect((await post(alice, files, { name, file_size: 6 })).body.id).not.toBe(first.body.id);
      expect((await post(alice, others, { name })).body.id).not.toBe(first.body.id);
      const theirs = await post(bob, files, { name });
      expect([theirs.status, messageOf(theirs)]).toEqual([409, expect.stringContaining(name)]);
      await atelier.sql(`update attachment set expires_at = 1 where id = ${first.body.id}`);
      const next = await post(bob, files, { name });
      expect(next.status, next.text).toBe(200);
      const cancel = { ...keyOf(bob), ...tusHeaders };
      expect((await send(`${atelier.url}${next.body.upload_href}`, 'DELETE', cancel)).status).toBe(204);
      expect((await post(alice, files, { name })).status).toBe(200);
    });

    test('once also when many ask at the same time', async () => {
      const { alice, bob, files } = place;
      const name = newName();
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, index) => post(index % 2 === 0 ? alice : bob, files, { name })),
      );
      const given = replies.filter(({ status }) => status === 200);
      expect(given).toHaveLength(8);
      expect(new Set(given.map(({ body }) => body.id)).size).toBe(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(8);
    });

    test('as far as the quota goes, also when many ask at the same time', async () => {
      const carol = await atelier.createUser('carol');
      const replies = await Promise.all(
        Array.from({ length: 32 }, () => post(carol, place.files, { file_size: quota / 8 })),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(8);
      for (const reply of replies.filter(({ status }) => status !== 200))
        expect([reply.status, messageOf(reply)]).toEqual([413, expect.stringContaining(`quota of ${quota}`)]);
    });

    test.each([
      [{ name: undefined }, '`name` is required'],
      [{ file_size: undefined }, '`file_size` is required'],
      [{ file_type: undefined }, '`file_type` is required'],
      [{ file_size: -1 }, 'Minimum required value is 0'],
      [{ file_size: 1.5 }, 'Expecting integer'],
      [{ file_size: largest + 1 }, `has ${largest + 1} bytes, and at most ${largest}`],
      [{ name: 'x'.repeat(256) }, '255'],
      [{ name: 'folder/' }, 'nothing is left'],
    ])('%j is 400', async (wrong, words) => {
      await refused(store, () => post(place.alice, place.files, wrong), 400, words);
    });

    test('that is a used file field, which they may see and write', async () => {
      const { alice, bob, project } = place;
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      await refused(store, () => post(alice, 99_999), 404, 'no such field');
      await refused(store, () => post(alice, place.title), 400, 'does not hold files');
      expect((await atelier.anonymous.post(`/tracker_fields/${field}/files`, wish())).status).toBe(401);
      await setFieldPermissions(alice, field, { can_read: ['1'], can_update: [`${project}_3`] });
      const outsider = await atelier.createUser('outsider');
      await refused(store, () => post(outsider, field), 403, 'neither submit nor update');
      expect((await post(bob, field)).status).toBe(200);
      await setPermissions(alice, tracker, { can_access: [`${project}_4`] });
      await refused(store, () => post(bob, field), 404, 'no such field');
      await store.unuse(field);
      await refused(store, () => post(alice, field), 400, 'is not used');
    });

    test('in a project that they may see and that takes changes', async () => {
      const { alice, bob } = place;
      const { id } = await createProject(alice, 'closed', { is_public: false });
      const { id: tracker } = await createTracker(alice, id);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      await refused(store, () => post(bob, field), 404, 'no such field');
      expect((await atelier.admin.patch(`/projects/${id}`, { status: 'suspended' })).status).toBe(200);
      for (const person of [alice, atelier.admin])
        await refused(store, () => post(person, field), 403, 'suspended');
    });
  });

  /** One reserved upload of Alice's, and requests to it. */
  class Trial {
    readonly reserved: Reserved;
    readonly url: string;
    readonly #headers: Readonly<Record<string, string>>;

    constructor(reserved: Reserved, headers: Readonly<Record<string, string>> = keyOf(place.alice)) {
      this.reserved = reserved;
      this.url = `${atelier.url}${reserved.upload_href}`;
      this.#headers = headers;
    }

    static async of(size: number): Promise<Trial> {
      return new Trial(await reserve(place.alice, place.files, size, { name: newName() }));
    }

    /** The same upload, tried by somebody else. */
    by(headers: Readonly<Record<string, string>>): Trial {
      return new Trial(this.reserved, headers);
    }

    request(method: string, headers: Readonly<Record<string, string>>, body?: string | Buffer) {
      return send(this.url, method, { ...this.#headers, ...headers }, body);
    }

    head = (headers: Readonly<Record<string, string>> = tusHeaders) => this.request('HEAD', headers);
    patch = (offset: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
      this.request('PATCH', { ...patchHeaders(offset), ...headers }, body);

    /** A PATCH whose body is still on its way: the server has begun to write when this is done. */
    async begin(offset: number, part: string, length: number): Promise<ClientRequest> {
      const headers = { ...this.#headers, ...patchHeaders(offset), 'Content-Length': String(length) };
      const outgoing = request(this.url, { method: 'PATCH', headers, agent: false });
      outgoing.write(part);
      // Whoever is at the wrong place is told so, unless somebody writes: that is looked at first.
      while ((await this.patch(99, '')).status !== 423) await pause(10);
      return outgoing;
    }
  }

  const offsetIn = ({ headers }: RootReply) => headers['upload-offset'];
  const statusOf = async (reply: Promise<RootReply>) => (await reply).status;

  describe('speak tus 1.0:', () => {
    test('HEAD, PATCH, HEAD, PATCH, and the file is there', async () => {
      const trial = await Trial.of(11);
      const begun = await trial.head();
      expect([begun.status, begun.text]).toEqual([204, '']);
      expect(begun.headers).toMatchObject({
        'upload-length': '11',
        'upload-offset': '0',
        'cache-control': 'no-cache',
        'tus-resumable': '1.0.0',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'OPTIONS, HEAD, PATCH, POST, DELETE',
        'access-control-allow-headers': expect.stringContaining('Upload-Checksum'),
        'access-control-expose-headers': expect.stringContaining('Upload-Expires'),
      });
      const expires = Date.parse(String(begun.headers['upload-expires'])) - Date.now();
      expect(expires).toBeGreaterThan(3.9 * 3_600_000);
      expect(expires).toBeLessThan(4 * 3_600_000 + 1000);
      const first = await trial.patch(0, 'hello ', {
        'Content-Type': 'application/offset+octet-stream; x=y',
      });
      expect([first.status, offsetIn(first), first.headers['tus-resumable']]).toEqual([204, '6', '1.0.0']);
      expect(first.headers['upload-expires']).toBe(begun.headers['upload-expires']);
      expect(offsetIn(await trial.head())).toBe('6');
      const download = `${atelier.url}${trial.reserved.download_href}`;
      expect((await send(download, 'GET', keyOf(place.alice))).status).toBe(404);
      expect(offsetIn(await trial.patch(6, 'world'))).toBe('11');
      expect((await send(download, 'GET', keyOf(place.alice))).text).toBe('hello world');
      expect((await send(download, 'GET', keyOf(place.bob))).status).toBe(404);
      expect(offsetIn(await trial.patch(11, ''))).toBe('11');
      expect(offsetIn(await trial.head())).toBe('11');
    });

    test('OPTIONS tells what there is to anybody', async () => {
      const options = await send(`${atelier.url}/uploads/tracker/file/1`, 'OPTIONS');
      expect(options.status).toBe(204);
      expect(options.headers).toMatchObject({
        'tus-version': '1.0.0',
        'tus-extension': 'termination,checksum,expiration',
        'tus-checksum-algorithm': 'sha1,sha256',
        'access-control-allow-origin': '*',
      });
      expect(options.headers['tus-resumable']).toBeUndefined();
    });

    test('bytes beyond the length are dropped', async () => {
      const trial = await Trial.of(5);
      expect(offsetIn(await trial.patch(0, 'hello world'))).toBe('5');
      const { download_href: href } = trial.reserved;
      expect((await send(`${atelier.url}${href}`, 'GET', keyOf(place.alice))).text).toBe('hello');
    });

    test('DELETE gives the upload up, with its bytes', async () => {
      const bytes = Buffer.from(`given up on ${engine}`);
      const trial = await Trial.of(bytes.length + 1);
      await trial.patch(0, bytes);
      expect(isStored(atelier, bytes)).toBe(true);
      const gone = await trial.request('DELETE', tusHeaders);
      expect([gone.status, gone.headers['tus-resumable']]).toEqual([204, '1.0.0']);
      expect(isStored(atelier, bytes)).toBe(false);
      expect([await statusOf(trial.head()), await statusOf(trial.request('DELETE', tusHeaders))]).toEqual([
        404, 404,
      ]);
    });

    test('a method can be another one by X-HTTP-Method-Override', async () => {
      const trial = await Trial.of(5);
      const override = (method: string) => ({ 'X-HTTP-Method-Override': method });
      const patched = await trial.request('POST', { ...patchHeaders(0), ...override('PATCH') }, 'hello');
      expect([patched.status, offsetIn(patched)]).toEqual([204, '5']);
      expect(await statusOf(trial.head({ ...tusHeaders, ...override('DELETE') }))).toBe(405);
      expect(await statusOf(trial.request('POST', { ...tusHeaders, ...override('HEAD') }))).toBe(405);
      expect(await statusOf(trial.request('PATCH', { ...tusHeaders, ...override('POST') }))).toBe(405);
      expect(await statusOf(trial.request('PUT', { ...tusHeaders, ...override('delete') }))).toBe(204);
    });

    test.each(['GET', 'POST', 'PUT'])('%s is 405', async (method) => {
      const trial = await Trial.of(1);
      const reply = await trial.request(method, tusHeaders);
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'OPTIONS, HEAD, PATCH, DELETE']);
    });
  });

  describe('check in this order:', () => {
    test('the version, 412', async () => {
      const trial = await Trial.of(5);
      const wrong: Record<string, string>[] = [{}, { 'Tus-Resumable': '0.2.2' }];
      for (const method of ['HEAD', 'PATCH', 'DELETE'])
        for (const headers of wrong) {
          const reply = await trial.request(method, headers);
          expect([reply.status, reply.headers['tus-version']]).toEqual([412, '1.0.0']);
        }
    });

    test('who asks: wrong credentials 401, an account that may not be used 403', async () => {
      const trial = await Trial.of(5);
      const wrong = await trial.by({ 'X-Auth-AccessKey': 'tlp-k1-1.nonsense' }).head();
      expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('Basic'),
      ]);
      const dave = await atelier.createUser('dave');
      expect((await atelier.admin.patch(`/users/${dave.id}`, { status: 'S' })).status).toBe(200);
      expect(await statusOf(trial.by(keyOf(dave)).head())).toBe(403);
    });

    test('the upload, 404 for everybody else and when there is none', async () => {
      const trial = await Trial.of(5);
      for (const headers of [keyOf(place.bob), keyOf(atelier.admin), {}])
        for (const method of ['HEAD', 'PATCH', 'DELETE'])
          expect(await statusOf(trial.by(headers).request(method, tusHeaders))).toBe(404);
      for (const id of ['99999', 'x', '1/2', '']) {
        const url = `${atelier.url}/uploads/tracker/file/${id}`;
        expect(await statusOf(send(url, 'HEAD', { ...keyOf(place.alice), ...tusHeaders }))).toBe(404);
      }
    });

    test('then the content type 415, Upload-Offset 400, the place 409', async () => {
      const trial = await Trial.of(5);
      const type = { 'Content-Type': 'application/octet-stream' };
      expect(await statusOf(trial.request('PATCH', { ...tusHeaders, ...type }, 'x'))).toBe(415);
      expect(await statusOf(trial.request('PATCH', tusHeaders, 'x'))).toBe(415);
      expect((await trial.patch(0, 'x', { 'Content-Encoding': 'gzip' })).status).toBe(415);
      const { 'Upload-Offset': _, ...withoutOffset } = patchHeaders(0);
      expect(await statusOf(trial.request('PATCH', withoutOffset, 'x'))).toBe(400);
      for (const offset of ['x', '-1', '1.5', ''])
        expect(await statusOf(trial.patch(0, 'x', { 'Upload-Offset': offset }))).toBe(400);
      const away = await trial.patch(1, 'x');
      expect([away.status, away.text]).toEqual([409, 'Conflict: The upload has 0 bytes, not 1.\n']);
      expect(offsetIn(await trial.head())).toBe('0');
    });

    test('an attached or expired upload is 404', async () => {
      const { alice, files, tracker } = place;
      const reserved = await upload(atelier, alice, files, Buffer.from('x'), { name: newName() });
      await submit(alice, tracker, [{ field_id: files, value: [reserved.id] }]);
      expect(await statusOf(new Trial(reserved).head())).toBe(404);
      const trial = await Trial.of(5);
      await trial.patch(0, 'hello');
      await atelier.sql(`update attachment set expires_at = 1 where id = ${trial.reserved.id}`);
      expect([await statusOf(trial.head()), await statusOf(trial.patch(5, ''))]).toEqual([404, 404]);
      const { download_href: href } = trial.reserved;
      expect((await send(`${atelier.url}${href}`, 'GET', keyOf(alice))).status).toBe(404);
    });
  });

  describe('verify checksums:', () => {
    const checksum = (algorithm: string, text: string) => ({
      'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
    });

    test.each(['sha1', 'sha256'])('right by %s, the bytes are kept', async (algorithm) => {
      const trial = await Trial.of(11);
      expect(offsetIn(await trial.patch(0, 'hello ', checksum(algorithm, 'hello ')))).toBe('6');
      expect(offsetIn(await trial.patch(6, 'world', checksum(algorithm, 'world')))).toBe('11');
    });

    test('wrong, they are dropped with 460', async () => {
      const trial = await Trial.of(100);
      await trial.patch(0, 'kept ');
      const bytes = Buffer.from(`dropped on ${engine}`);
      const wrong = await trial.patch(5, bytes, checksum('sha1', 'other'));
      expect([wrong.status, offsetIn(await trial.head())]).toEqual([460, '5']);
      expect(isStored(atelier, bytes)).toBe(false);
      expect(offsetIn(await trial.patch(5, bytes, checksum('sha1', bytes.toString())))).toBe(
        String(5 + bytes.length),
      );
    });

    test.each(['md5 x', 'sha1', 'sha1 *', 'sha1 AAAA AAAA', ''])('"%s" is 400', async (header) => {
      const trial = await Trial.of(5);
      expect(await statusOf(trial.patch(0, 'hello', { 'Upload-Checksum': header }))).toBe(400);
      expect(offsetIn(await trial.head())).toBe('0');
    });

    test('what was cut off before it could be verified is dropped', async () => {
      const trial = await Trial.of(100);
      const headers = {
        ...keyOf(place.alice),
        ...patchHeaders(0),
        ...checksum('sha1', 'x'),
        'Content-Length': '50',
      };
      const outgoing = request(trial.url, { method: 'PATCH', headers, agent: false });
      outgoing.on('error', () => {});
      outgoing.write('half of it');
      while ((await trial.patch(99, '')).status !== 423) await pause(10);
      outgoing.destroy();
      while ((await trial.patch(99, '')).status === 423) await pause(10);
      expect(offsetIn(await trial.head())).toBe('0');
    });
  });

  describe('have one writer at a time:', () => {
    const answerTo = async (outgoing: ClientRequest) => {
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      incoming.resume();
      return incoming;
    };

    test('a second one is 423 until the first is done', async () => {
      const trial = await Trial.of(10);
      const first = await trial.begin(0, 'hello', 10);
      const second = await trial.patch(0, 'HELLO WORLD');
      expect([second.status, second.text]).toEqual([423, 'Another request is writing to this upload.\n']);
      first.end('world');
      const { statusCode, headers } = await answerTo(first);
      expect([statusCode, headers['upload-offset']]).toEqual([204, '10']);
      const { download_href: href } = trial.reserved;
      expect((await send(`${atelier.url}${href}`, 'GET', keyOf(place.alice))).text).toBe('helloworld');
    });

    test('one who is cut off leaves what arrived, and lets the next one in', async () => {
      const trial = await Trial.of(10);
      const first = await trial.begin(0, 'hello', 10);
      first.on('error', () => {});
      first.destroy();
      while ((await trial.patch(99, '')).status === 423) await pause(10);
      expect(offsetIn(await trial.head())).toBe('5');
      expect(offsetIn(await trial.patch(5, 'world'))).toBe('10');
    });

    test('one who vanished is replaced, and what they bring later is refused', async () => {
      const trial = await Trial.of(10);
      const first = await trial.begin(0, 'hello', 10);
      await atelier.sql(`update attachment set lock_until = 1 where id = ${trial.reserved.id}`);
      expect(offsetIn(await trial.patch(0, 'HELLO'))).toBe('5');
      first.end('world');
      expect((await answerTo(first)).statusCode).toBe(423);
      expect(offsetIn(await trial.patch(5, 'WORLD'))).toBe('10');
      const { download_href: href } = trial.reserved;
      expect((await send(`${atelier.url}${href}`, 'GET', keyOf(place.alice))).text).toBe('HELLOWORLD');
    });

    test('of many at once exactly one is 204', async () => {
      const trial = await Trial.of(10);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => trial.patch(0, `part ${index}`)),
      );
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 204)).toHaveLength(1);
      expect(statuses.every((status) => [204, 409, 423].includes(status))).toBe(true);
      expect(offsetIn(await trial.head())).toBe('6');
    });
  });

  test('take a session from pages of this server only, and a token or a password from anywhere', async () => {
    const trial = await Trial.of(5);
    const { alice } = place;
    const login = await atelier.anonymous.post('/sessions', {
      username: alice.name,
      password: alice.password,
    });
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    expect(await statusOf(trial.by({ cookie }).head())).toBe(403);
    const own = { cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    expect(await statusOf(trial.by(own).head())).toBe(204);
    const token = await atelier.anonymous.post('/tokens', { username: alice.name, password: alice.password });
    const byToken = { 'X-Auth-Token': token.body.token, 'X-Auth-UserId': token.body.user_id };
    expect(await statusOf(trial.by(byToken).head())).toBe(204);
    const basic = Buffer.from(`${alice.name}:${alice.password}`).toString('base64');
    expect(await statusOf(trial.by({ Authorization: `Basic ${basic}` }).head())).toBe(204);
  });

  test('a body may be as long as the rest of the file, whatever other bodies may have', async () => {
    const bytes = someBytes(largest);
    const reserved = await upload(atelier, place.alice, place.files, bytes, { name: newName() });
    const { bytes: read } = await send(`${atelier.url}${reserved.download_href}`, 'GET', keyOf(place.alice));
    expect(read.equals(bytes)).toBe(true);
  });

  // Comes last: the service is at another address afterwards.
  test('end early when the service stops, and go on where they were', async () => {
    const trial = await Trial.of(10);
    const first = await trial.begin(0, 'hello', 10);
    const answered = once(first, 'response') as Promise<[IncomingMessage]>;
    const stopped = atelier.server.end();
    // Once nobody is let in any more, the stop has begun.
    while (await trial.head().catch(() => undefined)) await pause(10);
    // It may be answered before this arrives.
    first.on('error', () => {}).write('w');
    const [{ statusCode }] = await answered;
    expect([statusCode, await stopped]).toEqual([503, 0]);
    await atelier.restart();
    const again = new Trial(trial.reserved);
    const offset = Number(offsetIn(await again.head()));
    expect(offset).toBeGreaterThanOrEqual('hello'.length);
    expect(offsetIn(await again.patch(offset, 'helloworld'.slice(offset)))).toBe('10');
  });
});
