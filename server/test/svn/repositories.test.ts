import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGroup, createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { createRepository, lacksSubversion, wholeSettings } from '../fixtures/svn.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

describe.skipIf(lacksSubversion).each(usuallyOn('SQLite'))('Subversion repositories on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let closed: number;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'Pump')).id;
    closed = (await createProject(alice, 'vault', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  const folderOf = (name: string) => join(atelier.instance.folder, 'svn_plugin', String(project), name);
  const accessFileOf = (name: string) => readFileSync(join(folderOf(name), '.SVNAccessFile'), 'utf8');
  const create = (body: object, person: Person = alice) => person.post('/svn', body);

  test('are listed by the command line', async () => {
    const { id } = await createRepository(alice, project, 'shelf');
    const { stdout } = await atelier.cli('svn', 'list', 'pump', '--json');
    expect(JSON.parse(stdout)).toContainEqual({
      ...{ id, project: 'Pump', name: 'shelf', path: '/svnplugin/Pump/shelf' },
      ...{ last_commit: null, deletion_due: null },
    });
    expect((await atelier.cli('svn', 'list')).stdout).toMatch(/^\d+ +Pump +shelf +never +no /m);
    expect((await alice.delete(`/svn/${id}`)).status).toBe(202);
  });

  test('name a person who is renamed as before, in a new version of the access file', async () => {
    const xavier = await atelier.createUser('xavier');
    const access_file = '[/]\n@members = r\nXavier = rw';
    const named = await create({ project_id: project, name: 'named', settings: { access_file } });
    const other = await create({
      project_id: project,
      name: 'other',
      settings: { access_file: '[/]\nbob = r' },
    });
    expect((await atelier.admin.patch(`/users/${xavier.id}`, { username: 'professor' })).status).toBe(200);
    const contents = async (id: number) =>
      (await alice.get(`/svn/${id}/access_versions`)).body.map(
        (one: { access_file: string }) => one.access_file,
      );
    expect(await contents(named.body.id)).toEqual(['[/]\n@members = r\nprofessor = rw', access_file]);
    expect(await contents(other.body.id)).toEqual(['[/]\nbob = r']);
    for (const { body } of [named, other]) expect((await alice.delete(`/svn/${body.id}`)).status).toBe(202);
  });

  test('are created with their settings and are on disk when the answer comes', async () => {
    const developers = await createGroup(alice, project, 'developers');
    const settings = {
      layout: ['/trunk', 'branches/', '/tags', '/./trunk//src'],
      commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false },
      immutable_tags: { paths: ['/tags '], whitelist: [' /tags/moduleA'] },
      access_file: '  [/tags]\r\n@members = rw\r\n@nobodys = rw\n ',
      email_notifications: [
        {
          path: '/trunk',
          emails: ['build@example.com'],
          users: [bob.id],
          user_groups: [`${project}_3`, developers],
        },
      ],
    };
    const { status, body, headers } = await create({ project_id: project, name: 'firmware', settings });
    expect([status, headers.get('location')]).toEqual([201, null]);
    expect(body).toEqual({
      id: expect.any(Number),
      project: {
        ...{
          id: project,
          uri: `projects/${project}`,
          label: 'Project Pump',
          label_without_icon: 'Project Pump',
        },
        ...{ shortname: 'pump', status: 'active', access: 'public', is_template: false },
      },
      uri: `svn/${body.id}`,
      name: 'firmware',
      svn_url: `${atelier.url}/svnplugin/Pump/firmware`,
      resources: expect.arrayContaining([{ type: 'tree', uri: `svn/${body.id}/tree` }]),
      ...{ last_commit: null, is_deletion_pending: false, may_administer: true },
      settings: {
        commit_rules: settings.commit_rules,
        immutable_tags: { paths: ['/tags'], whitelist: ['/tags/moduleA'] },
        access_file: '[/tags]\r\n@members = rw\r\n# @nobodys = rw',
        email_notifications: [
          {
            path: '/trunk',
            emails: ['build@example.com'],
            users: [expect.objectContaining({ id: bob.id, username: 'bob' })],
            user_groups: [
              expect.objectContaining({ id: `${project}_3`, short_name: 'project_members' }),
              expect.objectContaining({ id: developers, short_name: 'developers' }),
            ],
          },
        ],
        has_default_permissions: true,
      },
    });
    expect(existsSync(join(folderOf('firmware'), 'db', 'revs', '0', '1'))).toBe(true);
    for (const hook of ['pre-commit', 'post-commit', 'pre-revprop-change', 'post-revprop-change'])
      expect(existsSync(join(folderOf('firmware'), 'hooks', hook))).toBe(true);
    expect(accessFileOf('firmware')).toContain(
      '[groups]\nmembers = alice, bob\n\n[/]\n* = r\n@members = rw\n',
    );
    expect((await alice.get(`/svn/${body.id}`)).body).toEqual(body);
  });

  test('need nothing but a project and a name', async () => {
    const { id } = await createRepository(alice, project, 'Plain');
    const { settings } = (await alice.get(`/svn/${id}`)).body;
    expect(settings).toEqual({ ...wholeSettings, has_default_permissions: true });
    expect(existsSync(join(folderOf('Plain'), 'db', 'revs', '0', '1'))).toBe(false);
    const withNull = await create({ project_id: project, name: 'with-null', settings: null });
    expect(withNull.status).toBe(201);
  });

  test('are made from XML as well', async () => {
    const rawBody =
      `<request><project_id>${project}</project_id><name>from-xml</name><settings><layout><item>trunk</item></layout>` +
      '<immutable_tags><paths><item>/tags</item></paths><whitelist/></immutable_tags></settings></request>';
    const headers = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
    const reply = await alice.request('POST', '/svn', { rawBody, headers });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.text).toContain('<immutable_tags><paths><item>/tags</item></paths>');
  });

  test('show their settings to those who administer them only', async () => {
    const { id } = await createRepository(alice, project, 'secretive');
    for (const caller of [bob, carol, atelier.anonymous]) {
      const { status, body } = await caller.get(`/svn/${id}`);
      expect([status, body.name, 'settings' in body]).toEqual([200, 'secretive', false]);
    }
    expect('settings' in (await atelier.admin.get(`/svn/${id}`)).body).toBe(true);
    const allow = async (path: string) => (await alice.request('OPTIONS', path)).headers.get('allow');
    expect(await allow('/svn')).toBe('OPTIONS, POST');
    expect(await allow(`/svn/${id}`)).toBe('OPTIONS, GET, PUT, DELETE');
    expect(await allow(`/projects/${project}/svn`)).toBe('OPTIONS, GET');
  });

  test('are listed by name, found by the whole of it, and paged', async () => {
    const listed = (await createProject(alice, 'listed')).id;
    for (const name of ['zeta', 'Alpha', 'beta']) await createRepository(alice, listed, name);
    const path = `/projects/${listed}/svn`;
    const names = (body: { repositories: { name: string }[] }) => body.repositories.map(({ name }) => name);
    const all = await atelier.anonymous.get(path);
    expect([names(all.body), sizeOf(all)]).toEqual([['Alpha', 'beta', 'zeta'], 3]);
    expect(all.headers.get('x-pagination-limit-max')).toBe('50');
    expect('settings' in all.body.repositories[0]).toBe(false);
    const page = await alice.get(`${path}?limit=1&offset=1`);
    expect([names(page.body), sizeOf(page)]).toEqual([['beta'], 3]);
    const queried = async (query: string) => alice.get(`${path}?query=${encodeURIComponent(query)}`);
    expect(names((await queried('{"name":"ALPHA"}')).body)).toEqual(['Alpha']);
    expect(names((await queried('{"name":"alph"}')).body)).toEqual([]);
    expect(names((await queried('{"name":""}')).body)).toHaveLength(3);
    for (const wrong of ['[]', 'x', '{}', '{"name":3}'])
      expect((await queried(wrong)).status, wrong).toBe(400);
    expect((await alice.get(`${path}?limit=51`)).status).toBe(400);
    expect((await alice.get('/projects/99999/svn')).status).toBe(404);
    expect((await bob.get(`/projects/${closed}/svn`)).status).toBe(403);
    const { resources } = (await alice.get(`/projects/${listed}`)).body;
    expect(resources).toContainEqual({ type: 'svn', uri: `projects/${listed}/svn` });
  });

  test.each<[string, number, (name: string) => object]>([
    ['no project', 400, (name) => ({ name })],
    ['no name', 400, () => ({ project_id: 0 })],
    [
      'half of the rules',
      400,
      (name) => ({ name, settings: { commit_rules: { is_reference_mandatory: true } } }),
    ],
    ['half of the tags', 400, (name) => ({ name, settings: { immutable_tags: { paths: [] } } })],
    ['a layout that leads out', 400, (name) => ({ name, settings: { layout: ['/trunk/../..'] } })],
    ['a name that somebody has', 409, () => ({ name: 'PLAIN' })],
    [
      'tags that are too long',
      400,
      (name) => ({ name, settings: { immutable_tags: { paths: ['x'.repeat(65_536)], whitelist: [] } } }),
    ],
    [
      'a section that Subversion does not know',
      400,
      (name) => ({ name, settings: { access_file: '[nonsense]\n* = r' } }),
    ],
    ['a line that is none', 400, (name) => ({ name, settings: { access_file: '[/]\nwhatever' } })],
  ])('are not created with %s', async (what, status, body) => {
    const name = `refused-${what.replace(/\W/g, '')}`;
    const given = { project_id: project, ...body(name) };
    const reply = await create(
      'project_id' in body(name) ? { project_id: project } : what === 'no project' ? { name } : given,
    );
    expect([reply.status, existsSync(folderOf(name))]).toEqual([status, false]);
  });

  test.each(['ab', '1abc', 'a/bcd', '..', 'x'.repeat(256)])(
    'are not called %s: 409 tells the rule',
    async (name) => {
      const { status, body } = await create({ project_id: project, name });
      expect([status, body.error.message]).toEqual([
        409,
        'Conflict: A repository name has 3 to 255 characters: letters, digits, ".", "_" and "-", and a letter first.',
      ]);
      expect((await create({ project_id: project, name }, bob)).status).toBe(403);
    },
  );

  test('name the line of an access file that Subversion would reject, and keep the one they have', async () => {
    const { id } = await createRepository(alice, project, 'guarded', { access_file: '[/doc]\n* = r' });
    const before = accessFileOf('guarded');
    const faulty: [string, string][] = [
      ['[/a]\n* = r\n\n[/b]\nalice = q', 'line 5'],
      ['[groups]\nteam = alice, @others\n', 'line 2'],
      ['[groups]\nteam = alice\nteam = bob\n', 'line 3'],
      ['\n\n[/a\n', 'line 3'],
      ['* = r', 'line 1'],
    ];
    for (const [access_file, line] of faulty) {
      const reply = await alice.put(`/svn/${id}`, { settings: { ...wholeSettings, access_file } });
      expect([reply.status, reply.body.error.message], reply.text).toEqual([
        400,
        expect.stringContaining(line),
      ]);
      expect(reply.body.error.message).toContain('settings[access_file]');
    }
    expect((await alice.get(`/svn/${id}`)).body.settings.access_file).toBe('[/doc]\n* = r');
    expect(accessFileOf('guarded')).toBe(before);
  });

  test('take their settings as the whole body too, in JSON and in XML', async () => {
    const { id } = await createRepository(alice, project, 'bare');
    const settings = { ...wholeSettings, access_file: '[/doc]\n* = r' };
    const changed = await alice.put(`/svn/${id}`, settings);
    expect([changed.status, changed.body.settings?.access_file], changed.text).toEqual([
      200,
      '[/doc]\n* = r',
    ]);
    const { email_notifications: _, ...rest } = settings;
    const refused = await alice.put(`/svn/${id}`, rest);
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('settings[email_notifications]'),
    ]);
    const inXml = await alice.request('PUT', `/svn/${id}`, {
      headers: { 'Content-Type': 'application/xml' },
      rawBody: `<request><commit_rules><is_reference_mandatory>true</is_reference_mandatory>
        <is_commit_message_change_allowed>false</is_commit_message_change_allowed></commit_rules>
        <immutable_tags><paths><item>/tags</item></paths><whitelist/></immutable_tags>
        <access_file/><email_notifications/></request>`,
    });
    expect([inXml.status, inXml.body.settings], inXml.text).toEqual([
      200,
      expect.objectContaining({ immutable_tags: { paths: ['/tags'], whitelist: [] }, access_file: '' }),
    ]);
    const nothing = await alice.put(`/svn/${id}`, {});
    expect([nothing.status, nothing.body.error.message]).toEqual([
      400,
      'Bad Request: `settings` is required.',
    ]);
  });

  test('change all settings at once, or none when one is missing', async () => {
    const { id } = await createRepository(alice, project, 'changing');
    const settings = {
      commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: true },
      immutable_tags: { paths: ['/tags'], whitelist: [] },
      access_file: '[/] * = rw\r\n@members = rw',
      email_notifications: [{ path: '/', emails: ['a@example.com'], users: [], user_groups: [] }],
      has_default_permissions: false,
    };
    const changed = await alice.put(`/svn/${id}`, { settings });
    expect([changed.status, changed.body.settings], changed.text).toEqual([200, settings]);
    expect(accessFileOf('changing')).not.toContain('* = r');
    for (const member of ['commit_rules', 'immutable_tags', 'access_file', 'email_notifications']) {
      const { [member]: _, ...rest } = { ...wholeSettings, commit_rules: settings.commit_rules } as Record<
        string,
        unknown
      >;
      const reply = await alice.put(`/svn/${id}`, { settings: rest });
      expect([reply.status, reply.body.error.message], member).toEqual([
        400,
        expect.stringContaining(`settings[${member}]`),
      ]);
    }
    expect((await alice.get(`/svn/${id}`)).body.settings).toEqual(settings);
    const { has_default_permissions: _, ...others } = settings;
    const again = await alice.put(`/svn/${id}`, { settings: others });
    expect(again.body.settings.has_default_permissions).toBe(true);
    const versions = await alice.get(`/svn/${id}/access_versions`);
    expect(
      versions.body.map(({ version, access_file, user }: never) => [
        version,
        access_file,
        (user as { username: string }).username,
      ]),
    ).toEqual([
      [2, settings.access_file, 'alice'],
      [1, settings.access_file, 'alice'],
    ]);
    const history = (await alice.get(`/projects/${project}/history?limit=6`)).body;
    expect(history.map(({ event }: { event: string }) => event)).toEqual([
      'svn_multi_repository_access_file_update',
      'svn_multi_repository_notification_create',
      'svn_multi_repository_access_file_update',
      'svn_multi_repository_immutable_tags_update',
      'svn_multi_repository_hook_update',
      'svn_multi_repository_creation',
    ]);
    expect(history[0].subject).toContain('Repository: changing');
  });

  test('settings that were read are written again with one of them changed, as JSON and as XML', async () => {
    const group = await createGroup(alice, project, 'readers');
    const told = [
      { path: '/', emails: ['a@example.com'], users: [bob.id], user_groups: [`${project}_3`, group] },
      { path: '/doc', emails: [], users: [alice.id], user_groups: [] },
    ];
    const { body } = await create({
      project_id: project,
      name: 'read-back',
      settings: { email_notifications: told, has_default_permissions: false },
    });
    const { settings } = body;
    const changed = { ...settings, access_file: '[/doc]\n* = r' };
    const written = await alice.put(`/svn/${body.id}`, { settings: changed });
    expect([written.status, written.body.settings], written.text).toEqual([200, changed]);
    const xml = await alice.get(`/svn/${body.id}`, { headers: { Accept: 'application/xml' } });
    const [whole] = /<settings>.*<\/settings>/s.exec(xml.text) ?? [''];
    const replied = await alice.request('PUT', `/svn/${body.id}`, {
      headers: { 'Content-Type': 'application/xml' },
      rawBody: `<request>${whole.replace('/doc</path>', '/trunk</path>')}</request>`,
    });
    const [first, second] = settings.email_notifications;
    expect([replied.status, replied.body.settings], replied.text).toEqual([
      200,
      { ...changed, email_notifications: [first, { ...second, path: '/trunk' }] },
    ]);
  });

  test.each<[string, number, () => unknown[]]>([
    ['the same path twice', 400, () => [notify({}), notify({})]],
    ['nobody to be told', 400, () => [notify({ emails: [] })]],
    ['an address twice', 400, () => [notify({ emails: ['a@b.c', 'a@b.c'] })]],
    ['an unknown user', 400, () => [notify({ users: [99_999] })]],
    ['a malformed group', 400, () => [notify({ user_groups: ['x'] })]],
    ['everybody', 400, () => [notify({ user_groups: ['1'] })]],
    ['the wiki administrators', 400, () => [notify({ user_groups: [`${project}_14`] })]],
    ['a group of another project', 400, () => [notify({ user_groups: [`${closed}_3`] })]],
    ['an unknown group', 404, () => [notify({ user_groups: ['99999'] })]],
    ['a member missing', 400, () => [{ path: '/', emails: ['a@b.c'] }]],
  ])('refuse notifications with %s', async (what, status, email_notifications) => {
    const settings = { email_notifications: email_notifications() };
    const reply = await create({ project_id: project, name: `notified-${what.length}`, settings });
    expect(reply.status, reply.text).toBe(status);
  });
  const notify = (more: object) => ({
    path: '/',
    emails: ['x@example.com'],
    users: [],
    user_groups: [],
    ...more,
  });

  test('refuse those who may not, in the order that clients know', async () => {
    const { id } = await createRepository(alice, closed, 'hidden');
    const settings = wholeSettings;
    const someone = atelier.anonymous;
    expect((await someone.post('/svn', { project_id: project, name: 'nope' })).status).toBe(401);
    expect((await someone.put(`/svn/${id}`, { settings })).status).toBe(401);
    expect((await create({ project_id: 99_999, name: 'nope' })).status).toBe(400);
    expect((await create({ project_id: closed, name: 'nope' }, bob)).status).toBe(403);
    expect((await create({ project_id: project, name: 'nope' }, bob)).status).toBe(403);
    expect((await create({ project_id: project, name: 'n', settings: { layout: ['..'] } }, bob)).status).toBe(
      400,
    );
    expect((await bob.get(`/svn/${id}`)).status).toBe(404);
    expect((await bob.put(`/svn/${id}`, { settings })).status).toBe(403);
    expect((await bob.delete(`/svn/${id}`)).status).toBe(403);
    expect((await alice.get('/svn/99999')).status).toBe(404);
    const other = (await createProject(alice, 'without')).id;
    const services = (await alice.get(`/projects/${other}/project_services?limit=50`)).body;
    const service = services.find(({ name }: { name: string }) => name === 'plugin_svn');
    await alice.put(`/project_services/${service.id}`, { is_enabled: false });
    expect((await create({ project_id: other, name: 'nope' })).status).toBe(400);
    await atelier.admin.patch(`/projects/${closed}`, { status: 'suspended' });
    expect((await create({ project_id: closed, name: 'nope' }, atelier.admin)).status).toBe(403);
    expect((await alice.get(`/svn/${id}`)).status).toBe(403);
    await atelier.admin.patch(`/projects/${closed}`, { status: 'active' });
  });

  test('are administered by the groups that the project chooses', async () => {
    const keepers = await createGroup(alice, project, 'keepers');
    await setMembers(alice, keepers, [carol]);
    const path = `/projects/${project}/svn_administrators`;
    const ids = ({ body }: { body: { id: string }[] }) => body.map((group) => group.id);
    expect(ids(await alice.get(path))).toEqual([`${project}_4`]);
    expect((await carol.get(path)).status).toBe(403);
    expect((await create({ project_id: project, name: 'carols' }, carol)).status).toBe(403);
    expect(ids(await alice.put(path, { user_groups: [keepers] }))).toEqual([keepers]);
    expect((await create({ project_id: project, name: 'carols' }, carol)).status).toBe(201);
    for (const wrong of ['1', `${closed}_3`])
      expect((await alice.put(path, { user_groups: [wrong] })).status).toBe(400);
    expect((await alice.put(path, { user_groups: ['99999'] })).status).toBe(404);
    await alice.delete(`/user_groups/${keepers}`);
    expect((await create({ project_id: project, name: 'carols-too' }, carol)).status).toBe(403);
  });

  test('of the same name asked for at once are one', async () => {
    const tries = ['twin', 'TWIN', 'Twin'].map((name) => create({ project_id: project, name }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409]);
  });

  test('wait before they are deleted, and are kept by whoever changes their mind', async () => {
    const { id } = await createRepository(alice, project, 'doomed');
    expect((await bob.delete(`/svn/${id}`)).status).toBe(403);
    const deleted = await alice.delete(`/svn/${id}`);
    expect([deleted.status, deleted.text]).toEqual([202, '']);
    expect((await alice.delete(`/svn/${id}`)).status).toBe(400);
    expect((await alice.get(`/svn/${id}`)).status).toBe(200);
    expect((await alice.delete(`/svn/${id}/deletion`)).status).toBe(200);
    expect((await alice.delete(`/svn/${id}/deletion`)).status).toBe(404);
    expect((await alice.delete(`/svn/${id}`)).status).toBe(202);
    const events = (await atelier.admin.get('/system_event?status=new')).body;
    expect(events.at(-1)).toMatchObject({ type: 'Tuleap\\SVN\\Events\\SystemEvent_SVN_DELETE_REPOSITORY' });
  });
});
