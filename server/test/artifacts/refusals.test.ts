import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setFieldPermissions,
  setPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'values are refused in words before anything is stored');

describe.each(engines)('values that a field cannot have on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let every: EveryField;
  let id: number;
  let red: number;
  const idOf = (name: string) => every.ids[name]!;
  /** Refused at creation and in a change alike, with words that name the field. */
  const refusedBoth = async (name: string, entry: object, words: string | RegExp = '', status = 400) => {
    const field = { field_id: idOf(name), ...entry };
    const creation = { tracker: { id: every.tracker.id }, values: [field] };
    await refused(store, () => alice.post('/artifacts', creation), status, words || `(${name})`);
    const update = () => alice.put(`/artifacts/${id}`, { values: [field] });
    await refused(store, update, status, words || `(${name})`);
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'refusals')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
    red = valueIds(fieldNamed(every.tracker, 'sb'))['red']!;
    const lists = ['sb', 'rb', 'msb', 'cb'].map((name) => ({
      field_id: idOf(name),
      bind_value_ids: [valueIds(fieldNamed(every.tracker, name))['green']],
    }));
    const texts = ['string', 'text'].map((name) => ({ field_id: idOf(name), value: 'It breaks' }));
    id = await submit(alice, every.tracker.id, [...texts, ...lists]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('more of them than a change may have while everybody else waits', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    await refusedBoth('tbl', { bind_value_ids: ids(1001).map((number) => `typed ${number}`) });
    await refusedBoth('msb', { bind_value_ids: ids(1001) });
    await refusedBoth('file', { value: ids(1001) });
    const links = ids(2002).map((number) => ({ id: number }));
    await refusedBoth('art_link', { links }, /At most 2000 links/);
    const reverse = ids(202).map((number) => ({ id: number, direction: 'reverse', type: '' }));
    await refusedBoth('art_link', { all_links: reverse }, /at most 200 other artifacts/);
  });

  test.each(['string', 'text', 'int', 'float', 'computed'])('%s needs its member', async (name) => {
    for (const entry of [{}, { value: null }, { bind_value_ids: [1] }]) await refusedBoth(name, entry);
  });

  test('string takes one line of text', async () => {
    for (const value of [1, true, false, ['x'], {}, { content: 'x' }, 'a\nb', 'a\rb', 'x'.repeat(65_536)])
      await refusedBoth('string', { value });
    await refusedBoth('string', { value: 'a\0b' }, 'character');
    await refusedBoth('string', { value: '\ud800' }, 'character');
    const { id: tracker } = await createTracker(alice, project);
    const properties = { specific_properties: { maxchars: 3 } };
    const { field_id } = await addField(alice, tracker, { type: 'string', name: 'short', ...properties });
    const values = [{ field_id, value: 'éé🎉x' }];
    await refused(
      store,
      () => alice.post('/artifacts', { tracker: { id: tracker }, values }),
      400,
      '(short)',
    );
    await submit(alice, tracker, [{ field_id, value: 'éé🎉' }]);
  });

  test('text takes text of at most 65535 bytes', async () => {
    for (const value of [1, true, ['x'], 'é'.repeat(32_768), { content: 1 }, { content: 'é'.repeat(32_768) }])
      await refusedBoth('text', { value });
    await change(alice, id, [{ field_id: idOf('text'), value: `${'é'.repeat(32_767)}x` }]);
    await change(alice, id, [{ field_id: idOf('text'), value: '' }]);
  });

  test.each([{}, { format: 'html' }, { contents: 'x' }, { content: null, format: 'text' }])(
    'text without content is not emptied by %j',
    async (value) => {
      await refusedBoth('text', { value }, '`content`');
      const byField = { tracker: { id: every.tracker.id }, values_by_field: { text: { value } } };
      await refused(store, () => alice.post('/artifacts', byField), 400, '`content`');
    },
  );

  test('int and float take numbers', async () => {
    const never = ['abc', true, false, [], [1], {}, ' ', '1 2', '1,5', '0x10', 'NaN', 'Infinity', '1e', '--'];
    for (const value of [...never, 3.5, '3.5', '1e3', '99999999999999999999', 1e21, '9'.repeat(500)])
      await refusedBoth('int', { value });
    for (const value of [...never, '.5', '5.', '1e999', '--1', `1${'0'.repeat(500)}`])
      await refusedBoth('float', { value });
  });

  test('a boolean or a list is no number, even where the stored one looks like it', async () => {
    const numbers = ['int', 'float'].map((name) => ({ field_id: idOf(name), value: 1 }));
    await change(alice, id, numbers);
    for (const value of [true, [1], '0x1', ' 1'])
      for (const name of ['int', 'float']) await refusedBoth(name, { value });
    await change(
      alice,
      id,
      numbers.map((entry) => ({ ...entry, value: 0 })),
    );
    for (const value of [null, false, []])
      for (const name of ['int', 'float']) await refusedBoth(name, { value });
  });

  test('date takes dates that exist', async () => {
    const wrong = ['abc', '2024-02-30', '2024-13-01', '2024-3-1', '01/03/2024', '2024-03-01T25:00:00', 'now'];
    for (const value of [...wrong, 0, 1709251200, true, ['2024-03-01'], {}, '0000-01-01', '10000-01-01'])
      for (const name of ['date', 'datetime']) await refusedBoth(name, { value });
    for (const value of ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])
      for (const name of ['date', 'datetime']) await refusedBoth(name, { value });
  });

  test.each(['sb', 'rb', 'msb', 'cb'])('%s takes a list of the ids of its values', async (name) => {
    const value = valueIds(fieldNamed(every.tracker, name))['red']!;
    const other = red === value ? valueIds(fieldNamed(every.tracker, 'rb'))['red']! : red;
    for (const bind_value_ids of [undefined, null, value, String(value), {}, true, 'red'])
      await refusedBoth(name, { bind_value_ids });
    for (const wrong of [other, 99_999, -1, 'red', 1.5, true, {}, [value], null])
      await refusedBoth(name, { bind_value_ids: [wrong] });
    await refusedBoth(`${name}_users`, { bind_value_ids: [carol.id] });
    await refusedBoth(`${name}_users`, { bind_value_ids: [99_999] });
    await refusedBoth(`${name}_users`, { bind_value_ids: ['bob'] });
    await refusedBoth(`${name}_ugroups`, { bind_value_ids: [99_999] });
    await refusedBoth(`${name}_ugroups`, { bind_value_ids: [`${project + 1}_3`] });
    await refusedBoth(`${name}_ugroups`, { bind_value_ids: ['project_members'] });
  });

  test.each(['sb', 'rb'])('%s takes one value', async (name) => {
    const { red: first, green } = valueIds(fieldNamed(every.tracker, name));
    await refusedBoth(name, { bind_value_ids: [first, green] });
    await refusedBoth(name, { bind_value_ids: [first, 100] });
    await refusedBoth(`${name}_users`, { bind_value_ids: [alice.id, bob.id] });
  });

  test('tbl takes objects or labels', async () => {
    const missing = [
      {},
      { value: 'red' },
      { value: {} },
      { bind_value_ids: 'red' },
      { value: { bind_value_objects: 'x' } },
    ];
    for (const entry of missing) await refusedBoth('tbl', entry);
    const objects = (...bind_value_objects: unknown[]) => ({ value: { bind_value_objects } });
    for (const wrong of [
      {},
      { id: 99_999 },
      { id: 'o99999' },
      { id: 'red' },
      { username: 'bob' },
      'red',
      null,
      { label: '' },
    ])
      await refusedBoth('tbl', objects(wrong));
    for (const label of ['', '  ', null, {}, 'x'.repeat(256)])
      await refusedBoth('tbl', { bind_value_ids: [label] });
    for (const wrong of [
      {},
      { id: carol.id },
      { username: 'nobody-here' },
      { label: 'bob' },
      { email: 'no address' },
    ])
      await refusedBoth('tbl_users', objects(wrong));
    for (const label of ['nobody-here', 'carol']) await refusedBoth('tbl_users', { bind_value_ids: [label] });
    for (const wrong of [{}, { id: 'nowhere' }, { short_name: 'nowhere' }, { label: 'project_members' }])
      await refusedBoth('tbl_ugroups', objects(wrong));
    await refusedBoth('tbl_ugroups', { bind_value_ids: ['nowhere'] });
  });

  test('a value that is typed beside a wrong one is not kept', async () => {
    await refusedBoth('tbl', { value: { bind_value_objects: [{ label: 'brand new' }, { id: 99_999 }] } });
    await refusedBoth('int', { value: 'x', ignored: 'brand new' });
    const values = [
      { field_id: idOf('tbl'), bind_value_ids: ['brand new'] },
      { field_id: idOf('int'), value: 'x' },
    ];
    await refused(store, () => alice.put(`/artifacts/${id}`, { values }), 400, '(int)');
  });

  test('computed takes a number or nothing but the sum', async () => {
    for (const entry of [
      { value: 3 },
      { is_autocomputed: false },
      { is_autocomputed: false, value: 3 },
      { is_autocomputed: true, manual_value: 3 },
      { is_autocomputed: 'constructor', manual_value: 3 },
      { manual_value: 'abc' },
      { manual_value: true },
      { manual_value: [1] },
      { manual_value: '' },
    ])
      await refusedBoth('computed', entry);
  });

  test('perm takes groups of the project', async () => {
    const elsewhere = (await createProject(alice, `elsewhere-${engine.toLowerCase()}`)).id;
    const foreign = await createGroup(alice, elsewhere, 'foreign');
    for (const entry of [
      {},
      { value: [] },
      { value: {} },
      { value: { granted_groups: 'x' } },
      { granted_groups_ids: ['1'] },
    ])
      await refusedBoth('perm', entry);
    for (const wrong of [foreign, `${elsewhere}_3`, 'x', 99_999, true, null, {}, `${project}_99`])
      await refusedBoth('perm', { value: { granted_groups: [wrong] } });
    await refusedBoth('perm', { value: { granted_groups: [], is_used_by_default: true } });
  });

  test('file takes the ids of files that the caller uploaded', async () => {
    const others = await store.addFile(bob.id);
    const own = await store.addFile(alice.id);
    const holder = await submit(alice, every.tracker.id, [{ field_id: idOf('file'), value: [own] }]);
    for (const entry of [
      {},
      { value: 5 },
      { value: {} },
      { value: ['x'] },
      { file_descriptions: [{ id: own }] },
    ])
      await refusedBoth('file', entry);
    await refusedBoth('file', { value: [99_999] }, '99999', 404);
    await refusedBoth('file', { value: [others] }, String(others), 404);
    await refusedBoth('file', { value: [own] }, `File #${own} is already linked to artifact #${holder}`);
    await change(alice, holder, [{ field_id: idOf('file'), value: [] }]);
    await refusedBoth('file', { value: [own] }, `File #${own} not found`, 404);
  });

  test('art_link takes links in one of three forms', async () => {
    const target = await submit(alice, every.tracker.id, [{ field_id: idOf('string'), value: 'target' }]);
    const link = { id: target, direction: 'forward', type: '' };
    for (const entry of [{}, { value: [target] }, { links: target }, { links: {} }, { all_links: 'x' }])
      await refusedBoth('art_link', entry);
    for (const wrong of [
      target,
      {},
      { id: 'x' },
      { id: 0 },
      { id: -1 },
      { id: 1.5 },
      { id: null },
      null,
      [target],
    ])
      await refusedBoth('art_link', { links: [wrong] });
    for (const parent of ['x', 5, {}, { id: 'x' }, { id: 1.5 }, { id: null }, []])
      await refusedBoth('art_link', { parent });
    for (const wrong of [
      { ...link, direction: 'sideways' },
      { ...link, direction: undefined },
      { ...link, type: null },
      { ...link, type: undefined },
      { ...link, type: 5 },
      { ...link, id: 0 },
      { ...link, id: 'x' },
    ])
      await refusedBoth('art_link', { all_links: [wrong] });
    await refusedBoth('art_link', { all_links: [link], links: [] });
    await refusedBoth('art_link', { all_links: [], parent: { id: target } });
  });

  test('links lead to artifacts that can be linked, by types that can be used', async () => {
    const target = await submit(alice, every.tracker.id, [{ field_id: idOf('string'), value: 'target' }]);
    const typed = (type: string) => ({ links: [{ id: target, type }] });
    await atelier.admin.post('/link_types', { shortname: 'blocks', forward_label: 'a', reverse_label: 'b' });
    for (const type of ['nonsense', 'Blocks', '_in_folder', '__proto__'])
      await refusedBoth('art_link', typed(type), `"${type}"`);
    const disable = (...shortnames: string[]) =>
      alice.put(`/projects/${project}/disabled_link_types`, { shortnames });
    expect((await disable('blocks', '_covered_by')).status).toBe(200);
    await refusedBoth('art_link', typed('blocks'), '"blocks"');
    await refusedBoth(
      'art_link',
      { all_links: [{ id: target, type: '_covered_by', direction: 'reverse' }] },
      '_covered_by',
    );
    expect((await disable()).status).toBe(200);
    await refusedBoth('art_link', { links: [{ id: 99_999 }] }, '99999');
    await refusedBoth('art_link', { all_links: [{ id: 99_999, type: '', direction: 'reverse' }] }, '99999');
    const gone = await createTracker(alice, project);
    const name = await addField(alice, gone.id, { type: 'string' });
    const buried = await submit(alice, gone.id, [{ field_id: name.field_id, value: 'x' }]);
    await store.deleteTracker(gone.id);
    await refusedBoth('art_link', { links: [{ id: buried }] }, `tracker of artifact ${buried}`);
    const frozen = await createProject(alice, `frozen-${engine.toLowerCase()}`);
    const cold = await createTracker(alice, frozen.id);
    const field = await addField(alice, cold.id, { type: 'string' });
    const still = await submit(alice, cold.id, [{ field_id: field.field_id, value: 'x' }]);
    await atelier.admin.patch(`/projects/${frozen.id}`, { status: 'suspended' });
    await refusedBoth('art_link', { links: [{ id: still }] }, `project of artifact ${still}`);
  });

  test('a reverse link needs an artifact that the caller sees and whose links they may change', async () => {
    const other = await createTracker(alice, project);
    const name = await addField(alice, other.id, { type: 'string' });
    const there = await submit(alice, other.id, [{ field_id: name.field_id, value: 'x' }]);
    const reverse = { all_links: [{ id: there, direction: 'reverse', type: '' }] };
    await refusedBoth(
      'art_link',
      reverse,
      new RegExp(`Artifact ${there} cannot be linked .* no field for links`),
    );
    await refusedBoth('art_link', { parent: { id: there } }, `Artifact ${there} cannot be linked`);
    const links = await addField(alice, other.id, { type: 'art_link', name: 'links' });
    await setFieldPermissions(alice, links.field_id, { can_read: ['1'], can_submit: ['2'] });
    await refusedBoth('art_link', reverse, `update the field links of artifact ${there}`);
    await setFieldPermissions(alice, links.field_id, { can_read: ['1'], can_update: ['2'] });
    await setPermissions(alice, other.id, { can_access: [`${project}_4`] });
    const values = [{ field_id: idOf('art_link'), ...reverse }];
    await refused(
      store,
      () => bob.put(`/artifacts/${id}`, { values }),
      400,
      `There is no artifact ${there} to link`,
    );
    await change(alice, id, values);
    const { reverse_links: found } = entryOf(await readArtifact(alice, id), idOf('art_link'));
    expect(found.map((link: { id: number }) => link.id)).toEqual([there]);
  });

  test('links that are required are not emptied from their other end', async () => {
    const other = await createTracker(alice, project);
    const more = { type: 'art_link', name: 'links', required: true };
    const { field_id: links } = await addField(alice, other.id, more);
    const made = () => submit(alice, every.tracker.id, [{ field_id: idOf('string'), value: 'x' }]);
    const [first, last] = [await made(), await made()];
    const there = await submit(alice, other.id, [{ field_id: links, links: [{ id: first }, { id: last }] }]);
    const entry = (...all_links: object[]) => ({ field_id: idOf('art_link'), all_links });
    await change(alice, first, [entry()]);
    await refused(
      store,
      () => alice.put(`/artifacts/${last}`, { values: [entry()] }),
      400,
      `The field links of artifact ${there} is required`,
    );
    await change(alice, last, [entry({ id: there, direction: 'reverse', type: '_is_child' })]);
    const { links: left } = entryOf(await readArtifact(alice, there), links);
    expect(left).toMatchObject([{ id: last, type: '_is_child' }]);
  });

  test('the parent of an artifact is not set by those who may not update its links', async () => {
    const parent = await submit(alice, every.tracker.id, [{ field_id: idOf('string'), value: 'parent' }]);
    await setFieldPermissions(alice, idOf('art_link'), { can_read: ['1'], can_update: [`${project}_4`] });
    const values = [{ field_id: idOf('art_link'), parent: { id: parent } }];
    await refused(store, () => bob.put(`/artifacts/${id}`, { values }), 400, 'update the field');
  });
});
