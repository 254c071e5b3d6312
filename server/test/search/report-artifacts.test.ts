import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, messageOf, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, idsOf, setMembers, sizeOf } from '../fixtures/project.ts';
import { type Members, saveReport } from '../fixtures/report.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('SQLite'))('artifacts of a report on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let every: EveryField;
  let red: number;
  let green: number;
  /** In the order of their ids: red by alice, green by bob with a comment, without anything by alice. */
  let ids: number[];
  /** Of alice, with everything in it. */
  let whole: number;
  const idOf = (name: string) => every.ids[name] ?? 0;
  const entry = (name: string, more: Members) => ({ field_id: idOf(name), ...more });
  const columns = (...names: string[]) => names.map((name) => ({ field_id: idOf(name) }));
  const saved = (report: Members, caller: Caller = alice) =>
    saveReport(caller, every.tracker.id, { label: 'Report', ...report });
  const artifacts = (id: number, parameters = '', caller: Caller = alice) =>
    caller.get(`/tracker_reports/${id}/artifacts${parameters}`);
  const found = async (report: Members) => {
    const { id } = await saved(report);
    const reply = await artifacts(id, '?limit=50');
    expect(reply.status, reply.text).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return idsOf(reply);
  };

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'reported')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
    ({ red = 0, green = 0 } = valueIds(fieldNamed(every.tracker, 'sb')));
    const { red: one, green: two } = valueIds(fieldNamed(every.tracker, 'msb'));
    const first = [
      entry('string', { value: 'Crash on save' }),
      entry('text', { value: '<p>Some <b>bold</b> words</p>', format: 'html' }),
      entry('int', { value: 3 }),
      entry('date', { value: '2024-01-10' }),
      entry('sb', { bind_value_ids: [red] }),
      entry('msb', { bind_value_ids: [one, two] }),
      entry('sb_users', { bind_value_ids: [bob.id] }),
    ];
    const second = [
      entry('string', { value: 'Crash on load' }),
      entry('sb', { bind_value_ids: [green] }),
      entry('tbl_ugroups', { bind_value_ids: ['project_members'] }),
    ];
    ids = [
      await submit(alice, every.tracker.id, first),
      await submit(bob, every.tracker.id, second),
      await submit(alice, every.tracker.id, [entry('float', { value: 0.5 })]),
    ];
    await change(bob, ids[1] ?? 0, [], { comment: { body: 'Please REVIEW this', format: 'text' } });
    whole = (
      await saved({
        label: 'Whole',
        is_public: true,
        renderers: [{ columns: columns('int', 'string', 'art_link', 'text', 'msb', 'subby') }],
      })
    ).id;
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('come by id in pages, without values unless asked for', async () => {
    const reply = await artifacts(whole, '?with_unsaved_changes=1');
    expect([idsOf(reply), sizeOf(reply)]).toEqual([ids, 3]);
    expect([reply.body[0].values, reply.body[0].values_by_field]).toEqual([null, null]);
    expect(reply.headers.get('x-pagination-limit')).toBe('10');
    expect(reply.headers.get('x-pagination-limit-max')).toBe('50');
    const page = await artifacts(whole, '?limit=1&offset=2');
    expect([idsOf(page), sizeOf(page)]).toEqual([[ids[2]], 3]);
    const all = await artifacts(whole, '?values=all&output_format=nested');
    const listed = await alice.get(`/trackers/${every.tracker.id}/artifacts?values=all`);
    expect(all.body).toEqual(listed.body);
    for (const wrong of ['limit=0', 'limit=51', 'offset=-1', 'values=some', 'output_format=csv', 'limit=x'])
      expect((await artifacts(whole, `?${wrong}`)).status, wrong).toBe(400);
    expect((await artifacts(whole, '?values=&table_renderer_id=&output_format=')).status).toBe(200);
  });

  test('the criteria must all hold, as in a request, but None counts and comments can be searched', async () => {
    const [first, second, third] = ids;
    const vectors: readonly (readonly [Members, readonly (number | undefined)[]])[] = [
      [{}, ids],
      [{ string: 'crash' }, [first, second]],
      [{ string: null, sb: '' }, ids],
      [{ string: 'crash', sb: green }, [second]],
      [{ sb: [red, green] }, [first, second]],
      [{ sb: 100 }, [third]],
      [{ sb: [100, red] }, [first, third]],
      [{ msb: { operator: 'contains', value: ['100'] } }, [second, third]],
      [{ sb: 999_999 }, []],
      [{ sb: -1 }, []],
      [{ sb: ['-1', red] }, [first]],
      [{ tbl: ['o999999', '9'.repeat(30)] }, []],
      [{ tbl_ugroups: `${project}_3` }, [second]],
      [{ tbl_ugroups: [`${project}_4`] }, []],
      [{ int: '>= 3' }, [first]],
      [{ date: { operator: '<', value: '2024-01-11' } }, [first]],
      [{ sb_users: [bob.id] }, [first]],
      [{ subby: bob.id }, [second]],
      [{ string: '/^crash on s/' }, [first]],
      [{ '@comments': 'review' }, [second]],
      [{ '@comments': 'nothing like it' }, []],
      [{ '@comments': { operator: 'contains', value: '' } }, ids],
    ];
    for (const [criteria, expected] of vectors)
      expect(await found({ criteria }), JSON.stringify(criteria)).toEqual(expected);
  });

  test('more words than can be looked for in good time are refused, and nothing is saved', async () => {
    const { id } = await createTracker(alice, project);
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) await addField(alice, id, { type: 'string', name });
    const words = Array.from({ length: 80 }, (_, number) => `w${number}`).join(' ');
    const asking = (some: readonly string[]) => ({
      label: 'Wordy',
      criteria: Object.fromEntries(some.map((name) => [name, words])),
    });
    const reply = await alice.post(`/trackers/${id}/tracker_reports`, asking(names));
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining('at most 300 words')]);
    await saveReport(alice, id, asking(names.slice(1)));
    expect(sizeOf(await alice.get(`/trackers/${id}/tracker_reports`))).toBe(2);
  });

  test('a query finds what it says; one that means nothing any more finds nothing', async () => {
    const [first, second] = ids;
    const query = (expert_query: string) => ({ is_in_expert_mode: true, expert_query });
    expect(await found(query('string = "crash" and sb = "red"'))).toEqual([first]);
    expect(await found(query('@comments = "review"'))).toEqual([second]);
    expect(await found(query(''))).toEqual(ids);
    expect(await found({ expert_query: 'sb = "red"', criteria: { sb: green } })).toEqual([second]);
    for (const text of ['string = ', 'nope = 1', 'SELECT @id FROM @project = "self" WHERE @id = 1']) {
      const { id } = await saved(query('string = "crash"'));
      await store.force((tx) =>
        tx.run(tx.sql.updateTable('report').set({ query: text }).where('id', '=', id)),
      );
      const reply = await artifacts(id);
      expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, [], 0]);
    }
  });

  test('whoever looks finds only what they may see', async () => {
    const own = await saved({ label: 'Of bob', criteria: { string: 'crash' } }, bob);
    await setPermissions(alice, every.tracker.id, { can_access_submitted_by_user: ['2'] });
    for (const id of [whole, own.id]) {
      const reply = await artifacts(id, '', bob);
      expect([idsOf(reply), sizeOf(reply)]).toEqual([[ids[1]], 1]);
    }
    expect(idsOf(await artifacts(whole, '', atelier.admin))).toEqual(ids);
    await setPermissions(alice, every.tracker.id, { can_access: ['1'] });
    expect(sizeOf(await artifacts(whole, '', atelier.anonymous))).toBe(3);
  });

  test('from_table_renderer gives the columns of the table in their order, without links', async () => {
    const names = async (id: number, more = '') => {
      const reply = await artifacts(id, `?values=from_table_renderer&limit=1${more}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body[0].values.map(({ field_id }: Value) => field_id);
    };
    const shown = ['int', 'string', 'text', 'msb', 'subby'].map(idOf);
    expect(await names(whole)).toEqual(shown);
    const { renderers, id: several } = await saved({
      renderers: [{ columns: columns('aid') }, { columns: columns('string', 'aid') }],
    });
    expect(await names(several, `&table_renderer_id=${renderers[1]?.id}`)).toEqual(
      ['string', 'aid'].map(idOf),
    );
    const none = await saved({ renderers: [] });
    for (const [id, more] of [
      [several, ''],
      [several, '&table_renderer_id=1'],
      [whole, `&table_renderer_id=${renderers[0]?.id}`],
      [none.id, ''],
      [none.id, `&table_renderer_id=${renderers[0]?.id}`],
    ] as const) {
      const reply = await artifacts(id, `?values=from_table_renderer${more}`);
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringMatching(/table/)]);
    }
    expect((await artifacts(none.id, '?values=all')).status).toBe(200);
  });

  test('flat gives one simple value for each field', async () => {
    const flat = await artifacts(whole, '?values=from_table_renderer&output_format=flat');
    expect(flat.body[0]).toEqual({
      int: 3,
      string: 'Crash on save',
      text: 'Some bold words',
      msb: ['red', 'green'],
      subby: expect.stringContaining('alice'),
    });
    expect(Object.keys(flat.body[0])).toEqual(['int', 'string', 'text', 'msb', 'subby']);
    const all = await artifacts(whole, '?values=all&output_format=flat');
    expect(all.body[0]).toMatchObject({
      aid: ids[0],
      sb: ['red'],
      sb_users: [expect.stringContaining('bob')],
    });
    expect(Object.keys(all.body[0])).not.toContain('art_link');
    const joined = await artifacts(whole, '?values=all&output_format=flat_with_semicolon_string_array');
    expect(joined.body[0]).toMatchObject({ msb: 'red;green', sb: 'red' });
    for (const format of ['flat', 'flat_with_semicolon_string_array']) {
      expect((await artifacts(whole, `?output_format=${format}`)).status).toBe(400);
      const empty = await artifacts(whole, `?output_format=${format}&offset=3`);
      expect([empty.status, empty.body, sizeOf(empty)]).toEqual([200, [], 3]);
    }
    const rename = (label: string) => alice.patch(`/tracker_fields/${idOf('sb')}/values/${red}`, { label });
    await rename('a;b');
    const wrong = await artifacts(whole, '?values=all&output_format=flat_with_semicolon_string_array');
    expect([wrong.status, messageOf(wrong)]).toEqual([400, expect.stringContaining('a;b')]);
    expect((await artifacts(whole, '?values=all&output_format=flat')).body[0].sb).toEqual(['a;b']);
    await rename('red');
  });

  test('XML has the same', async () => {
    const reply = await alice.get(
      `/tracker_reports/${whole}/artifacts?values=from_table_renderer&output_format=flat`,
      {
        headers: { Accept: 'application/xml' },
      },
    );
    expect(reply.text).toContain('<string>Crash on save</string>');
    expect(reply.text).toContain('<msb><item>red</item><item>green</item></msb>');
  });
});
