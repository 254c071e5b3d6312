import { describe, expect, test } from 'vitest';
import { parseQuery, SyntaxFault } from '../../../server/src/search/index.ts';
import { readQuery, type Wanted, wantedAfter } from '../../src/kernel/query.ts';
import { checkQuery, type QueryField } from '../../src/kernel/query-check.ts';

const fields: readonly QueryField[] = [
  { name: 'summary', label: 'Summary', kind: 'words' },
  { name: 'points', label: 'Points', kind: 'number' },
  { name: 'due', label: 'Due', kind: 'day' },
  { name: 'state', label: 'State', kind: 'list', labels: ['Open', 'Closed'] },
  { name: 'submitted_by', label: 'Submitted by', kind: 'person' },
  { name: '@comments', label: 'Comments', kind: 'words' },
  { name: 'file', label: 'File', kind: 'words' },
];

/** Where a query is wrong: the texts that would be underlined; nothing where it is right. */
function wrongIn(text: string): readonly string[] {
  const { condition, fault } = readQuery(text);
  if (condition === undefined) return [`${fault.line}:${fault.column}`];
  const problems = checkQuery(condition, (name) => fields.find((field) => field.name === name));
  return problems.map(({ from, to, why }) => `${text.slice(from, to)}: ${why}`);
}

describe('queries are told right from wrong as the server does', () => {
  test.each([
    'summary = "one"',
    'summary = "one alpha"',
    'summary != "one"',
    'points = ""',
    'points != 3',
    'points between(3, 8)',
    'due < "2024-01-10"',
    'due <= "2024-01-10"',
    'due > "2024-01-10"',
    'state = ""',
    'state != "open"',
    'state in ("Open","nope")',
    'submitted_by = MYSELF()',
    '@comments = ""',
    'file = "NOTES"',
    'file != "x"',
    'with parent',
    'without child',
    'is linked to tracker != "task"',
    'points = 8 or summary = "beta" and state = "open"',
    '(points = 8 or summary = "alpha") and state = "open"',
    'due>now()-7dand(points=1)',
    "state not in ('Open',)",
    'is linked from artifact = 3 with type "_is_child"',
  ])('%s is right', (text) => {
    expect(wrongIn(text)).toEqual([]);
  });

  test.each([
    ['due = "2024-01-10 10:00"', ['"2024-01-10 10:00": value']],
    ['state = "nope"', ['"nope": unknown value']],
    ['submitted_by = ""', ['"": empty']],
    ['is not linked to tracker != "x"', ['is not linked to tracker != "x": double negative']],
    ['summary = "one', ['1:15']],
    ['nofield = 1', ['nofield: unknown field']],
    ['summary < 3', ['<: operator']],
    ['points = 1 and\n  state = "no" or due in (1)', ['"no": unknown value', 'in: operator']],
    ['points = 1 and\n  state == "no"', ['2:10']],
    ['points = MYSELF()', ['MYSELF(): value']],
    ['state in ("", "Open")', ['"": empty']],
  ])('%s is wrong at %j', (text, wrong) => {
    expect(wrongIn(text)).toEqual(wrong);
  });
});

/** Pieces of queries in an order of chance, so that some are queries and most are not quite. */
function* chanceQueries(count: number): Generator<string> {
  const pieces = [
    'a',
    'due',
    '=',
    '!=',
    '<',
    'in',
    'NOT IN',
    'between',
    '(',
    ')',
    ',',
    '"x"',
    "'y",
    '3',
    '1.5',
  ];
  const more = [
    'NOW()',
    '-3d',
    '+ 1',
    'myself()',
    'and',
    'or',
    'is',
    'not',
    'linked',
    'to',
    'with',
    'parent',
    ' ',
  ];
  const all = [
    ...pieces,
    ...more,
    'artifact',
    'tracker',
    'type',
    '\n',
    '\\u41 ',
    '@comments',
    'covered',
    'by',
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let done = 0; done < count; done += 1) {
    const right = ['a = 1', 'due in ("x", 3)', 'with parent', '(a = NOW() - 3d or b != "z")'];
    const first = next(2) === 0 ? `${right[next(right.length)]} and ` : '';
    const rest = Array.from({ length: next(9) }, () => all[next(all.length)]);
    yield first + rest.join(next(2) === 0 ? ' ' : '');
  }
}

test('page and server stop reading at the same place, whatever is written', () => {
  for (const text of chanceQueries(4000)) {
    const { fault } = readQuery(text);
    let told: SyntaxFault | undefined;
    try {
      if (parseQuery(text).form !== 'condition') continue;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      told = error;
    }
    const place = (one: { readonly line: number; readonly column: number } | undefined) =>
      one === undefined ? 'right' : `${one.line}:${one.column}`;
    expect(`${place(fault)} ${text}`).toBe(`${place(told)} ${text}`);
  }
});

describe('what can come next', () => {
  const shown = (wanted: Wanted): string => {
    if (wanted.is === 'word') return wanted.word;
    if (wanted.is === 'operator') return `${wanted.name} ${wanted.operator}`;
    return wanted.is === 'value' ? `${wanted.name} ${wanted.operator} value` : wanted.is;
  };
  const after = (text: string) => [...new Set(wantedAfter(text).map(shown))];

  test.each([
    ['', ['field', '(', 'WITHOUT', 'WITH', 'IS']],
    ['state = ', ['state = value']],
    ['state in ("Open", ', ['state IN value', ')']],
    ['state = "Open" ', ['OR', 'AND', 'end']],
    ['state = "Open" and ', ['field', '(', 'WITHOUT', 'WITH', 'IS']],
    ['(points = 3', ['OR', 'AND', ')']],
  ])('after %j', (text, wanted) => {
    expect(after(text).sort()).toEqual(wanted.toSorted());
  });

  test('after a name come the operators', () => {
    expect(after('due ')).toEqual(
      ['=', '!=', '<=', '>=', '<', '>', 'BETWEEN', 'IN', 'NOT IN'].map((operator) => `due ${operator}`),
    );
  });

  test('nothing can come after what is wrong already', () => {
    expect(after('state = = ')).toEqual([]);
  });
});
