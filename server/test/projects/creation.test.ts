import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGroup,
  createProject,
  delegate,
  idsOf,
  membersOf,
  query,
  setMembers,
} from '../fixtures/project.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const valid = { shortname: 'fine', label: 'Fine project', is_public: true, xml_template_name: 'empty' };

const engines = oneEngine('SQLite', 'wishes are refused in words before anything is stored');

describe.each(engines)('POST /projects on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let restricted: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    await atelier.configure({ access_mode: 'restricted' });
    restricted = await atelier.createUser('restricted', { status: 'R' });
    await atelier.configure({ access_mode: 'anonymous' });
  });
  afterAll(() => atelier.stop());

  test('answers 201 with the full project, which its creator administers', async () => {
    const { status, body } = await alice.post('/projects', {
      post_representation: { ...valid, shortname: 'First-One', description: 'About it' },
    });
    expect(status).toBe(201);
    expect(body).toEqual((await alice.get(`/projects/${body.id}`)).body);
    expect([body.shortname, body.status, body.is_member_of]).toEqual(['first-one', 'active', true]);
    expect(body.id).toBeGreaterThan(100);
    expect(await membersOf(alice, `${body.id}_4`)).toEqual(['alice']);
    expect(await membersOf(alice, `${body.id}_3`)).toEqual(['alice']);
    const { body: services } = await alice.get(`/projects/${body.id}/project_services`);
    const enabled = services.filter(({ is_enabled }: { is_enabled: boolean }) => is_enabled);
    expect(enabled.map(({ name }: { name: string }) => name)).toEqual([
      'summary',
      'admin',
      'plugin_tracker',
      'plugin_svn',
    ]);
  });

  test('is 401 without login', async () => {
    expect((await atelier.anonymous.post('/projects', valid)).status).toBe(401);
  });

  test.each([
    ['shortname', 'ab'],
    ['shortname', 'a'.repeat(31)],
    ['shortname', 'with_underscore'],
    ['shortname', 'with.dot'],
    ['shortname', 'with space'],
    ['shortname', 'Root'],
    ['shortname', 'WWW2'],
    ['shortname', 'ALICE'],
    ['shortname', 'admin-PROJECT'],
    ['label', 'ab'],
    ['label', 'a'.repeat(41)],
    ['label', 'two\nlines'],
    ['xml_template_name', 'waterfall'],
    ['xml_template_name', 'constructor'],
    ['template_id', 99999],
    ['categories', [{ category_id: 1, value_id: 2 }]],
    ['fields', [{ field_id: 4711, value: 'x' }]],
    ['allow_restricted', true],
  ])('refuses %s = %j with 400, names it and creates nothing', async (member, value) => {
    const before = (await atelier.admin.get('/projects')).headers.get('x-pagination-size');
    const { status, body } = await alice.post('/projects', { ...valid, [member]: value });
    expect(status).toBe(400);
    expect(body.error.message).toContain(`\`${member}\``);
    expect((await atelier.admin.get('/projects')).headers.get('x-pagination-size')).toBe(before);
  });

  test.each(['_private', '-dash'])(
    'a short name that begins as %s does is refused in words',
    async (shortname) => {
      const { status, body } = await alice.post('/projects', { ...valid, shortname });
      expect([status, body.error.message]).toEqual([
        400,
        'Bad Request: Project shortname is invalid. The reason is: Short name must start with an alphanumeric character.',
      ]);
    },
  );

  test.each([
    ['scrum', 'agile'],
    ['agile_alm', 'agile'],
    ['kanban', 'issues'],
  ])('the template %s is our %s', async (name, own) => {
    const trackersOf = async (xml_template_name: string) => {
      const shortname = `by-${xml_template_name.replace('_', '-')}`;
      const made = await alice.post('/projects', { ...valid, shortname, xml_template_name });
      expect(made.status).toBe(201);
      const { body } = await alice.get(`/projects/${made.body.id}/trackers`);
      await atelier.admin.patch(`/projects/${made.body.id}/settings`, { shortname: `was-${made.body.id}` });
      return body.map(({ item_name }: { item_name: string }) => item_name);
    };
    expect(await trackersOf(name)).toEqual(await trackersOf(own));
  });

  test.each(['shortname', 'label', 'is_public'])('needs %s', async (member) => {
    const { status, body } = await alice.post('/projects', { ...valid, [member]: undefined });
    expect([status, body.error.message]).toEqual([400, `Bad Request: \`${member}\` is required.`]);
  });

  test('needs a template', async () => {
    const { status, body } = await alice.post('/projects', { ...valid, xml_template_name: undefined });
    expect(status).toBe(400);
    expect(body.error.message).toContain('template_id');
  });

  test('what an archive will bring cannot be checked before it is there', async () => {
    const archive = {
      ...valid,
      xml_template_name: undefined,
      from_archive: { file_name: 'a.zip', file_size: 3 },
    };
    const dryRun = await alice.post('/projects?dry_run=true', archive);
    expect([dryRun.status, dryRun.body.error.message]).toEqual([
      400,
      'Bad Request: `dry_run` is not available with `from_archive`.',
    ]);
  });

  test('a name is taken once, without regard to case, by a project as by a user', async () => {
    await createProject(alice, 'Taken');
    const { status, body } = await bob.post('/projects', { ...valid, shortname: 'tAKEN' });
    expect(status).toBe(400);
    expect(body.error.message).toContain('already used by a project');
    const user = await atelier.admin.post('/users', { username: 'taken' });
    expect(user.status).toBe(400);
  });

  test('of many who want the same name at once, one gets it', async () => {
    const tries = Array.from({ length: 6 }, () => alice.post('/projects', { ...valid, shortname: 'race' }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400]);
  });

  test('the access follows is_public and allow_restricted', async () => {
    await atelier.configure({ access_mode: 'restricted' });
    const accesses: string[] = [];
    for (const is_public of [true, false]) {
      for (const allow_restricted of [undefined, null, true, false]) {
        const shortname = `access-${accesses.length}`;
        const { body } = await alice.post('/projects', { ...valid, shortname, is_public, allow_restricted });
        accesses.push(body.access);
      }
    }
    await atelier.configure({ access_mode: 'anonymous' });
    expect(accesses).toEqual([
      ...['public', 'public', 'unrestricted', 'public'],
      ...['private', 'private', 'private', 'private-wo-restr'],
    ]);
    const refused = { ...valid, shortname: 'noway', is_public: false, allow_restricted: false };
    expect((await alice.post('/projects', refused)).status).toBe(400);
  });

  describe('dry_run', () => {
    test('answers 204 and creates nothing when all is well', async () => {
      const { status, text } = await alice.post('/projects?dry_run=1', { ...valid, shortname: 'not-made' });
      expect([status, text]).toEqual([204, '']);
      expect((await alice.get(`/projects?query=${query({ shortname: 'not-made' })}`)).body).toEqual([]);
    });

    test('lists every problem', async () => {
      const bad = {
        shortname: 'x',
        label: 'y',
        is_public: true,
        allow_restricted: true,
      };
      const { status, body } = await alice.post('/projects?dry_run=true', bad);
      expect([status, body.error.message]).toEqual([400, 'Bad Request']);
      const problems: string[] = body.error.i18n_error_messages;
      expect(problems).toHaveLength(4);
      for (const member of ['shortname', 'label', 'allow_restricted', 'template_id']) {
        expect(
          problems.some((problem) => problem.includes(member)),
          member,
        ).toBe(true);
      }
    });

    test.each([
      [{ template_id: 424242 }, 'There is no such template'],
      [{ xml_template_name: 'waterfall' }, 'There are the templates'],
    ])('tells of the template %j beside all else', async (template, words) => {
      const bad = { shortname: 'x', label: 'y', is_public: true, ...template };
      const { status, body } = await alice.post('/projects?dry_run=true', bad);
      expect([status, body.error.i18n_error_messages]).toEqual([
        400,
        [
          expect.stringContaining('shortname'),
          expect.stringContaining('label'),
          expect.stringContaining(words),
        ],
      ]);
    });

    test('lists a missing permission as a problem', async () => {
      await atelier.configure({ project_registration: 'administrators' });
      const { status, body } = await alice.post('/projects?dry_run=true', valid);
      await atelier.configure({ project_registration: 'everyone' });
      expect(status).toBe(400);
      expect(body.error.i18n_error_messages).toEqual(['Only site administrators can create projects.']);
    });
  });

  describe('platform settings', () => {
    test('creation can be limited to site administrators', async () => {
      await atelier.configure({ project_registration: 'administrators' });
      expect((await alice.post('/projects', { ...valid, shortname: 'limited' })).status).toBe(403);
      expect((await alice.get('/project_fields')).status).toBe(403);
      expect((await atelier.admin.post('/projects', { ...valid, shortname: 'limited' })).status).toBe(201);
      await atelier.configure({ project_registration: 'everyone' });
    });

    test('restricted users create projects only where they may', async () => {
      const project = { ...valid, shortname: 'restricted-one', is_public: false };
      expect((await restricted.post('/projects', project)).status).toBe(403);
      expect((await restricted.get('/project_fields')).status).toBe(403);
      await atelier.configure({ restricted_users_create_projects: true });
      const shutOut = await restricted.post('/projects', { ...project, allow_restricted: false });
      expect([shutOut.status, shutOut.body.error.message]).toEqual([
        400,
        expect.stringContaining('`allow_restricted`'),
      ]);
      expect((await restricted.post('/projects', project)).status).toBe(201);
      await atelier.configure({ restricted_users_create_projects: false });
    });

    test('a description can be mandatory', async () => {
      await atelier.configure({ project_description_mandatory: true });
      const without = await alice.post('/projects', { ...valid, shortname: 'described', description: ' ' });
      const withOne = await alice.post('/projects', { ...valid, shortname: 'described', description: 'Yes' });
      await atelier.configure({ project_description_mandatory: false });
      expect([without.status, without.body.error.message]).toEqual([
        400,
        'Bad Request: `description` is required.',
      ]);
      expect(withOne.status).toBe(201);
    });

    test('the visibility can be fixed', async () => {
      await atelier.configure({ project_visibility_choice: false, project_default_access: 'private' });
      const open = await alice.post('/projects', { ...valid, shortname: 'fixed' });
      const closed = await alice.post('/projects', { ...valid, shortname: 'fixed', is_public: false });
      await atelier.configure({ project_visibility_choice: true, project_default_access: 'public' });
      expect([open.status, closed.status]).toEqual([400, 201]);
    });
  });

  describe('with approval', () => {
    test('a project waits, only a few of one person and of all, and is approved by those who may', async () => {
      const approver = await atelier.createUser('approver');
      await delegate(atelier, approver, [1]);
      await atelier.configure({
        project_approval: true,
        pending_projects_limit_per_user: 2,
        pending_projects_limit: 3,
      });
      const create = (caller: Person, shortname: string) => caller.post('/projects', { ...valid, shortname });
      const first = await create(alice, 'wait-1');
      expect([first.status, first.body.status]).toEqual([201, 'pending']);
      const second = await create(alice, 'wait-2');
      expect((await create(alice, 'wait-3')).status).toBe(429);
      expect((await create(bob, 'wait-4')).status).toBe(201);
      expect((await create(bob, 'wait-5')).status).toBe(429);
      expect((await alice.get(`/projects/${first.body.id}`)).status).toBe(404);

      const byPatch = await atelier.admin.patch(`/projects/${first.body.id}`, { status: 'active' });
      expect(byPatch.status).toBe(200);
      const path = `/projects/${second.body.id}/settings`;
      expect((await approver.get(path)).body.status).toBe('pending');
      expect((await approver.patch(path, { label: 'Mine now' })).status).toBe(403);
      expect((await approver.patch(path, { status: 'suspended' })).status).toBe(403);
      expect((await bob.patch(path, { status: 'active' })).status).toBe(404);
      expect((await approver.patch(path, { status: 'active' })).status).toBe(200);
      await atelier.configure({ project_approval: false });
      for (const { body } of [first, second]) {
        expect((await alice.get(`/projects/${body.id}`)).body.status).toBe('active');
      }
      expect((await approver.patch(`/projects/${first.body.id}/settings`, { status: 'active' })).status).toBe(
        403,
      );
    });
  });

  describe('from a project', () => {
    test('inherits user groups, services and membership rules, but no members', async () => {
      const { id } = await createProject(alice, 'pattern');
      const testers = await createGroup(alice, id, 'testers');
      const leads = await createGroup(alice, id, 'leads');
      await setMembers(alice, testers, [bob]);
      await alice.patch(`/projects/${id}/settings`, {
        has_synchronised_membership: true,
        membership_delegation: [leads],
      });
      const { body: services } = await alice.get(`/projects/${id}/project_services`);
      const svn = services.find(({ name }: { name: string }) => name === 'plugin_svn');
      await alice.put(`/project_services/${svn.id}`, { is_enabled: false });
      await alice.post(`/projects/${id}/project_services`, {
        label: 'Wiki',
        service_url: 'https://wiki.example/',
      });

      const copy = await createProject(alice, 'copied', { xml_template_name: 'nonsense', template_id: id });
      const { body: groups } = await alice.get(`/projects/${copy.id}/user_groups`);
      const own = groups.filter((group: { id: string }) => !group.id.includes('_'));
      expect(own.map((group: { short_name: string }) => group.short_name)).toEqual(['testers', 'leads']);
      expect(await membersOf(alice, own[0].id)).toEqual([]);
      expect(await membersOf(alice, `${copy.id}_3`)).toEqual(['alice']);
      const { body: settings } = await alice.get(`/projects/${copy.id}/settings`);
      expect(settings.has_synchronised_membership).toBe(true);
      expect(settings.membership_delegation).toEqual([own[1].id]);
      const { body: copied } = await alice.get(`/projects/${copy.id}/project_services`);
      type Seen = { name: string; label: string; is_enabled: boolean };
      expect(copied.map(({ name, label, is_enabled }: Seen) => [name || label, is_enabled])).toEqual([
        ['summary', true],
        ['admin', true],
        ['plugin_tracker', true],
        ['plugin_svn', false],
        ['Wiki', true],
      ]);
    });

    test('any project serves its administrators, a template all who can access it', async () => {
      const from = (caller: Person, shortname: string, template_id: number) =>
        caller.post('/projects', { shortname, label: 'From another', is_public: true, template_id });
      const open = await createProject(alice, 'open-template');
      expect((await from(bob, 'bobs-copy', open.id)).status).toBe(400);
      await alice.patch(`/projects/${open.id}/settings`, { is_template: true });
      expect((await from(bob, 'bobs-copy', open.id)).status).toBe(201);
      const closed = await createProject(alice, 'closed-template', { is_public: false });
      await alice.patch(`/projects/${closed.id}/settings`, { is_template: true });
      expect((await from(bob, 'bobs-second', closed.id)).status).toBe(400);
      expect((await from(alice, 'alices-copy', closed.id)).status).toBe(201);
      await atelier.admin.patch(`/projects/${open.id}`, { status: 'suspended' });
      expect((await from(atelier.admin, 'admins-copy', open.id)).status).toBe(400);
    });

    test('the default template is for site administrators', async () => {
      const project = { shortname: 'by-default', label: 'By default', is_public: true, template_id: 100 };
      expect((await alice.post('/projects', project)).status).toBe(400);
      const { status, body } = await atelier.admin.post('/projects', project);
      expect([status, body.is_template, body.status]).toEqual([201, false, 'active']);
    });
  });

  test('a new project is listed at once', async () => {
    const { id } = await createProject(bob, 'at-once');
    expect(idsOf(await bob.get(`/projects?query=${query({ is_admin_of: 1 })}&limit=50`))).toContain(id);
  });
});
