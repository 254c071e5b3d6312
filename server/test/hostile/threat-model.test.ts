import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settingDefinitions } from '../../src/identity/settings.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

const named = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

test('the threat model names tests that there are', () => {
  const tests = named(read('docs/threat-model.md'), /`([\w/-]+\.test\.ts)`/g);
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((path) => !existsSync(`${root}server/test/${path}`))).toEqual([]);
});

test('what is installed has a digest, and nothing of it runs', () => {
  const packages: Readonly<Record<string, { link?: boolean; integrity?: string }>> = JSON.parse(
    read('package-lock.json'),
  ).packages;
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => /node_modules\//.test(path) && !link,
  );
  expect(installed.length).toBeGreaterThan(200);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(read('scripts/install.mjs')).toContain("'--ignore-scripts'");
});

test('the promises name settings that there are', () => {
  const promises = read('SECURITY.md');
  const variables = named(promises, /`(ATELIER_\w+)/g);
  const operations = read('docs/operations.md');
  expect(variables.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  const settings = named(promises, /`((?:query|login|artifact)_[a-z_]+)`/g);
  expect(settings.length).toBeGreaterThan(5);
  expect(settings.filter((name) => !Object.hasOwn(settingDefinitions, name))).toEqual([]);
});
