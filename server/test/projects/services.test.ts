import { ProjectService } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

interface Service {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly is_enabled: boolean;
}

const engines = oneEngine('PostgreSQL', 'the menu is made in code');

describe.each(engines)('project services on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  const path = () => `/projects/${project}/project_services`;
  const services = async (): Promise<Service[]> => (await alice.get(`${path()}?limit=50`)).body;
  const named = async (name: string): Promise<Service> =>
    (await services()).find((service) => service.name === name)!;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'Tools')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  test('are listed in the order of the menu, page by page', async () => {
    const reply = await bob.get(path());
    expect([reply.status, sizeOf(reply), reply.headers.get('allow')]).toEqual([200, 4, 'OPTIONS, GET']);
    expect(reply.body.map(({ name }: Service) => name)).toEqual([
      'summary',
      'admin',
      'plugin_tracker',
      'plugin_svn',
    ]);
    for (const service of reply.body) expect(Check(ProjectService, service)).toBe(true);
    expect(reply.body[0]).toMatchObject({
      uri: `project_services/${reply.body[0].id}`,
      service_url: '/projects/tools',
      is_enabled: true,
      is_custom: false,
    });
    const second = await bob.get(`${path()}?limit=2&offset=2`);
    expect([second.body.map(({ name }: Service) => name), sizeOf(second)]).toEqual([
      ['plugin_tracker', 'plugin_svn'],
      4,
    ]);
    expect((await bob.get(`${path()}?limit=51`)).status).toBe(400);
    expect((await atelier.anonymous.get(path())).status).toBe(200);
  });

  test('each can be read by its own address, by whoever may see the project', async () => {
    for (const service of await services()) {
      const reply = await atelier.anonymous.get(`/project_services/${service.id}`);
      expect([reply.status, reply.body, reply.headers.get('allow')]).toEqual([200, service, 'OPTIONS, PUT']);
    }
    const hidden = (await createProject(alice, 'Closed', { is_public: false })).id;
    const [closed] = (await alice.get(`/projects/${hidden}/project_services`)).body;
    expect((await bob.get(`/project_services/${closed.id}`)).status).toBe(403);
    expect((await bob.get('/project_services/99999')).status).toBe(404);
  });

  test('PUT switches one off and on', async () => {
    const { id } = await named('plugin_svn');
    const off = await alice.put(`/project_services/${id}`, { is_enabled: false });
    expect([off.status, off.text, off.headers.get('allow')]).toEqual([200, '', 'OPTIONS, PUT']);
    expect((await named('plugin_svn')).is_enabled).toBe(false);
    expect((await alice.put(`/project_services/${id}`, { body: { is_enabled: true } })).status).toBe(200);
    expect((await named('plugin_svn')).is_enabled).toBe(true);
  });

  test('PUT is for project administrators, of a service that there is', async () => {
    const { id } = await named('plugin_svn');
    expect((await bob.put(`/project_services/${id}`, { is_enabled: false })).status).toBe(403);
    expect((await atelier.anonymous.put(`/project_services/${id}`, { is_enabled: false })).status).toBe(401);
    expect((await alice.put('/project_services/99999', { is_enabled: false })).status).toBe(404);
    expect((await alice.put(`/project_services/${id}`, {})).status).toBe(400);
    expect((await atelier.admin.put(`/project_services/${id}`, { is_enabled: true })).status).toBe(200);
    const hidden = (await createProject(alice, 'hidden-tools', { is_public: false })).id;
    const { body } = await alice.get(`/projects/${hidden}/project_services`);
    expect((await bob.put(`/project_services/${body[0].id}`, { is_enabled: true })).status).toBe(403);
  });

  test('the administration cannot be switched off', async () => {
    const { id } = await named('admin');
    expect((await alice.put(`/project_services/${id}`, { is_enabled: false })).status).toBe(400);
    expect((await alice.put(`/project_services/${id}`, { is_enabled: true })).status).toBe(200);
  });

  test('what the platform switched off is shown to site administrators only and cannot be switched on', async () => {
    const { id } = await named('plugin_svn');
    await atelier.configure({ disabled_services: 'plugin_svn, other' });
    const seen = await alice.get(path());
    expect(seen.body.map(({ name }: Service) => name)).not.toContain('plugin_svn');
    expect(sizeOf(seen)).toBe(3);
    expect((await atelier.admin.get(path())).body.map(({ name }: Service) => name)).toContain('plugin_svn');
    expect((await alice.put(`/project_services/${id}`, { is_enabled: true })).status).toBe(400);
    expect((await alice.put(`/project_services/${id}`, { is_enabled: false })).status).toBe(200);
    await atelier.configure({ disabled_services: '' });
    expect((await alice.put(`/project_services/${id}`, { is_enabled: true })).status).toBe(200);
  });

  describe('links of the project’s own', () => {
    test('are added at the end, changed and deleted', async () => {
      const created = await alice.post(path(), { label: 'Chat', service_url: 'https://chat.example/room' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        name: '',
        label: 'Chat',
        is_enabled: true,
        is_custom: true,
        icon: '',
        open_in_new_tab: false,
      });
      expect((await services()).at(-1)).toEqual(created.body);
      const { id } = created.body;
      const changed = await alice.patch(`/project_services/${id}`, {
        label: 'Talk',
        rank: 1,
        is_enabled: false,
      });
      expect([changed.status, changed.body.label, changed.body.service_url]).toEqual([
        200,
        'Talk',
        'https://chat.example/room',
      ]);
      expect((await services())[0]).toEqual(changed.body);
      expect((await alice.put(`/project_services/${id}`, { is_enabled: true })).status).toBe(200);
      expect((await alice.delete(`/project_services/${id}`)).status).toBe(200);
      expect((await alice.delete(`/project_services/${id}`)).status).toBe(404);
      expect((await services()).length).toBe(4);
    });

    test.each([
      ['service_url', 'javascript:alert(1)'],
      ['service_url', '//evil.example/'],
      ['service_url', 'chat.example'],
      ['service_url', 'https://'],
      ['label', 'x'.repeat(41)],
      ['icon', '<b>'],
      ['rank', -1],
    ])('%s = %j is 400', async (member, value) => {
      const { status, body } = await alice.post(path(), {
        label: 'Link',
        service_url: '/here',
        [member]: value,
      });
      expect(status).toBe(400);
      expect(body.error.message).toContain(`\`${member}\``);
      expect((await services()).length).toBe(4);
    });

    test('are for project administrators, and the tools themselves stay as they are', async () => {
      expect((await bob.post(path(), { label: 'Link', service_url: '/here' })).status).toBe(403);
      const { id } = await named('summary');
      expect((await alice.patch(`/project_services/${id}`, { label: 'Home page' })).status).toBe(400);
      expect((await alice.delete(`/project_services/${id}`)).status).toBe(400);
      const link = await alice.post(path(), { label: 'Link', service_url: '/here' });
      expect((await bob.patch(`/project_services/${link.body.id}`, { label: 'Mine' })).status).toBe(403);
      expect((await bob.delete(`/project_services/${link.body.id}`)).status).toBe(403);
      await alice.delete(`/project_services/${link.body.id}`);
    });
  });

  describe('PUT …/project_services_order', () => {
    const order = (caller: Person, ids: readonly number[]) =>
      caller.put(`/projects/${project}/project_services_order`, { ids });
    const names = async () => (await services()).map(({ name, label }) => name || label);

    test('puts the menu in order, tools and links alike; what is not named follows', async () => {
      const link = (await alice.post(path(), { label: 'Tides', service_url: '/tides' })).body;
      const svn = await named('plugin_svn');
      const reply = await order(alice, [link.id, svn.id]);
      expect([reply.status, reply.text]).toEqual([200, '']);
      expect(await names()).toEqual(['Tides', 'plugin_svn', 'summary', 'admin', 'plugin_tracker']);
      await alice.delete(`/project_services/${link.id}`);
    });

    test('refuses what the project does not have and what is named twice, and changes nothing', async () => {
      const before = await names();
      const { id } = await named('admin');
      for (const ids of [
        [id, 999_999],
        [id, id],
      ]) {
        const refused = await order(alice, ids);
        expect([refused.status, refused.text.includes('`ids`')]).toEqual([400, true]);
      }
      expect((await order(bob, [id])).status).toBe(403);
      expect(await names()).toEqual(before);
    });
  });
});
