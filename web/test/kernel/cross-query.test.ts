import { describe, expect, test } from 'vitest';
import { parseQuery, SyntaxFault } from '../../../server/src/search/index.ts';
import { builtQuery, writtenQuery } from '../../src/kernel/built-query.ts';
import { readCrossQuery, wantedAfterCross } from '../../src/kernel/cross-query.ts';

/** Line and column of a fault as the server tells them; undefined for a query over several trackers. */
function serverFault(text: string): string | undefined {
  try {
    parseQuery(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxFault) return `${error.line}:${error.column}`;
    throw error;
  }
}

const pageFault = (text: string) => {
  const { fault } = readCrossQuery(text);
  return fault && `${fault.line}:${fault.column}`;
};

describe('queries over several trackers are told right from wrong as the server does', () => {
  test.each([
    'SELECT @title FROM @project = MY_PROJECTS() WHERE @status = OPEN()',
    'select @pretty_title,@status from @project.name in("shop","docs") and @tracker.name="bug" where @id>=1',
    'SELECT a, b FROM @tracker.name = "bug" WHERE a = 1 ORDER BY b DESC',
    'SELECT a FROM @tracker.name IN("bug") AND @project = "self" WHERE a = 1 OR b = 2 AND WITH PARENT ORDER BY @id ascending',
    'SELECT a\nFROM @project = "self"\nWHERE (a = 1 OR b = 2)\nORDER BY a ASC',
    'SELECT a FROM @project.category = "Topic::Hardware" WHERE a BETWEEN(1, 2)',
  ])('%s is right', (text) => {
    expect(serverFault(text)).toBeUndefined();
    expect(pageFault(text)).toBeUndefined();
  });

  test.each([
    'SELECT',
    'SELECT @title',
    'SELECT @title, FROM @project = "self" WHERE a = 1',
    'SELECT @title FROM @projekt = "self" WHERE a = 1',
    'SELECT @title FROM @project = MINE() WHERE a = 1',
    'SELECT @title FROM @tracker.name = MY_PROJECTS() WHERE a = 1',
    'SELECT @title FROM @project = "self"\nWERE a = 1',
    'SELECT @title\nFROM @project = "self"\nWHERE a == 1',
    'SELECT @title\nFROM @project = "self"\nWHERE a = 1\nORDER BY a',
    'SELECT @title FROM @project.name IN("a",) WHERE a = 1',
    'SELECT @title FROM @project = "self" WHERE a = 1 ORDER BY a DESC x',
  ])('%s is wrong at the same place', (text) => {
    expect(serverFault(text)).toBeDefined();
    expect(pageFault(text)).toBe(serverFault(text));
  });

  test.each([
    ['', 'SELECT'],
    ['SELECT @title FROM @project.name = "a" ', 'WHERE'],
    ['SELECT @title FROM @project = ', 'MY_PROJECTS'],
    ['SELECT @title FROM @project = "self" WHERE a = 1 ', 'ORDER'],
    ['SELECT @title FROM @project = "self" WHERE a = 1 ORDER BY a ', 'DESC'],
  ])('after “%s” there can be %s', (text, word) => {
    const words = wantedAfterCross(text).flatMap((wanted) => (wanted.is === 'word' ? [wanted.word] : []));
    expect(words).toContain(word);
  });

  test('columns, fields, projects and trackers are wanted where they stand', () => {
    expect(wantedAfterCross('SELECT ')).toContainEqual({ is: 'column' });
    expect(wantedAfterCross('SELECT a FROM @project.name = ')).toContainEqual({ is: 'text', of: 'project' });
    expect(wantedAfterCross('SELECT a FROM @tracker.name IN(')).toContainEqual({ is: 'text', of: 'tracker' });
    expect(wantedAfterCross('SELECT a FROM @project = "self" WHERE ')).toContainEqual({ is: 'field' });
    expect(wantedAfterCross('SELECT a FROM @project = "self" WHERE a = 1 ORDER BY ')).toContainEqual({
      is: 'column',
    });
  });
});

describe('P9.3 what is built and what is written agree', () => {
  test.each([
    'SELECT @pretty_title, @status\nFROM @project = MY_PROJECTS()\nWHERE @status = OPEN()',
    'SELECT @title\nFROM @project.name = "shop" AND @tracker.name IN("bug", "task")\nWHERE @id >= 1\nORDER BY @id DESC',
    'SELECT @title\nFROM @project = "self"\nWHERE a = "x" AND b IN("1", "2") AND due BETWEEN(NOW() - 7d, NOW())',
    'SELECT @title\nFROM @project.name IN("shop", "docs")\nWHERE a = "x" OR b != ""',
    'SELECT @title\nFROM @tracker.name = "bug"\nWHERE (a = 1 OR b = 2) AND (IS LINKED TO)',
    'SELECT @title\nFROM @project = MY_PROJECTS()\nWHERE a = 1 AND b = 2 OR c = 3',
    'SELECT @title\nFROM @project = MY_PROJECTS()\nWHERE a = "with \\"quotes\\" \\\\"\nORDER BY a ASC',
  ])('%s', (text) => {
    const built = builtQuery(text);
    expect(built).toBeDefined();
    expect(built && writtenQuery(built)).toBe(text);
  });

  test('spaces and letters do not matter, and nothing else gets lost', () => {
    const built = builtQuery("select  a from @project=my_projects() where a='x'  or(b=1 and is linked to)");
    expect(built && writtenQuery(built)).toBe(
      "SELECT a\nFROM @project = MY_PROJECTS()\nWHERE a = 'x' OR (b=1 and is linked to)",
    );
  });

  test('categories and programs are for the text alone', () => {
    expect(builtQuery('SELECT a FROM @project.category = "x" WHERE a = 1')).toBeUndefined();
    expect(builtQuery("SELECT a FROM @project IN('self', 'aggregated') WHERE a = 1")).toBeUndefined();
  });

  test('conditions without a value wait outside of the text', () => {
    const built = builtQuery('SELECT a FROM @project = "self" WHERE a = 1');
    const waiting = { is: 'comparison', name: 'b', operator: '=', values: [] } as const;
    expect(built && writtenQuery({ ...built, conditions: [...built.conditions, waiting] })).toBe(
      'SELECT a\nFROM @project = "self"\nWHERE a = 1',
    );
  });
});
