import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGroup, createProject, delegate, setMembers, sizeOf } from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0000000000000000000000000000000000000000000 test';

describe.each(engines)('memberships on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let restricted: Person;
  let club: number;
  let open: number;
  let closed: number;
  let clubGroup: string;
  let openGroup: string;
  let closedGroup: string;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    await atelier.configure({ access_mode: 'restricted' });
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    restricted = await atelier.createUser('restricted', { status: 'R' });
    club = (await createProject(alice, 'Club', { is_public: false })).id;
    open = (await createProject(alice, 'open')).id;
    closed = (await createProject(alice, 'closed', { is_public: true })).id;
    await setMembers(alice, `${club}_3`, [alice, bob, restricted]);
    await setMembers(alice, `${club}_4`, [alice, bob]);
    clubGroup = await createGroup(alice, club, 'inner');
    openGroup = await createGroup(alice, open, 'guests');
    closedGroup = await createGroup(alice, closed, 'outer');
    await setMembers(alice, clubGroup, [bob, restricted]);
    await setMembers(alice, openGroup, [bob, restricted]);
    await setMembers(alice, closedGroup, [bob]);
    await alice.patch(`/projects/${closed}/settings`, { access: 'private' });
  });
  afterAll(() => atelier.stop());

  const words = async (caller: Person, path: string) => (await caller.get(path)).body;

  test('are words about the site, the projects and the static groups', async () => {
    const projects = ['club_project_members', 'club_project_admin', `ug_${clubGroup}`, `ug_${openGroup}`];
    expect(await words(bob, '/users/self/membership')).toEqual(['site_active', ...projects]);
    expect(await words(bob, `/users/${bob.id}/membership?scope=project`)).toEqual(projects);
  });

  test('can be ids or full user groups', async () => {
    const ids = [`${club}_3`, `${club}_4`, clubGroup, openGroup];
    expect(await words(bob, '/users/self/membership?scope=project&format=id')).toEqual(ids);
    const full = await words(bob, '/users/self/membership?scope=project&format=full');
    expect(full.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const group of full) expect(group).toEqual((await bob.get(`/user_groups/${group.id}`)).body);
  });

  test('of a restricted user leave out what they cannot reach', async () => {
    const own = () => words(restricted, '/users/self/membership');
    expect(await own()).toEqual(['site_restricted', 'club_project_members', `ug_${clubGroup}`]);
    await alice.patch(`/projects/${open}/settings`, { access: 'unrestricted' });
    expect(await own()).toEqual([
      'site_restricted',
      'club_project_members',
      `ug_${clubGroup}`,
      `ug_${openGroup}`,
    ]);
    await alice.patch(`/projects/${club}/settings`, { access: 'private-wo-restr' });
    expect(await own()).toEqual(['site_restricted', `ug_${openGroup}`]);
    await alice.patch(`/projects/${club}/settings`, { access: 'private' });
  });

  test('count active projects only', async () => {
    await atelier.admin.patch(`/projects/${club}`, { status: 'suspended' });
    expect(await words(bob, '/users/self/membership')).toEqual(['site_active', `ug_${openGroup}`]);
    await atelier.admin.patch(`/projects/${club}`, { status: 'active' });
  });

  test('are empty for accounts that cannot be used', async () => {
    const sleeper = await atelier.createUser('sleeper');
    await setMembers(alice, `${open}_3`, [alice, sleeper]);
    await atelier.admin.patch(`/users/${sleeper.id}`, { status: 'S' });
    expect(await words(atelier.admin, `/users/${sleeper.id}/membership`)).toEqual([]);
  });

  test('are shown to the user, site administrators and those who look after accounts', async () => {
    const watcher = await atelier.createUser('watcher');
    await delegate(atelier, watcher, [4]);
    const userManager = await atelier.createUser('usermanager');
    await delegate(atelier, userManager, [5]);
    const reading = await atelier.createUser('reading');
    await delegate(atelier, reading, [9]);
    for (const caller of [bob, atelier.admin, watcher, userManager, reading]) {
      expect((await caller.get(`/users/${bob.id}/membership`)).status).toBe(200);
    }
    expect((await alice.get(`/users/${bob.id}/membership`)).status).toBe(403);
    expect((await atelier.anonymous.get('/users/self/membership')).status).toBe(401);
    expect((await alice.get('/users/99999/membership')).status).toBe(404);
    expect((await alice.get('/users/me/membership')).status).toBe(400);
  });

  test.each(['scope=site', 'format=id', 'format=full', 'scope=project&format=short'])(
    '%s is 400',
    async (text) => {
      expect((await bob.get(`/users/self/membership?${text}`)).status).toBe(400);
    },
  );

  test('GET /jwt states the same words', async () => {
    const { body } = await bob.get('/jwt');
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
    const own: string[] = await words(bob, '/users/self/membership');
    expect(claims.data).toEqual({ user_id: bob.id, user_rights: own.map((word) => `@${word}`) });
    await atelier.configure({ access_mode: 'anonymous' });
    const anonymous = await atelier.anonymous.get('/jwt');
    await atelier.configure({ access_mode: 'restricted' });
    const payload = JSON.parse(Buffer.from(anonymous.body.token.split('.')[1], 'base64url').toString());
    expect(payload.data).toEqual({ user_id: 0, user_rights: [] });
  });

  describe('GET /users_memberships', () => {
    beforeAll(async () => {
      for (const person of [bob, restricted]) {
        const { status, text } = await person.put('/users/self/ssh_keys', { keys: [sshKey] });
        expect(status, text).toBe(200);
      }
    });

    test('lists users with an SSH key and their groups', async () => {
      const reply = await atelier.admin.get('/users_memberships?query=with_ssh_key');
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual([
        { username: 'bob', user_groups: await words(bob, '/users/self/membership') },
        { username: 'restricted', user_groups: await words(restricted, '/users/self/membership') },
      ]);
      expect([sizeOf(reply), reply.headers.get('x-pagination-limit-max')]).toEqual([2, '1000']);
      const second = await atelier.admin.get('/users_memberships?query=with_ssh_key&limit=1&offset=1');
      expect(second.body.map(({ username }: { username: string }) => username)).toEqual(['restricted']);
    });

    test('needs the query, a limit up to 1000, and the right', async () => {
      for (const path of [
        '',
        '?query=all',
        '?query=with_ssh_key&limit=1001',
        '?query=with_ssh_key&offset=-1',
      ]) {
        expect((await atelier.admin.get(`/users_memberships${path}`)).status, path).toBe(400);
      }
      expect((await bob.get('/users_memberships?query=with_ssh_key')).status).toBe(403);
      expect((await atelier.anonymous.get('/users_memberships?query=with_ssh_key')).status).toBe(401);
    });
  });
});
