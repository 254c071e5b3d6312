import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';

/*
 * A statement is built once, before there are values: its parameters are holes, which are always there and equal to nothing.
 * Whoever asks one for its value while building (`if (p.name)`) gets the same answer for ever. So holes may only be handed on.
 */

interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function childrenOf(node: Syntax): { child: Syntax; as: string }[] {
  return Object.entries(node).flatMap(([as, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isSyntax).map((child) => ({ child, as })),
  );
}

/** Whether a part of an expression is handed on as it is, and not asked for its value. */
function isHandedOn(parent: Syntax, as: string): boolean {
  switch (parent.type) {
    case 'CallExpression':
      return as === 'arguments';
    case 'Property':
      return as === 'value';
    case 'ConditionalExpression':
      return as !== 'test';
    case 'ArrayExpression':
    // A template of SQL; other templates make a text of it, which the hole itself refuses.
    case 'TemplateLiteral':
    case 'TSAsExpression':
      return true;
    default:
      return false;
  }
}

/** Where holes of the given name are asked for their values. */
function misuses(node: Syntax, holes: string): number[] {
  return childrenOf(node).flatMap(({ child, as }) => {
    const isHole =
      child.type === 'MemberExpression' && isSyntax(child['object']) && child['object']['name'] === holes;
    if (isHole) return isHandedOn(node, as) ? [] : [child.start];
    return misuses(child, holes);
  });
}

const builders = ['statement', 'lockingStatement'];

function statementsIn(node: Syntax): Syntax[] {
  const isBuilt =
    node.type === 'CallExpression' &&
    isSyntax(node['callee']) &&
    builders.includes(String(node['callee']['name']));
  const inside = childrenOf(node).flatMap(({ child }) => statementsIn(child));
  return isBuilt ? [node, ...inside] : inside;
}

/** What is wrong with the statements of a file, by its line. */
function faultsIn(text: string): string[] {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isSyntax(program)) throw new Error('There is nothing to look at.');
  return statementsIn(program).flatMap((call) => {
    const [build] = Array.isArray(call['arguments']) ? call['arguments'] : [];
    const [, holes] = isSyntax(build) && Array.isArray(build['params']) ? build['params'] : [];
    if (!isSyntax(build) || holes === undefined) return [];
    if (!isSyntax(holes) || holes.type !== 'Identifier') return [`line ${lineOf(text, call.start)}: no name`];
    return misuses(build, String(holes['name'])).map(
      (start) => `line ${lineOf(text, start)}: a hole is asked`,
    );
  });
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length;

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('no statement asks for the values of its parameters while it is built', () => {
  const files = globSync('server/src/**/*.ts', { cwd: root })
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => /\b(?:s|lockingS)tatement\(/.test(text));
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap(({ path, text }) => faultsIn(text).map((fault) => `${path}, ${fault}`))).toEqual([]);
});

describe('found is', () => {
  const built = (body: string) => `const s = statement((sql, p: { id: number; name: string }) => ${body});`;
  test.each([
    ['a condition', built('{ if (p.name) return sql.a(); return sql.b(); }')],
    ['a choice', built("p.name ? sql.a('=', p.name) : sql.b()")],
    ['a fallback', built("sql.where('a', '=', p.name ?? '')")],
    ['a comparison', built("sql.where('a', '=', p.name === 'x')")],
    ['a negation', built("sql.where('a', '=', !p.id)")],
    ['arithmetic', built("sql.where('a', '=', p.id + 1)")],
    ['a look inside', built("sql.where('a', '=', p.name.length)")],
    ['a rest', built('sql.values({ ...p.name })')],
    [
      'a choice of a statement that locks',
      built('p.id ? sql.a() : sql.b()').replace('statement', 'lockingStatement'),
    ],
    ['parameters without a name', 'const s = statement((sql, { id }: { id: number }) => sql.a(id));'],
  ])('%s', (_, text) => {
    expect(faultsIn(text)).toHaveLength(1);
  });

  test('nothing where holes are handed on', () => {
    const handedOn =
      "sql.where('a', '=', p.id).values({ name: p.name, ids: [p.id] }).c(inner`lower($" + '{p.name})`)';
    expect(faultsIn(built(handedOn))).toEqual([]);
    expect(faultsIn("const s = statement((sql) => sql.selectFrom('a'));")).toEqual([]);
  });
});
