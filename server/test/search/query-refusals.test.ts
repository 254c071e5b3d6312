import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Store } from '../fixtures/artifact.ts';
import { createProject, query, setMembers } from '../fixtures/project.ts';
import { type EveryField, everyField, setFieldPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const words = (start: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${start}${number}`).join(' ');

const engines = oneEngine('SQLite', 'queries are refused in words before anything is searched');

describe.each(engines)('what cannot be searched is refused on %s:', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let every: EveryField;
  const path = () => `/trackers/${every.tracker.id}/artifacts`;
  const asked = (text: string, caller: Caller = alice) =>
    caller.get(`${path()}?expert_query=${encodeURIComponent(text)}`);
  const sought = (criteria: unknown, caller: Caller = alice) =>
    caller.get(`${path()}?query=${query(criteria)}`);
  const refusal = async (text: string, caller: Caller = alice): Promise<string> => {
    const { status, body, text: answer } = await asked(text, caller);
    expect([text, status], answer).toEqual([text, 400]);
    return body.error.message;
  };

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    const { id } = await createProject(alice, 'refusals');
    await setMembers(alice, `${id}_3`, [alice]);
    every = await everyField(alice, id);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('queries that are none, with the place and what could stand there', async () => {
    expect(await refusal('string = "one')).toBe(
      'Bad Request: Error during parsing expert query. Line 1, column 14: expecting the closing " instead of the end of the query.',
    );
    expect(await refusal('int = 3\nand string 4')).toMatch(
      /Line 2, column 12: expecting "=", .* instead of "4"/,
    );
    for (const text of ['0', '()', 'and', '"', "'", '\\', '= 1', 'string =', 'int = 1 int = 2', '🎉', 'null'])
      expect(await refusal(text)).toMatch(/Error during parsing expert query/);
  });

  test('queries that are longer than any address', async () => {
    const { status, body } = await asked(`string = "${'x'.repeat(100_000)}"`);
    expect([status, body.error.code]).toEqual([431, 431]);
    expect((await asked(`string = "${'x'.repeat(10_000)}"`)).body).toEqual([]);
  });

  test('queries over several trackers, without words', async () => {
    for (const text of [
      'SELECT @id FROM @project = "self" WHERE int = 1',
      'select a from @project.name = "x" where nofield = 1',
    ])
      expect(await refusal(text)).toBe('Bad Request');
    expect(await refusal('SELECT @id FROM @project = "self"')).toMatch(/AND or WHERE/);
  });

  test('names that nobody knows, or that somebody may not read, all at once', async () => {
    expect(await refusal('nofield = 1 and int = "x" or @title = "a" and nofield = 2')).toMatch(
      /We cannot search on 'nofield', '@title', we don't know what it refers to/,
    );
    for (const name of ['@status', '@Comments', 'fieldset', 'separator'])
      expect(await refusal(`${name} = "x"`)).toContain(`We cannot search on '${name}'`);
    const { float = 0 } = every.ids;
    await setFieldPermissions(alice, float, { can_read: [], can_submit: [], can_update: [] });
    expect(await refusal('float = 1', bob)).toContain("We cannot search on 'float'");
    expect((await sought({ float: '/(/' }, bob)).status).toBe(200);
    await setFieldPermissions(alice, float, { can_read: ['1'], can_submit: ['2'], can_update: ['3'] });
    await store.unuse(every.ids['burndown'] ?? 0);
    expect(await refusal('burndown = 1')).toContain("We cannot search on 'burndown'");
  });

  test('types of fields that queries do not search', async () => {
    for (const name of [
      'tbl',
      'tbl_users',
      'art_link',
      'perm',
      'aid',
      'atid',
      'cross',
      'computed',
      'priority',
    ])
      expect(await refusal(`${name} = "1"`)).toContain(`The field '${name}' is not supported.`);
  });

  test.each([
    ['string', ['<', '<=', '>', '>=', 'BETWEEN()', 'IN()', 'NOT IN()']],
    ['text', ['<', '<=', '>', '>=', 'BETWEEN()', 'IN()', 'NOT IN()']],
    ['file', ['<', '<=', '>', '>=', 'BETWEEN()', 'IN()', 'NOT IN()']],
    ['@comments', ['<', '<=', '>', '>=', 'BETWEEN()', 'IN()', 'NOT IN()']],
    ['int', ['IN()', 'NOT IN()']],
    ['float', ['IN()', 'NOT IN()']],
    ['date', ['IN()', 'NOT IN()']],
    ['subon', ['IN()', 'NOT IN()']],
    ['sb', ['<', '<=', '>', '>=', 'BETWEEN()']],
    ['cb_users', ['<', '<=', '>', '>=', 'BETWEEN()']],
    ['subby', ['<', '<=', '>', '>=', 'BETWEEN()']],
  ])('operators that %s does not have', async (name, operators) => {
    const written = (operator: string) =>
      operator === 'BETWEEN()'
        ? 'BETWEEN(1, 2)'
        : operator.endsWith('()')
          ? `${operator.slice(0, -2)}(1)`
          : `${operator} 1`;
    for (const operator of operators)
      expect(await refusal(`${name} ${written(operator)}`)).toContain(
        `The field '${name}' is not supported for the operator ${operator}.`,
      );
  });

  test.each([
    ['string = NOW()', "The text field 'string' cannot be compared to NOW()."],
    ['text != MYSELF()', "The text field 'text' cannot be compared to MYSELF()."],
    ['file = OPEN()', "The file field 'file' cannot be compared to OPEN()."],
    ['@comments = NOW()', "The name '@comments' cannot be compared to NOW()."],
    ['int = "three"', "The integer field 'int' cannot be compared to the string value 'three'."],
    ['int = MYSELF()', "The integer field 'int' cannot be compared to MYSELF()."],
    ['int = "1 2"', "The integer field 'int' cannot be compared to the string value '1 2'."],
    ['int = "0x10"', "The integer field 'int' cannot be compared to the string value '0x10'."],
    ['int < ""', "The integer field 'int' cannot be compared to the empty string with < operator."],
    [
      'float between(1, "")',
      "The float field 'float' cannot be compared to the empty string with BETWEEN() operator.",
    ],
    ['float > NOW()', "The float field 'float' cannot be compared to NOW()."],
    [
      'date = "2024-01-10 10:00"',
      "The date field 'date' cannot be compared to the string value '2024-01-10 10:00'.",
    ],
    ['datetime = "tomorrow"', "The date field 'datetime' cannot be compared to the string value 'tomorrow'."],
    ['lud = MYSELF()', "The date field 'lud' cannot be compared to MYSELF()."],
    ['subon <= ""', "The date field 'subon' cannot be compared to the empty string with <= operator."],
    ['date = 3', "The date field 'date' cannot be compared to the number 3."],
    ['sb = "nope"', "The value 'nope' doesn't exist for the list field 'sb'."],
    ['sb != "nope"', "The value 'nope' doesn't exist for the list field 'sb'."],
    ['sb in ("nope", "neither")', "The values 'nope', 'neither' don't exist for the list field 'sb'."],
    ['sb in ("red", "")', "The list field 'sb' cannot be compared to the empty string with IN() operator."],
    ['sb = MYSELF()', "The list field 'sb' cannot be compared to MYSELF()."],
    ['sb_ugroups = MYSELF()', "The list field 'sb_ugroups' cannot be compared to MYSELF()."],
    ['sb = NOW()', "The list field 'sb' cannot be compared to NOW()."],
    ['sb = OPEN()', "The list field 'sb' cannot be compared to OPEN()."],
    ['sb_users = "bob"', "The value 'bob' doesn't exist for the list field 'sb_users'."],
    ['sb_users = "Alice"', undefined],
    ['rb_ugroups = "nope"', "The value 'nope' doesn't exist for the list field 'rb_ugroups'."],
    ['subby = ""', "The list field 'subby' cannot be compared to the empty string with = operator."],
    ['luby = "nobody-here"', "The value 'nobody-here' doesn't exist for the list field 'luby'."],
    ['luby in ("alice", "nobody-here")', "The value 'nobody-here' doesn't exist for the list field 'luby'."],
    ['is not linked to tracker != "x"', 'Double negative'],
    ['without parent tracker != "x"', 'Double negative'],
    ['is linked to with type "nope"', "Link type 'nope' is invalid. Available types: _is_child, _covered_by"],
    ['is linked from with type ""', "Link type '' is invalid."],
  ])('%s', async (text, words) => {
    if (words === undefined) expect((await asked(text)).status).not.toBe(400);
    else expect(await refusal(text)).toContain(words);
  });

  test('every comparison that is wrong has its line', async () => {
    const message = await refusal('int = "x" and (sb = "nope" or string < 3) and int = 3');
    expect(message.split('\n')).toEqual([
      "Bad Request: The integer field 'int' cannot be compared to the string value 'x'.",
      "The value 'nope' doesn't exist for the list field 'sb'.",
      "The field 'string' is not supported for the operator <.",
    ]);
  });

  test('MYSELF() for those who are not, or who cannot be chosen', async () => {
    for (const name of ['subby', 'sb_users'])
      expect(await refusal(`${name} = MYSELF()`, atelier.anonymous)).toContain('without being logged in');
    expect(await refusal('sb_users = MYSELF()', bob)).toContain(
      "'MYSELF()' doesn't exist for the list field",
    );
  });

  test('queries that are too complex, as far as the platform allows', async () => {
    const joined = (count: number) => Array.from({ length: count }, () => 'nofield=1').join(' and ');
    expect(await refusal(joined(14))).toContain("We cannot search on 'nofield'");
    expect(await refusal(joined(15))).toContain(
      'too complex: its complexity is 31, and at most 30 is allowed',
    );
    const set = async (value: unknown) =>
      (await atelier.admin.patch('/platform/settings', { query_complexity_limit: value })).status;
    expect([await set(81), await set(-1), await set('many')]).toEqual([400, 400, 400]);
    expect(await set(4)).toBe(200);
    expect(await refusal(joined(2))).toContain('at most 4 is allowed');
    expect(await set(0)).toBe(200);
    expect(await refusal(joined(500))).toContain("We cannot search on 'nofield'");
    expect(await refusal(`${'('.repeat(101)}int=1${')'.repeat(101)}`)).toContain('too complex');
    expect(await set(30)).toBe(200);
  });

  test.each([
    [{ string: true }, /field string is searched by a text or a number/],
    [{ string: ['a'] }, /field string is searched by a text or a number/],
    [{ text: { a: 1 } }, /field text is searched by a text or a number/],
    [{ int: [1] }, /field int is searched by a text or a number/],
    [{ file: false }, /field file is searched by a text or a number/],
    [{ aid: [1] }, /field aid is searched by a text or a number/],
    [{ art_link: {} }, /field art_link is searched by a text or a number/],
    [{ cross: [] }, /field cross is searched by a text or a number/],
    [{ string: null }, /field string is malformed/],
    [
      { string: { operator: '=', value: 'x' } },
      /string cannot be searched by the operator =, but by: contains/,
    ],
    [{ subby: { operator: '<', value: 1 } }, /subby cannot be searched by the operator </],
    [
      { string: { operator: 'LIKE', value: 'x' } },
      /operator for field string. There are: contains, =, <, >, between/,
    ],
    [{ date: { operator: '>', value: null } }, /field date is malformed/],
    [{ date: { value: '2024-01-01' } }, /field date is malformed/],
    [{ sb: 'red' }, /field sb is searched by the ids of its values/],
    [{ sb: ['b12'] }, /field sb is searched by the ids of its values/],
    [{ sb: { id: 'red' } }, /field sb is searched by the ids of its values/],
    [{ tbl: 'o7' }, /field tbl is searched by the ids of its values/],
    [{ luby: 'alice' }, /field luby is searched by the ids of its values/],
    [{ sb: Array.from({ length: 1001 }, (_, id) => id) }, /at most 1000 values/],
    [{ string: words('w', 101) }, /at most 100 words/],
    [
      Object.fromEntries(['string', 'String', 'text', 'Text'].map((name) => [name, words(name, 80)])),
      /at most 300 words and values together/,
    ],
    [{ string: '/(/' }, /string cannot be searched. Invalid regular expression: missing closing \)/],
    [{ int: '!/(?=1)/' }, /Invalid regular expression/],
    [{ aid: '/(1)\\1/' }, /Invalid regular expression/],
    [{ art_link: '/a{1001}/' }, /Invalid regular expression/],
    [{ string: `/${'a'.repeat(1001)}/` }, /at most 1000 characters/],
    [{ nowhere: [[[[[1]]]]] }, /nested too deeply/],
  ])('the criteria %j', async (criteria, words) => {
    for (const reply of [await sought(criteria), await alice.get(path(), { body: criteria })]) {
      expect(reply.status, reply.text).toBe(400);
      expect(reply.body.error.message).toMatch(words);
    }
  });

  test('large and deep bodies are answered', async () => {
    const long = 100_000;
    const bodies = [
      `${'['.repeat(long)}${']'.repeat(long)}`,
      `{"string":${'['.repeat(long)}${']'.repeat(long)}}`,
      `{"string":"${'x'.repeat(long)}`,
      '{'.repeat(long),
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, 1]))),
      JSON.stringify({ string: '('.repeat(long).replace(/^/, '/').replace(/$/, '/') }),
      JSON.stringify({ int: Array.from({ length: 30_000 }, () => 1) }),
    ];
    for (const rawBody of bodies) {
      const { status, text } = await alice.get(path(), {
        rawBody,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(status, text.slice(0, 500)).toBe(400);
      expect(text.length).toBeLessThan(5000);
    }
  });
});
