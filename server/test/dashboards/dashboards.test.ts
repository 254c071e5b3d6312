import { dashboardBounds } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ddl, migrations } from '../../src/storage/migrations/index.ts';
import { messageOf } from '../fixtures/artifact.ts';
import { Listener } from '../fixtures/events.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { saveReport } from '../fixtures/report.ts';
import { addField, createTracker, setPermissions, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

interface Widget {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly label: string;
  readonly is_hidden: boolean;
  readonly settings: unknown;
}

interface Dashboard {
  readonly id: number;
  readonly uri: string;
  readonly title: string;
  readonly version: number;
  readonly is_default: boolean;
  readonly may_change: boolean;
  readonly rows: readonly { readonly cells: readonly { width: number; widgets: readonly Widget[] }[] }[];
}

const widgetsOf = ({ rows }: Dashboard) => rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.widgets));

/** Each widget in a row of its own. */
const stacked = (...widgets: readonly unknown[]) =>
  widgets.map((widget) => ({ cells: [{ width: 12, widgets: [widget] }] }));

const text = (commonmark: string, more = {}) => ({ kind: 'text', settings: { commonmark }, ...more });

/** Names of types do not matter to what is filled in. */
const sqliteDdl: Ddl = {
  columns: { identity: '', integer: '', real: '', text: '', bytes: '' },
  tableOptions: '',
  keyedTableOptions: '',
  startCounting: () => [],
  dropReference: () => [],
  indexTextParts: () => [],
  numberNotes: () => [],
  keysIn: () => '',
};

describe.each(usuallyOn('SQLite'))('dashboards on %s', (engine) => {
  let atelier: Atelier;
  /** Administers the project. */
  let alice: Person;
  /** A member. */
  let bob: Person;
  /** Sees public projects only. */
  let carol: Person;
  let project: number;
  let tracker: number;
  let title: number;
  let report: { id: number; renderers: { id: number; type: string }[] };
  /** A tracker for friends, among whom is Bob and not Carol. */
  let hidden: number;

  async function make(caller: Caller, more: object = {}): Promise<Dashboard> {
    const { status, body, text: answer } = await caller.post('/dashboards', { title: 'Release', ...more });
    expect(status, answer).toBe(201);
    return body;
  }
  const put = (caller: Caller, { id, version, title: named }: Dashboard, rows: unknown, more = {}) =>
    caller.put(`/dashboards/${id}`, { version, title: named, rows, ...more });
  async function filled(caller: Caller, dashboard: Dashboard, rows: unknown): Promise<Dashboard> {
    const { status, body, text: answer } = await put(caller, dashboard, rows);
    expect(status, answer).toBe(200);
    return body;
  }
  const read = async (caller: Caller, id: number): Promise<Dashboard> =>
    (await caller.get(`/dashboards/${id}`)).body;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'shop')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [bob]);
    tracker = (await createTracker(alice, project, { item_name: 'bug', label: 'Bugs' })).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'summary' })).field_id;
    await setSemantics(alice, tracker, { title: { field_id: title } });
    const made = await saveReport(alice, tracker, {
      label: 'Open ones',
      is_public: true,
      renderers: [
        { label: 'All', type: 'table' },
        { label: 'By state', type: 'chart', settings: { kind: 'flow' } },
      ],
    });
    report = (await alice.get(`/tracker_reports/${made.id}/settings`)).body;
    hidden = (await createTracker(alice, project, { item_name: 'secret', label: 'Secrets' })).id;
    await setPermissions(alice, hidden, { can_access: [friends] });
  });
  afterAll(() => atelier.stop());

  test('count what they counted when a field is called otherwise that a number asks for', async () => {
    const other = (await createTracker(alice, project)).id;
    const { field_id: points } = await addField(alice, tracker, { type: 'int', name: 'points' });
    await addField(alice, other, { type: 'int', name: 'points' });
    const asked = (tracker_id: number) => ({ tracker_id, expert_query: 'points > 3' });
    const numbers = [tracker, other].map((id) => ({ kind: 'count', settings: asked(id) }));
    const { id, version } = await filled(bob, await make(bob), stacked(...numbers));
    expect((await alice.patch(`/tracker_fields/${points}`, { name: 'effort' })).status).toBe(200);
    const after = await read(bob, id);
    expect(widgetsOf(after).map(({ settings }) => settings)).toEqual([
      { tracker_id: tracker, expert_query: 'effort > 3' },
      asked(other),
    ]);
    expect(after.version).toBe(version + 1);
    await bob.delete(`/dashboards/${id}`);
  });

  test('show every kind of widget, each with the name of what it is about', async () => {
    const artifact = (
      await alice.post('/artifacts', {
        tracker: { id: tracker },
        values: [{ field_id: title, value: 'Sprint' }],
      })
    ).body.id;
    const chart = report.renderers.find(({ type }) => type === 'chart')?.id;
    const widget = (await alice.post('/crosstracker_widget', { project_id: project })).body.id;
    const tql_query = "SELECT @id FROM @project = 'self' WHERE @id >= 1";
    const query = { widget_id: widget, title: 'Everything', tql_query };
    const queryId = (await alice.post('/crosstracker_query', query)).body.id;
    const made = await make(alice, { project_id: project });
    expect(made).toMatchObject({
      ...{ uri: `dashboards/${made.id}`, project_id: project, version: 1, may_change: true, rows: [] },
    });
    const rows = [
      {
        cells: [
          {
            width: 4,
            widgets: [
              { kind: 'count', settings: { tracker_id: tracker, expert_query: '', target: 3 } },
              text('**Hello**', { title: 'Goal' }),
            ],
          },
          { width: 8, widgets: [{ kind: 'chart', settings: { report_id: report.id, renderer_id: chart } }] },
        ],
      },
      ...stacked(
        { kind: 'report', settings: { report_id: report.id } },
        { kind: 'query', settings: { query_id: queryId } },
        { kind: 'query', title: 'Mine', settings: { tql_query } },
        { kind: 'burndown', settings: { artifact_id: artifact, field_id: title } },
        { kind: 'activity', settings: { project_id: project } },
        { kind: 'mine', settings: { role: 'assigned' } },
        { kind: 'recent' },
        { kind: 'favorites' },
        { kind: 'links', settings: [{ label: 'Docs', href: 'https://example.com/' }] },
      ),
    ];
    const shown = await filled(alice, made, rows);
    expect(shown.version).toBe(2);
    const widgets = widgetsOf(shown);
    expect(widgets.map(({ label }) => label)).toEqual([
      ...['Bugs', 'Goal', 'By state', 'Open ones', 'Everything', 'Mine'],
      ...[expect.stringMatching(`^bug #${artifact}: `), expect.any(String), '', '', '', ''],
    ]);
    expect(new Set(widgets.map(({ id }) => id)).size).toBe(12);
    expect(await read(bob, made.id)).toEqual({ ...shown, may_change: false });
    expect(await read(carol, made.id)).toMatchObject({ title: 'Release' });
    const self = JSON.stringify({ tql_query, dashboard_id: made.id });
    const found = await bob.get(`/crosstracker_query/content?query=${encodeURIComponent(self)}`);
    expect(found.body.artifacts.length, found.text).toBeGreaterThan(0);
  });

  test('keep the ids of widgets that stay, and never give one twice', async () => {
    const made = await filled(alice, await make(alice), stacked(text('a'), text('b')));
    const [first, second] = widgetsOf(made);
    const moved = await filled(alice, made, stacked({ ...text('c'), id: second?.id }, text('d')));
    expect(widgetsOf(moved).map(({ id }) => id)).toEqual([second?.id, 3]);
    expect(widgetsOf(moved)[0]?.settings).toEqual({ commonmark: 'c' });
    const twice = stacked({ ...text('a'), id: 2 }, { ...text('a'), id: 2 });
    expect(messageOf(await put(alice, moved, twice))).toContain('rows[1].cells[0].widgets[0].id');
    const gone = await put(alice, moved, stacked({ ...text('a'), id: first?.id }));
    expect(gone.status, 'a widget that was taken away').toBe(400);
  });

  test('somebody who was second gets 409 with what is there now, and can put theirs on top', async () => {
    const made = await make(alice, { project_id: project });
    await filled(alice, made, stacked(text('hers')));
    const late = await put(atelier.admin, made, stacked(text('theirs')));
    expect(late.status).toBe(409);
    const current: Dashboard = late.body.error.details.dashboard;
    expect(widgetsOf(current).map(({ settings }) => settings)).toEqual([{ commonmark: 'hers' }]);
    const again = await filled(atelier.admin, current, stacked(text('theirs')));
    expect(again.version).toBe(3);
    const both = await Promise.all([1, 2, 3, 4].map((at) => put(alice, again, stacked(text(`${at}`)))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('what somebody may not see is hidden, without title and settings, and stays when they arrange', async () => {
    const made = await make(alice, { project_id: project });
    const secret = { kind: 'count', title: 'Secret number', settings: { tracker_id: hidden } };
    const shown = await filled(alice, made, stacked(secret, text('open')));
    const forCarol = await read(carol, made.id);
    expect(widgetsOf(forCarol)[0]).toEqual({
      ...{ id: 1, kind: 'count', title: '', label: '', is_hidden: true, settings: {} },
    });
    expect(widgetsOf(await read(bob, made.id))[0]).toMatchObject({ title: 'Secret number' });
    // Whoever copies it takes along what they see.
    const copy = await make(carol, { from_dashboard_id: made.id });
    expect(widgetsOf(copy).map(({ kind }) => kind)).toEqual(['text']);
    // Dora administers the project and is no friend.
    const dora = await atelier.createUser('dora');
    await setMembers(alice, `${project}_4`, [alice, dora]);
    await setPermissions(alice, hidden, { can_access: [] });
    const own = await make(bob);
    const refused = await put(bob, own, stacked(secret));
    expect(messageOf(refused)).toContain('rows[0].cells[0].widgets[0].settings');
    await alice.delete(`/trackers/${hidden}`);
    const [first, second] = widgetsOf(await read(dora, shown.id));
    expect(first?.is_hidden).toBe(true);
    const arranged = await filled(dora, shown, stacked(second, first));
    expect(widgetsOf(arranged).map(({ id }) => id)).toEqual([2, 1]);
    const [kept] = await atelier.sql(`select content from dashboard where id = ${shown.id}`);
    expect(String(kept?.['content'])).toContain('Secret number');
  });

  test('those of projects are for their administrators to change, those of people for nobody else', async () => {
    const ofProject = await make(alice, { project_id: project });
    const own = await make(bob);
    expect((await bob.post('/dashboards', { title: 'x', project_id: project })).status).toBe(403);
    expect((await put(bob, ofProject, [])).status).toBe(403);
    expect((await bob.delete(`/dashboards/${ofProject.id}`)).status).toBe(403);
    expect((await atelier.anonymous.get(`/dashboards/${ofProject.id}`)).status).toBe(200);
    for (const caller of [alice, atelier.admin, atelier.anonymous])
      expect((await caller.get(`/dashboards/${own.id}`)).status).toBe(404);
    expect((await put(alice, own, [])).status).toBe(404);
    expect((await alice.post('/dashboards', { title: 'x', from_dashboard_id: own.id })).status).toBe(404);
    const closed = (await createProject(alice, 'closed', { is_public: false })).id;
    const inClosed = await make(alice, { project_id: closed });
    expect((await carol.get(`/dashboards/${inClosed.id}`)).status).toBe(404);
    expect((await carol.get(`/dashboards?project_id=${closed}`)).status).toBe(403);
    expect((await atelier.anonymous.get('/dashboards')).body).toEqual([]);
    expect((await bob.delete(`/dashboards/${own.id}`)).status).toBe(204);
    expect((await bob.get(`/dashboards/${own.id}`)).status).toBe(404);
  });

  test('one of a project is the default: the first, until another one is chosen or it goes', async () => {
    const { id: place } = await createProject(alice, 'defaults');
    const [first, second] = [
      await make(alice, { project_id: place, title: 'One' }),
      await make(alice, { project_id: place, title: 'Two' }),
    ];
    const list = async () =>
      (await bob.get(`/dashboards?project_id=${place}`)).body.map((one: Dashboard) => [
        one.title,
        one.is_default,
        one.may_change,
      ]);
    expect(await list()).toEqual([
      ['One', true, false],
      ['Two', false, false],
    ]);
    expect((await put(alice, first, [], { is_default: false })).status).toBe(400);
    expect((await put(alice, second, [], { is_default: true })).status).toBe(200);
    expect(await list()).toEqual([
      ['Two', true, false],
      ['One', false, false],
    ]);
    expect((await alice.delete(`/dashboards/${second.id}`)).status).toBe(204);
    expect(await list()).toEqual([['One', true, false]]);
  });

  test('bounds hold: 20 dashboards, 40 widgets, 12 columns, what each kind is told', async () => {
    const eve = await atelier.createUser('eve');
    const made = await make(eve);
    for (let at = 1; at < dashboardBounds.dashboards; at++) await make(eve);
    expect((await eve.post('/dashboards', { title: 'one more' })).status).toBe(400);
    const many = Array.from({ length: dashboardBounds.widgets }, () => text('x'));
    const full = await filled(eve, made, stacked(...many));
    const cell = { width: 12, widgets: [text('x'), text('y')] };
    const tooMany = [{ cells: [cell] }, ...stacked(...many.slice(1))];
    const reply = await put(eve, full, tooMany);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining('41 widgets')]);
    const tooLong = stacked(...Array.from({ length: 5 }, () => text('x'.repeat(60_000))));
    expect((await put(eve, full, tooLong)).status).toBe(400);
  });

  test.each([
    ['rows[0].cells', [{ cells: [7, 6].map((width) => ({ width, widgets: [text('x')] })) }]],
    ['width', [{ cells: [{ width: 13, widgets: [text('x')] }] }]],
    ['width', [{ cells: [{ width: 0, widgets: [text('x')] }] }]],
    ['widgets', [{ cells: [{ width: 1, widgets: [] }] }]],
    ['cells', [{ cells: [] }]],
    ['kind', stacked({ kind: 'clock' })],
    ['settings.role', stacked({ kind: 'mine', settings: { role: 'boss' } })],
    ['settings.tracker_id', stacked({ kind: 'count', settings: {} })],
    ['settings.tracker_id', stacked({ kind: 'count', settings: { tracker_id: 'seven' } })],
    ['settings.tracker_id', stacked({ kind: 'count', settings: { tracker_id: '' } })],
    ['settings.tracker_id', stacked({ kind: 'count', settings: { tracker_id: null } })],
    ['settings.role', stacked({ kind: 'mine', settings: { role: null } })],
    ['settings.query_id', stacked({ kind: 'query', settings: { query_id: null } })],
    ['settings[0].href', stacked({ kind: 'links', settings: [{ label: 'x', href: null }] })],
    ['settings', stacked({ kind: 'count', settings: { tracker_id: 99_999_999 } })],
    ['settings', stacked({ kind: 'recent', settings: { much: true } })],
    ['settings', stacked({ kind: 'text', settings: ['x'] })],
    ['settings.commonmark', stacked(text('x'.repeat(65_536)))],
    ['settings', stacked({ kind: 'query', settings: { query_id: 'x', tql_query: 'y' } })],
    ['settings.query_id', stacked({ kind: 'query', settings: { query_id: "' or 1=1" } })],
    ['settings', stacked({ kind: 'report', settings: { report_id: 99_999_999 } })],
    ['settings', stacked({ kind: 'links', settings: {} })],
    ['settings[0].href', stacked({ kind: 'links', settings: [{ label: 'x', href: 'javascript:alert(1)' }] })],
    ['settings[0].href', stacked({ kind: 'links', settings: [{ label: 'x', href: '//example.com' }] })],
    ['settings[0].label', stacked({ kind: 'links', settings: [{ label: ' ', href: '/' }] })],
    ['title', stacked(text('x', { title: 'x'.repeat(256) }))],
    ['rows', 'nothing'],
  ])('a fault is 400 and names %s', async (member, rows) => {
    const made = (await bob.get('/dashboards')).body[0] ?? (await make(bob));
    const reply = await put(bob, made, rows);
    expect(reply.status, reply.text).toBe(400);
    expect(messageOf(reply)).toContain(member);
  });

  test('are read and written in XML', async () => {
    const made = await make(alice);
    const settings = { tracker_id: tracker, expert_query: 'summary = "x"', target: 2.5 };
    const full = await filled(alice, made, [
      ...stacked({ kind: 'count', settings }, { kind: 'report', settings: { report_id: report.id } }),
      ...stacked(text('007'), text(''), { kind: 'links', settings: [{ label: 'Docs', href: '/docs' }] }),
      ...stacked({ kind: 'recent' }),
    ]);
    const path = `/dashboards/${made.id}`;
    const { text: rawBody } = await alice.request('GET', path, { headers: { Accept: 'application/xml' } });
    const headers = { 'Content-Type': 'application/xml' };
    const reply = await alice.request('PUT', path, { rawBody, headers });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({ ...full, version: full.version + 1 });
  });

  test('a query of a number is checked when it is kept, with line and column', async () => {
    const settings = { tracker_id: tracker, expert_query: 'summary ==' };
    const reply = await put(bob, await make(bob), stacked({ kind: 'count', settings }));
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toMatchObject({ line: 1, column: expect.any(Number) });
  });

  test('those who look hear of changes: of a project whoever sees it, of a person nobody else', async () => {
    const [bobs, carols] = [
      await Listener.open(atelier, bob, ['user', `projects/${project}`]),
      await Listener.open(atelier, carol, ['user', `projects/${project}`]),
    ];
    const own = await make(bob, { title: 'Own' });
    const shared = await make(alice, { project_id: project });
    await filled(alice, shared, stacked(text('x')));
    await alice.delete(`/dashboards/${shared.id}`);
    const whats = ({ news }: Listener) =>
      news.flatMap((one) => (one.event === 'dashboard' ? [`${one.uri} ${one.what}`] : []));
    const ofProject = ['created', 'changed', 'deleted'].map((what) => `dashboards/${shared.id} ${what}`);
    await eventually(() => expect(whats(bobs)).toEqual([`dashboards/${own.id} created`, ...ofProject]));
    await eventually(() => expect(whats(carols)).toEqual(ofProject));
    bobs.close();
    carols.close();
  });

  test('they are found by words, kept as favourites and in the history, and forgotten with the dashboard', async () => {
    const own = await make(bob, { title: 'Blüte der Zahlen' });
    const shared = await make(alice, { project_id: project, title: 'Blüte des Ladens' });
    const find = async (caller: Caller) =>
      (await caller.get('/quick_search?words=blute&kinds=dashboards')).body.dashboards.map(
        ({ label }: { label: string }) => label,
      );
    expect(await find(bob)).toEqual([own.title, shared.title]);
    expect(await find(carol)).toEqual([shared.title]);
    const uris = [own.uri, shared.uri];
    const kept = await bob.put('/users/self/favorites', { uris });
    expect(kept.body).toMatchObject([
      { uri: own.uri, kind: 'dashboard', label: own.title, html_url: `/dashboards/${own.id}` },
      { uri: shared.uri, kind: 'dashboard' },
    ]);
    for (const uri of uris) expect((await bob.post('/users/self/history', { uri })).status).toBe(204);
    const entries = (await bob.get('/users/self/history')).body.entries;
    expect(entries[0]).toMatchObject({ type: 'dashboard', title: shared.title, per_type_id: shared.id });
    expect((await carol.put('/users/self/favorites', { uris })).status).toBe(404);
    await alice.delete(`/dashboards/${shared.id}`);
    const rows = await atelier.sql(`select item_id from favorite where kind = 'dashboard'`);
    expect(rows.map((row) => Number(row['item_id']))).toEqual([own.id]);
  });

  test('they are frozen with their project, and gone with it', async () => {
    const { id: place } = await createProject(alice, 'brief');
    const made = await make(alice, { project_id: place });
    await atelier.admin.patch(`/projects/${place}`, { status: 'suspended' });
    expect((await put(atelier.admin, made, [])).status).toBe(403);
    expect((await read(atelier.admin, made.id)).may_change).toBe(false);
    await atelier.admin.patch(`/projects/${place}`, { status: 'active' });
    await atelier.admin.delete(`/projects/${place}`);
    expect((await alice.get(`/dashboards/${made.id}`)).status).toBe(404);
  });

  test('queries that were kept before there were dashboards are on a first one', async () => {
    const { id: place } = await createProject(alice, 'older');
    const dora = await atelier.createUser('older-dora');
    const keep = async (caller: Caller, widget: object, titles: readonly string[]) => {
      const { id } = (await caller.post('/crosstracker_widget', widget)).body;
      for (const named of titles)
        await caller.post('/crosstracker_query', {
          ...{
            widget_id: id,
            title: named,
            tql_query: 'SELECT @id FROM @project = MY_PROJECTS() WHERE @id >= 1',
          },
        });
    };
    await keep(alice, { project_id: place }, ['It\'s "one"', 'two']);
    await keep(alice, { project_id: place }, ['three']);
    await keep(dora, {}, ['mine']);
    await atelier.sql('delete from dashboard');
    const fill = migrations
      .find(({ name }) => name === 'dashboards')
      ?.statements(sqliteDdl)
      .at(-1);
    await atelier.sql(fill ?? '');
    const first = async (caller: Caller, query: string) => {
      const [listed] = (await caller.get(`/dashboards${query}`)).body;
      return read(caller, listed.id);
    };
    const ofProject = await first(bob, `?project_id=${place}`);
    expect(ofProject).toMatchObject({ title: 'Queries', is_default: true, version: 1 });
    expect(widgetsOf(ofProject).map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      ...['query It\'s "one"', 'query two', 'query three'],
    ]);
    const own = await first(dora, '');
    expect(widgetsOf(own).map(({ label }) => label)).toEqual(['mine']);
    expect(widgetsOf(await filled(dora, own, [...own.rows, ...stacked(text('x'))])).at(-1)?.id).toBe(2);
  });
});
