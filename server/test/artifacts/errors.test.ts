import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, refused, Store, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setFieldPermissions,
  setPermissions,
  setSemantics,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('PostgreSQL', 'bodies are refused in words before anything is stored');

describe.each(engines)('requests about artifacts that cannot be met on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let every: EveryField;
  /** An artifact of the tracker with every field. */
  let id: number;
  const text = (value: unknown) => ({ field_id: every.ids['string'], value });
  const post = (body: unknown, caller = alice) => caller.post('/artifacts', body);
  const create = (...values: unknown[]) => post({ tracker: { id: every.tracker.id }, values });
  const put = (body: unknown, caller = alice) => caller.put(`/artifacts/${id}`, body);
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'errors')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
    id = await submit(alice, every.tracker.id, [text('It breaks')]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('without a valid login they are 401', async () => {
    const { anonymous } = atelier;
    const impostor = atelier.callerWith({ 'X-Auth-AccessKey': 'tlp-k1-1.0000' });
    const body = { tracker: { id: every.tracker.id }, values: [text('x')] };
    for (const caller of [anonymous, impostor]) {
      await refused(store, () => caller.post('/artifacts', body), 401, 'Unauthorized');
      await refused(store, () => caller.put(`/artifacts/${id}`, body), 401, 'Unauthorized');
      const own = '/users/self/artifacts?query=%7B%22submitted_by%22%3Atrue%7D';
      await refused(store, () => caller.get(own), 401, 'Unauthorized');
    }
    await refused(store, () => impostor.get(`/artifacts/${id}`), 401, 'Unauthorized');
  });

  test('a body that is no JSON or XML is 400, another type 415', async () => {
    for (const [method, path] of [
      ['POST', '/artifacts'],
      ['PUT', `/artifacts/${id}`],
    ] as const) {
      const send = (rawBody: string, type: string) => () =>
        alice.request(method, path, { rawBody, headers: { 'Content-Type': type } });
      await refused(store, send('{"values":', 'application/json'), 400, 'JSON');
      await refused(store, send('null', 'application/json'), 400, 'JSON');
      await refused(store, send('<request><values>', 'application/xml'), 400, 'XML');
      await refused(store, send('{}', 'text/plain'), 415, 'text/plain');
      await refused(store, send('', 'application/json'), 400, method === 'POST' ? 'tracker' : 'values');
    }
  });

  test('PUT without a list of entries is 400 and names `values`', async () => {
    for (const values of [undefined, null, 'x', 1, true, { 0: text('x') }])
      await refused(store, () => put({ values, comment: { format: 'text', body: 'x' } }), 400, /`values`/);
  });

  test('an entry that is no object is 400 and says which one', async () => {
    for (const wrong of ['x', 1, true, null, [text('x')], []]) {
      const sent = [text('fine'), wrong];
      await refused(store, () => put({ values: sent }), 400, /`values\[1\]/);
      await refused(store, () => create(...sent), 400, /`values\[1\]/);
    }
  });

  test('a `field_id` that is missing or no integer is 400 and says which entry', async () => {
    const wrong = [undefined, null, 'abc', '', 1.5, true, [every.ids['string']], {}, '1e3', 2 ** 60];
    for (const field_id of wrong) {
      const sent = [text('fine'), { field_id, value: 'x' }];
      await refused(store, () => put({ values: sent }), 400, /`values\[1\]\.field_id`/);
      await refused(store, () => create(...sent), 400, /`values\[1\]\.field_id`/);
    }
  });

  test('a field that the tracker does not have or use is 400 "Unknown field"', async () => {
    const other = await createTracker(alice, project);
    const foreign = await addField(alice, other.id, { type: 'string' });
    const unused = await addField(alice, every.tracker.id, { type: 'string', name: 'unused' });
    await store.unuse(unused.field_id);
    const { fieldset, linebreak } = every.ids;
    for (const field_id of [0, -1, 99_999, foreign.field_id, unused.field_id, fieldset, linebreak]) {
      const entry = { field_id, value: 'x' };
      await refused(store, () => put({ values: [entry] }), 400, `Unknown field ${field_id}`);
      await refused(store, () => create(text('x'), entry), 400, `Unknown field ${field_id}`);
    }
  });

  test('several or no sources of values are 400 and name them', async () => {
    const tracker = { id: every.tracker.id };
    const values = [text('x')];
    const values_by_field = { string: { value: 'x' } };
    const from_artifact = { id };
    const names = /`values`.*`values_by_field`.*`from_artifact`/;
    for (const sources of [
      { values, values_by_field },
      { values, from_artifact },
      { values_by_field, from_artifact },
      { values, values_by_field, from_artifact },
      {},
      { values: [] },
      { values: [], values_by_field: {} },
      { values: [], values_by_field: [], from_artifact: {} },
      { values: null, values_by_field: null, from_artifact: null },
    ])
      await refused(store, () => post({ tracker, ...sources }), 400, names);
    await refused(store, () => post({ tracker, values: 'x' }), 400, /`values`/);
    await refused(store, () => post({ tracker, values_by_field: 'x' }), 400, /`values_by_field`/);
    await refused(store, () => post({ tracker, from_artifact: { id: 'x' } }), 400, /from_artifact/);
  });

  test('an empty source beside another one does no harm', async () => {
    const tracker = { id: every.tracker.id };
    const values = [text('x')];
    for (const more of [{ values_by_field: [] }, { values_by_field: {} }, { from_artifact: null }]) {
      const { status, text: answer } = await post({ tracker, values, ...more });
      expect(status, answer).toBe(201);
    }
    const byField = { values: [], values_by_field: { string: { value: 'x' } }, from_artifact: {} };
    expect((await post({ tracker, ...byField })).status).toBe(201);
  });

  test('the tracker of a new artifact must be named, exist, and take submissions', async () => {
    const values = [text('x')];
    await refused(store, () => post({ values }), 400, /`tracker`/);
    await refused(store, () => post({ tracker: 12, values }), 400, /`tracker`/);
    await refused(store, () => post({ tracker: {}, values }), 400, /`tracker\[id\]`/);
    await refused(store, () => post({ tracker: { id: 'x' }, values }), 400, /`tracker\[id\]`/);
    await refused(store, () => post({ tracker: { id: 99_999 }, values }), 404, 'tracker');
  });

  test('values_by_field takes simple fields only', async () => {
    const tracker = { id: every.tracker.id };
    const send = (values_by_field: unknown) => () => post({ tracker, values_by_field });
    const others = Object.keys(every.ids).filter(
      (name) => !['string', 'text', 'int', 'float'].includes(name),
    );
    for (const name of others) await refused(store, send({ [name]: { value: 'x' } }), 400, `"${name}"`);
    for (const name of ['nowhere', '__proto__'])
      await refused(store, send(JSON.parse(`{"${name}":{"value":"x"}}`)), 400, `"${name}"`);
    await refused(store, send({ String: { value: 'x' } }), 400, '"String"');
    await refused(store, send({ string: {} }), 400, /\(string\).*`value`/);
    await refused(store, send({ string: { value: null } }), 400, /\(string\).*`value`/);
    for (const wrong of ['x', 1, null, ['x']])
      await refused(store, send({ string: wrong }), 400, 'values_by_field.string');
    await refused(store, send({ string: { value: 'x' }, int: { value: 'x' } }), 400, '(int)');
  });

  test('values_by_field has no names for fields that somebody may not know of', async () => {
    const { ids, tracker } = await everyField(alice, project);
    const names = ['int', 'sb', 'computed'];
    for (const name of names) await setFieldPermissions(alice, ids[name]!, { can_read: [`${project}_4`] });
    await setFieldPermissions(alice, ids['float']!, { can_read: ['1'] });
    const send = (name: string, caller: Person) => () =>
      post({ tracker: { id: tracker.id }, values_by_field: { [name]: { value: 1 } } }, caller);
    for (const name of [...names, 'nowhere']) {
      const { body } = await refused(store, send(name, bob), 400, 'Unknown');
      expect(body.error.message).toBe(`Bad Request: Unknown field "${name}".`);
    }
    await refused(store, send('float', bob), 400, 'not allowed to submit the field float');
    await refused(store, send('int', alice), 400, 'not allowed to submit the field int');
    await refused(store, send('sb', alice), 400, '"sb" cannot be set by');
  });

  test('from_artifact needs a source with a title and a tracker that has one', async () => {
    const titled = await createTracker(alice, project);
    const title = await addField(alice, titled.id, { type: 'string', name: 'title' });
    const from = (source: number, target = titled.id) =>
      refusedFrom({ tracker: { id: target }, from_artifact: { id: source } });
    const refusedFrom = (body: unknown) => (status: number, words: string | RegExp) =>
      refused(store, () => post(body), status, words);
    await from(id)(400, `${id} has no title`);
    await setSemantics(alice, titled.id, { title: { field_id: title.field_id } });
    const source = await submit(alice, titled.id, [{ field_id: title.field_id, value: 'A title' }]);
    await from(source, every.tracker.id)(400, 'no title');
    await from(99_999)(404, 'artifact 99999');
    const empty = await submit(alice, titled.id, [{ field_id: title.field_id, value: '' }]);
    await from(empty)(400, `${empty} has no title`);
    await setFieldPermissions(alice, title.field_id, { can_submit: ['2'], can_read: [`${project}_4`] });
    const asCarol = { tracker: { id: titled.id }, from_artifact: { id: source } };
    await refused(store, () => post(asCarol, carol), 400, `${source} has no title`);
    const hidden = await createTracker(alice, project);
    const summary = await addField(alice, hidden.id, { type: 'string' });
    const unseen = await submit(alice, hidden.id, [{ field_id: summary.field_id, value: 'x' }]);
    await setPermissions(alice, hidden.id, {});
    const fromHidden = { tracker: { id: titled.id }, from_artifact: { id: unseen } };
    await refused(store, () => post(fromHidden, bob), 403, 'Forbidden');
  });

  test('a comment without format, or too long, is 400', async () => {
    const values: unknown[] = [];
    await refused(store, () => put({ values, comment: { body: 'x' } }), 400, /`comment\[format\]`/);
    await refused(store, () => put({ values, comment: 'x' }), 400, /`comment`/);
    const long = { format: 'text', body: 'é'.repeat(32_768) };
    await refused(store, () => put({ values, comment: long }), 400, /`comment\[body\]`/);
  });

  test('an unknown query parameter value is 400 and names the parameter', async () => {
    for (const name of ['values_format', 'tracker_structure_format'])
      await refused(store, () => alice.get(`/artifacts/${id}?${name}=nonsense`), 400, `\`${name}\``);
    const list = `/trackers/${every.tracker.id}/artifacts`;
    for (const [name, wrong] of [
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', 'x'],
      ['offset', '-1'],
      ['values', 'some'],
      ['order', 'up'],
    ])
      await refused(store, () => alice.get(`${list}?${name}=${wrong}`), 400, `\`${name}\``);
  });

  test('an artifact that does not exist is 404, an id that is no number 400', async () => {
    for (const unknown of [0, -1, 99_999]) {
      await refused(store, () => alice.get(`/artifacts/${unknown}`), 404, 'Not Found');
      await refused(store, () => alice.put(`/artifacts/${unknown}`, { values: [] }), 404, 'Not Found');
    }
    await refused(store, () => alice.get('/artifacts/abc'), 400, '`id`');
    await refused(store, () => atelier.anonymous.put('/artifacts/abc', { values: [] }), 400, '`id`');
    await refused(store, () => alice.request('POST', `/artifacts/${id}`), 405, 'Method Not Allowed');
  });

  test('all that is wrong is told at once, a line for each', async () => {
    const { int, float, sb } = every.ids;
    const wrong = [
      { field_id: int, value: 'x' },
      { field_id: float, value: 'y' },
      { field_id: sb, bind_value_ids: [1] },
    ];
    for (const send of [() => create(...wrong), () => put({ values: wrong })]) {
      const reply = await refused(store, send, 400, 'Bad Request');
      const lines = messageOf(reply).split('\n');
      expect(lines).toHaveLength(3);
      for (const [index, name] of ['int', 'float', 'sb'].entries())
        expect(lines[index]).toContain(`(${name})`);
    }
  });

  test('what is missing and links that cannot be made are told together with wrong values', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const field = async (type: string, more: object = {}) =>
      (await addField(alice, tracker, { type, name: type, ...more })).field_id;
    const links = await field('art_link', { required: true });
    const made = await submit(alice, tracker, [{ field_id: links, links: [{ id }] }]);
    const [int, title] = [await field('int', { required: true }), await field('string', { required: true })];
    const plain = await createTracker(alice, project);
    const name = (await addField(alice, plain.id, { type: 'string' })).field_id;
    const unlinked = await submit(alice, plain.id, [{ field_id: name, value: 'x' }]);
    const values = [
      { field_id: int, value: 'x' },
      {
        field_id: links,
        all_links: [
          { id: 99_998, direction: 'forward', type: 'unheard_of' },
          { id: 99_999, direction: 'reverse', type: '' },
          { id: unlinked, direction: 'reverse', type: '' },
        ],
      },
    ];
    for (const send of [
      () => post({ tracker: { id: tracker }, values }),
      () => alice.put(`/artifacts/${made}`, { values }),
    ]) {
      const reply = await refused(store, send, 400, 'Bad Request');
      const lines = messageOf(reply).split('\n');
      expect(lines).toEqual([
        expect.stringContaining('(int)'),
        expect.stringContaining('unheard_of'),
        expect.stringContaining('99998'),
        expect.stringContaining('99999'),
        expect.stringContaining('(string) is required'),
      ]);
      expect(reply.body.error.i18n_error_message).toContain(`Artifact ${unlinked}`);
    }
    const missing = [{ field_id: title, value: 'x' }];
    const reply = await post({ tracker: { id: tracker }, values: missing });
    expect(messageOf(reply).split('\n')).toHaveLength(2);
  });
});
