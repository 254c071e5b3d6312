import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

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

const importPatterns = [
  /^\s*(?:import|export)\s(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"`]([^'"`]+)['"`]/g,
];

const roomOf = (file: string) => (file.includes('/') ? (file.split('/', 1)[0] ?? '') : 'top');

const importsIn = (text: string) =>
  importPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));

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

/** All that a file does against the plan. */
function faultsIn(file: string, text: string): string[] {
  const faults = importsIn(text).map((specifier) => {
    const fault = importFault(file, specifier);
    return fault === undefined ? [] : [`${file} imports ${specifier}: ${fault}`];
  });
  return [
    ...faults.flat(),
    ...(rooms.includes(roomOf(file)) ? [] : [`${file} belongs to no room of the plan`]),
    ...(waysOut.test(text) && roomOf(file) !== 'store' ? [`${file} asks the server past the client`] : []),
    ...(/\bclient\.(call|send)\(/.test(text) && !mayCall(file)
      ? [`${file} calls routes outside calls.ts`]
      : []),
    ...(/^export default\b/m.test(text) ? [`${file} has a default export`] : []),
  ];
}

const sources = fileURLToPath(new URL('../src/', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: sources }).sort();

test('every file keeps to the plan of the house', () => {
  expect(files.length).toBeGreaterThan(3);
  expect(files.flatMap((file) => faultsIn(file, readFileSync(join(sources, file), 'utf8')))).toEqual([]);
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
  ])('%s', (_, file, text) => {
    expect(faultsIn(file, text)).toHaveLength(1);
  });

  test.each([
    ['tracker/calls.ts', "import { client } from '../store/index.ts';\nclient.call(route, {});"],
    ['routes.ts', "const page = () => import('./tracker/index.ts');"],
    ['tracker/a.tsx', "import { ArtifactPanel } from '../artifact/index.ts';"],
  ])('but none in %s with its proper imports', (file, text) => {
    expect(faultsIn(file, text)).toEqual([]);
  });
});
