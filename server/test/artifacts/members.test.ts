import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setSemantics, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('PostgreSQL', 'members of an answer are made in code');

describe.each(engines)('artifacts as a whole on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  const newTracker = async (fields: Readonly<Record<string, object>>) => {
    const { id, item_name: name } = await createTracker(alice, project);
    const ids: Record<string, number> = {};
    const values: Record<string, Record<string, number>> = {};
    for (const [field, more] of Object.entries(fields)) {
      const made = await addField(alice, id, { type: field, name: field, ...more });
      ids[field] = made.field_id;
      values[field] = valueIds(made);
    }
    return { id, name, ids, values };
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'members')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  const userMin = ({ id, name }: Person) => ({
    id,
    uri: `users/${id}`,
    user_url: `/users/${name}`,
    real_name: `${name} Doe`,
    display_name: `${name} Doe (${name})`,
    username: name,
    ldap_id: null,
    avatar_url: expect.stringMatching(/^http.*\/users\//),
    is_anonymous: false,
    has_avatar: true,
  });

  test('GET gives every member, POST the reference', async () => {
    const { id: trackerId, name, ids } = await newTracker({ string: {} });
    const made = await alice.post('/artifacts', {
      tracker: { id: trackerId },
      values: [{ field_id: ids['string'], value: 'It breaks' }],
    });
    const reference = { id: project, uri: `projects/${project}`, label: 'Project members', icon: '' };
    const { id } = made.body;
    const label = expect.stringMatching(/^Tracker /);
    expect(made.body).toEqual({
      id,
      uri: `artifacts/${id}`,
      tracker: {
        id: trackerId,
        uri: `trackers/${trackerId}`,
        label,
        color: 'inca-silver',
        project: reference,
      },
    });
    expect(made.headers.get('location')).toBe(`${atelier.url}/api/v1/artifacts/${id}`);
    expect(made.headers.get('allow')).toBe('OPTIONS, GET, POST');
    await change(bob, id, [{ field_id: ids['string'], value: 'It still breaks' }]);
    const { body, headers } = await atelier.anonymous.get(`/artifacts/${id}`);
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    expect(body).toEqual({
      id,
      uri: `artifacts/${id}`,
      xref: `${name} #${id}`,
      tracker: {
        id: trackerId,
        uri: `trackers/${trackerId}`,
        label,
        color_name: 'inca-silver',
        project: reference,
        cannot_create_reasons: null,
      },
      project: reference,
      submitted_by: alice.id,
      submitted_by_user: userMin(alice),
      submitted_on: date,
      html_url: `/plugins/tracker/?aid=${id}`,
      changesets_uri: `artifacts/${id}/changesets`,
      values: [{ field_id: ids['string'], type: 'string', label: 'string', value: 'It still breaks' }],
      values_by_field: null,
      last_modified_date: date,
      last_update_by: bob.id,
      last_update_by_user: userMin(bob),
      status: '',
      full_status: null,
      is_open: true,
      title: null,
      assignees: [],
      resources: [
        { type: 'changesets', uri: `artifacts/${id}/changesets` },
        { type: 'links', uri: `artifacts/${id}/links` },
        { type: 'linked_artifacts', uri: `artifacts/${id}/linked_artifacts` },
      ],
      frozen_field_ids: [],
      hidden_fieldset_ids: [],
      may_update: false,
      may_delete: false,
      deletions_left: null,
    });
    expect(headers.get('allow')).toContain('OPTIONS, GET, PUT');
    expect(Date.parse(body.last_modified_date)).toBeGreaterThan(Date.parse(body.submitted_on));
    const complete = await readArtifact(bob, id, '?tracker_structure_format=complete');
    const structure = await bob.get(`/trackers/${trackerId}`);
    expect(complete.tracker).toMatchObject({ id: trackerId, fields: structure.body.fields });
  });

  test('title is the plain text of the title field', async () => {
    const { id, ids } = await newTracker({ string: {}, text: {} });
    const made = await submit(alice, id, [
      { field_id: ids['string'], value: 'A <b>line</b>' },
      { field_id: ids['text'], value: { content: '<p>Some <b>words</b></p>', format: 'html' } },
    ]);
    expect((await readArtifact(alice, made)).title).toBeNull();
    await setSemantics(alice, id, { title: { field_id: ids['string'] } });
    expect((await readArtifact(alice, made)).title).toBe('A <b>line</b>');
    await setSemantics(alice, id, { title: { field_id: ids['text'] } });
    expect((await readArtifact(alice, made)).title?.trim()).toBe('Some words');
    const markdown = { field_id: ids['text'], value: { content: '**Bold** words', format: 'commonmark' } };
    expect((await change(alice, made, [markdown])).title?.trim()).toBe('Bold words');
    expect((await change(alice, made, [{ field_id: ids['text'], value: '' }])).title).toBe('');
    await setFieldPermissions(alice, ids['text']!, { can_update: [`${project}_4`] });
    expect([(await readArtifact(alice, made)).title, (await readArtifact(bob, made)).title]).toEqual([
      '',
      null,
    ]);
  });

  test('status tells the label, its colour, and whether that is open', async () => {
    const values = [
      { label: 'New', color: 'acid-green' },
      { label: 'Old' },
      { label: 'Grey', color: '#808080' },
    ];
    const { id, ids, values: listed } = await newTracker({ sb: { bind: { type: 'static', values } } });
    const { New, Old, Grey } = listed['sb']!;
    const set = (value: number | undefined) => ({ field_id: ids['sb'], bind_value_ids: [value] });
    const made = await submit(alice, id, [set(Old)]);
    const statusOf = ({ status, full_status: full, is_open: isOpen }: Value) => [status, full, isOpen];
    expect(statusOf(await readArtifact(alice, made))).toEqual(['', null, true]);
    await setSemantics(alice, id, { status: { field_id: ids['sb'], value_ids: [New, Grey] } });
    expect(statusOf(await readArtifact(alice, made))).toEqual(['Old', { value: 'Old', color: null }, false]);
    expect(statusOf(await change(alice, made, [set(New)]))).toEqual([
      'New',
      { value: 'New', color: 'acid-green' },
      true,
    ]);
    expect(statusOf(await change(alice, made, [set(Grey)]))).toEqual([
      'Grey',
      { value: 'Grey', color: null },
      true,
    ]);
    expect(statusOf(await change(alice, made, [set(100)]))).toEqual(['', null, false]);
    await setSemantics(alice, id, { status: { field_id: ids['sb'], value_ids: [New, 100] } });
    expect(statusOf(await readArtifact(alice, made))).toEqual(['', null, true]);
    await setFieldPermissions(alice, ids['sb']!, { can_update: [`${project}_4`] });
    // To whoever may not read it all are open, closed ones too: there and wherever they are counted.
    for (const value of [New, Old]) {
      await change(alice, made, [set(value)]);
      expect(statusOf(await readArtifact(bob, made))).toEqual(['', null, true]);
      const { body: counts } = await bob.get(`/trackers/${id}/artifact_counts?by=is_open`);
      expect(counts.buckets).toMatchObject([{ count: 1 }, { count: 0 }]);
      const { body: overviews } = await bob.get(`/projects/${project}/tracker_overviews`);
      expect(overviews).toContainEqual(expect.objectContaining({ open_count: 1, total_count: 1 }));
      expect((await bob.get(`/trackers/${id}/artifact_rows`)).body.rows[0].is_open).toBe(true);
    }
    expect((await readArtifact(alice, made)).is_open).toBe(false);
  });

  test('status of an open list is that of its first predefined value', async () => {
    const bind = { type: 'static', values: [{ label: 'New', color: 'acid-green' }] };
    const { id, ids, values } = await newTracker({ tbl: { bind } });
    await setSemantics(alice, id, { status: { field_id: ids['tbl'], value_ids: [values['tbl']!['New']] } });
    const made = await submit(alice, id, [{ field_id: ids['tbl'], bind_value_ids: ['typed', 'New'] }]);
    const body = await readArtifact(alice, made);
    expect([body.full_status, body.is_open]).toEqual([{ value: 'New', color: 'acid-green' }, true]);
    const typed = await change(alice, made, [{ field_id: ids['tbl'], bind_value_ids: ['typed'] }]);
    expect([typed.full_status, typed.is_open]).toEqual([{ value: 'typed', color: null }, false]);
  });

  test('assignees are the people of the contributor field', async () => {
    const { id, ids } = await newTracker({ msb: { bind: { type: 'users' } } });
    await setSemantics(alice, id, { contributor: { field_id: ids['msb'] } });
    const made = await submit(alice, id, [{ field_id: ids['msb'], bind_value_ids: [bob.id, alice.id] }]);
    expect((await readArtifact(bob, made)).assignees).toEqual([userMin(bob), userMin(alice)]);
    const nobody = await change(alice, made, [{ field_id: ids['msb'], bind_value_ids: [100] }]);
    expect(nobody.assignees).toEqual([]);
    await change(alice, made, [{ field_id: ids['msb'], bind_value_ids: [bob.id] }]);
    await setFieldPermissions(alice, ids['msb']!, { can_read: [`${project}_4`] });
    expect((await readArtifact(bob, made)).assignees).toEqual([]);
  });

  test('perm takes groups in any of their spellings, shows them, and can be sent back', async () => {
    const { id, ids } = await newTracker({ perm: {} });
    const group = await createGroup(alice, project, `testers-${engine.toLowerCase()}`);
    const set = (...granted_groups: unknown[]) => ({ field_id: ids['perm'], value: { granted_groups } });
    const made = await submit(alice, id, [set(`${project}_3`, 4, Number(group), group, '2')]);
    const shown = entryOf(await readArtifact(alice, made), ids['perm']);
    expect(shown.granted_groups_ids).toEqual([`${project}_3`, `${project}_4`, group, '2']);
    expect(shown.granted_groups.slice(0, 2)).toEqual(['Project members', 'Project administrators']);
    expect(shown.granted_groups).toHaveLength(4);
    await change(alice, made, [shown]);
    expect(await store.changesetsOf(made)).toBe(1);
    await alice.delete(`/user_groups/${group}`);
    const after = entryOf(await readArtifact(alice, made), ids['perm']);
    expect(after.granted_groups_ids).toEqual([`${project}_3`, `${project}_4`, '2']);
    await change(alice, made, [after]);
    expect(await store.changesetsOf(made)).toBe(1);
    const fewer = { ...after, granted_groups_ids: ['2'] };
    expect((await alice.put(`/artifacts/${made}`, { values: [fewer] })).status).toBe(400);
    const off = entryOf(await change(alice, made, [set()]), ids['perm']);
    expect([off.granted_groups, off.granted_groups_ids]).toEqual([[], []]);
  });

  test('files are attached, kept, removed and sent back', async () => {
    const { id, ids } = await newTracker({ file: {} });
    const [first, second] = [
      await store.addFile(alice.id, 'a b.txt'),
      await store.addFile(alice.id, 'x.png', 'image/png'),
    ];
    const set = (value: unknown) => ({ field_id: ids['file'], value });
    const filesOf = (body: Value) => entryOf(body, ids['file']).file_descriptions;
    const made = await submit(alice, id, [set([String(first)])]);
    expect(filesOf(await readArtifact(bob, made))).toEqual([
      {
        id: first,
        submitted_by: alice.id,
        description: 'Words',
        name: 'a b.txt',
        size: 12,
        type: 'text/plain',
        html_url: `/plugins/tracker/attachments/${first}-a%20b.txt`,
        html_preview_url: null,
        uri: `artifact_files/${first}`,
      },
    ]);
    const both = await change(alice, made, [set([first, second, second])]);
    expect(filesOf(both)[1].html_preview_url).toBe(`/plugins/tracker/attachments/preview/${second}-x.png`);
    await change(bob, made, [entryOf(both, ids['file'])]);
    expect(await store.changesetsOf(made)).toBe(2);
    expect(filesOf(await change(bob, made, [set([second])]))).toHaveLength(1);
    expect(filesOf(await change(bob, made, [set('')]))).toEqual([]);
    expect((await bob.put(`/artifacts/${made}`, { values: [set([first])] })).status).toBe(404);
    const other = { ...entryOf(both, ids['file']), file_descriptions: [{ id: second }] };
    expect((await bob.put(`/artifacts/${made}`, { values: [other] })).status).toBe(400);
  });

  test('new artifacts get the defaults of everything that is not sent', async () => {
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' });
    const { id, ids } = await newTracker({
      string: { specific_properties: { default_value: 'usual' } },
      text: { specific_properties: { default_value: 'one & two' } },
      int: { specific_properties: { default_value: 7 } },
      float: { specific_properties: { default_value: 0.5 } },
      date: { specific_properties: { default_value_type: 0 } },
      sb: { bind: { type: 'static', values: [{ label: 'x' }] } },
    });
    const fixed = { default_value_type: 1, default_value: Date.parse('2024-03-01T10:30:45+01:00') / 1000 };
    const day = (await addField(alice, id, { type: 'date', name: 'day', specific_properties: fixed }))
      .field_id;
    const time = { type: 'date', name: 'time', specific_properties: { ...fixed, display_time: 1 } };
    const minute = (await addField(alice, id, time)).field_id;
    const none = await addField(alice, id, { type: 'string', name: 'none' });
    const made = await submit(alice, id, [{ field_id: none.field_id, value: 'x' }]);
    const body = await readArtifact(alice, made);
    const shownOf = (field: number | undefined) => entryOf(body, field)?.value;
    expect(shownOf(ids['string'])).toBe('usual');
    expect(entryOf(body, ids['text']).commonmark).toBe('one & two');
    expect([shownOf(ids['int']), shownOf(ids['float'])]).toEqual([7, 0.5]);
    expect(shownOf(ids['date']).slice(0, 10)).toBe(today);
    expect([shownOf(day), shownOf(minute)]).toEqual([
      '2024-03-01T00:00:00+01:00',
      '2024-03-01T10:30:00+01:00',
    ]);
    expect(entryOf(body, ids['sb']).bind_value_ids).toEqual([]);
    const empty = await submit(alice, id, [
      { field_id: ids['string'], value: '' },
      { field_id: ids['int'], value: '' },
      { field_id: ids['date'], value: '' },
    ]);
    const emptied = await readArtifact(alice, empty);
    expect(['string', 'int', 'date'].map((name) => entryOf(emptied, ids[name]).value)).toEqual([
      '',
      null,
      null,
    ]);
  });
});
