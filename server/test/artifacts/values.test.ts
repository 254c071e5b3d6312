import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setFieldPermissions,
  setSemantics,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine(
  'SQLite',
  'what is taken is decided in code; that it is kept is in properties.test.ts, on both',
);

describe.each(engines)('plain values of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let every: EveryField;
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const shown = (body: Value, name: string) => {
    const { field_id: _, type: __, label: ___, ...rest } = entryOf(body, every.ids[name]) ?? {};
    return rest;
  };
  /** What is read after an entry was sent: at creation, and again when it replaces something else. */
  const written = async (name: string, sent: object, other: object) => {
    const made = await submit(alice, every.tracker.id, [entry(name, sent)]);
    const changed = await submit(alice, every.tracker.id, [entry(name, other)]);
    const answer = await change(alice, changed, [entry(name, sent)]);
    const both = [await readArtifact(alice, made), await readArtifact(alice, changed)];
    expect(shown(both[1], name)).toEqual(shown(both[0], name));
    expect(shown(answer, name)).toEqual(shown(both[0], name));
    return shown(both[0], name);
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'values')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('an entry tells the field, its type and its label', async () => {
    const id = await submit(alice, every.tracker.id, [entry('string', { value: 'It breaks' })]);
    const found = entryOf(await readArtifact(alice, id), every.ids['string']);
    expect(found).toEqual({
      field_id: every.ids['string'],
      type: 'string',
      label: 'string',
      value: 'It breaks',
    });
  });

  test('entries come in the order of the form', async () => {
    const id = await submit(alice, every.tracker.id, [
      entry('int', { value: 1 }),
      entry('string', { value: 'x' }),
    ]);
    const { values } = await readArtifact(alice, id);
    const form = every.tracker.fields.map(({ field_id }) => field_id);
    const order = values!.map(({ field_id }) => form.indexOf(field_id));
    expect(order).toEqual([...order].sort((left, right) => left - right));
    expect(order.length).toBeGreaterThan(20);
  });

  test.each(['It breaks', '', ' kept as it is ', 'é日本🎉 <b>&amp;', '007', '\t\u0007', 'null', "'; drop"])(
    'string keeps %j',
    async (value) => {
      expect(await written('string', { value }, { value: 'other' })).toEqual({ value });
    },
  );

  test('text keeps its content in each of three formats', async () => {
    const other = { value: 'other' };
    const inText = await written('text', { value: { content: 'a < b\nc', format: 'text' } }, other);
    expect(inText).toMatchObject({ value: 'a < b\nc', format: 'text' });
    expect(inText.post_processed_value).toContain('a &lt; b');
    const html = { content: '<p>Why</p><script>x</script>', format: 'html' };
    const inHtml = await written('text', { value: html }, other);
    expect(inHtml).toMatchObject({ value: html.content, format: 'html' });
    expect(inHtml.post_processed_value).toContain('<p>Why</p>');
    expect(inHtml.post_processed_value).not.toContain('<script');
    const inMarkdown = await written('text', { value: { content: '**why**', format: 'commonmark' } }, other);
    expect(inMarkdown).toMatchObject({ format: 'html', commonmark: '**why**' });
    expect(inMarkdown.value).toContain('<strong>why</strong>');
    expect(inMarkdown.post_processed_value).toBe(inMarkdown.value);
    for (const found of [inText, inHtml]) expect(found).not.toHaveProperty('commonmark');
    for (const empty of [{ value: '' }, { value: { content: '', format: 'text' } }])
      expect((await written('text', empty, other)).value).toBe('');
  });

  test('text without a known format is in the one that the writer prefers', async () => {
    const preferred = (value: string) =>
      alice.patch('/users/self/preferences', { key: 'user_edition_default_format', value });
    const sent = ['plain', { content: 'plain' }, { content: 'plain', format: 'nonsense' }];
    for (const value of sent)
      expect(await written('text', { value }, { value: 'x' })).toHaveProperty('commonmark', 'plain');
    await preferred('html');
    for (const value of sent)
      expect(await written('text', { value }, { value: 'x' })).toMatchObject({
        format: 'html',
        value: 'plain',
      });
    await preferred('text');
    for (const value of sent)
      expect(await written('text', { value }, { value: 'x' })).toMatchObject({
        format: 'text',
        value: 'plain',
      });
    await preferred('commonmark');
  });

  test.each([
    ['see SITE/goto?key=art&val=1&group_id=101'],
    ['[x](https://other.example/goto?a=b) and art #ID'],
    ['[x](/goto?a=b)'],
    ['art #ID and `href="/goto?x"`'],
  ])('Markdown with addresses of references is sent back as it was read: %s', async (written) => {
    const target = await submit(alice, every.tracker.id, [entry('string', { value: 'x' })]);
    const content = written.replace('SITE', atelier.url).replace('ID', String(target));
    const id = await submit(alice, every.tracker.id, [
      entry('text', { value: { content, format: 'commonmark' } }),
    ]);
    const before = await readArtifact(alice, id);
    expect(await change(alice, id, before.values!)).toEqual(before);
    expect(await store.changesetsOf(id)).toBe(1);
    const { value: html } = shown(before, 'text');
    // Clients that know of no Markdown keep what they know of the entry.
    expect(await change(alice, id, [entry('text', { value: html, format: 'html' })])).toEqual(before);
    expect(await store.changesetsOf(id)).toBe(1);
    expect(html.includes('class="cross-reference"')).toBe(written.includes('art #'));
    const other = html.replace('/goto?', '/elsewhere?');
    const changed = await change(alice, id, [entry('text', { value: other, commonmark: content })]);
    expect(shown(changed, 'text').commonmark).toBe(other);
  });

  test('Markdown that shows nothing is emptied by nothing, and stays with its source beside', async () => {
    const value = { content: '[x]: https://example.com', format: 'commonmark' };
    const id = await submit(alice, every.tracker.id, [entry('text', { value })]);
    const before = await readArtifact(alice, id);
    expect(shown(before, 'text')).toMatchObject({ value: '', commonmark: value.content });
    expect(await change(alice, id, before.values!)).toEqual(before);
    const emptied = await change(alice, id, [entry('text', { value: '' })]);
    expect(shown(emptied, 'text').commonmark).toBe('');
  });

  test('words that look like the address of a reference are shown as they were written', async () => {
    const value = { content: '`href="/goto?x"` "/goto?y"', format: 'commonmark' };
    const { value: html } = await written('text', { value }, { value: 'other' });
    expect(html).toContain('<code>href="/goto?x"</code> "/goto?y"');
  });

  test('another format of the same text is no change', async () => {
    const text = (content: string, format: string) => entry('text', { value: { content, format } });
    const id = await submit(alice, every.tracker.id, [text('same', 'text')]);
    const same = await change(alice, id, [text('same', 'html')]);
    expect(shown(same, 'text').format).toBe('text');
    expect(await store.changesetsOf(id)).toBe(1);
    const other = await change(alice, id, [text('different', 'html')]);
    expect(shown(other, 'text').format).toBe('html');
  });

  test.each([
    [3, 3],
    ['3', 3],
    ['007', 7],
    [0, 0],
    ['-0', 0],
    ['-5', -5],
    ['+5', 5],
    ['--5', 5],
    ['+-5', -5],
    [9_007_199_254_740_991, 9_007_199_254_740_991],
    ['', null],
  ])('int takes %j as %j', async (value, read) => {
    expect(await written('int', { value }, { value: 99 })).toEqual({ value: read });
  });

  test.each([
    [3, 3],
    [3.25, 3.25],
    ['3.25', 3.25],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['1.5E-2', 0.015],
    [1e21, 1e21],
    [1e-9, 1e-9],
    ['0', 0],
    ['', null],
  ])('float takes %j as %j', async (value, read) => {
    expect(await written('float', { value }, { value: 99 })).toEqual({ value: read });
  });

  test.each([
    ['2024-03-01', '2024-03-01T00:00:00+01:00', '2024-03-01T00:00:00+01:00'],
    ['2024-07-01T23:59:59', '2024-07-01T00:00:00+02:00', '2024-07-01T23:59:00+02:00'],
    ['2024-03-01T23:30:00Z', '2024-03-02T00:00:00+01:00', '2024-03-02T00:30:00+01:00'],
    ['2024-03-01T01:02:03-05:00', '2024-03-01T00:00:00+01:00', '2024-03-01T07:02:00+01:00'],
    ['2024-03-01T01:02:03-05', '2024-03-01T00:00:00+01:00', '2024-03-01T07:02:00+01:00'],
    ['2024-03-01T01:02:03-0530', '2024-03-01T00:00:00+01:00', '2024-03-01T07:32:00+01:00'],
    ['2024-03-01 09:30', '2024-03-01T00:00:00+01:00', '2024-03-01T09:30:00+01:00'],
    ['2024-10-27T02:30:00+01:00', '2024-10-27T00:00:00+02:00', '2024-10-27T02:30:00+01:00'],
    ['1900-02-28', '1900-02-28T00:00:00+00:09', '1900-02-28T00:00:00+00:09'],
    ['0001-01-01', '0001-01-01T00:00:00+00:09', '0001-01-01T00:00:00+00:09'],
    ['9999-12-31', '9999-12-31T00:00:00+01:00', '9999-12-31T00:00:00+01:00'],
    ['9999-12-31T23:59:59+01:00', '9999-12-31T00:00:00+01:00', '9999-12-31T23:59:00+01:00'],
  ])('date takes %s and shows the day, or the minute', async (value, day, minute) => {
    const other = { value: '1999-09-09' };
    expect(await written('date', { value }, other)).toEqual({ value: day, is_time_displayed: false });
    const { value: time, is_time_displayed: isTime } = await written('datetime', { value }, other);
    expect([time.slice(0, 16), time.slice(-6), isTime]).toEqual([
      minute.slice(0, 16),
      minute.slice(-6),
      true,
    ]);
  });

  test.each(['0000-12-31', '10000-01-01', '9999-12-31T23:30:00-12:00', '0001-01-01T00:00:00+12:00'])(
    'date refuses %s, whose year cannot be written',
    async (value) => {
      const values = [entry('date', { value })];
      expect((await alice.post('/artifacts', { tracker: { id: every.tracker.id }, values })).status).toBe(
        400,
      );
    },
  );

  test.each([[''], [null], [undefined]])('date is emptied by %j', async (value) => {
    for (const name of ['date', 'datetime'])
      expect((await written(name, { value }, { value: '1999-09-09' })).value).toBeNull();
  });

  test('a moment is its day where the field has lost its time, and sent back it changes nothing', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const withTime = { type: 'date', name: 'met', specific_properties: { display_time: 1 } };
    const { field_id } = await addField(alice, tracker, withTime);
    const id = await submit(alice, tracker, [{ field_id, value: '2024-03-01T10:30:00+01:00' }]);
    const show = async (display_time: number) => {
      const path = `/tracker_fields/${field_id}/settings`;
      expect((await alice.patch(path, { specific_properties: { display_time } })).status).toBe(200);
      return entryOf(await readArtifact(alice, id), field_id);
    };
    const asDay = await show(0);
    expect(asDay).toMatchObject({ value: '2024-03-01T00:00:00+01:00', is_time_displayed: false });
    await change(alice, id, [asDay]);
    await change(alice, id, [{ field_id, value: '2024-03-01' }]);
    expect((await alice.get(`/artifacts/${id}/changesets`)).body).toHaveLength(1);
    expect((await show(1)).value).toBe('2024-03-01T10:30:00+01:00');
    await change(alice, id, [{ field_id, value: '2024-03-01' }]);
    expect(await show(1)).toMatchObject({ value: '2024-03-01T00:00:00+01:00', is_time_displayed: true });
  });

  test('what the platform fills in is ignored in requests', async () => {
    const names = ['subby', 'subon', 'luby', 'lud', 'priority', 'cross', 'aid', 'atid', 'burndown'];
    const sent = names.map((name) => entry(name, { value: 'anything', bind_value_ids: [1] }));
    const id = await submit(bob, every.tracker.id, [entry('string', { value: 'x' }), ...sent]);
    const body = await readArtifact(alice, id);
    expect(shown(body, 'aid').value).toBe(id);
    expect(shown(body, 'atid').value).toBeGreaterThan(0);
    expect(shown(body, 'priority').value).toEqual(expect.any(Number));
    expect(shown(body, 'cross').value).toEqual([]);
    for (const name of ['subby', 'luby'])
      expect(shown(body, name).value).toMatchObject({
        id: bob.id,
        username: 'bob',
        email: 'bob@example.com',
        status: 'A',
      });
    for (const name of ['subon', 'lud']) expect(shown(body, name)).toEqual({ value: body.submitted_on });
    expect(await store.changesetsOf(id)).toBe(1);
    const same = await change(alice, id, sent);
    expect(shown(same, 'luby').value.id).toBe(bob.id);
    expect(await store.changesetsOf(id)).toBe(1);
    const anonymous = await atelier.anonymous.get(`/artifacts/${id}`);
    expect(shown(anonymous.body, 'subby').value).not.toHaveProperty('email');
  });

  test('of two entries for one field the last one counts', async () => {
    const id = await submit(alice, every.tracker.id, [
      entry('string', { value: 'first' }),
      entry('int', { value: 'not even a number' }),
      entry('string', { value: 'last' }),
      entry('int', { value: 2 }),
    ]);
    const body = await readArtifact(alice, id);
    expect([shown(body, 'string').value, shown(body, 'int').value]).toEqual(['last', 2]);
  });

  test('a field reads its own member and ignores the others, ids may be text', async () => {
    const id = await submit(alice, every.tracker.id, [
      { field_id: String(every.ids['string']), value: 'x', bind_value_ids: 'nonsense', links: 5 },
      { ...entry('int', { value: 5 }), type: 'sb', label: 'nonsense', unknown: {} },
    ]);
    const body = await readArtifact(alice, id);
    expect([shown(body, 'string').value, shown(body, 'int').value]).toEqual(['x', 5]);
  });

  test('fields that are not listed in a change keep their values', async () => {
    const id = await submit(alice, every.tracker.id, [
      entry('string', { value: 'kept' }),
      entry('int', { value: 1 }),
    ]);
    const body = await change(alice, id, [entry('int', { value: 2 })]);
    expect([shown(body, 'string').value, shown(body, 'int').value]).toEqual(['kept', 2]);
    expect(await store.changesetsOf(id)).toBe(2);
  });

  test('fields that never got a value are left out, those that were emptied stay', async () => {
    const id = await submit(alice, every.tracker.id, [entry('string', { value: 'x' })]);
    const without = ['int', 'float', 'date', 'datetime', 'file', 'perm'];
    const body = await readArtifact(alice, id);
    for (const name of without) expect(entryOf(body, every.ids[name])).toBeUndefined();
    const empty: Record<string, unknown> = { int: '', float: '', date: '', datetime: '' };
    const values = Object.entries(empty).map(([name, value]) => entry(name, { value }));
    const file = await store.addFile(alice.id, 'plan.txt');
    const restricted = entry('perm', { value: { granted_groups: [`${project}_3`] } });
    await change(alice, id, [...values, entry('file', { value: [file] }), restricted]);
    const none = [entry('file', { value: [] }), entry('perm', { value: { granted_groups: [] } })];
    const after = await change(alice, id, none);
    for (const name of ['int', 'float', 'date', 'datetime']) expect(shown(after, name).value).toBeNull();
    expect(shown(after, 'file')).toEqual({ file_descriptions: [] });
    expect(shown(after, 'perm')).toEqual({ granted_groups: [], granted_groups_ids: [] });
    for (const name of ['linebreak', 'separator', 'staticrichtext', 'fieldset', 'column'])
      expect(entryOf(after, every.ids[name])).toBeUndefined();
  });

  test('no groups at all is no word about who may see an artifact: an empty list opens it', async () => {
    const groups = [`${project}_3`];
    const given = entry('perm', { value: { granted_groups: groups } });
    const id = await submit(alice, every.tracker.id, [entry('string', { value: 'x' }), given]);
    for (const nothing of [{ granted_groups: null }, {}, null]) {
      const { status, body } = await alice.put(`/artifacts/${id}`, {
        values: [entry('perm', { value: nothing })],
      });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('value.granted_groups')]);
      expect(shown(await readArtifact(alice, id), 'perm').granted_groups_ids).toEqual(groups);
    }
    const opened = await change(alice, id, [entry('perm', { value: { granted_groups: [] } })]);
    expect(shown(opened, 'perm').granted_groups_ids).toEqual([]);
  });

  test('no file where there was none, and no restriction, change nothing and are never refused', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const add = async (more: { readonly type: string; readonly [name: string]: unknown }) =>
      (await addField(alice, tracker, more)).field_id;
    const [title, file, perm] = [
      await add({ type: 'string', name: 'title' }),
      await add({ type: 'file', name: 'file' }),
      await add({ type: 'perm', name: 'perm' }),
    ];
    const id = await submit(alice, tracker, [{ field_id: title, value: 'x' }]);
    const none = [
      { field_id: file, value: [] },
      { field_id: perm, value: { granted_groups: [] } },
    ];
    const before = await alice.get(`/artifacts/${id}`);
    const { status, text, headers } = await alice.put(`/artifacts/${id}`, { values: none });
    expect([status, headers.get('etag')], text).toEqual([200, before.headers.get('etag')]);
    expect(await store.changesetsOf(id)).toBe(1);
    // Whoever may only read them sends what they know; whoever may not knows nothing.
    for (const field of [file, perm]) await setFieldPermissions(alice, field, { can_read: [`${project}_3`] });
    await change(bob, id, none);
    expect(await store.changesetsOf(id)).toBe(1);
    for (const field of [file, perm]) await setFieldPermissions(alice, field, { can_read: [`${project}_4`] });
    for (const value of none)
      expect((await bob.put(`/artifacts/${id}`, { values: [value] })).status).toBe(400);
    const needed = await add({ type: 'file', name: 'needed', required: true });
    for (const values of [[], [{ field_id: needed, value: [] }]])
      expect((await alice.put(`/artifacts/${id}`, { values })).status).toBe(400);
  });

  test('values_by_field holds simple fields by name, null where there is no value', async () => {
    const made = await alice.post('/artifacts', {
      tracker: { id: String(every.tracker.id), label: 'ignored' },
      values_by_field: {
        string: { value: 'It breaks' },
        text: { value: '<p>Why</p>', format: 'html' },
        int: { value: '3' },
      },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body.uri).toBe(`artifacts/${made.body.id}?values_format=by_field`);
    expect(made.headers.get('location')).toMatch(
      new RegExp(`^http.*/api/v1/${made.body.uri.replace('?', '.')}$`),
    );
    const body = await readArtifact(alice, made.body.id, '?values_format=by_field');
    expect(body.values).toBeNull();
    expect(Object.keys(body.values_by_field!).sort()).toEqual(
      ['aid', 'atid', 'computed', 'float', 'int', 'priority', 'string', 'text'].sort(),
    );
    expect(body.values_by_field).toMatchObject({
      string: { type: 'string', value: 'It breaks' },
      text: { value: '<p>Why</p>', format: 'html' },
      int: { value: 3 },
      float: null,
    });
    const all = await readArtifact(alice, made.body.id, '?values_format=all');
    expect(all.values_by_field).toEqual(body.values_by_field);
    expect(entryOf(all, every.ids['int'])).toEqual(body.values_by_field!['int']);
    const nested = { text: { value: { content: 'x', format: 'text' } }, float: { value: 0.5 } };
    const other = await alice.post('/artifacts', {
      tracker: { id: every.tracker.id },
      values_by_field: nested,
    });
    const read = await readArtifact(alice, other.body.id, '?values_format=all');
    expect(read.values_by_field).toMatchObject({ text: { format: 'text' }, float: { value: 0.5 } });
    const { id: bare } = await createTracker(alice, project);
    const list = await addField(alice, bare, { type: 'sb', bind: { type: 'static' } });
    const listed = await submit(alice, bare, [{ field_id: list.field_id, bind_value_ids: [] }]);
    expect((await readArtifact(alice, listed, '?values_format=by_field')).values_by_field).toEqual({});
  });

  test('from_artifact takes a title for the words it shows, also in a text', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const title = (await addField(alice, tracker, { type: 'text', name: 'title' })).field_id;
    await setSemantics(alice, tracker, { title: { field_id: title } });
    const value = { content: '1. first', format: 'text' };
    const source = await submit(alice, tracker, [{ field_id: title, value }]);
    const made = await alice.post('/artifacts', {
      tracker: { id: tracker },
      from_artifact: { id: source },
    });
    const copy = await readArtifact(alice, made.body.id);
    expect(copy.title).toBe('1. first');
    expect(entryOf(copy, title)).toMatchObject({ value: '1. first', format: 'text' });
  });

  test('from_artifact takes over the title and the defaults, nothing else', async () => {
    const titled = await createTracker(alice, project);
    const title = await addField(alice, titled.id, { type: 'string', name: 'summary' });
    const more = await addField(alice, titled.id, {
      type: 'string',
      name: 'more',
      specific_properties: { default_value: 'as usual' },
    });
    await setSemantics(alice, titled.id, { title: { field_id: title.field_id } });
    await setSemantics(alice, every.tracker.id, { title: { field_id: every.ids['text'] } });
    const source = await submit(alice, every.tracker.id, [
      entry('text', { value: { content: 'Over <b>two</b>\nlines', format: 'text' } }),
      entry('string', { value: 'not this' }),
    ]);
    const body = { tracker: { id: titled.id }, from_artifact: { id: source } };
    const made = await alice.post('/artifacts', body);
    expect(made.status, made.text).toBe(201);
    const copy = await readArtifact(alice, made.body.id);
    expect(copy.title).toBe('Over <b>two</b> lines');
    expect(entryOf(copy, more.field_id).value).toBe('as usual');
    await setSemantics(alice, every.tracker.id, { title: null });
    await setFieldPermissions(alice, title.field_id, { can_read: ['1'] });
    expect((await alice.post('/artifacts', { ...body, from_artifact: { id: made.body.id } })).status).toBe(
      400,
    );
  });
});

const engineOfOldDays = oneEngine(
  'PostgreSQL',
  'times are reckoned in code, whatever the place; both store them above',
);

describe.each(engineOfOldDays)('days of artifacts elsewhere on %s', (engine) => {
  test.each([
    ['America/New_York', '1880-02-28', '1880-02-28T00:00:00-04:56'],
    ['America/Sao_Paulo', '1914-01-01', '1914-01-01T00:06:28-03:00'],
    ['Pacific/Apia', '1900-05-05', '1900-05-05T00:00:00-11:26'],
  ])('days of long ago mean the same wherever they are written: in %s', async (TZ, day, shownDay) => {
    // Nobody else will be there.
    const elsewhere = await startAtelier(engine, { env: { TZ }, isAlone: true });
    const { admin } = elsewhere;
    const { id: tracker } = await createTracker(admin, (await createProject(admin, 'old-days')).id);
    const { field_id } = await addField(admin, tracker, { type: 'date', name: 'day' });
    const withTime = { type: 'date', name: 'time', specific_properties: { display_time: 1 } };
    const time = (await addField(admin, tracker, withTime)).field_id;
    const entries = [field_id, time].map((id) => ({ field_id: id, value: day }));
    const id = await submit(admin, tracker, entries);
    const read = await readArtifact(admin, id);
    expect(entryOf(read, field_id).value).toBe(shownDay);
    const copy = await submit(admin, tracker, read.values!);
    expect((await readArtifact(admin, copy)).values).toEqual(read.values);
    await change(admin, id, read.values!);
    expect((await admin.get(`/artifacts/${id}/changesets`)).body).toHaveLength(1);
    await elsewhere.stop();
  });
});
