import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/messages/', import.meta.url));
const lines = globSync('fr/**/*.ts', { cwd: folder }).flatMap((file) =>
  readFileSync(`${folder}${file}`, 'utf8')
    .split('\n')
    .map((line) => `${file}: ${line.trim()}`),
);

test('in French a thing has one name on all pages: an artefact is no artéfact, and a tracker is not what one follows', () => {
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines.filter((line) => /artéfact|traqueur/i.test(line))).toEqual([]);
  expect(lines.filter((line) => /tracker\w*: .*suivi/i.test(line))).toEqual([]);
  expect(lines.filter((line) => /\b(aucun|ce|de|des|du|le|les|ses|un|vos) suivis?\b/i.test(line))).toEqual(
    [],
  );
});

test('in French nothing is counted as several before there are two', () => {
  expect(lines.filter((line) => /=== 1 \? ['`]1 /.test(line))).toEqual([]);
});
