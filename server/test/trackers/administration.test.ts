import type { FormElement, LinkType, Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import {
  type Atelier,
  type Caller,
  oneEngine,
  type Person,
  type Reply,
  startAtelier,
} from '../harness/atelier.ts';

const messageOf = ({ body }: Reply): string => body.error.message;

/** A tracker without what changes by the clock alone. */
const lasting = (tracker: Tracker) => ({
  ...tracker,
  fields: tracker.fields.map((field) =>
    ['subon', 'lud'].includes(field.type) ? { ...field, default_value: null } : field,
  ),
});

const engines = oneEngine(
  'PostgreSQL',
  'descriptions of trackers are checked in code; only PostgreSQL writes at once',
);

describe.each(engines)('the administration of trackers on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let elsewhere: number;
  let testers: string;
  let foreign: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'administered')).id;
    elsewhere = (await createProject(alice, 'elsewhere')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
    foreign = await createGroup(alice, elsewhere, 'foreigners');
    await setMembers(alice, testers, [carol]);
  });
  afterAll(() => atelier.stop());

  /** Refused with a status and words, and nothing is different afterwards. */
  async function expectUnchanged(
    trackerId: number,
    attempt: () => Promise<Reply>,
    [status, words]: readonly [number, string],
  ): Promise<void> {
    const before = lasting(await readTracker(atelier.admin, trackerId));
    const reply = await attempt();
    expect([reply.status, messageOf(reply)]).toEqual([status, expect.stringContaining(words)]);
    expect(lasting(await readTracker(atelier.admin, trackerId))).toEqual(before);
  }

  describe('POST /projects/{id}/trackers', () => {
    const create = (body: unknown, caller: Caller = alice) =>
      caller.post(`/projects/${project}/trackers`, body);

    test('answers 201 with the whole tracker', async () => {
      const parent = await createTracker(alice, project);
      const reply = await create({
        label: 'Stories',
        item_name: 'story_1',
        description: 'What people want',
        color_name: 'plum-crazy',
        notification_level: 1,
        parent_id: parent.id,
        has_private_comments: true,
      });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual(await readTracker(alice, reply.body.id));
      expect(reply.body).toMatchObject({
        label: 'Stories',
        item_name: 'story_1',
        description: 'What people want',
        color_name: 'plum-crazy',
        notifications: { enabled: false },
        parent: { id: parent.id },
      });
    });

    test.each([
      [{ item_name: 'a1' }, 'label'],
      [{ label: '  ', item_name: 'a1' }, 'label'],
      [{ label: 'x'.repeat(256), item_name: 'a1' }, 'label'],
      [{ label: 'two\nlines', item_name: 'a1' }, 'label'],
      [{ label: 'A' }, 'item_name'],
      [{ label: 'A', item_name: 'has space' }, 'item_name'],
      [{ label: 'A', item_name: 'é' }, 'item_name'],
      [{ label: 'A', item_name: 'x'.repeat(26) }, 'item_name'],
      [{ label: 'A', item_name: 'a1', color_name: 'pink' }, 'color_name'],
      [{ label: 'A', item_name: 'a1', notification_level: 3 }, 'notification_level'],
      [{ label: 'A', item_name: 'a1', notification_level: 2 }, 'notification_level'],
      [{ label: 'A', item_name: 'a1', parent_id: 999_999 }, 'parent_id'],
    ])('with %j is 400 and names %s', async (body, member) => {
      const reply = await create(body);
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(`\`${member}\``)]);
    });

    test('a short name is taken once in a project, whatever its letters look like', async () => {
      await createTracker(alice, project, { item_name: 'Task' });
      expect((await create({ label: 'Tasks', item_name: 'tASK' })).status).toBe(400);
      await createTracker(alice, elsewhere, { item_name: 'task' });
    });

    test('is for project administrators', async () => {
      const body = { label: 'Mine', item_name: 'mine' };
      for (const caller of [bob, carol]) expect((await create(body, caller)).status).toBe(403);
      expect((await create(body, atelier.anonymous)).status).toBe(401);
      expect((await alice.post('/projects/999999/trackers', body)).status).toBe(404);
      expect((await create(body, atelier.admin)).status).toBe(201);
    });

    test('of two at the same time with one name, one is created', async () => {
      const body = { label: 'Twin', item_name: 'twin' };
      const replies = await Promise.all([create(body), create(body), create(body)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    });
  });

  describe('PATCH /trackers/{id}/settings', () => {
    test('changes what is given', async () => {
      const { id } = await createTracker(alice, project, { description: 'Old', color_name: 'red-wine' });
      const changes = { label: 'Renamed', item_name: 'renamed', notification_level: 1 };
      const reply = await alice.patch(`/trackers/${id}/settings`, changes);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        label: 'Renamed',
        item_name: 'renamed',
        description: 'Old',
        color_name: 'red-wine',
        notifications: { enabled: false },
      });
      const again = await alice.patch(`/trackers/${id}/settings`, { item_name: 'RENAMED', description: '' });
      expect(again.body).toMatchObject({ item_name: 'RENAMED', description: '' });
    });

    test('sets and removes the parent, of the same project and without circles', async () => {
      const [epic, story, task] = [
        await createTracker(alice, project),
        await createTracker(alice, project),
        await createTracker(alice, project),
      ];
      const stranger = await createTracker(alice, elsewhere);
      const setParent = (id: number, parent_id: number | null) =>
        alice.patch(`/trackers/${id}/settings`, { parent_id });
      expect((await setParent(story.id, epic.id)).body.parent.id).toBe(epic.id);
      expect((await setParent(task.id, story.id)).body.parent.id).toBe(story.id);
      for (const parent of [epic.id, story.id, task.id, stranger.id, 999_999])
        await expectUnchanged(epic.id, () => setParent(epic.id, parent), [400, '`parent_id`']);
      expect((await setParent(story.id, null)).body.parent).toBeNull();
      expect((await setParent(epic.id, task.id)).status).toBe(200);
    });

    test('a change that is wrong in one place changes nothing', async () => {
      const taken = await createTracker(alice, project);
      const { id } = await createTracker(alice, project);
      const changes = { label: 'Other', color_name: 'red-wine', item_name: taken.item_name };
      await expectUnchanged(id, () => alice.patch(`/trackers/${id}/settings`, changes), [400, '`item_name`']);
    });

    test('is for administrators of the tracker', async () => {
      const { id } = await createTracker(alice, project);
      const rename = (caller: Caller) => caller.patch(`/trackers/${id}/settings`, { label: 'Ours' });
      for (const caller of [bob, carol]) expect((await rename(caller)).status).toBe(403);
      expect((await rename(atelier.anonymous)).status).toBe(401);
      await setPermissions(alice, id, { can_admin: [testers] });
      expect((await rename(bob)).status).toBe(404);
      expect((await rename(carol)).status).toBe(200);
    });
  });

  describe('POST /trackers/{id}/fields', () => {
    let tracker: Tracker;
    let fieldset: FormElement;
    const add = (body: unknown, caller: Caller = alice) =>
      caller.post(`/trackers/${tracker.id}/fields`, body);
    beforeAll(async () => {
      tracker = await createTracker(alice, project);
      fieldset = await addField(alice, tracker.id, { type: 'fieldset', name: 'details' });
      await addField(alice, tracker.id, { type: 'string', name: 'taken' });
      await addField(alice, tracker.id, { type: 'art_link', name: 'links' });
    });

    test('answers 201 with the element as the tracker shows it', async () => {
      const reply = await add({
        type: 'int',
        label: ' Story points ',
        description: 'Guessed',
        required: true,
        specific_properties: { size: '3' },
      });
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({
        name: 'story_points',
        label: 'Story points',
        description: 'Guessed',
        required: true,
        specific_properties: { maxchars: 0, size: 3, default_value: null },
      });
      expect(fieldNamed(await readTracker(alice, tracker.id), 'story_points')).toEqual(reply.body);
    });

    test.each([
      [{ name: ' Ménage à 3_x-y! ' }, 'm_nage___3_x-y_'],
      [{ label: 'Taken' }, 'taken_1'],
      [{ label: 'taken' }, 'taken_2'],
    ])('%j is named %s', async (body, name) => {
      expect((await add({ type: 'string', label: 'Any', ...body })).body.name).toBe(name);
    });

    test('what is only shown in the properties may be sent back', async () => {
      const { specific_properties } = await addField(alice, tracker.id, { type: 'date', name: 'day' });
      const copy = await addField(alice, tracker.id, { type: 'date', name: 'day_2', specific_properties });
      expect(copy.specific_properties).toEqual(specific_properties);
      const { body } = await add({ type: 'file', label: 'File', specific_properties: [] });
      expect(body.specific_properties).toEqual([]);
    });

    test('takes XML', async () => {
      const rawBody = `<field><type>msb</type><label>Sizes</label><required>true</required><bind><type>static</type>
        <values><item><label>S</label></item><item><label>007</label><is_default>1</is_default></item></values></bind>
        <specific_properties><size>2</size></specific_properties></field>`;
      const headers = { 'Content-Type': 'application/xml' };
      const path = `/trackers/${tracker.id}/fields`;
      const { status, body } = await alice.request('POST', path, { rawBody, headers });
      expect([status, Object.keys(valueIds(body))]).toEqual([201, ['S', '007']]);
      expect(body).toMatchObject({ specific_properties: { size: 2 }, default_value: [{ label: '007' }] });
    });

    const list = { type: 'sb', label: 'List' };
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `v${index}` }));
    test.each<[object, string]>([
      [{ label: 'No type' }, '`type`'],
      [{ type: 'shared', label: 'x' }, '`type`'],
      [{ type: 'art_link', label: 'Second' }, 'at most one'],
      [{ type: 'string' }, '`label`'],
      [{ type: 'string', label: 'x'.repeat(256) }, '`label`'],
      [{ type: 'string', label: 'x', name: 'TAKEN' }, '`name`'],
      [{ type: 'string', label: 'x', name: 'n'.repeat(256) }, '`name`'],
      [{ type: 'string', label: 'x', parent_id: 999_999 }, '`parent_id`'],
      [{ type: 'column', label: 'x' }, '`parent_id`'],
      [{ type: 'string', label: 'x', next_sibling_id: 999_999 }, '`next_sibling_id`'],
      [{ type: 'string', label: 'x', rank: -1 }, '`rank`'],
      [{ type: 'string', label: 'x', specific_properties: { rows: 3 } }, '`specific_properties[rows]`'],
      [{ type: 'string', label: 'x', specific_properties: { size: 'big' } }, 'specific_properties.size'],
      [{ type: 'string', label: 'x', specific_properties: 'big' }, '`specific_properties`'],
      [{ type: 'string', label: 'x', specific_properties: { default_value: 'a\nb' } }, 'default_value'],
      [
        { type: 'string', label: 'x', specific_properties: { maxchars: 3, default_value: 'longer' } },
        'specific_properties.default_value',
      ],
      ...[-253_402_200_000, 253_402_387_200, 9e15].map((seconds): [object, string] => [
        { type: 'date', label: 'x', specific_properties: { default_value: seconds } },
        'specific_properties.default_value',
      ]),
      [{ type: 'string', label: 'x', name: '__proto__' }, '`name`'],
      [{ type: 'aid', label: 'x', required: true }, '`required`'],
      [{ type: 'fieldset', label: 'x', required: true }, '`required`'],
      [{ type: 'string', label: 'x', has_notifications: true }, '`has_notifications`'],
      [{ ...list, has_notifications: true }, '`has_notifications`'],
      [{ type: 'string', label: 'x', bind: { type: 'static' } }, '`bind`'],
      [{ type: 'string', label: 'x', default_values: ['a'] }, '`default_values`'],
      [{ ...list, bind: { type: 'planets' } }, '`bind[type]`'],
      [{ ...list, bind: { type: 'static', groups: ['3'] } }, '`bind[groups]`'],
      [{ ...list, bind: { type: 'users', values: many(1) } }, '`bind[values]`'],
      [{ ...list, bind: { type: 'users', groups: ['999999'] } }, '`bind[groups]`'],
      [{ ...list, bind: { type: 'ugroups', groups: ['100'] } }, '`bind[groups]`'],
      [{ ...list, bind: { type: 'static', values: [{ label: ' ' }] } }, 'label'],
      [
        { ...list, bind: { type: 'static', values: [{ label: 'x'.repeat(256) }] } },
        '`bind[values][0][label]`',
      ],
      [{ ...list, bind: { type: 'static', values: [{ label: 'a', color: 'pink' }] } }, 'color'],
      [{ ...list, bind: { type: 'static', values: many(1001) } }, '`bind[values]`'],
      [{ ...list, bind: { type: 'static', values: many(2) }, default_values: ['v0', 'v1'] }, 'one value'],
      [{ ...list, bind: { type: 'static', values: many(2) }, default_values: ['v9'] }, '`default_values`'],
      [{ ...list, bind: { type: 'users' }, default_values: ['999999'] }, '`default_values`'],
      [{ ...list, bind: { type: 'users' }, default_values: ['alice'] }, '`default_values`'],
      [{ ...list, bind: { type: 'ugroups', groups: ['3'] }, default_values: ['4'] }, '`default_values`'],
    ])('%j is 400, says %s and changes nothing', async (body, words) => {
      await expectUnchanged(tracker.id, () => add(body), [400, words]);
    });

    test('a text field takes no default that is too long for a value, in HTML too', async () => {
      for (const default_value of ['é'.repeat(65_535), '<'.repeat(20_000)]) {
        const body = { type: 'text', label: 'x', specific_properties: { default_value } };
        await expectUnchanged(tracker.id, () => add(body), [400, 'specific_properties.default_value']);
      }
    });

    test('fieldsets stand at the root, and nothing takes both a rank and a neighbour', async () => {
      const inside = { type: 'fieldset', label: 'Inner', parent_id: fieldset.field_id };
      await expectUnchanged(tracker.id, () => add(inside), [400, '`parent_id`']);
      const both = { type: 'string', label: 'Both', rank: 1, next_sibling_id: fieldset.field_id };
      await expectUnchanged(tracker.id, () => add(both), [400, '`next_sibling_id`']);
    });

    test('groups of other projects cannot be used', async () => {
      for (const group of [foreign, `${elsewhere}_3`]) {
        const body = { ...list, bind: { type: 'users', groups: [group] } };
        await expectUnchanged(tracker.id, () => add(body), [400, '`bind[groups]`']);
      }
    });

    test('is for administrators of the tracker', async () => {
      const body = { type: 'string', label: 'Theirs' };
      for (const caller of [bob, carol]) expect((await add(body, caller)).status).toBe(403);
      expect((await add(body, atelier.anonymous)).status).toBe(401);
      expect((await alice.post('/trackers/999999/fields', body)).status).toBe(404);
    });

    test('many at the same time are all there afterwards, each with a name of its own', async () => {
      const { id } = await createTracker(alice, project);
      const path = `/trackers/${id}/fields`;
      const field = { type: 'string', label: 'Same' };
      const replies = await Promise.all(Array.from({ length: 8 }, () => alice.post(path, field)));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      const { fields } = await readTracker(alice, id);
      expect(new Set(fields.map(({ name }) => name)).size).toBe(8);
    });
  });

  describe('values of a list', () => {
    const status = { type: 'static', values: [{ label: 'open', is_default: true }, { label: 'closed' }] };

    test('are added at the end, the newest default of a list of one value counts', async () => {
      const { id } = await createTracker(alice, project);
      const { field_id } = await addField(alice, id, { type: 'sb', bind: status });
      const values = [
        { label: 'later', color: 'deep-blue', is_default: true },
        { label: 'never', is_hidden: true },
      ];
      const { status: code, body } = await alice.post(`/tracker_fields/${field_id}/values`, { values });
      expect(code).toBe(201);
      expect(Object.keys(valueIds(body))).toEqual(['open', 'closed', 'later', 'never']);
      expect(body.values[2]).toMatchObject({ value_color: 'deep-blue', is_hidden: false });
      expect(body.default_value).toEqual([{ id: valueIds(body)['later'], label: 'later' }]);
    });

    test('of groups are added once', async () => {
      const { id } = await createTracker(alice, project);
      const bind = { type: 'ugroups', groups: ['3'] };
      const { field_id } = await addField(alice, id, { type: 'msb', bind });
      const groups = [`${project}_3`, testers];
      const { body } = await alice.post(`/tracker_fields/${field_id}/values`, { groups });
      expect(Object.keys(valueIds(body))).toEqual(['ugroup_project_members_name_key', 'testers']);
    });

    test('are renamed, coloured, hidden and shown again', async () => {
      const { id } = await createTracker(alice, project);
      const field = await addField(alice, id, { type: 'rb', bind: status });
      const path = `/tracker_fields/${field.field_id}/values/${valueIds(field)['open']}`;
      const change = { label: 'Open', color: '#123abc', is_hidden: true, description: 'To do' };
      const { status: code, body } = await alice.patch(path, change);
      expect(code).toBe(200);
      expect(body.values[0]).toMatchObject({ label: 'Open', value_color: '#123abc', is_hidden: true });
      expect(body.default_value).toEqual([]);
      const shown = await alice.patch(path, { is_hidden: false, color: null });
      expect(shown.body.values[0]).toMatchObject({ label: 'Open', value_color: '', is_hidden: false });
      expect(shown.body.default_value).toHaveLength(1);
    });

    test('what is wrong is refused and changes nothing', async () => {
      const { id } = await createTracker(alice, project);
      const list = await addField(alice, id, { type: 'sb', name: 'list', bind: status });
      const people = await addField(alice, id, { type: 'sb', name: 'people', bind: { type: 'users' } });
      const groups = await addField(alice, id, { type: 'sb', name: 'groups', bind: { type: 'ugroups' } });
      const text = await addField(alice, id, { type: 'string', name: 'text' });
      const add = (field: FormElement, body: unknown) => () =>
        alice.post(`/tracker_fields/${field.field_id}/values`, body);
      const change = (field: FormElement, value: unknown, body: unknown) => () =>
        alice.patch(`/tracker_fields/${field.field_id}/values/${value}`, body);
      const values = [{ label: 'x' }];
      const open = valueIds(list)['open'];
      const [group] = Object.values(valueIds(groups));
      await expectUnchanged(id, add(text, { values }), [400, 'not a list']);
      await expectUnchanged(id, add(people, { values }), [400, 'people']);
      await expectUnchanged(id, add(groups, { values }), [400, '`values`']);
      await expectUnchanged(id, add(groups, { groups: [foreign] }), [400, '`groups`']);
      await expectUnchanged(id, add(list, { groups: ['3'] }), [400, '`groups`']);
      await expectUnchanged(id, add(list, { values: [...values, { label: '' }] }), [400, 'label']);
      await expectUnchanged(id, change(list, open, { label: ' ' }), [400, 'label']);
      await expectUnchanged(id, change(list, open, { color: 'pink' }), [400, 'color']);
      await expectUnchanged(id, change(list, 999_999, { label: 'x' }), [404, 'value']);
      await expectUnchanged(id, change(list, group, { label: 'x' }), [404, 'value']);
      await expectUnchanged(id, change(groups, group, { label: 'x' }), [400, '`label`']);
      expect((await alice.post('/tracker_fields/999999/values', { values })).status).toBe(404);
      for (const caller of [bob, carol])
        expect((await caller.post(`/tracker_fields/${list.field_id}/values`, { values })).status).toBe(403);
    });
  });

  describe('permissions', () => {
    test('of a tracker are replaced, groups written in every form that names them', async () => {
      const { id } = await createTracker(alice, project);
      const { status, body } = await alice.put(`/trackers/${id}/permissions`, {
        can_access: [1, '2', `${project}_3`, testers],
        can_access_submitted_by_user: [`${project}_${testers}`],
        can_access_assigned_to_group: [4, '4'],
        can_access_submitted_by_group: ['5'],
        can_admin: [testers],
      });
      expect(status).toBe(200);
      const ids = Object.fromEntries(
        Object.entries<{ id: string }[]>(body).map(([name, groups]) => [
          name,
          groups.map((group) => group.id),
        ]),
      );
      expect(ids).toEqual({
        can_access: ['1', '2', `${project}_3`, testers],
        can_access_submitted_by_user: [testers],
        can_access_assigned_to_group: [`${project}_4`],
        can_access_submitted_by_group: ['5'],
        can_admin: [testers],
      });
      expect((await readTracker(alice, id)).permissions_for_groups).toEqual(body);
      const emptied = await alice.put(`/trackers/${id}/permissions`, { can_admin: ['3'] });
      expect(emptied.body).toMatchObject({ can_access: [], can_admin: [{ id: `${project}_3` }] });
    });

    test('an unknown group is refused and nothing changes', async () => {
      const { id } = await createTracker(alice, project);
      const { field_id } = await addField(alice, id, { type: 'string' });
      for (const group of ['100', '999999', foreign, `${elsewhere}_3`, 'testers', '']) {
        const lists = { can_access: ['2'], can_admin: [group] };
        const put = () => alice.put(`/trackers/${id}/permissions`, lists);
        await expectUnchanged(id, put, [400, 'can_admin']);
        const onField = () => alice.put(`/tracker_fields/${field_id}/permissions`, { can_read: [group] });
        await expectUnchanged(id, onField, [400, 'can_read']);
      }
    });

    test('whoever gives them away gets the answer and no more', async () => {
      const { id } = await createTracker(alice, project);
      await setPermissions(alice, id, { can_admin: [testers] });
      const { status, body } = await carol.put(`/trackers/${id}/permissions`, { can_access: ['4'] });
      expect([status, body.can_admin]).toEqual([200, []]);
      expect((await carol.get(`/trackers/${id}`)).status).toBe(404);
    });

    test('of a field are replaced, as far as its type has them', async () => {
      const { id } = await createTracker(alice, project);
      const { field_id } = await addField(alice, id, { type: 'string' });
      const lists = { can_read: ['2'], can_submit: [testers], can_update: [`${project}_4`] };
      const { body } = await alice.put(`/tracker_fields/${field_id}/permissions`, lists);
      expect(body).toEqual({
        can_read: [expect.objectContaining({ id: '2' })],
        can_submit: [expect.objectContaining({ id: testers })],
        can_update: [expect.objectContaining({ id: `${project}_4` })],
      });
      const aid = await addField(alice, id, { type: 'aid' });
      await setFieldPermissions(alice, aid.field_id, { can_read: [testers], can_update: [] });
      const update = () => alice.put(`/tracker_fields/${aid.field_id}/permissions`, { can_update: ['3'] });
      await expectUnchanged(id, update, [400, '`can_update`']);
      const line = await addField(alice, id, { type: 'separator' });
      const onLine = () => alice.put(`/tracker_fields/${line.field_id}/permissions`, { can_read: ['3'] });
      await expectUnchanged(id, onLine, [400, 'not a field']);
      for (const caller of [bob, carol])
        expect((await caller.put(`/tracker_fields/${field_id}/permissions`, lists)).status).toBe(403);
      expect((await alice.put('/tracker_fields/999999/permissions', lists)).status).toBe(404);
    });
  });

  describe('semantics', () => {
    let id: number;
    let ids: Record<string, number>;
    let values: Record<string, number>;
    const put = (semantics: unknown) => alice.put(`/trackers/${id}/semantics`, semantics);
    const refuses = (semantics: unknown, words: string) =>
      expectUnchanged(id, () => put(semantics), [400, words]);

    beforeAll(async () => {
      id = (await createTracker(alice, project)).id;
      const bind = { type: 'static', values: ['new', 'fixed', 'old'].map((label) => ({ label })) };
      for (const type of [
        'string',
        'text',
        'int',
        'float',
        'computed',
        'date',
        'subon',
        'lud',
        'aid',
        'file',
      ])
        await addField(alice, id, { type, name: type });
      for (const type of ['sb', 'msb', 'tbl']) await addField(alice, id, { type, name: type, bind });
      for (const type of ['rb', 'cb', 'tbl'])
        await addField(alice, id, { type, name: `${type}_users`, bind: { type: 'users' } });
      const { fields } = await readTracker(alice, id);
      ids = Object.fromEntries(fields.map(({ name, field_id }) => [name, field_id]));
      values = valueIds(fieldNamed({ fields }, 'sb'));
    });

    test('given members replace, null removes, the others stay', async () => {
      await setSemantics(alice, id, {
        title: { field_id: ids['string'] },
        contributor: { field_id: ids['rb_users'] },
      });
      const { status, body } = await put({ title: { field_id: ids['text'] }, contributor: null });
      expect([status, body]).toEqual([200, { title: { field_id: ids['text'] } }]);
      expect((await put({})).body).toEqual(body);
      expect((await alice.get(`/trackers/${id}/semantics`)).body).toEqual(body);
    });

    test('take the fields that can have the meaning, and no others', async () => {
      const allowed: Readonly<Record<string, readonly string[]>> = {
        title: ['string', 'text'],
        description: ['text'],
        contributor: ['rb_users', 'cb_users'],
        initial_effort: ['int', 'float', 'computed', 'sb', 'rb_users'],
      };
      for (const [semantic, names] of Object.entries(allowed))
        for (const [name, field_id] of Object.entries(ids)) {
          const reply = await put({ [semantic]: { field_id } });
          const expected = names.includes(name) ? 200 : 400;
          expect([semantic, name, reply.status]).toEqual([semantic, name, expected]);
        }
      await refuses({ title: { field_id: 999_999 } }, '`title[field_id]`');
      await refuses({ title: {} }, '`title[field_id]`');
      await put({ title: null, description: null, contributor: null, initial_effort: null });
    });

    test('the status has open values; none chosen means that an empty status is open', async () => {
      const of = (name: string, value_ids: readonly unknown[]) => ({
        status: { field_id: ids[name], value_ids },
      });
      const { body } = await put(of('sb', [values['new'], values['new'], 100]));
      expect(body.status.value_ids).toEqual([values['new'], 100]);
      expect((await put(of('sb', []))).body.status.value_ids).toEqual([100]);
      expect((await put(of('rb_users', [bob.id]))).status).toBe(200);
      await refuses(of('sb', [999_999]), '`status[value_ids]`');
      await refuses(of('msb', [values['new']]), '`status[value_ids]`');
      await refuses(of('rb_users', [carol.id]), '`status[value_ids]`');
      await refuses(of('string', []), '`status[field_id]`');
      await refuses({ status: { field_id: ids['sb'] } }, 'value_ids');
    });

    test('done are closed values that can be chosen, and hold the status', async () => {
      const status = { field_id: ids['sb'], value_ids: [values['new']] };
      await put({ status, done: { value_ids: [values['fixed']] } });
      await refuses({ done: { value_ids: [values['new']] } }, '`done[value_ids]`');
      await refuses({ done: { value_ids: [100] } }, '`done[value_ids]`');
      await refuses({ status: { ...status, value_ids: [values['fixed']] } }, '`done[value_ids]`');
      await refuses({ status: null }, '`done`');
      const hide = (name: string) =>
        alice.patch(`/tracker_fields/${ids['sb']}/values/${values[name]}`, { is_hidden: true });
      await expectUnchanged(id, () => hide('fixed'), [400, '`is_hidden`']);
      await hide('old');
      await refuses({ done: { value_ids: [values['old']] } }, '`done[value_ids]`');
      expect((await put({ status: null, done: null })).body).toEqual({});
      await refuses({ done: { value_ids: [values['fixed']] } }, '`done`');
    });

    test('the status stays while mails are sent on its changes only', async () => {
      await put({ status: { field_id: ids['sb'], value_ids: [values['new']] } });
      expect((await alice.patch(`/trackers/${id}/settings`, { notification_level: 2 })).status).toBe(200);
      await refuses({ status: null }, '`status`');
      await alice.patch(`/trackers/${id}/settings`, { notification_level: 0 });
      expect((await put({ status: null })).status).toBe(200);
      const level = () => alice.patch(`/trackers/${id}/settings`, { notification_level: 2 });
      await expectUnchanged(id, level, [400, '`notification_level`']);
    });

    test('a timeframe is a start with a duration or an end', async () => {
      const start = { start_date_field_id: ids['date'] };
      for (const end of [
        { duration_field_id: ids['int'] },
        { duration_field_id: ids['computed'] },
        { end_date_field_id: ids['lud'] },
      ])
        expect((await put({ timeframe: { ...start, ...end } })).body.timeframe).toEqual({ ...start, ...end });
      for (const wrong of [
        {},
        start,
        { duration_field_id: ids['int'] },
        { ...start, end_date_field_id: ids['date'] },
        { ...start, end_date_field_id: ids['int'] },
        { ...start, duration_field_id: ids['sb'] },
        { ...start, duration_field_id: ids['int'], end_date_field_id: ids['lud'] },
        { ...start, implied_from_tracker: { id } },
        { start_date_field_id: ids['string'], duration_field_id: ids['int'] },
        { implied_from_tracker: { id } },
        { implied_from_tracker: { id: 999_999 } },
      ])
        await refuses({ timeframe: wrong }, '`timeframe');
      await put({ timeframe: null });
    });

    test('a timeframe may come from another tracker of the project, which then keeps its own', async () => {
      const [first, second, third] = [
        await createTracker(alice, project),
        await createTracker(alice, project),
        await createTracker(alice, project),
      ];
      const stranger = await createTracker(alice, elsewhere);
      const from = (tracker: Tracker, source: Tracker) =>
        alice.put(`/trackers/${tracker.id}/semantics`, {
          timeframe: { implied_from_tracker: { id: source.id } },
        });
      const own = {
        start_date_field_id: (await addField(alice, first.id, { type: 'date' })).field_id,
        duration_field_id: (await addField(alice, first.id, { type: 'int' })).field_id,
      };
      await setSemantics(alice, first.id, { timeframe: own });
      expect((await from(second, first)).status).toBe(200);
      await expectUnchanged(third.id, () => from(third, second), [400, 'implied_from_tracker']);
      await expectUnchanged(first.id, () => from(first, third), [400, '`timeframe`']);
      await expectUnchanged(third.id, () => from(third, stranger), [400, 'implied_from_tracker']);
      const remove = (tracker: Tracker) =>
        alice.put(`/trackers/${tracker.id}/semantics`, { timeframe: null });
      await expectUnchanged(first.id, () => remove(first), [400, '`timeframe`']);
      for (const tracker of [second, first]) expect((await remove(tracker)).body).toEqual({});
    });

    test('a progress is made of two efforts, or of the children', async () => {
      const efforts = { total_effort_field_id: ids['float'], remaining_effort_field_id: ids['computed'] };
      const children = { artifact_link_type: '_is_child' };
      for (const progress of [efforts, children])
        expect((await put({ progress })).body.progress).toEqual(progress);
      for (const wrong of [
        {},
        { ...efforts, ...children },
        { total_effort_field_id: ids['int'] },
        { total_effort_field_id: ids['int'], remaining_effort_field_id: ids['int'] },
        { total_effort_field_id: ids['int'], remaining_effort_field_id: ids['sb'] },
        { artifact_link_type: '_covered_by' },
      ])
        await refuses({ progress: wrong }, 'progress');
      await put({ progress: null });
    });

    test('a tooltip is an ordered list of fields', async () => {
      const field_ids = [ids['sb'], ids['aid'], ids['string']];
      expect((await put({ tooltip: { field_ids } })).body.tooltip).toEqual({ field_ids });
      await refuses({ tooltip: { field_ids: [999_999] } }, '`tooltip[field_ids]`');
      await refuses({ title: { field_id: ids['string'] }, tooltip: { field_ids: [0] } }, '`tooltip');
      expect((await put({ tooltip: null })).body).toEqual({});
    });

    test('are for administrators of the tracker', async () => {
      for (const caller of [bob, carol]) {
        expect((await caller.put(`/trackers/${id}/semantics`, {})).status).toBe(403);
        expect((await caller.get(`/trackers/${id}/semantics`)).status).toBe(403);
      }
      expect((await atelier.anonymous.get(`/trackers/${id}/semantics`)).status).toBe(401);
      expect((await alice.get('/trackers/999999/semantics')).status).toBe(404);
    });
  });

  describe('types of links', () => {
    const shortnames = ({ body }: Reply) => body.map(({ shortname }: LinkType) => shortname);

    test('of the platform are there from the start', async () => {
      const { body } = await bob.get('/link_types');
      expect(body).toEqual([
        { shortname: '_is_child', forward_label: 'Child', reverse_label: 'Parent', is_system: true },
        {
          shortname: '_covered_by',
          forward_label: 'is Covered by',
          reverse_label: 'Covers',
          is_system: true,
        },
        { shortname: 'custom', forward_label: 'Custom', reverse_label: 'Custom', is_system: false },
      ]);
      expect((await atelier.anonymous.get('/link_types')).status).toBe(401);
    });

    test('are defined by site administrators, offered in every project that does not disable them', async () => {
      const { id } = await createTracker(alice, project);
      await addField(alice, id, { type: 'art_link', name: 'links' });
      const offered = async () =>
        fieldNamed(await readTracker(bob, id), 'links').allowed_types?.map(({ shortname }) => shortname);
      for (const shortname of ['zeta', 'fixed_in']) {
        const type = { shortname, forward_label: `${shortname} of`, reverse_label: 'has' };
        const { status, body } = await atelier.admin.post('/link_types', type);
        expect([status, body]).toEqual([201, { ...type, is_system: false }]);
      }
      const everything = ['_is_child', '_covered_by', 'custom', 'fixed_in', 'zeta'];
      expect(shortnames(await bob.get('/link_types'))).toEqual(everything);
      expect(await offered()).toEqual(everything);
      const path = `/projects/${project}/disabled_link_types`;
      const disabled = { shortnames: ['_covered_by', 'zeta'] };
      const put = await alice.put(path, { shortnames: ['zeta', '_covered_by', 'zeta'] });
      expect([put.status, put.body]).toEqual([200, disabled]);
      expect((await bob.get(path)).body).toEqual(disabled);
      expect(await offered()).toEqual(['_is_child', 'custom', 'fixed_in']);
      expect((await alice.put(path, { shortnames: ['nonsense'] })).status).toBe(400);
      for (const caller of [bob, carol]) expect((await caller.put(path, disabled)).status).toBe(403);
      expect((await alice.get(path)).body).toEqual(disabled);
      await alice.put(path, { shortnames: [] });
      expect(await offered()).toEqual(everything);
    });

    test.each([
      { shortname: '_mine', forward_label: 'a', reverse_label: 'b' },
      { shortname: '_is_child', forward_label: 'a', reverse_label: 'b' },
      { shortname: 'type2', forward_label: 'a', reverse_label: 'b' },
      { shortname: 'zeta', forward_label: 'a', reverse_label: 'b' },
      { shortname: 'x'.repeat(256), forward_label: 'a', reverse_label: 'b' },
      { shortname: 'fine', forward_label: ' ', reverse_label: 'b' },
      { shortname: 'fine', forward_label: 'a' },
    ])('%j is 400', async (type) => {
      expect((await atelier.admin.post('/link_types', type)).status).toBe(400);
    });

    test('get other labels, those of the platform do not', async () => {
      const { body } = await atelier.admin.patch('/link_types/zeta', { reverse_label: 'is zeta of' });
      expect(body).toMatchObject({ forward_label: 'zeta of', reverse_label: 'is zeta of' });
      const change = { forward_label: 'x' };
      expect((await atelier.admin.patch('/link_types/_is_child', change)).status).toBe(400);
      expect((await atelier.admin.patch('/link_types/nonsense', change)).status).toBe(404);
      expect((await alice.patch('/link_types/zeta', change)).status).toBe(403);
      expect(
        (await alice.post('/link_types', { shortname: 'a', ...change, reverse_label: 'b' })).status,
      ).toBe(403);
    });
  });
});
