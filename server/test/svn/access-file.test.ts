import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  AccessRules,
  type GeneratedAccess,
  mergeAccess,
  readAccessText,
  withoutLostGroups,
  writeAccessFile,
} from '../../src/svn/access/rules.ts';
import { cleanAccessText, renameGroupIn, renamePersonIn } from '../../src/svn/access/text.ts';
import { readChanges, refusedChange } from '../../src/svn/immutable-tags.ts';
import { lacksSubversion } from '../fixtures/svn.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const generated: GeneratedAccess = {
  groups: new Map([
    ['members', ['alice', 'bob']],
    ['developers', ['bob']],
  ]),
  isPublic: true,
  hasDefaultPermissions: true,
};
const written = (text: string, access = generated) =>
  writeAccessFile(mergeAccess(access, readAccessText(text)));
const sectionsOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('the text that a project writes', () => {
  const known = new Set(['members', 'developers']);
  test.each([
    ['@developers = rw', '@developers = rw'],
    ['  @members=r', '@members=r'],
    ['@Developers = rw', '# @Developers = rw'],
    ['@gone = r', '# @gone = r'],
    ['@devel opers = r', '# @devel opers = r'],
    ['[groups]\nown = zoe\n[/]\n@own = rw', '[groups]\nown = zoe\n[/]\n@own = rw'],
    ['@own = rw\n[GROUPS]\nown = zoe', '# @own = rw\n[GROUPS]\nown = zoe'],
    ['nonsense\r\nbob = w', 'nonsense\r\nbob = w'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanAccessText(given, known)).toBe(kept);
  });

  test('follows a group that is renamed, unless it defines one of that name itself', () => {
    expect(renameGroupIn('[/]\n@a = rw\n @a=r\n# @a\n@ab = r', 'a', 'z')).toBe(
      '[/]\n@z = rw\n @z=r\n# @a\n@ab = r',
    );
    const own = '[groups]\na = bob\n[/]\n@a = rw';
    expect(renameGroupIn(own, 'a', 'z')).toBe(own);
  });

  test('follows a person who is renamed, and nobody else', () => {
    const given =
      '[groups]\nbob = ann, Bob,bobby\n  , bob\n[aliases]\nb = bob\n[/bob]\nbob = rw # bob\n ~BOB : r\n# bob = r\n@bob = r\n&bob = r\nbobby =\n';
    const kept =
      '[groups]\nbob = ann, zed,bobby\n  , zed\n[aliases]\nb = zed\n[/bob]\nzed = rw # bob\n ~zed : r\n# bob = r\n@bob = r\n&bob = r\nbobby =\n';
    expect(renamePersonIn(given, 'bob', 'zed')).toBe(kept);
  });
});

describe('the file that Subversion reads', () => {
  test('has one section for each path, in which the project has the last word', () => {
    const text = '[/] * = rw\r\n@members = r\r\nCarol = rw\n[/tags/]\n* =\n[/tags]\nbob = r\n* = r\n';
    expect(sectionsOf(written(text))).toEqual([
      ...['[groups]', 'members = alice, bob', 'developers = bob'],
      ...['[/]', '* = r', '@members = r', 'carol = rw'],
      ...['[/tags]', 'bob = r', '* = r'],
    ]);
  });

  test('has the groups of the project in place of those of the same name', () => {
    const text = '[Groups]\ndevelopers = Zoe, @members\n';
    expect(sectionsOf(written(text)).slice(0, 3)).toEqual([
      '[groups]',
      'members = alice, bob',
      'developers = zoe, @members',
    ]);
  });

  test('is closed to everybody else in a private project, and says nothing of / where that is switched off', () => {
    expect(written('', { ...generated, isPublic: false })).toContain('[/]\n* =\n@members = rw\n');
    expect(written('', { ...generated, hasDefaultPermissions: false })).not.toContain('[/]');
  });

  test('leaves out what is said of groups that are gone', () => {
    const text = '[groups]\nteam = zoe, @gone\n[/]\n@gone = rw\n~@gone = r\n@team = r';
    const file = writeAccessFile(withoutLostGroups(mergeAccess(generated, readAccessText(text))));
    expect(file).not.toContain('gone');
    expect(file).toContain('team = zoe\n');
  });
});

const names = [
  '*',
  'alice',
  'bob',
  'carol',
  '@members',
  '@developers',
  '~alice',
  '~@developers',
  '$authenticated',
  '$anonymous',
];
const paths = ['/', '/trunk', '/trunk/src', '/tags', '/tags/v1'];
const headers = [
  ...paths,
  'firmware:/',
  'firmware:/trunk',
  'firmware:/tags/v1',
  'other:/trunk',
  'Firmware:/',
];
const accessText = fc
  .array(
    fc.record({
      path: fc.constantFrom(...headers),
      name: fc.constantFrom(...names),
      rights: fc.constantFrom('', 'r', 'rw'),
    }),
    { maxLength: 8 },
  )
  .map((rules) => rules.map(({ path, name, rights }) => `[${path}]\n${name} = ${rights}`).join('\n'));

test.skipIf(lacksSubversion)('who may read what is decided as Subversion decides it', () => {
  const file = join(folder, 'access');
  const cases = fc.tuple(
    accessText,
    fc.boolean(),
    fc.constantFrom('alice', 'bob', 'carol'),
    fc.constantFrom(...paths, '/trunk/src/a.c', '/other'),
  );
  fc.assert(
    fc.property(cases, ([text, hasDefaultPermissions, login, path]) => {
      const sections = mergeAccess({ ...generated, hasDefaultPermissions }, readAccessText(text));
      writeFileSync(file, writeAccessFile(sections));
      const says = (...more: string[]) => {
        const args = ['accessof', '--username', login, '--repository', 'firmware', '--path', path, ...more];
        return execFileSync('svnauthz', [...args, file], { encoding: 'utf8' }).includes('r');
      };
      const rules = new AccessRules(sections, 'firmware');
      expect(rules.mayRead(login, path), `${login} ${path}\n${text}`).toBe(says());
      // Of the root Subversion looks one folder deep only.
      if (path !== '/')
        expect(rules.mayReadBelow(login, path), `all of ${path} for ${login}\n${text}`).toBe(says('-R'));
    }),
    { numRuns: 150 },
  );
});

describe('immutable tags', () => {
  const tags = { paths: ['/tags'], whitelist: [] as string[] };
  const withModule = { ...tags, whitelist: ['/tags/moduleA'] };
  const refused = async (changed: string, given = tags, hides = false) =>
    (await refusedChange(readChanges(changed), given, async () => hides))?.path;

  test.each([
    ['A   tags/v1/', undefined, undefined],
    ['A   tags/moduleA/', undefined, undefined],
    ['A   tags/README', undefined, undefined],
    ['A   tags/moduleA/v1/', 'tags/moduleA/v1', undefined],
    ['A   tags/moduleA/v1/file', 'tags/moduleA/v1/file', 'tags/moduleA/v1/file'],
    ['A   tags/moduleB/v1/', 'tags/moduleB/v1', 'tags/moduleB/v1'],
    ['A   tags/v3/\nA   tags/v3/docs/', 'tags/v3/docs', 'tags/v3/docs'],
    ['U   tags/v1/file', 'tags/v1/file', 'tags/v1/file'],
    ['_U  tags/v1/', 'tags/v1', 'tags/v1'],
    ['UU  tags/README', 'tags/README', 'tags/README'],
    ['D   tags/v1/', 'tags/v1', 'tags/v1'],
    ['D   tags/', 'tags', 'tags'],
    ['U   trunk/file\nA   trunk/a/b/c', undefined, undefined],
    ['U   tagsold/file', undefined, undefined],
    ['D   Tags/', undefined, undefined],
  ])('%j is refused at %s, and with a whitelist at %s', async (changed, without, withOne) => {
    expect([await refused(changed), await refused(changed, withModule)]).toEqual([without, withOne]);
  });

  test('a star stands for a part of one name', async () => {
    const given = { paths: ['/*/tags'], whitelist: ['*/tags/module*'] };
    expect(await refused('U   lib/tags/x', given)).toBe('lib/tags/x');
    expect(await refused('U   tags/x\nU   a/b/tags/x', given)).toBeUndefined();
    expect(await refused('A   lib/tags/moduleB/v1/', given)).toBeUndefined();
    expect(await refused('A   lib/tags/module/v1/', given)).toBe('lib/tags/module/v1');
    expect(await refused('D   lib/', given, true)).toBe('lib');
    expect(await refused('D   lib/', given, false)).toBeUndefined();
  });
});
