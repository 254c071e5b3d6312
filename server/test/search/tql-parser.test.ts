import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import {
  type Alternatives,
  costOf,
  parseQuery,
  relabelledInQuery,
  renamedInQuery,
  SyntaxFault,
  type Term,
} from '../../src/search/index.ts';

function conditionIn(text: string): Alternatives {
  const query = parseQuery(text);
  if (query.form !== 'condition') throw new Error(`${text} is no bare condition.`);
  return query.condition;
}

function crossIn(text: string) {
  const query = parseQuery(text);
  if (query.form !== 'cross-tracker') throw new Error(`${text} is a bare condition.`);
  return query.query;
}

function faultIn(text: string): SyntaxFault {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof SyntaxFault) return error;
    throw error;
  }
  throw new Error(`${text} is a query.`);
}

/** A short form of a condition that shows how it was understood. */
function shown(term: Term): string {
  if (term.is === 'alternatives')
    return `(${term.options.map((terms) => terms.map(shown).join(' & ')).join(' | ')})`;
  if (term.is === 'link') {
    const { end } = term;
    const what =
      end.is === 'tracker'
        ? `${end.isNot ? '!' : ''}${end.name}`
        : end.is === 'artifact'
          ? `#${end.id}`
          : '*';
    return `${term.isNot ? 'no ' : ''}${term.direction}[${term.type ?? 'any'}] ${what}`;
  }
  const values = term.values.map((value) => {
    if (value.is === 'text') return `'${value.text}'`;
    if (value.is === 'number') return value.text;
    return value.is === 'now' ? `now${value.shift.count}${value.shift.unit}` : value.is;
  });
  return `${term.name} ${term.operator} ${values.join(',')}`;
}

const read = (text: string) => shown(conditionIn(text)).slice(1, -1);

describe('a condition', () => {
  test.each([
    ['summary = "one"', "summary = 'one'"],
    ['points != 3', 'points != 3'],
    ['a<1', 'a < 1'],
    ['a <= 1.5', 'a <= 1.5'],
    ['a>1', 'a > 1'],
    ['a >=1', 'a >= 1'],
    ['points between(3, 8)', 'points BETWEEN() 3,8'],
    ['state in ("Open","nope")', "state IN() 'Open','nope'"],
    ["state IN('a',)", "state IN() 'a'"],
    ["state not in('a')", "state NOT IN() 'a'"],
    ['a = NOW()', 'a = now0D'],
    ['a = now ( ) - 3d', 'a = now-3D'],
    ['a = NOW() + 1M', 'a = now1M'],
    ['a = NOW()+ 12y', 'a = now12Y'],
    ['submitted_by = MYSELF()', 'submitted_by = myself'],
    ['status = open()', 'status = open'],
    ['@comments = ""', "@comments = ''"],
    ['@a.b = 1', '@a.b = 1'],
    ['a = 1 or b = 2 and c = 3', 'a = 1 | b = 2 & c = 3'],
    ['(a = 1 or b = 2) and c = 3', '(a = 1 | b = 2) & c = 3'],
    ['  \n a = 1 \t\r\n\u00a0 ', 'a = 1'],
  ])('%s is understood', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ['is linked to', 'forward[any] *'],
    ['IS NOT LINKED FROM', 'no reverse[any] *'],
    ['is linked to artifact = 12 with type "x"', 'forward[x] #12'],
    ['is linked from tracker != "bug"', 'reverse[any] !bug'],
    ["is linked to with type 'x'", 'forward[x] *'],
    ['with parent', 'reverse[_is_child] *'],
    ['without parent artifact=3', 'no reverse[_is_child] #3'],
    ['with children tracker="t"', 'forward[_is_child] t'],
    ['without child', 'no forward[_is_child] *'],
    ['is covered', 'forward[_covered_by] *'],
    ['is not covered by artifact = 4', 'no forward[_covered_by] #4'],
    ['is covering artifact = 4', 'reverse[_covered_by] #4'],
    ['is not covering', 'no reverse[_covered_by] *'],
    ['with parent and is linked to or a = 1', 'reverse[_is_child] * & forward[any] * | a = 1'],
  ])('%s asks for links', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('needs no white space between tokens, and takes names greedily', () => {
    expect(read('a=1and(b=2)')).toBe('a = 1 & (b = 2)');
    expect(read('a=1orb=2andc=3')).toBe('a = 1 | b = 2 & c = 3');
    expect(read('withparentand(isnotlinkedto)')).toBe('reverse[_is_child] * & (no forward[any] *)');
    expect(read('withparentandislinkedtoartifact=3')).toBe('withparentandislinkedtoartifact = 3');
    expect(read("statusin in('x')")).toBe("statusin IN() 'x'");
    expect(faultIn("statusin('x')").column).toBe(9);
    expect(faultIn("a NOT  IN('x')").column).toBe(3);
    expect(faultIn('a = NOW() - 3 d').column).toBe(14);
  });

  test('has no reserved words', () => {
    expect(read('with = 1 and and = 2 or or = 3')).toBe('with = 1 & and = 2 | or = 3');
    expect(read("is not in('x')")).toBe("is NOT IN() 'x'");
    expect(read('select = 1 and in in (1)')).toBe('select = 1 & in IN() 1');
    expect(read('1 = 1 and -a_ = 2')).toBe('1 = 1 & -a_ = 2');
  });

  test.each([
    [String.raw`a = "say \"hi\""`, 'say "hi"'],
    [String.raw`a = 'it\'s'`, "it's"],
    [`a = "it's"`, "it's"],
    [String.raw`a = "C:\\temp"`, String.raw`C:\temp`],
    [String.raw`a = "\u41"`, 'A'],
    [String.raw`a = "caf\u00e9"`, 'café'],
    [String.raw`a = "\u41 B"`, 'AB'],
    [String.raw`a = "\u000041C"`, 'AC'],
    [String.raw`a = "\u1f600"`, '😀'],
    [String.raw`a = "\😀\ux\n"`, '😀uxn'],
    ['a = "one\\\ntwo\\\r\nthree"', 'onetwothree'],
    ['a = "a\tb 100% _"', 'a\tb 100% _'],
  ])('%s has the text %s', (text, expected) => {
    const [[term]] = conditionIn(text).options as [[Term]];
    expect(term).toMatchObject({ values: [{ is: 'text', text: expected }] });
  });

  test.each([
    ['', 1, 1, /the name of a field/],
    ['   ', 1, 4, /the end of the query/],
    ['summary = "one', 1, 15, /the closing "/],
    ['summary = "one\ntwo"', 1, 15, /the closing "/],
    ['summary', 1, 8, /"=".*BETWEEN, IN or NOT IN/],
    ['summary one', 1, 9, /"="/],
    ['a = 1\nand b = ', 2, 9, /a text in quotes, a number, a whole number, NOW, MYSELF or OPEN/],
    ['a = 1 b = 2', 1, 7, /AND, OR or the end/],
    ['(a = 1', 1, 7, /"\)"/],
    ['a = 1)', 1, 6, /end of the query instead of "\)"/],
    ['a in ()', 1, 7, /instead of "\)"/],
    ['a = -3', 1, 5, /instead of "-"/],
    [String.raw`a = "\b"`, 1, 7, /backslash/],
    [String.raw`a = "\u110000"`, 1, 14, /backslash/],
    ['a = "é😀" x', 1, 10, /instead of "x"/],
    ['a = b', 1, 5, /instead of "b"/],
    ['a ~ 😀', 1, 3, /instead of "~"/],
    ['is linked', 1, 10, /FROM or TO/],
    ['is linked to artifact = "3"', 1, 25, /a whole number/],
  ])('%j is wrong at line %i, column %i', (text, line, column, words) => {
    const fault = faultIn(text);
    expect([fault.line, fault.column]).toEqual([line, column]);
    expect(fault.message).toMatch(words);
  });

  test('costs as much as it has terms, ANDs and ORs', () => {
    const joined = (word: string, count: number) => Array.from({ length: count }, () => 'a=1').join(word);
    expect(costOf(conditionIn('a = 1'))).toBe(3);
    expect(costOf(conditionIn('with parent'))).toBe(3);
    expect(costOf(conditionIn('((a = 1))'))).toBe(7);
    expect(costOf(conditionIn('a in (1, 2, 3)'))).toBe(3);
    expect(costOf(conditionIn('a = 1 or (b = 2 and c = 3)'))).toBe(10);
    expect([14, 15].map((count) => costOf(conditionIn(joined(' and ', count))))).toEqual([29, 31]);
    expect([10, 11].map((count) => costOf(conditionIn(joined(' or ', count))))).toEqual([30, 33]);
  });
});

describe('a field that is called otherwise', () => {
  test.each([
    ['status = \'status\' AND substatus != "status"', 'state = \'status\' AND substatus != "status"'],
    ["Status IN ('it\\'s status') or @status = 'x'", "state IN ('it\\'s status') or @status = 'x'"],
    ["(due > NOW() - 1w)AND status='a'", "(due > NOW() - 1w)AND state='a'"],
    ['status is no query', 'status is no query'],
  ])('is called so in %j', (query, renamed) => {
    expect(renamedInQuery(query, { from: 'status', to: 'state' })).toBe(renamed);
  });

  test('may be called as words of the language are', () => {
    expect(renamedInQuery("a = 'x' and b = 'y'", { from: 'b', to: 'not' })).toBe("a = 'x' and not = 'y'");
    expect(renamedInQuery("in IN ('x')", { from: 'in', to: 'out' })).toBe("out IN ('x')");
  });
});

describe('a value of a list that is called otherwise', () => {
  test.each([
    ["status = 'New'", "status = 'It\\'s new'"],
    [
      'Status not in("Old", " new ") AND title = \'New\'',
      "Status not in(\"Old\", 'It\\'s new') AND title = 'New'",
    ],
    [
      "title = 'New' OR status != 'NEW' OR title = 'new'",
      "title = 'New' OR status != 'It\\'s new' OR title = 'new'",
    ],
    ["status = 'Newer'", "status = 'Newer'"],
  ])('is called so in %j', (query, relabelled) => {
    expect(relabelledInQuery(query, { list: 'status', from: 'New', to: "It's new" })).toBe(relabelled);
  });
});

describe('a query over several trackers', () => {
  test('has names, projects and trackers, a condition and an order', () => {
    expect(
      crossIn('SELECT @pretty_title, status FROM @project = "self" WHERE a = 1 ORDER BY @id DESC '),
    ).toMatchObject({
      select: ['@pretty_title', 'status'],
      from: [{ target: '@project', operator: '=', values: ['self'] }],
      orderBy: { name: '@id', isDescending: true },
    });
    const { from, orderBy, where } = crossIn(
      "select a from @tracker.name in('t','u') and @project.name = my_projects() where a=1 or b=2order by or asc",
    );
    expect(from).toEqual([
      { target: '@tracker.name', operator: 'IN()', values: ['t', 'u'] },
      { target: '@project.name', operator: '=', values: 'mine' },
    ]);
    expect([shown(where), orderBy]).toEqual(['(a = 1 | b = 2)', { name: 'or', isDescending: false }]);
  });

  test.each([
    ['SELECT a, FROM @project = "x" WHERE a = 1', 16, /FROM/],
    ['SELECT a FROM @Project = "x" WHERE a = 1', 15, /@project/],
    ['SELECT a FROM @tracker.name = MY_PROJECTS() WHERE a = 1', 31, /quotes/],
    ['SELECT a FROM @project IN("x",) WHERE a = 1', 31, /quotes/],
    ['SELECT a FROM @project = "x"', 29, /AND or WHERE/],
    ['SELECT a FROM @project = "x" WHERE a = 1 ORDER BY a', 52, /ASCENDING, ASC, DESCENDING or DESC/],
    ['SELECT a FROM @project = "x" AND @project = "y" AND @project = "z" WHERE a=1', 49, /WHERE/],
  ])('%s is wrong at column %i', (text, column, words) => {
    const fault = faultIn(text);
    expect([fault.column, fault.message]).toEqual([column, expect.stringMatching(words)]);
  });
});

describe('hostile text is answered', () => {
  const long = 100_000;
  test.each([
    ['a long name', 'a'.repeat(long)],
    ['an open quote', `a = "${'x'.repeat(long)}`],
    ['many quotes', '"\''.repeat(long / 2)],
    ['many backslashes', `a = "${'\\'.repeat(long + 1)}`],
    ['many closing parentheses', `a = 1${')'.repeat(long)}`],
    ['white space', ' '.repeat(long)],
    ['a long wrong list', `a in (${'1,'.repeat(long / 2)}x)`],
    ['many ANDs and a wrong end', `${'a=1 and '.repeat(long / 8)}`],
    ['nested terms without an end', `${'(a=1 or '.repeat(90)}`],
    ['parentheses that close too late', `${'('.repeat(90)}a=1${')'.repeat(91)}`],
  ])('%s', (_, text) => {
    expect(faultIn(text).line).toBe(1);
  });

  test('without limit to the number of terms', () => {
    const terms = long / 10;
    const text = Array.from({ length: terms }, () => 'a = "é"').join(' or ');
    expect(costOf(conditionIn(text))).toBe(terms * 3);
  });

  test('parentheses too deep inside each other', () => {
    const nested = (depth: number) => () => parseQuery(`${'('.repeat(depth)}a=1${')'.repeat(depth)}`);
    expect(nested(100)).not.toThrow();
    for (const depth of [101, long]) expect(nested(depth)).toThrow(Refusal);
    expect(() => parseQuery('('.repeat(long))).toThrow(/more than 100 parentheses/);
  });
});
