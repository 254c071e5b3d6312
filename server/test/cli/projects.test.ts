import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createProject } from '../fixtures/project.ts';
import { readTracker, setSemantics } from '../fixtures/tracker.ts';
import { createFlow, startWorkflow } from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { expectRefusal, repliesOf } from './replies.ts';

const engines = oneEngine('SQLite', 'commands do what the API does, in words of their own');

describe.each(engines)('commands for projects on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());
  const { json, said } = repliesOf(() => atelier);
  /** Refusals that no database has a part in are asked for once: each costs a process. */
  const refuses = async (args: readonly string[], words: string, code?: number) => {
    if (engine === 'SQLite') expectRefusal(await atelier.cli(...args), words, code);
  };

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

    test('set --status counts from the next request on, and a deleted one has to be restored', async () => {
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
      expectRefusal(await atelier.cli('project', 'set', 'frozen', '--status', 'active'), 'restore it');
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
      expect(states).toEqual(new Set(['active', 'suspended', 'deleted', 'system']));
      expect(await said('project', 'list')).toMatch(/^\d+ +Web-Shop +active +private +Web Shop$/m);
    });

    test('list names templates, those of the platform and those that come with it, too', async () => {
      const words = await said('project', 'list');
      expect(words).toMatch(/^100 +default-template +system +public +yes +Default Site Template$/m);
      expect(words).toMatch(/^Templates that come with Atelier: empty, issues, agile, service_desk\.\n$/m);
      const templates = await json('project', 'list', '--templates');
      const names = templates.map(({ shortname }: { shortname: string }) => shortname);
      expect(names).toEqual(['default-template', 'mould', 'empty', 'issues', 'agile', 'service_desk']);
      expect(await said('project', 'list', '--templates')).toMatch(/^ +issues +shipped +yes +issues$/m);
    });
  });

  test('tracker list, tracker workflow and artifact list tell what is in a project', async () => {
    const { id: projectId } = await createProject(atelier.admin, 'depot');
    expect(await said('tracker', 'list', 'depot')).toBe('There are no trackers.\n');
    const flow = await createFlow(atelier.admin, projectId, { item_name: 'bug', label: 'Bugs' });
    await setSemantics(atelier.admin, flow.id, {
      title: { field_id: flow.title },
      status: { field_id: flow.status.field_id, value_ids: [flow.states.Todo] },
    });
    const title = (value: string) => ({ field_id: flow.title, value });
    const first = await submit(atelier.admin, flow.id, [title('Leaks'), flow.set('Todo')]);
    const last = await submit(atelier.admin, flow.id, [title('Rusts'), flow.set('Done')]);
    const tracker = {
      ...{ id: flow.id, project: 'depot', item_name: 'bug', label: 'Bugs' },
      ...{ artifacts: 2, workflow_mode: null },
    };
    expect(await json('tracker', 'list', 'depot')).toEqual([tracker]);
    expect(await json('tracker', 'list')).toContainEqual(tracker);
    await refuses(['tracker', 'list', 'ghost'], 'There is no project ghost');

    expectRefusal(await atelier.cli('tracker', 'workflow', 'depot/bug'), 'has no workflow');
    await startWorkflow(atelier.admin, flow, ['new Todo', 'Todo Done']);
    expect(await said('tracker', 'workflow', 'depot/bug')).toBe(
      'depot/bug: simple mode, in use, field status, 2 transitions.\n',
    );
    await said('tracker', 'workflow', 'depot/bug', '--mode', 'advanced');
    expect((await readTracker(atelier.admin, flow.id)).workflow).toMatchObject({ is_advanced: true });
    expect((await json('tracker', 'workflow', 'depot/bug', '--mode', 'simple')).mode).toBe('simple');
    await refuses(['tracker', 'workflow', 'depot/bug', '--mode', 'odd'], 'simple', 2);

    const artifacts = await json('artifact', 'list', 'depot/bug');
    expect(artifacts).toMatchObject([
      { id: first, title: 'Leaks', status: 'Todo', submitted_by: 'admin' },
      { id: last, title: 'Rusts', status: 'Done' },
    ]);
    expect(await said('artifact', 'list', 'depot/bug', '--limit', '1', '--offset', '1')).toMatch(
      new RegExp(`^${last} .*Rusts\n2 to 2 of 2: see --limit and --offset\\.\n$`, 'm'),
    );
    expect(await json('artifact', 'list', 'depot/bug', '--query', "status = 'Done'")).toMatchObject([
      { id: last },
    ]);
    await refuses(['artifact', 'list', 'depot/bug', '--query', 'status ='], 'Line 1');
    await refuses(['artifact', 'list', 'depot/ghost'], 'There is no tracker depot/ghost');
    await refuses(['artifact', 'list', 'depot'], 'web-shop/bug', 2);

    expect(await said('artifact', 'list', 'depot/bug', '--deleted')).toBe(
      'There are no deleted artifacts.\n',
    );
    expect((await atelier.admin.delete(`/artifacts/${last}`)).status).toBe(200);
    expect(await json('artifact', 'list', 'depot/bug', '--deleted')).toMatchObject([
      { id: last, title: 'Rusts' },
    ]);
    await said('tracker', 'delete', 'depot/bug');
    expect(await json('tracker', 'list', 'depot')).toEqual([]);
    expect(await json('tracker', 'list', 'depot', '--deleted')).toMatchObject([{ id: flow.id }]);
    expect(await json('svn', 'list', 'depot')).toEqual([]);
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
    const other = await json('project-field', 'create', 'Colour');
    await said('project', 'set', 'costly', '--field', 'Colour=red', '--field', `${id}=12`);
    expect((await json('project', 'show', 'costly')).fields).toEqual([
      { id, name: 'Cost centre', value: '12' },
      { id: other.id, name: 'Colour', value: 'red' },
    ]);
    await said('project', 'set', 'costly', '--field', 'colour=');
    expect(await said('project', 'show', 'costly')).toMatch(/^Cost centre +12\nColour$/m);
    await refuses(['project', 'set', 'costly', '--field', 'Cost centre='], 'needs a value');
    await refuses(['project', 'set', 'costly', '--field', 'Size=1'], 'no project field Size');
    await refuses(['project', 'set', 'costly', '--field', 'Size'], '"="', 2);
    await said('project-field', 'delete', 'Colour');
    expectRefusal(await atelier.cli('project-field', 'set', 'Cost centre'), 'nothing to change', 2);
    await said('project-field', 'set', 'Cost centre', '--no-required', '--name', 'Payer');
    expect(await json('project-field', 'list')).toEqual([{ ...expected, name: 'Payer', is_required: false }]);
    await said('project-field', 'delete', String(id));
    expect(await asked()).toEqual([]);
    expectRefusal(await atelier.cli('project-field', 'delete', 'Payer'), 'There is no project field Payer');
  });
});
