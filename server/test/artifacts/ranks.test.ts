import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, messageOf, readArtifact, Store, submit, versionIn } from '../fixtures/artifact.ts';
import { createProject, databaseOf, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('PostgreSQL'))('the order of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'ranked')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  const backlog = async () => {
    const { id } = await createTracker(alice, project);
    const title = (await addField(alice, id, { type: 'string', name: 'title' })).field_id;
    const priority = (await addField(alice, id, { type: 'priority', name: 'priority' })).field_id;
    const make = () => submit(alice, id, [{ field_id: title, value: 'x' }]);
    const some = async (count: number) => {
      const ids: number[] = [];
      for (let index = 0; index < count; index++) ids.push(await make());
      return ids;
    };
    const list = (query = '', caller: Caller = alice) => caller.get(`/trackers/${id}/artifact_ranks${query}`);
    const order = async (): Promise<number[]> =>
      (await list('?limit=1000')).body.map((artifact: { id: number }) => artifact.id);
    return { id, title, priority, make, some, list, order };
  };
  const move = (ids: readonly number[], direction: string, comparedTo: number, caller: Caller = alice) =>
    caller.patch('/artifact_ranks', { ids, direction, compared_to: comparedTo });
  const moved = async (...given: Parameters<typeof move>) => {
    const reply = await move(...given);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  test('is that in which they were made, until they are moved', async () => {
    const { some, order, list, priority, make } = await backlog();
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = await some(5);
    expect(await order()).toEqual([a, b, c, d, e]);
    await moved([e], 'before', b);
    expect(await order()).toEqual([a, e, b, c, d]);
    await moved([c, a], 'after', d);
    expect(await order()).toEqual([e, b, d, c, a]);
    await moved([a], 'before', e);
    const last = await make();
    expect(await order()).toEqual([a, e, b, d, c, last]);
    const answer = await moved([last, b], 'after', a);
    expect(await order()).toEqual([a, last, b, e, d, c]);
    const page = await list('?limit=2&offset=1');
    expect([page.body, sizeOf(page)]).toEqual([answer, 6]);
    expect(answer[0]).toEqual({ id: last, uri: `artifacts/${last}`, rank: expect.any(Number) });
    for (const { id, rank } of answer)
      expect(entryOf(await readArtifact(alice, id), priority).value).toBe(rank);
  });

  test('goes over all trackers', async () => {
    const [one, two] = [await backlog(), await backlog()];
    const [first = 0] = await one.some(1);
    const [other = 0] = await two.some(1);
    const [second = 0] = await one.some(1);
    await moved([other], 'after', second);
    const rankIn = async ({ priority }: { priority: number }, id: number) =>
      entryOf(await readArtifact(alice, id), priority).value;
    const ranks = [await rankIn(one, first), await rankIn(one, second), await rankIn(two, other)];
    expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
  });

  test('a move shows in the tag of what is moved, and is no change of the artifact', async () => {
    const { some } = await backlog();
    const [a = 0, b = 0] = await some(2);
    const path = `/artifacts/${b}`;
    const before = await alice.get(path);
    const tag = before.headers.get('etag') ?? '';
    await moved([b], 'before', a);
    const after = await alice.get(path, { headers: { 'If-None-Match': tag } });
    expect(after.status).toBe(200);
    expect(versionIn(after)).toBe(versionIn(before));
    expect((await alice.get(`${path}/changesets`)).body).toHaveLength(1);
  });

  test('there is always room at the same place, also for many', async () => {
    const { some, order } = await backlog();
    const ids = await some(30);
    const [first = 0, second = 0, ...others] = ids;
    for (const id of others) await moved([id], 'after', first);
    expect(await order()).toEqual([first, ...others.toReversed(), second]);
    for (const id of others) await moved([id], 'before', second);
    expect(await order()).toEqual([first, ...others, second]);
    for (let turn = 0; turn < 3; turn++) await moved(others.toReversed(), 'before', first);
    expect(await order()).toEqual([...others.toReversed(), first, second]);
    await moved(ids, 'after', (await some(1))[0] ?? 0);
    expect((await order()).slice(1)).toEqual(ids);
  });

  test('moves at the same time leave every artifact with a rank of its own', async () => {
    const { some, order, make } = await backlog();
    const ids = await some(24);
    const [first = 0, ...others] = ids;
    const replies = await Promise.all([
      ...others.map((id, index) => move([id], index % 2 === 0 ? 'after' : 'before', first)),
      ...Array.from({ length: 8 }, make),
    ]);
    for (const reply of replies) if (typeof reply !== 'number') expect(reply.status, reply.text).toBe(200);
    const made = replies.filter((reply) => typeof reply === 'number');
    const all = await order();
    expect(all.toSorted((left, right) => left - right)).toEqual([...ids, ...made.toSorted((a, b) => a - b)]);
    expect(all.slice(-8).toSorted((a, b) => a - b)).toEqual(made.toSorted((a, b) => a - b));
    const place = all.indexOf(first);
    expect(new Set(all.slice(place + 1, place + 13))).toEqual(
      new Set(others.filter((_, index) => index % 2 === 0)),
    );
    const database = await databaseOf(atelier);
    const query = database.sql.selectFrom('artifact').select(['id', 'rank']);
    const rows = await database.all<{ id: number; rank: number | null }>(query);
    await database.close();
    const ranks = rows.map(({ id, rank }) => rank ?? id * 2 ** 20);
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(Math.min(...ranks)).toBeGreaterThan(0);
  });

  test('what is wrong is refused, and nothing moves', async () => {
    const { some, order } = await backlog();
    const [a = 0, b = 0, c = 0] = await some(3);
    for (const [ids, direction, comparedTo, status, words] of [
      [[], 'after', a, 400, 'ids'],
      [[b, b], 'after', a, 400, '`ids`'],
      [[a, b], 'after', a, 400, '`compared_to`'],
      [[a], 'beside', b, 400, 'direction'],
      [Array.from({ length: 501 }, (_, index) => index + 1_000_000), 'after', a, 400, 'ids'],
      [[c, 999_999], 'before', a, 404, ''],
      [[c], 'before', 999_999, 404, ''],
    ] as const) {
      const reply = await move(ids, direction, comparedTo);
      expect([reply.status, messageOf(reply)]).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await order()).toEqual([a, b, c]);
    expect((await move([c], 'before', a, atelier.anonymous)).status).toBe(401);
  });

  test('whoever may change a field of an artifact may move it next to any that they see', async () => {
    const { id, title, some, order } = await backlog();
    const hidden = await backlog();
    const [a = 0, b = 0] = await some(2);
    const [secret = 0] = await hidden.some(1);
    await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
    expect((await move([b], 'before', a, carol)).status).toBe(403);
    expect((await move([b], 'before', secret, bob)).status).toBe(403);
    expect((await move([secret], 'before', a, bob)).status).toBe(403);
    expect(await order()).toEqual([a, b]);
    await moved([b], 'before', a, bob);
    expect(await order()).toEqual([b, a]);
    await setFieldPermissions(alice, title, { can_read: ['1'] });
    expect((await move([a], 'before', b, bob)).status).toBe(403);
    await setPermissions(alice, id, { can_access_submitted_by_user: ['2'] });
    const listed = await bob.get(`/trackers/${id}/artifact_ranks`);
    expect([listed.body, sizeOf(listed)]).toEqual([[], 0]);
    expect((await atelier.admin.patch(`/projects/${project}`, { status: 'suspended' })).status).toBe(200);
    expect((await move([a], 'before', b, atelier.admin)).status).toBe(403);
    await atelier.admin.patch(`/projects/${project}`, { status: 'active' });
  });

  test('an artifact that was there before ranks were has one', async () => {
    const { some, order } = await backlog();
    const [a = 0, b = 0] = await some(2);
    const store = await Store.of(atelier);
    await store.force((tx) => tx.run(tx.sql.updateTable('artifact').set({ rank: null }).where('id', '=', b)));
    await store.close();
    await moved([a], 'after', b);
    expect(await order()).toEqual([b, a]);
  });
});
