import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, Store, submit } from '../fixtures/artifact.ts';
import { createProject, idsOf, query, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setSemantics, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('SQLite'))('my artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: number;
  let title: number;
  let people: number;
  let status: { field_id: number; Open: number; Closed: number };
  const make = (caller: Person, value: string, assigned: readonly Person[] = [], state = status.Open) =>
    submit(caller, tracker, [
      { field_id: title, value },
      { field_id: people, bind_value_ids: assigned.map(({ id }) => id) },
      { field_id: status.field_id, bind_value_ids: [state] },
    ]);
  const mine = (caller: Person, wish: unknown, more = '') =>
    caller.get(`/users/self/artifacts?query=${query(wish)}${more}`);
  let ids: Record<string, number>;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'mine')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    tracker = (await createTracker(alice, project, { item_name: 'task', label: 'Tasks' })).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    people = (await addField(alice, tracker, { type: 'msb', name: 'people', bind: { type: 'users' } }))
      .field_id;
    const values = [{ label: 'Open' }, { label: 'Closed' }];
    const state = await addField(alice, tracker, {
      type: 'sb',
      name: 'status',
      bind: { type: 'static', values },
    });
    const { Open = 0, Closed = 0 } = valueIds(state);
    status = { field_id: state.field_id, Open, Closed };
    await setSemantics(alice, tracker, {
      title: { field_id: title },
      contributor: { field_id: people },
      status: { field_id: state.field_id, value_ids: [Open] },
    });
    ids = {
      own: await make(alice, 'own'),
      both: await make(alice, 'both', [alice, bob]),
      given: await make(bob, 'given', [alice]),
      others: await make(bob, 'others', [bob]),
      closed: await make(alice, 'closed', [alice], status.Closed),
    };
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('are those that I submitted, or that are assigned to me, and open', async () => {
    const { own, both, given, others } = ids;
    expect(idsOf(await mine(alice, { submitted_by: true }))).toEqual([own, both]);
    expect(idsOf(await mine(alice, { assigned_to: true }))).toEqual([both, given]);
    expect(idsOf(await mine(alice, { submitted_by: false, assigned_to: true }))).toEqual([both, given]);
    const all = await mine(alice, { submitted_by: true, assigned_to: true });
    expect([idsOf(all), sizeOf(all)]).toEqual([[own, both, given], 3]);
    expect(idsOf(await mine(bob, { submitted_by: true, assigned_to: true }))).toEqual([both, given, others]);
    expect((await mine(atelier.admin, { submitted_by: true, assigned_to: true })).body).toEqual([]);
  });

  test('come in a short form', async () => {
    const reply = await mine(alice, { submitted_by: true });
    const { own } = ids;
    const whole = (await alice.get(`/artifacts/${own}`)).body;
    const reference = { id: project, uri: `projects/${project}`, label: 'Project mine', icon: '' };
    expect(reply.body[0]).toEqual({
      id: own,
      uri: `artifacts/${own}`,
      html_url: `/plugins/tracker/?aid=${own}`,
      title: 'own',
      xref: `task #${own}`,
      tracker: {
        id: tracker,
        uri: `trackers/${tracker}`,
        label: 'Tasks',
        color_name: 'inca-silver',
        project: reference,
        cannot_create_reasons: null,
      },
      project: reference,
      full_status: whole.full_status,
      last_modified_date: whole.last_modified_date,
      due_date: null,
      is_overdue: false,
      etag: expect.stringMatching(/^"[0-9a-f]+"$/),
    });
    expect(reply.headers.get('allow')).toBe('OPTIONS, GET');
  });

  test('come in the order asked for, with those that I watch', async () => {
    const wish = { submitted_by: true, assigned_to: true };
    const all = (await mine(alice, wish)).body;
    const dates = all.map((artifact: { last_modified_date: string }) => artifact.last_modified_date);
    const updated = (await mine(alice, wish, '&order=updated')).body;
    expect(updated.map((artifact: { last_modified_date: string }) => artifact.last_modified_date)).toEqual(
      dates.sort().reverse(),
    );
    expect(idsOf(await mine(alice, wish, '&order=rank'))).toEqual(idsOf(await mine(alice, wish)));
    expect(idsOf(await mine(alice, wish, '&order=due'))).toEqual(idsOf(await mine(alice, wish)));
    expect((await mine(alice, wish, '&order=mood')).status).toBe(400);
    expect((await mine(alice, { watched: true })).body).toEqual([]);
    const { others } = ids;
    const watching = await alice.put(`/artifacts/${others}/watching`, { is_watching: true });
    expect(watching.status, watching.text).toBe(200);
    expect(idsOf(await mine(alice, { watched: true }))).toEqual([others]);
    await alice.put(`/artifacts/${others}/watching`, { is_watching: false });
  });

  test('are those in which a text that I may read mentions me, and open', async () => {
    const carol = await atelier.createUser('carol');
    const theirs = (await createProject(carol, 'talks')).id;
    await setMembers(carol, `${theirs}_3`, [carol, bob]);
    const { id: place } = await createTracker(carol, theirs, {
      item_name: 'talk',
      label: 'Talk',
      has_private_comments: true,
    });
    const secret = (await addField(carol, place, { type: 'text', name: 'secret' })).field_id;
    const plain = (await addField(carol, place, { type: 'text', name: 'plain' })).field_id;
    const write = (field_id: number, text: string) =>
      submit(carol, place, [{ field_id, value: { content: text, format: 'commonmark' } }]);
    const say = (id: number, body: string, more: object = {}) =>
      carol.post(`/artifacts/${id}/comments`, { body, format: 'commonmark', ...more });
    const named = await write(plain, 'For @bob');
    const [unread, talked] = [await write(secret, 'Not for @bob to see'), await write(plain, 'Nobody')];
    const whispered = await write(plain, 'Nobody here either');
    const mentions = async () => idsOf(await mine(bob, { mentioned: true }));
    expect(await mentions()).toEqual([named, unread]);
    await setFieldPermissions(carol, secret, {
      can_read: ['4'],
      can_submit: ['4'],
      can_update: ['4'],
    });
    expect((await say(talked, 'What does @bob say?')).status).toBe(201);
    expect((await say(whispered, 'Do not tell @bob', { ugroups: [`${theirs}_4`] })).status).toBe(201);
    expect(await mentions()).toEqual([named, talked]);
    expect(idsOf(await mine(bob, { mentioned: true, submitted_by: true }))).toContain(ids['others']);
    expect(idsOf(await mine(carol, { mentioned: true }))).toEqual([]);
    expect((await mine(bob, { mentioned: 'yes' })).status).toBe(400);
    // More of them than a statement takes parameters.
    await atelier.sql(
      `with recursive number (n) as (select 1 union all select n + 1 from number where n < 66000)
        insert into changeset (artifact_id, submitted_by, submitted_on, changes, comment)
        select artifact_id, submitted_by, submitted_on, changes, comment from changeset, number
        where artifact_id = ${whispered} and comment like '%Do not tell%'`,
    );
    await atelier.sql(
      `insert into mention (artifact_id, origin, account_id, changeset_id)
        select artifact_id, 'comment:' || id, ${bob.id}, id from changeset
        where artifact_id = ${whispered} and comment like '%Do not tell%'
        and id not in (select changeset_id from mention)`,
    );
    expect(await mentions()).toEqual([named, talked]);
  });

  test('come in pages of up to 250', async () => {
    const wish = { submitted_by: true, assigned_to: true };
    const { own, both, given } = ids;
    const page = await mine(alice, wish, '&limit=2&offset=1');
    expect([idsOf(page), sizeOf(page)]).toEqual([[both, given], 3]);
    expect(page.headers.get('x-pagination-limit-max')).toBe('250');
    expect((await mine(alice, wish)).headers.get('x-pagination-limit')).toBe('250');
    const none = await mine(alice, wish, '&limit=0');
    expect([none.body, sizeOf(none)]).toEqual([[], 3]);
    expect(idsOf(await mine(alice, wish, '&limit=1'))).toEqual([own]);
    for (const wrong of ['limit=251', 'limit=-1', 'offset=-1', 'limit=x'])
      expect((await mine(alice, wish, `&${wrong}`)).status).toBe(400);
  });

  test('need a query that asks for something', async () => {
    const send = (text: string) => alice.get(`/users/self/artifacts?query=${encodeURIComponent(text)}`);
    const wrong = [
      '',
      'nonsense',
      '{',
      '[]',
      'null',
      'true',
      '{}',
      '{"submitted_by":false}',
      '{"submitted_by":false,"assigned_to":false}',
      '{"submitted_by":1}',
      '{"submitted_by":"true"}',
      '{"submitted_by":true,"assigned_to":"x"}',
      '{"submitted_by":true,"assigned_to":null}',
    ];
    for (const text of wrong) {
      const reply = await send(text);
      expect([text, reply.status]).toEqual([text, 400]);
      expect(reply.body.error.message).toContain('query');
    }
    expect((await alice.get('/users/self/artifacts')).status).toBe(400);
  });

  test('are mine alone', async () => {
    for (const id of [String(alice.id), String(bob.id), 'bob', '0'])
      expect((await alice.get(`/users/${id}/artifacts?query=${query({ submitted_by: true })}`)).status).toBe(
        403,
      );
    const anonymous = await atelier.anonymous.get(
      `/users/self/artifacts?query=${query({ submitted_by: true })}`,
    );
    expect(anonymous.status).toBe(401);
  });

  test('follow every change', async () => {
    const { given, others, closed } = ids;
    await change(bob, others!, [{ field_id: people, bind_value_ids: [alice.id] }]);
    await change(bob, given!, [{ field_id: people, bind_value_ids: [] }]);
    await change(alice, closed!, [{ field_id: status.field_id, bind_value_ids: [status.Open] }]);
    expect(idsOf(await mine(alice, { assigned_to: true }))).toEqual([ids['both'], others, closed]);
    await setSemantics(alice, tracker, { status: { field_id: status.field_id, value_ids: [100] } });
    expect(idsOf(await mine(alice, { assigned_to: true }))).toEqual([]);
    await change(alice, closed!, [{ field_id: status.field_id, bind_value_ids: [] }]);
    expect(idsOf(await mine(alice, { assigned_to: true }))).toEqual([closed]);
    await setSemantics(alice, tracker, { status: null });
    expect(idsOf(await mine(alice, { assigned_to: true }))).toEqual([ids['both'], others, closed]);
  });

  test('have no title where it cannot be read', async () => {
    await setFieldPermissions(alice, title, { can_submit: ['2'] });
    const { body } = await mine(alice, { submitted_by: true });
    expect(body.length).toBeGreaterThan(0);
    for (const { title: shown } of body) expect(shown).toBeNull();
  });

  test('are found on a platform with very many trackers', async () => {
    // A condition for each would be more than SQLite takes in one statement.
    const count = 1100;
    await store.force(async (tx) => {
      const trackers = await tx.newIds('tracker', count);
      const fields = await tx.newIds('tracker_field', count);
      const now = Date.now();
      await tx.insertMany(
        'tracker',
        [
          'id',
          'project_id',
          'name',
          'name_key',
          'item_name',
          'item_name_key',
          'description',
          'color',
          'notification_level',
          'parent_id',
          'has_private_comments',
          'created_at',
          'deleted_at',
        ],
        trackers.map(
          (id) =>
            [
              id,
              project,
              `T${id}`,
              `t${id}`,
              `t${id}`,
              `t${id}`,
              '',
              'inca-silver',
              0,
              null,
              0,
              now,
              null,
            ] as const,
        ),
      );
      const settings = (at: number) => JSON.stringify({ fieldId: fields[at] });
      await tx.insertMany(
        'semantic',
        ['tracker_id', 'name', 'settings'],
        trackers.map((id, at) => [id, 'contributor', settings(at)] as const),
      );
      await tx.insertMany(
        'tracker_person',
        ['tracker_id', 'role', 'account_id'],
        trackers.map((id) => [id, 'submitter', bob.id] as const),
      );
    });
    for (const wish of [
      { submitted_by: true },
      { assigned_to: true },
      { submitted_by: true, assigned_to: true },
    ]) {
      const reply = await mine(bob, wish);
      expect(reply.status, reply.text).toBe(200);
      expect(sizeOf(reply)).toBeGreaterThan(0);
    }
  });
});
