import type { Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import {
  entries,
  everywhere,
  lettersOf,
  makeWorld,
  run,
  type World,
  wordsOf,
} from '../fixtures/cross-tracker.ts';
import { createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, readTracker, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.each(usuallyOn('SQLite'))('queries over several trackers on %s', (engine) => {
  let atelier: Atelier;
  let world: World;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    world = await makeWorld(atelier);
  });
  afterAll(() => atelier?.stop());

  /** The letters of what meets a condition, sorted. */
  const found = async (condition: string, caller: Caller = world.alice, from = everywhere) => {
    const reply = await run(caller, `SELECT @id FROM ${from} WHERE ${condition}`);
    expect(reply.status, `${condition}: ${reply.text}`).toBe(200);
    const letters = lettersOf(world, reply);
    expect(sizeOf(reply)).toBe(letters.length);
    return [...letters].sort().join('');
  };
  const refusal = async (tql: string, more = {}, caller: Caller = world.alice): Promise<string> => {
    const reply = await run(caller, tql, more);
    expect([tql, reply.status], reply.text).toEqual([tql, 400]);
    expect(reply.body.error.message).toBe('Bad Request');
    return wordsOf(reply);
  };
  const where = (condition: string) => `SELECT @id FROM ${everywhere} WHERE ${condition}`;

  test.each([
    // Always there.
    ['@id >= 1', 'ABCDE'],
    ['@id = 99999', ''],
    [`@id = ${'9'.repeat(40)}`, ''],
    [`@id < ${'9'.repeat(400)}`, 'ABCDE'],
    [`@id between(1, ${'9'.repeat(40)})`, 'ABCDE'],
    ['@id != 99999', 'ABCDE'],
    ['@submitted_on > "2020-01-01"', 'ABCDE'],
    ['@submitted_on <= NOW()', 'ABCDE'],
    ['@submitted_on < NOW() - 1d', ''],
    ['@last_update_date between("2020-01-01 10:00", NOW() + 1d)', 'ABCDE'],
    ['@last_update_date = "2020-01-01"', ''],
    ['@submitted_by = MYSELF()', 'BCD'],
    ['@submitted_by = "bob"', 'AE'],
    ['@submitted_by != "bob"', 'BCD'],
    ['@submitted_by in ("bob", "carol")', 'AE'],
    ['@last_update_by not in ("bob", "carol")', 'BCD'],
    // Semantics.
    ['@title = "PINS"', 'A'],
    ['@title = "eclair"', 'D'],
    ['@title != "pins"', 'BCDE'],
    ['@title = ""', 'E'],
    ['@status = OPEN()', 'ABD'],
    ['@status != OPEN()', 'CE'],
    ['@description = "bold"', 'A'],
    ['@description != "bold"', 'BC'],
    ['@description = ""', 'B'],
    ['@assigned_to = "bob"', 'A'],
    ['@assigned_to != "bob"', 'BC'],
    ['@assigned_to = MYSELF()', ''],
    ['@assigned_to = ""', 'BC'],
    ['@assigned_to in ("bob", "carol")', 'A'],
    ['@assigned_to not in ("carol", MYSELF())', 'ABC'],
    // Fields of one name.
    ['points = 3', 'A'],
    ['points > 3', 'CD'],
    ['points between(3, 3.5)', 'AD'],
    ['points = ""', 'BE'],
    ['points != 3', 'BCDE'],
    ['due < "2024-01-20"', 'A'],
    ['due >= "2024-01-20"', 'CD'],
    ['due = ""', 'BE'],
    ['summary = "l"', 'BCD'],
    ['level = "2 MID"', 'B'],
    ['level = "1 tiny"', 'D'],
    ['level != "1 tiny"', 'ABCE'],
    ['level in ("1 tiny", "low", "nope")', 'CD'],
    ['level not in ("1 tiny", "low")', 'ABE'],
    ['level = ""', 'E'],
    ['state = "Closed"', 'C'],
    ['lead = "bob"', 'A'],
    ['lead = MYSELF()', 'B'],
    ['lead != ""', 'AB'],
    ['team = "artists"', 'A'],
    // Open lists.
    ['tags = "RED"', 'A'],
    ['tags = "cafe"', 'A'],
    ['tags != "cafe"', 'BC'],
    ['tags = ""', 'BC'],
    ['tags in ("green", "café")', 'A'],
    ['helpers = "alice"', 'A'],
    ['helpers = "ZED@example.org"', 'A'],
    // A condition on a field is one on the trackers that have it.
    ['lead = "bob" or @title = "eclair"', 'A'],
    ['@description = "bold" or @id >= 1', 'ABC'],
    ['@assigned_to = "bob" or @id >= 1', 'ABC'],
    ['@status = OPEN() or @title = ""', 'ABDE'],
    ['secret = "sesame"', 'BD'],
    // Links.
    ['with children', 'A'],
    ['with parent', 'B'],
    ['is linked from tracker = "task"', 'BCD'],
    ['is linked to tracker = "bug"', 'A'],
    ['is not linked to and points > 1', 'CD'],
    ['(points = 3 or points = 8) and @status = OPEN()', 'A'],
  ])('find by %s: %s', async (condition, letters) => {
    expect(await found(condition)).toBe(letters);
  });

  test('show nobody what they may not see, and count nothing of it', async () => {
    const { bob, carol } = world;
    expect(await found('@id >= 1', bob)).toBe('ABDE');
    expect(await found('@id >= 1', carol)).toBe('AB');
    expect(await found('@id >= 1', atelier.anonymous)).toBe('AB');
    expect(await found('@id >= 1', atelier.admin)).toBe('ABCDE');
    // A field that is not readable makes a tracker one that does not have it.
    expect(await found('secret = "sesame"', bob)).toBe('B');
    expect(await found('@submitted_by = "bob"', bob)).toBe('A');
    expect(await found('@submitted_by != "carol" or @id >= 1', bob)).toBe('ABDE');
    expect(await refusal(where('secret = 1').replace(everywhere, '@project.name = "beta"'), {}, bob)).toMatch(
      /'secret'/,
    );
    expect(await refusal(where('@id = 1').replace(everywhere, '@project.name = "beta"'), {}, carol)).toBe(
      'No tracker found.',
    );
    expect(await found(`is linked to artifact = ${world.ids['C']}`)).toBe('A');
    expect(await found(`is linked to artifact = ${world.ids['C']}`, bob)).toBe('');
    expect(await found(`is not linked to artifact = ${world.ids['C']}`, bob)).toBe('ABDE');
    expect(await refusal(where('@submitted_by = MYSELF()'), {}, atelier.anonymous)).toMatch(/logged in/);
    expect(await refusal(where('helpers = "zed@example.org"'), {}, atelier.anonymous)).toMatch(
      /doesn't exist/,
    );
  });

  test('look through the trackers that FROM names', async () => {
    const { alice, bob, carol } = world;
    const within = (from: string, caller: Caller = alice) => found('@id >= 1', caller, from);
    expect(await within(`@project.name = 'ALPHA'`)).toBe('ABC');
    expect(await within(`@project = MY_PROJECTS()`, bob)).toBe('ABDE');
    expect(await within(`@project.category = my_projects() AND @tracker.name = "bug"`)).toBe('DE');
    expect(await within(`@tracker.name IN("bug", "none") AND @project.name IN ('alpha', 'beta')`)).toBe('DE');
    expect(await within(`@project.name = 'beta' and @tracker.name = 'Bug'`)).toBe('DE');
    const nothing = [
      `@project.name = 'nope'`,
      `@project.name = 'alpha' AND @tracker.name = 'bug'`,
      `@project.category = 'Topic::Hardware'`,
      `@project.category IN('Topic :: Hardware', 'x')`,
      `@project.name = '\\u0'`,
    ];
    for (const from of nothing)
      expect(await refusal(`SELECT @id FROM ${from} WHERE @id = 1`)).toBe('No tracker found.');
    const wrong: [string, RegExp][] = [
      [`@project.name = ''`, /empty/],
      [`@project.name IN('alpha', ' ')`, /empty/],
      [`@tracker.name = '' AND @project.name = 'alpha'`, /empty/],
      [`@project = ''`, /empty/],
      [`@project.category = ''`, /empty/],
      [`@project = 'alpha'`, /'alpha'/],
      [`@project = 'self'`, /current project/],
      [`@project = 'aggregated'`, /current project/],
      [`@project IN('self', 'self')`, /more than once/],
      [`@project IN('self', 'other')`, /'other'/],
      [`@tracker.name = 'task'`, /current project/],
      [`@project.name = 'alpha' AND @project = 'self'`, /only one condition on projects/],
      [`@tracker.name = 'task' AND @tracker.name = 'bug'`, /only one condition on trackers/],
    ];
    for (const [from, words] of wrong)
      expect(await refusal(`SELECT @id FROM ${from} WHERE @id = 1`)).toMatch(words);
    expect(await refusal(`SELECT @id FROM @project = MY_PROJECTS() WHERE @id = 1`, {}, carol)).toMatch(
      /MY_PROJECTS/,
    );
    expect(
      await refusal(`SELECT @id FROM @project = MY_PROJECTS() WHERE @id = 1`, {}, atelier.anonymous),
    ).toMatch(/MY_PROJECTS/);
  });

  test('know the project of the widget that they are asked from', async () => {
    const { alice, bob, alpha } = world;
    const ofProject = (await alice.post('/crosstracker_widget', { project_id: alpha })).body.id;
    const own = (await alice.post('/crosstracker_widget', {})).body.id;
    const ask = (from: string, widget_id: number, caller: Caller = alice) =>
      run(caller, `SELECT @id FROM ${from} WHERE @id >= 1`, { widget_id });
    for (const from of [`@project = 'self'`, `@tracker.name = 'task'`, `@project IN('self')`])
      expect(lettersOf(world, await ask(from, ofProject))).toBe('ABC');
    expect(lettersOf(world, await ask(`@project = 'self'`, ofProject, bob))).toBe('AB');
    expect(wordsOf(await ask(`@project = 'self'`, own))).toMatch(/current project/);
    expect(wordsOf(await ask(`@project IN('self', 'aggregated')`, ofProject))).toMatch(/program/);
    expect((await ask(`@project = 'self'`, own, bob)).status).toBe(404);
    expect((await ask(`@project = 'self'`, 99_999)).status).toBe(404);
  });

  test.each([
    // Names.
    ['nofield = 1', /'nofield'/],
    ['nofield = 1 or @comments = "x" or @project.name = "y"', /'nofield', '@comments', '@project.name'/],
    ['@Title = "x"', /'@Title'/],
    ['clash = 1', /types cannot be compared/],
    ['moment = ""', /types cannot be compared/],
    ['made = "2024-01-01"', /Use @submitted_on/],
    ['author = "bob"', /Use @submitted_by/],
    ['papers = "x"', /not supported/],
    ['links = "x"', /not supported/],
    ['readers = "x"', /not supported/],
    // Values.
    ['@id = "1"', /'@id'/],
    ['@id = 1.5', /'@id'/],
    ['@id = 0', /'@id'/],
    ['@id = ""', /empty/],
    ['@id = NOW()', /'@id'/],
    ['@id in (1, 2)', /IN\(\)/],
    ['@id between(3, 2)', /ascending/],
    ['@title > "x"', />/],
    ['@title in ("x")', /IN\(\)/],
    ['@title = MYSELF()', /'@title'/],
    ['@description = NOW()', /'@description'/],
    ['@status = "Open"', /OPEN\(\)/],
    ['@status in (OPEN())', /IN\(\)/],
    ['@status = ""', /OPEN\(\)/],
    ['@submitted_on = NOW()', /NOW\(\)/],
    ['@submitted_on != NOW()', /NOW\(\)/],
    ['@submitted_on = ""', /empty/],
    ['@submitted_on = "yesterday"', /yesterday/],
    ['@last_update_date in ("2024-01-01")', /IN\(\)/],
    ['@submitted_by = ""', /empty/],
    ['@submitted_by = "nobody-here"', /nobody-here/],
    ['@submitted_by > "bob"', />/],
    ['@last_update_by = OPEN()', /OPEN\(\)/],
    ['@assigned_to = "nobody-here"', /nobody-here/],
    ['@assigned_to in ("", "bob")', /empty/],
    ['@assigned_to = NOW()', /NOW\(\)/],
    ['level = "nope"', /'nope' doesn't exist/],
    ['level in ("nope", "none")', /don't exist/],
    ['level > "low"', />/],
    ['lead = "carol"', /carol/],
    ['tags = "blue"', /blue/],
    ['points = "many"', /many/],
    ['points in (1)', /IN\(\)/],
    ['due = "2024-01-10 10:00"', /2024-01-10 10:00/],
    ['is linked to with type "nope"', /Available types/],
    ['is not linked to tracker != "x"', /^Double negative/],
    ['level = "nope" and points = "many"', /nope.*\n.*many/],
    [Array.from({ length: 15 }, () => 'points = 1').join(' and '), /too complex/],
  ])('are refused for %s', async (condition, words) => {
    expect(await refusal(where(condition))).toMatch(words);
  });

  test('are refused with the place where their text stops being one', async () => {
    const tql = `SELECT @id\nFROM ${everywhere} WHERE @id >= `;
    const { status, body } = await run(world.alice, tql);
    expect([status, body.error.code, body.error.message]).toEqual([400, 400, 'Bad Request']);
    expect(body.error.details).toEqual({ line: 2, column: expect.any(Number) });
    expect(body.error.error_message).toMatch(/^Line 2, column \d+: expecting/);
    expect(body.error.i18n_error_message).toBe(body.error.error_message);
    const bad = [
      'SELECT @id',
      'SELECT @id, FROM @project = "self" WHERE @id = 1',
      `${where('@id = 1')} ORDER BY @id`,
    ];
    for (const text of bad) expect((await run(world.alice, text)).body.error.details.line).toBe(1);
  });

  test('are refused in the order in which they are read', async () => {
    const long = Array.from({ length: 15 }, () => 'nofield = 1').join(' and ');
    const checks: [string, RegExp][] = [
      ['', /empty/],
      ['  ', /empty/],
      ['points = 1', /no FROM/],
      [`SELECT @nope FROM @project = 'x' WHERE ${long} ORDER BY @nope ASC`, /'x'/],
      [`SELECT @nope FROM @project.name = 'x' WHERE ${long} ORDER BY @nope ASC`, /No tracker found/],
      [`SELECT @nope FROM ${everywhere} WHERE ${long} ORDER BY @nope ASC`, /too complex/],
      [`SELECT @nope FROM ${everywhere} WHERE nofield = 1 AND @id = 0 ORDER BY @nope ASC`, /'nofield'/],
      [`SELECT @nope FROM ${everywhere} WHERE @id = 0 ORDER BY @nope ASC`, /'@id'/],
      [`SELECT @nope FROM ${everywhere} WHERE @id = 1 ORDER BY @nada ASC`, /@nope/],
      [`SELECT @id FROM ${everywhere} WHERE @id = 1 ORDER BY @nada ASC`, /@nada/],
    ];
    for (const [text, words] of checks) expect(await refusal(text)).toMatch(words);
    // White space around the whole is none of its business.
    const reply = await run(world.alice, `  ${where('@id >= 1')} ORDER BY @id ASC  `);
    expect(reply.status, reply.text).toBe(200);
  });

  test('find in copies of a tracker what each of them has, as each viewer sees it', async () => {
    const { alice, bob, carol, task } = world;
    const { id: project } = await createProject(alice, 'copies');
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const copies: Tracker[] = [];
    for (const item_name of ['one', 'two', 'three']) {
      const more = { item_name, from_tracker_id: task.id };
      copies.push(await readTracker(alice, (await createTracker(alice, project, more)).id));
    }
    await setPermissions(alice, copies[2]?.id ?? 0, { can_access_submitted_by_user: [`${project}_3`] });
    const letters: Record<number, string> = {};
    const add = async (letter: string, at: number, values: Record<string, unknown>, caller = alice) => {
      const tracker = copies[at] ?? task;
      letters[await submit(caller, tracker.id, entries(tracker, { summary: letter, ...values }))] = letter;
    };
    const readers = { granted_groups: [`${project}_4`] };
    await add('a', 0, { points: 1, level: 'low', state: 'Open', due: '2024-01-03' });
    await add('b', 1, { points: 2, level: '2 mid', state: 'Closed', lead: bob.id });
    await add('c', 2, { points: 3, level: 'low', state: 'Open', due: '2024-01-01' });
    await add('d', 0, { points: 2, level: '10 high', lead: alice.id, readers });
    await add('e', 2, { points: 1, level: '2 mid', state: 'Open', due: '2024-01-02' }, bob);
    const ask = async (rest: string, caller: Caller) => {
      const reply = await run(caller, `SELECT @id FROM @project.name = 'copies' WHERE ${rest}`);
      expect(reply.status, reply.text).toBe(200);
      const rows: { '@artifact': { id: number } }[] = reply.body.artifacts;
      return rows.map((row) => letters[row['@artifact'].id] ?? '?').join('');
    };
    for (const [rest, all, some] of [
      ['@id >= 1', 'edcba', 'eba'],
      ['points >= 2', 'dcb', 'b'],
      ['points != 2', 'eca', 'ea'],
      ['level = "low"', 'ca', 'a'],
      ['level != "low" and summary != "b"', 'ed', 'e'],
      ['level in ("low", "10 high") or points = 2', 'dcba', 'ba'],
      ['@status = OPEN()', 'edca', 'ea'],
      ['due = ""', 'db', 'b'],
      ['due < "2024-01-03" and @submitted_by = "bob"', 'e', 'e'],
      ['lead = "bob" or lead = ""', 'ecba', 'eba'],
      ['is not linked to and @title = "a"', 'a', 'a'],
      ['@id >= 1 order by points asc', 'eadbc', 'eab'],
      ['@id >= 1 order by due desc', 'aecdb', 'aeb'],
      ['@id >= 1 order by level asc', 'caebd', 'aeb'],
      ['@id >= 1 order by @title desc', 'edcba', 'eba'],
      ['@id >= 1 order by lead desc', 'dbeca', 'bea'],
      ['points >= 1 order by @submitted_by asc', 'edcba', 'eba'],
    ] as const) {
      expect([rest, await ask(rest, alice)]).toEqual([rest, all]);
      expect([rest, await ask(rest, bob)]).toEqual([rest, some]);
    }
    expect(await ask('@id >= 1', carol)).toBe('ba');
  });

  test('are refused where no tracker has what the name means', async () => {
    const { id } = await createTracker(world.alice, world.alpha, { item_name: 'bare' });
    await addField(world.alice, id, { type: 'int', name: 'points' });
    const bare = `@project.name = 'alpha' AND @tracker.name = 'bare'`;
    for (const condition of ['@title = "x"', '@status = OPEN()', '@description = ""', '@assigned_to = ""'])
      expect(await refusal(`SELECT @id FROM ${bare} WHERE ${condition}`)).toMatch(/none of the trackers/);
    const reply = await run(
      world.alice,
      `SELECT @title, @status FROM ${bare} WHERE points = 1 ORDER BY @title ASC`,
    );
    expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, { selected: [], artifacts: [] }, 0]);
  });

  test('must be sent as a JSON object with nothing else in it', async () => {
    const ask = (text: string) =>
      world.alice.get(`/crosstracker_query/content?query=${encodeURIComponent(text)}`);
    const wrong = [
      'x',
      '{',
      '[]',
      '{}',
      '{"tql_query": 1}',
      '{"tql_query": "x", "widget_id": "1"}',
      '{"tql_query": "x", "widget_id": 1.5}',
      '{"tql_query": "x", "more": 1}',
    ];
    for (const text of wrong) expect([text, (await ask(text)).status]).toEqual([text, 400]);
    expect((await world.alice.get('/crosstracker_query/content')).status).toBe(400);
    for (const page of ['&limit=0', '&limit=51', '&offset=-1'])
      expect((await run(world.alice, where('@id >= 1'), {}, page)).status).toBe(400);
  });

  test('look at no more trackers and columns than the platform allows', async () => {
    const set = (settings: object) => atelier.admin.patch('/platform/settings', settings);
    const two = `SELECT @id, @title FROM ${everywhere} WHERE @id >= 1`;
    expect((await set({ query_tracker_limit: 1, query_column_limit: 1 })).status).toBe(200);
    expect(await refusal(two)).toMatch(/at most 1 are allowed/);
    await set({ query_tracker_limit: 0 });
    expect(await refusal(two)).toMatch(/2 columns/);
    await set({ query_column_limit: 0, query_complexity_limit: 4 });
    expect(await refusal(where('@id = 1 and @id = 2'))).toMatch(/too complex/);
    await set({ query_complexity_limit: 30 });
    expect((await run(world.alice, two)).status).toBe(200);
  });
});
