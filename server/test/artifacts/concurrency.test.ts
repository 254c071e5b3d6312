import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, versionIn } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import {
  type Atelier,
  engines,
  Person,
  type Reply,
  type ServerProcess,
  startAtelier,
  startHosted,
} from '../harness/atelier.ts';

describe.each(engines)('versions of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let other: ServerProcess;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: number;
  let title: number;
  let text: number;
  let tags: number;
  const create = () => submit(alice, tracker, [{ field_id: title, value: 'It breaks' }]);
  const get = (id: number, headers = {}) => alice.get(`/artifacts/${id}`, { headers });
  const setTitle = (value: string) => ({ values: [{ field_id: title, value }] });
  const put = (id: number, value: string, headers: Record<string, string> = {}, caller: Person = alice) =>
    caller.request('PUT', `/artifacts/${id}`, { body: setTitle(value), headers });
  /** Checks that a change with these headers is refused and does nothing. */
  const expectStale = async (id: number, headers: Record<string, string>) => {
    const before = await store.traces();
    const reply = await put(id, 'lost', headers);
    expect([reply.status, headers], reply.text).toEqual([412, headers]);
    expect(reply.body.error).toEqual({
      code: 412,
      message: expect.stringMatching(/^Precondition Failed: .*modified since/),
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await store.traces()).toEqual(before);
  };
  const expectDone = async (id: number, headers: Record<string, string>) => {
    const reply = await put(id, `won ${Math.random()}`, headers);
    expect([reply.status, headers], reply.text).toEqual([200, headers]);
    return reply;
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_HTTP_THREADS: '2' } });
    other = await startHosted(atelier.instance.environment);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'versions')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    tracker = (await createTracker(alice, project)).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    text = (await addField(alice, tracker, { type: 'text', name: 'text' })).field_id;
    tags = (await addField(alice, tracker, { type: 'tbl', name: 'tags', bind: { type: 'static' } })).field_id;
  });
  afterAll(async () => {
    await store?.close();
    await other?.end();
    await atelier?.stop();
  });

  test('GET, POST and PUT tell the version by Etag and Last-Modified', async () => {
    const body = { tracker: { id: tracker }, ...setTitle('It breaks') };
    const made = await alice.post('/artifacts', body);
    const read = await get(made.body.id);
    const written = await put(made.body.id, 'It still breaks');
    const again = await get(made.body.id);
    for (const { headers } of [made, read, written, again]) {
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
      expect(headers.get('last-modified')).toMatch(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
    expect(versionIn(made)).toBe(versionIn(read));
    expect(versionIn(written)).not.toBe(versionIn(read));
    expect(again.headers.get('etag')).toBe(written.headers.get('etag'));
    expect(again.text).toBe(written.text);
    expect(made.headers.get('last-modified')).toBe(read.headers.get('last-modified'));
    for (const { headers, body: shown } of [read, written])
      expect(Date.parse(headers.get('last-modified')!)).toBe(Date.parse(shown.last_modified_date));
  });

  test('If-Match takes the tag quoted, unquoted, weak, in a list, and *', async () => {
    const id = await create();
    const old = (await get(id)).headers.get('etag')!;
    await put(id, 'newer');
    for (const write of [
      (tag: string) => tag,
      (tag: string) => tag.replaceAll('"', ''),
      (tag: string) => `W/${tag}`,
      (tag: string) => `W/${tag.replaceAll('"', '')}`,
      (tag: string) => `"nonsense", ${tag}`,
      (tag: string) => `${tag},"nonsense"`,
      (tag: string) => ` ${tag} `,
    ]) {
      await expectStale(id, { 'If-Match': write(old) });
      await expectDone(id, { 'If-Match': write((await get(id)).headers.get('etag')!) });
    }
    await expectDone(id, { 'If-Match': '*' });
    await expectDone(id, { 'If-Match': '"*"' });
    await expectDone(id, {});
    for (const wrong of ['', '""', ',', ' , ', '"', 'W/', 'nonsense', '"0"', '-']) {
      await expectStale(id, { 'If-Match': wrong });
    }
  });

  test('the tag of POST, of PUT, of another reader and of another form of the answer names the same version', async () => {
    const made = await alice.post('/artifacts', { tracker: { id: tracker }, ...setTitle('x') });
    const { id } = made.body;
    let last = await expectDone(id, { 'If-Match': made.headers.get('etag')! });
    last = await expectDone(id, { 'If-Match': last.headers.get('etag')! });
    const path = `/artifacts/${id}`;
    for (const read of [
      () => bob.get(path),
      () => atelier.anonymous.get(path),
      () => alice.get(`${path}?values_format=all`),
      () => alice.get(`${path}?values_format=by_field&tracker_structure_format=complete`),
      () => alice.get(path, { headers: { Accept: 'application/xml' } }),
      () => alice.get(`/v1${path}`),
      () => alice.request('HEAD', path),
    ]) {
      const { headers } = await read();
      await expectDone(id, { 'If-Match': headers.get('etag')! });
      await expectStale(id, { 'If-Match': headers.get('etag')! });
    }
  });

  test('If-Unmodified-Since takes the date in any usual form, and only the very second', async () => {
    const id = await create();
    const forms: ((date: Date) => string)[] = [
      (date) => date.toUTCString(),
      (date) => date.toISOString(),
      (date) => date.toISOString().replace(/\.\d+Z$/, 'Z'),
      (date) => date.toISOString().replace(/\.\d+Z$/, '+00:00'),
      (date) => new Date(date.getTime() + 7_200_000).toISOString().replace(/\.\d+Z$/, '+02:00'),
      (date) => date.toUTCString().replace('GMT', '+0000'),
      (date) => {
        const [day, number, month, year, time] = date.toUTCString().replace(',', '').split(' ');
        return `${day} ${month} ${Number(number).toString().padStart(2)} ${time} ${year}`;
      },
      (date) => {
        const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
        const [, number, month, year, time] = date.toUTCString().split(' ');
        return `${days[date.getUTCDay()]}, ${number}-${month}-${year?.slice(2)} ${time} GMT`;
      },
    ];
    for (const write of forms) {
      const now = Date.parse((await get(id)).headers.get('last-modified')!);
      for (const difference of [-1000, 1000, -3_600_000, 3_600_000, 86_400_000])
        await expectStale(id, { 'If-Unmodified-Since': write(new Date(now + difference)) });
      await expectDone(id, { 'If-Unmodified-Since': write(new Date(now)) });
    }
    const { last_modified_date: shown } = await readArtifact(alice, id);
    await expectDone(id, { 'If-Unmodified-Since': shown });
    for (const wrong of ['', 'yesterday', '0', '1', String(Date.now()), '2024', '*', 'Wed, 99 Nov 2023'])
      await expectStale(id, { 'If-Unmodified-Since': wrong });
  });

  test('with both headers both must hold; GET and POST do not look at them', async () => {
    const id = await create();
    const old = (await get(id)).headers;
    await put(id, 'newer');
    const { headers } = await get(id);
    const both = (tag: Headers, date: Headers) => ({
      'If-Match': tag.get('etag')!,
      'If-Unmodified-Since': date.get('last-modified')!,
    });
    await expectStale(id, both(old, headers));
    await expectStale(id, both(headers, old));
    await expectStale(id, both(old, old));
    await expectDone(id, both(headers, headers));
    const stale = { 'If-Match': '"old"', 'If-Unmodified-Since': 'Wed, 15 Nov 2023 10:00:00 GMT' };
    expect((await get(id, stale)).status).toBe(200);
    const body = { tracker: { id: tracker }, ...setTitle('x') };
    expect((await alice.request('POST', '/artifacts', { body, headers: stale })).status).toBe(201);
  });

  test('a change that changes nothing keeps the version, and its precondition counts all the same', async () => {
    const id = await create();
    const before = await store.traces();
    const read = await get(id);
    const same = await put(id, 'It breaks', { 'If-Match': read.headers.get('etag')! });
    expect(same.status).toBe(200);
    for (const name of ['etag', 'last-modified']) expect(same.headers.get(name)).toBe(read.headers.get(name));
    expect(same.text).toBe(read.text);
    const blank = { ...setTitle('It breaks'), comment: { body: ' \n', format: 'text' } };
    expect((await alice.put(`/artifacts/${id}`, blank)).status).toBe(200);
    expect(await store.traces()).toEqual(before);
    const stale = await put(id, 'It breaks', { 'If-Match': '"stale"' });
    expect(stale.status).toBe(412);
  });

  test('changes within one second have different versions and seconds', async () => {
    const id = await create();
    const seen: Reply[] = [await get(id)];
    for (let round = 0; round < 8; round++) seen.push(await put(id, `round ${round}`));
    for (const name of ['etag', 'last-modified'])
      expect(new Set(seen.map(({ headers }) => headers.get(name))).size).toBe(seen.length);
    for (const { headers } of seen.slice(0, -1)) {
      await expectStale(id, { 'If-Unmodified-Since': headers.get('last-modified')! });
      await expectStale(id, { 'If-Match': headers.get('etag')! });
    }
    await expectDone(id, { 'If-Unmodified-Since': seen.at(-1)!.headers.get('last-modified')! });
  });

  /** One after the other to the one process and to the other. */
  const somewhere = (index: number) => {
    const { id, name, password, key } = index % 3 === 0 ? bob : alice;
    return new Person(index % 2 === 0 ? atelier.url : other.url, { id, name, password, key });
  };
  const atOnce = (count: number, each: (caller: Person, index: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, index) => each(somewhere(index), index)));

  test.each(['etag', 'last-modified'])(
    'of 32 changes at once in two processes with the same %s exactly one is done',
    async (name) => {
      const header = name === 'etag' ? 'If-Match' : 'If-Unmodified-Since';
      const id = await create();
      for (let round = 0; round < 3; round++) {
        const known = (await get(id)).headers.get(name)!;
        const before = await store.changesetsOf(id);
        const replies = await atOnce(32, (caller, index) =>
          put(id, `round ${round} by ${index}`, { [header]: known }, caller),
        );
        const done = replies.filter(({ status }) => status === 200);
        expect(done).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 412)).toHaveLength(31);
        const now = await get(id);
        expect(now.body.values).toEqual(done[0]!.body.values);
        expect(await store.changesetsOf(id)).toBe(before + 1);
      }
    },
  );

  test('changes at once without a precondition all happen, field by field', async () => {
    const id = await create();
    const replies = await atOnce(24, (caller, index) => {
      const field_id = index % 2 === 0 ? title : text;
      const values = [{ field_id, value: `by ${index}` }];
      return caller.put(`/artifacts/${id}`, { values });
    });
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await store.changesetsOf(id)).toBe(25);
    const dates = replies.map(({ headers }) => headers.get('last-modified'));
    expect(new Set(dates).size).toBe(24);
    const { body } = await get(id);
    expect(entryOf(body, title).value).toMatch(/^by \d*[02468]$/);
    expect(entryOf(body, text).commonmark).toMatch(/^by \d*[13579]$/);
  });

  test('each of many who read, change and try again gets their word in', async () => {
    const id = await create();
    await change(alice, id, [{ field_id: title, value: '0' }]);
    const counters = await atOnce(8, async (caller) => {
      for (let tries = 0; ; tries++) {
        const read = await caller.get(`/artifacts/${id}`);
        const value = String(Number(entryOf(read.body, title).value) + 1);
        const reply = await put(id, value, { 'If-Match': read.headers.get('etag')! }, caller);
        if (reply.status !== 412 || tries > 100) return reply;
      }
    });
    expect(counters.map(({ status }) => status)).toEqual(counters.map(() => 200));
    expect(entryOf(await readArtifact(alice, id), title).value).toBe('8');
  });

  test('what one process writes the other shows with its very next answer', async () => {
    const links = (await addField(alice, tracker, { type: 'art_link', name: 'links' })).field_id;
    const id = await create();
    const [here, there] = [somewhere(1), somewhere(2)];
    for (let round = 0; round < 10; round++) {
      for (let reads = 0; reads < 3; reads++) await there.get(`/artifacts/${id}`);
      await put(id, `round ${round}`, {}, here);
      expect((await there.get(`/artifacts/${id}`)).body.values[0].value).toBe(`round ${round}`);
      await submit(here, tracker, [{ field_id: links, links: [{ id }] }]);
      const { reverse_links: sources } = entryOf((await there.get(`/artifacts/${id}`)).body, links);
      expect(sources).toHaveLength(round + 1);
    }
  });

  test('artifacts made at once in two processes have numbers of their own, and typed values are one', async () => {
    const fresh = `tag ${engine}`;
    const replies = await atOnce(24, (caller) =>
      caller.post('/artifacts', {
        tracker: { id: tracker },
        values: [{ field_id: tags, bind_value_ids: [fresh] }],
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    const typed = new Set<string>();
    for (const { body } of replies)
      typed.add(entryOf(await readArtifact(alice, body.id), tags).bind_value_objects[0].id);
    expect(typed.size).toBe(1);
    const { artifact = [], tracker_counter: counters = [] } = await store.traces();
    const numbers = artifact.map((row) => JSON.parse(row)).filter((row) => row.tracker_id === tracker);
    expect(new Set(numbers.map((row) => row.number)).size).toBe(numbers.length);
    const counter = counters.map((row) => JSON.parse(row)).find((row) => row.tracker_id === tracker);
    expect(counter).toMatchObject({ artifacts: numbers.length, last_number: numbers.length });
  });

  test('artifacts that are linked to each other at once are all linked', async () => {
    const { id: other } = await createTracker(alice, project);
    const links = (await addField(alice, other, { type: 'art_link', name: 'links' })).field_id;
    const make = () => submit(alice, other, [{ field_id: links, links: [] }]);
    const ids = await Promise.all(Array.from({ length: 6 }, make));
    const replies = await atOnce(ids.length, (caller, index) => {
      const others = ids.filter((id) => id !== ids[index]).map((id) => ({ id }));
      return caller.put(`/artifacts/${ids[index]}`, { values: [{ field_id: links, links: others }] });
    });
    expect(replies.map(({ status, text: words }) => (status === 200 ? '' : words))).toEqual(
      ids.map(() => ''),
    );
    for (const id of ids) {
      const entry = entryOf(await readArtifact(alice, id), links);
      expect(entry.links).toHaveLength(5);
      expect(entry.reverse_links).toHaveLength(5);
    }
  });

  test('a file goes to one of several who attach it at once', async () => {
    const files = (await addField(alice, tracker, { type: 'file', name: 'files' })).field_id;
    const file = await store.addFile(alice.id);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const { id, name, password, key } = alice;
        const caller = new Person(index % 2 === 0 ? atelier.url : other.url, { id, name, password, key });
        const values = [{ field_id: files, value: [file] }];
        return caller.post('/artifacts', { tracker: { id: tracker }, values });
      }),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });
});
