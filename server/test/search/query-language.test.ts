import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, idsOf, query, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, fieldNamed, readTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from '../harness/atelier.ts';

const fields = [
  { type: 'string', name: 'summary' },
  { type: 'text', name: 'details' },
  { type: 'int', name: 'points' },
  { type: 'float', name: 'effort' },
  { type: 'date', name: 'due' },
  { type: 'date', name: 'met', specific_properties: { display_time: 1 } },
  {
    type: 'sb',
    name: 'state',
    bind: { type: 'static', values: ['Open', 'Closed', 'Été'].map((label) => ({ label })) },
  },
  { type: 'msb', name: 'people', bind: { type: 'users', groups: ['3'] } },
  { type: 'cb', name: 'teams', bind: { type: 'ugroups' } },
  { type: 'tbl', name: 'tags', bind: { type: 'static', values: [{ label: 'blue' }] } },
  { type: 'tbl', name: 'groups', bind: { type: 'ugroups' } },
  { type: 'file', name: 'file' },
  { type: 'art_link', name: 'links' },
  { type: 'subby', name: 'submitted_by' },
  { type: 'luby', name: 'changed_by' },
  { type: 'subon', name: 'submitted_on' },
  { type: 'lud', name: 'changed_on' },
  { type: 'aid', name: 'aid' },
  { type: 'atid', name: 'atid' },
  { type: 'priority', name: 'rank' },
  { type: 'cross', name: 'refs' },
  { type: 'computed', name: 'sum' },
  { type: 'perm', name: 'perm' },
];

describe.each(engines)('artifacts are found on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let projectId: number;
  let tracker: number;
  let fieldIds: Readonly<Record<string, number>>;
  let states: Readonly<Record<string, number>>;
  let teams: Readonly<Record<string, number>>;
  let testers: string;
  /** Ids of the three artifacts, which tests call A, B and C. */
  let made: readonly number[];
  const path = () => `/trackers/${tracker}/artifacts`;
  const letters = (ids: readonly number[]) => ids.map((id) => 'ABC'[made.indexOf(id)] ?? '?').join('');
  const answered = async (parameters: string, caller: Caller) => {
    const reply = await caller.get(`${path()}?${parameters}`);
    expect(reply.status, `${decodeURIComponent(parameters)}: ${reply.text}`).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return letters(idsOf(reply));
  };
  const asked = (text: string, caller: Caller = alice) =>
    answered(`expert_query=${encodeURIComponent(text)}`, caller);
  const sought = (criteria: unknown, caller: Caller = alice) => answered(`query=${query(criteria)}`, caller);
  const entry = (name: string, more: object) => ({ field_id: fieldIds[name], ...more });
  const value = (name: string, given: unknown) => entry(name, { value: given });

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    const { id: project } = await createProject(alice, 'language');
    projectId = project;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'Testers');
    tracker = (await createTracker(alice, project, { item_name: 'task' })).id;
    for (const field of fields) await addField(alice, tracker, field);
    const form = await readTracker(alice, tracker);
    fieldIds = Object.fromEntries(form.fields.map(({ name, field_id }) => [name, field_id]));
    states = valueIds(fieldNamed(form, 'state'));
    const groups = fieldNamed(form, 'teams').values as {
      id: number;
      ugroup_reference: { short_name: string };
    }[];
    teams = Object.fromEntries(groups.map(({ id, ugroup_reference: { short_name: name } }) => [name, id]));
    const b = await submit(alice, tracker, [
      value('summary', 'beta one'),
      value('file', [await store.addFile(alice.id, 'notes.txt')]),
      entry('tags', { bind_value_ids: ['typed'] }),
      value('effort', -2.5),
    ]);
    const a = await submit(alice, tracker, [
      value('summary', 'alpha one'),
      value('details', { content: 'An **élan** vital', format: 'commonmark' }),
      value('points', 3),
      value('effort', 1.5),
      value('due', '2024-01-10'),
      value('met', '2024-01-10T10:05:00+01:00'),
      entry('state', { bind_value_ids: [states['Open']] }),
      entry('people', { bind_value_ids: [alice.id, bob.id] }),
      entry('teams', { bind_value_ids: [teams['project_members']] }),
      entry('tags', { bind_value_ids: ['blue', 'typed'] }),
      entry('links', { links: [{ id: b, type: '_is_child' }] }),
    ]);
    const c = await submit(alice, tracker, [
      value('summary', 'gamma'),
      value('details', { content: `See art #${b}. 100% <done>`, format: 'text' }),
      value('points', 8),
      value('due', '2024-02-01'),
      value('met', '2024-02-01T23:59:00+01:00'),
      entry('state', { bind_value_ids: [states['Closed']] }),
      entry('people', { bind_value_ids: [bob.id] }),
      entry('teams', { bind_value_ids: [teams['Testers']] }),
      entry('groups', { bind_value_ids: ['Testers', 'project_members'] }),
    ]);
    made = [a, b, c];
    await change(alice, b, [], { comment: { body: 'please review', format: 'text' } });
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  // B is the oldest: results are in the order of ids.
  test.each([
    ['summary = "one"', 'BA'],
    ['summary = "one alpha"', ''],
    ['summary != "one"', 'C'],
    ['summary = "ALPHA ONE"', 'A'],
    ['summary = ""', ''],
    ['summary != ""', 'BAC'],
    ['details = "elan VITAL"', 'A'],
    ['details = "**"', ''],
    ['details = ""', 'B'],
    ['details != ""', 'AC'],
    ['details != "vital"', 'BC'],
    ['details = "100%"', 'C'],
    ['details = "1%0"', ''],
    ['details = "<done>"', 'C'],
    ['details = 100', 'C'],
    ['points = ""', 'B'],
    ['points != ""', 'AC'],
    ['points != 3', 'BC'],
    ['points = "3"', 'A'],
    ['points = " 3.0"', 'A'],
    ['points = "0.3e1"', 'A'],
    ['points between(3, 8)', 'AC'],
    ['points between(4, 7.5)', ''],
    ['points < 3', ''],
    ['points <= 3', 'A'],
    ['points > 3', 'C'],
    ['points >= "3"', 'AC'],
    ['effort = "-2.5"', 'B'],
    ['effort < 1.5', 'B'],
    ['effort >= 1.5', 'A'],
    ['effort = ""', 'C'],
  ])('by the query %s', async (text, expected) => {
    expect(await asked(text)).toBe(expected);
  });

  test.each([
    ['due < "2024-01-10"', ''],
    ['due <= "2024-01-10"', 'A'],
    ['due > "2024-01-10"', 'C'],
    ['due >= "2024-01-10"', 'AC'],
    ['due = "2024-1-10"', 'A'],
    ['due = "2024-01-32"', 'C'],
    ['due != "2024-01-10"', 'BC'],
    ['due = ""', 'B'],
    ['due != ""', 'AC'],
    ['due between("2024-01-10", "2024-01-31")', 'A'],
    ['due < NOW()', 'AC'],
    ['due > NOW() - 100y', 'AC'],
    ['due = NOW()', ''],
    ['met = "2024-01-10 10:05"', 'A'],
    ['met = "2024-01-10 10:06"', ''],
    ['met = "2024-01-10"', 'A'],
    ['met > "2024-01-10 10:05"', 'C'],
    ['met >= "2024-01-10 10:05"', 'AC'],
    ['met < "2024-01-10 10:05"', ''],
    ['met <= "2024-01-10 10:05"', 'A'],
    ['met = "2024-02-01"', 'C'],
    ['met between("2024-01-10 10:00", "2024-02-01")', 'AC'],
    ['met = ""', 'B'],
    ['submitted_on > NOW() - 1d', 'BAC'],
    ['submitted_on < NOW() - 1d', ''],
    ['changed_on between(NOW() - 1d, NOW())', 'BAC'],
    ['changed_on = ""', ''],
    ['submitted_on != ""', 'BAC'],
  ])('by the dates of the query %s', async (text, expected) => {
    expect(await asked(text)).toBe(expected);
  });

  test.each([
    ['state = ""', 'B'],
    ['state != ""', 'AC'],
    ['state = "OPEN"', 'A'],
    ['state != "open"', 'BC'],
    ['state in ("Open","nope")', 'A'],
    ['state not in ("Open","nope")', 'BC'],
    ['state = "ete"', ''],
    ['people = "BOB"', 'AC'],
    ['people = MYSELF()', 'A'],
    ['people != MYSELF()', 'BC'],
    ['people in ("alice", "bob")', 'AC'],
    ['people in ("BOB", "bob", "bob", "nobody", MYSELF(), MYSELF())', 'AC'],
    ['submitted_by in ("alice", "ALICE", MYSELF())', 'BAC'],
    ['people not in (MYSELF(), "nobody")', 'BC'],
    ['people = ""', 'B'],
    ['teams = "Testers"', 'C'],
    ['teams = "project MEMBERS"', 'A'],
    ['teams = "project_members"', 'A'],
    ['teams = "membres DU projet"', 'A'],
    ['teams in ("Administrateurs du projet", "Utilisateurs enregistrés")', ''],
    ['teams in ("Administrateurs du wiki", "Membres du projet")', 'A'],
    ['teams = "Project administrators"', ''],
    ['teams not in ("testers")', 'BA'],
    ['submitted_by = MYSELF()', 'BAC'],
    ['submitted_by != "alice"', ''],
    ['submitted_by in ("bob", "Alice")', 'BAC'],
    ['changed_by not in ("bob")', 'BAC'],
    ['@comments = "please"', 'B'],
    ['@comments = "SE REV"', 'B'],
    ['@comments = ""', 'AC'],
    ['@comments != ""', 'B'],
    ['@comments != "review"', 'AC'],
    ['file = "NOTES"', 'B'],
    ['file = "word"', 'B'],
    ['file != "x"', 'AC'],
    ['file != "y"', 'BAC'],
    ['file = ""', 'AC'],
    ['file != ""', 'B'],
  ])('by the lists, comments and files of the query %s', async (text, expected) => {
    expect(await asked(text)).toBe(expected);
  });

  test.each([
    ['with parent', 'B'],
    ['without parent', 'AC'],
    ['with children', 'A'],
    ['without child', 'BC'],
    ['is linked to', 'A'],
    ['is linked from', 'B'],
    ['is not linked from', 'AC'],
    ['is linked to with type "_is_child"', 'A'],
    ['is linked to with type "_covered_by"', ''],
    ['is covered', ''],
    ['is not covering', 'BAC'],
    ['is linked to tracker = "task"', 'A'],
    ['is linked to tracker != "task"', ''],
    ['is linked from tracker != "other"', 'B'],
    ['with parent tracker = "task"', 'B'],
    ['is not linked to tracker = "other"', 'BAC'],
    ['is linked to artifact = 999999999999999999999', ''],
    ['is not linked to artifact = 999999999', 'BAC'],
  ])('by the links of the query %s', async (text, expected) => {
    expect(await asked(text)).toBe(expected);
  });

  test('by links with one artifact', async () => {
    const [a, b] = made;
    expect(await asked(`is linked to artifact = ${b}`)).toBe('A');
    expect(await asked(`is not linked to artifact=${b}`)).toBe('BC');
    expect(await asked(`with parent artifact = ${a}`)).toBe('B');
    expect(await asked(`with parent artifact = ${b}`)).toBe('');
  });

  test.each([
    ['points = 8 or summary = "beta" and state = "open"', 'C'],
    ['(points = 8 or summary = "alpha") and state = "open"', 'A'],
    ['points=8orsummary="beta"', 'BC'],
    ['SUMMARY = "one" And not_in = 1', undefined],
    ['((with parent)) or (points = 3 and (state = "open" or state = "closed"))', 'BA'],
    [String.raw`summary = \"one\"`, 'BA'],
    [String.raw`summary = "\u61lpha"`.replace('lpha', ' lpha'), 'A'],
  ])('by the combined query %s', async (text, expected) => {
    if (expected !== undefined) expect(await asked(text)).toBe(expected);
    else expect((await alice.get(`${path()}?expert_query=${encodeURIComponent(text)}`)).status).toBe(400);
  });

  test.each([
    [{ summary: 'one' }, 'BA'],
    [{ summary: 'ONE  alpha' }, 'A'],
    [{ summary: 'alp one ph' }, 'A'],
    [{ summary: '' }, 'BAC'],
    [{ summary: ' ' }, 'BAC'],
    [{ details: 'élan vital' }, 'A'],
    [{ details: 100 }, 'C'],
    [{ summary: '/^(alpha|GAMMA)/' }, 'AC'],
    [{ summary: '!/^(alpha|GAMMA)/' }, 'B'],
    [{ details: '!/vital/' }, 'C'],
    [{ details: '/É[à-ü]?l/' }, 'A'],
    [{ summary: '//' }, ''],
    [{ summary: 'http://a/b' }, ''],
    [{ points: 3 }, 'A'],
    [{ points: '3' }, 'A'],
    [{ points: '>= 3' }, 'AC'],
    [{ points: '<8' }, 'A'],
    [{ points: '> 8' }, ''],
    [{ points: '1 - 10' }, 'AC'],
    [{ points: '3-3' }, 'A'],
    [{ points: '--3' }, 'A'],
    [{ points: 'many' }, 'BAC'],
    [{ points: '' }, 'BAC'],
    [{ points: 3.5 }, 'BAC'],
    [{ points: '/^8$/' }, 'C'],
    [{ points: '!/8/' }, 'A'],
    [{ effort: '-2.5' }, 'B'],
    [{ effort: '-3--2' }, 'B'],
    [{ effort: '<=.15e1' }, 'BA'],
    [{ effort: '/\\.5$/' }, 'BA'],
    [{ due: '2024-01-10' }, 'A'],
    [{ due: { operator: '=', value: ['2024-01-10'] } }, 'A'],
    [{ due: { operator: '<', value: '2024-02-01' } }, 'A'],
    [{ due: { operator: '>', value: '2024-01-10' } }, 'C'],
    [{ due: { operator: 'between', value: ['2024-01-10', '2024-01-31'] } }, 'A'],
    [{ due: { operator: 'between', value: '2024-01-10' } }, 'BAC'],
    [{ due: 'soon' }, 'BAC'],
    [{ met: '2024-02-01' }, 'C'],
    [{ met: { operator: '>', value: '2024-01-10T10:05:00+01:00' } }, 'C'],
    [{ met: '2024-01-10T09:05:00Z' }, 'A'],
    [{ submitted_on: { operator: '>', value: '2024-01-01' } }, 'BAC'],
    [{ file: 'notes' }, 'B'],
    [{ file: '' }, 'BAC'],
    [{ rank: 0 }, 'BAC'],
    [{ rank: '> 0' }, 'BAC'],
    [{ atid: 1 }, 'B'],
    [{ atid: '2-3' }, 'AC'],
    [{ atid: '/[12]/' }, 'BA'],
    [{ atid: '!/[12]/' }, 'C'],
    [{ sum: 'whatever', perm: [1] }, 'BAC'],
    [{ links: '/./' }, 'A'],
    [{ links: '!/x/' }, 'A'],
    [{ links: '>0' }, 'A'],
    [{ refs: 'nonsense' }, ''],
    [{ summary: 'one', points: 3 }, 'A'],
    [{ SUMMARY: 'one', Points: 3 }, 'A'],
  ])('by the criteria %j', async (criteria, expected) => {
    expect(await sought(criteria)).toBe(expected);
  });

  const huge = '9'.repeat(40);
  const beyond = '9'.repeat(320);
  test.each<[unknown, string]>([
    ...[huge, beyond].flatMap((number): [unknown, string][] => [
      ...['points', 'effort'].flatMap((name): [unknown, string][] => {
        const filled = name === 'points' ? 'AC' : 'BA';
        return [
          [{ [name]: number }, ''],
          [{ [name]: `> ${number}` }, ''],
          [{ [name]: `<=${number}` }, filled],
          [{ [name]: `< -${number}` }, ''],
          [{ [name]: `>-${number}` }, filled],
          [{ [name]: `-${number} - ${number}` }, filled],
          [{ [name]: `${number} - -${number}` }, ''],
        ];
      }),
      [{ aid: number }, ''],
      [{ aid: `<${number}` }, 'BAC'],
      [{ atid: `>=${number}` }, ''],
      [{ rank: `<=${number}` }, 'BAC'],
      [{ links: `> ${number}` }, ''],
      [{ links: `< ${number}` }, 'A'],
      [{ refs: number }, ''],
    ]),
    [{ effort: '> 1e400' }, ''],
    [{ effort: '<1e400' }, 'BA'],
    [{ effort: '1e400' }, ''],
    [{ effort: '0 - 1e400' }, 'A'],
    [{ points: 1e21 }, ''],
    [{ aid: 1e21 }, ''],
    [{ points: -0 }, ''],
  ])('by a number beyond all others (%#)', async (criteria, expected) => {
    expect(await sought(criteria)).toBe(expected);
  });

  test('by a number of JSON that is beyond all others', async () => {
    expect(await answered(`query=${encodeURIComponent('{"points": 1e400}')}`, alice)).toBe('');
    expect(await answered(`query=${encodeURIComponent('{"aid": -1e400}')}`, alice)).toBe('');
  });

  test.each([
    ['points = "1e999"', ''],
    ['points != "1e999"', 'BAC'],
    ['points < "1e999"', 'AC'],
    ['points > "1e999"', ''],
    ['effort > "-1e999"', 'BA'],
    ['effort between("-1e999", "1e999")', 'BA'],
    ...[huge, beyond, '9'.repeat(500)].flatMap((number) => [
      [`points = ${number}`, ''],
      [`points <= ${number}`, 'AC'],
      [`effort >= ${number}`, ''],
      [`effort < ${number}.5`, 'BA'],
      [`is linked to artifact = ${number}`, ''],
    ]),
  ] as [string, string][])('by a number beyond all others in a query (%#)', async (text, expected) => {
    expect(await asked(text)).toBe(expected);
  });

  test('by criteria on ids', async () => {
    const [a = 0, b = 0, c = 0] = made;
    const { Open = 0, Closed = 0 } = states;
    for (const [criteria, expected] of [
      [{ state: Open }, 'A'],
      [{ state: [String(Open), Closed, 99_999] }, 'AC'],
      [{ state: [100, Open] }, 'A'],
      [{ state: 100 }, 'BAC'],
      [{ people: [bob.id] }, 'AC'],
      [{ people: 99_999 }, ''],
      // As a client in the field writes it.
      [{ people: { id: bob.id } }, 'AC'],
      [{ state: { id: String(Open), other: 100 } }, 'A'],
      [{ state: { operator: 'contains', value: [Open] }, people: {} }, 'A'],
      [{ state: -1 }, ''],
      [{ state: [1.5, Open] }, 'A'],
      [{ state: ['-1', 100] }, ''],
      [{ state: '9'.repeat(30) }, ''],
      [{ people: 1e300 }, ''],
      [{ teams: '-1' }, ''],
      [{ tags: [-1] }, ''],
      [{ submitted_by: -1 }, ''],
      [{ changed_by: [0.5, alice.id] }, 'BAC'],
      [{ teams: teams['Testers'] }, 'C'],
      [{ tags: ['o99999'] }, ''],
      [{ tags: [`o${'9'.repeat(20)}`, `b${'9'.repeat(20)}`] }, ''],
      [{ groups: testers }, 'C'],
      [{ groups: [`${projectId}_3`] }, 'C'],
      [{ groups: [`${projectId}_4`] }, ''],
      [{ submitted_by: [alice.id, bob.id] }, 'BAC'],
      [{ submitted_by: bob.id }, ''],
      [{ changed_by: String(alice.id) }, 'BAC'],
      [{ aid: a }, 'A'],
      [{ aid: `<${a}` }, 'B'],
      [{ aid: `${a} - ${c}` }, 'AC'],
      [{ aid: `/^${b}$/` }, 'B'],
      [{ links: b }, 'A'],
      [{ links: a }, ''],
      [{ links: '9'.repeat(30) }, ''],
      [{ links: '-9223372036854775809' }, ''],
      [{ refs: b }, 'AC'],
      [{ refs: String(c) }, 'B'],
      [{ [String(fieldIds['points'])]: 8 }, 'C'],
    ] as const)
      expect([criteria, await sought(criteria)]).toEqual([criteria, expected]);
  });

  test('by the values that people typed into open lists', async () => {
    const { values } = fieldNamed(await readTracker(alice, tracker), 'tags');
    const ids = valueIds({ values });
    expect(await sought({ tags: ids['blue'] })).toBe('A');
    expect(await sought({ tags: [`b${ids['blue']}`] })).toBe('A');
    expect(await sought({ tags: [ids['typed']] })).toBe('BA');
  });

  test('by the body, unless the query string asks for something', async () => {
    const get = async (parameters: string, rawBody: string, type?: string) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      return letters(idsOf(await alice.get(`${path()}${parameters}`, { rawBody, headers })));
    };
    const body = JSON.stringify({ points: '>3' });
    for (const type of ['application/json', undefined, 'application/x-www-form-urlencoded'])
      expect(await get('', body, type)).toBe('C');
    expect(
      await get('', '<x><due><operator>&lt;</operator><value>2024-02-01</value></due></x>', 'text/xml'),
    ).toBe('BAC');
    expect(
      await get(
        '',
        '<x><due><operator>&lt;</operator><value>2024-02-01</value></due></x>',
        'application/xml',
      ),
    ).toBe('A');
    for (const nothing of ['<x/>', '<x>\n</x>', '<x><!-- all --></x>'])
      expect(await get('', nothing, 'application/xml')).toBe('BAC');
    expect(await get(`?query=${query({ points: 3 })}&expert_query=points%3D8`, body)).toBe('A');
    expect(await get('?expert_query=points%3D""', body)).toBe('B');
    expect(await get('?query=0&expert_query=points%3D3', body)).toBe('A');
    expect(await get('?query=&expert_query=', body)).toBe('C');
    expect(await get('?order=DESC&expert_query=summary%3D"one"', '')).toBe('BA');
  });

  test('in pages, with the number of all', async () => {
    const page = await alice.get(
      `${path()}?expert_query=${encodeURIComponent('summary != ""')}&limit=1&offset=1&values=all`,
    );
    expect([letters(idsOf(page)), sizeOf(page)]).toEqual(['A', 3]);
    expect(page.body[0].values).not.toBeNull();
  });

  test('by values that are hidden, and not by those that are gone', async () => {
    const url = (id: number | undefined) => `/tracker_fields/${fieldIds['state']}/values/${id}`;
    expect((await alice.patch(url(states['Closed']), { is_hidden: true })).status).toBe(200);
    expect(await asked('state = "closed"')).toBe('C');
    expect((await alice.request('DELETE', url(states['Été']))).status).toBeLessThan(300);
    const { status } = await alice.get(`${path()}?expert_query=${encodeURIComponent('state = "ete"')}`);
    expect(status).toBe(400);
  });

  test('with as many terms as a platform without limit allows', async () => {
    await atelier.admin.patch('/platform/settings', { query_complexity_limit: 0 });
    const terms = (word: string, count: number) =>
      Array.from({ length: count }, (_, number) => `points=${number}`).join(` ${word} `);
    expect(await asked(terms('or', 400))).toBe('AC');
    expect(await asked(`(${terms('and', 400)}) or ${'('.repeat(90)}points=3${')'.repeat(90)}`)).toBe('A');
    expect(await asked(`state in (${'"x",'.repeat(900)}"open")`)).toBe('A');
    await atelier.admin.patch('/platform/settings', { query_complexity_limit: 30 });
  });

  test('only where they may be seen', async () => {
    const [a, b] = made;
    await change(alice, b ?? 0, [
      entry('perm', { value: { is_used_by_default: true, granted_groups: ['4'] } }),
    ]);
    try {
      expect(await asked('summary = "one"', bob)).toBe('A');
      expect(await asked('is linked to', bob)).toBe('');
      expect(await asked('is not linked to', bob)).toBe('AC');
      expect(await asked(`is linked to artifact = ${b}`, bob)).toBe('');
      expect(await asked(`is not linked to artifact = ${b}`, bob)).toBe('AC');
      expect(await asked('@comments = "please"', bob)).toBe('');
      expect(await sought({ summary: 'one' }, bob)).toBe('A');
    } finally {
      await change(alice, b ?? 0, [
        entry('perm', { value: { is_used_by_default: false, granted_groups: [] } }),
      ]);
    }
    expect(a).toBeGreaterThan(0);
  });
});
