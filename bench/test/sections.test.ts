import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepingSections, withSection, writeSection } from '../src/report/sections.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-sections-'));
afterAll(() => rmSync(folder, { recursive: true }));

const document = '# Title\n\nWords.\n\n## One\n1\n\n## The machine\nTwo cores.\n';

test('a new section stands before the machine, and takes the place of an older one of its name', () => {
  const with2 = withSection(document, 'Two', '2');
  expect(with2).toBe('# Title\n\nWords.\n\n## One\n1\n\n## Two\n2\n\n## The machine\nTwo cores.\n');
  expect(withSection(with2, 'Two', 'another')).toBe(with2.replace('\n2\n', '\nanother\n'));
});

test('what is written anew keeps the sections that others wrote', () => {
  const path = join(folder, 'document.md');
  writeFileSync(path, document);
  writeSection(path, 'Two', '2');
  const anew = document.replace('\n1\n', '\n11\n');
  expect(keepingSections(anew, path)).toBe(readFileSync(path, 'utf8').replace('\n1\n', '\n11\n'));
  expect(keepingSections(anew, join(folder, 'none.md'))).toBe(anew);
});
