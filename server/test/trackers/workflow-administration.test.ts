import type { PostAction } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions } from '../fixtures/tracker.ts';
import {
  addTransition,
  changeWorkflow,
  createFlow,
  type Flow,
  putActions,
  setActions,
  setConditions,
  setRules,
  startWorkflow,
  wordsOf,
  workflowOf,
} from '../fixtures/workflow.ts';
import {
  type Atelier,
  type Caller,
  oneEngine,
  type Person,
  type Reply,
  startAtelier,
} from '../harness/atelier.ts';

const noWorkflow = {
  field_id: 0,
  is_used: '',
  is_legacy: false,
  is_advanced: true,
  rules: { dates: [], lists: [] },
  transitions: [],
};

const engines = oneEngine(
  'PostgreSQL',
  'descriptions of workflows are checked in code; only PostgreSQL writes at once',
);

describe.each(engines)('the administration of workflows on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let testers: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'flows')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
  });
  afterAll(() => atelier.stop());

  const transition = (id: number) => `/tracker_workflow_transitions/${id}`;
  const actionsOf = async (id: number): Promise<PostAction[]> =>
    (await alice.get(`${transition(id)}/actions`)).body;
  const withoutIds = (actions: readonly PostAction[]) => actions.map(({ id: _, ...action }) => action);

  /** Refused, with words for people, and the workflow is what it was. */
  async function refused(flow: Flow, send: () => Promise<Reply>, status: number, words: RegExp | string) {
    const before = await workflowOf(alice, flow.id);
    const reply = await send();
    expect([reply.status, wordsOf(reply)]).toEqual([status, expect.stringMatching(words)]);
    expect(await workflowOf(alice, flow.id)).toEqual(before);
    return reply;
  }

  describe('PATCH /trackers/{id}', () => {
    test('makes a workflow that is simple and not used, uses it, switches it and removes it', async () => {
      const flow = await createFlow(alice, project);
      expect(await workflowOf(alice, flow.id)).toEqual(noWorkflow);
      const field_id = flow.status.field_id;
      const made = await changeWorkflow(alice, flow.id, { set_transitions_rules: { field_id } });
      const expected = { ...noWorkflow, field_id, is_used: '0', is_advanced: false };
      expect(made.workflow).toEqual(expected);
      expect(made.label).toMatch(/^Tracker/);
      const used = await changeWorkflow(alice, flow.id, { set_transitions_rules: { is_used: true } });
      expect(used.workflow).toEqual({ ...expected, is_used: '1' });
      const advanced = await changeWorkflow(alice, flow.id, { is_advanced: true });
      expect(advanced.workflow).toEqual({ ...expected, is_used: '1', is_advanced: true });
      expect((await changeWorkflow(alice, flow.id, { is_legacy: false })).workflow).toEqual(
        advanced.workflow,
      );
      await addTransition(alice, flow.id, 0, flow.states.Todo);
      const removed = await changeWorkflow(alice, flow.id, { delete_transitions_rules: true });
      expect(removed.workflow).toEqual(noWorkflow);
      await changeWorkflow(alice, flow.id, { set_transitions_rules: { field_id } });
      expect((await workflowOf(alice, flow.id)).transitions).toEqual([]);
    });

    test('takes the change from the query string, from the body, and from text in the body', async () => {
      const flow = await createFlow(alice, project);
      const path = `/trackers/${flow.id}`;
      const wish = (rules: object) => JSON.stringify({ workflow: { set_transitions_rules: rules } });
      const inQuery = `${path}?query=${encodeURIComponent(wish({ field_id: flow.status.field_id }))}`;
      expect((await alice.request('PATCH', inQuery)).body.workflow.is_used).toBe('0');
      const wrapped = await alice.patch(`${path}?query=`, { query: wish({ is_used: true }) });
      expect(wrapped.body.workflow.is_used).toBe('1');
      const body = { workflow: { set_transitions_rules: { is_used: true } } };
      const both = await alice.patch(`${path}?query=${encodeURIComponent(wish({ is_used: false }))}`, body);
      expect(both.body.workflow.is_used).toBe('0');
      const xml =
        '<request><workflow><set_transitions_rules><is_used>true</is_used></set_transitions_rules></workflow></request>';
      const headers = { 'Content-Type': 'application/xml' };
      expect((await alice.request('PATCH', path, { rawBody: xml, headers })).status).toBe(200);
      expect((await workflowOf(alice, flow.id)).is_used).toBe('1');
    });

    test('what it does not understand is 400 with words for people, and changes nothing', async () => {
      const flow = await createFlow(alice, project);
      const many = await addField(alice, flow.id, { type: 'msb', bind: { type: 'static' } });
      const people = await addField(alice, flow.id, { type: 'sb', name: 'who', bind: { type: 'users' } });
      const send = (wish: unknown) => () => alice.patch(`/trackers/${flow.id}`, wish);
      const set = (rules: unknown) => send({ workflow: { set_transitions_rules: rules } });
      for (const wish of [{}, { workflow: {} }, { workflow: 3 }, { workflow: { is_legacy: true } }, [1]])
        await refused(flow, send(wish), 400, /./);
      for (const rules of [3, {}, { field_id: 'abc' }, { field_id: 1.5 }, { is_used: 'yes' }, { is_used: 1 }])
        await refused(flow, set(rules), 400, /./);
      await refused(flow, set({ is_used: true }), 400, /no workflow/);
      await refused(flow, send({ workflow: { delete_transitions_rules: true } }), 400, /no workflow/);
      for (const field_id of [999_999, (await createFlow(alice, project)).status.field_id])
        await refused(flow, set({ field_id }), 404, /no field/);
      for (const field_id of [flow.title, many.field_id, people.field_id])
        await refused(flow, set({ field_id }), 400, /select box/);
      const query = encodeURIComponent('{"workflow":');
      const broken = await refused(flow, () => alice.patch(`/trackers/${flow.id}?query=${query}`), 400, /./);
      expect(broken.body.error.message).toBe('Bad Request');
      await changeWorkflow(alice, flow.id, { is_advanced: false });
      await changeWorkflow(alice, flow.id, { set_transitions_rules: { field_id: flow.status.field_id } });
      await refused(flow, set({ field_id: flow.status.field_id }), 400, /already/);
      const both = { set_transitions_rules: { is_used: true }, delete_transitions_rules: true };
      await refused(flow, send({ workflow: both }), 400, /at once/);
    });

    test('is for administrators of the tracker, whatever was sent', async () => {
      const flow = await createFlow(alice, project);
      const wish = { workflow: { nonsense: true } };
      expect((await atelier.anonymous.patch(`/trackers/${flow.id}`, wish)).status).toBe(401);
      await refused(flow, () => bob.patch(`/trackers/${flow.id}`, wish), 403, /administrators/);
      expect((await alice.patch('/trackers/999999', wish)).status).toBe(404);
      const { id } = await createProject(alice, 'quiet-flows');
      const quiet = await createFlow(alice, id);
      await atelier.admin.patch(`/projects/${id}`, { status: 'suspended' });
      for (const caller of [alice, atelier.admin])
        expect((await caller.patch(`/trackers/${quiet.id}`, wish)).status).toBe(403);
    });

    test('its path says what it takes', async () => {
      const { headers } = await alice.options('/trackers/1');
      expect(headers.get('allow')).toBe('OPTIONS, GET, PATCH');
      const transitions = await alice.options('/tracker_workflow_transitions');
      expect(transitions.headers.get('allow')).toBe('OPTIONS, GET, POST, PATCH, DELETE');
    });
  });

  describe('what a workflow shows', () => {
    test('are its transitions to those who may take them, and nothing to those who do not see its field', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      await setConditions(alice, made['Todo Doing']!, {
        authorized_user_group_ids: [testers],
        not_empty_field_ids: [flow.title],
        is_comment_required: true,
      });
      const unconditional = { not_empty_field_ids: [], is_comment_required: false };
      const all = [
        { id: made['new Todo'], from_id: null, to_id: flow.states.Todo, ...unconditional },
        {
          id: made['Todo Doing'],
          from_id: flow.states.Todo,
          to_id: flow.states.Doing,
          not_empty_field_ids: [flow.title],
          is_comment_required: true,
        },
      ];
      for (const caller of [alice, atelier.admin])
        expect((await workflowOf(caller, flow.id)).transitions).toEqual(all);
      expect((await workflowOf(bob, flow.id)).transitions).toEqual(all.slice(0, 1));
      expect((await workflowOf(atelier.anonymous, flow.id)).transitions).toEqual([]);
      await setFieldPermissions(alice, flow.status.field_id, { can_read: [`${project}_4`] });
      expect((await bob.get(`/trackers/${flow.id}`)).body.workflow).toBeNull();
      expect((await alice.get(`/trackers/${flow.id}`)).body.workflow).not.toBeNull();
    });
  });

  describe('transitions', () => {
    test('are created, read, and deleted', async () => {
      const flow = await createFlow(alice, project);
      const { Todo, Doing } = flow.states;
      const nowhere = { tracker_id: flow.id, from_id: 0, to_id: Todo };
      expect((await alice.post('/tracker_workflow_transitions', nowhere)).status).toBe(404);
      const made = await startWorkflow(alice, flow, ['new Todo']);
      const reply = await alice.post('/tracker_workflow_transitions', {
        tracker_id: flow.id,
        from_id: Todo,
        to_id: Doing,
      });
      const { id } = reply.body;
      expect([reply.status, reply.body]).toEqual([201, { id, uri: `tracker_workflow_transitions/${id}` }]);
      expect((await alice.get(transition(id))).body).toEqual({
        id,
        from_id: Todo,
        to_id: Doing,
        authorized_user_group_ids: [`${project}_3`],
        not_empty_field_ids: [],
        is_comment_required: false,
      });
      expect((await alice.get(transition(made['new Todo']!))).body.from_id).toBeNull();
      const deleted = await alice.delete(transition(id));
      expect([deleted.status, deleted.text]).toEqual([200, '']);
      expect((await alice.delete(transition(id))).status).toBe(404);
      expect((await alice.get(transition(id))).status).toBe(404);
      expect((await workflowOf(alice, flow.id)).transitions.map((entry) => entry.id)).toEqual([
        made['new Todo'],
      ]);
    });

    test('are refused in the order that the compatible API has', async () => {
      const flow = await createFlow(alice, project);
      await startWorkflow(alice, flow, ['new Todo']);
      const { Todo } = flow.states;
      const post =
        (from_id: unknown, to_id: unknown, tracker_id: unknown = flow.id, caller: Caller = alice) =>
        () =>
          caller.post('/tracker_workflow_transitions', { tracker_id, from_id, to_id });
      await refused(flow, post(0, Todo, 999_999), 404, /no such tracker/);
      await refused(flow, post(0, Todo, flow.id, bob), 403, /administrators/);
      expect((await post(0, Todo, flow.id, atelier.anonymous)()).status).toBe(401);
      await refused(flow, post(Todo, Todo), 400, /one value to another/);
      await refused(flow, post(0, Todo), 400, /already/);
      await refused(flow, post(999_999, Todo), 404, /from_id/);
      await refused(flow, post(Todo, 999_999), 404, /to_id/);
      await refused(flow, post(Todo, 0), 404, /to_id/);
      await refused(flow, post(null, Todo), 400, /from_id/);
      await refused(flow, post('x', Todo), 400, /from_id/);
      for (const attempt of [bob, atelier.anonymous]) {
        const [{ id } = { id: 0 }] = (await workflowOf(alice, flow.id)).transitions;
        const expected = attempt === bob ? 403 : 401;
        expect((await attempt.get(transition(id))).status).toBe(expected);
        expect((await attempt.delete(transition(id))).status).toBe(expected);
        expect((await attempt.get(`${transition(id)}/actions`)).status).toBe(expected);
        expect((await putActions(attempt, id, [])).status).toBe(expected);
      }
    });

    test('have conditions that are replaced together', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      const id = made['Todo Doing']!;
      const conditions = {
        authorized_user_group_ids: [`${project}_4`, testers],
        not_empty_field_ids: [flow.title],
        is_comment_required: true,
      };
      await setConditions(alice, id, conditions);
      expect((await alice.get(transition(id))).body).toMatchObject(conditions);
      const { id: elsewhere } = await createProject(alice, 'foreign-flows');
      const foreign = await createGroup(alice, elsewhere, 'strangers');
      const wrong = [
        { ...conditions, authorized_user_group_ids: [] },
        { ...conditions, authorized_user_group_ids: [foreign] },
        { ...conditions, authorized_user_group_ids: ['100'] },
        { ...conditions, not_empty_field_ids: [999_999] },
        { ...conditions, not_empty_field_ids: ['x'] },
        { ...conditions, is_comment_required: 'perhaps' },
        { authorized_user_group_ids: [testers] },
      ];
      for (const body of wrong) expect((await alice.patch(transition(id), body)).status).toBe(400);
      expect((await alice.get(transition(id))).body).toMatchObject(conditions);
      await setConditions(alice, made['new Todo']!, conditions);
      expect((await alice.get(transition(made['new Todo']!))).body.is_comment_required).toBe(false);
    });
  });

  describe('post actions', () => {
    test('are replaced and listed in order, in both modes', async () => {
      const flow = await createFlow(alice, project);
      const date = await addField(alice, flow.id, { type: 'date' });
      const other = await addField(alice, flow.id, { type: 'date', name: 'other' });
      const int = await addField(alice, flow.id, { type: 'int' });
      const float = await addField(alice, flow.id, { type: 'float' });
      const fieldset = await addField(alice, flow.id, { type: 'fieldset' });
      const made = await startWorkflow(alice, flow, ['Todo Doing']);
      const set = (field_id: number, field_type: string, value: unknown) => ({
        type: 'set_field_value',
        field_id,
        field_type,
        value,
      });
      const job = { type: 'run_job', job_url: 'https://ci.example.com/job' };
      const frozen = { type: 'frozen_fields', field_ids: [flow.title] };
      const hidden = { type: 'hidden_fieldsets', fieldset_ids: [fieldset.field_id] };
      const ordered = [
        set(date.field_id, 'date', ''),
        set(other.field_id, 'date', 'current'),
        set(int.field_id, 'int', 7),
        set(float.field_id, 'float', 1.5),
        job,
        frozen,
        hidden,
      ];
      const id = made['Todo Doing']!;
      await setActions(alice, id, [...ordered].reverse());
      const listed = await actionsOf(id);
      expect(withoutIds(listed)).toEqual([ordered[1], ordered[0], ...ordered.slice(2)]);
      expect(listed.every((action) => Number.isInteger(action.id))).toBe(true);
      await setActions(alice, id, [...listed]);
      expect(withoutIds(await actionsOf(id))).toEqual(withoutIds(listed));
      await changeWorkflow(alice, flow.id, { is_advanced: true });
      expect(withoutIds(await actionsOf(id))).toEqual([ordered[1], ordered[0], ...ordered.slice(2, 5)]);
      expect((await putActions(alice, id, [frozen])).status).toBe(400);
      expect((await putActions(alice, id, [hidden])).status).toBe(400);
      await setActions(alice, id, []);
      expect(await actionsOf(id)).toEqual([]);
    });

    test('that make no sense are 400 with words for people, and the old ones stay', async () => {
      const flow = await createFlow(alice, project);
      const { id: trackerId } = flow;
      const date = (await addField(alice, trackerId, { type: 'date' })).field_id;
      const int = (await addField(alice, trackerId, { type: 'int' })).field_id;
      const lud = (await addField(alice, trackerId, { type: 'lud' })).field_id;
      const computed = (await addField(alice, trackerId, { type: 'computed' })).field_id;
      const bind = { type: 'static', values: [{ label: 'a' }] };
      const [left, right] = [
        await addField(alice, trackerId, { type: 'sb', name: 'left', bind }),
        await addField(alice, trackerId, { type: 'sb', name: 'right', bind }),
      ];
      const firstValue = ({ values }: { values: unknown }) => Object(values)[0].id;
      const pair = {
        source_field_id: left.field_id,
        source_value_id: firstValue(left),
        target_field_id: right.field_id,
        target_value_id: firstValue(right),
      };
      await setRules(alice, trackerId, { lists: [pair] });
      const made = await startWorkflow(alice, flow, ['Todo Doing']);
      const id = made['Todo Doing']!;
      await setActions(alice, id, [{ type: 'run_job', job_url: 'http://ci.example.com' }]);
      const set = { type: 'set_field_value', field_id: int, field_type: 'int', value: 1 };
      const foreign = (await createFlow(alice, project)).title;
      const wrong: readonly (readonly unknown[])[] = [
        ['text'],
        [{}],
        [{ type: 'unheard_of' }],
        [{ ...set, field_id: undefined }],
        [{ ...set, field_id: 'x' }],
        [{ ...set, value: undefined }],
        [{ ...set, value: 1.5 }],
        [{ ...set, value: 'abc' }],
        [{ ...set, value: true }],
        [{ ...set, field_type: 'float' }],
        [{ ...set, field_type: 'string', field_id: flow.title, value: 'x' }],
        [{ ...set, field_id: date, field_type: 'date', value: 'tomorrow' }],
        [{ ...set, field_id: date, field_type: 'date', value: null }],
        [{ ...set, field_id: lud, field_type: 'date', value: 'current' }],
        [{ ...set, field_id: computed, field_type: 'float' }],
        [{ ...set, field_id: foreign }],
        [set, { ...set, value: 2 }],
        [{ type: 'run_job' }],
        [{ type: 'run_job', job_url: 7 }],
        [{ type: 'run_job', job_url: 'ftp://ci.example.com' }],
        [{ type: 'run_job', job_url: `http://${'x'.repeat(250)}` }],
        [{ type: 'frozen_fields' }],
        [{ type: 'frozen_fields', field_ids: [] }],
        [{ type: 'frozen_fields', field_ids: 'all' }],
        [{ type: 'frozen_fields', field_ids: ['x'] }],
        [{ type: 'frozen_fields', field_ids: [flow.title, flow.title] }],
        [{ type: 'frozen_fields', field_ids: [flow.status.field_id] }],
        [{ type: 'frozen_fields', field_ids: [right.field_id] }],
        [{ type: 'frozen_fields', field_ids: [999_999] }],
        [{ type: 'hidden_fieldsets', fieldset_ids: [] }],
        [{ type: 'hidden_fieldsets', fieldset_ids: [flow.title] }],
      ];
      for (const actions of wrong) {
        const reply = await putActions(alice, id, [set, ...actions]);
        expect([reply.status, wordsOf(reply)], JSON.stringify(actions)).toEqual([400, expect.any(String)]);
        expect(reply.body.error.i18n_error_message, JSON.stringify(actions)).toEqual(expect.any(String));
      }
      expect((await alice.put(`${transition(id)}/actions`, {})).status).toBe(400);
      expect(withoutIds(await actionsOf(id))).toEqual([
        { type: 'run_job', job_url: 'http://ci.example.com' },
      ]);
      await setActions(alice, id, [{ type: 'frozen_fields', field_ids: [flow.title] }]);
      const frozen = { ...pair, target_field_id: flow.title };
      expect((await alice.put(`/trackers/${trackerId}/rules`, { lists: [frozen] })).status).toBe(400);
    });
  });

  describe('in the simple mode', () => {
    test('all transitions to one value share their settings; in the advanced mode each has its own', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Done', 'Todo Done', 'Todo Doing']);
      const done = ['new Done', 'Todo Done'].map((name) => made[name]!);
      const settings = async (id: number) => {
        const { body } = await alice.get(transition(id));
        const { authorized_user_group_ids: groups, not_empty_field_ids: fields } = body;
        return {
          groups,
          fields,
          comment: body.is_comment_required,
          actions: withoutIds(await actionsOf(id)),
        };
      };
      await setConditions(alice, done[0]!, {
        authorized_user_group_ids: [testers],
        not_empty_field_ids: [flow.title],
        is_comment_required: true,
      });
      const frozen = { type: 'frozen_fields', field_ids: [flow.title] };
      await setActions(alice, done[0]!, [frozen]);
      const shared = { groups: [testers], fields: [flow.title], actions: [frozen] };
      expect(await settings(done[0]!)).toEqual({ ...shared, comment: false });
      expect(await settings(done[1]!)).toEqual({ ...shared, comment: true });
      const untouched = { groups: [`${project}_3`], fields: [], comment: false, actions: [] };
      expect(await settings(made['Todo Doing']!)).toEqual(untouched);
      const third = await addTransition(alice, flow.id, flow.states.Doing, flow.states.Done);
      expect(await settings(third)).toEqual({ ...shared, comment: true });

      await changeWorkflow(alice, flow.id, { is_advanced: true });
      const job = { type: 'run_job', job_url: 'http://ci.example.com' };
      await setActions(alice, third, [job]);
      expect((await settings(done[1]!)).actions).toEqual([]);
      const fourth = await addTransition(alice, flow.id, flow.states.Done, flow.states.Doing);
      expect(await settings(fourth)).toEqual(untouched);

      await setActions(alice, done[1]!, [{ ...job, job_url: 'http://other.example.com' }]);
      await changeWorkflow(alice, flow.id, { is_advanced: false });
      const alike = { ...shared, actions: [{ ...job, job_url: 'http://other.example.com' }] };
      for (const id of [done[1]!, third]) expect(await settings(id)).toEqual({ ...alike, comment: true });
      expect(await settings(done[0]!)).toEqual({ ...alike, comment: false });
    });
  });

  describe('GET and PUT /trackers/{id}/rules', () => {
    test('show and replace what workflow.rules shows', async () => {
      const flow = await createFlow(alice, project);
      const start = (await addField(alice, flow.id, { type: 'date', name: 'start' })).field_id;
      const end = (await addField(alice, flow.id, { type: 'date', name: 'end' })).field_id;
      const made = (await addField(alice, flow.id, { type: 'subon' })).field_id;
      const person = await addField(alice, flow.id, { type: 'sb', name: 'who', bind: { type: 'users' } });
      const path = `/trackers/${flow.id}/rules`;
      const dates = [
        { source_field_id: start, target_field_id: end, comparator: '≤' },
        { source_field_id: end, target_field_id: made, comparator: '≠' },
      ];
      const list = (source_value_id: number, target_value_id: number) => ({
        source_field_id: flow.status.field_id,
        source_value_id,
        target_field_id: person.field_id,
        target_value_id,
      });
      const lists = [list(flow.states.Doing, alice.id), list(flow.states.Todo, 100), list(100, 100)];
      const put = await alice.put(path, { dates: [...dates, dates[0]], lists });
      expect([put.status, put.body]).toEqual([200, { dates, lists }]);
      expect((await workflowOf(bob, flow.id)).rules).toEqual({ dates, lists });
      expect((await alice.get(path)).body).toEqual({ dates, lists });
      expect((await alice.put(path, { dates: [] })).body).toEqual({ dates: [], lists });
      expect((await alice.put(path, { rules: { lists: [] } })).body).toEqual({ dates: [], lists: [] });
    });

    test('refuse rules that cannot be kept, and nothing changes', async () => {
      const flow = await createFlow(alice, project);
      const start = (await addField(alice, flow.id, { type: 'date', name: 'start' })).field_id;
      const bind = { type: 'static', values: [{ label: 'a' }] };
      const lists = [flow.status];
      for (const name of ['b', 'c', 'd'])
        lists.push(await addField(alice, flow.id, { type: 'sb', name, bind }));
      const open = await addField(alice, flow.id, { type: 'tbl', name: 'open', bind });
      const firstValue = ({ values }: { values: unknown }) => Object(values)[0].id;
      const pair = (source: number, target: number) => ({
        source_field_id: lists[source]!.field_id,
        source_value_id: firstValue(lists[source]!),
        target_field_id: lists[target]!.field_id,
        target_value_id: firstValue(lists[target]!),
      });
      const path = `/trackers/${flow.id}/rules`;
      await setRules(alice, flow.id, { lists: [pair(0, 1)] });
      const compare = (source_field_id: number, target_field_id: number, comparator = '<') => ({
        dates: [{ source_field_id, target_field_id, comparator }],
      });
      const wrong: readonly (readonly [object, RegExp])[] = [
        [compare(start, start), /dates\[0\]/],
        [compare(start, flow.title), /dates\[0\]\[target_field_id\]/],
        [compare(999_999, start), /dates\[0\]\[source_field_id\]/],
        [compare(start, start, '<='), /comparator/],
        [{ lists: [pair(0, 0)] }, /depend on itself/],
        [{ lists: [pair(0, 1), pair(1, 2), pair(2, 0)] }, /depend on itself/],
        [{ lists: [pair(0, 2), pair(1, 2)] }, /two lists/],
        [{ lists: [pair(0, 1), { ...pair(0, 2), target_value_id: 1 }] }, /lists\[1\]\[target_value_id\]/],
        [{ lists: [{ ...pair(0, 1), source_value_id: firstValue(lists[2]!) }] }, /source_value_id/],
        [{ lists: [{ ...pair(0, 1), target_field_id: open.field_id }] }, /target_field_id/],
        [{ lists: [{ ...pair(0, 1), target_field_id: flow.title }] }, /target_field_id/],
        [{ dates: [], lists: [pair(0, 0)] }, /depend on itself/],
      ];
      for (const [body, words] of wrong) await refused(flow, () => alice.put(path, body), 400, words);
      await refused(flow, () => bob.put(path, {}), 403, /administrators/);
      expect((await bob.get(path)).status).toBe(403);
    });
  });

  describe('GET and PUT /trackers/{id}/triggers', () => {
    test('show and replace what children set in their parents', async () => {
      const parent = await createFlow(alice, project);
      const child = await createFlow(alice, project, { parent_id: parent.id });
      const stranger = await createFlow(alice, project);
      const path = `/trackers/${parent.id}/triggers`;
      const trigger = {
        condition: 'all_of',
        target: { field_id: parent.status.field_id, value_id: parent.states.Done },
        children: [{ field_id: child.status.field_id, value_id: child.states.Done }],
      };
      const put = await alice.put(path, { triggers: [trigger, { ...trigger, condition: 'at_least_one' }] });
      expect(put.status, put.text).toBe(200);
      expect(put.body).toEqual([
        { id: expect.any(Number), ...trigger },
        { id: expect.any(Number), ...trigger, condition: 'at_least_one' },
      ]);
      expect((await alice.get(path)).body).toEqual(put.body);
      const foreign = { field_id: stranger.status.field_id, value_id: stranger.states.Done };
      const wrong: readonly (readonly [object, RegExp])[] = [
        [{ ...trigger, condition: 'some' }, /condition/],
        [{ ...trigger, children: [] }, /children/],
        [{ ...trigger, children: [foreign] }, /children\]\[0\]\[field_id\]/],
        [{ ...trigger, children: [{ ...trigger.children[0], value_id: 1 }] }, /value_id/],
        [{ ...trigger, target: trigger.children[0] }, /target\]\[field_id\]/],
        [{ ...trigger, target: { ...trigger.target, value_id: 1 } }, /target\]\[value_id\]/],
        [{ ...trigger, target: { field_id: parent.title, value_id: 1 } }, /target\]\[field_id\]/],
      ];
      for (const [triggers, words] of wrong) {
        const reply = await alice.put(path, { triggers: [trigger, triggers] });
        expect([reply.status, wordsOf(reply)]).toEqual([400, expect.stringMatching(words)]);
      }
      expect((await bob.put(path, { triggers: [] })).status).toBe(403);
      expect((await bob.get(path)).status).toBe(403);
      expect((await alice.get(path)).body).toEqual(put.body);
      const moved = await alice.patch(`/trackers/${child.id}/settings`, { parent_id: null });
      expect([moved.status, wordsOf(moved)]).toEqual([400, expect.stringMatching(/[Tt]riggers/)]);
      expect((await alice.put(path, { triggers: [] })).body).toEqual([]);
      expect((await alice.patch(`/trackers/${child.id}/settings`, { parent_id: null })).status).toBe(200);
    });
  });

  test('of people who change one workflow at once each change holds, and none twice', async () => {
    const flow = await createFlow(alice, project);
    await startWorkflow(alice, flow, []);
    const { Todo, Doing, Done } = flow.states;
    const steps = [0, Todo, Doing].flatMap((from) => [Todo, Doing, Done].map((to) => [from, to] as const));
    const possible = steps.filter(([from, to]) => from !== to);
    const post = ([from_id, to_id]: readonly [number, number]) =>
      alice.post('/tracker_workflow_transitions', { tracker_id: flow.id, from_id, to_id });
    const replies = await Promise.all([...possible, ...possible].map(post));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(possible.length);
    expect(statuses.filter((status) => status === 400)).toHaveLength(possible.length);
    const { transitions } = await workflowOf(alice, flow.id);
    expect(transitions.map(({ from_id, to_id }) => `${from_id} ${to_id}`).sort()).toEqual(
      possible.map(([from, to]) => `${from === 0 ? null : from} ${to}`).sort(),
    );
    const ids = transitions.filter(({ to_id }) => to_id === Done).map(({ id }) => id);
    await Promise.all(
      ids.map((id, index) => setActions(alice, id, [{ type: 'run_job', job_url: `http://ci${index}` }])),
    );
    const actions = await Promise.all(ids.map(async (id) => withoutIds(await actionsOf(id))));
    for (const list of actions) expect(list).toEqual(actions[0]);
    const switches = [true, false, true, false].map((is_advanced) =>
      alice.patch(`/trackers/${flow.id}`, { workflow: { is_advanced } }),
    );
    const remove = alice.patch(`/trackers/${flow.id}`, { workflow: { delete_transitions_rules: true } });
    expect((await Promise.all([...switches, remove])).map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    );
    expect(await workflowOf(alice, flow.id)).toEqual(noWorkflow);
    await submit(alice, flow.id, [flow.set('Done')]);
  });

  test('a tracker without rules shows empty ones', async () => {
    const { id } = await createTracker(alice, project);
    expect(await workflowOf(bob, id)).toEqual(noWorkflow);
  });
});
