import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvRows } from '../../src/kernel/csv.ts';
import { entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, query, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setFieldPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import {
  type Atelier,
  type Caller,
  oneEngine,
  type Person,
  type Reply,
  startAtelier,
} from '../harness/atelier.ts';

type Row = Readonly<Record<string, string>>;

/** The rows of an export as objects by column. */
function rowsIn({ text }: Reply, separator: ',' | ';' | '\t' = ','): Row[] {
  const [header, ...rows] = [...csvRows(text, separator)];
  return rows.map(({ cells }) =>
    Object.fromEntries((header?.cells ?? []).map((name, at) => [name, cells[at] ?? ''])),
  );
}

const importInto = (caller: Caller, trackerId: number, csv: string, more: object = {}) =>
  caller.post(`/trackers/${trackerId}/artifacts_import`, { csv, ...more });

const engines = oneEngine(
  'SQLite',
  'tables are read and written in code, of artifacts that other files store on both',
);

describe.each(engines)('tables of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let every: EveryField;
  let full: number;
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const chosen = (name: string, ...labels: string[]) => {
    const ids = valueIds(fieldNamed(every.tracker, name));
    return entry(name, { bind_value_ids: labels.map((label) => ids[label]) });
  };
  const exported = async (caller: Caller, trackerId: number, more = '') => {
    const reply = await caller.get(`/trackers/${trackerId}/artifacts_export${more}`);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  const counted = async (trackerId: number) =>
    Number((await alice.get(`/trackers/${trackerId}/artifacts`)).headers.get('x-pagination-size'));

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'tables')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
    const target = await submit(alice, every.tracker.id, [entry('string', { value: 'target' })]);
    const file = await store.addFile(alice.id, 'plan, "final".txt');
    full = await submit(alice, every.tracker.id, [
      entry('string', { value: 'Say "hi", world; =now' }),
      entry('text', { value: { content: '<p>First</p>\r\n\r\n<p>Second, é</p>', format: 'html' } }),
      entry('int', { value: -12 }),
      entry('float', { value: 1.5 }),
      entry('date', { value: '2026-03-01' }),
      entry('datetime', { value: '2026-03-01T09:30:00+01:00' }),
      ...['sb', 'rb'].flatMap((name) => [
        chosen(name, 'green'),
        entry(`${name}_users`, { bind_value_ids: [bob.id] }),
        entry(`${name}_ugroups`, { bind_value_ids: [group] }),
      ]),
      ...['msb', 'cb'].flatMap((name) => [
        chosen(name, 'red', 'blue'),
        entry(`${name}_users`, { bind_value_ids: [alice.id, bob.id] }),
        entry(`${name}_ugroups`, { bind_value_ids: [group, `${project}_3`] }),
      ]),
      entry('tbl', { bind_value_ids: ['red', 'a, b', '"odd"'] }),
      entry('tbl_users', { bind_value_ids: ['bob', 'carl@example.org'] }),
      entry('tbl_ugroups', { bind_value_ids: ['testers'] }),
      entry('file', { value: [file] }),
      entry('art_link', { links: [{ id: target, type: '_is_child' }] }),
      entry('perm', { value: { granted_groups: [`${project}_3`, group] } }),
      entry('computed', { manual_value: 7 }),
    ]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('an export has a cell for every type of field that the caller may read', async () => {
    const reply = await exported(alice, every.tracker.id);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="tracker_\d+\.csv"$/);
    const rows = rowsIn(reply);
    expect(rows.map(({ string }) => string)).toEqual(['target', 'Say "hi", world; =now']);
    expect(rows[1]).toMatchObject({
      aid: String(full),
      text: '<p>First</p>\r\n\r\n<p>Second, é</p>',
      int: '-12',
      float: '1.5',
      date: '2026-03-01',
      datetime: '2026-03-01 09:30',
      sb: 'green',
      sb_users: 'bob',
      sb_ugroups: 'testers',
      msb: 'red, blue',
      msb_users: 'alice, bob',
      tbl: 'red, "a, b", """odd"""',
      tbl_users: 'bob, carl@example.org',
      file: '"plan, ""final"".txt"',
      art_link: `${full - 1} _is_child`,
      perm: 'project_members, testers',
      computed: '7',
      atid: '2',
      subby: 'alice',
    });
    expect(rows[1]).not.toHaveProperty('burndown');
    expect(rows[1]?.['subon']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('an export that is imported again changes nothing', async () => {
    const { text } = await exported(alice, every.tracker.id, '?separator=semicolon&bom=true');
    expect(text.startsWith('\uFEFFaid;string;')).toBe(true);
    const before = await store.traces();
    const reply = await alice.request('POST', `/trackers/${every.tracker.id}/artifacts_import`, {
      rawBody: text.replaceAll('\r\n', '\n'),
      headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
    ]);
    expect(reply.body.ignored_columns).toEqual(
      expect.arrayContaining(['file', 'atid', 'priority', 'subby', 'luby', 'subon', 'lud', 'cross']),
    );
    expect(await store.traces()).toEqual(before);
  });

  test('an export without its ids makes artifacts that are the same', async () => {
    const names = fieldNames(every).filter((name) => !unimportable.includes(name));
    const path = `?columns=${names.join(',')}&expert_query=${encodeURIComponent('int = "-12"')}`;
    const { text } = await exported(alice, every.tracker.id, path);
    const reply = await importInto(alice, every.tracker.id, text, { text_format: 'html' });
    expect(reply.status, reply.text).toBe(200);
    const [{ id, outcome, uri }] = reply.body.results;
    expect([outcome, uri]).toEqual(['created', `artifacts/${id}`]);
    const [left, right] = [await readArtifact(alice, full), await readArtifact(alice, id)];
    for (const name of names)
      expect(entryOf(right, every.ids[name]), name).toEqual(entryOf(left, every.ids[name]));
    expect((await alice.delete(`/artifacts/${id}`)).status).toBe(200);
  });

  test('rows change the artifacts that they name, and are one changeset each', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const title = await addField(alice, tracker, { type: 'string', name: 'title', label: 'The title' });
    const note = await addField(alice, tracker, { type: 'text', name: 'note' });
    const kept = await submit(alice, tracker, [
      { field_id: title.field_id, value: 'old' },
      { field_id: note.field_id, value: { content: '<b>x</b>', format: 'html' } },
    ]);
    const csv = `id\tThe title\tNOTE\n${kept}\tnew\t<i>y</i>\n\t"of two\tcells"\t\n`;
    const reply = await importInto(alice, tracker, csv);
    expect(reply.status, reply.text).toBe(200);
    const [changed, created] = reply.body.results;
    expect(changed).toMatchObject({ row: 2, id: kept, outcome: 'changed', error: null });
    const first = await alice.get(`/artifacts/${created.id}/changesets`);
    const [{ id: changeset_id }] = first.body;
    expect(created).toMatchObject({ row: 3, outcome: 'created', changeset_id });
    const history = await alice.get(`/artifacts/${kept}/changesets`);
    expect(history.body.map(({ id }: { id: number }) => id)).toContain(changed.changeset_id);
    const artifact = await readArtifact(alice, kept);
    expect(entryOf(artifact, note.field_id)).toMatchObject({ value: '<i>y</i>', format: 'html' });
    expect(entryOf(await readArtifact(alice, created.id), title.field_id).value).toBe('of two\tcells');
  });

  test('cells of people keep those who left beside those who are chosen', async () => {
    const left = await atelier.createUser('left');
    await setMembers(alice, `${project}_3`, [alice, bob, left]);
    const id = await submit(alice, every.tracker.id, [
      entry('msb_users', { bind_value_ids: [bob.id, left.id] }),
      entry('tbl_users', { bind_value_ids: ['left'] }),
    ]);
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const csv = `aid,msb_users,tbl_users\n${id},"bob, left, alice","left, bob"\n`;
    const { status, text } = await importInto(alice, every.tracker.id, csv);
    expect(status, text).toBe(200);
    const body = await readArtifact(alice, id);
    expect(entryOf(body, every.ids['msb_users']).bind_value_ids).toEqual([bob.id, left.id, alice.id]);
    const open = entryOf(body, every.ids['tbl_users']).bind_value_objects as { id: number }[];
    expect(open.map((user) => user.id)).toEqual([left.id, bob.id]);
    const anew = await importInto(alice, every.tracker.id, 'string,msb_users\nx,left\n');
    expect(anew.status).toBe(400);
    expect((await alice.delete(`/artifacts/${id}`)).status).toBe(200);
  });

  test('what a report finds is exported as well', async () => {
    const path = `/trackers/${every.tracker.id}/tracker_reports`;
    const report = { label: 'Greetings', is_in_expert_mode: true, expert_query: 'string = "hi"' };
    const { body: made, text } = await alice.post(path, report);
    const columns = '&columns=aid';
    const found = await exported(alice, every.tracker.id, `?report_id=${made.id}${columns}`);
    expect(rowsIn(found), text).toEqual([{ aid: String(full) }]);
    const { id: other } = await createTracker(alice, every.tracker.project.id);
    const reply = await alice.get(`/trackers/${other}/artifacts_export?report_id=${made.id}`);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('report_id')]);
    for (const [more, rows] of [
      ['&expert_query=string%3D%22world%22', [{ aid: String(full) }]],
      ['&expert_query=string%3D%22nowhere%22', []],
      [`&query=${encodeURIComponent('{"int":{"operator":"empty"}}')}`, []],
    ] as const) {
      const both = await exported(alice, every.tracker.id, `?report_id=${made.id}${columns}${more}`);
      expect(rowsIn(both), more).toEqual(rows);
    }
    const theirs = await bob.get(`/trackers/${every.tracker.id}/artifacts_export?report_id=${made.id}`);
    expect(theirs.status).toBe(404);
  });

  test('a dry run names every bad cell and writes nothing', async () => {
    const csv = [
      'aid,string,int,sb,date,perm,art_link,sb_users',
      ',fine,1,red,2026-01-01,testers,,bob',
      ',bad,one,purple,tomorrow,strangers,x y z,nobody',
      '999999,,,,,,,',
      ',short,1',
      `${full},,,,,,999999,`,
      `${full},,,,,,,`,
    ].join('\n');
    const before = await store.traces();
    const reply = await importInto(alice, every.tracker.id, csv, { dry_run: true });
    expect(reply.status, reply.text).toBe(200);
    const cells = reply.body.faults.map(({ row, column, value }: Record<string, unknown>) => [
      row,
      column,
      value,
    ]);
    expect(cells).toEqual([
      [3, 'sb', 'purple'],
      [3, 'perm', 'strangers'],
      [3, 'art_link', 'x y z'],
      [3, 'sb_users', 'nobody'],
      [3, 'int', 'one'],
      [3, 'date', 'tomorrow'],
      [4, 'aid', '999999'],
      [5, null, null],
      [6, 'art_link', '999999'],
      [7, 'aid', String(full)],
    ]);
    expect(reply.body.fault_count).toBe(cells.length);
    expect(reply.body.faults.every(({ reason }: { reason: string }) => reason.length > 5)).toBe(true);
    const other = ['string,int,date', ',one,tomorrow', 'a,2,'].join('\n');
    const second = await importInto(alice, every.tracker.id, other, { dry_run: true });
    expect(second.body.faults.map(({ column }: { column: string }) => column)).toEqual(['int', 'date']);
    expect(await store.traces()).toEqual(before);
  });

  test('days and decimals as spreadsheets of other languages save them are what they were', async () => {
    const send = (csv: string, date_order?: string) =>
      importInto(alice, every.tracker.id, csv, { dry_run: true, date_order });
    const outcomesOf = async (csv: string, order: string) =>
      (await send(csv, order)).body.results.map(({ outcome }: { outcome: string }) => outcome);
    const columnsOf = async (csv: string, order?: string) =>
      (await send(csv, order)).body.faults.map(({ column }: { column: string }) => column);
    const moment = entry('datetime', { value: '2026-03-01T09:30' });
    await alice.put(`/artifacts/${full}`, { values: [moment] });
    const french = `aid;date;datetime;float\n${full};01/03/2026;1.3.2026 9:30;1,5`;
    const american = `aid,date,datetime,float\n${full},3/1/2026,03-01-2026 09:30:00,1.5`;
    expect(await outcomesOf(french, 'day_first')).toEqual(['unchanged']);
    expect(await outcomesOf(american, 'month_first')).toEqual(['unchanged']);
    expect(await outcomesOf(french, 'month_first')).toEqual(['changed']);
    expect(await columnsOf(french)).toEqual(['date', 'datetime']);
    const unclear = 'float;computed;date\n1,000;1,000;31/12/2026\n1,25;-3,5;2026-12-31';
    expect((await columnsOf(unclear, 'month_first')).sort()).toEqual(['computed', 'date', 'float']);
  });

  test('an id is written in digits, and no number means another one', async () => {
    const { tracker } = every;
    for (const cell of ['1e1', '0x10', '+1', '1.0', '-1', 'x', '#'])
      expect(
        (await importInto(alice, tracker.id, `aid,string\n${cell},x\n`, { dry_run: true })).body,
      ).toMatchObject({
        faults: [{ row: 2, column: 'aid', value: cell, reason: 'It must be the id of an artifact.' }],
      });
    const reply = await importInto(alice, tracker.id, `aid,string\n#${full},x\n`, { dry_run: true });
    expect(reply.body.results).toMatchObject([{ id: full, outcome: 'changed' }]);
    const wide = ['string', ...Array.from({ length: 1000 }, (_, at) => `c${at}`)].join(',');
    expect((await importInto(alice, tracker.id, `${wide}\n`)).status).toBe(400);
  });

  test('a dry run of a good table tells what would come of each row', async () => {
    const csv = `aid,string,tbl\n,new,never typed\n${full},changed,\n${full - 1},target,\n`;
    const before = await store.traces();
    const { body } = await importInto(alice, every.tracker.id, csv, { dry_run: true });
    expect(body).toMatchObject({ dry_run: true, rows: 3, fault_count: 0 });
    const outcomes = body.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['created', 'changed', 'unchanged']);
    expect(await store.traces()).toEqual(before);
  });

  test('a table with one bad cell is refused whole', async () => {
    const csv = 'string,int\nfirst,1\nsecond,two\n';
    const send = () => importInto(alice, every.tracker.id, csv);
    await refused(store, send, 400, /Nothing was imported.*\nRow 3, int: /);
    const header = () => importInto(alice, every.tracker.id, 'string,colour,string\nx,y,z\n');
    await refused(store, header, 400, /Row 1, colour: .*\nRow 1, string: Another column/);
    for (const [broken, words] of [
      ['', /required/],
      ['\n\n', /empty/],
      ['string\n"open', /never closed/],
      ['string\n"a" b', /follows the quotes/],
    ] as const)
      await refused(store, () => importInto(alice, every.tracker.id, broken), 400, words);
    const latin = () =>
      alice.request('POST', `/trackers/${every.tracker.id}/artifacts_import`, {
        rawBody: Buffer.from('string\n\xe9', 'latin1'),
        headers: { 'Content-Type': 'text/csv' },
      });
    await refused(store, latin, 400, /UTF-8/);
  });

  test('formulas leave as text and come back as they were', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const title = await addField(alice, tracker, { type: 'string', name: 'title' });
    const texts = ['=1+1', '+1', '-1', '-a', '@x', "'=y", "'plain", '\t=z'];
    for (const value of texts) await submit(alice, tracker, [{ field_id: title.field_id, value }]);
    const reply = await exported(alice, tracker);
    const cells = rowsIn(reply).map((row) => row['title']);
    expect(cells).toEqual(["'=1+1", "'+1", '-1', "'-a", "'@x", "''=y", "'plain", "'\t=z"]);
    const again = await importInto(alice, tracker, reply.text);
    expect(new Set(again.body.results.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['unchanged']),
    );
    const copies = await importInto(alice, tracker, reply.text.replaceAll(/^\d+,|^aid,/gm, ''));
    expect(copies.status, copies.text).toBe(200);
    const all = (await alice.get(`/trackers/${tracker}/artifacts?values=all`)).body.map(
      (artifact: Parameters<typeof entryOf>[0]) => entryOf(artifact, title.field_id).value,
    );
    expect(all.toSorted()).toEqual([...texts, ...texts].toSorted());
  });

  test('an export of named artifacts has only those, with who and when, which an import passes over', async () => {
    const names = 'id,string,@submitted_by,@submitted_on,@last_update_by,@last_update_date,@rank';
    const reply = await exported(alice, every.tracker.id, `?ids=${full},999999&columns=${names}`);
    const rows = rowsIn(reply);
    // Names that begin with a sign stand behind an apostrophe, as every cell does.
    expect(rows).toMatchObject([
      { id: String(full), "'@submitted_by": 'alice', "'@last_update_by": 'alice' },
    ]);
    expect(Date.parse(rows[0]?.["'@last_update_date"] ?? '')).toBeGreaterThan(0);
    const again = await importInto(alice, every.tracker.id, reply.text, { dry_run: true });
    expect(again.body).toMatchObject({ fault_count: 0, results: [{ id: full, outcome: 'unchanged' }] });
    expect(again.body.ignored_columns).toEqual(names.split(',').slice(2));
    for (const [more, words] of [
      ['ids=x', /`ids`.*"x" is not the id/],
      [`ids=${Array.from({ length: 1001 }, (_, at) => at + 1)}`, /at most 1000/],
    ] as const) {
      const bad = await alice.get(`/trackers/${every.tracker.id}/artifacts_export?${more}`);
      expect([bad.status, bad.body.error.message]).toEqual([400, expect.stringMatching(words)]);
    }
  });

  test('a table that is sent twice with one key makes its artifacts once', async () => {
    const { id } = await createTracker(alice, project);
    await addField(alice, id, { type: 'string', name: 'title' });
    const body = { csv: 'title\none\ntwo\n' };
    const headers = { 'Idempotency-Key': 'b1b6a4a4-52a7-4d3c-9c3c-0d2b7e1a9f01' };
    const send = (given: object) =>
      alice.request('POST', `/trackers/${id}/artifacts_import`, { body: given, headers });
    const first = await send(body);
    const second = await send(body);
    expect([first.status, second.status], second.text).toEqual([200, 200]);
    const ids = ({ body: { results } }: Reply) => results.map((result: { id: number }) => result.id);
    expect(ids(second)).toEqual(ids(first));
    expect(await counted(id)).toBe(2);
    const other = await send({ csv: 'title\nthree\nfour\nfive\n' });
    expect([other.status, other.body.error?.message]).toEqual([
      409,
      'Conflict: The Idempotency-Key was used for another request. Nothing was changed.',
    ]);
    expect(await counted(id)).toBe(2);
  });

  test('lines of JSON are whole artifacts, with the chosen values', async () => {
    const reply = await exported(alice, every.tracker.id, '?format=jsonl');
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const listed = await alice.get(`/trackers/${every.tracker.id}/artifacts?values=all`);
    const lines = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(lines(reply.text)).toEqual(listed.body);
    const some = await exported(alice, every.tracker.id, '?format=jsonl&columns=string&columns[]=int');
    expect(lines(some.text)[1].values).toEqual([
      entryOf(listed.body[1], every.ids['string']),
      entryOf(listed.body[1], every.ids['int']),
    ]);
  });

  test('an export takes every search and refuses bad ones before the first byte', async () => {
    const path = `/trackers/${every.tracker.id}/artifacts_export`;
    const one = await exported(alice, every.tracker.id, `?query=${query({ int: '-12' })}&columns=id,string`);
    expect(rowsIn(one)).toEqual([{ id: String(full), string: 'Say "hi", world; =now' }]);
    const none = await alice.get(`${path}?expert_query=${encodeURIComponent('int = 99')}&columns=string`);
    expect(none.text).toBe('string\r\n');
    const accepting = { headers: { Accept: 'text/csv' } };
    expect((await alice.get(`${path}?columns=string`, accepting)).status).toBe(200);
    for (const wish of ['columns=colour', 'format=xls', 'expert_query=%3D', `query=${query({ nope: 1 })}`])
      expect((await alice.get(`${path}?${wish}`)).status, wish).toBe(400);
    expect((await alice.get('/trackers/999999/artifacts_export')).status).toBe(404);
  });

  test('a link of our own pages saves an export with the session, a link of another site does not', async () => {
    const login = { username: alice.name, password: alice.password };
    const { headers } = await atelier.anonymous.post('/sessions', login);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const path = `/trackers/${every.tracker.id}/artifacts_export`;
    const by = (site: string, mode = 'navigate') =>
      atelier.callerWith({ Cookie: cookie, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode });
    const own = await by('same-origin').get(path);
    expect([own.status, own.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment;/),
    ]);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await by(site).get(path)).status, site).toBe(403);
    expect((await by('same-origin', 'no-cors').get(path)).status).toBe(403);
    expect((await by('same-origin').get(`/trackers/${every.tracker.id}`)).status).toBe(403);
    expect((await by('same-origin').post(`/trackers/${every.tracker.id}/artifacts_import`)).status).toBe(403);
  });

  test('unreadable fields and hidden artifacts are in no export', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const title = await addField(alice, tracker, { type: 'string', name: 'title' });
    const secret = await addField(alice, tracker, { type: 'string', name: 'secret' });
    const perm = await addField(alice, tracker, { type: 'perm', name: 'perm' });
    const admins = [`${project}_4`];
    await setFieldPermissions(alice, secret.field_id, {
      can_read: admins,
      can_submit: admins,
      can_update: admins,
    });
    const values = [
      { field_id: title.field_id, value: 'open' },
      { field_id: secret.field_id, value: 'hush' },
    ];
    await submit(alice, tracker, values);
    await submit(alice, tracker, [...values, { field_id: perm.field_id, value: { granted_groups: admins } }]);
    for (const format of ['csv', 'jsonl']) {
      const { text } = await exported(bob, tracker, `?format=${format}`);
      expect(text.match(/open/g)?.length).toBeGreaterThan(0);
      expect(text).not.toMatch(/hush|secret/);
      expect(text.trimEnd().split('\n')).toHaveLength(format === 'csv' ? 2 : 1);
    }
    expect((await bob.get(`/trackers/${tracker}/artifacts_export?columns=secret`)).status).toBe(400);
    const header = () => importInto(bob, tracker, 'title,secret\na,b\n');
    await refused(store, header, 400, /Row 1, secret: There is no such field/);
  });

  test('hundreds of rows come in and go out again', async () => {
    const { id: tracker } = await createTracker(alice, project);
    await addField(alice, tracker, { type: 'string', name: 'title' });
    await addField(alice, tracker, { type: 'int', name: 'size' });
    const count = 300;
    const lines = Array.from({ length: count }, (_, at) => `Row ${at},${at}`);
    const reply = await importInto(alice, tracker, ['title,size', ...lines].join('\n'));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.results).toHaveLength(count);
    expect(await counted(tracker)).toBe(count);
    const sizes = rowsIn(await exported(alice, tracker, '?columns=size')).map(({ size }) => Number(size));
    expect(sizes.toSorted((a, b) => a - b)).toEqual(lines.map((_, at) => at));
  });
});

/** Columns that an import does not take from another artifact. */
const unimportable = ['file', 'aid', 'atid', 'priority', 'subby', 'luby', 'subon', 'lud', 'cross'];

const fieldNames = ({ tracker }: EveryField) =>
  tracker.fields
    .map(({ name }) => name)
    .filter(
      (name) =>
        !['fieldset', 'column', 'burndown', 'linebreak', 'separator', 'staticrichtext'].includes(name),
    );
