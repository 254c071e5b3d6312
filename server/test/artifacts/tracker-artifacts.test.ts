import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, idsOf, query, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('PostgreSQL'))('artifacts of a tracker on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let group: string;
  let every: EveryField;
  let red: number;
  let green: number;
  /** In the order of their ids: red, green, both in msb, none. */
  let ids: number[];
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const path = () => `/trackers/${every.tracker.id}/artifacts`;
  const found = async (criteria: unknown, caller: Caller = alice) => {
    const reply = await caller.get(`${path()}?query=${query(criteria)}`);
    expect(reply.status, reply.text).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return idsOf(reply);
  };
  const withBody = (rawBody: string, type?: string, parameters = '') =>
    alice.get(`${path()}${parameters}`, {
      rawBody,
      headers: type === undefined ? {} : { 'Content-Type': type },
    });
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'searched')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
    ({ red = 0, green = 0 } = valueIds(fieldNamed(every.tracker, 'sb')));
    const multiple = valueIds(fieldNamed(every.tracker, 'msb'));
    const both = entry('msb', { bind_value_ids: [multiple['red'], multiple['green']] });
    ids = [
      await submit(alice, every.tracker.id, [
        entry('sb', { bind_value_ids: [red] }),
        entry('sb_users', { bind_value_ids: [bob.id] }),
        entry('sb_ugroups', { bind_value_ids: [group] }),
        entry('tbl', { bind_value_ids: ['red', 'typed'] }),
      ]),
      await submit(bob, every.tracker.id, [entry('sb', { bind_value_ids: [green] }), both]),
      await submit(alice, every.tracker.id, [both, entry('tbl', { bind_value_ids: ['typed'] })]),
      await submit(alice, every.tracker.id, [entry('string', { value: 'x' })]),
    ];
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('come by id, in either direction, in pages', async () => {
    const all = await alice.get(path());
    expect([idsOf(all), sizeOf(all)]).toEqual([ids, 4]);
    for (const order of ['desc', 'DESC', 'Desc'])
      expect(idsOf(await alice.get(`${path()}?order=${order}`))).toEqual([...ids].reverse());
    expect(idsOf(await alice.get(`${path()}/?order=ASC`))).toEqual(ids);
    const page = await alice.get(`${path()}?limit=2&offset=1&order=desc`);
    expect([idsOf(page), sizeOf(page)]).toEqual([[ids[2], ids[1]], 4]);
    const headers = ['limit', 'offset', 'size', 'limit-max'].map((name) =>
      page.headers.get(`x-pagination-${name}`),
    );
    expect(headers).toEqual(['2', '1', '4', '1000']);
    expect(all.headers.get('x-pagination-limit')).toBe('100');
    expect(all.headers.get('allow')).toBe('OPTIONS, GET');
    expect(idsOf(await alice.get(`${path()}?offset=4`))).toEqual([]);
    expect(idsOf(await alice.get(`${path()}?limit=&offset=&values=&order=&query=`))).toEqual(ids);
    const { status } = await alice.get(`${path()}?order=up&query=${query({ sb: red })}`);
    expect(status).toBe(400);
  });

  test('come without values, or with all of them', async () => {
    const [short] = (await alice.get(path())).body;
    const [long] = (await alice.get(`${path()}?values=all`)).body;
    // What can be done with it is told of one artifact only.
    const { frozen_field_ids, hidden_fieldset_ids, may_update, may_delete, deletions_left, ...whole } = (
      await alice.get(`/artifacts/${ids[0]}`)
    ).body;
    expect([frozen_field_ids, hidden_fieldset_ids, may_update, may_delete]).toEqual([[], [], true, true]);
    expect(deletions_left).toEqual(expect.any(Number));
    expect(long).toEqual(whole);
    expect(short).toEqual({ ...whole, values: null });
  });

  test('are found by the values of lists', async () => {
    const { red: manyRed, green: manyGreen } = valueIds(fieldNamed(every.tracker, 'msb'));
    const contains = (value: unknown) => ({ operator: 'contains', value });
    for (const value of [
      red,
      String(red),
      [red],
      [String(red)],
      contains(red),
      contains(String(red)),
      contains([red]),
    ])
      expect(await found({ sb: value })).toEqual([ids[0]]);
    expect(await found({ sb: [red, green] })).toEqual([ids[0], ids[1]]);
    expect(await found({ msb: manyRed })).toEqual([ids[1], ids[2]]);
    expect(await found({ msb: manyGreen, sb: green })).toEqual([ids[1]]);
    expect(await found({ msb: manyGreen, sb: red })).toEqual([]);
    expect(await found({ sb_users: bob.id })).toEqual([ids[0]]);
    const values = fieldNamed(every.tracker, 'sb_ugroups').values as {
      id: number;
      ugroup_reference: { id: string };
    }[];
    const value = values.find(({ ugroup_reference: reference }) => reference.id === group)!;
    expect(await found({ sb_ugroups: value.id })).toEqual([ids[0]]);
    expect(await found({ sb: 99_999 })).toEqual([]);
    expect(await found({ sb_users: 99_999 })).toEqual([]);
  });

  test('are found by field id or name, in any letter case', async () => {
    for (const key of [String(every.ids['sb']), 'sb', 'SB', 'Sb'])
      expect(await found({ [key]: red })).toEqual([ids[0]]);
  });

  test('none, nothing and unused fields make no condition', async () => {
    for (const criteria of [{ sb: 100 }, { sb: [100] }, { sb: '100' }, { sb: [] }, {}, [], null])
      expect(await found(criteria)).toEqual(ids);
    expect(await found({ sb: [100, red] })).toEqual([ids[0]]);
    const unused = await addField(alice, every.tracker.id, {
      type: 'sb',
      name: 'unused',
      bind: { type: 'static' },
    });
    await store.unuse(unused.field_id);
    expect(await found({ unused: 5 })).toEqual(ids);
  });

  test('are found by values of open lists, predefined and typed', async () => {
    const listed = (await alice.get(`/trackers/${every.tracker.id}`)).body;
    const values = fieldNamed(listed, 'tbl').values as { id: number | string; label: string }[];
    const idOf = (label: string) => values.find((value) => value.label === label)!.id;
    expect(await found({ tbl: idOf('red') })).toEqual([ids[0]]);
    expect(await found({ tbl: [`b${idOf('red')}`] })).toEqual([ids[0]]);
    expect(await found({ tbl: [idOf('typed')] })).toEqual([ids[0], ids[2]]);
    expect(await found({ tbl: [idOf('typed'), idOf('red')] })).toEqual([ids[0], ids[2]]);
    expect(await found({ tbl: ['o99999'] })).toEqual([]);
    const bare = await alice.get(`${path()}?query=${query({ tbl: idOf('typed') })}`);
    expect(bare.status).toBe(400);
  });

  test('are found by criteria in the body, whatever it is called', async () => {
    const body = JSON.stringify({ sb: { operator: 'contains', value: String(red) } });
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      undefined,
      'application/x-www-form-urlencoded',
    ])
      expect([type, idsOf(await withBody(body, type))]).toEqual([type, [ids[0]]]);
    const xml = `<request><sb><operator>contains</operator><value>${red}</value></sb></request>`;
    expect(idsOf(await withBody(xml, 'application/xml'))).toEqual([ids[0]]);
    const items = `<criteria><sb><value><item>${red}</item><item>${green}</item></value><operator>contains</operator></sb></criteria>`;
    expect(idsOf(await withBody(items, 'application/xml'))).toEqual([ids[0], ids[1]]);
    // Names that XML cannot write, and the one by which it writes lists.
    for (const name of ['1st', 'item']) {
      const { field_id: id } = await addField(alice, every.tracker.id, { type: 'string', name });
      for (const element of [name === 'item' ? name : `_${name}`, `_${id}`]) {
        const reply = await withBody(`<request><${element}>b</${element}></request>`, 'application/xml');
        expect([element, reply.status, reply.body]).toEqual([element, 200, []]);
      }
    }
    const page = await withBody(
      JSON.stringify({ sb: [red, green] }),
      'application/json',
      '?limit=1&offset=1&values=all',
    );
    expect([idsOf(page), sizeOf(page)]).toEqual([[ids[1]], 2]);
    expect(page.body[0].values).not.toBeNull();
  });

  test('the query string wins over the body, which is then not even read', async () => {
    const asked = `?query=${query({ sb: green })}`;
    for (const body of [JSON.stringify({ sb: red }), '{', '[5]', '{"nowhere":1}'])
      expect(idsOf(await withBody(body, 'application/json', asked))).toEqual([ids[1]]);
    for (const empty of ['?query=', '?query=0', '?expert_query='])
      expect(idsOf(await withBody(JSON.stringify({ sb: red }), 'application/json', empty))).toEqual([ids[0]]);
  });

  test('a body that says nothing is as good as none', async () => {
    for (const body of ['', ' ', 'null', '{}', '[]', '\n'])
      expect([body, idsOf(await withBody(body, 'application/json'))]).toEqual([body, ids]);
    for (const body of ['{"sb":1}', 'nonsense', '<x>'])
      for (const type of ['text/plain', 'multipart/form-data', 'application/octet-stream'])
        expect(idsOf(await withBody(body, type))).toEqual(ids);
    expect(idsOf(await withBody('sb=1&x=2', 'application/x-www-form-urlencoded'))).toEqual(ids);
    expect(idsOf(await withBody('<request></request>', 'application/xml'))).toEqual(ids);
    expect(idsOf(await alice.get(path(), { headers: { 'Content-Type': 'application/json' } }))).toEqual(ids);
  });

  test('criteria that mean nothing are 400, in the query and in the body', async () => {
    const other = await createTracker(alice, project);
    const foreign = await addField(alice, other.id, { type: 'sb', bind: { type: 'static' } });
    const wrong: [string, RegExp][] = [
      ['{', /JSON/],
      ['nonsense', /JSON/],
      ['5', /object/],
      ['"x"', /object/],
      ['true', /object/],
      ['[1]', /object/],
      ['{"nowhere":1,"sb":1,"either":2}', /do not exist: nowhere, either/],
      [`{"${foreign.field_id}":1}`, /do not exist/],
      ['{"sb":{"operator":"contains"}}', /sb is malformed/],
      ['{"sb":{"value":1}}', /sb is malformed/],
      ['{"sb":{"operator":"contains","value":null}}', /sb is malformed/],
      ['{"sb":{"operator":"like","value":1}}', /operator for field sb/],
      ['{"sb":{"operator":"between","value":[1,2]}}', /contains/],
      ['{"sb":"red"}', /sb/],
      ['{"sb":[true]}', /sb/],
      ['{"sb":{"operator":"contains","value":{"a":1}}}', /sb/],
    ];
    for (const [text, words] of wrong) {
      const inQuery = await alice.get(`${path()}?query=${encodeURIComponent(text)}`);
      const inBody = await withBody(text, 'application/json');
      expect([text, inQuery.status, inBody.status]).toEqual([text, 400, 400]);
      for (const { body } of [inQuery, inBody]) expect(body.error.message).toMatch(words);
    }
    expect((await withBody('<request><sb>', 'application/xml')).status).toBe(400);
    expect(idsOf(await alice.get(`${path()}?query=${encodeURIComponent(`{\\"sb\\":${red}}`)}`))).toEqual([
      ids[0],
    ]);
  });

  test('trackers that cannot be seen have none', async () => {
    expect((await alice.get('/trackers/99999/artifacts')).status).toBe(404);
    expect((await alice.get('/trackers/abc/artifacts')).status).toBe(400);
    const { id } = await createTracker(alice, project);
    await setPermissions(alice, id, {});
    expect((await bob.get(`/trackers/${id}/artifacts`)).status).toBe(404);
    expect((await alice.get(`/trackers/${id}/artifacts`)).body).toEqual([]);
    expect((await alice.request('POST', `/trackers/${id}/artifacts`)).status).toBe(405);
  });

  test('criteria follow every change of the values', async () => {
    const id = ids[3]!;
    await change(alice, id, [entry('sb', { bind_value_ids: [red] })]);
    expect(await found({ sb: red })).toEqual([ids[0], id]);
    await change(alice, id, [entry('sb', { bind_value_ids: [green] })]);
    expect([await found({ sb: red }), await found({ sb: green })]).toEqual([[ids[0]], [ids[1], id]]);
    await change(alice, id, [entry('sb', { bind_value_ids: [] })]);
    expect(await found({ sb: green })).toEqual([ids[1]]);
  });

  test('parent_artifacts are the open ones of the parent tracker, newest first', async () => {
    const parent = await createTracker(alice, project, { item_name: 'epic' });
    const child = await createTracker(alice, project, { parent_id: parent.id });
    const title = (await addField(alice, parent.id, { type: 'string', name: 'title' })).field_id;
    const values = [{ label: 'Open', color: 'acid-green' }, { label: 'Closed' }];
    const status = await addField(alice, parent.id, {
      type: 'sb',
      name: 'status',
      bind: { type: 'static', values },
    });
    const { Open, Closed } = valueIds(status);
    const make = (value: string, state: number | undefined) =>
      submit(alice, parent.id, [
        { field_id: title, value },
        { field_id: status.field_id, bind_value_ids: [state ?? 100] },
      ]);
    const made = [await make('first', Open), await make('second', Closed), await make('third', undefined)];
    const parents = `/trackers/${child.id}/parent_artifacts`;
    expect(idsOf(await bob.get(parents))).toEqual([...made].reverse());
    await setSemantics(alice, parent.id, {
      title: { field_id: title },
      status: { field_id: status.field_id, value_ids: [Open, 100] },
    });
    const reply = await bob.get(parents);
    expect([idsOf(reply), sizeOf(reply)]).toEqual([[made[2], made[0]], 2]);
    expect(reply.body[1]).toEqual({
      id: made[0],
      title: 'first',
      xref: `epic #${made[0]}`,
      uri: `artifacts/${made[0]}`,
      html_url: `/plugins/tracker/?aid=${made[0]}`,
      tracker: expect.objectContaining({
        id: parent.id,
        color_name: 'inca-silver',
        cannot_create_reasons: null,
      }),
      full_status: { value: 'Open', color: 'acid-green' },
    });
    expect(reply.body[0].full_status).toBeNull();
    await setSemantics(alice, parent.id, {
      title: null,
      status: { field_id: status.field_id, value_ids: [Open] },
    });
    const open = await bob.get(`${parents}?limit=1`);
    expect([idsOf(open), sizeOf(open), open.body[0].title]).toEqual([[made[0]], 1, '']);
    await setPermissions(alice, parent.id, {});
    expect([(await bob.get(parents)).body, sizeOf(await alice.get(parents))]).toEqual([[], 1]);
    expect((await bob.get(`/trackers/${parent.id}/parent_artifacts`)).status).toBe(404);
    const orphan = await alice.get(`/trackers/${parent.id}/parent_artifacts`);
    expect([orphan.status, orphan.body, sizeOf(orphan)]).toEqual([200, [], 0]);
    for (const wrong of ['limit=0', 'limit=1001', 'offset=-1'])
      expect((await alice.get(`${parents}?${wrong}`)).status).toBe(400);
  });

  test('used_artifact_links are the types of the present links', async () => {
    const { id } = await createTracker(alice, project);
    const links = (await addField(alice, id, { type: 'art_link' })).field_id;
    const used = `/trackers/${id}/used_artifact_links`;
    expect((await bob.get(used)).body).toEqual([]);
    const set = (...sent: [number, string][]) => ({
      field_id: links,
      links: sent.map(([other, type]) => ({ id: other, type })),
    });
    const [first = 0, second = 0, third = 0] = ids;
    const made = await submit(alice, id, [set([first, '_is_child'], [second, ''], [third, '_covered_by'])]);
    const reply = await bob.get(used);
    expect(reply.body).toEqual([
      { shortname: '', forward_label: '' },
      { shortname: '_covered_by', forward_label: 'is Covered by' },
      { shortname: '_is_child', forward_label: 'Child' },
    ]);
    const page = await bob.get(`${used}?limit=1&offset=1`);
    expect([page.body.length, page.body[0].shortname, sizeOf(page)]).toEqual([1, '_covered_by', 3]);
    await change(alice, made, [set([first, '_is_child'])]);
    expect((await bob.get(used)).body).toEqual([{ shortname: '_is_child', forward_label: 'Child' }]);
    expect((await bob.get(`${used}?limit=0`)).status).toBe(400);
  });
});
