import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, messageOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import {
  type Atelier,
  type Caller,
  oneEngine,
  type Person,
  type Reply,
  startAtelier,
} from '../harness/atelier.ts';

interface Link {
  readonly id: number;
  readonly type: string | null;
}

const engines = oneEngine('PostgreSQL', 'links are compared in code with what was there');

describe.each(engines)('links of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: { id: number; item_name: string; label: string };
  let title: number;
  let text: number;
  let links: number;
  let cross: number;
  const create = (more: object = {}) =>
    submit(alice, tracker.id, [{ field_id: title, value: 'x' }, ...('field_id' in more ? [more] : [])]);
  const several = async (count: number) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) ids.push(await create());
    return ids as [number, number, number, number];
  };
  const entry = (more: object) => ({ field_id: links, ...more });
  const idsOf = (found: readonly Link[]) => found.map(({ id }) => id);
  const short = (found: readonly Link[]) => found.map(({ id, type }) => [id, type]);
  const linksOf = async (id: number, caller: Caller = alice) => {
    const { links: forward, reverse_links: reverse } = entryOf(await readArtifact(caller, id), links);
    return { forward: short(forward), reverse: short(reverse) };
  };
  const crossOf = async (id: number): Promise<Value[]> => entryOf(await readArtifact(alice, id), cross).value;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'linked')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    tracker = await createTracker(alice, project, { item_name: 'bug', label: 'Bugs' });
    title = (await addField(alice, tracker.id, { type: 'string', name: 'title' })).field_id;
    text = (await addField(alice, tracker.id, { type: 'text', name: 'text' })).field_id;
    links = (await addField(alice, tracker.id, { type: 'art_link', name: 'links' })).field_id;
    cross = (await addField(alice, tracker.id, { type: 'cross', name: 'cross' })).field_id;
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('the seed’s links at creation: typed, custom and without type', async () => {
    const [first, second, third] = await several(3);
    const sent = [{ id: third }, { id: String(first), type: '_is_child' }, { id: second, type: 'custom' }];
    const id = await create(entry({ links: sent }));
    const found = entryOf(await readArtifact(alice, id), links);
    expect(found.links[0]).toEqual({
      type: '_is_child',
      id: first,
      uri: `artifacts/${first}`,
      tracker: {
        id: tracker.id,
        uri: `trackers/${tracker.id}`,
        label: 'Bugs',
        color: 'inca-silver',
        project: { id: project, uri: `projects/${project}`, label: 'Project linked', icon: '' },
      },
    });
    expect(short(found.links)).toEqual([
      [first, '_is_child'],
      [second, 'custom'],
      [third, null],
    ]);
    expect(found.reverse_links).toEqual([]);
    expect((await linksOf(first)).reverse).toEqual([[id, '_is_child']]);
    expect(await store.changesetsOf(first)).toBe(1);
  });

  test('links are the complete set: new ones are added, others retyped, missing ones removed', async () => {
    const [first, second, third] = await several(3);
    const id = await create(entry({ links: [{ id: first }, { id: second, type: '_covered_by' }] }));
    await change(alice, id, [
      entry({
        links: [
          { id: second, type: 'custom' },
          { id: third, type: '' },
        ],
      }),
    ]);
    expect((await linksOf(id)).forward).toEqual([
      [second, 'custom'],
      [third, null],
    ]);
    expect((await linksOf(first)).reverse).toEqual([]);
    for (const type of [null, 5, {}, undefined])
      await change(alice, id, [entry({ links: [{ id: second, type }] })]);
    expect((await linksOf(id)).forward).toEqual([[second, null]]);
    const doubled = [{ id: first }, { id: second }, { id: first, type: 'custom' }, { id }];
    await change(alice, id, [entry({ links: doubled })]);
    expect((await linksOf(id)).forward).toEqual([
      [first, 'custom'],
      [second, null],
    ]);
    await change(alice, id, [entry({ links: [] })]);
    expect(await linksOf(id)).toEqual({ forward: [], reverse: [] });
  });

  test('links that are null are no links at all, and remove none', async () => {
    const target = await create();
    const id = await create(entry({ links: [{ id: target }] }));
    const values = [entry({ links: null, reverse_links: [] })];
    expect((await alice.put(`/artifacts/${id}`, { values })).status).toBe(400);
    expect((await linksOf(id)).forward).toEqual([[target, null]]);
  });

  test('the same links in another order are no change', async () => {
    const [first, second] = await several(2);
    const id = await create(entry({ links: [{ id: first }, { id: second, type: 'custom' }] }));
    await change(alice, id, [
      entry({
        links: [
          { id: second, type: 'custom' },
          { id: first, type: null },
        ],
      }),
    ]);
    expect(await store.changesetsOf(id)).toBe(1);
  });

  test('a parent gets a link to its child, beside what both have', async () => {
    const [mother, father, other] = await several(3);
    const id = await create(entry({ parent: { id: mother }, links: [{ id: other }] }));
    expect(await linksOf(id)).toEqual({ forward: [[other, null]], reverse: [[mother, '_is_child']] });
    expect(await store.changesetsOf(mother)).toBe(2);
    await change(alice, id, [entry({ parent: { id: String(father) } })]);
    expect((await linksOf(id)).reverse).toEqual([
      [mother, '_is_child'],
      [father, '_is_child'],
    ]);
    expect((await linksOf(id)).forward).toEqual([[other, null]]);
    const before = await store.traces();
    for (const parent of [{ id: father }, { id: 99_999 }, { id }, null])
      await change(alice, id, [entry({ parent, links: [{ id: other }] })]);
    expect(await store.traces()).toEqual(before);
    expect((await readArtifact(bob, mother)).last_update_by).toBe(alice.id);
  });

  test('all_links are the complete set in both directions', async () => {
    const [first, second, third] = await several(3);
    const id = await create(
      entry({
        all_links: [
          { id: first, direction: 'reverse', type: '_is_child' },
          { id: second, direction: 'forward', type: '' },
          { id: second, direction: 'reverse', type: 'custom' },
        ],
      }),
    );
    expect(await linksOf(id)).toEqual({
      forward: [[second, null]],
      reverse: [
        [first, '_is_child'],
        [second, 'custom'],
      ],
    });
    const { version } = { version: await store.changesetsOf(id) };
    await change(alice, id, [
      entry({
        all_links: [
          { id: second, direction: 'forward', type: '' },
          { id: second, direction: 'reverse', type: '' },
          { id: third, direction: 'reverse', type: '_covered_by' },
          { id, direction: 'forward', type: '' },
        ],
      }),
    ]);
    expect((await linksOf(id)).reverse).toEqual([
      [second, null],
      [third, '_covered_by'],
    ]);
    expect(await store.changesetsOf(id)).toBe(version);
    expect(await store.changesetsOf(first)).toBe(3);
    expect(await store.changesetsOf(third)).toBe(2);
    await change(alice, id, [entry({ all_links: [] })]);
    expect(await linksOf(id)).toEqual({ forward: [], reverse: [] });
  });

  test('links to artifacts that the caller does not see are not shown, and stay', async () => {
    const hidden = await createTracker(alice, project);
    const name = (await addField(alice, hidden.id, { type: 'string' })).field_id;
    const there = (await addField(alice, hidden.id, { type: 'art_link' })).field_id;
    const unseen = await submit(alice, hidden.id, [{ field_id: name, value: 'x' }]);
    const [seen] = await several(1);
    const id = await create(entry({ links: [{ id: seen }, { id: unseen, type: 'custom' }] }));
    const source = await submit(alice, hidden.id, [{ field_id: there, links: [{ id }] }]);
    await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
    expect(await linksOf(id, bob)).toEqual({ forward: [[seen, null]], reverse: [] });
    await change(bob, id, [entry({ links: [] })]);
    expect(await linksOf(id, bob)).toEqual({ forward: [], reverse: [] });
    expect((await linksOf(id)).forward).toEqual([[unseen, 'custom']]);
    await change(bob, id, [entry({ all_links: [] })]);
    expect(await linksOf(id)).toEqual({ forward: [[unseen, 'custom']], reverse: [[source, null]] });
    await change(bob, id, [entry({ links: [{ id: unseen, type: 'custom' }] })]);
    expect((await linksOf(id)).forward).toEqual([[unseen, 'custom']]);
  });

  test('a link is told by the field that holds it: whoever may not read that one sees it from neither end, and it stays', async () => {
    const other = await createTracker(alice, project);
    const name = (await addField(alice, other.id, { type: 'string' })).field_id;
    const field = (await addField(alice, other.id, { type: 'art_link' })).field_id;
    const [id] = await several(1);
    const source = await submit(alice, other.id, [
      { field_id: name, value: 'x' },
      { field_id: field, links: [{ id }] },
    ]);
    await setFieldPermissions(alice, field, { can_read: [`${project}_4`] });
    const linked = async (caller: Caller) =>
      idsOf((await caller.get(`/artifacts/${id}/linked_artifacts?direction=reverse`)).body.collection);
    expect([await linksOf(id, bob), await linked(bob)]).toEqual([{ forward: [], reverse: [] }, []]);
    expect([(await linksOf(id)).reverse, await linked(alice)]).toEqual([[[source, null]], [source]]);
    await change(bob, id, [entry({ all_links: [] })]);
    expect((await linksOf(id)).reverse).toEqual([[source, null]]);
  });

  test('a field of links that is required is asked for by every change of an artifact without a link', async () => {
    const strict = await createTracker(alice, project);
    const name = (await addField(alice, strict.id, { type: 'string' })).field_id;
    const field = (await addField(alice, strict.id, { type: 'art_link', name: 'needs' })).field_id;
    const [target] = await several(1);
    const bare = await submit(alice, strict.id, [{ field_id: name, value: 'x' }]);
    const linked = await submit(alice, strict.id, [{ field_id: field, links: [{ id: target }] }]);
    expect((await alice.patch(`/tracker_fields/${field}/settings`, { required: true })).status).toBe(200);
    const rename = { field_id: name, value: 'y' };
    const put = (id: number, ...values: object[]) => alice.put(`/artifacts/${id}`, { values });
    const refusal = await put(bare, rename);
    expect([refusal.status, messageOf(refusal)]).toEqual([400, expect.stringContaining('needs')]);
    // As for every field: what was read can be sent back.
    expect((await put(bare, rename, { field_id: field, links: [] })).status).toBe(200);
    expect((await put(linked, rename, { field_id: field, links: [] })).status).toBe(400);
    expect((await put(linked, rename)).status).toBe(200);
    expect((await put(bare, rename, { field_id: field, links: [{ id: target }] })).status).toBe(200);
    expect((await put(bare, { field_id: name, value: 'z' })).status).toBe(200);
  });

  test('a new link to what the caller does not see is refused in the words of a missing one, by every way', async () => {
    const hidden = await createTracker(alice, project);
    const name = (await addField(alice, hidden.id, { type: 'string' })).field_id;
    const field = (await addField(alice, hidden.id, { type: 'art_link' })).field_id;
    const linked = await submit(alice, hidden.id, [{ field_id: name, value: 'x' }]);
    const unseen = await submit(alice, hidden.id, [{ field_id: name, value: 'y' }]);
    const id = await create(entry({ links: [{ id: linked }] }));
    await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
    const missing = 99_999_999;
    const ways: ((target: number) => Promise<Reply>)[] = [
      (target) => bob.post('/artifacts', { tracker, values: [entry({ links: [{ id: target }] })] }),
      (target) =>
        bob.put(`/artifacts/${id}`, { values: [entry({ links: [{ id: target, type: 'custom' }] })] }),
      ...['forward', 'reverse'].map(
        (direction) => (target: number) =>
          bob.put(`/artifacts/${id}`, {
            values: [entry({ all_links: [{ id: target, direction, type: '' }] })],
          }),
      ),
      (target) =>
        bob.post(`/trackers/${tracker.id}/artifact_changes`, {
          artifacts: [{ id }],
          values: [entry({ links: [{ id: target }] })],
        }),
      (target) => bob.post(`/trackers/${tracker.id}/artifacts_import`, { csv: `title,links\nx,${target}\n` }),
      (target) =>
        bob.request('PUT', `/artifacts/${id}`, {
          rawBody: `<request><values><item><field_id>${links}</field_id><links><item><id>${target}</id></item></links></item></values></request>`,
          headers: { 'Content-Type': 'application/xml' },
        }),
    ];
    const before = await store.traces();
    for (const [index, way] of ways.entries()) {
      const told = async (target: number) => {
        const { status, text } = await way(target);
        return [status, text.replaceAll(String(target), 'N')];
      };
      const [refusal, other] = [await told(missing), await told(unseen)];
      expect(other, `way ${index}`).toEqual(refusal);
      expect(other[1], `way ${index}`).toContain('There is no artifact N to link.');
    }
    // A parent that is missing is passed over.
    for (const parent of [missing, unseen]) await change(bob, id, [entry({ parent: { id: parent } })]);
    // A link that is there is no new one, unless its type is.
    await change(bob, id, [entry({ links: [{ id: linked }] })]);
    const retyped = { values: [entry({ links: [{ id: linked, type: 'custom' }] })] };
    expect((await bob.put(`/artifacts/${id}`, retyped)).status).toBe(400);
    expect(await store.traces()).toEqual(before);
    await change(alice, id, [entry({ links: [{ id: unseen }] })]);
    await change(alice, unseen, [{ field_id: field, links: [{ id }] }]);
  });

  test('a link of a type that nobody can make any more can be sent back, and replaced', async () => {
    const [target] = await several(1);
    const id = await create(entry({ links: [{ id: target }] }));
    await store.force(async (tx) => {
      const rows = tx.sql.updateTable('artifact_link').set({ type: '_in_folder' });
      await tx.run(rows.where('source_id', '=', id));
    });
    const { values } = await readArtifact(alice, id);
    await change(alice, id, values as Value[]);
    expect((await linksOf(id)).forward).toEqual([[target, '_in_folder']]);
    expect(await store.changesetsOf(id)).toBe(1);
    await change(alice, id, [entry({ links: [{ id: target }] })]);
    const again = { values: [entry({ links: [{ id: target, type: '_in_folder' }] })] };
    expect((await alice.put(`/artifacts/${id}`, again)).status).toBe(400);
  });

  test('links and words make cross references: out, then in, then both', async () => {
    const [target, source, both] = await several(3);
    const id = await create(entry({ links: [{ id: target }, { id: both }] }));
    await change(alice, source, [entry({ links: [{ id }] })]);
    await change(alice, both, [{ field_id: title, value: `like bug #${id} and bug #${id}` }]);
    const of = (other: number, direction: string) => ({
      ref: `bug #${other}`,
      url: `${atelier.url}/goto?key=bug&val=${other}&group_id=${project}`,
      direction,
    });
    expect(await crossOf(id)).toEqual([of(target, 'out'), of(source, 'in'), of(both, 'both')]);
    await change(alice, id, [entry({ links: [] })]);
    expect(await crossOf(id)).toEqual([of(source, 'in'), of(both, 'in')]);
  });

  test('references in lines, texts and comments come and go with the words', async () => {
    const [target] = await several(1);
    const id = await create();
    const texts = [
      { field_id: title, value: `as art #${target}` },
      { field_id: text, value: { content: `see artifact #${target} and art #99999`, format: 'html' } },
    ];
    for (const sent of texts) {
      await change(alice, id, [sent]);
      expect(await crossOf(id)).toMatchObject([
        { direction: 'out', url: expect.stringContaining(`val=${target}&`) },
      ]);
      expect(await crossOf(target)).toMatchObject([{ ref: `bug #${id}`, direction: 'in' }]);
      await change(alice, id, [{ ...sent, value: 'nothing' }]);
      expect([await crossOf(id), await crossOf(target)]).toEqual([[], []]);
    }
    await change(alice, id, [], { comment: { body: `as bug #${target}`, format: 'commonmark' } });
    expect(await crossOf(target)).toMatchObject([{ direction: 'in' }]);
    await change(alice, id, [{ field_id: title, value: 'other' }]);
    expect(await crossOf(target)).toMatchObject([{ direction: 'in' }]);
    await change(alice, id, [{ field_id: title, value: `this is art #${id}` }]);
    expect(await crossOf(id)).toMatchObject([{ direction: 'out' }]);
  });
});
