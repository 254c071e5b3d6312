import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, submit } from '../fixtures/artifact.ts';
import { everywhere, lettersOf, makeWorld, run, type World, wordsOf } from '../fixtures/cross-tracker.ts';
import { sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  setFieldPermissions,
  setPermissions,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Reply, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('PostgreSQL'))('answers to queries over several trackers on %s', (engine) => {
  let atelier: Atelier;
  let world: World;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    world = await makeWorld(atelier);
  });
  afterAll(() => atelier?.stop());

  const select = async (names: string, caller: Caller = world.alice, more = '') => {
    const reply = await run(caller, `SELECT ${names} FROM ${everywhere} WHERE @id >= 1${more}`);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  /** The cells of a column by the letters of the artifacts. */
  const cells = (reply: Reply, name: string) => {
    const letters = lettersOf(world, reply);
    const rows: Record<string, unknown>[] = reply.body.artifacts;
    return Object.fromEntries(rows.map((row, index) => [letters[index] ?? '?', row[name]]));
  };
  const column = async (name: string, caller: Caller = world.alice) => {
    const reply = await select(name, caller);
    return { type: reply.body.selected[1].type, cells: cells(reply, name) };
  };

  test('begin with the artifact, and have the columns in the order of SELECT, the newest artifact first', async () => {
    const reply = await select('summary, @id, @link_type, nofield');
    expect(reply.body.selected).toEqual([
      { name: '@artifact', type: 'artifact' },
      { name: 'summary', type: 'text' },
      { name: '@id', type: 'numeric' },
      { name: '@link_type', type: 'link_type' },
      { name: 'nofield', type: 'unknown' },
    ]);
    expect(lettersOf(world, reply)).toBe('ABCDE');
    expect(reply.body.artifacts[0]).toEqual({
      '@artifact': {
        id: world.ids['A'],
        uri: `/plugins/tracker/?aid=${world.ids['A']}`,
        number_of_forward_link: 3,
        number_of_reverse_link: 0,
      },
      summary: { value: '10 pins' },
      '@id': { value: world.ids['A'] },
      '@link_type': { shortname: '', direction: '', label: '', uri: '' },
      nofield: { value: '' },
    });
    expect(Object.keys(reply.body.artifacts[0])).toEqual([
      '@artifact',
      'summary',
      '@id',
      '@link_type',
      'nofield',
    ]);
    expect(reply.headers.get('x-pagination-limit-max')).toBe('50');
  });

  test('count links towards what the viewer sees', async () => {
    const linksOf = async (caller: Caller) => {
      const all = cells(await select('@id', caller), '@artifact');
      const { A, B, D } = all as Record<string, Record<string, number> | undefined>;
      return [A?.number_of_forward_link, B?.number_of_reverse_link, D?.number_of_reverse_link];
    };
    expect(await linksOf(world.alice)).toEqual([3, 1, 1]);
    expect(await linksOf(world.bob)).toEqual([2, 1, 1]);
    expect(await linksOf(world.carol)).toEqual([1, 1, undefined]);
  });

  test('show every type of column', async () => {
    const { alice, bob } = world;
    const none = { value: [] };
    expect(await column('points')).toEqual({
      type: 'numeric',
      cells: { A: { value: 3 }, B: { value: null }, C: { value: 8 }, D: { value: 3.5 }, E: { value: null } },
    });
    expect((await column('summary')).cells).toMatchObject({
      D: { value: 'Éclair &lt;b&gt;' },
      E: { value: '' },
    });
    expect((await column('@title')).cells).toEqual((await column('summary')).cells);
    const { type, cells: details } = await column('@description');
    expect([type, details['C'], details['B'], details['D']]).toEqual([
      'text',
      { value: 'a &amp; b' },
      { value: '' },
      { value: '' },
    ]);
    expect(details['A']).toMatchObject({ value: expect.stringContaining('<strong>bold</strong>') });
    expect(await column('due')).toMatchObject({
      type: 'date',
      cells: {
        A: { value: '2024-01-10T00:00:00+01:00', with_time: false },
        B: { value: null, with_time: false },
      },
    });
    expect((await column('moment')).cells).toMatchObject({
      A: { value: null, with_time: false },
      D: { value: '2024-01-20T10:30:00+01:00', with_time: true },
    });
    for (const name of ['@submitted_on', '@last_update_date'])
      expect(await column(name)).toMatchObject({
        type: 'date',
        cells: { A: { value: expect.stringMatching(/^20\d\d-.*T/), with_time: true } },
      });
    const person = (who: typeof alice, real: string) => ({
      display_name: `${real} (${who.name})`,
      avatar_url: expect.stringContaining(`/users/${who.name}/avatar`),
      user_url: `/users/${who.name}`,
      is_anonymous: false,
    });
    const [zoe, adam] = [person(alice, 'Zoe'), person(bob, 'Adam')];
    for (const name of ['@submitted_by', '@last_update_by'])
      expect(await column(name)).toEqual({
        type: 'user',
        cells: { A: adam, B: zoe, C: zoe, D: zoe, E: adam },
      });
    expect(await column('@assigned_to')).toEqual({
      type: 'list_user',
      cells: { A: { value: [adam] }, B: none, C: none, D: none, E: none },
    });
    const stranger = {
      display_name: 'zed@example.org',
      avatar_url: expect.stringContaining('/themes/common/images/avatar_default.png'),
      user_url: null,
      is_anonymous: true,
    };
    expect((await column('helpers')).cells['A']).toEqual({ value: [zoe, stranger] });
    expect((await column('helpers', atelier.anonymous)).cells['A']).toMatchObject({
      value: [{ display_name: 'Zoe (alice)' }, { display_name: 'Anonymous user' }],
    });
    const open = { label: 'Open', color: 'acid-green' };
    expect(await column('@status')).toEqual({
      type: 'list_static',
      cells: {
        A: { value: [open] },
        B: none,
        C: { value: [{ label: 'Closed', color: null }] },
        D: { value: [open] },
        E: { value: [{ label: 'Done', color: null }] },
      },
    });
    expect(await column('tags')).toMatchObject({
      type: 'list_static',
      cells: {
        A: {
          value: [
            { label: 'red', color: null },
            { label: 'Café', color: null },
          ],
        },
        B: none,
      },
    });
    expect((await column('many')).cells['A']).toMatchObject({ value: [{ label: 'one' }, { label: 'two' }] });
    expect(await column('team')).toMatchObject({
      type: 'list_user_group',
      cells: { A: { value: [{ label: 'Artists' }] }, B: none, E: none },
    });
    expect(await column('@project.name')).toMatchObject({
      type: 'project',
      cells: { A: { name: 'Project alpha', icon: '' }, D: { name: 'Project beta', icon: '' } },
    });
    expect(await column('@tracker.name')).toMatchObject({
      type: 'tracker',
      cells: { A: { name: 'The tasks', color: expect.any(String) }, D: { name: 'The bugs' } },
    });
    expect(await column('@pretty_title')).toMatchObject({
      type: 'pretty_title',
      cells: {
        D: {
          tracker_name: 'bug',
          color: expect.any(String),
          artifact_id: world.ids['D'],
          title: 'Éclair <b>',
        },
        E: { title: '' },
      },
    });
  });

  test('show nothing of fields that the viewer may not read', async () => {
    expect((await column('secret')).cells).toMatchObject({ B: { value: 'sesame' }, D: { value: 'sesame' } });
    expect((await column('secret', world.bob)).cells).toMatchObject({
      B: { value: 'sesame' },
      D: { value: '' },
    });
    const ofBeta = `SELECT secret FROM @project.name = 'beta' WHERE @id >= 1`;
    expect((await run(world.bob, ofBeta)).body.selected[1]).toEqual({ name: 'secret', type: 'unknown' });
  });

  test.each([
    ['@comments', /@comments/],
    ['@artifact', /@artifact/],
    ['@id, summary, @id', /more than once/],
    ['clash', /types cannot be compared/],
    ['papers', /not supported/],
    ['made', /Use @submitted_on/],
  ])('are refused where SELECT has %s', async (names, words) => {
    const reply = await run(world.alice, `SELECT ${names} FROM ${everywhere} WHERE @id >= 1`);
    expect([reply.status, reply.body.error.message]).toEqual([400, 'Bad Request']);
    expect(wordsOf(reply)).toMatch(words);
  });

  test.each([
    ['@id ASC', 'EDCBA'],
    ['@id DESCENDING', 'ABCDE'],
    ['@submitted_on ASCENDING', 'EDCBA'],
    ['@last_update_date desc', 'CABDE'],
    // Of texts the number that they begin with counts first; what is missing comes first.
    ['@title ASC', 'ECDBA'],
    ['@title DESC', 'ABDCE'],
    ['summary ASC', 'ECDBA'],
    ['@description ASC', 'BDECA'],
    ['points ASC', 'BEADC'],
    ['points DESC', 'CDABE'],
    ['due ASC', 'BEADC'],
    ['due DESC', 'CDABE'],
    // low, 1 tiny, 2 mid, 10 high; E has none.
    ['level ASC', 'ECDBA'],
    ['level DESC', 'ABDCE'],
    // Closed, Done, Open.
    ['@status ASC', 'BCEAD'],
    ['state DESC', 'ADECB'],
    // Adam (bob), Zoe (alice).
    ['@submitted_by ASC', 'AEBCD'],
    ['@last_update_by DESC', 'BCDAE'],
    ['lead ASC', 'CDEAB'],
    ['lead DESC', 'BACDE'],
    ['@assigned_to ASC', 'BCDEA'],
    ['team DESC', 'ABCDE'],
    ['secret ASC', 'ACEBD'],
    ['nofield ASC', 'ABCDE'],
  ])('come in the order %s', async (order, letters) => {
    const reply = await select('@id', world.alice, ` ORDER BY ${order}`);
    expect(lettersOf(world, reply)).toBe(letters);
    const query = `SELECT @id FROM ${everywhere} WHERE @id >= 1 ORDER BY ${order}`;
    const pages = [0, 2, 4, 6].map((offset) => run(world.alice, query, {}, `&limit=2&offset=${offset}`));
    const replies = await Promise.all(pages);
    expect(replies.map((page) => lettersOf(world, page)).join('')).toBe(letters);
    expect(replies.map(sizeOf)).toEqual([5, 5, 5, 5]);
  });

  test('come in an order that takes account of who is looking', async () => {
    const { bob } = world;
    const order = async (by: string) => lettersOf(world, await select('@id', bob, ` ORDER BY ${by}`));
    expect(await order('points DESC')).toBe('DABE');
    // bob cannot read the one of D.
    expect(await order('secret DESC')).toBe('BADE');
    expect(await order('@submitted_by ASC')).toBe('AEBD');
    const preference = { key: 'username_display', value: '2' };
    expect((await bob.patch(`/users/${bob.id}/preferences`, preference)).status).toBe(200);
    expect(await order('@submitted_by ASC')).toBe('BDAE');
    expect(await order('lead DESC')).toBe('ABDE');
  });

  test.each([
    ['many', /several values/],
    ['tags', /several values/],
    ['clash', /types cannot be compared/],
    ['moment', /types cannot be compared/],
    ['papers', /not supported/],
    ['made', /Use @submitted_on/],
    ['@comments', /@comments/],
    ['@project.name', /@project.name/],
    ['@tracker.name', /@tracker.name/],
    ['@pretty_title', /@pretty_title/],
    ['@link_type', /@link_type/],
  ])('are refused where ORDER BY has %s', async (name, words) => {
    const query = `SELECT @id FROM ${everywhere} WHERE @id >= 1 ORDER BY ${name} ASC`;
    const reply = await run(world.alice, query);
    expect([reply.status, reply.body.error.message]).toEqual([400, 'Bad Request']);
    expect(wordsOf(reply)).toMatch(words);
  });

  test('follow every change at once, whatever was merged before', async () => {
    const { alice, alpha } = world;
    const { id } = await createTracker(alice, alpha, { item_name: 'quick' });
    const { field_id } = await addField(alice, id, { type: 'string', name: 'word' });
    const words = ['-3 b', '12', '٣', 'b', 'a', '99999999999999999999 z', ' 7'];
    const ids: number[] = [];
    for (const value of words) ids.push(await submit(alice, id, [{ field_id, value }]));
    const query = `SELECT word FROM @project.name = 'alpha' AND @tracker.name = 'quick' WHERE @id >= 1 ORDER BY word ASC`;
    const read = async () => {
      const rows: { word: { value: string } }[] = (await run(alice, query)).body.artifacts;
      return rows.map(({ word }) => word.value);
    };
    expect(await read()).toEqual(['-3 b', 'a', 'b', '٣', ' 7', '12', '99999999999999999999 z']);
    await change(alice, ids[0] ?? 0, [{ field_id, value: '13' }]);
    expect(await read()).toEqual(['a', 'b', '٣', ' 7', '12', '13', '99999999999999999999 z']);
  });

  describe('about links', () => {
    let widget: number;
    beforeAll(async () => {
      widget = (await world.alice.post('/crosstracker_widget', { project_id: world.alpha })).body.id;
    });
    const links = (
      way: 'forward' | 'reverse',
      id: number | undefined,
      tql: string,
      caller: Caller = world.alice,
    ) => {
      const end = way === 'forward' ? 'source' : 'target';
      return caller.get(
        `/crosstracker_widget/${widget}/${way}_links?${end}_artifact_id=${id}&tql_query=${encodeURIComponent(tql)}`,
      );
    };
    const tql = `SELECT @pretty_title, @link_type FROM @project = 'nonsense' WHERE nofield = 1 ORDER BY @title ASC`;

    test('show what an artifact links to and what links to it, by SELECT and ORDER BY alone', async () => {
      const { A, B } = world.ids;
      const reply = await links('forward', A, tql);
      expect([reply.status, lettersOf(world, reply), sizeOf(reply)], reply.text).toEqual([200, 'CDB', 3]);
      expect(cells(reply, '@link_type')).toMatchObject({
        B: {
          shortname: '_is_child',
          direction: 'forward',
          label: expect.any(String),
          uri: `artifacts/${A}/linked_artifacts?nature=_is_child&direction=forward`,
        },
        C: { shortname: '', direction: 'forward', label: 'is Linked to', uri: '' },
      });
      const back = await links('reverse', B, tql);
      expect([lettersOf(world, back), sizeOf(back)]).toEqual(['A', 1]);
      expect(cells(back, '@link_type')).toMatchObject({
        A: { shortname: '_is_child', direction: 'reverse' },
      });
      const page = await world.alice.get(
        `/crosstracker_widget/${widget}/forward_links?source_artifact_id=${A}&limit=1&offset=1&tql_query=${encodeURIComponent(tql)}`,
      );
      expect([lettersOf(world, page), sizeOf(page)]).toEqual(['D', 3]);
    });

    test('show what the viewer may see, and nothing of an artifact that they may not see', async () => {
      const { A, C } = world.ids;
      expect(lettersOf(world, await links('forward', A, tql, world.bob))).toBe('DB');
      expect(lettersOf(world, await links('forward', A, tql, world.carol))).toBe('B');
      for (const [way, id, caller] of [
        ['reverse', C, world.bob],
        ['forward', 99_999, world.alice],
        ['reverse', A, world.alice],
      ] as const) {
        const reply = await links(way, id, tql, caller);
        expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, { selected: [], artifacts: [] }, 0]);
      }
      const { field_id } = fieldNamed(world.task, 'links');
      await setFieldPermissions(world.alice, field_id, { can_read: [`${world.alpha}_4`] });
      expect(sizeOf(await links('forward', A, tql, world.bob))).toBe(0);
      // The field of the bugs is readable, but it is that of A which tells the link.
      const { D } = world.ids;
      const countOf = async (caller: Caller) => cells(await select('@id', caller), '@artifact')['D'];
      expect([await countOf(world.bob), await countOf(world.alice)]).toMatchObject([
        { number_of_reverse_link: 0 },
        { number_of_reverse_link: 1 },
      ]);
      expect(sizeOf(await links('reverse', D, tql, world.bob))).toBe(0);
      await setFieldPermissions(world.alice, field_id, {
        can_read: ['1'],
        can_submit: ['2'],
        can_update: ['2'],
      });
    });

    test('are refused for the types of fields only where the viewer sees something of the tracker', async () => {
      const { alice, bob, alpha, task, ids } = world;
      const { id: shy } = await createTracker(alice, alpha, { item_name: 'shy' });
      const points = await addField(alice, shy, { type: 'string', name: 'points' });
      const own = await addField(alice, shy, { type: 'art_link', name: 'links' });
      await setPermissions(alice, shy, { can_access_submitted_by_user: [`${alpha}_3`] });
      const { field_id } = fieldNamed(task, 'links');
      const hidden = await submit(alice, shy, [
        { field_id: points.field_id, value: 'x' },
        { field_id: own.field_id, links: [{ id: ids['B'] }] },
      ]);
      const source = await submit(alice, task.id, [{ field_id, links: [{ id: ids['B'] }, { id: hidden }] }]);
      const clashing = [
        `SELECT points FROM @project = 'self' WHERE @id = 1`,
        `SELECT @id FROM @project = 'self' WHERE @id = 1 ORDER BY points ASC`,
      ];
      for (const text of clashing)
        for (const [way, id] of [
          ['forward', source],
          ['reverse', ids['B']],
        ] as const) {
          expect(wordsOf(await links(way, id, text))).toMatch(/types cannot be compared/);
          const reply = await links(way, id, text, bob);
          expect([reply.status, sizeOf(reply)], reply.text).toEqual([200, way === 'forward' ? 1 : 2]);
        }
      const only = await submit(alice, task.id, [{ field_id, links: [{ id: hidden }] }]);
      const unsorted = `SELECT links FROM @project = 'self' WHERE @id = 1`;
      expect(wordsOf(await links('forward', only, unsorted))).toMatch(/not supported/);
      const reply = await links('forward', only, unsorted, bob);
      expect([reply.status, reply.body]).toEqual([200, { selected: [], artifacts: [] }]);
      for (const id of [source, only, hidden])
        expect((await alice.request('DELETE', `/artifacts/${id}`)).status).toBe(200);
    });

    test('are refused where the query is none', async () => {
      const { A } = world.ids;
      expect((await links('forward', A, 'SELECT')).body.error.details.line).toBe(1);
      expect(wordsOf(await links('forward', A, 'nofield = 1'))).toMatch(/no FROM/);
      expect(wordsOf(await links('forward', A, tql.replace('@pretty_title', '@nope')))).toMatch(/@nope/);
      const long = Array.from({ length: 15 }, () => 'a = 1').join(' and ');
      expect(wordsOf(await links('forward', A, tql.replace('nofield = 1', long)))).toMatch(/too complex/);
      expect((await world.alice.get(`/crosstracker_widget/${widget}/forward_links?tql_query=x`)).status).toBe(
        400,
      );
      expect(
        (await world.alice.get(`/crosstracker_widget/${widget}/reverse_links?target_artifact_id=1`)).status,
      ).toBe(400);
      const unknown = `/crosstracker_widget/99999/forward_links?source_artifact_id=1&tql_query=${encodeURIComponent(tql)}`;
      expect((await world.alice.get(unknown)).status).toBe(404);
    });
  });

  describe('that are kept in widgets', () => {
    const content = (widget_id: number, more = {}) => ({
      widget_id,
      tql_query: `SELECT @id FROM @project = 'self' AND @tracker.name = 'task' WHERE @id >= 1`,
      title: 'All',
      description: 'of it',
      ...more,
    });
    const make = async (caller: Caller, more = {}): Promise<number> => {
      const { status, body, text } = await caller.post('/crosstracker_widget', { title: 'Search', ...more });
      expect(status, text).toBe(201);
      return body.id;
    };

    test('are made, listed, replaced, run and deleted', async () => {
      const { alice, bob, carol, alpha } = world;
      const widget = await make(alice, { project_id: alpha });
      const first = await alice.post('/crosstracker_query', content(widget, { is_default: true }));
      expect([first.status, first.body], first.text).toEqual([
        200,
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          tql_query: content(widget).tql_query,
          title: 'All',
          description: 'of it',
          is_default: true,
        },
      ]);
      const plain = { widget_id: widget, tql_query: '', title: 'Empty', is_default: true };
      const second = await alice.post('/crosstracker_query', plain);
      expect(second.body).toMatchObject({ tql_query: '', description: '', is_default: true });
      const list = async (caller: Caller) => (await caller.get(`/crosstracker_widget/${widget}`)).body;
      expect(await list(carol)).toEqual({ queries: [{ ...first.body, is_default: false }, second.body] });
      const path = `/crosstracker_query/${first.body.id}`;
      expect(lettersOf(world, await bob.get(`${path}/content?limit=1&offset=1`))).toBe('B');
      expect(
        lettersOf(world, await alice.get(`/crosstracker_query/${first.body.id.toUpperCase()}/content`)),
      ).toBe('ABC');
      expect(wordsOf(await alice.get(`/crosstracker_query/${second.body.id}/content`))).toMatch(/empty/);
      const replaced = await alice.put(path, content(widget, { title: 'Other', is_default: true }));
      expect([replaced.status, replaced.body]).toEqual([200, { ...first.body, title: 'Other' }]);
      expect((await list(alice)).queries.map((one: { is_default: boolean }) => one.is_default)).toEqual([
        true,
        false,
      ]);
      expect((await alice.put(path, content(await make(alice)))).status).toBe(400);
      expect((await alice.request('DELETE', path)).status).toBe(204);
      expect((await alice.get(`${path}/content`)).status).toBe(404);
      expect((await list(alice)).queries).toEqual([{ ...second.body, is_default: false }]);
    });

    test('belong to a person, or to a project and its administrators', async () => {
      const { alice, bob, carol, alpha, beta } = world;
      const own = await make(bob);
      const ofAlpha = await make(alice, { project_id: alpha });
      const ofBeta = await make(alice, { project_id: beta });
      const saved = async (caller: Caller, widget: number) =>
        (await caller.post('/crosstracker_query', content(widget))).body.id;
      const queries = { own: await saved(bob, own), beta: await saved(alice, ofBeta) };
      const readers = [
        [bob, [200, 200, 200]],
        [alice, [404, 200, 200]],
        [atelier.admin, [404, 200, 200]],
        [carol, [404, 200, 404]],
        [atelier.anonymous, [404, 200, 404]],
      ] as const;
      for (const [caller, expected] of readers) {
        const replies = [own, ofAlpha, ofBeta].map((id) => caller.get(`/crosstracker_widget/${id}`));
        expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(expected);
      }
      expect((await carol.get(`/crosstracker_query/${queries.beta}/content`)).status).toBe(404);
      expect((await alice.get(`/crosstracker_query/${queries.own}/content`)).status).toBe(404);
      for (const [caller, status] of [
        [bob, 404],
        [carol, 404],
        [atelier.anonymous, 401],
      ] as const) {
        expect((await caller.post('/crosstracker_query', content(ofBeta))).status).toBe(status);
        expect((await caller.put(`/crosstracker_query/${queries.beta}`, content(ofBeta))).status).toBe(
          status,
        );
        expect((await caller.request('DELETE', `/crosstracker_query/${queries.beta}`)).status).toBe(status);
        expect((await caller.patch(`/crosstracker_widget/${ofBeta}`, { title: 'Mine' })).status).toBe(status);
        expect((await caller.request('DELETE', `/crosstracker_widget/${ofBeta}`)).status).toBe(status);
      }
      expect((await bob.post('/crosstracker_widget', { project_id: alpha })).status).toBe(403);
      expect((await carol.post('/crosstracker_widget', { project_id: beta })).status).toBe(403);
      for (const id of ['x', '0190b6f2-0000-7000-8000-000000000000'])
        expect((await alice.get(`/crosstracker_query/${id}/content`)).status).toBe(404);
      const wrong = [
        {},
        { widget_id: own },
        content(own, { title: 'x'.repeat(256) }),
        content(own, { is_default: 'perhaps' }),
      ];
      for (const body of wrong) expect((await bob.post('/crosstracker_query', body)).status).toBe(400);
    });

    test('have widgets that are listed, named and deleted', async () => {
      const { carol, alice, beta } = world;
      const own = await make(carol, { title: 'Mine' });
      const shown = { id: own, uri: `crosstracker_widget/${own}`, title: 'Mine', project_id: null };
      const listed = await carol.get('/crosstracker_widget');
      expect([listed.body, sizeOf(listed)]).toEqual([[shown], 1]);
      expect((await carol.patch(`/crosstracker_widget/${own}`, { title: 'Other' })).body).toEqual({
        ...shown,
        title: 'Other',
      });
      expect((await atelier.anonymous.get('/crosstracker_widget')).body).toEqual([]);
      const ofBeta = await alice.get(`/crosstracker_widget?project_id=${beta}`);
      expect(ofBeta.body.every((widget: { project_id: number }) => widget.project_id === beta)).toBe(true);
      expect((await carol.get(`/crosstracker_widget?project_id=${beta}`)).status).toBe(403);
      const { id } = (await carol.post('/crosstracker_query', content(own))).body;
      expect((await carol.request('DELETE', `/crosstracker_widget/${own}`)).status).toBe(204);
      expect((await carol.get(`/crosstracker_widget/${own}`)).status).toBe(404);
      expect((await carol.get(`/crosstracker_query/${id}/content`)).status).toBe(404);
    });
  });

  test('come as XML, too', async () => {
    const query = encodeURIComponent(
      JSON.stringify({ tql_query: `SELECT summary FROM ${everywhere} WHERE @id >= 1` }),
    );
    const reply = await world.alice.get(`/crosstracker_query/content.xml?query=${query}`);
    expect([reply.status, reply.text]).toEqual([
      200,
      expect.stringContaining('<summary><value>9 lives</value></summary>'),
    ]);
  });
});
