import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('the platform on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_JWT_SECRET: 'shared secret' } });
    alice = await atelier.createUser('alice');
  });
  afterAll(() => atelier.stop());

  const grant = async (name: string, person: Person, permissions: number[]) => {
    const group = await atelier.admin.post('/platform/groups', { name });
    expect(group.status).toBe(201);
    const { status, body } = await atelier.admin.put(`/platform/groups/${group.body.id}`, {
      user_ids: [person.id],
      permissions,
    });
    expect(status).toBe(200);
    return body;
  };

  test('GET /version names the product, whatever the credentials', async () => {
    const { status, body } = await atelier.callerWith({ 'X-Auth-AccessKey': 'nonsense' }).get('/version');
    expect(status).toBe(200);
    expect(body).toEqual({
      flavor_name: 'Atelier',
      version_number: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  test('GET /platform/about tells a page what it must know, whatever the credentials and the access mode', async () => {
    await atelier.configure({ access_mode: 'regular', password_min_length: 9 });
    const stranger = atelier.callerWith({ 'X-Auth-AccessKey': 'nonsense', Cookie: 'atelier_session=x' });
    const { status, body, headers } = await stranger.get('/platform/about');
    await atelier.configure({ access_mode: 'anonymous', password_min_length: 8 });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      name: 'Atelier',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      access_mode: 'regular',
      has_mail: false,
      has_subversion: expect.any(Boolean),
      has_demo: false,
      password_min_length: 9,
      languages: ['en', 'fr'],
      time_zone: 'Europe/Paris',
      first_day_of_week: 1,
      build: expect.any(String),
    });
  });

  test('GET /jwt is signed with the shared secret and valid for half an hour', async () => {
    const { body } = await alice.get('/jwt');
    const [header = '', claims = '', signature] = body.token.split('.');
    expect(createHmac('sha512', 'shared secret').update(`${header}.${claims}`).digest('base64url')).toBe(
      signature,
    );
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(decoded.data.user_id).toBe(alice.id);
    expect(decoded.exp - Date.now() / 1000).toBeGreaterThan(1700);
  });

  describe('settings', () => {
    test('site administrators read and change them, all or nothing', async () => {
      const { body } = await atelier.admin.get('/platform/settings');
      expect(body).toContainEqual(
        expect.objectContaining({ name: 'artifact_deletion_limit', value: 5, default: 5 }),
      );
      const change = { artifact_deletion_limit: 7, project_registration: 'nonsense' };
      const refused = await atelier.admin.patch('/platform/settings', change);
      expect(refused.status).toBe(400);
      expect(refused.body.error.message).toContain('`project_registration`');
      expect((await atelier.admin.patch('/platform/settings', { nonsense: 1 })).status).toBe(400);
      expect((await atelier.admin.patch('/platform/settings', { artifact_deletion_limit: -1 })).status).toBe(
        400,
      );
      expect((await atelier.admin.patch('/platform/settings', { artifact_deletion_limit: 9 })).status).toBe(
        200,
      );
      const after = await atelier.admin.get('/platform/settings');
      expect(after.body).toContainEqual(
        expect.objectContaining({ name: 'artifact_deletion_limit', value: 9 }),
      );
    });

    test('nobody else does', async () => {
      expect((await alice.get('/platform/settings')).status).toBe(403);
      expect((await alice.patch('/platform/settings', { access_mode: 'regular' })).status).toBe(403);
      expect((await atelier.anonymous.get('/platform/settings')).status).toBe(401);
    });
  });

  describe('delegated permissions', () => {
    test('a group is created, filled, renamed and deleted', async () => {
      const bob = await atelier.createUser('bob');
      const group = await grant('Helpers', bob, [6, 4]);
      expect(group).toEqual({
        id: expect.any(Number),
        uri: `platform/groups/${group.id}`,
        name: 'Helpers',
        permissions: [
          { id: 4, name: 'Retrieve user membership information' },
          { id: 6, name: 'Read system events' },
        ],
        users: [{ id: bob.id, uri: `users/${bob.id}`, username: 'bob' }],
      });
      expect((await atelier.admin.post('/platform/groups', { name: 'helpers' })).status).toBe(400);
      expect((await atelier.admin.put(`/platform/groups/${group.id}`, { user_ids: [99999] })).status).toBe(
        400,
      );
      expect((await atelier.admin.put(`/platform/groups/${group.id}`, { permissions: [3] })).status).toBe(
        400,
      );
      expect(
        (await atelier.admin.put(`/platform/groups/${group.id}`, { name: 'Aides' })).body.users,
      ).toHaveLength(1);
      expect((await bob.get('/system_event')).status).toBe(200);
      expect((await atelier.admin.delete(`/platform/groups/${group.id}`)).status).toBe(200);
      expect((await bob.get('/system_event')).status).toBe(403);
      expect((await atelier.admin.delete(`/platform/groups/${group.id}`)).status).toBe(404);
      expect((await bob.get('/platform/groups')).status).toBe(403);
    });

    test('"User management" lets people manage accounts, but not administrators', async () => {
      const carol = await atelier.createUser('carol');
      await grant('User managers', carol, [5]);
      expect((await carol.post('/users', { username: 'made-by-carol' })).status).toBe(201);
      expect((await carol.patch(`/users/${alice.id}`, { real_name: 'Alice A' })).status).toBe(200);
      expect((await carol.put(`/users/${alice.id}/password`, { password: 'set by carol' })).status).toBe(200);
      expect((await carol.patch('/users/101', { email: 'mine@example.com' })).status).toBe(403);
      expect((await carol.put('/users/101/password', { password: 'taken over' })).status).toBe(403);
      expect((await carol.get('/platform/settings')).status).toBe(403);
      const manager = await atelier.createUser('manager');
      await grant('Project managers', manager, [8]);
      const taken = await carol.put(`/users/${manager.id}/password`, { password: 'taken over' });
      expect(taken.status).toBe(403);
      expect(
        (await atelier.admin.put(`/users/${manager.id}/password`, { password: 'set by admin' })).status,
      ).toBe(200);
    });

    test('the technical account None stays as it is', async () => {
      expect((await atelier.admin.patch('/users/100', { status: 'A' })).status).toBe(403);
      expect((await atelier.admin.put('/users/100/password', { password: 'let me in' })).status).toBe(403);
    });

    test('"Platform administration" makes a site administrator', async () => {
      const dan = await atelier.createUser('dan');
      expect((await dan.get('/platform/settings')).status).toBe(403);
      await grant('Administrators', dan, [7]);
      expect((await dan.get('/platform/settings')).status).toBe(200);
      expect((await dan.patch('/platform/settings', { artifact_deletion_limit: 4 })).status).toBe(200);
    });

    test('a read-only administrator reads everything and changes nothing', async () => {
      const rob = await atelier.createUser('rob');
      await grant('Auditors', rob, [9]);
      expect((await rob.get('/platform/settings')).status).toBe(200);
      expect((await rob.get('/system_event')).status).toBe(200);
      expect((await rob.patch('/platform/settings', { artifact_deletion_limit: 4 })).status).toBe(403);
      expect((await rob.patch(`/users/${alice.id}`, { email: 'x@example.com' })).status).toBe(403);
      expect((await rob.get(`/users/${alice.id}/preferences?key=a`)).status).toBe(403);
    });
  });

  describe('GET /system_event', () => {
    test('lists tasks, oldest first, the activation of the first account included', async () => {
      const { status, body, headers } = await atelier.admin.get('/system_event?limit=100');
      expect(status).toBe(200);
      expect(body[0]).toEqual({
        id: 1,
        type: 'Tuleap\\SystemEvent\\SystemEventUserActiveStatusChange',
        status: 'DONE',
        owner: 'root',
        log: 'admin is active',
      });
      expect(headers.get('x-pagination-limit-max')).toBe('100');
      expect(Number(headers.get('x-pagination-size'))).toBe(body.length);
      expect((await atelier.admin.get('/system_event?status=error')).body).toEqual([]);
      expect((await atelier.admin.get('/system_event?status=nonsense')).status).toBe(400);
      expect((await atelier.admin.get('/system_event?limit=101')).status).toBe(400);
      expect((await alice.get('/system_event')).status).toBe(403);
      expect((await atelier.anonymous.get('/system_event')).status).toBe(401);
    });
  });
});
