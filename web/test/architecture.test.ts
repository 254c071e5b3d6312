import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { circlesIn } from '../../server/test/harness/import-circles.ts';

/** The rooms from the ground up: each may import those before it and none after it. */
const rooms = [
  'kernel',
  'messages',
  'ui',
  'store',
  'fields',
  'shell',
  'artifact',
  'creation',
  'tracker',
  'board',
  'timeline',
  'charts',
  'search',
  'queries',
  'dashboards',
  'home',
  'inbox',
  'projects',
  'people',
  'svn',
  'account',
  'project-admin',
  'tracker-admin',
  'platform-admin',
  'help',
  'top',
];

/** Every file of it stands for itself. */
const withoutDoor = ['kernel'];

/** The only ways to the server, and who may use the one client there is. */
const waysOut = /\bfetch\(|\bEventSource\b|\bXMLHttpRequest\b|\bWebSocket\b|['"`]\/api\/(?!explorer|openapi)/;
const mayCall = (file: string) => file.startsWith('store/') || file.endsWith('/calls.ts');

const sources = fileURLToPath(new URL('../src/', import.meta.url));
const sourceOf = (file: string) => readFileSync(join(sources, file), 'utf8');

/** Every type of field and of form element, from the one list that names them all. */
const fieldTypes = [...sourceOf('fields/parts/form-elements.ts').matchAll(/^ {2}type\('(\w+)'/gm)].map(
  ([, code]) => code ?? '',
);
const anyType = `'(${fieldTypes.join('|')})'`;

/** Who may name them: `fields/`, which knows them, and those who tell people what they are called. */
const mayNameTypes = (file: string) => ['fields', 'messages'].includes(roomOf(file));

/** Words that are types of something else there. */
const otherTypes: Readonly<Record<string, readonly string[]>> = {
  // What stands in a repository.
  svn: ['file'],
  // Columns of what a query over several trackers found.
  'queries/cells.tsx': ['date', 'text'],
  // What files of Ruby end in.
  'ui/code/languages.ts': ['rb'],
  // What administrators want to know of every project.
  'project-admin/details.tsx': ['text'],
};

/** No word of any language: whoever writes it means the type. */
const unmistakable = ['sb', 'msb', 'rb', 'cb', 'tbl', 'art_link', 'subby', 'luby', 'subon', 'lud', 'atid'];

const typePatterns = [
  new RegExp(`\\b(?:type|code)\\)?\\s*[!=]==?\\s*${anyType}`, 'g'),
  new RegExp(`${anyType}\\s*[!=]==?\\s*[\\w.?]*\\b(?:type|code)\\b`, 'g'),
  new RegExp(`\\btype:\\s*${anyType}`, 'g'),
  new RegExp(`['"](${unmistakable.join('|')})['"]|[{,]\\s*(${unmistakable.join('|')}):`, 'g'),
];

const literals = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(([, word]) => word ?? '');

/** `['string', 'text']`, also where it is a set: nothing but types. */
const typesInLists = (text: string) =>
  [...text.matchAll(/\[((?:\s*'\w+',?)+)\s*\]/g)]
    .map(([, items]) => literals(items ?? ''))
    .filter((items) => items.length > 1 && items.every((item) => fieldTypes.includes(item)))
    .flat();

/** `switch (field.type)` and its cases, as far as they are indented. */
const typesInSwitches = (text: string) =>
  [...text.matchAll(/^( *)switch \([\w.?]*\btype\) \{\n((?:\1 .*\n|\n)*)/gm)].flatMap(([, , body]) =>
    [...(body ?? '').matchAll(/\bcase '(\w+)'/g)]
      .map(([, word]) => word ?? '')
      .filter((word) => fieldTypes.includes(word)),
  );

/** Types of fields that a file names though only `fields/` knows them. */
function typesNamedIn(file: string, text: string): string[] {
  if (mayNameTypes(file)) return [];
  const others = [...(otherTypes[roomOf(file)] ?? []), ...(otherTypes[file] ?? [])];
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const written = typePatterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''),
  );
  const all = [...written, ...typesInLists(code), ...typesInSwitches(code)];
  return [...new Set(all)].filter((word) => !others.includes(word));
}

/** What a file cannot do without, and what it loads later. */
const neededNow = /^\s*(?:import|export)\s(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;
const neededLater = /\bimport\(\s*['"`]([^'"`]+)['"`]/g;

const roomOf = (file: string) => (file.includes('/') ? (file.split('/', 1)[0] ?? '') : 'top');

const importsIn = (text: string, patterns = [neededNow, neededLater]) =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));

function importFault(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return packageFault(file, specifier);
  const imported = normalize(join(dirname(file), specifier));
  const [from, to] = [roomOf(file), roomOf(imported)];
  if (from === to) return undefined;
  if (rooms.indexOf(from) < rooms.indexOf(to)) return `${from} lies below ${to}`;
  if (from === 'store' && to === 'ui') return 'the store draws nothing';
  // Style sheets for the whole document are for whoever makes the document.
  if (from === 'top' && imported.endsWith('.css')) return undefined;
  const isDoor = withoutDoor.includes(to) || /^[^/]+\/index\.tsx?$/.test(imported);
  return isDoor ? undefined : `it passes by the index.ts of ${to}`;
}

function packageFault(file: string, specifier: string): string | undefined {
  if (roomOf(file) === 'kernel' && /^react/.test(specifier)) return 'the kernel draws nothing';
  return undefined;
}

/** Takes in a file of the build, as a page takes in its scripts; nothing of the API. */
const readsOutlines = 'ui/icons/icon.tsx';

/** All that a file does against the plan. */
function faultsIn(file: string, text: string): string[] {
  const faults = importsIn(text).map((specifier) => {
    const fault = importFault(file, specifier);
    return fault === undefined ? [] : [`${file} imports ${specifier}: ${fault}`];
  });
  return [
    ...faults.flat(),
    ...(rooms.includes(roomOf(file)) ? [] : [`${file} belongs to no room of the plan`]),
    ...(waysOut.test(text) && roomOf(file) !== 'store' && file !== readsOutlines
      ? [`${file} asks the server past the client`]
      : []),
    ...(/\bclient\.(call|send)\(/.test(text) && !mayCall(file)
      ? [`${file} calls routes outside calls.ts`]
      : []),
    ...typesNamedIn(file, text).map(
      (type) => `${file} knows the type '${type}': fields/ can tell what it can do`,
    ),
    ...(/^[^/]+\/index\.tsx?$/.test(file) && !text.startsWith('/*')
      ? [`${file} is a door without a map`]
      : []),
    ...(/^export default\b/m.test(text) ? [`${file} has a default export`] : []),
  ];
}

const files = globSync('**/*.{ts,tsx}', { cwd: sources }).sort();

test('every file keeps to the plan of the house', () => {
  expect(files.length).toBeGreaterThan(3);
  expect(fieldTypes.length).toBeGreaterThan(20);
  expect(files.flatMap((file) => faultsIn(file, sourceOf(file)))).toEqual([]);
});

/** Which files each file needs, types included. A part that is loaded later may well know what loads it. */
const importGraph = (text: (file: string) => string, all: readonly string[]) =>
  new Map(
    all.map((file) => [
      file,
      importsIn(text(file), [neededNow])
        .map((specifier) => normalize(join(dirname(file), specifier)))
        .filter((imported) => all.includes(imported)),
    ]),
  );

test('no file leads to itself by what it imports, types included', () => {
  expect(circlesIn(importGraph(sourceOf, files))).toEqual([]);
  const texts: Readonly<Record<string, string>> = {
    'a/a.tsx': "import type { B } from './b.tsx';",
    'a/b.tsx': "export { C } from './c.tsx';",
    'a/c.tsx': "import { A } from './a.tsx';",
    'a/later.tsx': "import { use } from './use.tsx';",
    'a/use.tsx': "const part = () => import('./later.tsx');",
  };
  const circles = circlesIn(importGraph((file) => texts[file] ?? '', Object.keys(texts)));
  expect(circles).toEqual([['a/a.tsx', 'a/b.tsx', 'a/c.tsx']]);
});

/** Rules for any element beside any other: with one of them a browser finds the looks of the whole page anew whenever a menu opens. */
const costlyRules = (text: string) => text.match(/(?<=[\s,>({}]|^)\*\s*[+~][^{]*/gm) ?? [];

test('no style sheet has a rule for any element beside any other', () => {
  const sheets = globSync('**/*.css', { cwd: sources });
  expect(sheets.length).toBeGreaterThan(20);
  const found = sheets.flatMap((file) => costlyRules(sourceOf(file)).map((rule) => `${file}: ${rule}`));
  expect(found).toEqual([]);
  expect(costlyRules('.text > * + * {} .a *~b {}')).toHaveLength(2);
  expect(costlyRules('.a { width: calc(2 * var(--b) + 1px) } input:checked + * {}')).toEqual([]);
});

/** Files of a room that its map says nothing of; `later-*.tsx` stands for all that begin so. What calls routes is `calls.ts` in every room. */
function leftOutOf(map: string, names: readonly string[]): string[] {
  const patterns = [...map.matchAll(/(?<![\w/-])[\w*-]+\.tsx?\b/g)].map(
    ([name]) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  return names.filter((name) => name !== 'calls.ts' && !patterns.some((pattern) => pattern.test(name)));
}

test('maps name every file of their room', () => {
  const maps = files.filter((file) => /^[^/]+\/index\.tsx?$/.test(file));
  const left = maps.flatMap((index) => {
    const names = files.filter((file) => dirname(file) === dirname(index) && file !== index);
    const map = /^\/\*[\s\S]*?\*\//.exec(sourceOf(index))?.[0] ?? '';
    return leftOutOf(
      map,
      names.map((file) => file.slice(dirname(index).length + 1)),
    ).map((name) => `${index}: ${name}`);
  });
  expect(left).toEqual([]);
  expect(leftOutOf('/* a.tsx, later-*.tsx */', ['a.tsx', 'b.ts', 'calls.ts', 'later-c.tsx'])).toEqual([
    'b.ts',
  ]);
});

describe('a fault is found:', () => {
  test.each([
    ['a control that asks the store', 'ui/a.tsx', "import { useThing } from '../store/index.ts';"],
    ['a room entered by the window', 'tracker/a.tsx', "import { a } from '../artifact/page.tsx';"],
    ['a store that draws', 'store/a.ts', "import { Button } from '../ui/index.ts';"],
    ['a kernel that draws', 'kernel/a.ts', "import { useState } from 'react';"],
    ['a page that fetches by itself', 'home/a.tsx', "fetch('x');"],
    ['a page that calls routes', 'home/page.tsx', 'client.call(route, {});'],
    ['a room nobody planned', 'helpers/a.ts', ''],
    ['a default export', 'ui/a.tsx', 'export default 1;'],
    ['a door without a map', 'ui/index.ts', "export { a } from './a.tsx';"],
    ['a field asked for its type', 'tracker/a.ts', "if (field.type === 'date') go();"],
    ['a type taken out of a field', 'board/a.ts', "fields.find(({ type }) => type !== 'text');"],
    ['a type in front of what is compared', 'board/a.ts', "const a = 'int' === field?.type;"],
    ['a type told from others by cases', 'home/a.ts', "  switch (field.type) {\n    case 'file':\n  }\n"],
    ['a list of a type that is a word of none', 'home/a.ts', "const some = new Set(['msb']);"],
    ['a table by types', 'home/a.ts', 'const some = { tbl: 1 };'],
    ['an element made by its type', 'tracker-admin/a.ts', "add({ type: 'fieldset' });"],
  ])('%s', (_, file, text) => {
    expect(faultsIn(file, text)).toHaveLength(1);
  });

  test.each([
    ['tracker/calls.ts', "import { client } from '../store/index.ts';\nclient.call(route, {});"],
    ['routes.ts', "const page = () => import('./tracker/index.ts');"],
    ['tracker/a.tsx', "import { ArtifactPanel } from '../artifact/index.ts';"],
    ['fields/a.ts', "if (field.type === 'art_link') go();"],
  ])('but none in %s with its proper imports', (file, text) => {
    expect(faultsIn(file, text)).toEqual([]);
  });

  test('several types in a list, one by one', () => {
    expect(typesNamedIn('creation/a.ts', "['file', 'date'].includes(type)")).toEqual(['file', 'date']);
  });

  test.each([
    ["typeof value === 'string'"],
    ["if (page.kind === 'file') open();"],
    ["styles['column']"],
    ["<input type='text' />"],
    ["const pages = ['tree', 'file', 'log'];"],
    ["// field.type === 'sb'"],
    ["switch (kind) {\n  case 'burndown':\n}\n"],
  ])('but no type in words that are something else: %s', (text) => {
    expect(typesNamedIn('tracker/a.tsx', text)).toEqual([]);
  });
});
