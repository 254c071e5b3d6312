import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  readTracker,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const closed = ['sb', 'rb', 'msb', 'cb'];
const multiple = ['msb', 'cb'];

const engines = oneEngine(
  'SQLite',
  'what a list takes is decided in code; that values are kept is in properties.test.ts, on both',
);

describe.each(engines)('values of lists on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let group: string;
  let every: EveryField;
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const shown = (body: Value, name: string) => {
    const { field_id: _, type: __, label: ___, ...rest } = entryOf(body, every.ids[name]) ?? {};
    return rest;
  };
  const colours = (name: string) => valueIds(fieldNamed(every.tracker, name));
  /** What is read after ids were sent, at creation and in a change. */
  const chosen = async (name: string, bind_value_ids: readonly unknown[], from: readonly unknown[] = []) => {
    const made = await submit(alice, every.tracker.id, [entry(name, { bind_value_ids })]);
    const changed = await submit(alice, every.tracker.id, [entry(name, { bind_value_ids: from })]);
    const after = shown(await change(alice, changed, [entry(name, { bind_value_ids })]), name);
    expect(shown(await readArtifact(alice, made), name)).toEqual(after);
    return after;
  };
  const objects = (...bind_value_objects: unknown[]) => ({ value: { bind_value_objects } });
  /** What is read of an open list after an entry was sent. */
  const typed = async (name: string, sent: object) => {
    const id = await submit(alice, every.tracker.id, [entry('string', { value: 'x' })]);
    return shown(await change(alice, id, [entry(name, sent)]), name);
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'choices')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test.each(closed)('%s of static values takes ids, as numbers or text', async (name) => {
    const { red, green } = colours(name);
    const value = { id: red, label: 'red', color: null, tlp_color: null, is_hidden: false };
    for (const ids of [[red], [String(red)], [red, red], [red, 0], [0, String(red), red], [red, '']])
      expect(await chosen(name, ids, [green])).toEqual({ values: [value], bind_value_ids: [red] });
  });

  test.each(closed)('%s is emptied by none, nothing and zero', async (name) => {
    const { red } = colours(name);
    for (const ids of [[], [100], ['100'], [0]])
      expect(await chosen(name, ids, [red])).toEqual({ values: [], bind_value_ids: [] });
    for (const ids of [[], [100]])
      expect(await chosen(`${name}_ugroups`, ids, [`${project}_3`])).toEqual({
        values: [],
        bind_value_ids: [],
      });
    for (const ids of [[], [100]])
      expect(await chosen(`${name}_users`, ids, [bob.id])).toEqual({
        values: [expect.objectContaining({ id: null, username: null, is_anonymous: true })],
        bind_value_ids: [100],
      });
  });

  test.each(multiple)('%s takes several values', async (name) => {
    const { red, green, blue } = colours(name);
    expect((await chosen(name, [red, blue, red], [green])).bind_value_ids).toEqual([red, blue]);
    expect((await chosen(name, [100, blue], [green])).bind_value_ids).toEqual([blue]);
    const people = await chosen(`${name}_users`, [bob.id, alice.id]);
    expect(people.values.map((user: Value) => user.username)).toEqual(['bob', 'alice']);
    expect(people.bind_value_ids).toEqual([bob.id, alice.id]);
    const groups = await chosen(`${name}_ugroups`, [group, `${project}_4`]);
    expect(groups.bind_value_ids).toEqual([group, `${project}_4`]);
  });

  test('the order in which values are chosen is no change', async () => {
    const { red, green } = colours('msb');
    const id = await submit(alice, every.tracker.id, [entry('msb', { bind_value_ids: [red, green] })]);
    const after = await change(alice, id, [entry('msb', { bind_value_ids: [green, red] })]);
    expect(shown(after, 'msb').bind_value_ids).toEqual([red, green]);
    expect(await store.changesetsOf(id)).toBe(1);
  });

  test.each(closed)(
    '%s of users takes their ids and shows them whole to those who are logged in',
    async (name) => {
      const { values, bind_value_ids: ids } = await chosen(`${name}_users`, [String(bob.id)], [alice.id]);
      expect(ids).toEqual([bob.id]);
      expect(values).toEqual([
        {
          id: bob.id,
          uri: `users/${bob.id}`,
          user_url: '/users/bob',
          real_name: 'bob Doe',
          display_name: 'bob Doe (bob)',
          username: 'bob',
          ldap_id: null,
          avatar_url: expect.stringMatching(/^http/),
          is_anonymous: false,
          has_avatar: true,
          email: 'bob@example.com',
          status: 'A',
        },
      ]);
      const id = await submit(alice, every.tracker.id, [
        entry(`${name}_users`, { bind_value_ids: [bob.id] }),
      ]);
      const seen = await readArtifact(atelier.anonymous as Person, id);
      const [user] = shown(seen, `${name}_users`).values;
      expect([user.email, user.status]).toEqual([undefined, undefined]);
      const none = await submit(alice, every.tracker.id, [entry(`${name}_users`, { bind_value_ids: [] })]);
      const noneSeen = shown(await readArtifact(atelier.anonymous as Person, none), `${name}_users`);
      expect(Object.keys(noneSeen.values[0])).toEqual(Object.keys(user));
      const noneWhole = shown(await readArtifact(alice, none), `${name}_users`).values[0];
      expect([noneWhole.email, noneWhole.status]).toEqual([null, null]);
    },
  );

  test.each(closed)('%s of groups takes their ids, or those of the values', async (name) => {
    const field = `${name}_ugroups`;
    const offered = fieldNamed(every.tracker, field).values as {
      id: number;
      ugroup_reference: { id: string };
    }[];
    const value = offered.find(({ ugroup_reference: { id } }) => id === group)!;
    const members = offered.find(({ ugroup_reference: { id } }) => id === `${project}_3`)!;
    for (const given of [group, Number(group), value.id, String(value.id)])
      expect(await chosen(field, [given], [`${project}_3`])).toEqual({
        values: [expect.objectContaining({ id: group, short_name: 'testers', uri: `user_groups/${group}` })],
        bind_value_ids: [group],
      });
    expect((await chosen(field, [members.id], [group])).bind_value_ids).toEqual([`${project}_3`]);
  });

  test('the id of a group counts before that of a value, also when it is the value that is stored', async () => {
    const { id } = await createTracker(alice, project);
    const bind = { type: 'ugroups', groups: [`${project}_3`] };
    const { field_id, values } = await addField(alice, id, { type: 'sb', bind });
    const [members] = values as { id: number }[];
    const late = await createGroup(alice, project, 'late');
    await store.force(async (tx) => {
      const groups = tx.sql.updateTable('user_group').set({ id: members!.id });
      await tx.run(groups.where('id', '=', Number(late)));
    });
    const group = String(members!.id);
    expect((await alice.post(`/tracker_fields/${field_id}/values`, { groups: [group] })).status).toBe(201);
    const made = await submit(alice, id, [{ field_id, bind_value_ids: [`${project}_3`] }]);
    const after = await change(alice, made, [{ field_id, bind_value_ids: [group] }]);
    expect(entryOf(after, field_id).bind_value_ids).toEqual([group]);
  });

  test('a hidden value can be chosen and shown, and is no default', async () => {
    const { id } = await createTracker(alice, project);
    const values = [
      { label: 'old', is_hidden: true, color: 'fiesta-red', is_default: true },
      { label: 'rgb', color: '#0a0b0c' },
    ];
    const fields: number[] = [];
    for (const type of [...closed, 'tbl'])
      fields.push(
        (await addField(alice, id, { type, name: type, bind: { type: 'static', values } })).field_id,
      );
    const tracker = await readTracker(alice, id);
    const made = await submit(
      alice,
      id,
      closed.map((name) => {
        const field = fieldNamed(tracker, name);
        return { field_id: field.field_id, bind_value_ids: [valueIds(field)['old']] };
      }),
    );
    const body = await readArtifact(alice, made);
    for (const field of fields.slice(0, -1))
      expect(entryOf(body, field).values).toEqual([
        { id: expect.any(Number), label: 'old', color: null, tlp_color: 'fiesta-red', is_hidden: true },
      ]);
    const plain = await submit(alice, id, [{ field_id: fields[0], bind_value_ids: [] }]);
    const untouched = await readArtifact(alice, plain);
    for (const field of fields.slice(1, -1)) expect(entryOf(untouched, field).values).toEqual([]);
    expect(entryOf(untouched, fields.at(-1)).bind_value_objects).toEqual([]);
    const rgb = fieldNamed(tracker, 'sb');
    const coloured = await change(alice, plain, [
      { field_id: rgb.field_id, bind_value_ids: [valueIds(rgb)['rgb']] },
    ]);
    expect(entryOf(coloured, rgb.field_id).values[0]).toMatchObject({
      color: { r: 10, g: 11, b: 12 },
      tlp_color: null,
    });
  });

  test('somebody who left stays chosen, and can be sent back, but not chosen anew', async () => {
    const dora = await atelier.createUser(`dora-${engine.toLowerCase()}`);
    await setMembers(alice, `${project}_3`, [alice, bob, dora]);
    const sent = ['sb_users', 'msb_users'].map((name) => entry(name, { bind_value_ids: [dora.id] }));
    const open = entry('tbl_users', objects({ id: dora.id }));
    const id = await submit(alice, every.tracker.id, [...sent, open]);
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const before = await readArtifact(alice, id);
    for (const values of [[...before.values!, ...sent], [open]]) {
      const { status, text } = await alice.put(`/artifacts/${id}`, { values });
      expect(status, text).toBe(200);
      expect(await store.changesetsOf(id)).toBe(1);
    }
    const refused = { tracker: { id: every.tracker.id }, values: [sent[0]] };
    expect((await alice.post('/artifacts', refused)).status).toBe(400);
  });

  test('lists with somebody who left, or whose account is suspended, are read, changed and written', async () => {
    const left = await atelier.createUser(`gone-${engine.toLowerCase()}`);
    const suspended = await atelier.createUser(`asleep-${engine.toLowerCase()}`);
    await setMembers(alice, `${project}_3`, [alice, bob, left, suspended]);
    const people = [bob.id, left.id, suspended.id];
    const open = people.map((id) => ({ id }));
    const guest = { email: 'guest@example.org' };
    const made = () =>
      submit(alice, every.tracker.id, [
        entry('msb_users', { bind_value_ids: people }),
        entry('tbl_users', objects(...open, guest)),
      ]);
    const ids = [await made(), await made()];
    const plain = await submit(alice, every.tracker.id, [entry('msb_users', { bind_value_ids: [bob.id] })]);
    await setMembers(alice, `${project}_3`, [alice, bob, suspended]);
    expect((await atelier.admin.patch(`/users/${suspended.id}`, { status: 'S' })).status).toBe(200);
    for (const id of ids) {
      const closedAfter = async (...bind_value_ids: unknown[]) =>
        shown(await change(alice, id, [entry('msb_users', { bind_value_ids })]), 'msb_users').bind_value_ids;
      expect(await closedAfter(...people, alice.id)).toEqual([...people, alice.id]);
      expect(await closedAfter(String(left.id), suspended.id)).toEqual([left.id, suspended.id]);
      expect(await closedAfter(suspended.id)).toEqual([suspended.id]);
      const openAfter = async (sent: object) =>
        shown(await change(alice, id, [entry('tbl_users', sent)]), 'tbl_users').bind_value_objects.map(
          ({ username, label }: Value) => username ?? label,
        );
      const everybody = ['bob', left.name, suspended.name, 'alice', 'guest@example.org'];
      expect(await openAfter(objects(...open, guest, { id: alice.id }))).toEqual(everybody);
      const named = [left, suspended, alice].map(({ name }) => ({ username: name }));
      expect(await openAfter(objects(...named))).toEqual([left.name, suspended.name, 'alice']);
      expect(await openAfter(objects({ email: `${left.name}@example.com` }, { id: suspended.id }))).toEqual([
        left.name,
        suspended.name,
      ]);
      const { bind_value_ids: labels } = shown(await readArtifact(alice, id), 'tbl_users');
      expect(await openAfter({ bind_value_ids: [...labels, 'bob'] })).toEqual([
        left.name,
        suspended.name,
        'bob',
      ]);
      expect(await openAfter({ bind_value_ids: [suspended.name] })).toEqual([suspended.name]);
      // Whoever was taken out is not chosen anew.
      for (const value of [
        entry('msb_users', { bind_value_ids: [left.id, suspended.id] }),
        entry('tbl_users', objects({ id: left.id }, { id: suspended.id })),
        entry('tbl_users', { bind_value_ids: [left.name] }),
      ])
        expect((await alice.put(`/artifacts/${id}`, { values: [value] })).status).toBe(400);
    }
    const stranger = { values: [entry('msb_users', { bind_value_ids: [bob.id, left.id] })] };
    expect((await alice.put(`/artifacts/${plain}`, stranger)).status).toBe(400);
  });

  test('tbl of static values takes objects and labels, and keeps what is typed', async () => {
    const { red } = colours('tbl');
    const predefined = { id: red, label: 'red', color: null, tlp_color: null, is_hidden: false };
    for (const sent of [
      objects({ id: red }),
      objects({ id: String(red) }),
      objects({ id: red }, { id: red }),
      { bind_value_ids: ['red'] },
    ])
      expect(await typed('tbl', sent)).toEqual({
        bind_type: 'static',
        bind_value_objects: [predefined],
        bind_value_ids: ['red'],
      });
    const made = await typed('tbl', objects({ label: 'a, b' }, { id: red }));
    const [, own] = made.bind_value_objects;
    expect(own).toEqual({ id: expect.stringMatching(/^o\d+$/), label: 'a, b' });
    expect(made.bind_value_ids).toEqual(['red', 'a, b']);
    for (const sent of [
      objects({ label: 'a, b' }),
      objects({ id: own.id }),
      { bind_value_ids: ['a, b', 'a, b'] },
    ])
      expect((await typed('tbl', sent)).bind_value_objects).toEqual([own]);
    const other = await typed('tbl', { bind_value_ids: ['A, b', ' a, b '] });
    expect(other.bind_value_ids).toEqual(['A, b', ' a, b ']);
    const wins = await typed('tbl', { ...objects({ id: red }), bind_value_ids: ['unheard of'] });
    expect(wins.bind_value_ids).toEqual(['red']);
    const { values } = fieldNamed(await readTracker(alice, every.tracker.id), 'tbl');
    const labels = (values as { label: string }[]).map(({ label }) => label);
    expect(labels).toEqual(['red', 'green', 'blue', 'a, b', 'A, b', ' a, b ']);
    for (const sent of [objects(), { bind_value_ids: [] }])
      expect(await typed('tbl', sent)).toEqual({
        bind_type: 'static',
        bind_value_objects: [],
        bind_value_ids: [],
      });
  });

  test('tbl of users takes ids, names and addresses', async () => {
    for (const sent of [
      objects({ id: bob.id }),
      objects({ username: 'bob' }),
      objects({ email: 'bob@example.com' }),
      { bind_value_ids: ['bob'] },
    ]) {
      const found = await typed('tbl_users', sent);
      expect(found.bind_type).toBe('users');
      expect(found.bind_value_objects).toEqual([expect.objectContaining({ id: bob.id, username: 'bob' })]);
      expect(found.bind_value_ids).toEqual(['bob Doe (bob)']);
    }
    for (const sent of [objects({ email: 'guest@example.org' }), { bind_value_ids: ['guest@example.org'] }]) {
      const found = await typed('tbl_users', sent);
      expect(found.bind_value_objects).toEqual([
        { id: expect.stringMatching(/^o/), label: 'guest@example.org' },
      ]);
    }
  });

  test('tbl of groups takes ids and names', async () => {
    for (const sent of [
      objects({ id: group }),
      objects({ short_name: 'testers' }),
      { bind_value_ids: ['testers'] },
    ]) {
      const found = await typed('tbl_ugroups', sent);
      expect(found.bind_value_objects).toEqual([
        expect.objectContaining({ id: group, short_name: 'testers' }),
      ]);
      expect([found.bind_type, found.bind_value_ids]).toEqual(['ugroups', ['testers']]);
    }
    const members = await typed(
      'tbl_ugroups',
      objects({ id: `${project}_3` }, { short_name: 'project_admins' }),
    );
    const labels = ['Project members', 'Project administrators'];
    expect(members.bind_value_ids).toEqual(labels);
    expect((await typed('tbl_ugroups', { bind_value_ids: labels })).bind_value_objects).toEqual(
      members.bind_value_objects,
    );
  });

  test('tbl of static values takes a label in an object for what people type, whatever the field defines', async () => {
    const { red } = colours('tbl');
    const own = { id: expect.stringMatching(/^o/), label: 'red' };
    const both = await typed('tbl', objects({ label: 'red' }, { id: red }));
    expect(both.bind_value_objects).toEqual([expect.objectContaining({ id: red }), own]);
    expect(both.bind_value_ids).toEqual(['red', 'red']);
    const id = await submit(alice, every.tracker.id, [entry('tbl', objects({ label: 'red' }))]);
    const { values } = await readArtifact(alice, id);
    expect(shown({ values }, 'tbl').bind_value_objects).toEqual([own]);
    await change(alice, id, values!);
    expect(await store.changesetsOf(id)).toBe(1);
  });

  test('tbl of groups offers and takes every group of the project, also those made later', async () => {
    const offered = async () => {
      const { values } = fieldNamed(await readTracker(alice, every.tracker.id), 'tbl_ugroups');
      return (values as { short_name: string }[]).map(({ short_name }) => short_name);
    };
    const builtIn = ['project_members', 'project_admins', 'file_manager_admins', 'wiki_admins'];
    const before = await offered();
    expect(before.slice(0, 5)).toEqual([...builtIn, 'testers']);
    const late = await createGroup(alice, project, 'latecomers');
    expect(new Set(await offered())).toEqual(new Set([...before, 'latecomers']));
    const id = await submit(alice, every.tracker.id, [entry('tbl_ugroups', objects({ id: late }))]);
    const wiki = objects({ short_name: 'latecomers' }, { id: `${project}_14` });
    const after = await change(alice, id, [entry('tbl_ugroups', wiki)]);
    expect(shown(after, 'tbl_ugroups').bind_value_ids).toEqual(['latecomers', 'Wiki administrators']);
    await change(alice, id, after.values!);
    expect(await store.changesetsOf(id)).toBe(2);
    const everybody = { values: [entry('tbl_ugroups', objects({ id: '1' }))] };
    expect((await alice.put(`/artifacts/${id}`, everybody)).status).toBe(400);
  });

  test('a group that is deleted is gone from every part of an answer, and what it closed stays closed', async () => {
    const doomed = await createGroup(alice, project, 'doomed');
    const { id: tracker } = await createTracker(alice, project);
    const bind = { type: 'ugroups' };
    const field = async (type: string) =>
      (await addField(alice, tracker, { type, name: type, ...(type === 'perm' ? {} : { bind }) })).field_id;
    const [msb, tbl, perm] = [await field('msb'), await field('tbl'), await field('perm')];
    const id = await submit(alice, tracker, [
      { field_id: msb, bind_value_ids: [doomed, `${project}_3`] },
      { field_id: tbl, ...objects({ id: doomed }) },
      { field_id: perm, value: { granted_groups: [doomed] } },
    ]);
    expect((await alice.delete(`/user_groups/${doomed}`)).status).toBe(200);
    const body = await readArtifact(alice, id);
    expect(entryOf(body, msb)).toMatchObject({
      values: [expect.objectContaining({ id: `${project}_3` })],
      bind_value_ids: [`${project}_3`],
    });
    expect(entryOf(body, tbl)).toMatchObject({ bind_value_objects: [], bind_value_ids: [] });
    expect(entryOf(body, perm)).toMatchObject({ granted_groups: ['Nobody'], granted_groups_ids: ['100'] });
    expect((await bob.get(`/artifacts/${id}`)).status).toBe(403);
    await change(alice, id, body.values!);
    await change(alice, id, [{ field_id: perm, value: { granted_groups: ['100'] } }]);
    expect(await store.changesetsOf(id)).toBe(1);
    await change(alice, id, [{ field_id: perm, value: { granted_groups: [] } }]);
    expect((await bob.get(`/artifacts/${id}`)).status).toBe(200);
  });

  test('addresses that were typed into a list of people are for those who are logged in', async () => {
    const id = await submit(alice, every.tracker.id, [
      entry('tbl_users', objects({ email: 'secret@example.org' }, { id: bob.id })),
    ]);
    const links = { field_id: every.ids['art_link'], links: [{ id }] };
    const source = await submit(alice, every.tracker.id, [links]);
    const linked = `/artifacts/${source}/linked_artifacts?direction=forward&output_format=flat`;
    for (const path of [`/artifacts/${id}`, `/artifacts/${id}/changesets`, linked]) {
      expect((await bob.get(path)).text).toContain('secret@example.org');
      const { status, text } = await atelier.anonymous.get(path);
      expect([status, text.includes('secret')]).toEqual([200, false]);
    }
    const seen = shown(await readArtifact(atelier.anonymous as Person, id), 'tbl_users');
    expect(seen.bind_value_objects[1]).toEqual({
      id: expect.stringMatching(/^o/),
      label: 'Anonymous user',
    });
    expect(seen.bind_value_ids).toEqual(['bob Doe (bob)', 'Anonymous user']);
  });

  test('somebody who left the project is no default any more', async () => {
    const dora = await atelier.createUser(`left-${engine.toLowerCase()}`);
    await setMembers(alice, `${project}_3`, [alice, bob, dora]);
    const { id } = await createTracker(alice, project);
    const people = { bind: { type: 'users' }, default_values: [String(dora.id), String(bob.id)] };
    const fields: number[] = [];
    for (const type of ['msb', 'tbl'])
      fields.push((await addField(alice, id, { type, name: type, ...people })).field_id);
    const plain = (await addField(alice, id, { type: 'string' })).field_id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const body = await readArtifact(alice, await submit(alice, id, [{ field_id: plain, value: '' }]));
    expect(entryOf(body, fields[0]).bind_value_ids).toEqual([bob.id]);
    expect(entryOf(body, fields[1]).bind_value_ids).toEqual(['bob Doe (bob)']);
    const described = fieldNamed(await readTracker(alice, id), 'msb').default_value as { id: number }[];
    expect(described.map((user) => user.id)).toEqual([bob.id]);
  });

  test('labels that were changed in what was read are a change, whatever stands beside them', async () => {
    const { red } = colours('tbl');
    const id = await submit(alice, every.tracker.id, [
      entry('tbl', objects({ id: red })),
      entry('tbl_users', objects({ id: bob.id })),
    ]);
    const { values } = await readArtifact(alice, id);
    const edited = values!.map((value: Value) => {
      if (value.field_id === every.ids['tbl']) return { ...value, bind_value_ids: ['blue'] };
      return value.field_id === every.ids['tbl_users'] ? { ...value, bind_value_ids: ['alice'] } : value;
    });
    const after = await change(alice, id, edited);
    expect(shown(after, 'tbl').bind_value_ids).toEqual(['blue']);
    expect(shown(after, 'tbl_users').bind_value_ids).toEqual(['alice Doe (alice)']);
  });

  test('defaults of lists are taken where nothing is sent', async () => {
    const { id } = await createTracker(alice, project);
    const bind = { type: 'static', values: [{ label: 'x' }, { label: 'y', is_default: true }] };
    const ids: Record<string, number> = {};
    for (const type of [...closed, 'tbl'])
      ids[type] = (await addField(alice, id, { type, name: type, bind })).field_id;
    const people = { type: 'msb', name: 'people', bind: { type: 'users' }, default_values: [String(bob.id)] };
    const groups = {
      type: 'msb',
      name: 'groups',
      bind: { type: 'ugroups' },
      default_values: [`${project}_3`],
    };
    const first = (await addField(alice, id, people)).field_id;
    const second = (await addField(alice, id, groups)).field_id;
    const plain = (await addField(alice, id, { type: 'string' })).field_id;
    const body = await readArtifact(alice, await submit(alice, id, [{ field_id: plain, value: '' }]));
    for (const type of closed) expect(entryOf(body, ids[type]).values[0].label).toBe('y');
    expect(entryOf(body, ids['tbl']).bind_value_ids).toEqual(['y']);
    expect(entryOf(body, first).bind_value_ids).toEqual([bob.id]);
    expect(entryOf(body, second).bind_value_ids).toEqual([`${project}_3`]);
    const none = await submit(alice, id, [{ field_id: ids['sb'], bind_value_ids: [100] }]);
    expect(entryOf(await readArtifact(alice, none), ids['sb']).values).toEqual([]);
  });
});
