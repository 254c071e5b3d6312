import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { expectRefusal, repliesOf } from './replies.ts';

const engines = oneEngine('PostgreSQL', 'commands do what the API does, in words of their own');

describe.each(engines)('commands for the platform on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());
  const { json, said } = repliesOf(() => atelier);

  const setting = (name: string, value: string) => said('config', 'set', name, value);

  describe('group and permission', () => {
    test('a permission granted to a group counts from the next request of its members on, until revoked', async () => {
      const frida = await atelier.createUser('frida');
      const mayList = async () => (await frida.get('/system_event')).status;
      await said('group', 'create', 'Watchers');
      await said('group', 'add', 'watchers', 'frida');
      expect(await mayList()).toBe(403);
      await said('permission', 'grant', 'watchers', 'read-system-events');
      expect(await mayList()).toBe(200);
      await said('permission', 'revoke', 'watchers', '6');
      expect(await mayList()).toBe(403);
      await said('permission', 'grant', 'watchers', '6');
      expect(await mayList()).toBe(200);
      await said('group', 'remove', 'watchers', 'frida');
      expect(await mayList()).toBe(403);
      await said('group', 'add', 'watchers', 'frida');
      await said('group', 'delete', 'watchers');
      expect(await mayList()).toBe(403);
    });

    test('list shows members and permissions', async () => {
      for (const name of ['gil', 'gus']) await atelier.cli('user', 'create', name);
      const { id } = await json('group', 'create', 'helpdesk');
      expectRefusal(await atelier.cli('group', 'create', 'HelpDesk'), 'already');
      await said('group', 'add', 'helpdesk', 'gus', 'gil', 'gil');
      await said('permission', 'grant', 'helpdesk', 'user-management');
      await said('permission', 'grant', 'helpdesk', 'rest-read-only-administrator');
      const group = (await json('group', 'list')).find((entry: { id: number }) => entry.id === id);
      expect(group).toMatchObject({
        name: 'helpdesk',
        permissions: [{ id: 5, slug: 'user-management' }, { id: 9 }],
        users: [{ username: 'gil' }, { username: 'gus' }],
      });
      expect(await said('group', 'list')).toMatch(
        /helpdesk +user-management, rest-read-only-administrator +gil, gus\n/,
      );
    });

    test('commands that change a group at the same time lose nothing of each other', async () => {
      const names = ['hal', 'hans', 'hugo'];
      for (const name of names) await atelier.cli('user', 'create', name);
      await said('group', 'create', 'crowd');
      await Promise.all(names.map((name) => said('group', 'add', 'crowd', name)));
      const crowd = (await json('group', 'list')).find((entry: { name: string }) => entry.name === 'crowd');
      expect(crowd.users).toHaveLength(names.length);
    });

    test('unknown groups, users and permissions change nothing', async () => {
      await said('group', 'create', 'empty');
      expectRefusal(await atelier.cli('group', 'add', 'empty', 'admin', 'ghost'), 'There is no user ghost');
      expectRefusal(
        await atelier.cli('group', 'add', 'ghosts', 'admin'),
        'There is no platform group ghosts',
      );
      expectRefusal(await atelier.cli('permission', 'grant', 'empty', 'flying'), /flying.*user-management/);
      expectRefusal(await atelier.cli('group', 'delete', 'ghosts'), 'There is no platform group');
      expectRefusal(await atelier.cli('group', 'create', ' '), 'empty', 2);
      const group = (await json('group', 'list')).find((entry: { name: string }) => entry.name === 'empty');
      expect(group).toMatchObject({ permissions: [], users: [] });
    });

    test('permission list names what can be granted', async () => {
      expect(await json('permission', 'list')).toContainEqual({
        id: 9,
        slug: 'rest-read-only-administrator',
        name: 'REST read-only administrator',
      });
    });
  });

  describe('config', () => {
    test('a changed access mode keeps anonymous callers out of the very next request', async () => {
      expect((await atelier.anonymous.get('/users/101')).status).toBe(200);
      expect(await setting('access_mode', 'regular')).toBe('access_mode is now regular.\n');
      expect((await atelier.anonymous.get('/users/101')).status).toBe(401);
      expect(await said('config', 'get', 'access_mode')).toBe('regular\n');
      await setting('access_mode', 'anonymous');
      expect((await atelier.anonymous.get('/users/101')).status).toBe(200);
    });

    test('list and get tell values as they are; unknown names and values are refused', async () => {
      const settings = await json('config', 'list');
      expect(settings).toContainEqual(await json('config', 'get', 'password_min_length'));
      expect(await said('config', 'list')).toMatch(/^password_min_length +8 +8 +Shortest password$/m);
      expectRefusal(await atelier.cli('config', 'get', 'acess_mode'), 'access_mode');
      expectRefusal(await atelier.cli('config', 'set', 'acess_mode', 'regular'), 'access_mode');
      expectRefusal(await atelier.cli('config', 'set', 'access_mode', 'open'), 'anonymous, regular');
      expect(await json('config', 'list')).toEqual(settings);
    });
  });

  test('doctor finds nothing wrong with an instance that runs', async () => {
    const { healthy, checks } = await json('doctor');
    expect(healthy).toBe(true);
    const states = Object.fromEntries(
      checks.map((check: { about: string; state: string }) => [check.about, check.state]),
    );
    expect(states).toMatchObject({ Node: 'ok', configuration: 'ok', 'free space': 'ok', database: 'ok' });
    expect(await said('doctor')).toMatch(new RegExp(`^ok +database +${engine} [\\d.]+`, 'm'));
  });

  test('a service whose port is taken says so and ends', async () => {
    const port = new URL(atelier.url).port;
    expectRefusal(await atelier.cli('serve', '--port', port), `Port ${port} of 127.0.0.1 is in use`);
  });
});
