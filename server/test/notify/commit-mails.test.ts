import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesDirectory } from '../../src/notify/commit-mail.ts';
import { type Commits, commitMails, writeCommitMail } from '../../src/notify/index.ts';
import type { Database } from '../../src/storage/index.ts';
import type { CommitFacts, Notification } from '../../src/svn/index.ts';
import { createGroup, createProject, databaseOf, setMembers } from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

test.each([
  ['/', 'trunk/src', true],
  ['/', '', true],
  ['/trunk', 'trunk/src', true],
  ['/trunk/', 'trunk/src', true],
  ['/trunk', 'lib/src', false],
  ['/trunk', 'trunk2', false],
  ['/trunk/src/main.c', 'trunk/src', false],
  ['/*/src', 'trunk/src', true],
  ['/*/src', 'lib/src', true],
  ['/trunk/*/deep', 'trunk/src', false],
  ['/tr*', 'trunk', false],
  ['trunk', 'trunk', false],
  ['/Trunk', 'trunk', false],
])('a notification for %s hears of a change in %j: %s', (path, directory, hears) => {
  expect(matchesDirectory(path, directory)).toBe(hears);
});

describe.each(engines)('mails about commits on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let group: number;
  let facts: CommitFacts;
  const commit = { repositoryId: 7, revision: 42 };
  const publicUrl = 'https://forge.example.org';

  const about = (notifications: readonly Notification[], of: Partial<CommitFacts> = {}): Commits => ({
    notifications: async () => notifications,
    facts: async () => ({ ...facts, ...of }),
    shownTo: async (_accountId, _commit, whole) => whole,
    seenBy: async () => undefined,
  });
  const notification = (path: string, who: Partial<Notification>): Notification => ({
    path,
    emails: [],
    users: [],
    groups: [],
    ...who,
  });
  async function recipientsOf(notifications: readonly Notification[], of: Partial<CommitFacts> = {}) {
    database.renew();
    const mails = await commitMails(commit, { database, commits: about(notifications, of), publicUrl });
    return mails.map(({ accountId, address }) => accountId ?? address);
  }
  async function written(of: Partial<CommitFacts>, isTruncated: boolean) {
    const payload = JSON.stringify(commit);
    const order = { kind: 'svn-commit', payload, accountId: bob.id, address: null, projectId: 1 };
    return writeCommitMail(order, { database, commits: about([], of), publicUrl }, async () => isTruncated);
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    database = await databaseOf(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'source', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [bob]);
    group = Number(friends);
    facts = {
      project: { id: project, shortname: 'Source', isPrivate: true },
      repository: 'firmware',
      subjectHeader: '',
      committer: { login: 'alice', address: 'alice@example.com' },
      at: Date.UTC(2026, 0, 31, 11),
      message: 'Mend it.\n\nAll of it.',
      directories: ['trunk/src', 'trunk'],
      updated: ['trunk/src/main c.c'],
      added: ['trunk/new.c'],
      deleted: [],
      sources: [],
      isPartial: false,
    };
  });
  afterAll(async () => {
    await database?.close();
    await atelier?.stop();
  });

  test('go to users, members of groups and addresses, each once, the committer included', async () => {
    const people = [
      notification('/trunk', { users: [alice.id], groups: [group], emails: ['list@example.com'] }),
      notification('/*/src', { users: [alice.id, bob.id], emails: ['LIST@example.com', 'bob@example.com'] }),
      notification('/tags', { users: [carol.id] }),
    ];
    expect(await recipientsOf(people)).toEqual([alice.id, bob.id, 'list@example.com']);
    expect(await recipientsOf(people.slice(2))).toEqual([]);
    expect(await recipientsOf([notification('/', { emails: ['a@b, c@d', 'x\r\nBcc: y@z'] })])).toEqual([]);
  });

  test('do not go to people who switched mails off, unless their address is named', async () => {
    const wish = (is_enabled: boolean) => bob.patch(`/users/${bob.id}/mail_notifications`, { is_enabled });
    expect((await wish(false)).status).toBe(200);
    const named = notification('/', { users: [bob.id, alice.id], groups: [group] });
    expect(await recipientsOf([named])).toEqual([alice.id]);
    const withAddress = { ...named, emails: ['bob@example.com'] };
    expect(await recipientsOf([withAddress])).toEqual([alice.id, 'bob@example.com']);
    await wish(true);
  });

  test('do not go to people whose account cannot be used', async () => {
    const dave = await atelier.createUser('dave');
    await atelier.admin.patch(`/users/${dave.id}`, { status: 'S' });
    expect(await recipientsOf([notification('/', { users: [dave.id, bob.id] })])).toEqual([bob.id]);
  });

  test('of a private project go only to those who may look into it, where the platform wants that', async () => {
    const people = [
      notification('/', { users: [bob.id, carol.id], emails: ['list@example.com', 'alice@example.com'] }),
    ];
    await atelier.configure({ secure_mail: true });
    expect(await recipientsOf(people)).toEqual([bob.id, 'alice@example.com']);
    const isPublic = { project: { ...facts.project, isPrivate: false } };
    expect(await recipientsOf(people, isPublic)).toHaveLength(4);
    await atelier.configure({ secure_mail: false });
    expect(await recipientsOf(people)).toHaveLength(4);
  });

  test('tell what was committed, by whom, and where to see it', async () => {
    const message = await written({}, false);
    expect(message?.subject).toBe('r42 trunk/src trunk');
    const revision = `${publicUrl}/plugins/svn?roottype=svn&view=rev&root=Source/firmware&revision=42`;
    const diff = (path: string) =>
      `${publicUrl}/plugins/svn/${path}?roottype=svn&root=Source/firmware&r1=41&r2=42`;
    for (const part of [
      'Repository: Source/firmware',
      'Committer: alice <alice@example.com>',
      revision,
      'Mend it.\n\nAll of it.',
      'Updated files:\n    trunk/src/main c.c',
      'Added files:\n    trunk/new.c',
      diff('trunk/src/main%20c.c'),
      diff('trunk/new.c'),
    ])
      expect(message?.text).toContain(part);
    expect(message?.text).not.toContain('Deleted files');
    const many = { directories: ['a', 'b', 'c', 'd'], subjectHeader: '[fw]\n' };
    expect((await written(many, false))?.subject).toBe('[fw] r42 a b c...');
  });

  test('name a thousand files of a whole tree that came, and how many more there are', async () => {
    const added = Array.from({ length: 2500 }, (_, index) => `trunk/${index}.c`);
    const lines = (await written({ added, updated: [] }, false))?.text.split('\n') ?? [];
    expect(lines).toContain('    trunk/999.c');
    expect(lines).not.toContain('    trunk/1000.c');
    // Of the files, and of the links to their differences.
    expect(lines.filter((line) => line === '    and 1500 more')).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith(publicUrl))).toHaveLength(1001);
  });

  test('tell nothing but where to look, where the project wishes so', async () => {
    const message = await written({}, true);
    expect(message?.subject).toBe('New commit');
    expect(message?.text).toContain('&revision=42');
    expect(message?.text).not.toMatch(/Mend|main|alice/);
  });
});
