import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, messageOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('PostgreSQL', 'what is looked at first is decided in code');

describe.each(engines)('rights and required fields of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  const newTracker = async (fields: Readonly<Record<string, object>>) => {
    const { id } = await createTracker(alice, project);
    const ids: Record<string, number> = {};
    for (const [name, more] of Object.entries(fields))
      ids[name] = (await addField(alice, id, { type: 'string', name, ...more })).field_id;
    return { id, ids };
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'order')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('a required field that is missing or emptied is 400 and named', async () => {
    const colours = { type: 'static', values: [{ label: 'red' }] };
    const required = {
      string: {},
      text: { type: 'text' },
      int: { type: 'int' },
      date: { type: 'date' },
      sb: { type: 'sb', bind: colours },
      msb: { type: 'msb', bind: colours },
      tbl: { type: 'tbl', bind: colours },
      file: { type: 'file' },
      art_link: { type: 'art_link' },
      perm: { type: 'perm' },
    };
    const all = Object.entries(required).map(([name, more]) => [name, { ...more, required: true }]);
    const { id, ids } = await newTracker(Object.fromEntries(all));
    const other = await newTracker({ string: {} });
    const target = await submit(alice, other.id, [{ field_id: other.ids['string'], value: 'x' }]);
    const file = await store.addFile(alice.id);
    const full: Record<string, object> = {
      string: { value: 'x' },
      text: { value: 'x' },
      int: { value: 0 },
      date: { value: '2024-03-01' },
      sb: { bind_value_ids: [await valueIdOf(ids['sb'])] },
      msb: { bind_value_ids: [await valueIdOf(ids['msb'])] },
      tbl: { bind_value_ids: ['red'] },
      file: { value: [file] },
      art_link: { links: [{ id: target }] },
      perm: { value: { granted_groups: [`${project}_3`] } },
    };
    const empty: Record<string, object> = {
      string: { value: '' },
      text: { value: { content: '', format: 'text' } },
      int: { value: '' },
      date: { value: '' },
      sb: { bind_value_ids: [100] },
      msb: { bind_value_ids: [] },
      tbl: { bind_value_ids: [] },
      file: { value: [] },
      art_link: { links: [] },
      perm: { value: { granted_groups: [] } },
    };
    const entries = (values: Record<string, object>, without = '') =>
      Object.entries(values)
        .filter(([name]) => name !== without)
        .map(([name, value]) => ({ field_id: ids[name], ...value }));
    const create = (values: object[]) => alice.post('/artifacts', { tracker: { id }, values });
    for (const name of Object.keys(full)) {
      const words = `The field ${name} (${name}) is required.`;
      await refused(store, () => create(entries(full, name)), 400, words);
      const emptied = [...entries(full, name), { field_id: ids[name], ...empty[name] }];
      await refused(store, () => create(emptied), 400, words);
    }
    const { status, body, text } = await create(entries(full));
    expect(status, text).toBe(201);
    for (const name of Object.keys(full)) {
      const values = [{ field_id: ids[name], ...empty[name] }];
      const words = `The field ${name} (${name}) is required.`;
      await refused(store, () => alice.put(`/artifacts/${body.id}`, { values }), 400, words);
    }
    await change(alice, body.id, [{ field_id: ids['string'], value: 'y' }]);
  });

  async function valueIdOf(fieldId: number | undefined): Promise<number> {
    let id = 0;
    await store.force(async (tx) => {
      const query = tx.sql.selectFrom('list_value').select('id');
      id = (await tx.first(query.where('field_id', '=', fieldId ?? 0)))?.id ?? 0;
    });
    return id;
  }

  test('a required field that came later must be supplied by the next change', async () => {
    const { id, ids } = await newTracker({ first: {} });
    const artifact = await submit(alice, id, [{ field_id: ids['first'], value: 'x' }]);
    const { field_id } = await addField(alice, id, { type: 'string', name: 'later', required: true });
    const first = { field_id: ids['first'], value: 'y' };
    const send = () => alice.put(`/artifacts/${artifact}`, { values: [first] });
    await refused(store, send, 400, 'The field later (later) is required.');
    await setFieldPermissions(alice, field_id, { can_read: ['1'], can_submit: ['2'] });
    await change(alice, artifact, [first]);
    await setFieldPermissions(alice, field_id, { can_read: ['1'], can_update: [`${project}_3`] });
    await change(alice, artifact, [first, { field_id, value: 'now' }]);
  });

  test('a required field that the caller may not submit is not asked of them', async () => {
    const { id, ids } = await newTracker({ open: {}, closed: { required: true } });
    await setFieldPermissions(alice, ids['closed']!, { can_read: ['1'], can_submit: [`${project}_4`] });
    await submit(bob, id, [{ field_id: ids['open'], value: 'x' }]);
    const values = [{ field_id: ids['open'], value: 'x' }];
    await refused(store, () => alice.post('/artifacts', { tracker: { id }, values }), 400, '(closed)');
  });

  test('a field that the caller may not submit is 400, and gets its default all the same', async () => {
    const properties = { specific_properties: { default_value: 'as usual' } };
    const { id, ids } = await newTracker({ open: {}, closed: properties });
    await setFieldPermissions(alice, ids['closed']!, { can_read: ['1'], can_submit: [`${project}_4`] });
    const open = { field_id: ids['open'], value: 'x' };
    const send = (value: string) => () =>
      bob.post('/artifacts', { tracker: { id }, values: [open, { field_id: ids['closed'], value }] });
    await refused(store, send('mine'), 400, 'submit the field closed');
    await refused(store, send('as usual'), 400, 'submit the field closed');
    const made = await submit(bob, id, [open]);
    expect(entryOf(await readArtifact(bob, made), ids['closed']).value).toBe('as usual');
  });

  test('a field that the caller may not update is 400 unless the value is the stored one', async () => {
    const { id, ids } = await newTracker({ open: {}, closed: {} });
    await setFieldPermissions(alice, ids['closed']!, { can_read: ['1'], can_submit: ['2'] });
    const values = ['open', 'closed'].map((name) => ({ field_id: ids[name], value: 'x' }));
    const artifact = await submit(bob, id, values);
    const closed = (value: string) => ({ values: [{ field_id: ids['closed'], value }] });
    const words = 'You are not allowed to update the field closed.';
    for (const caller of [alice, bob])
      await refused(store, () => caller.put(`/artifacts/${artifact}`, closed('y')), 400, words);
    expect((await bob.put(`/artifacts/${artifact}`, closed('x'))).status).toBe(200);
    const all = { values: [{ field_id: ids['open'], value: 'z' }, ...closed('y').values] };
    await refused(store, () => bob.put(`/artifacts/${artifact}`, all), 400, words);
    expect((await atelier.admin.put(`/artifacts/${artifact}`, closed('y'))).status).toBe(200);
  });

  test('nobody finds out the value of a field that they may not read by guessing', async () => {
    const bind = { type: 'static', values: [{ label: 'red' }, { label: 'blue' }] };
    const { id, ids } = await newTracker({
      open: {},
      secret: {},
      list: { type: 'sb', bind },
      links: { type: 'art_link' },
    });
    const red = await valueIdOf(ids['list']);
    const target = await submit(alice, id, [{ field_id: ids['open'], value: 'x' }]);
    const artifact = await submit(alice, id, [
      { field_id: ids['secret'], value: 'sesame' },
      { field_id: ids['list'], bind_value_ids: [red] },
      { field_id: ids['links'], links: [{ id: target }] },
    ]);
    for (const name of ['secret', 'list', 'links'])
      await setFieldPermissions(alice, ids[name]!, { can_submit: ['2'] });
    for (const entry of [
      { field_id: ids['secret'], value: 'sesame' },
      { field_id: ids['secret'], value: 'wrong' },
      { field_id: ids['list'], bind_value_ids: [red] },
      { field_id: ids['list'], bind_value_ids: [red + 1] },
      { field_id: ids['links'], links: [{ id: target }] },
      { field_id: ids['links'], links: [] },
    ]) {
      const send = () => bob.put(`/artifacts/${artifact}`, { values: [entry] });
      await refused(store, send, 400, 'You are not allowed to update');
    }
  });

  test('everybody who sees an artifact may comment on it', async () => {
    const { id, ids } = await newTracker({ open: {} });
    const artifact = await submit(alice, id, [{ field_id: ids['open'], value: 'x' }]);
    const comment = { body: 'Me too', format: 'text' };
    const before = await store.changesetsOf(artifact);
    await change(carol, artifact, [], { comment });
    expect(await store.changesetsOf(artifact)).toBe(before + 1);
    const refusedEntry = { values: [{ field_id: ids['open'], value: 'y' }], comment };
    await refused(
      store,
      () => carol.put(`/artifacts/${artifact}`, refusedEntry),
      400,
      'update the field open',
    );
  });

  test('POST looks at the body, then the tracker, the right, the project, the entries, the fields', async () => {
    const { id, ids } = await newTracker({ needed: { required: true }, number: { type: 'int' } });
    const wrong = [{ field_id: ids['number'], value: 'x' }];
    const both = { values: wrong, values_by_field: { needed: { value: 'x' } } };
    const { anonymous } = atelier;
    await refused(store, () => anonymous.post('/artifacts', {}), 401, 'Unauthorized');
    await refused(store, () => bob.post('/artifacts', { ...both, tracker: {} }), 400, 'tracker');
    await refused(store, () => bob.post('/artifacts', { ...both, tracker: { id: 99_999 } }), 400, 'one of');
    const into = (tracker: number, caller = bob) =>
      caller.post('/artifacts', { tracker: { id: tracker }, values: wrong });
    await refused(store, () => into(99_999), 404, 'tracker');
    await setPermissions(alice, id, { can_access: [`${project}_3`] });
    await refused(store, () => into(id, carol), 403, 'Forbidden');
    const unknown = { tracker: { id }, values: [...wrong, { field_id: 1 }] };
    await refused(store, () => bob.post('/artifacts', unknown), 400, /^Bad Request: Unknown field 1\.\s*$/);
    const reply = await refused(store, () => into(id), 400, '(number)');
    expect(messageOf(reply)).toContain('(needed) is required');
    for (const name of ['needed', 'number'])
      await setFieldPermissions(alice, ids[name]!, { can_read: ['1'], can_submit: [`${project}_4`] });
    await refused(store, () => into(id), 403, 'submit');
    await store.deleteTracker(id);
    for (const caller of [alice, bob, atelier.admin])
      await refused(store, () => into(id, caller), 403, 'Forbidden');
  });

  test('PUT looks at the body, then the artifact, the project, the version, the entries, the fields', async () => {
    const { id, ids } = await newTracker({ needed: { required: true }, number: { type: 'int' } });
    const artifact = await submit(alice, id, [{ field_id: ids['needed'], value: 'x' }]);
    const wrong = [
      { field_id: ids['number'], value: 'x' },
      { field_id: ids['needed'], value: '' },
    ];
    const stale = { 'If-Match': '"stale"' };
    const send = (caller: Person, target: number, values: unknown, headers: Record<string, string> = stale) =>
      caller.request('PUT', `/artifacts/${target}`, { body: { values }, headers });
    const unlogged = { body: {}, headers: stale };
    await refused(
      store,
      () => atelier.anonymous.request('PUT', `/artifacts/${artifact}`, unlogged),
      401,
      'Una',
    );
    await refused(store, () => send(bob, 99_999, 'x'), 400, '`values`');
    await refused(store, () => send(bob, 99_999, wrong), 404, 'Not Found');
    await refused(store, () => send(bob, artifact, wrong), 412, 'modified');
    await refused(store, () => send(bob, artifact, [1]), 412, 'modified');
    const reply = await refused(store, () => send(bob, artifact, wrong, {}), 400, '(number)');
    expect(messageOf(reply)).toContain('(needed) is required');
    await setPermissions(alice, id, { can_access: [`${project}_3`] });
    await refused(store, () => send(carol, artifact, wrong), 403, 'Forbidden');
    await atelier.admin.patch(`/projects/${project}`, { status: 'suspended' });
    for (const caller of [bob, atelier.admin])
      await refused(store, () => send(caller, artifact, wrong), 403, 'suspended');
    const body = { tracker: { id }, values: wrong };
    for (const caller of [bob, atelier.admin])
      await refused(store, () => caller.post('/artifacts', body), 403, 'suspended');
    await atelier.admin.patch(`/projects/${project}`, { status: 'active' });
  });
});
