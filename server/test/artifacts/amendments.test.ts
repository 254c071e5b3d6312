import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  type EveryField,
  everyField,
  fieldNamed,
  setFieldPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine(
  'PostgreSQL',
  'what is added or taken away is decided in code; only PostgreSQL writes at once',
);

describe.each(engines)('single items added to values and taken away on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let group: string;
  let every: EveryField;
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const colours = (name: string) => valueIds(fieldNamed(every.tracker, name));
  const create = (...values: Readonly<Record<string, unknown>>[]) =>
    submit(alice, every.tracker.id, [entry('string', { value: 'x' }), ...values]);
  const ids = async (id: number, name: string) =>
    entryOf(await readArtifact(alice, id), every.ids[name])?.bind_value_ids;
  const bulk = async (body: object) => {
    const reply = await alice.post(`/trackers/${every.tracker.id}/artifact_changes`, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.results;
  };

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'amend')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test.each(['msb', 'cb', 'tbl'])('a value of %s is added and another taken away', async (name) => {
    const { red = 0, green = 0, blue = 0 } = colours(name);
    const whole =
      name === 'tbl'
        ? { value: { bind_value_objects: [{ id: red }, { id: green }] } }
        : { bind_value_ids: [red, green] };
    const id = await create(entry(name, whole));
    const after = await change(alice, id, [entry(name, { add_value_ids: [blue], remove_value_ids: [red] })]);
    const told = entryOf(after, every.ids[name]);
    expect(told.bind_value_ids).toEqual(name === 'tbl' ? ['green', 'blue'] : [green, blue]);
    const history = await store.changesetsOf(id);
    const again = { add_value_ids: [String(blue), 100], remove_value_ids: [red] };
    await change(alice, id, [entry(name, name === 'tbl' ? { ...again, add_value_ids: [blue] } : again)]);
    expect(await store.changesetsOf(id)).toBe(history);
  });

  test('people and groups are added by the ids that answers give', async () => {
    const id = await create(entry('msb_users', { bind_value_ids: [alice.id] }));
    await change(alice, id, [entry('msb_users', { add_value_ids: [bob.id] })]);
    expect(await ids(id, 'msb_users')).toEqual([alice.id, bob.id]);
    await change(alice, id, [entry('msb_users', { remove_value_ids: [alice.id] })]);
    expect(await ids(id, 'msb_users')).toEqual([bob.id]);
    await change(alice, id, [entry('msb_ugroups', { add_value_ids: [group, `${project}_4`] })]);
    await change(alice, id, [entry('msb_ugroups', { remove_value_ids: [group] })]);
    expect(await ids(id, 'msb_ugroups')).toEqual([`${project}_4`]);
  });

  test('open lists take new words, and give back those that somebody typed', async () => {
    const { red = 0 } = colours('tbl');
    const id = await create(entry('tbl', { bind_value_ids: ['red', 'cart'] }));
    await change(alice, id, [entry('tbl', { add_values: ['ui', 'red'] })]);
    expect(await ids(id, 'tbl')).toEqual(['red', 'cart', 'ui']);
    const objects = entryOf(await readArtifact(alice, id), every.ids['tbl']).bind_value_objects;
    const cart = objects.find(({ label }: { label: string }) => label === 'cart').id;
    await change(alice, id, [entry('tbl', { remove_value_ids: [cart, red] })]);
    expect(await ids(id, 'tbl')).toEqual(['ui']);
  });

  test('links are added with their type and taken away, and the others stay', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    const id = await create(entry('art_link', { links: [{ id: one }, { id: two, type: '_is_child' }] }));
    const after = await change(alice, id, [
      entry('art_link', { add_links: [{ id: three, type: '_is_child' }], remove_links: [one] }),
    ]);
    const links = entryOf(after, every.ids['art_link']).links;
    expect(links.map(({ id, type }: { id: number; type: string }) => [id, type])).toEqual([
      [two, '_is_child'],
      [three, '_is_child'],
    ]);
    const child = await change(alice, one, [entry('art_link', { remove_links: [two], parent: { id } })]);
    expect(entryOf(child, every.ids['art_link']).reverse_links).toMatchObject([{ id, type: '_is_child' }]);
  });

  test('files are added and taken away without naming the others', async () => {
    const [first, second, third] = [
      await store.addFile(alice.id),
      await store.addFile(alice.id, 'b.txt'),
      await store.addFile(alice.id, 'c.txt'),
    ];
    const id = await create(entry('file', { value: [first, second] }));
    const after = await change(alice, id, [entry('file', { add_files: [third], remove_files: [first] })]);
    const told = entryOf(after, every.ids['file']).file_descriptions;
    expect(told.map(({ id }: { id: number }) => id)).toEqual([second, third]);
  });

  test('two people add at once: both are there, and nobody is told of a conflict', async () => {
    const { red = 0, green = 0, blue = 0 } = colours('msb');
    const id = await create(entry('msb', { bind_value_ids: [red] }));
    await Promise.all([
      change(alice, id, [entry('msb', { add_value_ids: [green] })]),
      change(bob, id, [entry('msb', { add_value_ids: [blue] })]),
    ]);
    expect((await ids(id, 'msb')).toSorted()).toEqual([red, green, blue].toSorted());
  });

  test('one request adds a label to many, and says which had it', async () => {
    const { red = 0, green = 0 } = colours('msb');
    const some = [
      await create(entry('msb', { bind_value_ids: [green] })),
      await create(entry('msb', { bind_value_ids: [red] })),
      await create(),
    ];
    const artifacts = some.map((id) => ({ id }));
    const values = [entry('msb', { add_value_ids: [red] })];
    const outcomes = ['changed', 'unchanged', 'changed'];
    const tried = await bulk({ artifacts, values, dry_run: true });
    expect(tried.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
    const made = await bulk({ artifacts, values });
    expect(made.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
    expect(await ids(some[0] ?? 0, 'msb')).toEqual([green, red]);
  });

  test('what somebody may not read stays there when they add to it', async () => {
    const { red = 0, green = 0 } = colours('cb');
    const id = await create(entry('cb', { bind_value_ids: [red] }));
    const all = [`${project}_3`];
    const admins = [`${project}_4`];
    const field = every.ids['cb'] ?? 0;
    await setFieldPermissions(alice, field, { can_read: admins, can_submit: admins, can_update: all });
    const added = await bob.put(`/artifacts/${id}`, { values: [entry('cb', { add_value_ids: [green] })] });
    expect(added.status, added.text).toBe(200);
    expect(await ids(id, 'cb')).toEqual([red, green]);
    await setFieldPermissions(alice, field, { can_read: all, can_submit: all, can_update: all });
  });

  test('XML says the same', async () => {
    const { red = 0, green = 0 } = colours('msb');
    const id = await create(entry('msb', { bind_value_ids: [red] }));
    const other = await create();
    const item = (name: string, content: string) =>
      `<item><field_id>${every.ids[name]}</field_id>${content}</item>`;
    const rawBody =
      `<request><values>${item('msb', `<add_value_ids><item>${green}</item></add_value_ids><remove_value_ids><item>${red}</item></remove_value_ids>`)}` +
      `${item('art_link', `<add_links><item><id>${other}</id><type>_is_child</type></item></add_links><remove_links/>`)}` +
      `${item('tbl', '<add_values><item>late</item></add_values>')}</values></request>`;
    const headers = { 'Content-Type': 'application/xml', Accept: 'application/json' };
    const reply = await alice.request('PUT', `/artifacts/${id}`, { rawBody, headers });
    expect(reply.status, reply.text).toBe(200);
    expect(await ids(id, 'msb')).toEqual([green]);
    expect(await ids(id, 'tbl')).toEqual(['late']);
    expect(entryOf(await readArtifact(alice, id), every.ids['art_link']).links).toMatchObject([
      { id: other },
    ]);
  });

  test('what means nothing is 400 and names the member', async () => {
    const { red = 0, green = 0 } = colours('msb');
    const id = await create(entry('msb', { bind_value_ids: [red] }));
    for (const [name, more, words] of [
      [
        'msb',
        { add_value_ids: [green], bind_value_ids: [red] },
        /`add_value_ids` cannot be combined with `bind_value_ids`/,
      ],
      [
        'tbl',
        { add_values: ['a'], value: { bind_value_objects: [] } },
        /`add_values` cannot be combined with `value`/,
      ],
      ['art_link', { add_links: [{ id }], links: [] }, /`add_links` cannot be combined with `links`/],
      ['file', { remove_files: [1], value: [] }, /`remove_files` cannot be combined with `value`/],
      ['msb', { add_value_ids: green }, /`add_value_ids` must be an array/],
      ['msb', { add_value_ids: [{}] }, /in `add_value_ids` is not an id/],
      ['msb', { add_value_ids: [999_999] }, /999999/],
      ['msb', { remove_value_ids: [999_999] }, /"999999" in `remove_value_ids`/],
      ['msb', { add_value_ids: [red], remove_value_ids: [red] }, /both name/],
      ['msb', { add_values: ['word'] }, /`add_values` is not for fields of the type `msb`/],
      ['sb', { add_value_ids: [red] }, /`add_value_ids` is not for fields of the type `sb`/],
      ['string', { add_value_ids: [red] }, /`add_value_ids` is not for fields of the type `string`/],
      ['art_link', { add_value_ids: [red] }, /`add_value_ids` is not for fields of the type `art_link`/],
      ['art_link', { add_links: [12] }, /Each of `add_links` needs an `id`/],
      ['art_link', { add_links: [{ id: 999_999 }] }, /no artifact 999999/],
      ['art_link', { remove_links: ['x'] }, /"x" in `remove_links` is not an id/],
      ['file', { add_files: ['x'] }, /"x" in `add_files` is not an id/],
    ] as const)
      await refused(store, () => alice.put(`/artifacts/${id}`, { values: [entry(name, more)] }), 400, words);
    const fresh = {
      tracker: { id: every.tracker.id },
      values: [entry('string', { value: 'x' }), entry('msb', { add_value_ids: [red] })],
    };
    await refused(store, () => alice.post('/artifacts', fresh), 400, /a new artifact needs the whole value/);
  });
});
