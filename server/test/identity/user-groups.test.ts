import { FullUserGroup } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGroup,
  createProject,
  databaseOf,
  membersOf,
  query,
  references,
  setMembers,
  sizeOf,
  taskTypesOf,
} from '../fixtures/project.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'who may change a group, and into what, is decided in code');

describe.each(engines)('user groups on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dave: Person;
  let restricted: Person;
  let suspended: Person;
  let shop: number;
  let group: string;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    await atelier.configure({ access_mode: 'restricted' });
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob', { ldap_id: 'bob-in-directory' });
    carol = await atelier.createUser('carol', { email: 'shared@example.com' });
    dave = await atelier.createUser('dave', { email: 'shared@example.com' });
    restricted = await atelier.createUser('restricted', { status: 'R' });
    suspended = await atelier.createUser('suspended');
    await atelier.admin.patch(`/users/${suspended.id}`, { status: 'S' });
    shop = (await createProject(alice, 'Shop', { label: 'Web Shop' })).id;
    group = await createGroup(alice, shop, 'Developers');
  });
  afterAll(() => atelier.stop());

  describe('GET /projects/{id}/user_groups', () => {
    const idsOf = (body: { id: string }[]) => body.map(({ id }) => id);

    test('lists built-in groups and those of the project, by number', async () => {
      const { status, body, headers } = await bob.get(`/projects/${shop}/user_groups`);
      expect([status, headers.get('allow'), headers.get('x-pagination-size')]).toEqual([
        200,
        'OPTIONS, GET',
        '5',
      ]);
      expect(idsOf(body)).toEqual([`${shop}_3`, `${shop}_4`, `${shop}_11`, `${shop}_14`, group]);
      expect(body[0]).toEqual({
        id: `${shop}_3`,
        uri: `user_groups/${shop}_3`,
        label: 'Project members',
        users_uri: `user_groups/${shop}_3/users`,
        short_name: 'project_members',
        key: 'ugroup_project_members_name_key',
        additional_information: [],
      });
      expect(body[4]).toMatchObject({
        id: group,
        label: 'Developers',
        short_name: 'Developers',
        key: 'Developers',
      });
      const keys = body
        .slice(1, 4)
        .map(({ short_name, key, label }: Record<string, string>) => [short_name, key, label]);
      expect(keys).toEqual([
        ['project_admins', 'ugroup_project_admins_name_key', 'Project administrators'],
        ['file_manager_admins', 'ugroup_file_manager_admin_name_key', 'file_manager_admins'],
        ['wiki_admins', 'ugroup_wiki_admin_name_key', 'Wiki administrators'],
      ]);
    });

    test.each([
      ['restricted', 'public', ['2']],
      ['restricted', 'unrestricted', ['2', '5']],
      ['restricted', 'private', []],
      ['restricted', 'private-wo-restr', []],
      ['regular', 'public', ['2']],
      ['anonymous', 'public', ['1', '2']],
      ['anonymous', 'private', []],
    ])('with system groups in mode %s a %s project adds %j', async (mode, access, expected) => {
      const shortname = `sys-${mode}-${access}`.slice(0, 30);
      const project = await createProject(alice, shortname, { is_public: false });
      await alice.patch(`/projects/${project.id}/settings`, { access });
      await atelier.configure({ access_mode: mode });
      const path = `/projects/${project.id}/user_groups`;
      const withThem = await alice.get(`${path}?query=${query({ with_system_user_groups: true })}`);
      const withoutThem = await alice.get(`${path}?query=${query({ with_system_user_groups: false })}`);
      await atelier.configure({ access_mode: 'restricted' });
      expect(idsOf(withThem.body).filter((id) => Number(id) <= 100)).toEqual(expected);
      expect(idsOf(withoutThem.body).filter((id) => Number(id) <= 100)).toEqual([]);
      const numbers = idsOf(withThem.body).map((id) => Number(id.split('_').at(-1)));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    });

    test('a query without the boolean is 400 with words for the user', async () => {
      for (const wrong of [{}, { with_system_user_groups: 'true' }, { with_system_user_groups: 1 }]) {
        const { status, body } = await alice.get(`/projects/${shop}/user_groups?query=${query(wrong)}`);
        expect([status, body.error.message]).toEqual([400, 'Bad Request']);
        expect(body.error.i18n_error_message).toContain('with_system_user_groups');
      }
      for (const text of ['{broken}', 'text', '[]']) {
        const reply = await alice.get(`/projects/${shop}/user_groups?query=${encodeURIComponent(text)}`);
        expect(reply.status, text).toBe(400);
      }
      expect((await alice.get(`/projects/${shop}/user_groups?query=`)).status).toBe(200);
    });

    test('the platform may name two of its groups otherwise', async () => {
      await atelier.configure({
        registered_users_label: 'Colleagues',
        authenticated_users_label: 'Everyone here',
      });
      const labels = [
        (await bob.get('/user_groups/2')).body.label,
        (await bob.get('/user_groups/5')).body.label,
      ];
      await atelier.configure({ registered_users_label: '', authenticated_users_label: '' });
      expect(labels).toEqual(['Colleagues', 'Everyone here']);
      expect((await bob.get('/user_groups/2')).body.label).toBe('Registered users');
    });
  });

  describe('GET /user_groups/{id}', () => {
    test('gives the full form with the project', async () => {
      const { status, body, headers } = await bob.get(`/user_groups/${shop}_3`);
      expect([status, headers.get('allow')]).toEqual([200, 'OPTIONS, GET, PUT']);
      expect(Check(FullUserGroup, body)).toBe(true);
      const project = (await bob.get(`/projects/${shop}`)).body;
      const minimal = [
        'id',
        'uri',
        'label',
        'label_without_icon',
        'shortname',
        'status',
        'access',
        'is_template',
      ];
      expect(body.project).toEqual(Object.fromEntries(minimal.map((name) => [name, project[name]])));
      expect(body.additional_information).toEqual([]);
    });

    test('takes a static group with and without its project', async () => {
      const alone = await bob.get(`/user_groups/${group}`);
      expect([alone.status, alone.body.id]).toEqual([200, group]);
      expect((await bob.get(`/user_groups/${shop}_${group}`)).body).toEqual(alone.body);
    });

    test.each(['1', '2', '5', '100'])('system group %s answers 200 without a project', async (id) => {
      const { status, body } = await bob.get(`/user_groups/${id}`);
      expect([status, body.id, body.project]).toEqual([200, id, null]);
    });

    test.each([
      ['abc', 400],
      ['101_', 400],
      ['_3', 400],
      ['101_3_4', 400],
      ['-3', 400],
      ['3', 400],
      ['4', 400],
      ['11', 400],
      ['14', 400],
      ['101_1', 400],
      ['101_2', 400],
      ['101_5', 400],
      ['101_100', 400],
      ['15', 404],
      ['101_15', 404],
      ['0', 404],
      ['99999', 404],
      ['99999_3', 404],
      ['99999999999999999999', 404],
      ['99999999999999999999_3', 404],
    ])('id %s answers %i', async (id, status) => {
      const { status: actual } = await bob.get(`/user_groups/${id.replace(/^101_/, `${shop}_`)}`);
      expect(actual).toBe(status);
    });

    test('a static group is not found under another project', async () => {
      const other = await createProject(alice, 'other-shop');
      expect((await bob.get(`/user_groups/${other.id}_${group}`)).status).toBe(404);
    });
  });

  describe('GET /user_groups/{id}/users', () => {
    let team: number;
    beforeAll(async () => {
      team = (await createProject(alice, 'team', { is_public: false })).id;
      await setMembers(alice, `${team}_3`, [alice, dave, bob, carol, restricted]);
    });

    test('lists full users by name, with the size', async () => {
      const reply = await alice.get(`/user_groups/${team}_3/users?limit=2&offset=1`);
      expect(reply.body.map((user: { username: string }) => user.username)).toEqual(['bob', 'carol']);
      expect(sizeOf(reply)).toBe(5);
      expect(reply.headers.get('x-pagination-limit-max')).toBe('50');
      // What there is to find out about a person is told by the person's own route alone.
      const { resources, ...listed } = (await alice.get(`/users/${bob.id}`)).body;
      expect(resources).toEqual(expect.any(Array));
      expect(reply.body[0]).toEqual(listed);
      expect((await alice.get(`/user_groups/${team}_3/users?limit=51`)).status).toBe(400);
    });

    test('is for project administrators and site administrators', async () => {
      for (const id of [`${team}_3`, `${team}_4`]) {
        expect((await bob.get(`/user_groups/${id}/users`)).status).toBe(403);
        expect((await atelier.admin.get(`/user_groups/${id}/users`)).status).toBe(200);
      }
      expect((await atelier.anonymous.get(`/user_groups/${team}_3/users`)).status).toBe(401);
    });

    test('system groups are 404, the old groups empty', async () => {
      for (const id of ['1', '2', '5', '100']) {
        expect((await atelier.admin.get(`/user_groups/${id}/users`)).status).toBe(404);
      }
      for (const id of [11, 14]) expect(await membersOf(alice, `${team}_${id}`)).toEqual([]);
    });

    test('wiki administrators that an archive brought are listed', async () => {
      const { id } = await createProject(alice, 'with-wiki');
      const database = await databaseOf(atelier);
      await database.transaction((tx) =>
        tx.run(tx.sql.updateTable('project_member').set({ is_wiki_admin: 1 }).where('project_id', '=', id)),
      );
      await database.close();
      expect(await membersOf(alice, `${id}_14`)).toEqual(['alice']);
    });

    test('suspended people show in built-in groups, not in static ones', async () => {
      const sleeper = await atelier.createUser('sleeper');
      const staticGroup = await createGroup(alice, team, 'sleepers');
      await setMembers(alice, `${team}_3`, [alice, bob, carol, dave, restricted, sleeper]);
      await setMembers(alice, staticGroup, [sleeper, bob]);
      await atelier.admin.patch(`/users/${sleeper.id}`, { status: 'S' });
      expect(await membersOf(alice, `${team}_3`)).toContain('sleeper');
      expect(await membersOf(alice, staticGroup)).toEqual(['bob']);
      await atelier.admin.patch(`/users/${sleeper.id}`, { status: 'D' });
      expect(await membersOf(alice, `${team}_3`)).not.toContain('sleeper');
    });

    test.each([
      ['bob', 1],
      ['BOB', 1],
      ['bob Doe (bob)', 1],
      ['suspended', 0],
    ])('identifier %s finds %i members', async (identifier, count) => {
      const reply = await alice.get(`/user_groups/${team}_3/users?query=${query({ identifier })}`);
      expect([reply.status, reply.body.length, sizeOf(reply)]).toEqual([200, count, count]);
    });

    test('an identifier may be an id; one of nobody is 400, as is one that is no text', async () => {
      const byId = await alice.get(
        `/user_groups/${team}_3/users?query=${query({ identifier: String(bob.id) })}`,
      );
      expect(byId.body.map((user: { id: number }) => user.id)).toEqual([bob.id]);
      for (const wrong of [{ identifier: 'nobody-here' }, { identifier: bob.id }, {}, { identifier: null }]) {
        const reply = await alice.get(`/user_groups/${team}_3/users?query=${query(wrong)}`);
        expect(reply.status, JSON.stringify(wrong)).toBe(400);
      }
      expect((await alice.get(`/user_groups/${team}_3/users?query=bob`)).status).toBe(400);
    });
  });

  describe('PUT /user_groups/{id}/users', () => {
    let project: number;
    let staff: string;
    let count = 0;
    const members = () => membersOf(atelier.admin, `${project}_3`);
    const put = (id: string, body: unknown) => alice.put(`/user_groups/${id}/users`, body);

    async function fresh(more: Record<string, unknown> = {}): Promise<void> {
      project = (await createProject(alice, `put-${++count}`, more)).id;
      staff = await createGroup(alice, project, 'staff');
    }

    test('takes references bare and wrapped, by each kind of name', async () => {
      await fresh();
      const bodies = [
        [{ id: bob.id }],
        { user_references: [{ username: 'BOB' }] },
        [{ email: 'Bob@Example.com' }],
        [{ ldap_id: 'bob-in-directory', id: null }],
        [{ id: String(bob.id) }, { id: bob.id }],
      ];
      for (const body of bodies) {
        const reply = await put(staff, body);
        expect([reply.status, reply.text]).toEqual([200, '']);
        expect(await membersOf(alice, staff)).toEqual(['bob']);
        expect((await put(staff, [])).status).toBe(200);
        expect(await membersOf(alice, staff)).toEqual([]);
      }
    });

    test('takes XML', async () => {
      const rawBody = `<request><item><username>bob</username></item></request>`;
      const headers = { 'Content-Type': 'application/xml' };
      const reply = await alice.request('PUT', `/user_groups/${staff}/users`, { rawBody, headers });
      expect(reply.status, reply.text).toBe(200);
      expect(await membersOf(alice, staff)).toEqual(['bob']);
    });

    test.each([
      ['a text', ['bob']],
      ['no known member', [{ name: 'bob' }]],
      ['an empty object', [{}]],
      ['two members', [{ id: 102, username: 'bob' }]],
      ['mixed kinds', [{ username: 'bob' }, { id: 101 }]],
      ['an unknown user', [{ username: 'nobody-here' }]],
      ['an unknown id', [{ id: 99999 }]],
      ['a technical account', [{ id: 100 }]],
      ['a shared e-mail', [{ email: 'shared@example.com' }]],
      ['no array', { username: 'bob' }],
      ['nothing', undefined],
    ])('%s is 400 and changes nothing', async (_, body) => {
      await fresh();
      await put(staff, [{ username: 'carol' }]);
      expect((await put(staff, body)).status).toBe(400);
      expect(await membersOf(alice, staff)).toEqual(['carol']);
    });

    test('one wrong reference spoils all', async () => {
      await fresh();
      expect((await put(`${project}_3`, [{ username: 'bob' }, { username: 'nobody-here' }])).status).toBe(
        400,
      );
      expect(await members()).toEqual(['alice']);
    });

    test.each(['1', '2', '5', '100'])('system group %s is 400', async (id) => {
      expect((await atelier.admin.put(`/user_groups/${id}/users`, [])).status).toBe(400);
    });

    test('old dynamic groups are 400', async () => {
      for (const id of [11, 14]) expect((await put(`${shop}_${id}`, [])).status).toBe(400);
    });

    describe('members', () => {
      test('only usable accounts are added, others skipped', async () => {
        await fresh();
        const given = references([bob, suspended, restricted, alice]);
        expect((await put(`${project}_3`, given)).status).toBe(200);
        expect(await members()).toEqual(['alice', 'bob', 'restricted']);
      });

      test('a restricted user is skipped where the project excludes them', async () => {
        await fresh({ is_public: false, allow_restricted: false });
        expect((await put(`${project}_3`, references([bob, restricted]))).status).toBe(200);
        expect(await members()).toEqual(['alice', 'bob']);
      });

      test('administrators stay, and who leaves also leaves the static groups', async () => {
        await fresh({ is_public: false });
        await setMembers(alice, `${project}_3`, [alice, bob, carol]);
        await setMembers(alice, staff, [alice, bob, carol]);
        expect((await put(`${project}_3`, references([carol]))).status).toBe(200);
        expect(await members()).toEqual(['alice', 'carol']);
        expect(await membersOf(alice, staff)).toEqual(['alice', 'carol']);
        expect((await put(`${project}_3`, [])).status).toBe(200);
        expect(await members()).toEqual(['alice']);
        expect(await membersOf(alice, `${project}_4`)).toEqual(['alice']);
        expect(await membersOf(alice, staff)).toEqual(['alice']);
      });

      test('a member who was removed loses access with the next request', async () => {
        await fresh({ is_public: false });
        await setMembers(alice, `${project}_3`, [alice, bob]);
        expect((await bob.get(`/projects/${project}`)).body.is_member_of).toBe(true);
        await setMembers(alice, `${project}_3`, [alice]);
        expect((await bob.get(`/projects/${project}`)).status).toBe(403);
      });

      test('an account that was suspended meanwhile can be sent back as it was read', async () => {
        await fresh();
        const sleepy = await atelier.createUser('sleepy');
        await setMembers(alice, `${project}_3`, [alice, sleepy]);
        await atelier.admin.patch(`/users/${sleepy.id}`, { status: 'S' });
        await setMembers(alice, `${project}_3`, [alice, sleepy, bob]);
        expect(await members()).toEqual(['alice', 'bob', 'sleepy']);
      });
    });

    describe('administrators', () => {
      test('become members first and stay members when removed', async () => {
        await fresh();
        expect((await put(`${project}_4`, references([alice, bob]))).status).toBe(200);
        expect(await membersOf(alice, `${project}_4`)).toEqual(['alice', 'bob']);
        expect(await members()).toEqual(['alice', 'bob']);
        expect((await bob.put(`/user_groups/${project}_4/users`, references([bob]))).status).toBe(200);
        expect(await membersOf(bob, `${project}_4`)).toEqual(['bob']);
        expect(await members()).toEqual(['alice', 'bob']);
        expect((await alice.get(`/user_groups/${project}_4/users`)).status).toBe(403);
      });

      test('the last one cannot be removed', async () => {
        await fresh();
        const { status, body } = await put(`${project}_4`, []);
        expect(status).toBe(400);
        expect(body.error.message).toContain('last administrator');
        expect(await membersOf(alice, `${project}_4`)).toEqual(['alice']);
      });

      test('one whose account cannot be used is none that a project can be left with', async () => {
        await fresh();
        const away = await atelier.createUser('away');
        await setMembers(alice, `${project}_4`, [alice, away]);
        for (const status of ['S', 'D']) {
          await atelier.admin.patch(`/users/${away.id}`, { status });
          const refused = await put(`${project}_4`, references([away]));
          expect([refused.status, refused.text]).toEqual([
            400,
            expect.stringContaining('last administrator'),
          ]);
        }
        expect((await put(`${project}_4`, [])).status).toBe(400);
        expect((await put(`${project}_4`, references([alice, bob]))).status).toBe(200);
        expect((await put(`${project}_4`, references([bob]))).status).toBe(200);
        await atelier.admin.patch(`/users/${away.id}`, { status: 'A' });
        expect(await membersOf(bob, `${project}_4`)).toEqual(['away', 'bob']);
      });

      test('two who remove each other at once leave one', async () => {
        await fresh();
        await setMembers(alice, `${project}_4`, [alice, bob]);
        await Promise.all([
          alice.put(`/user_groups/${project}_4/users`, references([alice])),
          bob.put(`/user_groups/${project}_4/users`, references([bob])),
        ]);
        expect((await membersOf(atelier.admin, `${project}_4`)).length).toBe(1);
      });

      test('restricted users are refused where the project excludes them, unusable accounts everywhere', async () => {
        await fresh({ is_public: false, allow_restricted: false });
        expect((await put(`${project}_4`, references([alice, restricted]))).status).toBe(400);
        expect((await put(staff, references([restricted]))).status).toBe(400);
        expect((await put(`${project}_4`, references([alice, suspended]))).status).toBe(400);
        expect((await put(staff, references([suspended]))).status).toBe(400);
        expect(await members()).toEqual(['alice']);
      });

      test('those of project 1 are the site administrators, of whom one must be left', async () => {
        const { admin } = atelier;
        const root = await atelier.createUser('rooty');
        expect((await root.get('/platform/settings')).status).toBe(403);
        expect((await admin.put('/user_groups/1_4/users', references([admin, root]))).status).toBe(200);
        expect((await root.get('/platform/settings')).status).toBe(200);
        expect((await admin.put('/user_groups/1_4/users', [])).status).toBe(400);
        expect((await admin.put('/user_groups/1_4/users', references([admin, restricted]))).status).toBe(400);
        expect((await admin.put('/user_groups/1_4/users', references([admin]))).status).toBe(200);
        expect((await root.get('/platform/settings')).status).toBe(403);
      });
    });

    describe('static groups', () => {
      test('of a public project take people who are no members', async () => {
        await fresh();
        expect((await put(staff, references([bob]))).status).toBe(200);
        expect(await members()).toEqual(['alice']);
        await alice.patch(`/projects/${project}/settings`, { has_synchronised_membership: true });
        expect((await put(staff, references([bob, carol]))).status).toBe(200);
        expect(await members()).toEqual(['alice', 'carol']);
        expect((await put(staff, [])).status).toBe(200);
        expect(await members()).toEqual(['alice', 'carol']);
      });

      test.each([undefined, false])(
        'of a private project make members (allow_restricted %s)',
        async (allowed) => {
          await fresh({ is_public: false, allow_restricted: allowed });
          expect((await put(staff, references([bob]))).status).toBe(200);
          expect(await members()).toEqual(['alice', 'bob']);
        },
      );
    });

    test('whoever a group does not list stays in it, and can be taken out by name', async () => {
      await fresh();
      const gone = await atelier.createUser('gone');
      await setMembers(alice, `${project}_3`, [alice, gone, bob]);
      await setMembers(alice, staff, [gone, bob]);
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'S' });
      expect((await put(staff, references([carol]))).status).toBe(200);
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'D' });
      expect((await put(`${project}_3`, references([carol]))).status).toBe(200);
      expect((await put(staff, [])).status).toBe(200);
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'A' });
      expect([await members(), await membersOf(alice, staff)]).toEqual([
        ['alice', 'carol', 'gone'],
        ['gone'],
      ]);
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'S' });
      const removal = { remove: [{ id: gone.id }] };
      expect((await alice.patch(`/user_groups/${staff}/users`, removal)).status).toBe(200);
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'A' });
      expect(await membersOf(alice, staff)).toEqual([]);
    });

    test('is for project administrators; read-only administrators are ordinary users', async () => {
      await fresh();
      await setMembers(alice, `${project}_3`, [alice, bob]);
      const reading = await atelier.createUser('reading');
      const platformGroup = await atelier.admin.post('/platform/groups', { name: 'reading' });
      const rights = { user_ids: [reading.id], permissions: [9] };
      await atelier.admin.put(`/platform/groups/${platformGroup.body.id}`, rights);
      expect((await reading.get(`/user_groups/${project}_3/users`)).status).toBe(200);
      for (const caller of [bob, reading]) {
        for (const id of [`${project}_3`, `${project}_4`, staff]) {
          expect((await caller.put(`/user_groups/${id}/users`, [])).status).toBe(403);
        }
      }
      expect((await atelier.anonymous.put(`/user_groups/${staff}/users`, [])).status).toBe(401);
      expect((await alice.put('/user_groups/99999/users', [])).status).toBe(404);
    });

    test('members may be managed by delegated groups, other groups not', async () => {
      await fresh();
      await setMembers(alice, staff, [bob]);
      expect((await bob.get(`/user_groups/${project}_3/users`)).status).toBe(403);
      await alice.patch(`/projects/${project}/settings`, { membership_delegation: [staff] });
      expect((await bob.get(`/user_groups/${project}_3/users`)).status).toBe(200);
      expect((await bob.put(`/user_groups/${project}_3/users`, references([alice, carol]))).status).toBe(200);
      expect(await members()).toEqual(['alice', 'carol']);
      for (const id of [`${project}_4`, staff]) {
        expect((await bob.get(`/user_groups/${id}/users`)).status).toBe(403);
        expect((await bob.put(`/user_groups/${id}/users`, references([bob]))).status).toBe(403);
      }
    });

    test('changes are among the system events', async () => {
      await fresh();
      const before = (await taskTypesOf(atelier)).length;
      await setMembers(alice, `${project}_3`, [alice, bob]);
      await setMembers(alice, staff, [bob]);
      await setMembers(alice, `${project}_3`, [alice]);
      expect((await taskTypesOf(atelier)).slice(before)).toEqual([
        'SystemEvent_MEMBERSHIP_CREATE',
        'SystemEvent_UGROUP_MODIFY',
        'SystemEvent_MEMBERSHIP_DELETE',
      ]);
      await setMembers(alice, `${project}_3`, [alice]);
      expect((await taskTypesOf(atelier)).length).toBe(before + 3);
    });
  });

  describe('PATCH /user_groups/{id}/users', () => {
    const change = (caller: Person, id: string, body: unknown) =>
      caller.patch(`/user_groups/${id}/users`, body);

    test('adds and removes without touching the others, all or nothing', async () => {
      const own = await createGroup(alice, shop, 'patched');
      await setMembers(alice, own, [bob, carol]);
      const reply = await change(alice, own, { add: [{ username: 'dave' }], remove: [{ id: bob.id }] });
      expect([reply.status, reply.body]).toEqual([200, { size: 2 }]);
      expect(await membersOf(alice, own)).toEqual(['carol', 'dave']);
      const same = { add: [{ id: dave.id }], remove: [{ id: bob.id }] };
      expect((await change(alice, own, same)).body).toEqual({ size: 2 });
      expect((await change(alice, own, {})).body).toEqual({ size: 2 });
      for (const [wrong, words] of [
        [{ add: [{ id: bob.id }, { id: 999_999 }] }, '`add[1]` names no user'],
        [{ add: [{ id: bob.id }], remove: [{}] }, '`remove[0]` needs exactly one of'],
        [{ add: [{ id: bob.id }], remove: [{ id: bob.id }] }, 'bob is among those to be added'],
        [{ add: [{ id: bob.id }, { username: 'dave' }] }, '`add`. All of them must use the same member'],
        [{ add: [{ id: suspended.id }] }, 'has an account that cannot be used'],
        [{ add: Array.from({ length: 1001 }, () => ({ id: bob.id })) }, 'add'],
      ] as const) {
        const refused = await change(alice, own, wrong);
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(words)]);
      }
      expect(await membersOf(alice, own)).toEqual(['carol', 'dave']);
      expect((await change(bob, own, same)).status).toBe(403);
      expect((await atelier.anonymous.patch(`/user_groups/${own}/users`, same)).status).toBe(401);
    });

    test('many at once lose nobody', async () => {
      const own = await createGroup(alice, shop, 'crowded');
      const people = [alice, bob, carol, dave];
      const replies = await Promise.all(people.map(({ id }) => change(alice, own, { add: [{ id }] })));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await membersOf(alice, own)).toEqual(['alice', 'bob', 'carol', 'dave']);
    });

    test('knows the rules of members and administrators', async () => {
      const { id } = await createProject(alice, 'patchwork');
      const [members, administrators] = [`${id}_3`, `${id}_4`];
      expect((await change(alice, members, { add: [{ id: bob.id }] })).body).toEqual({ size: 2 });
      expect((await change(alice, administrators, { add: [{ id: carol.id }] })).body).toEqual({ size: 2 });
      expect((await change(alice, administrators, { remove: [{ id: alice.id }] })).body).toEqual({ size: 1 });
      expect((await change(carol, administrators, { remove: [{ id: carol.id }] })).status).toBe(400);
      // An administrator stays a member, as by PUT.
      expect((await change(carol, members, { remove: [{ id: carol.id }, { id: bob.id }] })).body).toEqual({
        size: 2,
      });
      expect(await membersOf(carol, members)).toEqual(['alice', 'carol']);
      expect((await change(carol, '1', { add: [{ id: bob.id }] })).status).toBe(400);
    });
  });

  describe('POST /user_groups', () => {
    test('creates an empty group and answers 201 with the full form', async () => {
      const { status, body, headers } = await alice.post('/user_groups', {
        project_id: shop,
        short_name: 'new_group-1',
        description: 'Fresh',
      });
      expect([status, headers.get('allow')]).toEqual([201, 'OPTIONS, POST']);
      expect(body).toEqual((await alice.get(`/user_groups/${body.id}`)).body);
      expect(Number(body.id)).toBeGreaterThan(100);
      expect(await membersOf(alice, body.id)).toEqual([]);
    });

    test.each([
      'with space',
      'dot.ted',
      'ümlaut',
      '',
      'developers',
      'project_members',
      'Nobody',
      // What archives call groups that every project has.
      'UGROUP_ANONYMOUS',
      'ugroup_project_members_name_key',
      'x'.repeat(101),
    ])('name "%s" is 400', async (short_name) => {
      expect((await alice.post('/user_groups', { project_id: shop, short_name })).status).toBe(400);
    });

    test('is for project administrators of a project that there is', async () => {
      const group = { project_id: shop, short_name: 'theirs' };
      expect((await bob.post('/user_groups', group)).status).toBe(403);
      expect((await atelier.anonymous.post('/user_groups', group)).status).toBe(401);
      expect((await alice.post('/user_groups', { ...group, project_id: 99999 })).status).toBe(404);
      expect((await alice.post('/user_groups', { short_name: 'theirs' })).status).toBe(400);
      expect((await atelier.admin.post('/user_groups', group)).status).toBe(201);
    });
  });

  describe('PATCH and DELETE /user_groups/{id}', () => {
    test('rename and delete groups of the project', async () => {
      const id = await createGroup(alice, shop, 'temporary');
      await setMembers(alice, id, [bob]);
      const renamed = await alice.patch(`/user_groups/${id}`, { short_name: 'Temporary' });
      expect([renamed.status, renamed.body.short_name]).toEqual([200, 'Temporary']);
      expect((await alice.patch(`/user_groups/${id}`, { short_name: 'developers' })).status).toBe(400);
      const described = await alice.patch(`/user_groups/${id}`, { description: 'Only this' });
      expect(described.body.description).toBe('Only this');
      expect((await alice.get(`/user_groups/${id}`)).body.description).toBe('Only this');
      expect((await alice.patch(`/user_groups/${id}`, { description: 'Only this' })).body.label).toBe(
        'Temporary',
      );
      expect(await membersOf(alice, id)).toEqual(['bob']);
      const deleted = await alice.delete(`/user_groups/${shop}_${id}`);
      expect([deleted.status, deleted.text]).toEqual([200, '']);
      expect((await alice.get(`/user_groups/${id}`)).status).toBe(404);
      expect((await alice.delete(`/user_groups/${id}`)).status).toBe(404);
    });

    test('are for project administrators, and for groups that the project defined', async () => {
      expect((await bob.patch(`/user_groups/${group}`, { short_name: 'mine' })).status).toBe(403);
      expect((await bob.delete(`/user_groups/${group}`)).status).toBe(403);
      for (const id of [`${shop}_3`, `${shop}_4`, '2']) {
        expect((await alice.patch(`/user_groups/${id}`, { short_name: 'mine' })).status).toBe(400);
        expect((await alice.delete(`/user_groups/${id}`)).status).toBe(400);
      }
    });
  });
});
