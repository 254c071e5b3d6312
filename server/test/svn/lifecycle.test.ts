import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { ArchiveBench, ArchiveShelf, projectXml, usersXml } from '../fixtures/project-archive.ts';
import { createRepository, lacksSubversion } from '../fixtures/svn.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

/** Two revisions: a folder, and a file in it. */
const dump = `SVN-fs-dump-format-version: 2

UUID: 0b2d3b3e-6d38-4d6e-9a9c-6d1d3a1f2c11

Revision-number: 0
Prop-content-length: 10
Content-length: 10

PROPS-END

Revision-number: 1
Prop-content-length: 104
Content-length: 104

K 8
svn:date
V 27
2021-03-04T05:06:07.000000Z
K 7
svn:log
V 6
Begin.
K 10
svn:author
V 4
otto
PROPS-END

Node-path: trunk
Node-kind: dir
Node-action: add
Prop-content-length: 10
Content-length: 10

PROPS-END

Node-path: trunk/seed.txt
Node-kind: file
Node-action: add
Prop-content-length: 10
Text-content-length: 5
Content-length: 15

PROPS-END
corn

`.replace('Prop-content-length: 45\nContent-length: 45', 'Prop-content-length: 63\nContent-length: 63');

const engines = oneEngine(
  'PostgreSQL',
  'what becomes of folders and dumps is done outside of the database; several at once are harder here',
);

describe.skipIf(lacksSubversion).each(engines)('the life of repositories on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let bench: ArchiveBench;
  const shelf = new ArchiveShelf();
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'Pump', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    await atelier.configure({ svn_deletion_delay: 0 });
    bench = await ArchiveBench.open(atelier.instance);
  });
  afterAll(async () => {
    shelf.remove();
    await bench.close();
    await atelier.stop();
  });

  const inFolder = (...path: string[]) => join(atelier.instance.folder, ...path);
  const folderOf = (name: string, projectId = project) => inFolder('svn_plugin', String(projectId), name);
  const isGone = (id: number) =>
    eventually(async () => expect((await alice.get(`/svn/${id}`)).status).toBe(404));
  const youngest = (name: string, projectId = project) =>
    Number(execFileSync('svnlook', ['youngest', folderOf(name, projectId)], { encoding: 'utf8' }));
  const listed = async () => (await atelier.admin.get('/deleted_svn')).body as { id: number; name: string }[];

  test('a deleted one is dumped, can be brought back with all its settings, and its name is not free', async () => {
    const settings = {
      layout: ['trunk'],
      access_file: '[/trunk]\nbob = r',
      immutable_tags: { paths: ['/tags'], whitelist: [] },
    };
    const { id } = await createRepository(alice, project, 'returning', settings);
    const before = (await alice.get(`/svn/${id}`)).body;
    expect((await alice.delete(`/svn/${id}`)).status).toBe(202);
    await isGone(id);
    await eventually(async () => expect((await listed()).map((one) => one.id)).toEqual([id]));
    await eventually(() => expect(existsSync(folderOf('returning'))).toBe(false));
    const [file = ''] = readdirSync(inFolder('backup', 'svn'));
    expect(file).toMatch(/^returning\d{10}\.svn$/);
    expect(statSync(inFolder('backup', 'svn', file)).mode & 0o777).toBe(0o640);
    expect((await alice.post('/svn', { project_id: project, name: 'Returning' })).status).toBe(409);
    expect((await alice.get(`/projects/${project}/svn`)).body.repositories).toEqual([]);
    expect((await alice.get('/deleted_svn')).status).toBe(403);
    expect((await alice.post(`/deleted_svn/${id}/restore`)).status).toBe(403);
    const restored = await atelier.admin.post(`/deleted_svn/${id}/restore`);
    expect([restored.status, restored.body.name], restored.text).toEqual([200, 'returning']);
    expect((await alice.get(`/svn/${id}`)).body).toEqual(before);
    expect([youngest('returning'), existsSync(join(folderOf('returning'), 'hooks', 'pre-commit'))]).toEqual([
      1,
      true,
    ]);
    expect((await atelier.admin.post(`/deleted_svn/${id}/restore`)).status).toBe(404);
    const events = (await atelier.admin.get('/system_event?status=done&limit=100')).body;
    expect(events.map(({ type }: { type: string }) => type).slice(-2)).toEqual([
      'Tuleap\\SVN\\Events\\SystemEvent_SVN_DELETE_REPOSITORY',
      'Tuleap\\SVN\\Events\\SystemEvent_SVN_RESTORE_REPOSITORY',
    ]);
  });

  test('those that share a name, and one with the longest name, each come back with what was theirs', async () => {
    const others = await Promise.all(
      ['Fan', 'Valve'].map(async (name) => (await createProject(alice, name, { is_public: false })).id),
    );
    const places = [
      ...[project, ...others].map((id) => ({ project: id, name: 'shared' })),
      // The dump of it cannot have its whole name: files have names of 255 bytes at the most.
      ...['a', 'b'].map((end) => ({ project, name: `${'n'.repeat(254)}${end}` })),
    ];
    const made = await Array.fromAsync(places, async (place, at) => {
      const { id } = await createRepository(alice, place.project, place.name, { layout: [`only-in-${at}`] });
      return id as number;
    });
    await Promise.all(made.map((id) => alice.delete(`/svn/${id}`)));
    await eventually(async () =>
      expect((await listed()).map(({ id }) => id)).toEqual(expect.arrayContaining(made)),
    );
    for (const [at, id] of made.entries()) {
      expect((await atelier.admin.post(`/deleted_svn/${id}/restore`)).status).toBe(200);
      const { entries } = (await alice.get(`/svn/${id}/tree`)).body;
      expect(entries.map(({ name }: { name: string }) => name)).toEqual([`only-in-${at}`]);
    }
    expect(readdirSync(inFolder('backup', 'svn'))).toEqual([]);
  });

  test('one that several people bring back at once comes back once and whole', async () => {
    const { id } = await createRepository(alice, project, 'wanted', { layout: ['trunk'] });
    await alice.delete(`/svn/${id}`);
    await isGone(id);
    await eventually(async () => expect((await listed()).map((one) => one.id)).toContain(id));
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => atelier.admin.post(`/deleted_svn/${id}/restore`)),
    );
    const statuses = tries.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([404, 409]).toContain(status);
    expect(youngest('wanted')).toBe(1);
    expect((await alice.delete(`/svn/${id}/deletion`)).status).toBe(404);
  });

  test('people who leave a private project, and groups that are deleted, are no longer told of commits', async () => {
    const group = await createGroup(alice, project, 'watchers');
    const notify = (path: string, more: object) => ({
      path,
      emails: [],
      users: [],
      user_groups: [],
      ...more,
    });
    const { id } = await createRepository(alice, project, 'watched', {
      email_notifications: [
        notify('/a', { users: [bob.id] }),
        notify('/b', { users: [bob.id], emails: ['x@example.com'] }),
        notify('/c', { user_groups: [group] }),
      ],
    });
    const paths = async () =>
      (await alice.get(`/svn/${id}`)).body.settings.email_notifications.map(
        ({ path }: { path: string }) => path,
      );
    await alice.delete(`/user_groups/${group}`);
    expect(await paths()).toEqual(['/a', '/b']);
    await setMembers(alice, `${project}_3`, [alice]);
    expect(await paths()).toEqual(['/b']);
  });

  const archive = (shortname: string, content: string, more: Record<string, string>) =>
    shelf.add({
      'project.xml': projectXml(shortname, `<svn>${content}</svn>`),
      'users.xml': usersXml([]),
      ...more,
    });

  test('an imported project has its repositories with their history, and exports them again', async () => {
    const longest = `z${'y'.repeat(254)}`;
    const content =
      '<repository name="plots" dump-file="svn/plots.svn"><access-file>\n  [/trunk]\n* = r\n  </access-file>' +
      '<notification path="/trunk" emails="a@example.com"/><notification path="/tags" emails=" , "/>' +
      '<notification path="/trunk" emails="a@example.com, b@example.com"/></repository>' +
      '<repository name="empty"/><repository name="faulty"><access-file>[/]\n@nobody = rw</access-file></repository>' +
      `<repository name="${longest}" dump-file="svn/plots.svn"/>`;
    const report = await bench.import(archive('garden', content, { 'svn/plots.svn': dump }));
    expect(report.counts).toMatchObject({ repositories: 4 });
    expect(report.warnings).toMatchObject([{ code: 'access_file_refused' }]);
    const { repositories } = (await atelier.admin.get(`/projects/${report.project.id}/svn`)).body;
    expect(repositories.map(({ name }: { name: string }) => name)).toEqual([
      'empty',
      'faulty',
      'plots',
      longest,
    ]);
    const { settings } = (await atelier.admin.get(`/svn/${repositories[2].id}`)).body;
    expect(settings).toMatchObject({
      access_file: '[/trunk]\n* = r',
      email_notifications: [{ path: '/trunk', emails: ['a@example.com', 'b@example.com'] }],
    });
    expect(youngest('plots', report.project.id)).toBe(1);
    const log = (await atelier.admin.get(`/svn/${repositories[2].id}/log`)).body;
    expect(log.revisions).toMatchObject([{ revision: 1, author: 'otto', message: 'Begin.' }]);
    const listed = JSON.parse((await atelier.cli('svn', 'list', 'garden', '--json')).stdout);
    expect(listed.map((one: { last_commit: string | null }) => one.last_commit)).toEqual([
      ...[null, null, '2021-03-04T06:06:07+01:00', '2021-03-04T06:06:07+01:00'],
    ]);
    const strict = {
      commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false },
      immutable_tags: { paths: ['/tags'], whitelist: [] },
      email_notifications: [],
      access_file: '[/trunk]\n* = r\n[/]\notto = r',
      has_default_permissions: false,
    };
    const changed = await atelier.admin.put(`/svn/${repositories[2].id}`, { settings: strict });
    expect(changed.status, changed.text).toBe(200);
    const out = inFolder('garden.zip');
    const exported = await atelier.cli('export', 'garden', '--out', out);
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.stdout).toContain(
      'Archives have no form for commit rules and immutable tags of the repository plots: left out.\n',
    );
    const again = await bench.import(out, { name: 'garden-two', automap: 'no-email,create:A' });
    expect(again.counts).toMatchObject({ repositories: 4 });
    // Nobody gets in elsewhere who did not here.
    expect((await atelier.cli('svn', 'renew-access')).code).toBe(0);
    const accessFile = inFolder('svn_plugin', String(again.project.id), 'plots', '.SVNAccessFile');
    expect(readFileSync(accessFile, 'utf8')).toMatch(/\n\[\/\]\n\* =\n@members =\notto = r\n/);
    for (const name of ['plots', longest]) expect(youngest(name, again.project.id)).toBe(1);
  });

  test('a dump that cannot be loaded stops the import, and nothing is left', async () => {
    const broken = archive(
      'broken',
      '<repository name="fine"/><repository name="plots" dump-file="svn/plots.svn"/>',
      { 'svn/plots.svn': dump.replace('Node-action: add', 'Node-action: change') },
    );
    const before = readdirSync(inFolder('svn_plugin')).length;
    const refused = await bench.import(broken).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(String(refused)).toContain('plots');
    const left = readdirSync(inFolder('svn_plugin')).flatMap((one) =>
      one.startsWith('.') ? [] : readdirSync(inFolder('svn_plugin', one)),
    );
    expect([left.filter((name) => name === 'fine'), before]).toEqual([[], expect.any(Number)]);
  });

  // The last: whoever is served again is served at another port.
  test('one that was deleted long ago is archived and forgotten', async () => {
    const { id } = await createRepository(alice, project, 'forgotten');
    await alice.delete(`/svn/${id}`);
    await eventually(async () => expect((await listed()).map(({ name }) => name)).toContain('forgotten'));
    await atelier.sql(`update svn_repository set deleted_at = 1000 where id = ${id}`);
    await atelier.sql("delete from job where name = 'purge-repositories'");
    await atelier.restart();
    await eventually(async () => expect((await listed()).map(({ name }) => name)).toEqual([]));
    expect(readdirSync(inFolder('deleted')).some((file) => file.startsWith('svn_forgotten'))).toBe(true);
    await createRepository(atelier.admin, project, 'forgotten');
  });
});
