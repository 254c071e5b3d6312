import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, Store, submit } from './artifact-fixtures.ts';
import { type Atelier, engines, type Person, startAtelier } from './harness/atelier.ts';
import { createProject, query, setMembers, sizeOf } from './project-fixtures.ts';
import { addField, createTracker } from './tracker-fixtures.ts';

describe.each(engines)('GET /artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let tracker: number;
  let title: number;
  let ids: number[];
  let hidden: number;
  const read = (wish: unknown, more = '', caller: Person = bob) =>
    caller.get(`/artifacts?query=${query(wish)}${more}`);
  const idsIn = ({ body }: { body: { collection: { id: number }[] } }) => body.collection.map(({ id }) => id);
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    const project = (await createProject(alice, 'batch')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    tracker = (await createTracker(alice, project)).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    const perm = (await addField(alice, tracker, { type: 'perm', name: 'perm' })).field_id;
    ids = [];
    for (const value of ['a', 'b', 'c']) ids.push(await submit(alice, tracker, [{ field_id: title, value }]));
    const only = { field_id: perm, value: { granted_groups: [`${project}_4`] } };
    hidden = await submit(alice, tracker, [{ field_id: title, value: 'd' }, only]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('gives artifacts in the order asked, with both forms of values', async () => {
    const [first, second, third] = ids;
    const reply = await read({ id: [third, first, second] });
    expect([reply.status, idsIn(reply), sizeOf(reply)]).toEqual([200, [third, first, second], 3]);
    const [artifact] = reply.body.collection;
    expect(artifact).toEqual((await bob.get(`/artifacts/${third}?values_format=all`)).body);
    expect(entryOf(artifact, title)).toEqual(artifact.values_by_field.title);
    const headers = ['limit', 'offset', 'limit-max'].map((name) => reply.headers.get(`x-pagination-${name}`));
    expect(headers).toEqual(['100', '0', '100']);
    expect(reply.headers.get('etag')).toBeNull();
  });

  test('leaves out what does not exist or cannot be seen, and does not count it', async () => {
    const [first, second, third] = ids;
    const wish = { id: [99_999, third, hidden, -1, 0, first, second] };
    const page = await read(wish, '&limit=2');
    expect([idsIn(page), sizeOf(page)]).toEqual([[third, first], 3]);
    const rest = await read(wish, '&limit=2&offset=2');
    expect([idsIn(rest), sizeOf(rest)]).toEqual([[second], 3]);
    expect(idsIn(await read(wish, '', alice))).toEqual([third, hidden, first, second]);
    expect((await read({ id: [] })).body).toEqual({ collection: [] });
    expect(idsIn(await atelier.anonymous.get(`/artifacts?query=${query({ id: ids })}`))).toEqual(ids);
  });

  test('refuses what is no list of ids, and more than 100 of them', async () => {
    const [first] = ids;
    const wrong = [
      '',
      '{',
      'nonsense',
      '[]',
      '{}',
      '{"id":1}',
      '{"id":["1"]}',
      '{"id":[1.5]}',
      '{"id":[null]}',
    ];
    for (const text of [...wrong, `{"id":[${first},${first}]}`]) {
      const reply = await bob.get(`/artifacts?query=${encodeURIComponent(text)}`);
      expect([text, reply.status]).toEqual([text, 400]);
    }
    expect((await bob.get('/artifacts')).status).toBe(400);
    for (const more of ['&limit=0', '&limit=101', '&offset=-1'])
      expect((await read({ id: ids }, more)).status).toBe(400);
    const numbers = Array.from({ length: 101 }, (_, index) => index + 1);
    expect((await read({ id: numbers })).status).toBe(403);
    expect((await read({ id: numbers.slice(1) })).status).toBe(200);
  });
});
