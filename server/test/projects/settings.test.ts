import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CreatedProject,
  createGroup,
  createProject,
  delegate,
  setMembers,
  taskTypesOf,
} from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('PostgreSQL', 'settings are checked in code');

describe.each(engines)('project settings on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: CreatedProject;
  const path = () => `/projects/${project.id}/settings`;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = await createProject(alice, 'Mixed-Case');
    await setMembers(alice, `${project.id}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  test('are read and changed by project administrators and site administrators only', async () => {
    const stranger = await atelier.createUser('stranger');
    for (const caller of [alice, atelier.admin]) expect((await caller.get(path())).status).toBe(200);
    for (const caller of [bob, stranger]) {
      expect((await caller.get(path())).status).toBe(403);
      expect((await caller.patch(path(), { label: 'Hijacked' })).status).toBe(403);
    }
    expect((await atelier.anonymous.get(path())).status).toBe(401);
    expect((await alice.get('/projects/99999/settings')).status).toBe(404);
  });

  test('a change is answered with the settings, and shows in the project', async () => {
    const change = {
      label: 'New label',
      description: 'New description',
      icon: '🎨',
      access: 'private',
      is_template: true,
      has_synchronised_membership: true,
    };
    const { status, body } = await alice.patch(path(), { settings: change });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...change, id: project.id, shortname: 'mixed-case', status: 'active' });
    expect((await alice.get(path())).body).toEqual(body);
    expect((await bob.get(`/projects/${project.id}`)).body).toMatchObject({
      label: '🎨 New label',
      label_without_icon: 'New label',
      description: 'New description',
      access: 'private',
      is_template: true,
      icon: '🎨',
    });
    expect(await taskTypesOf(atelier)).toContain('SystemEvent_PROJECT_IS_PRIVATE');
  });

  test('sent back as they were read they change nothing and are never refused', async () => {
    const before = (await alice.get(path())).body;
    const events = (await taskTypesOf(atelier)).length;
    const { status, body } = await alice.patch(path(), before);
    expect([status, body]).toEqual([200, before]);
    expect((await taskTypesOf(atelier)).length).toBe(events);
  });

  test.each([
    ['label', 'ab'],
    ['shortname', 'no spaces please'],
    ['shortname', 'bob'],
    ['icon', 'not an emoji'],
    ['icon', '🎨🎨'],
    ['access', 'secret'],
    ['access', 'unrestricted'],
    ['membership_delegation', ['4711']],
    ['fields', [{ field_id: 4711, value: 'x' }]],
  ])('%s = %j is 400, and nothing of the request is stored', async (member, value) => {
    const before = (await alice.get(path())).body;
    const { status, body } = await alice.patch(path(), { description: 'Half a change', [member]: value });
    expect(status).toBe(400);
    expect(body.error.message).toContain(`\`${member}\``);
    expect((await alice.get(path())).body).toEqual(before);
  });

  test('an icon can be any emoji, and be taken away', async () => {
    for (const icon of ['❤', '❤️', '🇫🇷', '👩‍💻', '1️⃣', '']) {
      expect((await alice.patch(path(), { icon })).body.icon).toBe(icon);
    }
  });

  test('a rename frees the old name, and the new one is found', async () => {
    const { id } = await createProject(alice, 'Old-Name');
    expect((await alice.patch(`/projects/${id}/settings`, { shortname: 'New-Name' })).status).toBe(200);
    expect((await alice.get(`/projects/${id}`)).body.shortname).toBe('new-name');
    await createProject(bob, 'old-name');
    expect((await alice.patch(`/projects/${id}/settings`, { shortname: 'OLD-NAME' })).status).toBe(400);
    expect(await taskTypesOf(atelier)).toContain('SystemEvent_PROJECT_RENAME');
    const { body: services } = await alice.get(`/projects/${id}/project_services`);
    expect(services[0].service_url).toBe('/projects/new-name');
  });

  test('only a site administrator deletes a project, and no other status brings it back', async () => {
    const { id } = await createProject(alice, 'doomed');
    const settings = `/projects/${id}/settings`;
    const manager = await atelier.createUser('manager');
    await delegate(atelier, manager, [8]);
    for (const caller of [alice, manager]) {
      expect((await caller.patch(settings, { status: 'deleted' })).status).toBe(403);
    }
    expect((await alice.patch(settings, { status: 'suspended' })).status).toBe(403);
    const deleted = await atelier.admin.patch(settings, { status: 'deleted' });
    expect([deleted.status, deleted.body.status]).toEqual([200, 'deleted']);
    expect(await taskTypesOf(atelier)).toContain('SystemEvent_PROJECT_DELETE');
    expect((await atelier.admin.patch(settings, { status: 'active' })).status).toBe(403);
    expect((await atelier.admin.patch(settings, { label: 'Still here' })).status).toBe(403);
    expect((await alice.get(`/projects/${id}`)).status).toBe(403);
    const again = { shortname: 'doomed', label: 'Doomed again', is_public: true, xml_template_name: 'empty' };
    expect((await alice.post('/projects', again)).status).toBe(400);
  });

  test('project managers suspend and activate; a suspended project is frozen for everybody', async () => {
    const { id } = await createProject(alice, 'frozen');
    const settings = `/projects/${id}/settings`;
    const manager = await atelier.createUser('freezer');
    await delegate(atelier, manager, [8]);
    expect((await manager.patch(settings, { status: 'suspended' })).status).toBe(200);
    expect((await atelier.admin.patch(settings, { label: 'Other label' })).status).toBe(403);
    expect((await alice.patch(settings, { status: 'active' })).status).toBe(403);
    expect((await manager.patch(settings, { label: 'Other label' })).status).toBe(403);
    expect((await manager.patch(settings, { status: 'active' })).status).toBe(200);
    expect((await alice.get(`/projects/${id}`)).status).toBe(200);
  });

  test('writes into a suspended project are 403 for site administrators, too', async () => {
    const { id } = await createProject(alice, 'icy');
    const group = await createGroup(alice, id, 'skaters');
    const { body: services } = await alice.get(`/projects/${id}/project_services`);
    await atelier.admin.patch(`/projects/${id}`, { status: 'suspended' });
    const { admin } = atelier;
    const replies = [
      await admin.put(`/user_groups/${id}_3/users`, []),
      await admin.put(`/user_groups/${group}/users`, []),
      await admin.post('/user_groups', { project_id: id, short_name: 'more' }),
      await admin.patch(`/user_groups/${group}`, { short_name: 'other' }),
      await admin.delete(`/user_groups/${group}`),
      await admin.put(`/project_services/${services[3].id}`, { is_enabled: false }),
      await admin.post(`/projects/${id}/project_services`, { label: 'Link', service_url: '/x' }),
      await admin.put(`/projects/${id}/banner`, { message: 'Hello' }),
      await admin.delete(`/projects/${id}/banner`),
      await admin.put(`/projects/${id}/header_background`, { identifier: 'blue-rain' }),
      await admin.post(`/projects/${id}/labels`, { label: 'cold' }),
    ];
    for (const { status, body } of replies) {
      expect([status, body.error.message]).toEqual([403, 'Forbidden: This project is suspended']);
    }
    expect((await admin.get(`/projects/${id}/user_groups`)).status).toBe(200);
  });

  test('built-in projects keep their name, visibility and status', async () => {
    for (const change of [{ shortname: 'other-name' }, { access: 'private' }, { status: 'suspended' }]) {
      for (const id of [1, 100]) {
        expect((await atelier.admin.patch(`/projects/${id}/settings`, change)).status).toBe(403);
      }
    }
    expect((await atelier.admin.patch('/projects/100/settings', { description: 'For all' })).status).toBe(
      200,
    );
  });

  test('where people cannot choose the visibility, only site administrators change it', async () => {
    const { id } = await createProject(alice, 'chosen');
    await atelier.configure({ project_visibility_choice: false });
    expect((await alice.patch(`/projects/${id}/settings`, { access: 'private' })).status).toBe(403);
    expect((await alice.patch(`/projects/${id}/settings`, { label: 'Other', access: 'public' })).status).toBe(
      200,
    );
    expect((await atelier.admin.patch(`/projects/${id}/settings`, { access: 'private' })).status).toBe(200);
    await atelier.configure({ project_visibility_choice: true });
  });

  test('membership is delegated to static groups of the project, given by either form of their id', async () => {
    const { id } = await createProject(alice, 'delegating');
    const other = await createProject(alice, 'not-delegating');
    const group = await createGroup(alice, id, 'keepers');
    const foreign = await createGroup(alice, other.id, 'keepers');
    const settings = `/projects/${id}/settings`;
    expect((await alice.patch(settings, { membership_delegation: [`${id}_${group}`] })).status).toBe(200);
    expect((await alice.get(settings)).body.membership_delegation).toEqual([group]);
    for (const wrong of [foreign, `${id}_4`, '2', 'keepers']) {
      expect((await alice.patch(settings, { membership_delegation: [wrong] })).status, wrong).toBe(400);
    }
    expect((await alice.patch(settings, { membership_delegation: [] })).body.membership_delegation).toEqual(
      [],
    );
  });

  describe('the history of a project', () => {
    interface Entry {
      readonly event: string;
      readonly subject: string;
      readonly details: { before: string; after: string } | null;
      readonly user: { username: string };
    }
    let lab: CreatedProject;
    const query = (criteria: unknown) => `query=${encodeURIComponent(JSON.stringify(criteria))}`;
    const history = async (search = ''): Promise<Entry[]> => {
      const reply = await alice.get(`/projects/${lab.id}/history?limit=50&${search}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const last = async () => {
      const [entry] = await history();
      return [entry?.event, entry?.subject, entry?.details];
    };
    beforeAll(async () => {
      lab = await createProject(alice, 'Lab');
    });

    test('tells each setting that changed with what it was, and nothing of what stayed', async () => {
      await alice.patch(`/projects/${lab.id}/settings`, { access: 'private', label: 'Project Lab' });
      expect(await last()).toEqual(['settings_change', 'access', { before: 'public', after: 'private' }]);
      const count = (await history()).length;
      await alice.patch(`/projects/${lab.id}/settings`, { access: 'private' });
      expect(await history()).toHaveLength(count);
      await alice.patch(`/projects/${lab.id}/settings`, { description: 'x'.repeat(600) });
      expect((await history())[0]?.details?.after).toBe(`${'x'.repeat(500)}…`);
    });

    test('tells who came and went, in which group, and groups themselves', async () => {
      await setMembers(alice, `${lab.id}_3`, [alice, bob]);
      expect(await last()).toEqual(['member_add', 'bob', null]);
      await setMembers(alice, `${lab.id}_4`, [alice, bob]);
      expect(await last()).toEqual(['administrator_add', 'bob', null]);
      await setMembers(alice, `${lab.id}_4`, [alice]);
      expect(await last()).toEqual(['administrator_remove', 'bob', null]);
      const group = await createGroup(alice, lab.id, 'testers');
      expect(await last()).toEqual(['group_create', 'testers', null]);
      await setMembers(alice, group, [bob]);
      expect(await last()).toEqual(['group_member_add', 'bob (testers)', null]);
      await alice.patch(`/user_groups/${group}`, { short_name: 'checkers' });
      expect(await last()).toEqual(['group_rename', 'testers', { before: 'testers', after: 'checkers' }]);
      await alice.delete(`/user_groups/${group}`);
      expect(await last()).toEqual(['group_delete', 'checkers', null]);
    });

    test('does not tell that administrators went, who stay, nor that somebody came who cannot', async () => {
      const gone = await atelier.createUser('gone');
      await atelier.admin.patch(`/users/${gone.id}`, { status: 'S' });
      await setMembers(alice, `${lab.id}_3`, [gone]);
      expect(await last()).toEqual(['member_remove', 'bob', null]);
      const count = (await history()).length;
      await setMembers(alice, `${lab.id}_3`, [gone]);
      expect(await history()).toHaveLength(count);
      await setMembers(alice, `${lab.id}_3`, [bob]);
      expect(await last()).toEqual(['member_add', 'bob', null]);
    });

    test('tells of the menu', async () => {
      const services = `/projects/${lab.id}/project_services`;
      const link = (await alice.post(services, { label: 'Tides', service_url: '/tides' })).body.id;
      expect(await last()).toEqual(['service_create', 'Tides', null]);
      const { body } = await alice.get(`${services}?limit=50`);
      const svn = body.find(({ name }: { name: string }) => name === 'plugin_svn');
      await alice.put(`/project_services/${svn.id}`, { is_enabled: false });
      expect(await last()).toEqual(['service_switch', svn.label, { before: 'on', after: 'off' }]);
      await alice.put(`/projects/${lab.id}/project_services_order`, { ids: [link] });
      const [event, , details] = await last();
      expect([event, details]).toMatchObject([
        'services_order',
        { after: expect.stringMatching(/^Tides, /) },
      ]);
      await alice.delete(`/project_services/${link}`);
      expect(await last()).toEqual(['service_delete', 'Tides', null]);
    });

    test('tells of trackers, their fields, permissions, meanings and workflow what was and what is', async () => {
      const { id } = await createTracker(alice, lab.id, { label: 'Samples', item_name: 'sample' });
      expect(await last()).toEqual(['tracker_create', 'Samples', null]);
      await alice.patch(`/trackers/${id}/settings`, { label: 'Probes' });
      expect(await last()).toEqual([
        'tracker_change',
        'Probes: label',
        { before: 'Samples', after: 'Probes' },
      ]);
      const values = ['New', 'Done'].map((label) => ({ label }));
      const status = await addField(alice, id, {
        ...{ type: 'sb', name: 'status', label: 'Status', bind: { type: 'static', values } },
      });
      const field = status.field_id;
      expect(await last()).toEqual([
        'field_add',
        'Probes: Status',
        { before: '', after: 'Status (status, sb)' },
      ]);
      await alice.post(`/tracker_fields/${field}/values`, { values: [{ label: 'Lost' }] });
      expect(await last()).toEqual([
        ...['field_values_change', 'Probes: Status'],
        { before: 'New, Done', after: 'New, Done, Lost' },
      ]);
      await alice.put(`/trackers/${id}/field_permissions`, {
        fields: { [field]: { can_read: ['2'], can_submit: [`${lab.id}_3`], can_update: [`${lab.id}_3`] } },
      });
      const [event, subject, details] = await last();
      expect([event, subject]).toEqual(['field_permissions_change', 'Probes: Status']);
      expect(details).toMatchObject({
        before: expect.stringContaining('read: all_users'),
        after: 'read: registered_users; submit: project_members; update: project_members',
      });
      const tracker = await readTracker(alice, id);
      const { New: first, Done: done } = valueIds(fieldNamed(tracker, 'status'));
      await setSemantics(alice, id, { status: { field_id: field, value_ids: [first] } });
      expect(await last()).toEqual([
        ...['semantic_add', 'Probes: status'],
        { before: '', after: 'Status: New' },
      ]);
      await alice.patch(`/trackers/${id}`, { workflow: { set_transitions_rules: { field_id: field } } });
      expect(await last()).toEqual([
        ...['workflow_add', 'Probes: Status'],
        { before: '', after: 'not enforced, simple' },
      ]);
      const made = await alice.post('/tracker_workflow_transitions', {
        ...{ tracker_id: id, from_id: first, to_id: done },
      });
      expect(await last()).toEqual([
        ...['transition_add', 'Probes: New → Done'],
        { before: '', after: 'project_members' },
      ]);
      await alice.patch(`/tracker_workflow_transitions/${made.body.id}`, {
        ...{ authorized_user_group_ids: [`${lab.id}_4`], not_empty_field_ids: [], is_comment_required: true },
      });
      expect(await last()).toEqual([
        ...['transition_change', 'Probes: New → Done'],
        { before: 'project_members', after: 'project_admins; needs a comment' },
      ]);
      await alice.delete(`/tracker_workflow_transitions/${made.body.id}`);
      expect((await last())[0]).toBe('transition_remove');
      // Nothing that stays as it is gets a line.
      const count = (await history()).length;
      await alice.patch(`/trackers/${id}/settings`, { label: 'Probes' });
      expect(await history()).toHaveLength(count);
      await alice.delete(`/trackers/${id}`);
      expect(await last()).toEqual(['tracker_delete', 'Probes', null]);
      await alice.post(`/deleted_trackers/${id}/restore`);
      expect(await last()).toEqual(['tracker_restore', 'Probes', null]);
    });

    test('is narrowed by what happened and by whom', async () => {
      await atelier.admin.patch(`/projects/${lab.id}/settings`, { icon: '🧪' });
      const byAdmin = await history(query({ user_id: atelier.admin.id }));
      expect(byAdmin.map(({ subject }) => subject)).toEqual(['icon']);
      expect(await history(query({ event: 'settings_change', user_id: bob.id }))).toEqual([]);
      for (const { event } of await history(query({ event: 'member_add' }))) expect(event).toBe('member_add');
      for (const wrong of [{ event: 1 }, { user_id: 'x' }, { other: 1 }, 'text'])
        expect((await alice.get(`/projects/${lab.id}/history?${query(wrong)}`)).status).toBe(400);
      expect((await bob.get(`/projects/${lab.id}/history`)).status).toBe(403);
    });
  });
});
