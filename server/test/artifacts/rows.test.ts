import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, messageOf, readArtifact, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, query as json, setMembers, sizeOf } from '../fixtures/project.ts';
import { saveReport } from '../fixtures/report.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

type Members = Readonly<Record<string, unknown>>;

describe.each(usuallyOn('SQLite'))('artifacts as rows on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let nobody: Caller;
  let project: number;
  let every: EveryField;
  /** In the order of their ids. */
  const ids: number[] = [];
  let sb: Record<string, number>;
  let msb: Record<string, number>;
  const idOf = (name: string) => every.ids[name] ?? 0;
  const entry = (name: string, more: Members) => ({ field_id: idOf(name), ...more });
  const ask = (parameters: string, caller: Caller = alice, tracker = every.tracker.id) =>
    caller.get(`/trackers/${tracker}/artifact_rows?${parameters}`);
  /** Places among `ids` of what a search finds. */
  const found = async (parameters: string, caller: Caller = alice): Promise<number[]> => {
    const reply = await ask(parameters, caller);
    expect(reply.status, reply.text).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.rows.length);
    return reply.body.rows.map(({ id }: { id: number }) => ids.indexOf(id));
  };
  const criteria = (given: unknown) => `query=${json(given)}`;
  const cellsOf = async (columns: string, place: number, caller: Caller = alice): Promise<Value> => {
    const { body } = await ask(`columns=${columns}`, caller);
    return body.rows.find(({ id }: { id: number }) => id === ids[place])?.cells;
  };

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    nobody = new Caller(atelier.url, {});
    project = (await createProject(alice, 'rows')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
    sb = valueIds(fieldNamed(every.tracker, 'sb'));
    msb = valueIds(fieldNamed(every.tracker, 'msb'));
    await setSemantics(alice, every.tracker.id, {
      title: { field_id: idOf('string') },
      status: { field_id: idOf('sb'), value_ids: [sb['red'], sb['green']] },
    });
    const colours = ['red', 'green', 'blue', undefined];
    for (let place = 0; place < 13; place++) {
      const colour = colours[(place * 7) % 4];
      const values: Members[] = [entry('string', { value: `${place % 3} title ${'cab'[place % 3]}` })];
      if (colour !== undefined) values.push(entry('sb', { bind_value_ids: [sb[colour]] }));
      if (place % 5 !== 0) values.push(entry('int', { value: (place * 5) % 4 }));
      if (place % 4 !== 1) values.push(entry('date', { value: `2024-03-0${1 + (place % 6)}` }));
      const several = [msb['red'], msb['green'], msb['blue']].filter((_, bit) => place & (1 << bit));
      if (several.length > 0) values.push(entry('msb', { bind_value_ids: several }));
      if (place % 2 === 0)
        values.push(entry('sb_users', { bind_value_ids: [place % 4 ? alice.id : bob.id] }));
      ids.push(await submit(place % 3 === 0 ? bob : alice, every.tracker.id, values));
    }
  });
  afterAll(() => atelier?.stop());

  describe('listed', () => {
    test('GET /trackers/{id}/artifact_rows shows the usual columns of all artifacts by id', async () => {
      const reply = await ask('');
      expect(reply.status, reply.text).toBe(200);
      expect(sizeOf(reply)).toBe(13);
      expect(reply.headers.get('x-pagination-limit-max')).toBe('500');
      const { columns, rows } = reply.body;
      expect(rows.map(({ id }: { id: number }) => id)).toEqual(ids);
      expect(columns[0]).toEqual({ name: 'string', field_id: idOf('string'), type: 'text', label: 'string' });
      const artifact = await alice.get(`/artifacts/${ids[0]}`);
      const { id, uri, xref, title, full_status, is_open } = artifact.body;
      expect(rows[0]).toMatchObject({ id, uri, xref, title, full_status, is_open, may_update: true });
      const names = columns.map(({ name }: { name: string }) => name);
      for (const { cells } of rows) expect(Object.keys(cells)).toEqual(names);
      const page = await ask('limit=5&offset=10');
      expect(page.body.rows.map((row: { id: number }) => row.id)).toEqual(ids.slice(10));
      expect(sizeOf(page)).toBe(13);
      expect((await ask('limit=5&offset=50')).body.rows).toEqual([]);
    });

    test('the etag of a row is one for If-Match', async () => {
      const { body } = await ask(`limit=1&offset=12&columns=string`);
      const [{ etag, id }] = body.rows;
      const values = [entry('string', { value: '0 title c, changed' })];
      const changed = await alice.request('PUT', `/artifacts/${id}`, {
        body: { values },
        headers: { 'If-Match': etag },
      });
      expect(changed.status, changed.text).toBe(200);
      const late = await alice.request('PUT', `/artifacts/${id}`, {
        body: { values },
        headers: { 'If-Match': etag },
      });
      expect(late.status).toBe(412);
      await change(alice, id, [entry('string', { value: '0 title c' })]);
    });

    test('cells show every type of field', async () => {
      const long = 'word '.repeat(100);
      const id = await submit(alice, every.tracker.id, [
        entry('string', { value: 'All of it' }),
        entry('text', { value: `<p>Some <b>bold</b> ${long}</p>`, format: 'html' }),
        entry('int', { value: 3 }),
        entry('float', { value: 2.5 }),
        entry('date', { value: '2024-01-10' }),
        entry('datetime', { value: '2024-01-10T11:30:00+01:00' }),
        entry('sb', { bind_value_ids: [sb['red']] }),
        entry('sb_users', { bind_value_ids: [bob.id] }),
        entry('sb_ugroups', { bind_value_ids: [`${project}_3`] }),
        entry('tbl', { value: { bind_value_objects: [{ label: 'red' }, { label: 'typed' }] } }),
        entry('tbl_users', { value: { bind_value_objects: [{ email: 'kim@example.org' }] } }),
        entry('art_link', { links: [{ id: ids[0] }] }),
        entry('computed', { manual_value: 7 }),
        entry('perm', { value: { granted_groups: [`${project}_3`] } }),
      ]);
      ids.push(id);
      const names =
        'string,text,int,float,date,datetime,sb,sb_users,sb_ugroups,tbl,tbl_users,file,art_link,perm,computed,' +
        'aid,atid,priority,subby,luby,subon,lud,cross';
      const { body } = await ask(`columns=${names}&query=${json({ aid: id })}`);
      expect(
        Object.fromEntries(body.columns.map((column: Value) => [column.name, column.type])),
      ).toMatchObject({
        string: 'text',
        text: 'text',
        int: 'numeric',
        datetime: 'date',
        sb: 'list_static',
        sb_users: 'list_user',
        sb_ugroups: 'list_user_group',
        tbl: 'list_static',
        file: 'files',
        art_link: 'links',
        perm: 'list_user_group',
        computed: 'numeric',
        subby: 'user',
        cross: 'references',
      });
      const [{ cells }] = body.rows;
      expect(cells.string).toEqual({ value: 'All of it', is_cut: false });
      expect(cells.text.value).toHaveLength(300);
      expect(cells.text).toMatchObject({ value: expect.stringMatching(/^Some bold word/), is_cut: true });
      expect(cells.int).toEqual({ value: 3 });
      expect(cells.float).toEqual({ value: 2.5 });
      expect(cells.date).toEqual({ value: '2024-01-10T00:00:00+01:00', with_time: false });
      expect(cells.datetime).toEqual({ value: '2024-01-10T11:30:00+01:00', with_time: true });
      expect(cells.sb).toEqual({ value: [{ id: sb['red'], label: 'red', color: null }] });
      expect(cells.sb_users.value).toMatchObject([{ id: bob.id, is_anonymous: false }]);
      expect(Object.keys(cells.sb_users.value[0])).toEqual(
        expect.arrayContaining(['id', 'display_name', 'avatar_url']),
      );
      expect(cells.sb_ugroups).toEqual({ value: [{ id: `${project}_3`, label: 'Project members' }] });
      expect(cells.tbl.value).toContainEqual({
        id: expect.stringMatching(/^o\d+$/),
        label: 'typed',
        color: null,
      });
      expect(cells.tbl_users.value).toMatchObject([{ display_name: 'kim@example.org', is_anonymous: true }]);
      expect(cells.file).toEqual({ value: [] });
      expect(cells.art_link).toEqual({ value: [{ id: ids[0], type: null, direction: 'forward' }] });
      expect(cells.perm).toEqual({ value: [{ id: `${project}_3`, label: 'Project members' }] });
      expect(cells.computed).toEqual({ value: 7 });
      expect(cells.aid).toEqual({ value: id });
      expect(cells.subby.value).toMatchObject([{ id: alice.id }]);
      expect(cells.subon).toMatchObject({ with_time: true });
      const xml = await alice.get(
        `/trackers/${every.tracker.id}/artifact_rows.xml?columns=sb,@files&limit=1`,
      );
      expect(xml.text).toContain('<rows><item>');
      expect(xml.text).toContain('<_files><value>0</value></_files>');
      const gone = await atelier.admin.delete(`/artifacts/${id}`);
      expect(gone.status, gone.text).toBe(200);
      ids.pop();
    });

    test('names what is wrong with a parameter', async () => {
      const faults: [string, string][] = [
        ['columns=nope', '`columns`'],
        ['columns=@nope', '`columns`'],
        ['columns=burndown', '`columns`'],
        [`columns=${Array.from({ length: 61 }, (_, at) => `c${at}`).join(',')}`, '`columns`'],
        ['sort=nope', '`sort`'],
        ['sort=art_link', '`sort`'],
        ['sort=@comments', '`sort`'],
        ['sort=id,-id,string,int,float,date', '`sort`'],
        ['limit=501', '`limit`'],
        ['sort=__proto__', '`sort`'],
        ['sort=constructor', '`sort`'],
        ['overlaps=2024', '`overlaps`'],
        ['overlaps=2024-02-31/2024-03-01', '`overlaps`'],
        ['overlaps=2024-03-02/2024-03-01', '`overlaps`'],
        ['linked_to=abc', '`linked_to`'],
        ['query={', '`query`'],
        [criteria({ nope: 1 }), '`query`'],
        [criteria({ sb: { operator: 'like', value: 1 } }), '`query`'],
        [criteria({ cross: { operator: 'empty' } }), '`query`'],
        [`expert_query=${encodeURIComponent('nope = 1')}`, '`expert_query`'],
      ];
      for (const [parameters, member] of faults) {
        const reply = await ask(parameters);
        expect(reply.status, parameters).toBe(400);
        expect(messageOf(reply), parameters).toContain(member);
      }
      expect((await ask('report_id=999999')).status).toBe(404);
    });

    test('a broken query is told with its line and column, wherever it can be sent', async () => {
      const text = 'string = "a"\n  and and';
      const broken = encodeURIComponent(text);
      const tracker = `/trackers/${every.tracker.id}`;
      const replies = [
        await ask(`expert_query=${broken}`),
        await alice.get(`${tracker}/artifacts?expert_query=${broken}`),
        await alice.get(`${tracker}/artifacts_export?expert_query=${broken}`),
        await alice.post(`${tracker}/artifact_changes`, { expert_query: text, values: [{ field_id: 1 }] }),
      ];
      for (const { status, body } of replies) {
        expect(status).toBe(400);
        expect(body.error.details).toEqual({ line: 2, column: expect.any(Number) });
        expect(body.error.message).toContain('Error during parsing expert query');
      }
    });
  });

  describe('searched', () => {
    const places = (holds: (place: number) => boolean) => ids.map((_, at) => at).filter(holds);
    const colourAt = (place: number) => ['red', 'green', 'blue', undefined][(place * 7) % 4];

    test('finds what meets criteria, query and report together', async () => {
      const { id: report } = await saveReport(alice, every.tracker.id, {
        label: 'Not blue',
        criteria: { sb: { operator: 'not', value: [sb['blue']] } },
      });
      expect(await found(`report_id=${report}`)).toEqual(places((at) => colourAt(at) !== 'blue'));
      const query = encodeURIComponent('string = "title a"');
      const both = await found(`report_id=${report}&expert_query=${query}&${criteria({ int: '>= 1' })}`);
      expect(both).toEqual(
        places((at) => colourAt(at) !== 'blue' && at % 3 === 1 && at % 5 !== 0 && (at * 5) % 4 >= 1),
      );
      const settings = await alice.get(`/tracker_reports/${report}/settings`);
      expect(settings.body.criteria).toEqual({ sb: { operator: 'not', value: [sb['blue']] } });
    });

    test('finds artifacts without a value, and with any', async () => {
      const none = places((at) => colourAt(at) === undefined);
      expect(await found(criteria({ sb: 100 }))).toEqual(none);
      expect(await found(criteria({ sb: ['100', sb['red']] }))).toEqual(
        places((at) => [undefined, 'red'].includes(colourAt(at))),
      );
      expect(await found(criteria({ sb: { operator: 'empty' } }))).toEqual(none);
      expect(await found(criteria({ sb: { operator: 'filled' } }))).toEqual(
        places((at) => colourAt(at) !== undefined),
      );
      expect(await found(criteria({ sb: { operator: 'not', value: [sb['red'], 100] } }))).toEqual(
        places((at) => !['red', undefined].includes(colourAt(at))),
      );
      expect(await found(criteria({ int: { operator: 'empty' } }))).toEqual(places((at) => at % 5 === 0));
      expect(await found(criteria({ date: { operator: 'filled' } }))).toEqual(places((at) => at % 4 !== 1));
      expect(await found(criteria({ date: { operator: 'not', value: '2024-03-01' } }))).toEqual(
        places((at) => at % 4 === 1 || at % 6 !== 0),
      );
      expect(await found(criteria({ string: { operator: 'not', value: 'title a' } }))).toEqual(
        places((at) => at % 3 !== 1),
      );
      for (const name of ['aid', 'subon', 'subby']) {
        expect(await found(criteria({ [name]: { operator: 'empty' } }))).toEqual([]);
        expect(await found(criteria({ [name]: { operator: 'filled' } }))).toHaveLength(13);
      }
      for (const name of ['text', 'file', 'tbl', 'art_link', 'float', 'cb_ugroups']) {
        expect(await found(criteria({ [name]: { operator: 'empty' } })), name).toHaveLength(13);
        expect(await found(criteria({ [name]: { operator: 'filled' } })), name).toEqual([]);
      }
    });

    test('finds words in comments, and “me” among people', async () => {
      await change(bob, ids[2] ?? 0, [], { comment: { body: 'Please look', format: 'text' } });
      expect(await found(criteria({ '@comments': 'please' }))).toEqual([2]);
      expect(await found(criteria({ '@comments': { operator: 'filled' } }))).toEqual([2]);
      expect(await found(criteria({ '@comments': { operator: 'not', value: 'please' } }))).toEqual(
        places((at) => at !== 2),
      );
      expect(await found(criteria({ sb_users: 'me' }))).toEqual(places((at) => at % 4 === 2));
      expect(await found(criteria({ sb_users: ['me', bob.id] }))).toEqual(places((at) => at % 2 === 0));
      expect(await found(criteria({ subby: { operator: 'not', value: 'me' } }), bob)).toEqual(
        places((at) => at % 3 !== 0),
      );
      expect((await ask(criteria({ subby: 'me' }), nobody)).status).toBe(400);
      const { id: mine } = await saveReport(alice, every.tracker.id, {
        label: 'Mine',
        is_public: true,
        criteria: { sb_users: 'me' },
      });
      expect(await found(`report_id=${mine}`, bob)).toEqual(places((at) => at % 4 === 0));
    });

    test('finds what is linked with an artifact, its children and what is done in some days', async () => {
      const parents = await createTracker(alice, project);
      const link = await addField(alice, parents.id, { type: 'art_link' });
      const links = [{ id: ids[4], type: '_is_child' }, { id: ids[5] }];
      const parent = await submit(alice, parents.id, [{ field_id: link.field_id, links }]);
      expect(await found(`parent=${parent}`)).toEqual([4]);
      expect(await found(`linked_to=${parent}`)).toEqual([4, 5]);
      expect(await found('parent=999999')).toEqual([]);
      const cells = await cellsOf('@parent,@links,@children', 4);
      const title = null;
      expect(cells['@parent']).toEqual({
        value: { id: parent, xref: `${parents.item_name} #${parent}`, title },
      });
      expect(cells['@links']).toEqual({ value: [{ id: parent, type: '_is_child', direction: 'reverse' }] });
      expect(cells['@children']).toEqual({ value: { open: 0, closed: 0 } });
      const { body } = await ask('columns=@children', alice, parents.id);
      expect(body.rows[0].cells['@children']).toEqual({
        value: {
          open: Number(colourAt(4) !== 'blue' && colourAt(4) !== undefined),
          closed: expect.any(Number),
        },
      });
    });

    test('finds work by its days, however the tracker tells them', async () => {
      const tracker = await createTracker(alice, project);
      const [start, end, days, link] = [
        await addField(alice, tracker.id, { type: 'date', name: 'start' }),
        await addField(alice, tracker.id, { type: 'date', name: 'end' }),
        await addField(alice, tracker.id, { type: 'int', name: 'days' }),
        await addField(alice, tracker.id, { type: 'art_link' }),
      ].map(({ field_id }) => field_id);
      const made = (values: readonly Members[]) => submit(alice, tracker.id, values);
      const at = (field_id: number | undefined, value: unknown) => ({ field_id, value });
      const whole = await made([at(start, '2024-05-06'), at(end, '2024-05-10'), at(days, 2)]);
      const begun = await made([at(start, '2024-05-09')]);
      const ending = await made([at(end, '2024-05-03')]);
      const overlaps = async (days: string, id = tracker.id) => {
        const { body, status, text } = await ask(`overlaps=${days}&columns=@start,@end`, alice, id);
        expect(status, text).toBe(200);
        return body.rows.map((row: { id: number }) => row.id);
      };
      expect(await overlaps('2024-05-06/2024-05-10')).toEqual([]);
      await setSemantics(alice, tracker.id, {
        timeframe: { start_date_field_id: start, end_date_field_id: end },
      });
      expect(await overlaps('2024-05-10/2024-05-31')).toEqual([whole]);
      expect(await overlaps('2024-05-01/2024-05-06')).toEqual([whole, ending]);
      expect(await overlaps('2024-05-07/2024-05-09')).toEqual([whole, begun]);
      expect(await overlaps('2024-05-11/2024-05-31')).toEqual([]);
      const { body } = await ask('columns=@start,@end&sort=-@end', alice, tracker.id);
      expect(body.rows[0].cells['@end']).toEqual({ value: '2024-05-10T00:00:00+02:00', with_time: false });
      await setSemantics(alice, tracker.id, {
        timeframe: { start_date_field_id: start, duration_field_id: days },
      });
      // Two opening days behind Monday is Wednesday.
      expect(await overlaps('2024-05-08/2024-05-31')).toEqual([whole, begun]);
      expect(await overlaps('2024-05-10/2024-05-31')).toEqual([]);
      const borrower = await createTracker(alice, project);
      const summary = await addField(alice, borrower.id, { type: 'string', name: 'summary' });
      await setSemantics(alice, borrower.id, { timeframe: { implied_from_tracker: { id: tracker.id } } });
      const task = await submit(alice, borrower.id, [at(summary.field_id, 'A task')]);
      await change(alice, whole, [{ field_id: link, links: [{ id: task }] }]);
      expect(await overlaps('2024-05-08/2024-05-31', borrower.id)).toEqual([task]);
      expect(await overlaps('2024-05-10/2024-05-31', borrower.id)).toEqual([]);
    });
  });

  describe('sorted', () => {
    type Row = { readonly id: number; readonly cells: Value };
    /** What rows are sorted by, told by their cells in the plainest way. */
    const keyOf = (name: string, { id, cells }: Row): number | string | undefined => {
      if (name === 'id') return id;
      const { value } = cells[name];
      if (!Array.isArray(value)) return value ?? undefined;
      const labels = value.map((item: Value) => item.label ?? item.display_name);
      return labels.sort()[0];
    };
    const compared = (names: readonly string[]) => (left: Row, right: Row) => {
      for (const given of names) {
        const isDescending = given.startsWith('-');
        const name = given.replace('-', '');
        const [a, b] = [keyOf(name, left), keyOf(name, right)];
        if (a === b) continue;
        if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
        return (a < b ? -1 : 1) * (isDescending ? -1 : 1);
      }
      return left.id - right.id;
    };

    test('by up to five names, without a value last, and alike by id, on full pages', async () => {
      const columns = 'columns=string,sb,msb,int,date,sb_users,subby,@rank,subon,atid';
      const { body } = await ask(columns);
      const orders = [
        'sb',
        '-sb',
        'msb',
        '-msb',
        'int',
        '-int',
        'string',
        '-string',
        'date',
        '-id',
        'sb_users',
        '-subby',
        '-@rank',
        'atid',
        'sb,-int',
        'int,-id',
        '-int,sb,-date',
        'date,-msb,int',
        'string,-sb,date,-int,-id',
        '-msb,-string',
        'subby,sb,-id',
      ];
      for (const sort of orders) {
        const expected = [...body.rows].sort(compared(sort.split(','))).map((row: Row) => row.id);
        const all = await ask(`${columns}&sort=${sort}`);
        expect(
          all.body.rows.map((row: Row) => row.id),
          sort,
        ).toEqual(expected);
        const paged: number[] = [];
        for (let offset = 0; offset < 13; offset += 4) {
          const reply = await ask(`sort=${sort}&limit=4&offset=${offset}`);
          expect(sizeOf(reply)).toBe(13);
          paged.push(...reply.body.rows.map((row: Row) => row.id));
        }
        expect(paged, sort).toEqual(expected);
      }
    });

    test('an export can be sorted as rows are', async () => {
      const path = `/trackers/${every.tracker.id}/artifacts_export?columns=aid&sort=-int,sb`;
      const { text } = await alice.get(path);
      const { body } = await ask('columns=aid&sort=-int,sb');
      expect(text.trim().split(/\r?\n/).slice(1).map(Number)).toEqual(body.rows.map((row: Row) => row.id));
      expect((await alice.get(`/trackers/${every.tracker.id}/artifacts_export?sort=nope`)).status).toBe(400);
    });

    test('what a search finds', async () => {
      const { body } = await ask(`sort=-int,sb&columns=sb,int&${criteria({ sb: { operator: 'filled' } })}`);
      const rows: Row[] = body.rows;
      expect(rows.map(({ id }) => id)).toEqual([...rows].sort(compared(['-int', 'sb'])).map(({ id }) => id));
      expect(rows.every(({ cells }) => cells.sb.value.length === 1)).toBe(true);
    });
  });

  describe('for others', () => {
    test('fields that they may not read are neither shown, sorted by nor searched', async () => {
      await setFieldPermissions(alice, idOf('int'), {
        can_read: [`${project}_4`],
        can_update: [],
        can_submit: [],
      });
      const { status, body } = await ask('columns=string,int&sort=-int', bob);
      expect(status).toBe(200);
      expect(body.columns.map(({ name }: { name: string }) => name)).toEqual(['string']);
      expect(body.rows.map((row: { id: number }) => row.id)).toEqual(ids);
      expect(await found(criteria({ int: 1 }), bob)).toHaveLength(13);
      expect((await ask(`expert_query=${encodeURIComponent('int = 1')}`, bob)).status).toBe(400);
      await setFieldPermissions(alice, idOf('int'), {
        can_read: ['1'],
        can_submit: [`${project}_3`],
        can_update: [`${project}_3`],
      });
    });

    test('artifacts that they may not see are neither shown nor counted', async () => {
      const perm = [entry('perm', { value: { granted_groups: [`${project}_4`] } })];
      await change(alice, ids[1] ?? 0, perm);
      expect(await found('', bob)).toEqual(ids.map((_, at) => at).filter((at) => at !== 1));
      expect(await found('sort=sb', bob)).not.toContain(1);
      expect(await found('sort=-string,int', nobody)).not.toContain(1);
      expect(await found('sort=sb')).toContain(1);
      await change(alice, ids[1] ?? 0, [entry('perm', { value: { granted_groups: [] } })]);
      await setPermissions(alice, every.tracker.id, { can_access_submitted_by_user: ['1'] });
      expect(await found('sort=msb', bob)).toEqual(expect.arrayContaining([0, 3, 6, 9, 12]));
      expect(await found('', bob)).toHaveLength(5);
      expect(await found('', nobody)).toEqual([]);
      await setPermissions(alice, every.tracker.id, { can_access: ['1'] });
    });

    test('a row says what its reader may do and is told of', async () => {
      await setMembers(alice, `${project}_3`, [alice, bob]);
      const anonymous = await ask('columns=@watched,@comments', nobody);
      expect(anonymous.body.rows[0].may_update).toBe(false);
      expect(anonymous.body.rows[0].cells['@watched']).toEqual({ value: false });
      const cells = async (place: number) =>
        (await cellsOf('@watched,@comments,@files', place, bob)) as Value;
      expect(await cells(0)).toEqual({
        '@watched': { value: true },
        '@comments': { value: 0 },
        '@files': { value: 0 },
      });
      expect(await cells(2)).toMatchObject({ '@watched': { value: true }, '@comments': { value: 1 } });
      expect(await cells(1)).toMatchObject({ '@watched': { value: false } });
      const muted = await bob.put(`/artifacts/${ids[0]}/mail_notifications`, { is_muted: true });
      expect(muted.status, muted.text).toBe(200);
      expect(await cells(0)).toMatchObject({ '@watched': { value: false } });
    });

    test('a tracker that they may not see is 403 or 404', async () => {
      const hidden = await createTracker(alice, project);
      await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
      expect((await ask('', bob, hidden.id)).status).toBe(404);
      expect((await ask('', alice, 999999)).status).toBe(404);
      const closed = await createProject(alice, 'rows-closed', { is_public: false });
      const inside = await createTracker(alice, closed.id);
      expect((await ask('', bob, inside.id)).status).toBe(403);
    });
  });

  describe('written', () => {
    const key = () => ({ 'Idempotency-Key': randomUUID() });
    const send = (
      method: string,
      path: string,
      body: unknown,
      headers: Record<string, string>,
      caller = alice,
    ) => caller.request(method, path, { body, headers });

    test('a refused write names what is wrong with which field', async () => {
      const values = [entry('int', { value: 'x' }), entry('date', { value: 'never' })];
      const reply = await alice.put(`/artifacts/${ids[0]}`, { values });
      expect(reply.status).toBe(400);
      const { faults, message } = reply.body.error;
      expect(faults.map(({ field_id }: Value) => field_id)).toEqual([idOf('int'), idOf('date')]);
      for (const { text } of faults) expect(message).toContain(text);
      // Several at one field are told one by one.
      const links = { field_id: idOf('art_link'), links: [{ id: 999998 }, { id: 999999, type: 'foo' }] };
      const linked = await alice.put(`/artifacts/${ids[0]}`, { values: [links] });
      expect(linked.body.error.faults.map(({ field_id }: Value) => field_id)).toEqual(
        Array.from({ length: 3 }, () => idOf('art_link')),
      );
      const byField = await alice.post('/artifacts', {
        tracker: { id: every.tracker.id },
        values_by_field: { sb: { value: 1 } },
      });
      expect(byField.body.error.faults).toMatchObject([{ field_id: idOf('sb') }]);
      const made = await alice.post('/artifacts', {
        tracker: { id: every.tracker.id },
        values: [{ field_id: 999999, value: 1 }],
      });
      expect(made.body.error.faults).toEqual([{ field_id: null, text: expect.stringContaining('999999') }]);
      const { body } = await alice.get('/artifacts?query=');
      expect(body.error.faults).toBeUndefined();
    });

    test('an Idempotency-Key writes once, whatever is written', async () => {
      const body = { tracker: { id: every.tracker.id }, values: [entry('string', { value: 'once' })] };
      const making = key();
      const made = await send('POST', '/artifacts', body, making);
      const again = await send('POST', '/artifacts', body, making);
      expect([made.status, again.status, again.body]).toEqual([201, 201, made.body]);
      // The IETF's draft has it in quotes.
      const quoted = { 'Idempotency-Key': `"${making['Idempotency-Key']}"` };
      expect((await send('POST', '/artifacts', body, quoted)).body).toEqual(made.body);
      const { id } = made.body;
      const path = `/artifacts/${id}`;
      const count = async () => sizeOf(await alice.get(`${path}/changesets`));
      const change = { values: [entry('int', { value: 7 })], comment: { body: 'Seven', format: 'text' } };
      const etag = (await alice.get(path)).headers.get('etag') ?? '';
      const changing = { ...key(), 'If-Match': etag };
      const changed = await send('PUT', path, change, changing);
      expect(changed.status, changed.text).toBe(200);
      const repeated = await send('PUT', path, change, changing);
      expect([repeated.status, repeated.text]).toEqual([200, changed.text]);
      expect(await count()).toBe(2);
      const other = await send('PUT', path, { ...change, values: [] }, changing);
      expect([other.status, await count()]).toEqual([409, 2]);
      const comment = { body: 'Twice?', format: 'text' };
      const commenting = key();
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => send('POST', `${path}/comments`, comment, commenting)),
      );
      const told = replies.filter(({ status }) => status === 201);
      expect(told.length).toBeGreaterThan(0);
      expect(new Set(told.map((reply) => reply.body.id)).size).toBe(1);
      expect(await count()).toBe(3);
      const many = { artifacts: [{ id }], values: [entry('int', { value: 8 })] };
      const bulk = key();
      const changes = `/trackers/${every.tracker.id}/artifact_changes`;
      const first = await send('POST', changes, many, bulk);
      const second = await send('POST', changes, many, bulk);
      expect(first.body.results[0]).toMatchObject({ outcome: 'changed' });
      expect(second.body).toEqual(first.body);
      expect(await count()).toBe(4);
      const ranking = key();
      const move = { ids: [id], direction: 'before', compared_to: ids[0] };
      const moved = await send('PATCH', '/artifact_ranks', move, ranking);
      expect((await send('PATCH', '/artifact_ranks', move, ranking)).body).toEqual(moved.body);
      // Somebody else has keys of their own, and a refused write keeps none.
      expect((await send('PUT', path, { values: [] }, changing, bob)).status).toBe(412);
      const refused = key();
      expect((await send('PUT', path, { values: [entry('int', { value: 'x' })] }, refused)).status).toBe(400);
      expect((await send('PUT', path, { values: [] }, refused)).status).toBe(200);
      const odd = await send('POST', '/artifacts', body, { 'Idempotency-Key': 'again' });
      expect([odd.status, odd.text]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
      expect((await alice.delete(path)).status).toBe(200);
    });

    test('an Idempotency-Key tells nobody where an artifact lies now that they may not see', async () => {
      const { id: hidden } = await createProject(alice, 'rows-hidden', { label: 'Merger', is_public: false });
      const places: { id: number; title: number }[] = [];
      for (const place of [project, hidden]) {
        const { id } = await createTracker(alice, place, { item_name: 'moving', label: `Place ${place}` });
        const { field_id: title } = await addField(alice, id, { type: 'string', name: 'title' });
        await setSemantics(alice, id, { title: { field_id: title } });
        places.push({ id, title });
      }
      const [from, to] = places;
      const body = { tracker: { id: from?.id }, values: [{ field_id: from?.title, value: 'odd' }] };
      const making = key();
      const made = await send('POST', '/artifacts', body, making, bob);
      expect(made.status, made.text).toBe(201);
      const again = await send('POST', '/artifacts', body, making, bob);
      expect([again.status, again.body]).toEqual([201, made.body]);
      const moved = await alice.patch(`/artifacts/${made.body.id}`, { move: { tracker_id: to?.id } });
      expect(moved.status, moved.text).toBe(200);
      const late = await send('POST', '/artifacts', body, making, bob);
      expect([late.status, late.body.error?.message]).toEqual([
        403,
        'Forbidden: You may not access this project',
      ]);
    });

    test('one change is made to what the search of rows finds', async () => {
      const wish = (more: Members) =>
        alice.post(`/trackers/${every.tracker.id}/artifact_changes`, {
          values: [entry('float', { value: 1.5 })],
          dry_run: true,
          ...more,
        });
      const { body } = await wish({ query: { sb: { operator: 'empty' } }, expert_query: 'string = "title"' });
      expect(body.results.map(({ id }: Value) => ids.indexOf(id))).toEqual(
        await found(criteria({ sb: { operator: 'empty' } })),
      );
      expect((await wish({ query: {} })).status).toBe(400);
      expect((await wish({ linked_to: 999999 })).body.results).toEqual([]);
    });
  });

  test('an artifact says how many deletions are left, also right after one', async () => {
    const doomed = await submit(alice, every.tracker.id, [entry('string', { value: 'doomed' })]);
    const left = async () => (await readArtifact(alice, ids[3] ?? 0)).deletions_left ?? 0;
    const before = await left();
    expect(await left()).toBe(before);
    expect((await alice.delete(`/artifacts/${doomed}`)).status).toBe(200);
    expect(await left()).toBe(before - 1);
    const { may_delete, deletions_left, may_update } = await readArtifact(bob, ids[3] ?? 0);
    expect({ may_delete, deletions_left, may_update }).toEqual({
      may_delete: false,
      deletions_left: null,
      may_update: true,
    });
    expect(await readArtifact(nobody, ids[3] ?? 0)).toMatchObject({ may_update: false, may_delete: false });
  });

  describe('counted', () => {
    const counts = async (parameters: string, caller: Caller = alice) => {
      const reply = await caller.get(`/trackers/${every.tracker.id}/artifact_counts?${parameters}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const brief = (buckets: readonly Value[]) => buckets.map(({ label, count }: Value) => [label, count]);
    const rowsOf = async (parameters: string): Promise<Value[]> => (await ask(parameters)).body.rows;

    test('GET /trackers/{id}/artifact_counts tells how many have which value, and none', async () => {
      const rows = await rowsOf('columns=sb,msb,int,sb_users');
      const having = (name: string, label: string) =>
        rows.filter(({ cells }) => cells[name].value.some((item: Value) => item.label === label)).length;
      const without = (name: string) => rows.filter(({ cells }) => cells[name].value.length === 0).length;
      for (const name of ['sb', 'msb']) {
        const { size, buckets } = await counts(`by=${name}`);
        expect(size).toBe(13);
        expect(brief(buckets)).toEqual([
          ...['red', 'green', 'blue'].map((label) => [label, having(name, label)]),
          ['', without(name)],
        ]);
        expect(buckets.at(-1).key).toBeNull();
      }
      const first = await counts('by=msb:first&sum=int');
      expect(first.buckets.reduce((sum: number, { count }: Value) => sum + count, 0)).toBe(13);
      expect(first.sum).toBe(rows.reduce((sum, { cells }) => sum + (cells.int.value ?? 0), 0));
      expect(first.buckets.reduce((sum: number, bucket: Value) => sum + bucket.sum, 0)).toBe(first.sum);
      // As headings between rows that are sorted by the list.
      const sorted = await rowsOf('columns=msb&sort=msb');
      const headings = sorted.map(
        ({ cells }) => cells.msb.value.map((item: Value) => item.label).sort()[0] ?? '',
      );
      for (const { label, count } of first.buckets)
        expect(headings.filter((heading) => heading === label)).toHaveLength(count);
      const empty = await counts(`by=cb&${criteria({ sb: { operator: 'empty' } })}`);
      expect(brief(empty.buckets)).toEqual([
        ['red', 0],
        ['green', 0],
        ['blue', 0],
        ['', empty.size],
      ]);
      const people = await counts('by=sb_users');
      expect(people.buckets.map(({ key }: Value) => key).sort()).toEqual([alice.id, bob.id, null].sort());
    });

    test('by two names, by whether they are open and by days', async () => {
      const { size, buckets } = await counts('by=is_open,sb');
      const [open, closed] = buckets;
      expect([open.key, closed.key, open.count + closed.count]).toEqual([true, false, size]);
      expect(brief(open.buckets).slice(2)).toEqual([
        ['blue', 0],
        ['', 0],
      ]);
      const rows = await rowsOf('columns=date,subby');
      const days = rows.flatMap(({ cells }) => cells.date.value?.slice(0, 10) ?? []);
      const byDay = await counts('by=date:day');
      expect(brief(byDay.buckets)).toEqual([
        ...[...new Set(days)].sort().map((day) => [day, days.filter((other) => other === day).length]),
        ['', rows.length - days.length],
      ]);
      const byWeek = await counts('by=date:week');
      expect(byWeek.buckets.map(({ key }: Value) => key)).toEqual(['2024-02-26', '2024-03-04', null]);
      const byMonth = await counts('by=date:month&by=subby');
      expect(byMonth.buckets[0]).toMatchObject({ key: '2024-03-01', count: days.length });
      expect(byMonth.buckets[0].buckets).toHaveLength(2);
      expect((await counts('by=@submitted_on:month')).buckets[0].count).toBe(13);
      for (const [parameters, member] of [
        ['by=nope', '`by`'],
        ['by=__proto__', '`by`'],
        ['by=constructor', '`by`'],
        ['by=string', '`by`'],
        ['by=date', '`by`'],
        ['by=sb,msb,rb', '`by`'],
        ['by=sb&sum=string', '`sum`'],
        ['by=sb&query={', '`query`'],
      ]) {
        const reply = await alice.get(`/trackers/${every.tracker.id}/artifact_counts?${parameters}`);
        expect([reply.status, reply.text], parameters).toEqual([400, expect.stringContaining(member ?? '')]);
      }
    });

    test('GET /projects/{id}/tracker_overviews tells how much is in each tracker that the caller sees', async () => {
      const overviews = async (caller: Caller) => {
        const reply = await caller.get(`/projects/${project}/tracker_overviews`);
        expect(reply.status, reply.text).toBe(200);
        return reply.body as Value[];
      };
      const own = (all: Value[]) => all.find(({ id }) => id === every.tracker.id);
      const all = await overviews(alice);
      expect(all.map(({ label }) => label)).toEqual(all.map(({ label }) => label).sort());
      const rows = await rowsOf('columns=lud');
      const { id, label, item_name } = every.tracker;
      expect(own(all)).toEqual({
        id,
        uri: `trackers/${id}`,
        label,
        item_name,
        description: '',
        color_name: expect.any(String),
        parent_id: null,
        open_count: rows.filter(({ is_open }) => is_open).length,
        total_count: 13,
        last_update_date: rows
          .map(({ cells }) => cells.lud.value)
          .sort()
          .at(-1),
        may_submit: true,
        is_administrator: true,
        default_report_id: expect.any(Number),
      });
      const hidden = await createTracker(alice, project);
      await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
      expect((await overviews(alice)).some(({ id }) => id === hidden.id)).toBe(true);
      expect((await overviews(bob)).some(({ id }) => id === hidden.id)).toBe(false);
      await change(alice, ids[1] ?? 0, [entry('perm', { value: { granted_groups: [`${project}_4`] } })]);
      expect(own(await overviews(bob))).toMatchObject({ total_count: 12, is_administrator: false });
      expect(own(await overviews(nobody))).toMatchObject({ total_count: 12, may_submit: false });
      expect((await counts('by=sb', bob)).size).toBe(12);
      await change(alice, ids[1] ?? 0, [entry('perm', { value: { granted_groups: [] } })]);
      expect((await bob.get('/projects/999999/tracker_overviews')).status).toBe(404);
    });
  });

  describe('by their parents', () => {
    /** A tracker of children in another of parents; the links of parents say what has which. */
    const family = async () => {
      const [epics, stories] = [await createTracker(alice, project), await createTracker(alice, project)];
      const title = await addField(alice, epics.id, { type: 'string', name: 'title' });
      await setSemantics(alice, epics.id, { title: { field_id: title.field_id } });
      const links = await addField(alice, epics.id, { type: 'art_link' });
      await addField(alice, epics.id, { type: 'perm', name: 'perm' });
      const points = await addField(alice, stories.id, { type: 'int', name: 'points' });
      const children: number[] = [];
      for (let place = 0; place < 9; place++)
        children.push(await submit(alice, stories.id, [{ field_id: points.field_id, value: 9 - place }]));
      const parentOf = (name: string, ...places: number[]) =>
        submit(alice, epics.id, [
          { field_id: title.field_id, value: name },
          { field_id: links.field_id, links: places.map((at) => ({ id: children[at], type: '_is_child' })) },
        ]);
      return { epics, stories, links, children, parentOf };
    };
    type Family = Awaited<ReturnType<typeof family>>;
    const placesBy = async (sort: string, { stories, children }: Family, caller: Caller = alice) => {
      const places: number[] = [];
      // Pages fit together.
      for (let offset = 0; offset < 9; offset += 4) {
        const reply = await ask(`columns=@parent&sort=${sort}&limit=4&offset=${offset}`, caller, stories.id);
        expect([reply.status, sizeOf(reply)], reply.text).toEqual([200, 9]);
        places.push(...reply.body.rows.map(({ id }: Value) => children.indexOf(id)));
      }
      return places;
    };
    const countsOf = async (parameters: string, { stories }: Family, caller: Caller = alice) => {
      const reply = await caller.get(`/trackers/${stories.id}/artifact_counts?by=${parameters}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body.buckets;
    };

    test('P5.9 rows stand together that are children of the same artifact, and counts tell how many', async () => {
      const all = await family();
      const { epics, children, parentOf, links } = all;
      const first = await parentOf('First', 7, 2, 5);
      const second = await parentOf('Second', 1, 2, 8);
      // A link that makes nobody a parent.
      await change(alice, second, [{ field_id: links.field_id, add_links: [{ id: children[0] }] }]);
      expect(await placesBy('@parent', all)).toEqual([2, 5, 7, 1, 8, 0, 3, 4, 6]);
      expect(await placesBy('@parent,points', all)).toEqual([7, 5, 2, 8, 1, 6, 4, 3, 0]);
      expect(await placesBy('-@parent,-points', all)).toEqual([1, 8, 2, 5, 7, 0, 3, 4, 6]);
      expect(await placesBy('points,@parent', all)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
      const word = epics.item_name;
      const told = { color: null, sum: null };
      expect(await countsOf('@parent', all)).toEqual([
        { ...told, key: first, label: 'First', xref: `${word} #${first}`, count: 3 },
        { ...told, key: second, label: 'Second', xref: `${word} #${second}`, count: 2 },
        { ...told, key: null, label: '', count: 4 },
      ]);
      const sums = await countsOf('@parent&sum=points', all);
      expect(sums.map(({ sum }: Value) => sum)).toEqual([2 + 4 + 7, 1 + 8, 3 + 5 + 6 + 9]);
      const inner = await countsOf('is_open,@parent', all);
      expect(inner[0].buckets.map(({ xref, count }: Value) => [xref, count])).toEqual([
        [`${word} #${first}`, 3],
        [`${word} #${second}`, 2],
        [undefined, 4],
      ]);
      // What rows show is what they are counted by.
      const { body } = await ask('columns=@parent&sort=@parent', alice, all.stories.id);
      const shown = body.rows.map(({ cells }: Value) => cells['@parent'].value?.id ?? null);
      expect(shown).toEqual([first, first, first, second, second, null, null, null, null]);
      const found = await alice.get(
        `/trackers/${all.stories.id}/artifact_counts?by=@parent&expert_query=${encodeURIComponent('points < 4')}`,
      );
      expect(found.body.buckets.map(({ key, count }: Value) => [key, count])).toEqual([
        [first, 1],
        [second, 1],
        [null, 1],
      ]);
    });

    test('what people typed into a list is counted in the order in which the list shows it', async () => {
      const all = await family();
      const tags = await addField(alice, all.stories.id, { type: 'tbl', bind: { type: 'static' } });
      for (const label of ['late', 'early', 'middle'])
        await submit(alice, all.stories.id, [
          { field_id: tags.field_id, value: { bind_value_objects: [{ label }] } },
        ]);
      const { fields } = (await alice.get(`/trackers/${all.stories.id}`)).body;
      const listed = fields.find(({ field_id }: Value) => field_id === tags.field_id).values;
      const counted = await countsOf(tags.name, all);
      expect(counted.map(({ key }: Value) => key)).toEqual([...listed.map(({ id }: Value) => id), null]);
      expect(counted.map(({ label }: Value) => label)).toEqual(['late', 'early', 'middle', '']);
    });

    test('a parent that somebody does not see is none to them, and is not told apart from none', async () => {
      const all = await family();
      const { epics, children, parentOf } = all;
      const secret = await parentOf('Secret', 2, 5);
      const open = await parentOf('Open', 5, 8);
      const perm = fieldNamed(await readTracker(alice, epics.id), 'perm').field_id;
      await change(alice, secret, [{ field_id: perm, value: { granted_groups: [`${project}_4`] } }]);
      expect(await placesBy('@parent', all)).toEqual([2, 5, 8, 0, 1, 3, 4, 6, 7]);
      expect(await placesBy('@parent', all, bob)).toEqual([5, 8, 0, 1, 2, 3, 4, 6, 7]);
      const counts = async (caller: Caller) =>
        (await countsOf('@parent', all, caller)).map(({ key, count }: Value) => [key, count]);
      expect(await counts(alice)).toEqual([
        [secret, 2],
        [open, 1],
        [null, 6],
      ]);
      expect(await counts(bob)).toEqual([
        [open, 2],
        [null, 7],
      ]);
      // Nobody but administrators reads the links: they are told by the artifacts that they come from.
      const field = fieldNamed(await readTracker(alice, epics.id), 'art_link').field_id;
      const admins = [`${project}_4`];
      await setFieldPermissions(alice, field, { can_read: admins, can_submit: admins, can_update: admins });
      expect(await placesBy('@parent', all, bob)).toEqual(children.keys().toArray());
      expect(await placesBy('-@parent', all, bob)).toEqual(children.keys().toArray());
      expect(await counts(bob)).toEqual([[null, 9]]);
      await setPermissions(alice, epics.id, { can_access: admins });
      expect(await counts(bob)).toEqual([[null, 9]]);
    });

    test('what makes no sense of them is refused', async () => {
      for (const [parameters, words] of [
        ['artifact_counts?by=@parent:first', /@parent takes nothing behind it/],
        ['artifact_counts?by=@parents', /There is no field @parents/],
        ['artifact_rows?sort=@children', /Rows cannot be sorted by @children/],
      ] as const) {
        const reply = await alice.get(`/trackers/${every.tracker.id}/${parameters}`);
        expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringMatching(words)]);
      }
    });
  });

  test('progress is told by effort or by children', async () => {
    const tracker = await createTracker(alice, project);
    const [total, left] = [
      await addField(alice, tracker.id, { type: 'float', name: 'total' }),
      await addField(alice, tracker.id, { type: 'float', name: 'left' }),
    ].map(({ field_id }) => field_id);
    const link = await addField(alice, tracker.id, { type: 'art_link' });
    const done = await submit(alice, tracker.id, [
      { field_id: total, value: 8 },
      { field_id: left, value: 2 },
      { field_id: link.field_id, links: [4, 5, 6, 7].map((at) => ({ id: ids[at], type: '_is_child' })) },
    ]);
    const progress = async () => {
      const { body } = await ask('columns=@progress', alice, tracker.id);
      expect(body.rows[0].id).toBe(done);
      return body.rows[0].cells['@progress'].value;
    };
    expect(await progress()).toBeNull();
    await setSemantics(alice, tracker.id, {
      progress: { total_effort_field_id: total, remaining_effort_field_id: left },
    });
    expect(await progress()).toBe(0.75);
    await setSemantics(alice, tracker.id, { progress: { artifact_link_type: '_is_child' } });
    const open = await Promise.all(
      [4, 5, 6, 7].map(async (at) => (await readArtifact(alice, ids[at] ?? 0)).is_open),
    );
    expect(await progress()).toBe(open.filter((isOpen) => !isOpen).length / 4);
    expect((await readTracker(alice, tracker.id)).id).toBe(tracker.id);
  });
});
