import type { Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/storage/index.ts';
import { messageOf, submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf, idsOf, setMembers, sizeOf } from '../fixtures/project.ts';
import { type Members, saveReport } from '../fixtures/report.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine(
  'SQLite',
  'what a report keeps and who sees it is decided in code; what it finds is in search/, on both',
);

describe.each(engines)('reports of a tracker on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let every: EveryField;
  const settingsOf = (id: number) => `/tracker_reports/${id}/settings`;
  const listed = (trackerId = every.tracker.id) => `/trackers/${trackerId}/tracker_reports`;
  const labels = async (caller: Caller, trackerId?: number) =>
    (await caller.get(`${listed(trackerId)}?limit=100`)).body.map(({ label }: { label: string }) => label);
  const saved = (caller: Caller, report: Members) => saveReport(caller, every.tracker.id, report);
  const idOf = (name: string) => every.ids[name] ?? 0;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'reported')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
  });
  afterAll(() => atelier?.stop());

  test('a new tracker has a public default one, whose table follows its fields', async () => {
    const { id } = await createTracker(alice, project);
    const reply = await atelier.anonymous.get(listed(id));
    const [report] = reply.body;
    expect(reply.body).toEqual([
      {
        id: expect.any(Number),
        uri: `tracker_reports/${report.id}`,
        label: 'Default',
        is_public: true,
        is_default: true,
        resources: [{ type: 'artifacts', uri: `tracker_reports/${report.id}/artifacts` }],
      },
    ]);
    const headers = ['limit', 'offset', 'size', 'limit-max'].map((name) =>
      reply.headers.get(`x-pagination-${name}`),
    );
    expect(headers).toEqual(['10', '0', '1', '1000']);
    expect(reply.headers.get('allow')).toContain('GET');
    const one = await atelier.anonymous.get(`/tracker_reports/${report.id}?with_unsaved_changes=true`);
    expect([one.status, one.body]).toEqual([200, report]);
    const columns = async () => (await alice.get(settingsOf(report.id))).body.renderers[0].columns;
    expect(await columns()).toEqual([]);
    const { field_id } = await addField(alice, id, { type: 'string', name: 'summary' });
    expect(await columns()).toEqual([{ field_id }]);
    for (const limit of [0, 1001]) expect((await alice.get(`${listed(id)}?limit=${limit}`)).status).toBe(400);
  });

  test('are saved by whoever sees the tracker, listed by name, and seen by their owner alone', async () => {
    const mine = await saved(bob, {
      label: 'Über mine',
      description: 'Own words',
      criteria: { string: 'x' },
    });
    const yours = await saved(alice, { label: 'alice', criteria: {} });
    const ours = await saved(alice, { label: 'Our own', is_public: true });
    expect(mine).toMatchObject({
      label: 'Über mine',
      description: 'Own words',
      tracker: { id: every.tracker.id },
      is_public: false,
      is_default: false,
      is_query_displayed: true,
      is_in_expert_mode: false,
      expert_query: '',
      criteria: { string: { operator: 'contains', value: 'x' } },
      renderers: [{ type: 'table', has_usual_columns: true }],
    });
    expect(await labels(bob)).toEqual(['Default', 'Our own', 'Über mine']);
    expect(await labels(alice)).toEqual(['alice', 'Default', 'Our own']);
    expect(await labels(atelier.anonymous)).toEqual(['Default', 'Our own']);
    const page = await bob.get(`${listed()}?limit=1&offset=1`);
    expect([page.body[0].label, sizeOf(page)]).toEqual(['Our own', 3]);
    for (const caller of [alice, atelier.admin, atelier.anonymous])
      for (const path of ['', '/artifacts', '/settings'])
        expect((await caller.get(`/tracker_reports/${mine.id}${path}`)).status).toBe(404);
    expect((await atelier.admin.patch(settingsOf(mine.id), { label: 'x' })).status).toBe(404);
    expect((await atelier.admin.delete(`/tracker_reports/${mine.id}`)).status).toBe(404);
    expect((await atelier.anonymous.post(listed(), { label: 'x' })).status).toBe(401);
    expect((await bob.post(listed(), { label: 'x', is_public: true })).status).toBe(403);
    expect((await bob.patch(settingsOf(ours.id), { label: 'x' })).status).toBe(403);
    expect((await bob.delete(`/tracker_reports/${ours.id}`)).status).toBe(403);
    expect((await bob.patch(settingsOf(mine.id), { is_public: true })).status).toBe(403);
    expect((await bob.delete(`/tracker_reports/${mine.id}`)).status).toBe(200);
    expect((await bob.get(`/tracker_reports/${mine.id}`)).status).toBe(404);
    for (const { id } of [yours, ours])
      expect((await alice.delete(`/tracker_reports/${id}`)).status).toBe(200);
  });

  test('exactly one is the default, and it is public', async () => {
    const { id } = await createTracker(alice, project);
    const first = (await alice.get(listed(id))).body[0].id;
    const second = await saveReport(alice, id, { label: 'Second', is_public: true, is_default: true });
    const defaults = async () =>
      (await alice.get(listed(id))).body
        .filter(({ is_default }: { is_default: boolean }) => is_default)
        .map((report: { id: number }) => report.id);
    expect(await defaults()).toEqual([second.id]);
    const refusals = [
      alice.delete(`/tracker_reports/${second.id}`),
      alice.patch(settingsOf(second.id), { is_default: false }),
      alice.patch(settingsOf(second.id), { is_public: false }),
      alice.post(listed(id), { label: 'x', is_default: true }),
      alice.patch(settingsOf(first), { is_public: false, is_default: true }),
    ];
    for (const refusal of refusals) expect((await refusal).status).toBe(400);
    expect((await alice.patch(settingsOf(first), { is_default: true })).body.is_default).toBe(true);
    expect(await defaults()).toEqual([first]);
    expect((await alice.patch(settingsOf(second.id), { is_public: false })).body.is_public).toBe(false);
    expect((await bob.get(`/tracker_reports/${second.id}`)).status).toBe(404);
    expect((await alice.patch(settingsOf(second.id), { is_public: true })).body.is_public).toBe(true);
    expect((await bob.get(`/tracker_reports/${second.id}`)).status).toBe(200);
    await Promise.all(
      [first, second.id, first, second.id].map((one) =>
        alice.patch(settingsOf(one), { is_default: true }).then(({ status }) => expect(status).toBe(200)),
      ),
    );
    expect(await defaults()).toHaveLength(1);
  });

  test('change in one step: criteria, query, tables with columns and sort', async () => {
    const { red = 0, green = 0 } = valueIds(fieldNamed(every.tracker, 'sb'));
    const report = await saved(alice, {
      label: 'Changing',
      criteria: {
        string: null,
        sb: [String(red), green, 100],
        [idOf('date')]: { operator: 'between', value: ['2024-01-01', '2024-02-01'] },
        '@comments': 'review',
        computed: 5,
      },
      renderers: [
        {
          label: 'Wide',
          page_size: 40,
          columns: [
            { field_id: idOf('string') },
            { field_id: idOf('art_link'), artlink_nature: '_is_child' },
          ],
          sort: [{ field_id: idOf('int'), is_descending: true }, { field_id: idOf('string') }],
        },
        {},
      ],
    });
    const [wide, usual] = report.renderers;
    expect(report.criteria).toEqual({
      string: null,
      sb: { operator: 'contains', value: [red, green, 100] },
      date: { operator: 'between', value: ['2024-01-01', '2024-02-01'] },
      '@comments': { operator: 'contains', value: 'review' },
    });
    expect(wide).toEqual({
      id: expect.any(Number),
      type: 'table',
      label: 'Wide',
      description: '',
      page_size: 40,
      has_usual_columns: false,
      columns: [{ field_id: idOf('string') }, { field_id: idOf('art_link'), artlink_nature: '_is_child' }],
      sort: [
        { field_id: idOf('int'), is_descending: true },
        { field_id: idOf('string'), is_descending: false },
      ],
      settings: {},
    });
    const changed = await alice.patch(settingsOf(report.id), {
      label: 'Changed',
      is_in_expert_mode: true,
      is_query_displayed: false,
      expert_query: 'string = "x"',
      renderers: [
        { label: 'New', columns: [{ field_id: idOf('aid') }] },
        { id: wide?.id, page_size: 3 },
      ],
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      label: 'Changed',
      is_in_expert_mode: true,
      is_query_displayed: false,
      expert_query: 'string = "x"',
      criteria: report.criteria,
      renderers: [{ label: 'New' }, { ...wide, page_size: 3 }],
    });
    expect(changed.body.renderers).toHaveLength(2);
    const before = (await alice.get(settingsOf(report.id))).body;
    for (const [wrong, words] of [
      [{ label: ' ' }, /label/],
      [{ label: 'a\nb' }, /label/],
      [{ criteria: { nope: 1 } }, /do not exist: nope/],
      [{ criteria: { sb: 'x' } }, /sb/],
      [{ criteria: { sb: { operator: '<', value: 1 } } }, /operator/],
      [{ criteria: { sb: 1, [idOf('sb')]: 1 } }, /more than once/],
      [{ criteria: { '@comments': 5 } }, /@comments/],
      [{ criteria: 'all' }, /criteria/],
      [{ label: 'Kept out', expert_query: 'nope = 1' }, /nope/],
      [{ expert_query: 'string = ' }, /parsing/],
      [{ renderers: [{ id: usual?.id }] }, /renderers\[0\]\[id\]/],
      [{ renderers: [{}, { columns: [{ field_id: 1 }] }] }, /renderers\[1\]\[columns\]\[0\]/],
      [{ renderers: [{ columns: [{ field_id: idOf('fieldset') }] }] }, /no values/],
      [{ renderers: [{ columns: [{ field_id: idOf('int'), artlink_nature: 'x' }] }] }, /links/],
      [{ renderers: [{ sort: [{ field_id: idOf('int') }, { field_id: idOf('int') }] }] }, /more than once/],
      [{ renderers: [{ page_size: 0 }] }, /page_size/],
      [{ renderers: [{ label: '' }] }, /label/],
    ] as const) {
      const reply = await alice.patch(settingsOf(report.id), { description: 'half', ...wrong });
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringMatching(words)]);
    }
    expect((await alice.get(settingsOf(report.id))).body).toEqual(before);
    expect((await alice.patch(settingsOf(report.id), { renderers: [] })).body.renderers).toEqual([]);
    await alice.delete(`/tracker_reports/${report.id}`);
  });

  test('show what they find in boards, calendars, timelines and charts, with settings that are checked', async () => {
    const { red = 0, green = 0 } = valueIds(fieldNamed(every.tracker, 'sb'));
    const board = {
      columns_by: 'sb',
      column_ids: [[red, green], 100],
      swimlanes_by: '@parent',
      card_fields: ['date', '@comments'],
      limits: { [red]: { max: 5, is_strict: true } },
      limits_count_all_swimlanes: true,
      hides_empty_swimlanes: false,
      collapsed_ids: [green],
      colors_by: null,
    };
    const others = {
      calendar: { date: '@start', color_by: 'sb' },
      timeline: { group_by: '@parent', zoom: 'quarter', shows_links: true, color_by: null },
      chart: { kind: 'stacked', by: ['sb', 'date:week'], sum: 'int', from: '90d', step: 'week' },
    };
    const mine = await saved(bob, {
      label: 'My board',
      renderers: [
        { type: 'board', settings: board },
        ...Object.entries(others).map(([type, settings]) => ({ type, settings })),
      ],
    });
    expect(mine.renderers.map(({ type, label, settings }) => ({ type, label, settings }))).toEqual([
      { type: 'board', label: 'Board', settings: board },
      { type: 'calendar', label: 'Calendar', settings: others.calendar },
      { type: 'timeline', label: 'Timeline', settings: others.timeline },
      { type: 'chart', label: 'Chart', settings: others.chart },
    ]);
    expect((await alice.get(settingsOf(mine.id))).status).toBe(404);
    // Compatible routes find by it, and know of no table in it.
    expect((await bob.get(`/tracker_reports/${mine.id}/artifacts?values=all`)).status).toBe(200);
    const none = await bob.get(`/tracker_reports/${mine.id}/artifacts?values=from_table_renderer`);
    expect([none.status, messageOf(none)]).toEqual([400, expect.stringMatching(/no table/)]);
    const [first] = mine.renderers;
    const kept = mine.renderers.map(({ id }) => ({ id }));
    const changed = await bob.patch(settingsOf(mine.id), {
      renderers: [
        { id: first?.id, settings: { columns_by: 'sb_users' } },
        ...kept.slice(1),
        { settings: { frozen_columns: 2 } },
      ],
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.renderers[0].settings).toEqual({ columns_by: 'sb_users' });
    expect(changed.body.renderers[4]).toMatchObject({ type: 'table', settings: { frozen_columns: 2 } });
    const wrong = (type: string, settings: unknown) => ({ renderers: [{ type, settings }] });
    for (const [given, words] of [
      [wrong('kanban', {}), /type/],
      [wrong('board', []), /renderers\[0\]\[settings\]/],
      [wrong('board', { columns: 'sb' }), /\[settings\]\[columns\].*no such setting/],
      [wrong('board', { __proto__: null, toString: 1 }), /\[toString\]/],
      [wrong('board', { columns_by: 'nope' }), /\[columns_by\].*no field "nope"/],
      [wrong('board', { columns_by: 5 }), /\[columns_by\]/],
      [wrong('board', { column_ids: [0] }), /\[column_ids\]/],
      [wrong('board', { column_ids: [[]] }), /\[column_ids\]/],
      [wrong('board', { column_ids: [[red], [[green]]] }), /\[column_ids\]/],
      [wrong('board', { column_ids: [red, [green, red]] }), /\[column_ids\].*more than once/],
      [wrong('board', { collapsed_ids: null }), /\[collapsed_ids\]/],
      [wrong('board', { card_fields: ['sb', 'sb'] }), /more than once/],
      [wrong('board', { card_fields: ['@nope'] }), /\[card_fields\]/],
      [wrong('board', { limits: { red: { max: 1 } } }), /\[limits\].*no id/],
      [wrong('board', { limits: { [red]: { max: 0 } } }), /\[limits\].*max/],
      [wrong('board', { limits: { [red]: { max: 1, color: 'x' } } }), /\[limits\].*beside/],
      [wrong('calendar', { date: '@parent' }), /\[date\]/],
      [wrong('timeline', { zoom: 'decade' }), /\[zoom\]/],
      [wrong('chart', { by: ['sb', 'int', 'date'] }), /\[by\]/],
      [wrong('chart', { kind: 'pie' }), /\[kind\]/],
      [wrong('chart', { from: 'yesterday' }), /\[from\]/],
      [wrong('table', { columns_by: 'sb' }), /A table has no such setting/],
      [wrong('board', { card_fields: ['x'.repeat(70_000)] }), /65536 bytes/],
      [{ renderers: [{ type: 'board', columns: [{ field_id: idOf('sb') }] }] }, /only tables/],
      [{ renderers: [{ id: first?.id, type: 'table' }] }, /stays one/],
    ] as const) {
      const reply = await bob.patch(settingsOf(mine.id), given);
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringMatching(words)]);
    }
    expect((await bob.get(settingsOf(mine.id))).body).toEqual(changed.body);
    await bob.delete(`/tracker_reports/${mine.id}`);
  });

  test('tell nobody by their settings of fields that they may not read', async () => {
    const { id } = await createTracker(alice, project);
    const field = await addField(alice, id, {
      type: 'sb',
      name: 'secret',
      bind: { type: 'static', values: [{ label: 'one' }] },
    });
    const [value] = Object.values(valueIds(field));
    const settings = {
      columns_by: 'secret',
      column_ids: [[value, 100]],
      limits: { [String(value)]: { max: 3 } },
      card_fields: ['secret', '@comments'],
    };
    const { id: report } = await saveReport(alice, id, {
      label: 'Secretly',
      is_public: true,
      renderers: [{ type: 'board', settings }],
    });
    const seenBy = async (caller: Caller) =>
      (await caller.get(settingsOf(report))).body.renderers[0].settings;
    expect(await seenBy(bob)).toEqual(settings);
    const copy = await createTracker(alice, project, { from_tracker_id: id });
    const reports: { id: number; label: string }[] = (await alice.get(listed(copy.id))).body;
    const copied = reports.find(({ label }) => label === 'Secretly')?.id ?? 0;
    const tracker = (await alice.get(`/trackers/${copy.id}`)).body;
    const [other] = Object.values(valueIds(fieldNamed(tracker, 'secret')));
    expect(other).not.toBe(value);
    expect((await alice.get(settingsOf(copied))).body.renderers[0].settings).toEqual({
      ...settings,
      column_ids: [[other, 100]],
      limits: { [String(other)]: { max: 3 } },
    });
    await setFieldPermissions(alice, field.field_id, { read: [], submit: [], update: [] });
    expect(await seenBy(bob)).toEqual({ columns_by: null, card_fields: ['@comments'] });
    expect(await seenBy(alice)).toEqual(settings);
  });

  test('fields that are removed fall out, and come back with them', async () => {
    const { id } = await createTracker(alice, project);
    const [kept, gone] = [
      await addField(alice, id, { type: 'string', name: 'kept' }),
      await addField(alice, id, { type: 'int', name: 'gone' }),
    ];
    const both = [{ field_id: kept.field_id }, { field_id: gone.field_id }];
    const report = await saveReport(alice, id, {
      label: 'Both',
      is_public: true,
      criteria: { kept: 'a', gone: 5 },
      renderers: [{ columns: both, sort: [{ field_id: gone.field_id }] }],
    });
    const artifact = await submit(alice, id, [{ field_id: kept.field_id, value: 'a' }]);
    const found = async () => idsOf(await alice.get(`/tracker_reports/${report.id}/artifacts`));
    expect(await found()).toEqual([]);
    expect((await alice.delete(`/tracker_fields/${gone.field_id}`)).status).toBe(204);
    const { body } = await alice.get(settingsOf(report.id));
    expect([body.criteria, body.renderers[0].columns, body.renderers[0].sort]).toEqual([
      { kept: { operator: 'contains', value: 'a' } },
      [{ field_id: kept.field_id }],
      [],
    ]);
    expect(await found()).toEqual([artifact]);
    await alice.post(`/tracker_fields/${gone.field_id}/restore`, {});
    expect((await alice.get(settingsOf(report.id))).body).toEqual(report);
  });

  test('follow a field that is called otherwise, by whichever route', async () => {
    const { id: trackerId } = await createTracker(alice, project);
    const values = (...words: string[]) => ({ type: 'static', values: words.map((label) => ({ label })) });
    const { field_id: stage } = await addField(alice, trackerId, {
      ...{ type: 'sb', label: 'Stage', name: 'stage', bind: values('Early', 'Late') },
    });
    const { field_id: due } = await addField(alice, trackerId, { type: 'date', label: 'Due', name: 'due' });
    const board = { columns_by: 'stage', swimlanes_by: '@parent', card_fields: ['@rank', 'stage', 'due'] };
    const report = await saveReport(bob, trackerId, {
      ...{ label: 'mine', is_in_expert_mode: true, expert_query: "stage = 'Early' or due > '2026-01-01'" },
      renderers: [
        { type: 'board', settings: board },
        { type: 'table', settings: { group_by: 'stage' } },
        { type: 'chart', settings: { kind: 'bar', by: ['stage', 'due:week'] } },
        { type: 'calendar', settings: { date: 'due', color_by: 'stage' } },
      ],
    });
    const shown = async () => {
      const { expert_query: query, renderers } = (await bob.get(settingsOf(report.id))).body;
      return [query, ...renderers.map(({ settings }: { settings: unknown }) => settings)];
    };
    expect((await alice.patch(`/tracker_fields/${stage}`, { name: 'phase' })).status).toBe(200);
    expect((await alice.patch(`/tracker_fields/${due}/settings`, { name: 'deadline' })).status).toBe(200);
    expect(await shown()).toEqual([
      "phase = 'Early' or deadline > '2026-01-01'",
      { columns_by: 'phase', swimlanes_by: '@parent', card_fields: ['@rank', 'phase', 'deadline'] },
      { group_by: 'phase' },
      { kind: 'bar', by: ['phase', 'deadline:week'] },
      { date: 'deadline', color_by: 'phase' },
    ]);
  });

  test('ask for a value that is called otherwise, unless another is called alike', async () => {
    const { id: trackerId } = await createTracker(alice, project);
    const bind = { type: 'static', values: ['Early', 'Late', 'late'].map((label) => ({ label })) };
    const field = await addField(alice, trackerId, { type: 'sb', name: 'stage', bind });
    const stage = field.field_id;
    const { Early: early, Late: late } = valueIds(field);
    const { id } = await saveReport(bob, trackerId, {
      ...{ label: 'mine', is_in_expert_mode: true, expert_query: "stage IN ('early', 'Late')" },
    });
    const artifact = await submit(alice, trackerId, [{ field_id: stage, bind_value_ids: [early] }]);
    const relabel = async (value: number | undefined, label: string) =>
      expect((await alice.patch(`/tracker_fields/${stage}/values/${value}`, { label })).status).toBe(200);
    await relabel(early, 'At dawn');
    await relabel(late, 'At dusk');
    expect((await bob.get(settingsOf(id))).body.expert_query).toBe("stage IN ('At dawn', 'Late')");
    expect(idsOf(await bob.get(`/tracker_reports/${id}/artifacts`))).toEqual([artifact]);
  });

  test('go on to ask for somebody who gets another user name, as numbers and queries over several trackers do', async () => {
    const dora = await atelier.createUser('dora');
    await setMembers(alice, `${project}_3`, [alice, bob, dora]);
    const { id: trackerId } = await createTracker(alice, project);
    const title = (await addField(alice, trackerId, { type: 'string', name: 'title' })).field_id;
    const who = (await addField(alice, trackerId, { type: 'sb', name: 'who', bind: { type: 'users' } }))
      .field_id;
    await addField(alice, trackerId, { type: 'subby', name: 'author' });
    await setSemantics(alice, trackerId, { title: { field_id: title }, contributor: { field_id: who } });
    const artifact = await submit(dora, trackerId, [
      { field_id: title, value: 'for dora' },
      { field_id: who, bind_value_ids: [dora.id] },
    ]);
    const query = "who IN ('Dora', MYSELF()) and title = 'dora' and author = 'dora'";
    const { id } = await saveReport(bob, trackerId, {
      ...{ label: 'mine', is_in_expert_mode: true, expert_query: query },
    });
    const board = await bob.post('/dashboards', { title: 'Mine' });
    const widget = { kind: 'count', settings: { tracker_id: trackerId, expert_query: query } };
    const rows = [{ cells: [{ width: 12, widgets: [widget] }] }];
    const kept = await bob.put(`/dashboards/${board.body.id}`, { ...board.body, rows });
    expect(kept.status, kept.text).toBe(200);
    const place = await bob.post('/crosstracker_widget', { title: 'Across' });
    const across = "SELECT @id FROM @project = MY_PROJECTS() WHERE @assigned_to = 'dora' and @title = 'dora'";
    const asked = { widget_id: place.body.id, title: 'Across', tql_query: across };
    expect((await bob.post('/crosstracker_query', asked)).status).toBe(200);

    const renamed = await atelier.admin.patch(`/users/${dora.id}`, { username: 'dorothea' });
    expect(renamed.status, renamed.text).toBe(200);
    const after = "who IN ('dorothea', MYSELF()) and title = 'dora' and author = 'dorothea'";
    expect((await bob.get(settingsOf(id))).body.expert_query).toBe(after);
    expect(idsOf(await bob.get(`/tracker_reports/${id}/artifacts`))).toEqual([artifact]);
    const shown = (await bob.get(`/dashboards/${board.body.id}`)).body;
    expect(shown.rows[0].cells[0].widgets[0].settings.expert_query).toBe(after);
    const [own] = (await bob.get(`/crosstracker_widget/${place.body.id}`)).body.queries;
    expect(own.tql_query).toBe(across.replace("@assigned_to = 'dora'", "@assigned_to = 'dorothea'"));
    const { status, body } = await bob.get(`/crosstracker_query/${own.id}/content`);
    expect([status, body.artifacts?.length]).toEqual([200, 1]);
  });

  test('a copy of the tracker, and a project made from its own, has the public ones', async () => {
    const { red = 0 } = valueIds(fieldNamed(every.tracker, 'sb'));
    const ours = await saved(alice, {
      label: 'Red ones',
      is_public: true,
      is_default: true,
      criteria: { sb: [red, 100], sb_users: bob.id, '@comments': 'x', string: 'y' },
      renderers: [{ label: 'T', columns: [{ field_id: idOf('sb') }], sort: [{ field_id: idOf('aid') }] }],
    });
    const own = await saved(alice, { label: 'Private' });
    const copy = await createTracker(alice, project, { from_tracker_id: every.tracker.id });
    const made = await createProject(alice, 'made-from', {
      xml_template_name: undefined,
      template_id: project,
    });
    const all: Tracker[] = (await alice.get(`/projects/${made.id}/trackers?limit=50`)).body;
    const there = all.filter(({ item_name }) => item_name === every.tracker.item_name);
    expect(there).toHaveLength(1);
    for (const { id } of [copy, ...there]) {
      expect(await labels(alice, id)).toEqual(['Default', 'Red ones']);
      const tracker = (await alice.get(`/trackers/${id}`)).body;
      const report = (await alice.get(listed(id))).body[1];
      const { body } = await alice.get(settingsOf(report.id));
      expect(body).toMatchObject({
        is_default: true,
        criteria: {
          sb: { operator: 'contains', value: [valueIds(fieldNamed(tracker, 'sb'))['red'], 100] },
          sb_users: { operator: 'contains', value: [bob.id] },
          '@comments': { operator: 'contains', value: 'x' },
          string: { operator: 'contains', value: 'y' },
        },
        renderers: [
          {
            label: 'T',
            columns: [{ field_id: fieldNamed(tracker, 'sb').field_id }],
            sort: [{ field_id: fieldNamed(tracker, 'aid').field_id, is_descending: false }],
          },
        ],
      });
    }
    const first = (await alice.get(listed())).body[0].id;
    await alice.patch(settingsOf(first), { is_default: true });
    for (const { id } of [ours, own]) expect((await alice.delete(`/tracker_reports/${id}`)).status).toBe(200);
  });

  test('follow the project and the tracker: 403 where the tracker is hidden, 404 where it is deleted', async () => {
    const { id } = await createTracker(alice, project);
    const report = (await alice.get(listed(id))).body[0].id;
    const own = await saveReport(carol, id, { label: 'Of carol' });
    await setPermissions(alice, id, { can_access: [`${project}_3`] });
    for (const one of [report, own.id])
      for (const path of ['', '/artifacts', '/settings'])
        expect((await carol.get(`/tracker_reports/${one}${path}`)).status).toBe(403);
    expect((await carol.patch(settingsOf(own.id), { label: 'x' })).status).toBe(403);
    expect((await carol.get(listed(id))).status).toBe(404);
    expect((await carol.post(listed(id), { label: 'x' })).status).toBe(404);
    expect((await bob.get(`/tracker_reports/${report}`)).status).toBe(200);
    await alice.delete(`/trackers/${id}`);
    expect((await bob.get(`/tracker_reports/${report}`)).status).toBe(404);
    expect((await alice.patch(settingsOf(report), { label: 'x' })).status).toBe(404);
    expect((await alice.get('/tracker_reports/999999')).status).toBe(404);
    const secret = await createProject(alice, 'reported-secretly', { is_public: false });
    const inside = await createTracker(alice, secret.id);
    const hidden = (await alice.get(listed(inside.id))).body[0].id;
    expect((await bob.get(`/tracker_reports/${hidden}`)).status).toBe(403);
  });

  test('criteria on fields that somebody may not read are hidden from them and not asked', async () => {
    const { id } = await createTracker(alice, project);
    const secret = await addField(alice, id, { type: 'string', name: 'secret' });
    const open = await addField(alice, id, { type: 'string', name: 'open' });
    await setFieldPermissions(alice, secret.field_id, { can_read: [`${project}_4`], can_submit: ['2'] });
    const entry = { field_id: open.field_id, value: 'a' };
    const artifact = await submit(alice, id, [entry]);
    const report = await saveReport(alice, id, {
      label: 'Secret',
      is_public: true,
      criteria: { secret: 'x', open: 'a' },
      renderers: [{ columns: [{ field_id: secret.field_id }, { field_id: open.field_id }] }],
    });
    expect(Object.keys(report.criteria)).toEqual(['secret', 'open']);
    const seen = (await bob.get(settingsOf(report.id))).body;
    expect([seen.criteria, seen.renderers[0].columns]).toEqual([
      { open: { operator: 'contains', value: 'a' } },
      [{ field_id: open.field_id }],
    ]);
    const path = `/tracker_reports/${report.id}/artifacts?values=from_table_renderer`;
    const found = await bob.get(path);
    expect([idsOf(found), found.body[0].values.map((value: Members) => value['field_id'])]).toEqual([
      [artifact],
      [open.field_id],
    ]);
    expect(idsOf(await alice.get(path))).toEqual([]);
    const own = await saveReport(bob, id, { label: 'Own', criteria: { secret: 'x', open: 'a' } });
    expect(Object.keys(own.criteria)).toEqual(['open']);
    const column = { renderers: [{ columns: [{ field_id: secret.field_id }] }] };
    expect((await bob.patch(settingsOf(own.id), column)).status).toBe(400);
  });

  test('are read and written in XML', async () => {
    const rawBody = '<report><label>From XML</label><criteria><string>abc</string></criteria></report>';
    const reply = await alice.request('POST', listed(), {
      rawBody,
      headers: { 'Content-Type': 'application/xml', Accept: 'application/xml' },
    });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.text).toContain('<label>From XML</label>');
    expect(reply.text).toMatch(/<string><operator>contains<\/operator><value>abc<\/value><\/string>/);
  });

  test('have settings of boards and tables that are read and written in XML', async () => {
    const { red = 0, green = 0 } = valueIds(fieldNamed(every.tracker, 'sb'));
    const board = {
      columns_by: 'sb',
      column_ids: [[red, green], 100],
      card_fields: ['date'],
      limits: { [red]: { max: 5, is_strict: true } },
      hides_empty_swimlanes: false,
      collapsed_ids: [green],
      colors_by: null,
    };
    const renderers = [
      { type: 'board', settings: board },
      { type: 'table', settings: { wraps_text: true, frozen_columns: 2 } },
    ];
    const before = await saved(bob, { label: 'Both', renderers });
    const path = settingsOf(before.id);
    const { text } = await bob.request('GET', path, { headers: { Accept: 'application/xml' } });
    const settings = [...text.matchAll(/<settings>.*?<\/settings>/gs)].map(String);
    const items = before.renderers.map(({ id }, at) => `<item><id>${id}</id>${settings[at]}</item>`);
    const rawBody = `<request><renderers>${items.join('')}</renderers></request>`;
    const reply = await bob.request('PATCH', path, {
      rawBody,
      headers: { 'Content-Type': 'application/xml' },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.renderers).toEqual(before.renderers);
    await bob.delete(`/tracker_reports/${before.id}`);
  });

  test('trackers of earlier versions get their default report with the new schema', async () => {
    const database = await databaseOf(atelier);
    await database.exclusiveTransaction(async (tx, session) => {
      for (const table of ['search_match', 'watched_search', 'report_table', 'report'])
        await session.run({ sql: `drop table ${table}`, values: [] });
      const names = ['reports', 'report renderers', 'watched searches'];
      await tx.run(tx.sql.deleteFrom('migration').where('name', 'in', names));
    });
    await migrate(database);
    await database.close();
    const reply = await alice.get(listed());
    expect(reply.body).toMatchObject([{ label: 'Default', is_public: true, is_default: true }]);
    const { body } = await alice.get(settingsOf(reply.body[0].id));
    expect(body.renderers).toMatchObject([{ label: 'Table', has_usual_columns: true }]);
    expect(body.renderers[0].columns).toHaveLength(10);
    expect((await alice.get(`/tracker_reports/${body.id}/artifacts?values=from_table_renderer`)).status).toBe(
      200,
    );
  });
});
