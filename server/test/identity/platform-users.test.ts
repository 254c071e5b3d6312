import { PlatformUser } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, sizeOf } from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

interface Listed {
  readonly id: number;
  readonly username: string;
  readonly [member: string]: unknown;
}

describe.each(engines)('accounts of the platform on %s', (engine) => {
  let atelier: Atelier;
  let ada: Person;
  let registrar: Person;
  const found = async (caller: Person, query: string): Promise<string[]> => {
    const reply = await caller.get(`/platform/users?${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.map(({ username }: Listed) => username);
  };
  const one = async (name: string): Promise<Listed> => {
    const { body } = await atelier.admin.get(`/platform/users?words=${name}`);
    return body[0];
  };
  const signIn = (person: Person) =>
    atelier.anonymous.post('/sessions', { username: person.name, password: person.password });

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    ada = await atelier.createUser('ada', { real_name: 'Ada Lindqvist', email: 'A.Lind@North.example' });
    registrar = await atelier.createUser('registrar', { real_name: 'Étienne Roux' });
    await atelier.createUser('zoe', { status: 'S' });
    const group = (await atelier.admin.post('/platform/groups', { name: 'Accounts' })).body;
    const delegated = { user_ids: [registrar.id], permissions: [5] };
    expect((await atelier.admin.put(`/platform/groups/${group.id}`, delegated)).status).toBe(200);
  });
  afterAll(() => atelier.stop());

  test('are listed whatever their status, to administrators of users alone', async () => {
    expect(await found(registrar, '')).toEqual(['ada', 'admin', 'registrar', 'zoe']);
    const reply = await atelier.admin.get('/platform/users?limit=2&offset=1');
    expect([reply.body.map(({ username }: Listed) => username), sizeOf(reply)]).toEqual([
      ['admin', 'registrar'],
      4,
    ]);
    for (const user of reply.body) expect(Check(PlatformUser, user)).toBe(true);
    expect((await ada.get('/platform/users')).status).toBe(403);
    expect((await atelier.anonymous.get('/platform/users')).status).toBe(401);
    expect((await atelier.admin.get('/platform/users?limit=101')).status).toBe(400);
  });

  test('are found by words in names and addresses, by status, and sorted', async () => {
    expect(await found(registrar, 'words=LINDQ')).toEqual(['ada']);
    expect(await found(registrar, 'words=north.EXAMPLE')).toEqual(['ada']);
    expect(await found(registrar, 'words=etienne%20roux')).toEqual(['registrar']);
    expect(await found(registrar, 'words=etienne%20ada')).toEqual([]);
    expect(await found(registrar, 'words=100%25')).toEqual([]);
    expect(await found(registrar, 'status=S')).toEqual(['zoe']);
    expect(await found(registrar, 'status=A&order=created')).toEqual(['registrar', 'ada', 'admin']);
    expect((await signIn(ada)).status).toBe(201);
    expect((await found(registrar, 'order=last_access'))[0]).toBe('ada');
    for (const wrong of ['status=X', 'order=size'])
      expect((await registrar.get(`/platform/users?${wrong}`)).status).toBe(400);
  });

  test('tell what each has', async () => {
    const before = await one('ada');
    await createProject(ada, 'Counting');
    await ada.post('/access_keys', { description: 'more' });
    await signIn(ada);
    const after = await one('ada');
    expect(after).toMatchObject({
      status: 'A',
      is_site_administrator: false,
      has_password: true,
      project_count: Number(before['project_count']) + 1,
      access_key_count: Number(before['access_key_count']) + 1,
      session_count: Number(before['session_count']) + 1,
    });
    expect(await one('admin')).toMatchObject({ is_site_administrator: true });
  });

  test('DELETE sessions ends those of the person, and access keys stay', async () => {
    const opened = await signIn(ada);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asAda = () =>
      atelier.anonymous.get('/users/self', {
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' },
      });
    expect((await asAda()).body.username).toBe('ada');
    const { session_count: count } = await one('ada');
    const reply = await registrar.delete(`/platform/users/${ada.id}/sessions`);
    expect([reply.status, reply.body]).toEqual([200, { ended: count }]);
    expect((await asAda()).body.is_anonymous).toBe(true);
    expect((await ada.get('/users/self')).status).toBe(200);
    expect((await one('ada'))['session_count']).toBe(0);
  });

  test('DELETE access_keys refuses the programs of the person from then on', async () => {
    const { body } = await ada.post('/access_keys', {});
    const headers = { 'X-Auth-AccessKey': body.identifier };
    expect((await atelier.anonymous.get('/users/self', { headers })).status).toBe(200);
    expect((await registrar.delete(`/platform/users/${ada.id}/access_keys`)).body.ended).toBeGreaterThan(0);
    expect((await atelier.anonymous.get('/users/self', { headers })).status).toBe(401);
    expect((await one('ada'))['access_key_count']).toBe(0);
  });

  test('ending is for administrators of users, and of site administrators for one of them', async () => {
    for (const what of ['sessions', 'access_keys']) {
      const bob = await atelier.createUser(`bob.${what}`);
      expect((await bob.delete(`/platform/users/${registrar.id}/${what}`)).status).toBe(403);
      expect((await registrar.delete(`/platform/users/${atelier.admin.id}/${what}`)).status).toBe(403);
      expect((await registrar.delete(`/platform/users/99999/${what}`)).status).toBe(404);
      expect((await registrar.delete(`/platform/users/100/${what}`)).status).toBe(404);
    }
  });
});
