import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldSettings, Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, repliesOf } from '../cli/replies.ts';
import { messageOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, idsOf, setMembers, sizeOf } from '../fixtures/project.ts';
import { trackerXml } from '../fixtures/project-archive.ts';
import {
  addField,
  createTracker,
  everyField,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { addTransition, changeWorkflow, setConditions } from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'what a copy and a deletion take along is decided in code');

describe.each(engines)('trackers that come and go on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let elsewhere: number;
  let testers: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'here')).id;
    elsewhere = (await createProject(alice, 'elsewhere')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
  });
  afterAll(() => atelier.stop());
  const { json, said } = repliesOf(() => atelier);

  const withArtifact = async (more: Readonly<Record<string, unknown>> = {}) => {
    const { id } = await createTracker(alice, project, more);
    const title = (await addField(alice, id, { type: 'string', name: 'title' })).field_id;
    return { id, artifact: await submit(alice, id, [{ field_id: title, value: 'Here' }]) };
  };

  describe('DELETE /trackers/{id}', () => {
    test('takes the tracker and its artifacts out of sight, and a restore brings everything back', async () => {
      const { id, artifact } = await withArtifact({ item_name: 'bug', label: 'Bugs' });
      const [tracker, before] = [await readTracker(alice, id), await readArtifact(alice, artifact)];
      expect((await alice.delete(`/trackers/${id}`)).status).toBe(200);
      for (const caller of [alice, atelier.admin])
        expect((await caller.get(`/trackers/${id}`)).status).toBe(404);
      expect((await alice.get(`/artifacts/${artifact}`)).status).toBe(403);
      expect(idsOf(await alice.get(`/projects/${project}/trackers?limit=50`))).not.toContain(id);
      expect((await alice.delete(`/trackers/${id}`)).status).toBe(404);
      expect((await alice.patch(`/trackers/${id}/settings`, { label: 'x' })).status).toBe(404);
      const listed = await alice.get(`/projects/${project}/deleted_trackers`);
      expect(listed.body[0]).toEqual({
        id,
        uri: `deleted_trackers/${id}`,
        label: 'Bugs',
        item_name: 'bug',
        color_name: 'inca-silver',
        project: tracker.project,
        deleted_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        deleted_by: expect.objectContaining({ username: 'alice' }),
      });
      expect(sizeOf(listed)).toBe(1);
      const restored = await alice.post(`/deleted_trackers/${id}/restore`, {});
      expect(restored.status, restored.text).toBe(200);
      expect(restored.body).toEqual(tracker);
      expect(await readArtifact(alice, artifact)).toEqual(before);
      expect((await alice.post(`/deleted_trackers/${id}/restore`, {})).status).toBe(404);
      expect((await alice.get(`/projects/${project}/deleted_trackers`)).body).toEqual([]);
    });

    test('frees the short name; who wants it back then takes another', async () => {
      const { id } = await createTracker(alice, project, { item_name: 'Story' });
      await alice.delete(`/trackers/${id}`);
      await createTracker(alice, project, { item_name: 'story' });
      const taken = await alice.post(`/deleted_trackers/${id}/restore`, {});
      expect([taken.status, messageOf(taken)]).toEqual([400, expect.stringContaining('`item_name`')]);
      const wrong = await alice.post(`/deleted_trackers/${id}/restore`, { item_name: 'has space' });
      expect(wrong.status).toBe(400);
      const restored = await alice.post(`/deleted_trackers/${id}/restore`, { item_name: 'old_story' });
      expect(restored.body).toMatchObject({ id, item_name: 'old_story' });
    });

    test('is for project administrators', async () => {
      const { id } = await createTracker(alice, project);
      await setPermissions(alice, id, { can_access: ['1'], can_admin: ['3'] });
      for (const caller of [bob, carol]) expect((await caller.delete(`/trackers/${id}`)).status).toBe(403);
      expect((await atelier.anonymous.delete(`/trackers/${id}`)).status).toBe(401);
      expect((await alice.delete('/trackers/999999')).status).toBe(404);
      await alice.delete(`/trackers/${id}`);
      for (const caller of [bob, carol]) {
        expect((await caller.get(`/projects/${project}/deleted_trackers`)).status).toBe(403);
        expect((await caller.post(`/deleted_trackers/${id}/restore`, {})).status).toBe(404);
      }
      expect((await atelier.anonymous.post(`/deleted_trackers/${id}/restore`, {})).status).toBe(401);
      expect((await alice.post('/deleted_trackers/999999/restore', {})).status).toBe(404);
    });

    test('by many at the same time happens once, and so does a restore', async () => {
      const { id } = await createTracker(alice, project);
      const statuses = async (send: () => Promise<{ status: number }>) =>
        (await Promise.all(Array.from({ length: 8 }, send))).map(({ status }) => status).sort();
      expect(await statuses(() => alice.delete(`/trackers/${id}`))).toEqual([200, ...Array(7).fill(404)]);
      expect(await statuses(() => alice.post(`/deleted_trackers/${id}/restore`, {}))).toEqual([
        200,
        ...Array(7).fill(404),
      ]);
    });

    test('answers with the methods that existing clients know', async () => {
      const { headers } = await atelier.anonymous.options('/trackers/1');
      expect(headers.get('allow')).toBe('OPTIONS, GET, PATCH');
    });
  });

  test('GET /trackers/{id}/settings tells what can be set', async () => {
    const parent = await createTracker(alice, project);
    const settings = {
      label: 'Set',
      item_name: 'set',
      description: 'All of it',
      color_name: 'deep-blue',
      notification_level: 1,
      parent_id: parent.id,
      has_private_comments: true,
    };
    const { id, project: reference } = await createTracker(alice, project, settings);
    const { body } = await alice.get(`/trackers/${id}/settings`);
    expect(body).toEqual({ id, uri: `trackers/${id}`, project: reference, ...settings });
    expect((await bob.get(`/trackers/${id}/settings`)).status).toBe(403);
    expect((await atelier.anonymous.get(`/trackers/${id}/settings`)).status).toBe(401);
  });

  describe('a copy', () => {
    const copy = (from: number, to: number, more: object = {}) =>
      alice.post(`/projects/${to}/trackers`, {
        label: 'Copy',
        item_name: `copy_${from}_${to}`,
        from_tracker_id: from,
        ...more,
      });

    /** The elements of a form by name, without what is another in every tracker. */
    async function formOf(trackerId: number) {
      const { body } = await alice.get(`/trackers/${trackerId}/form_elements`);
      const elements: FieldSettings[] = body;
      const names = new Map(elements.map(({ field_id, name }) => [field_id, name]));
      return elements.map(({ field_id, tracker, parent_id, bind, permissions_for_groups, ...rest }) => ({
        ...rest,
        parent: names.get(parent_id ?? 0),
        groups: Object.values(permissions_for_groups ?? {}).map((groups) =>
          groups.map(({ short_name }) => short_name),
        ),
        bind: bind && {
          ...bind,
          default_values: bind.default_values.length,
          groups: bind.groups.map((id) => id.replace(/^\d+_/, '')),
          values: bind.values.map(({ id, ugroup_id, ...value }) => value),
        },
      }));
    }

    test('has the form, permissions, semantics, workflow and settings of the original under new ids', async () => {
      const { tracker, ids } = await everyField(alice, project);
      const source = await readTracker(alice, tracker.id);
      const values = valueIds(source.fields.find(({ name }) => name === 'sb') ?? { values: [] });
      const settings = { description: 'The first', color_name: 'plum-crazy', notification_level: 1 };
      await alice.patch(`/trackers/${tracker.id}/settings`, settings);
      await setPermissions(alice, tracker.id, { can_access: ['2', testers], can_admin: ['3'] });
      await setFieldPermissions(alice, ids['string'] ?? 0, {
        can_read: [testers],
        can_submit: ['3'],
        can_update: ['3'],
      });
      await alice.patch(`/tracker_fields/${ids['msb']}/settings`, { default_values: [] });
      await alice.patch(`/tracker_fields/${ids['float']}`, { use_it: false });
      await setSemantics(alice, tracker.id, {
        title: { field_id: ids['string'] },
        status: { field_id: ids['sb'], value_ids: [values['red'], 100] },
        done: { value_ids: [values['blue']] },
        contributor: { field_id: ids['msb_users'] },
        timeframe: { start_date_field_id: ids['date'], end_date_field_id: ids['datetime'] },
        progress: { total_effort_field_id: ids['int'], remaining_effort_field_id: ids['computed'] },
        tooltip: { field_ids: [ids['text'], ids['aid']] },
      });
      await changeWorkflow(alice, tracker.id, { set_transitions_rules: { field_id: ids['sb'] } });
      await changeWorkflow(alice, tracker.id, { set_transitions_rules: { is_used: true } });
      const start = await addTransition(alice, tracker.id, 0, values['red'] ?? 0);
      await addTransition(alice, tracker.id, values['red'] ?? 0, values['blue'] ?? 0);
      await setConditions(alice, start, {
        authorized_user_group_ids: [`${project}_3`],
        not_empty_field_ids: [ids['string'] ?? 0],
      });
      const reply = await copy(tracker.id, project);
      expect(reply.status, reply.text).toBe(201);
      const made: Tracker = reply.body;
      const copied = valueIds(made.fields.find(({ name }) => name === 'sb') ?? { values: [] });
      expect(made.workflow).toMatchObject({
        is_used: '1',
        transitions: [
          { from_id: null, to_id: copied['red'] },
          { from_id: copied['red'], to_id: copied['blue'] },
        ],
      });
      expect(made).toMatchObject({ label: 'Copy', description: 'The first', color_name: 'plum-crazy' });
      expect(await formOf(made.id)).toEqual(await formOf(tracker.id));
      const original = await readTracker(alice, tracker.id);
      expect(made.permissions_for_groups).toEqual(original.permissions_for_groups);
      const all = new Set(original.fields.map(({ field_id }) => field_id));
      expect(made.fields.some(({ field_id }) => all.has(field_id))).toBe(false);
      /** Semantics with the names of fields and the labels of values instead of their ids. */
      const inWords = async ({ id, fields }: Tracker) => {
        const names = new Map(fields.map(({ field_id, name }) => [field_id, name]));
        const list = fields.find(({ name }) => name === 'sb') ?? { values: [] };
        const labels = new Map(Object.entries(valueIds(list)).map(([label, value]) => [value, label]));
        const { body } = await alice.get(`/trackers/${id}/semantics`);
        return JSON.parse(
          JSON.stringify(body, (member, value) => {
            if (member === 'value_ids') return value.map((id: number) => labels.get(id) ?? id);
            if (member === 'field_ids') return value.map((id: number) => names.get(id));
            return member.endsWith('field_id') ? names.get(value) : value;
          }),
        );
      };
      expect(await inWords(made)).toEqual(await inWords(original));
      const artifact = await submit(alice, made.id, [
        { field_id: made.fields.find(({ name }) => name === 'string')?.field_id, value: 'In the copy' },
        { field_id: made.workflow?.field_id, bind_value_ids: [copied['red']] },
      ]);
      expect((await readArtifact(alice, artifact)).title).toBe('In the copy');
      expect((await alice.get(`/trackers/${tracker.id}/artifacts`)).body).toEqual([]);
    });

    test('in another project takes the groups with the same names there, and leaves the others out', async () => {
      await createGroup(alice, project, 'only-here');
      const there = await createGroup(alice, elsewhere, 'Testers');
      const { id } = await createTracker(alice, project);
      const [here] = (await alice.get(`/projects/${project}/user_groups?limit=50`)).body.filter(
        ({ short_name }: { short_name: string }) => short_name === 'only-here',
      );
      const groups = ['3', testers, here.id];
      await addField(alice, id, {
        type: 'msb',
        name: 'teams',
        bind: { type: 'ugroups', groups },
        default_values: [testers, here.id],
      });
      await addField(alice, id, {
        type: 'msb',
        name: 'people',
        bind: { type: 'users', groups },
        default_values: [String(alice.id), String(bob.id)],
      });
      await setPermissions(alice, id, { can_access: groups, can_admin: [here.id] });
      const { body } = await copy(id, elsewhere);
      const [teams, people] = (await alice.get(`/trackers/${body.id}/form_elements`)).body;
      expect(body.permissions_for_groups.can_access.map((group: { id: string }) => group.id)).toEqual([
        `${elsewhere}_3`,
        there,
      ]);
      expect(body.permissions_for_groups.can_admin).toEqual([]);
      expect(teams.bind.values.map((value: { ugroup_id: string }) => value.ugroup_id)).toEqual([
        `${elsewhere}_3`,
        there,
      ]);
      expect(teams.bind.default_values).toEqual([there]);
      expect(people.bind.groups).toEqual([`${elsewhere}_3`, there]);
      // Only people who can be chosen there are defaults there.
      expect(people.bind.default_values).toEqual([String(alice.id)]);
    });

    test('has the same parent, or the one with the same short name in the other project', async () => {
      const parent = await createTracker(alice, project, { item_name: 'epic' });
      const child = await createTracker(alice, project, { parent_id: parent.id });
      await setSemantics(alice, child.id, { timeframe: { implied_from_tracker: { id: parent.id } } });
      expect((await copy(child.id, project)).body).toMatchObject({
        parent: { id: parent.id },
        semantics: { timeframe: { implied_from_tracker: { id: parent.id } } },
      });
      const alone = (await copy(child.id, elsewhere, { item_name: 'alone' })).body;
      expect([alone.parent, alone.semantics]).toEqual([null, {}]);
      const epic = await createTracker(alice, elsewhere, { item_name: 'EPIC' });
      expect((await copy(child.id, elsewhere, { item_name: 'with_epic' })).body).toMatchObject({
        parent: { id: epic.id },
        semantics: { timeframe: { implied_from_tracker: { id: epic.id } } },
      });
      expect((await copy(child.id, project, { item_name: 'orphan', parent_id: null })).body.parent).toBe(
        null,
      );
    });

    test('needs an administrator of both ends, and makes nothing otherwise', async () => {
      const { id } = await createTracker(alice, project);
      const own = (await createProject(bob, 'bobs')).id;
      const size = async () => sizeOf(await bob.get(`/projects/${own}/trackers`));
      const send = (from: number) =>
        bob.post(`/projects/${own}/trackers`, { label: 'Copy', item_name: 'copy', from_tracker_id: from });
      expect((await send(id)).status).toBe(403);
      expect((await send(999_999)).status).toBe(400);
      await setPermissions(alice, id, {});
      expect((await send(id)).status).toBe(400);
      expect(await size()).toBe(0);
      await setPermissions(alice, id, { can_admin: ['3'] });
      expect((await send(id)).status).toBe(201);
      expect(
        (await bob.post(`/projects/${project}/trackers`, { label: 'x', item_name: 'x', from_tracker_id: id }))
          .status,
      ).toBe(403);
      await alice.delete(`/trackers/${id}`);
      expect((await send(id)).status).toBe(400);
      expect(await size()).toBe(1);
    });
  });

  describe('a tracker like that of a template', () => {
    const make = (caller: Person, more: Readonly<Record<string, unknown>>) =>
      caller.post(`/projects/${elsewhere}/trackers`, { label: 'Troubles', item_name: 'trouble', ...more });

    test('has all that the template gives it, under a name of its own', async () => {
      const { body: templates } = await bob.get('/platform/templates');
      expect(templates.map(({ name }: { name: string }) => name)).toEqual([
        'empty',
        'issues',
        'agile',
        'service_desk',
      ]);
      const whole = (await createProject(alice, 'whole-issues', { xml_template_name: 'issues' })).id;
      const { body: originals } = await alice.get(`/projects/${whole}/trackers`);
      const bugs = originals.find(({ item_name }: Tracker) => item_name === 'bug');
      const made = await make(alice, {
        from_template: { name: 'issues', item_name: 'bug' },
        color_name: 'peggy-pink',
      });
      expect(made.status, made.text).toBe(201);
      expect(made.body).toMatchObject({ label: 'Troubles', item_name: 'trouble', color_name: 'peggy-pink' });
      const formOf = ({ fields }: Tracker) => fields.map(({ name, type, label }) => [name, type, label]);
      expect(formOf(made.body)).toEqual(formOf(bugs));
      expect(made.body.workflow.transitions).toHaveLength(bugs.workflow.transitions.length);
      expect(Object.keys(made.body.semantics)).toEqual(Object.keys(bugs.semantics));
    });

    test('can be each that a template brings', async () => {
      const { body: templates } = await alice.get('/platform/templates');
      const { id } = await createProject(alice, 'one-of-each');
      for (const { name, trackers } of templates)
        for (const { item_name, label } of trackers) {
          const reply = await alice.post(`/projects/${id}/trackers`, {
            label: `${label} of ${name}`,
            item_name: `${name}_${item_name}`,
            from_template: { name, item_name },
          });
          expect(reply.status, reply.text).toBe(201);
        }
    });

    test('is for project administrators, and refuses what is not there or is said twice', async () => {
      const template = { name: 'issues', item_name: 'bug' };
      expect((await make(bob, { from_template: template, item_name: 'mine' })).status).toBe(403);
      for (const wrong of [
        { from_template: { name: 'nothing', item_name: 'bug' } },
        { from_template: { name: 'issues', item_name: 'nothing' } },
        { from_template: template, from_tracker_id: 1 },
        { from_template: template, has_private_comments: true },
        { from_template: template, notification_level: 1 },
        { from_template: template, item_name: 'trouble', label: 'Other' },
        { from_template: template, parent_id: 999_999 },
        { from_template: 'issues' },
      ]) {
        const reply = await make(alice, { label: 'Other', item_name: 'other', ...wrong });
        expect([wrong, reply.status]).toEqual([wrong, 400]);
      }
      expect((await atelier.anonymous.get('/platform/templates')).status).toBe(401);
    });
  });

  test('a project made from another has its trackers, tied to each other as there', async () => {
    const template = (await createProject(alice, 'mould')).id;
    const casters = await createGroup(alice, template, 'casters');
    const parent = await createTracker(alice, template, { item_name: 'epic', label: 'Epics' });
    const child = await createTracker(alice, template, {
      item_name: 'story',
      label: 'Stories',
      parent_id: parent.id,
    });
    const gone = await createTracker(alice, template, { item_name: 'gone' });
    await alice.delete(`/trackers/${gone.id}`);
    const title = await addField(alice, child.id, { type: 'string', name: 'title' });
    await setSemantics(alice, child.id, { title: { field_id: title.field_id } });
    await setPermissions(alice, child.id, { can_access: [casters], can_admin: ['3'] });
    await alice.put(`/projects/${template}/disabled_link_types`, { shortnames: ['_covered_by'] });
    const cast = (await createProject(alice, 'cast', { xml_template_name: undefined, template_id: template }))
      .id;
    const { body } = await alice.get(`/projects/${cast}/trackers`);
    const [epics, stories] = body;
    expect(body.map(({ item_name }: Tracker) => item_name)).toEqual(['epic', 'story']);
    expect(stories).toMatchObject({
      parent: { id: epics.id },
      fields: [{ name: 'title' }],
      semantics: { title: { field_id: stories.fields[0].field_id } },
      permissions_for_groups: { can_access: [{ short_name: 'casters' }], can_admin: [{ id: `${cast}_3` }] },
    });
    expect(stories.fields[0].field_id).not.toBe(title.field_id);
    const disabled = (await alice.get(`/projects/${cast}/disabled_link_types`)).body;
    expect(disabled).toEqual({ shortnames: ['_covered_by'] });
  });

  test('the command line makes a tracker from a file, without the artifacts in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-'));
    const file = join(folder, 'chore.xml');
    writeFileSync(file, trackerXml('T1', 'chore', ['Water the tomatoes']));
    const create = (name: string, ...more: string[]) =>
      atelier.cli('tracker', 'create', `here/${name}`, '--from', file, '--json', ...more);
    const made = await create('duty', '--description', 'What somebody has to do');
    expect(made.code, made.stderr).toBe(0);
    const { id, warnings } = JSON.parse(made.stdout);
    expect(warnings).toEqual([]);
    expect(await readTracker(alice, id)).toMatchObject({
      item_name: 'duty',
      label: 'Tracker chore',
      description: 'What somebody has to do',
      fields: [{ name: 'title' }, { name: 'state' }],
    });
    expect((await alice.get(`/trackers/${id}/artifacts`)).body).toEqual([]);
    expectRefusal(await create('other'), 'another tracker with the name');
    expectRefusal(await create('duty', '--label', 'Others'), 'item_name');
    writeFileSync(file, '<project/>');
    expectRefusal(await create('other'), 'chore.xml, line 1: It has project as its root');
    expectRefusal(await create('other', '--from', folder), `${folder}: it is a folder`);
    rmSync(folder, { recursive: true });
  });

  test('the command line deletes trackers and brings them back', async () => {
    const { id, artifact } = await withArtifact({ item_name: 'Task' });
    expect(await said('tracker', 'delete', 'here/task')).toBe('The tracker here/task was deleted.\n');
    expect((await alice.get(`/trackers/${id}`)).status).toBe(404);
    expectRefusal(await atelier.cli('tracker', 'delete', 'here/task'), 'no tracker here/task');
    await createTracker(alice, project, { item_name: 'task' });
    expectRefusal(await atelier.cli('tracker', 'restore', 'here/task'), 'item_name');
    const back = await json('tracker', 'restore', 'here/task', '--as', 'old_task');
    expect(back).toEqual({ id, deleted: false });
    expect((await readArtifact(alice, artifact)).xref).toBe(`old_task #${artifact}`);
    expect((await readTracker(alice, id)).item_name).toBe('old_task');
    expectRefusal(await atelier.cli('tracker', 'restore', 'here/task'), 'no deleted tracker');
    expectRefusal(await atelier.cli('tracker', 'delete', 'nowhere/task'), 'no project nowhere');
    expectRefusal(await atelier.cli('tracker', 'delete', 'task'), 'web-shop/bug', 2);
  });
});
