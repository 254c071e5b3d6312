import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, engines, startAtelier } from '../harness/atelier.ts';
import { expectRefusal, repliesOf } from './replies.ts';

describe.each(engines)('commands for projects on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());
  const { json, said } = repliesOf(() => atelier);

  describe('project', () => {
    test('create makes a project that its administrator can use at once', async () => {
      const jana = await atelier.createUser('jana');
      const options = ['--label', 'Web Shop', '--description', 'Our shop', '--visibility', 'private'];
      const project = await json('project', 'create', 'Web-Shop', '--admin', 'jana', ...options);
      expect(project).toEqual({
        id: expect.any(Number),
        shortname: 'Web-Shop',
        label: 'Web Shop',
        description: 'Our shop',
        status: 'active',
        access: 'private',
        is_template: false,
      });
      const { status, body } = await jana.get(`/projects/${project.id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ shortname: 'web-shop', label: 'Web Shop', is_member_of: true });
      expect((await jana.get(`/projects/${project.id}/settings`)).status).toBe(200);
    });

    test('create with nothing but a name makes a public project of the first administrator', async () => {
      expect(await said('project', 'create', 'plain')).toMatch(/^The project plain has the id \d+\.\n$/);
      const [project] = (await atelier.admin.get('/projects?query={"shortname":"plain"}')).body;
      expect(project).toMatchObject({ label: 'plain', access: 'public', is_member_of: true });
    });

    test('create refuses bad names, taken names, unknown templates and unknown people, and makes nothing', async () => {
      const before = await json('project', 'list');
      for (const [words, ...args] of [
        ['shortname', 'x'],
        ['shortname', 'under_score'],
        ['already used', 'ADMIN-project'],
        ['already used by a user', 'admin'],
        ['empty, issues', 'fine', '--from', 'nothing'],
        ['no such template', 'fine', '--from', '99999'],
        ['no user ghost', 'fine', '--admin', 'ghost'],
        ['restricted', 'fine', '--visibility', 'unrestricted'],
        ['no project field', 'fine', '--field', 'Colour=red'],
      ] as const)
        expectRefusal(await atelier.cli('project', 'create', ...args), words);
      expect(await json('project', 'list')).toEqual(before);
    });

    test('create --template makes a template, and --from copies one by short name or id', async () => {
      const template = await json('project', 'create', 'mould', '--template', '--admin', 'admin');
      expect(template.is_template).toBe(true);
      await atelier.admin.post('/user_groups', { project_id: template.id, short_name: 'casters' });
      for (const [shortname, from] of [
        ['cast-one', 'mould'],
        ['cast-two', String(template.id)],
      ] as const) {
        const { id, is_template } = await json('project', 'create', shortname, '--from', from);
        expect(is_template).toBe(false);
        const groups = (await atelier.admin.get(`/projects/${id}/user_groups`)).body;
        expect(groups.map((group: { short_name: string }) => group.short_name)).toContain('casters');
      }
      expect((await json('project', 'create', 'cast-three', '--from', 'issues')).status).toBe('active');
    });

    test('create --status suspended makes one that nobody uses yet', async () => {
      const karl = await atelier.createUser('karl');
      const { id, status } = await json(
        'project',
        'create',
        'later',
        '--admin',
        'karl',
        '--status',
        'suspended',
      );
      expect(status).toBe('suspended');
      expect((await karl.get(`/projects/${id}`)).status).toBe(403);
    });

    test('set --status counts from the next request on, and deleted is for ever', async () => {
      const lena = await atelier.createUser('lena');
      const { id } = await json('project', 'create', 'frozen', '--admin', 'lena');
      const seen = async () => (await lena.get(`/projects/${id}`)).status;
      expect(await seen()).toBe(200);
      await said('project', 'set', 'frozen', '--status', 'suspended');
      expect(await seen()).toBe(403);
      expect(
        (await json('project', 'list', '--status', 'suspended')).map((item: { id: number }) => item.id),
      ).toContain(id);
      await said('project', 'set', 'FROZEN', '--status', 'active');
      expect(await seen()).toBe(200);
      await said('project', 'set', 'frozen', '--status', 'deleted');
      expect(await seen()).toBe(403);
      expectRefusal(await atelier.cli('project', 'set', 'frozen', '--status', 'active'), 'brought back');
    });

    test('set changes what is named and nothing else, from the next request on', async () => {
      const mona = await atelier.createUser('mona');
      const { id } = await json('project', 'create', 'hidden', '--description', 'Kept');
      expect((await mona.get(`/projects/${id}`)).status).toBe(200);
      const changed = await json(
        'project',
        'set',
        'hidden',
        '--visibility',
        'private',
        '--template',
        '--label',
        'Seen',
      );
      expect(changed).toMatchObject({
        access: 'private',
        is_template: true,
        label: 'Seen',
        description: 'Kept',
      });
      expect((await mona.get(`/projects/${id}`)).status).toBe(403);
      expect((await json('project', 'set', 'hidden', '--no-template')).is_template).toBe(false);
      expectRefusal(await atelier.cli('project', 'set', 'hidden'), 'nothing to change', 2);
      expectRefusal(
        await atelier.cli('project', 'set', 'ghost', '--label', 'Boo'),
        'There is no project ghost',
      );
      expectRefusal(await atelier.cli('project', 'set', 'hidden', '--label', 'x'), '`label`');
    });

    test('list shows projects in every state, by id', async () => {
      const projects = await json('project', 'list');
      const ids = projects.map(({ id }: { id: number }) => id);
      expect(ids).toEqual([...ids].sort((one, other) => one - other));
      const states = new Set(projects.map(({ status }: { status: string }) => status));
      expect(states).toEqual(new Set(['active', 'suspended', 'deleted']));
      expect(await said('project', 'list')).toMatch(/^\d+ +Web-Shop +active +private +Web Shop$/m);
    });
  });

  test('project-field create, set, list and delete change what a new project is asked for', async () => {
    expect(await said('project-field', 'list')).toBe('There are no project fields.\n');
    const options = ['--description', 'Accounting', '--type', 'line', '--required', '--rank', '5'];
    const field = await json('project-field', 'create', 'Cost centre', ...options);
    const { id } = field;
    const expected = {
      id,
      name: 'Cost centre',
      description: 'Accounting',
      type: 'line',
      rank: 5,
      is_required: true,
    };
    expect(field).toEqual(expected);
    const asked = async () => (await atelier.admin.get('/project_fields')).body.project_fields_representation;
    expect(await asked()).toEqual([expected]);
    expectRefusal(await atelier.cli('project', 'create', 'costly'), 'Cost centre');
    const costly = await json('project', 'create', 'costly', '--field', 'cost centre=4711=x');
    const { additional_fields } = (await atelier.admin.get(`/projects/${costly.id}`)).body;
    expect(additional_fields).toEqual([{ name: 'Cost centre', value: '4711=x' }]);
    expectRefusal(await atelier.cli('project-field', 'create', 'COST CENTRE'), 'already');
    expectRefusal(await atelier.cli('project-field', 'set', 'Cost centre'), 'nothing to change', 2);
    await said('project-field', 'set', 'Cost centre', '--no-required', '--name', 'Payer');
    expect(await json('project-field', 'list')).toEqual([{ ...expected, name: 'Payer', is_required: false }]);
    await said('project-field', 'delete', String(id));
    expect(await asked()).toEqual([]);
    expectRefusal(await atelier.cli('project-field', 'delete', 'Payer'), 'There is no project field Payer');
  });
});
