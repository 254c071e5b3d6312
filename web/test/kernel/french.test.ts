import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { platformAdmin as en } from '../../src/messages/en/platform-admin.ts';
import { platformAdmin as fr } from '../../src/messages/fr/platform-admin.ts';

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

test('what waits on the platform is counted as each language counts', () => {
  expect(en.health.queues(1, 0, 2)).toBe('1 event · 0 deliveries · 2 imports waiting');
  expect(fr.health.queues(1, 0, 2)).toBe('1 événement · 0 envoi · 2 imports en attente');
  expect(en.overview.waitingWords(0, 1, 1)).toBe('0 mails · 1 webhook delivery · 1 import');
  expect(fr.overview.waitingWords(0, 1, 2)).toBe('0 courriel · 1 envoi de webhook · 2 imports');
});
