import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, refused, Store } from '../fixtures/artifact.ts';
import { chunkSize, isStored, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { idsOf, sizeOf } from '../fixtures/project.ts';
import {
  type Atelier,
  type Caller,
  oneEngine,
  type Person,
  type Reply,
  startAtelier,
} from '../harness/atelier.ts';

const quota = 4 * chunkSize;
const collection = '/artifact_temporary_files';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const engines = oneEngine('PostgreSQL', 'chunks are checked in code; only PostgreSQL writes at once');

describe.each(engines)('temporary files on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let people = 0;
  /** Somebody who has no files yet, and so the whole quota. */
  const newPerson = (): Promise<Person> => atelier.createUser(`person_${++people}`);

  const post = (caller: Caller, more: object = {}) =>
    caller.post(collection, { name: 'a.txt', mimetype: 'text/plain', content: base64('hello'), ...more });
  const room = ({ headers }: Reply) =>
    ['x-quota', 'x-disk-usage', 'x-upload-max-file-chunksize', 'allow'].map((name) => headers.get(name));
  const onAll = (usage: number) => [String(quota), String(usage), '1048576', 'OPTIONS, GET, POST'];
  const onOne = (usage: number) => [String(quota), String(usage), '1048576', 'OPTIONS, GET, PUT, DELETE'];

  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_MAX_FILE_SIZE: String(quota) } });
    store = await Store.of(atelier);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  test('are made from chunks in order, read, listed and deleted; each answer tells the room there is', async () => {
    const alice = await newPerson();
    const made = await post(alice, { description: ' words ' });
    const { id } = made.body;
    const info = {
      id,
      submitted_by: alice.id,
      description: 'words',
      name: 'a.txt',
      size: 5,
      type: 'text/plain',
      html_url: null,
      html_preview_url: null,
      uri: `artifact_files/${id}`,
    };
    expect([made.status, made.body, room(made)]).toEqual([201, info, onAll(5)]);
    const path = `${collection}/${id}`;
    const second = await alice.put(path, { content: base64(' world'), offset: '2' });
    expect([second.status, second.body, room(second)]).toEqual([200, { ...info, size: 11 }, onOne(11)]);
    expect((await alice.put(path, { content: base64('!'), offset: 3 })).body.size).toBe(12);
    const read = await alice.get(path);
    expect([read.status, read.body, room(read)]).toEqual([200, { data: base64('hello world!') }, onOne(12)]);
    expect([sizeOf(read), read.headers.get('x-pagination-limit')]).toEqual([12, '1048576']);
    expect((await alice.get(`${path}?offset=6&limit=5`)).body).toEqual({ data: base64('world') });
    const list = await alice.get(collection);
    expect([list.status, list.body, room(list)]).toEqual([200, [{ ...info, size: 12 }], onAll(12)]);
    const gone = await alice.delete(path);
    expect([gone.status, gone.text, room(gone)]).toEqual([200, '', onOne(0)]);
    for (const again of [await alice.delete(path), await alice.get(path)]) expect(again.status).toBe(404);
  });

  test('are listed in pages, in the order in which they were made', async () => {
    const alice = await newPerson();
    const ids: number[] = [];
    for (const name of ['c', 'a', 'b']) ids.push((await post(alice, { name })).body.id);
    expect(idsOf(await alice.get(collection))).toEqual(ids);
    const page = await alice.get(`${collection}?limit=1&offset=1`);
    expect([idsOf(page), sizeOf(page), page.headers.get('x-pagination-limit-max')]).toEqual([
      [ids[1]],
      3,
      '50',
    ]);
    expect((await alice.get(collection)).headers.get('x-pagination-limit')).toBe('10');
    for (const wrong of ['limit=0', 'limit=51', 'offset=-1'])
      expect((await alice.get(`${collection}?${wrong}`)).status).toBe(400);
  });

  test("are their owner's alone: for everybody else it is 401", async () => {
    const [alice, bob] = [await newPerson(), await newPerson()];
    const id = await uploadInChunks(alice, Buffer.from('mine'));
    const path = `${collection}/${id}`;
    const next = { content: base64('x'), offset: 2 };
    for (const caller of [bob, atelier.admin])
      for (const reply of [await caller.get(path), await caller.put(path, next), await caller.delete(path)]) {
        expect([reply.status, room(reply)]).toEqual([401, onOne(0)]);
      }
    expect((await bob.get(collection)).body).toEqual([]);
    expect((await alice.get(path)).body).toEqual({ data: base64('mine') });
  });

  test('need a login, except for OPTIONS', async () => {
    const { anonymous } = atelier;
    for (const reply of [await anonymous.get(collection), await post(anonymous)])
      expect([reply.status, room(reply)]).toEqual([401, onAll(0)]);
    expect((await anonymous.delete(`${collection}/1`)).status).toBe(401);
    const options = await anonymous.options(collection);
    expect([options.status, room(options)]).toEqual([200, onAll(0)]);
    expect(room(await anonymous.options(`${collection}/1`))).toEqual(onOne(0));
    expect((await atelier.admin.patch(collection, {})).status).toBe(405);
    expect((await atelier.admin.post(`${collection}/1`, {})).status).toBe(405);
  });

  test.each([
    [{ name: undefined }, '`name` is required'],
    [{ mimetype: undefined }, '`mimetype` is required'],
    [{ content: undefined }, '`content` is required'],
    [{ content: 'a' }, 'base64'],
    [{ content: 'aGVsbG8' }, 'base64'],
    [{ content: 'aGVs bG8=' }, 'base64'],
    [{ content: ' aGVsbG8=' }, 'base64'],
    [{ content: '====' }, 'base64'],
    [{ content: 'a-_b' }, 'base64'],
    [{ content: Buffer.alloc(chunkSize + 1).toString('base64') }, 'at most 1048576 bytes'],
    [{ name: 'x'.repeat(256) }, '255'],
    [{ name: '/tmp/' }, 'nothing is left'],
    [{ name: '\u0001\u0002' }, 'nothing is left'],
    [{ mimetype: 'text/\u0007plain' }, 'control characters'],
    [{ mimetype: 'x'.repeat(256) }, '255'],
    [{ description: 'x'.repeat(10_001) }, '10000'],
  ])('%j is refused, and nothing is kept', async (wrong, words) => {
    const reply = await refused(store, () => post(atelier.admin, wrong), 400, words);
    expect(room(reply)).toEqual(onAll(0));
  });

  test('a chunk is refused unless it is the next one', async () => {
    const alice = await newPerson();
    const path = `${collection}/${await uploadInChunks(alice, Buffer.from('one'))}`;
    const put = (body: object) => () => alice.put(path, body);
    const content = base64('two');
    for (const offset of [0, 1, 3, -1]) {
      const reply = await refused(store, put({ content, offset }), 400, 'The next chunk is number 2');
      expect(room(reply)).toEqual(onOne(3));
    }
    await refused(store, put({ content }), 400, '`offset` is required');
    await refused(store, put({ content, offset: 'x' }), 400, 'Expecting integer value');
    await refused(store, put({ offset: 2 }), 400, '`content` is required');
    await refused(store, put({ content: 'a', offset: 2 }), 400, 'base64');
    // What is wrong with the number comes before what is wrong with the bytes, and both after the file itself.
    await refused(store, put({ content: 'a', offset: 5 }), 400, 'The next chunk is number 2');
    const unknown = await alice.put(`${collection}/99999`, { content: 'a', offset: 5 });
    expect([unknown.status, room(unknown)]).toEqual([404, onOne(3)]);
  });

  test('names keep Unicode and lose the path in front and control characters', async () => {
    const named = async (name: string) => (await post(atelier.admin, { name })).body.name;
    expect(await named('C:\\Users\\é\\Größe 図.txt')).toBe('Größe 図.txt');
    expect(await named('../../etc/passwd')).toBe('passwd');
    expect(await named('a\u0000\r\nb\u007f.txt'.replace('\u0000', ''))).toBe('ab.txt');
    expect(await named('🎉'.repeat(255))).toBe('🎉'.repeat(255));
  });

  test('take no more room than the quota, also when many come at once', async () => {
    const alice = await newPerson();
    const half = someBytes(chunkSize / 2).toString('base64');
    const replies = await Promise.all(Array.from({ length: 32 }, () => post(alice, { content: half })));
    const refusals = replies.filter(({ status }) => status !== 201);
    expect(refusals).toHaveLength(24);
    for (const reply of refusals)
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining('quota')]);
    const full = await alice.get(collection);
    expect(room(full)).toEqual(onAll(quota));
    const one = `${collection}/${full.body[0].id}`;
    const more = { content: base64('x'), offset: 2 };
    const refusedMore = await refused(store, () => alice.put(one, more), 400, 'quota');
    expect(room(refusedMore)).toEqual(onOne(quota));
    expect((await alice.delete(`${collection}/${full.body[1].id}`)).status).toBe(200);
    expect((await alice.put(one, more)).status).toBe(200);
  });

  test('take their chunks one at a time, also when they come at once', async () => {
    const alice = await newPerson();
    const path = `${collection}/${await uploadInChunks(alice, Buffer.from('0'))}`;
    const letters = ['a', 'b', 'c', 'd'];
    const replies = await Promise.all(
      letters.map((letter) => alice.put(path, { content: base64(letter), offset: 2 })),
    );
    const winner = letters[replies.findIndex(({ status }) => status === 200)];
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(3);
    expect((await alice.get(path)).body).toEqual({ data: base64(`0${winner}`) });
  });

  test('go with their bytes, unless somebody else has the same', async () => {
    const [alice, bob] = [await newPerson(), await newPerson()];
    const bytes = Buffer.from(`the same bytes on ${engine}`);
    const [hers, his] = [await uploadInChunks(alice, bytes), await uploadInChunks(bob, bytes)];
    await alice.delete(`${collection}/${hers}`);
    expect(isStored(atelier, bytes)).toBe(true);
    expect((await bob.get(`${collection}/${his}`)).body).toEqual({ data: bytes.toString('base64') });
    await bob.delete(`${collection}/${his}`);
    expect(isStored(atelier, bytes)).toBe(false);
  });

  test('are gone some days after their last chunk', async () => {
    const alice = await newPerson();
    const id = await uploadInChunks(alice, Buffer.from('old'));
    await atelier.sql(`update attachment set expires_at = 1 where id = ${id}`);
    expect((await alice.get(`${collection}/${id}`)).status).toBe(404);
    const list = await alice.get(collection);
    expect([list.body, sizeOf(list), room(list)]).toEqual([[], 0, onAll(0)]);
    await atelier.configure({ file_deletion_delay: 10 });
    const other = await uploadInChunks(alice, Buffer.from('young'));
    const days = `expires_at > ${Date.now() + 9 * 86_400_000}`;
    await atelier.sql(`delete from attachment where id = ${other} and not ${days}`);
    expect((await alice.get(`${collection}/${other}`)).status).toBe(200);
    expect((await atelier.admin.patch('/platform/settings', { file_deletion_delay: 0 })).status).toBe(400);
  });
});
