import type { FieldSettings, FormElement, Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { addTransition, changeWorkflow, setConditions, setRules, setTriggers } from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, type Person, type Reply, startAtelier } from '../harness/atelier.ts';

const messageOf = ({ body }: Reply): string => `${body.error.message} ${body.error.i18n_error_message ?? ''}`;

const engines = oneEngine(
  'PostgreSQL',
  'changes of a form are checked in code; only PostgreSQL writes at once',
);

describe.each(engines)('form elements on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let testers: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'forms')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
    await setMembers(alice, testers, [bob]);
  });
  afterAll(() => atelier.stop());

  const elementsOf = async (trackerId: number): Promise<FieldSettings[]> => {
    const { status, body, text } = await alice.get(`/trackers/${trackerId}/form_elements`);
    expect(status, text).toBe(200);
    return body;
  };
  const settingsOf = async (fieldId: number): Promise<FieldSettings> => {
    const { status, body, text } = await alice.get(`/tracker_fields/${fieldId}/settings`);
    expect(status, text).toBe(200);
    return body;
  };
  /** Refused with a status and words, and the form is as it was. */
  async function expectUnchanged(
    trackerId: number,
    attempt: () => Promise<Reply>,
    status: number,
    words: string,
  ) {
    const before = await elementsOf(trackerId);
    const reply = await attempt();
    expect([reply.status, messageOf(reply)]).toEqual([status, expect.stringContaining(words)]);
    expect(await elementsOf(trackerId)).toEqual(before);
  }

  describe('PATCH /tracker_fields/{id}', () => {
    let tracker: Tracker;
    let ids: Record<string, number>;
    const patch = (name: string, body: unknown) => alice.patch(`/tracker_fields/${ids[name]}`, body);
    const orderIn = async (parentId: number | undefined) =>
      (await elementsOf(tracker.id))
        .filter(({ parent_id }) => parent_id === (parentId ?? null))
        .map(({ name }) => name);

    beforeAll(async () => {
      tracker = await createTracker(alice, project);
      ids = {};
      const add = async (type: string, name: string, more: object = {}) => {
        ids[name] = (await addField(alice, tracker.id, { type, name, ...more })).field_id;
      };
      await add('fieldset', 'top');
      await add('fieldset', 'bottom');
      await add('column', 'left', { parent_id: ids['top'] });
      await add('column', 'right', { parent_id: ids['top'] });
      await add('string', 'title', { parent_id: ids['left'] });
      await add('sb', 'state', {
        parent_id: ids['left'],
        bind: { type: 'static', values: [{ label: 'new' }] },
      });
      await add('int', 'size', { parent_id: ids['left'] });
      await add('msb', 'many', { parent_id: ids['right'], bind: { type: 'static', values: [] } });
      await add('rb', 'owner', { parent_id: ids['right'], bind: { type: 'users' } });
      await add('date', 'due', { parent_id: ids['right'] });
      await setSemantics(alice, tracker.id, { title: { field_id: ids['title'] } });
    });

    test('answers with the changed element, without what depends on who looks', async () => {
      const body = { label: ' When ', description: ' The last day ', name: ' Due Date! ' };
      const reply = await patch('due', body);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body).toMatchObject({
        field_id: ids['due'],
        label: 'When',
        description: 'The last day',
        name: 'due_date_',
        is_used: true,
        permissions: [],
        permissions_for_groups: null,
      });
      expect(reply.body).not.toHaveProperty('is_time_displayed');
      expect(
        (await patch('due', { label: null, description: null, name: 'due', use_it: null, move: null })).body,
      ).toMatchObject({ label: 'When', name: 'due' });
      expect((await patch('due', {})).body).toMatchObject({ label: 'When', name: 'due' });
    });

    test('adds values to a list of one value, one for each line', async () => {
      const { status, body } = await patch('state', { new_values: ['  open ', '', 'a\nb', ' '] });
      expect(status).toBe(200);
      expect(Object.keys(valueIds(body))).toEqual(['new', 'open', 'a', 'b']);
    });

    test('moves elements from column to column, and fieldsets at the root', async () => {
      await patch('size', { move: { parent_id: ids['left'], next_sibling_id: ids['title'] } });
      expect(await orderIn(ids['left'])).toEqual(['size', 'title', 'state']);
      await patch('size', { move: { parent_id: ids['left'], next_sibling_id: null } });
      expect(await orderIn(ids['left'])).toEqual(['title', 'state', 'size']);
      await patch('size', { move: { parent_id: ids['right'], next_sibling_id: ids['owner'] } });
      expect(await orderIn(ids['left'])).toEqual(['title', 'state']);
      expect(await orderIn(ids['right'])).toEqual(['many', 'size', 'owner', 'due']);
      await patch('size', { move: { parent_id: ids['right'], next_sibling_id: ids['size'] } });
      expect(await orderIn(ids['right'])).toEqual(['many', 'size', 'owner', 'due']);
      await patch('bottom', { move: { parent_id: null, next_sibling_id: ids['top'] } });
      expect(await orderIn(undefined)).toEqual(['bottom', 'top']);
      const { structure } = await readTracker(alice, tracker.id);
      expect(structure.map(({ id }) => id)).toEqual([ids['bottom'], ids['top']]);
    });

    test.each<[string, (ids: Record<string, number>) => object, string]>([
      ['title', () => ({ label: ' ' }), 'label'],
      ['title', () => ({ label: 'x'.repeat(256) }), '`label`'],
      ['title', () => ({ name: '' }), '`name`'],
      ['title', () => ({ name: 'STATE' }), '"state"'],
      ['title', () => ({ use_it: false }), 'semantic title'],
      ['top', () => ({ use_it: false }), 'not empty'],
      ['many', () => ({ new_values: ['x'] }), '`new_values`'],
      ['owner', () => ({ new_values: ['x'] }), '`new_values`'],
      ['title', () => ({ new_values: ['x'] }), '`new_values`'],
      ['state', () => ({ new_values: ['x'.repeat(256)] }), '`new_values`'],
      ['left', ({ bottom }) => ({ move: { parent_id: bottom, next_sibling_id: null } }), 'cannot be moved'],
      ['top', ({ bottom }) => ({ move: { parent_id: bottom, next_sibling_id: null } }), '`move[parent_id]`'],
      ['title', ({ top }) => ({ move: { parent_id: top, next_sibling_id: null } }), 'column'],
      ['title', () => ({ move: { parent_id: null, next_sibling_id: null } }), 'column'],
      ['title', ({ state }) => ({ move: { parent_id: state, next_sibling_id: null } }), 'column'],
      ['title', () => ({ move: { parent_id: 999_999, next_sibling_id: null } }), '`move[parent_id]`'],
      ['title', ({ left, due }) => ({ move: { parent_id: left, next_sibling_id: due } }), 'next_sibling_id'],
      [
        'title',
        ({ left }) => ({ label: 'New', move: { parent_id: left, next_sibling_id: 999_999 } }),
        'next_sibling_id',
      ],
      [
        'state',
        () => ({ label: 'New', name: 'fresh', new_values: ['x'], move: { parent_id: null } }),
        'column',
      ],
    ])('of %s with what is wrong is 400 and changes nothing', async (name, body, words) => {
      await expectUnchanged(tracker.id, () => patch(name, body(ids)), 400, words);
    });

    test('is for administrators of the tracker', async () => {
      const path = `/tracker_fields/${ids['title']}`;
      for (const send of [
        (caller: Person | typeof atelier.anonymous) => caller.patch(path, { label: 'Theirs' }),
        (caller: Person | typeof atelier.anonymous) => caller.delete(path),
        (caller: Person | typeof atelier.anonymous) => caller.get(`${path}/settings`),
        (caller: Person | typeof atelier.anonymous) => caller.patch(`${path}/settings`, { label: 'Theirs' }),
        (caller: Person | typeof atelier.anonymous) => caller.get(`${path}/permissions`),
        (caller: Person | typeof atelier.anonymous) => caller.get(`/trackers/${tracker.id}/form_elements`),
      ]) {
        expect((await send(bob)).status).toBe(403);
        expect((await send(atelier.anonymous)).status).toBe(401);
      }
      expect((await alice.patch('/tracker_fields/999999', { label: 'x' })).status).toBe(404);
      expect((await alice.delete('/tracker_fields/999999')).status).toBe(404);
      expect((await alice.get('/tracker_fields/999999/settings')).status).toBe(404);
      expect((await alice.options('/tracker_fields/1')).headers.get('allow')).toBe('OPTIONS, PATCH, DELETE');
    });
  });

  describe('an element that is taken out of the form', () => {
    let trackerId: number;
    let field: FormElement;
    let artifact: number;
    const entry = async () => entryOf(await readArtifact(alice, artifact), field.field_id);
    beforeAll(async () => {
      trackerId = (await createTracker(alice, project)).id;
      const bind = { type: 'static', values: [{ label: 'red' }, { label: 'blue' }] };
      field = await addField(alice, trackerId, { type: 'msb', name: 'colours', bind });
      const title = await addField(alice, trackerId, { type: 'string', name: 'title' });
      const { red, blue } = valueIds(field);
      artifact = await submit(alice, trackerId, [
        { field_id: title.field_id, value: 'x' },
        { field_id: field.field_id, bind_value_ids: [red] },
      ]);
      await change(alice, artifact, [{ field_id: field.field_id, bind_value_ids: [red, blue] }]);
    });

    test('shows its values and its history again when it is put back', async () => {
      const before = await entry();
      const history = (await alice.get(`/artifacts/${artifact}/changesets`)).body;
      const path = `/tracker_fields/${field.field_id}`;
      expect((await alice.patch(path, { use_it: false })).body.is_used).toBe(false);
      expect(await entry()).toBeUndefined();
      expect((await readTracker(alice, trackerId)).fields.map(({ name }) => name)).toEqual(['title']);
      expect((await settingsOf(field.field_id)).is_used).toBe(false);
      const write = [{ field_id: field.field_id, bind_value_ids: [] }];
      expect((await alice.put(`/artifacts/${artifact}`, { values: write })).status).toBe(400);
      expect((await alice.patch(path, { use_it: true })).body.is_used).toBe(true);
      expect(await entry()).toEqual(before);
      expect((await alice.get(`/artifacts/${artifact}/changesets`)).body).toEqual(history);
    });

    test('is gone when it is deleted, and can still be brought back with everything', async () => {
      const before = await entry();
      const path = `/tracker_fields/${field.field_id}`;
      expect((await alice.delete(path)).status).toBe(204);
      expect((await alice.delete(path)).status).toBe(404);
      expect((await alice.patch(path, { use_it: true })).status).toBe(404);
      expect((await alice.get(`${path}/settings`)).status).toBe(404);
      expect(await entry()).toBeUndefined();
      const elements = await elementsOf(trackerId);
      expect(elements.map(({ name, is_removed }) => [name, is_removed])).toEqual([
        ['title', false],
        ['colours', true],
      ]);
      const other = await addField(alice, trackerId, { type: 'string', name: 'colours' });
      const taken = await alice.post(`${path}/restore`, {});
      expect([taken.status, messageOf(taken)]).toEqual([400, expect.stringContaining('`name`')]);
      expect((await bob.post(`${path}/restore`, {})).status).toBe(403);
      const restored = await alice.post(`${path}/restore`, { name: 'old colours' });
      expect(restored.body, restored.text).toMatchObject({
        name: 'old_colours',
        is_used: true,
        is_removed: false,
      });
      expect(await entry()).toEqual(before);
      expect((await alice.post(`${path}/restore`, {})).status).toBe(404);
      expect((await alice.post(`/tracker_fields/${other.field_id}/restore`, {})).status).toBe(404);
    });

    test('deleted by many at the same time is deleted once', async () => {
      const { field_id } = await addField(alice, trackerId, { type: 'string', name: 'once' });
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => alice.delete(`/tracker_fields/${field_id}`)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
      const restored = await Promise.all(
        Array.from({ length: 8 }, () => alice.post(`/tracker_fields/${field_id}/restore`, {})),
      );
      expect(restored.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
    });

    test('a second element of a type that a tracker has once cannot come back', async () => {
      const first = await addField(alice, trackerId, { type: 'art_link', name: 'links' });
      await alice.delete(`/tracker_fields/${first.field_id}`);
      await addField(alice, trackerId, { type: 'art_link', name: 'new links' });
      expect((await alice.post(`/tracker_fields/${first.field_id}/restore`, {})).status).toBe(400);
    });
  });

  describe('PATCH /tracker_fields/{id}/settings', () => {
    let trackerId: number;
    beforeAll(async () => {
      trackerId = (await createTracker(alice, project)).id;
    });
    const set = (id: number, body: unknown) => alice.patch(`/tracker_fields/${id}/settings`, body);

    test('changes everything that can be set, and it can be read back', async () => {
      const fieldset = await addField(alice, trackerId, { type: 'fieldset', name: 'fields' });
      const first = await addField(alice, trackerId, { type: 'string', parent_id: fieldset.field_id });
      const { field_id } = await addField(alice, trackerId, { type: 'string', name: 'summary' });
      const reply = await set(field_id, {
        label: 'Summary',
        name: 'sum up',
        description: 'In a few words',
        required: true,
        specific_properties: { maxchars: 80 },
        parent_id: fieldset.field_id,
        next_sibling_id: first.field_id,
      });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body).toEqual(await settingsOf(field_id));
      expect(reply.body).toMatchObject({
        label: 'Summary',
        name: 'sum_up',
        description: 'In a few words',
        required: true,
        parent_id: fieldset.field_id,
        rank: 0,
        specific_properties: { maxchars: 80, size: 30 },
        bind: null,
      });
      expect((await set(field_id, { required: false })).body).toMatchObject({
        required: false,
        specific_properties: { maxchars: 80 },
      });
    });

    test('of a list: order by label, defaults, notifications', async () => {
      const bind = { type: 'static', values: [{ label: 'b' }, { label: 'a', description: 'first' }] };
      const list = await addField(alice, trackerId, { type: 'cb', name: 'letters', bind });
      const { a, b } = valueIds(list);
      const { body } = await set(list.field_id, { is_alphabetic: true, default_values: [a, String(b)] });
      expect(body.bind).toEqual({
        type: 'static',
        is_alphabetic: true,
        groups: [],
        default_values: [String(a), String(b)],
        values: [
          {
            id: b,
            label: 'b',
            description: '',
            color: null,
            is_hidden: false,
            is_default: true,
            ugroup_id: null,
          },
          {
            id: a,
            label: 'a',
            description: 'first',
            color: null,
            is_hidden: false,
            is_default: true,
            ugroup_id: null,
          },
        ],
      });
      const shown = fieldNamed(await readTracker(alice, trackerId), 'letters');
      expect(Object.keys(valueIds(shown))).toEqual(['a', 'b']);
      expect((await set(list.field_id, { default_values: [] })).body.bind.default_values).toEqual([]);
    });

    test('of a list of people: the groups they come from', async () => {
      const bind = { type: 'users', groups: ['3'] };
      const list = await addField(alice, trackerId, {
        type: 'msb',
        name: 'people',
        bind,
        default_values: [String(alice.id), String(bob.id)],
      });
      const title = await addField(alice, trackerId, { type: 'string', name: 'headline' });
      const artifact = await submit(alice, trackerId, [
        { field_id: title.field_id, value: 'x' },
        { field_id: list.field_id, bind_value_ids: [alice.id] },
      ]);
      const { body } = await set(list.field_id, { groups: [testers], has_notifications: true });
      expect(body).toMatchObject({
        has_notifications: true,
        bind: { groups: [testers], default_values: [String(bob.id)] },
      });
      const shown = fieldNamed(await readTracker(alice, trackerId), 'people');
      expect(valueIds(shown)).toEqual({ bob: bob.id });
      // Whoever was chosen stays chosen, and can be sent back.
      const entry = entryOf(await readArtifact(alice, artifact), list.field_id);
      expect(entry.bind_value_ids).toEqual([alice.id]);
      await change(alice, artifact, [entry]);
      const chosen = (ids: readonly number[]) => ({ field_id: list.field_id, bind_value_ids: ids });
      await change(alice, artifact, [chosen([alice.id, bob.id])]);
      await change(alice, artifact, [chosen([bob.id])]);
      const again = { values: [chosen([alice.id, bob.id])] };
      expect((await alice.put(`/artifacts/${artifact}`, again)).status).toBe(400);
    });

    test('of a list of groups: the defaults', async () => {
      const list = await addField(alice, trackerId, {
        type: 'msb',
        name: 'teams',
        bind: { type: 'ugroups' },
      });
      const { body } = await set(list.field_id, { default_values: [`${project}_3`, testers] });
      expect(body.bind.default_values).toEqual([`${project}_3`, testers]);
    });

    test('what is wrong is refused and changes nothing', async () => {
      const bind = { type: 'static', values: [{ label: 'a' }, { label: 'b' }] };
      const list = await addField(alice, trackerId, { type: 'sb', name: 'one', bind });
      const people = await addField(alice, trackerId, {
        type: 'sb',
        name: 'person',
        bind: { type: 'users' },
      });
      const text = await addField(alice, trackerId, { type: 'text', name: 'text' });
      const number = await addField(alice, trackerId, { type: 'aid', name: 'number' });
      const { a, b } = valueIds(list);
      const column = (await addField(alice, trackerId, { type: 'fieldset', name: 'set' })).field_id;
      for (const [{ field_id }, body, words] of [
        [list, { default_values: [a, b] }, 'one value'],
        [list, { default_values: ['999999'] }, '`default_values`'],
        [list, { label: 'New', groups: ['3'] }, '`groups`'],
        [list, { has_notifications: true }, '`has_notifications`'],
        [people, { groups: ['999999'] }, '`groups`'],
        [people, { default_values: ['999999'] }, '`default_values`'],
        [text, { default_values: ['x'] }, '`default_values`'],
        [text, { is_alphabetic: true }, '`is_alphabetic`'],
        [text, { specific_properties: { maxchars: 1 } }, 'specific_properties'],
        [text, { specific_properties: { rows: 'many' } }, 'specific_properties.rows'],
        [text, { label: 'New', name: 'one' }, '`name`'],
        [text, { label: 'New', parent_id: 999_999 }, '`parent_id`'],
        [text, { label: 'New', parent_id: list.field_id }, '`parent_id`'],
        [text, { next_sibling_id: 999_999 }, '`next_sibling_id`'],
        [number, { required: true }, '`required`'],
        [{ field_id: column }, { parent_id: column }, '`parent_id`'],
      ] as const)
        await expectUnchanged(trackerId, () => set(field_id, body), 400, words);
    });
  });

  describe('values of a list', () => {
    let trackerId: number;
    let list: FormElement;
    let ids: Record<string, number>;
    const path = (label: string) => `/tracker_fields/${list.field_id}/values/${ids[label]}`;
    const labels = async () =>
      Object.keys(valueIds(fieldNamed(await readTracker(alice, trackerId), 'state')));
    beforeAll(async () => {
      trackerId = (await createTracker(alice, project)).id;
      const values = ['new', 'open', 'done', 'odd'].map((label) => ({ label }));
      list = await addField(alice, trackerId, {
        type: 'sb',
        name: 'state',
        bind: { type: 'static', values },
      });
      ids = valueIds(list);
    });

    test('are ordered, and one of them is the default', async () => {
      expect((await alice.patch(path('odd'), { next_value_id: ids['new'] })).status).toBe(200);
      expect(await labels()).toEqual(['odd', 'new', 'open', 'done']);
      await alice.patch(path('odd'), { next_value_id: null });
      await alice.patch(path('open'), { next_value_id: ids['open'] });
      expect(await labels()).toEqual(['new', 'open', 'done', 'odd']);
      expect((await alice.patch(path('odd'), { next_value_id: 999_999 })).status).toBe(400);
      const defaults = async (label: string, is_default: boolean) =>
        (await alice.patch(path(label), { is_default })).body.default_value.map(
          (value: { label: string }) => value.label,
        );
      expect(await defaults('new', true)).toEqual(['new']);
      expect(await defaults('open', true)).toEqual(['open']);
      expect(await defaults('new', false)).toEqual(['open']);
      expect(await defaults('open', false)).toEqual([]);
    });

    test('that an artifact has are hidden and never removed; others are, and history still shows them', async () => {
      const field_id = list.field_id;
      const artifact = await submit(alice, trackerId, [{ field_id, bind_value_ids: [ids['odd']] }]);
      const used = await alice.delete(path('odd'));
      expect([used.status, messageOf(used)]).toEqual([400, expect.stringContaining('hide')]);
      expect(await labels()).toContain('odd');
      await change(alice, artifact, [{ field_id, bind_value_ids: [ids['new']] }]);
      await alice.patch(path('odd'), { is_default: true });
      const removed = await alice.delete(path('odd'));
      expect(removed.status, removed.text).toBe(200);
      expect(removed.body.default_value).toEqual([]);
      expect(await labels()).toEqual(['new', 'open', 'done']);
      expect((await alice.delete(path('odd'))).status).toBe(404);
      const values = [{ field_id, bind_value_ids: [ids['odd']] }];
      expect((await alice.put(`/artifacts/${artifact}`, { values })).status).toBe(400);
      const [first] = (await alice.get(`/artifacts/${artifact}/changesets`)).body;
      expect(entryOf(first, field_id)).toMatchObject({
        values: [{ id: ids['odd'], label: 'odd' }],
        bind_value_ids: [ids['odd']],
      });
    });

    test('that a semantic rests on stay', async () => {
      const status = { field_id: list.field_id, value_ids: [ids['open']] };
      await setSemantics(alice, trackerId, { status, done: { value_ids: [ids['done']] } });
      for (const [label, words] of [
        ['open', 'semantic status'],
        ['done', 'semantic done'],
      ] as const) {
        const reply = await alice.delete(path(label));
        expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(words)]);
      }
      expect((await bob.delete(path('open'))).status).toBe(403);
      expect(await labels()).toContain('open');
    });
  });

  test('what a workflow, a rule or a trigger rests on stays in the form', async () => {
    const parent = await createTracker(alice, project);
    const { id } = await createTracker(alice, project, { parent_id: parent.id });
    const bind = { type: 'static', values: [{ label: 'a' }, { label: 'b' }] };
    const add = (trackerId: number, type: string, name: string, more: object = {}) =>
      addField(alice, trackerId, { type, name, ...more });
    const [state, source, target] = [
      await add(id, 'sb', 'state', { bind }),
      await add(id, 'sb', 'source', { bind }),
      await add(id, 'sb', 'target', { bind }),
    ];
    const [from, to, needed] = [
      await add(id, 'date', 'from'),
      await add(id, 'date', 'to'),
      await add(id, 'int', 'needed'),
    ];
    const watched = await add(id, 'rb', 'watched', { bind });
    const set = await add(parent.id, 'sb', 'set', { bind });
    await changeWorkflow(alice, id, { set_transitions_rules: { field_id: state.field_id } });
    const [a = 0, b = 0] = Object.values(valueIds(state));
    const step = await addTransition(alice, id, a, b);
    await setConditions(alice, step, {
      authorized_user_group_ids: [`${project}_3`],
      not_empty_field_ids: [needed.field_id],
    });
    const pair = (field: FormElement) => valueIds(field)['a'];
    await setRules(alice, id, {
      dates: [{ source_field_id: from.field_id, target_field_id: to.field_id, comparator: '<' }],
      lists: [
        {
          source_field_id: source.field_id,
          source_value_id: pair(source),
          target_field_id: target.field_id,
          target_value_id: pair(target),
        },
      ],
    });
    await setTriggers(alice, parent.id, [
      {
        condition: 'at_least_one',
        target: { field_id: set.field_id, value_id: pair(set) },
        children: [{ field_id: watched.field_id, value_id: pair(watched) }],
      },
    ]);
    for (const [field, trackerId, words] of [
      [state, id, 'workflow'],
      [needed, id, 'workflow'],
      [from, id, 'date rule'],
      [to, id, 'date rule'],
      [source, id, 'dependency'],
      [target, id, 'dependency'],
      [watched, id, 'trigger'],
      [set, parent.id, 'trigger'],
    ] as const) {
      const path = `/tracker_fields/${field.field_id}`;
      await expectUnchanged(trackerId, () => alice.patch(path, { use_it: false }), 400, words);
      await expectUnchanged(trackerId, () => alice.delete(path), 400, words);
    }
    for (const [field, words] of [
      [state, 'workflow'],
      [source, 'dependency'],
      [watched, 'trigger'],
    ] as const) {
      const path = `/tracker_fields/${field.field_id}/values/${pair(field)}`;
      await expectUnchanged(id, () => alice.delete(path), 400, words);
    }
  });

  test('administrators who change a form at the same time lose nothing of each other', async () => {
    const { id } = await createTracker(alice, project);
    const fields: number[] = [];
    for (let index = 0; index < 6; index++)
      fields.push((await addField(alice, id, { type: 'string', name: `field ${index}` })).field_id);
    const [first] = fields;
    const replies = await Promise.all(
      fields.flatMap((field, index) => [
        alice.patch(`/tracker_fields/${field}/settings`, { next_sibling_id: first }),
        alice.patch(`/tracker_fields/${field}`, { label: `Label ${index}` }),
        alice.patch(`/tracker_fields/${field}/settings`, { name: 'wanted by all' }),
      ]),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(13).fill(200), ...Array(5).fill(400)]);
    const elements = await elementsOf(id);
    expect(elements.map(({ label }) => label).sort()).toEqual(fields.map((_, index) => `Label ${index}`));
    expect(elements.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(elements.at(-1)?.field_id).toBe(first);
    expect(elements.filter(({ name }) => name === 'wanted_by_all')).toHaveLength(1);
  });

  test('in a suspended project nothing of a form changes', async () => {
    const own = (await createProject(alice, 'paused')).id;
    const { id } = await createTracker(alice, own);
    const bind = { type: 'static', values: [{ label: 'a' }] };
    const list = await addField(alice, id, { type: 'sb', name: 'list', bind });
    const path = `/tracker_fields/${list.field_id}`;
    await atelier.admin.patch(`/projects/${own}`, { status: 'suspended' });
    for (const reply of [
      await atelier.admin.patch(path, { label: 'x' }),
      await atelier.admin.delete(path),
      await atelier.admin.patch(`${path}/settings`, { label: 'x' }),
      await atelier.admin.delete(`${path}/values/${valueIds(list)['a']}`),
      await atelier.admin.delete(`/trackers/${id}`),
      await atelier.admin.post(`/projects/${own}/trackers`, {
        label: 'x',
        item_name: 'x',
        from_tracker_id: id,
      }),
    ])
      expect(reply.status, reply.text).toBe(403);
  });

  test('permissions of trackers and fields can be read back', async () => {
    const { id } = await createTracker(alice, project);
    const { field_id } = await addField(alice, id, { type: 'string', name: 'title' });
    const set = await alice.put(`/trackers/${id}/permissions`, { can_access: ['2'], can_admin: [testers] });
    expect((await alice.get(`/trackers/${id}/permissions`)).body).toEqual(set.body);
    const onField = await alice.put(`/tracker_fields/${field_id}/permissions`, { can_update: [testers] });
    expect((await alice.get(`/tracker_fields/${field_id}/permissions`)).body).toEqual(onField.body);
    expect((await bob.get(`/trackers/${id}/permissions`)).status).toBe(200);
    expect((await atelier.anonymous.get(`/trackers/${id}/permissions`)).status).toBe(401);
  });

  test('types of links are deleted by site administrators when no link has them', async () => {
    const type = { shortname: 'blocks', forward_label: 'blocks', reverse_label: 'is blocked by' };
    await atelier.admin.post('/link_types', type);
    const { id } = await createTracker(alice, project);
    const links = (await addField(alice, id, { type: 'art_link', name: 'links' })).field_id;
    const title = (await addField(alice, id, { type: 'string', name: 'title' })).field_id;
    const [one, other] = [
      await submit(alice, id, [{ field_id: title, value: 'one' }]),
      await submit(alice, id, [{ field_id: title, value: 'other' }]),
    ];
    const wish = { field_id: links, links: [{ id: other, type: 'blocks' }] };
    await change(alice, one, [wish]);
    expect((await alice.delete('/link_types/blocks')).status).toBe(403);
    expect((await atelier.admin.delete('/link_types/blocks')).status).toBe(400);
    await change(alice, one, [{ field_id: links, links: [] }]);
    expect((await atelier.admin.delete('/link_types/blocks')).status).toBe(200);
    expect((await atelier.admin.delete('/link_types/blocks')).status).toBe(404);
    expect((await atelier.admin.delete('/link_types/_is_child')).status).toBe(400);
    expect((await alice.put(`/artifacts/${one}`, { values: [wish] })).status).toBe(400);
  });
});
