import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { addField, fieldNamed, setFieldPermissions, setSemantics, valueIds } from '../fixtures/tracker.ts';
import {
  changeWorkflow,
  createFlow,
  type Flow,
  setActions,
  setConditions,
  setRules,
  startWorkflow,
} from '../fixtures/workflow.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

type Members = Readonly<Record<string, unknown>>;

const engines = oneEngine('SQLite', 'rules of a workflow are decided in code, on what was read');

describe.each(engines)('workflows on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let members: string;
  let testers: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'flows')).id;
    members = `${project}_3`;
    await setMembers(alice, members, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
    await setMembers(alice, testers, [bob]);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  const post = (flow: Flow, values: readonly Members[], caller: Caller = alice) =>
    caller.post('/artifacts', { tracker: { id: flow.id }, values });
  const put = (id: number, values: readonly Members[], more: Members = {}, caller: Caller = alice) =>
    caller.put(`/artifacts/${id}`, { values, ...more });
  const comment = { comment: { body: 'Because.', format: 'text' } };
  const shown = async (id: number, fieldId: number) => {
    const entry = entryOf(await readArtifact(atelier.admin, id), fieldId);
    return entry?.value ?? entry?.bind_value_ids;
  };

  describe('transitions', () => {
    test('are the only ways in which the list changes, from a new artifact on', async () => {
      const flow = await createFlow(alice, project);
      await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      const other = await submit(alice, flow.id, [flow.set('Todo')]);
      const links = { field_id: flow.links, links: [{ id: other }] };
      const title = { field_id: flow.title, value: 'Changed' };
      const words = /workflow does not let anybody change the field Status/;
      await refused(store, () => post(flow, [flow.set('Doing'), links, title]), 400, words);
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      await refused(store, () => put(id, [flow.set('Done'), links, title], comment), 400, words);
      await refused(store, () => put(id, [flow.set(undefined), title]), 400, words);
      await change(alice, id, [flow.set('Todo'), title]);
      await change(alice, id, [flow.set('Doing'), links]);
      await refused(store, () => put(id, [flow.set('Todo')]), 400, /from "Doing" to "Todo"/);
      expect(await shown(id, flow.status.field_id)).toEqual([flow.states.Doing]);
    });

    test('that a default takes are not told to those who may not know of the list', async () => {
      const flow = await createFlow(alice, project);
      const { field_id: status } = flow.status;
      const done = `/tracker_fields/${status}/values/${flow.states.Done}`;
      expect((await alice.patch(done, { is_default: true })).status).toBe(200);
      const admins = [`${project}_4`];
      await setFieldPermissions(alice, status, { can_submit: admins, can_update: admins });
      await startWorkflow(alice, flow, ['new Todo']);
      const title = [{ field_id: flow.title, value: 'Made' }];
      const wordsFor = async (caller: Caller) =>
        (await refused(store, () => post(flow, title, caller), 400, /change the field/)).body.error.message;
      expect(await wordsFor(alice)).toMatch(/field Status from a new artifact to "Done"/);
      expect(await wordsFor(bob)).toBe(
        `Bad Request: The workflow does not let anybody change the field #${status}.`,
      );
    });

    test('are needed by nothing that leaves the list as it is, empty or not', async () => {
      const flow = await createFlow(alice, project);
      await startWorkflow(alice, flow, ['new Todo']);
      const id = await submit(alice, flow.id, [{ field_id: flow.title, value: 'Empty' }]);
      await change(alice, id, [flow.set(undefined), { field_id: flow.title, value: 'Still' }]);
      await refused(store, () => put(id, [flow.set('Doing')]), 400, /from a new artifact to "Doing"/);
      await change(alice, id, [flow.set('Todo')]);
    });

    test('count only while the workflow is used', async () => {
      const flow = await createFlow(alice, project);
      await startWorkflow(alice, flow, ['new Todo']);
      await changeWorkflow(alice, flow.id, { set_transitions_rules: { is_used: false } });
      const id = await submit(alice, flow.id, [flow.set('Done')]);
      await change(alice, id, [flow.set('Doing')]);
      await changeWorkflow(alice, flow.id, { set_transitions_rules: { is_used: true } });
      await refused(store, () => put(id, [flow.set('Todo')]), 400, /workflow/);
    });

    test('hold for XML and for values by name, and not for a copied title', async () => {
      const flow = await createFlow(alice, project);
      await setSemantics(alice, flow.id, { title: { field_id: flow.title } });
      await startWorkflow(alice, flow, ['new Todo']);
      const items = `<values><item><field_id>${flow.status.field_id}</field_id><bind_value_ids><item>${flow.states.Done}</item></bind_value_ids></item></values>`;
      const rawBody = `<request><tracker><id>${flow.id}</id></tracker>${items}</request>`;
      const headers = { 'Content-Type': 'application/xml' };
      const send = () => alice.request('POST', '/artifacts', { rawBody, headers });
      await refused(store, send, 400, /workflow/);
      const needsTitle = await createFlow(alice, project);
      await setSemantics(alice, needsTitle.id, { title: { field_id: needsTitle.title } });
      const done = `/tracker_fields/${needsTitle.status.field_id}/values/${needsTitle.states.Done}`;
      expect((await alice.patch(done, { is_default: true })).status).toBe(200);
      await startWorkflow(alice, needsTitle, ['new Todo']);
      const byName = { tracker: { id: needsTitle.id }, values_by_field: { title: { value: 'Named' } } };
      await refused(store, () => alice.post('/artifacts', byName), 400, /workflow/);
      const source = await submit(alice, flow.id, [{ field_id: flow.title, value: 'A title' }]);
      const copy = { tracker: { id: needsTitle.id }, from_artifact: { id: source } };
      expect((await alice.post('/artifacts', copy)).status).toBe(201);
    });

    test('of an old kind are not enforced, but act', async () => {
      const flow = await createFlow(alice, project);
      const int = (await addField(alice, flow.id, { type: 'int' })).field_id;
      const made = await startWorkflow(alice, flow, ['Todo Doing']);
      const set = { type: 'set_field_value', field_id: int, field_type: 'int', value: 5 };
      await setActions(alice, made['Todo Doing']!, [set]);
      const legacy = { is_used: 0, is_legacy: 1 } as const;
      await store.force((tx) =>
        tx.run(tx.sql.updateTable('workflow').set(legacy).where('tracker_id', '=', flow.id)),
      );
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      await change(alice, id, [flow.set('Doing')]);
      expect(await shown(id, int)).toBe(5);
      const { workflow } = await changeWorkflow(alice, flow.id, { is_legacy: false });
      expect(workflow).toMatchObject({ is_legacy: false, is_used: '0' });
    });
  });

  describe('conditions', () => {
    test('let only the members of certain groups take a transition', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      await setConditions(alice, made['Todo Doing']!, { authorized_user_group_ids: [testers] });
      const [first, second] = [
        await submit(alice, flow.id, [flow.set('Todo')]),
        await submit(alice, flow.id, [flow.set('Todo')]),
      ];
      const words = /You are not allowed to change the field Status/;
      await refused(store, () => put(first, [flow.set('Doing')]), 400, words);
      await change(bob, first, [flow.set('Doing')]);
      await change(atelier.admin, second, [flow.set('Doing')]);
      await setConditions(alice, made['new Todo']!, { authorized_user_group_ids: [testers] });
      await refused(store, () => post(flow, [flow.set('Todo')]), 400, words);
      await submit(bob, flow.id, [flow.set('Todo')]);
    });

    test('want fields filled, now or before', async () => {
      const flow = await createFlow(alice, project);
      const int = (await addField(alice, flow.id, { type: 'int' })).field_id;
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing', 'Doing Done']);
      const group = { authorized_user_group_ids: [members] };
      const fields = [flow.title, int];
      await setConditions(alice, made['Todo Doing']!, { ...group, not_empty_field_ids: fields });
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      const title = { field_id: flow.title, value: 'Filled' };
      const reply = await refused(
        store,
        () => put(id, [flow.set('Doing')]),
        400,
        /title \(title\) must not be empty/,
      );
      expect(reply.body.error.message).toMatch(/int \(int\) must not be empty/);
      await refused(store, () => put(id, [flow.set('Doing'), title]), 400, /int \(int\) must not be empty/);
      await change(alice, id, [{ field_id: int, value: 0 }]);
      await refused(
        store,
        () => put(id, [flow.set('Doing'), title, { field_id: int, value: '' }]),
        400,
        /int/,
      );
      await change(alice, id, [flow.set('Doing'), title]);
      await setConditions(alice, made['Doing Done']!, { ...group, not_empty_field_ids: [flow.links] });
      await refused(store, () => put(id, [flow.set('Done')]), 400, /links/);
      const other = await submit(alice, flow.id, [flow.set('Todo')]);
      const linked = { field_id: flow.links, links: [{ id: other }] };
      await change(alice, id, [linked]);
      await refused(
        store,
        () => put(id, [flow.set('Done'), { field_id: flow.links, links: [] }]),
        400,
        /links/,
      );
      await change(alice, id, [flow.set('Done')]);
    });

    test('want a comment that says something', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Doing', 'Todo Doing', 'new Todo']);
      const conditions = { authorized_user_group_ids: [members], is_comment_required: true };
      await setConditions(alice, made['Todo Doing']!, conditions);
      await submit(alice, flow.id, [flow.set('Doing')]);
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      const blank = { comment: { body: '  \n ', format: 'text' } };
      for (const more of [{}, blank])
        await refused(store, () => put(id, [flow.set('Doing')], more), 400, /comment is needed/);
      await change(alice, id, [flow.set('Doing')], comment);
    });

    test('are told one after the other: who, then what is empty, then the comment', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      const all = { not_empty_field_ids: [flow.title], is_comment_required: true };
      await setConditions(alice, made['Todo Doing']!, { ...all, authorized_user_group_ids: [testers] });
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      await refused(
        store,
        () => put(id, [flow.set('Doing')]),
        400,
        /^Bad Request: You are not allowed[^\n]*$/,
      );
      const title = { field_id: flow.title, value: 'x' };
      await refused(
        store,
        () => put(id, [flow.set('Doing')], {}, bob),
        400,
        /^Bad Request: The field title[^\n]*$/,
      );
      await refused(
        store,
        () => put(id, [flow.set('Doing'), title], {}, bob),
        400,
        /^Bad Request: A comment/,
      );
      await change(bob, id, [flow.set('Doing'), title], comment);
    });
  });

  describe('post actions', () => {
    test('set dates and numbers, whatever was sent and whoever may change them', async () => {
      const flow = await createFlow(alice, project);
      const add = async (type: string, name: string, more: Members = {}) =>
        (await addField(alice, flow.id, { type, name, ...more })).field_id;
      const int = await add('int', 'int');
      const float = await add('float', 'float');
      const day = await add('date', 'day');
      const moment = await add('date', 'moment', { specific_properties: { display_time: 1 } });
      const cleared = await add('date', 'cleared');
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
      const set = (field_id: number, field_type: string, value: unknown) => ({
        type: 'set_field_value',
        field_id,
        field_type,
        value,
      });
      const actions = [
        set(int, 'int', 42),
        set(float, 'float', -1.5),
        set(day, 'date', 'current'),
        set(moment, 'date', 'current'),
        set(cleared, 'date', ''),
      ];
      await setActions(alice, made['Todo Doing']!, actions);
      await setFieldPermissions(alice, float, { can_read: ['1'] });
      const sent = [
        { field_id: int, value: 7 },
        { field_id: cleared, value: '2020-01-01' },
      ];
      const id = await submit(alice, flow.id, [flow.set('Todo'), ...sent]);
      expect([await shown(id, int), await shown(id, cleared)]).toEqual([7, expect.stringMatching('2020')]);
      const before = await store.changesetsOf(id);
      const after = await change(alice, id, [
        flow.set('Doing'),
        { field_id: int, value: 8 },
        { field_id: day, value: '2001-01-01' },
      ]);
      const now = after.last_modified_date;
      expect(entryOf(after, int).value).toBe(42);
      expect(entryOf(after, float).value).toBe(-1.5);
      expect(entryOf(after, day).value.slice(0, 10)).toBe(now.slice(0, 10));
      expect(entryOf(after, moment).value.slice(0, 16)).toBe(now.slice(0, 16));
      expect(entryOf(after, cleared).value).toBeNull();
      expect(await store.changesetsOf(id)).toBe(before + 1);
      await setActions(alice, made['new Todo']!, [set(int, 'int', 1)]);
      const fresh = await submit(alice, flow.id, [flow.set('Todo'), { field_id: int, value: 9 }]);
      expect(await shown(fresh, int)).toBe(1);
    });

    test('come after the check of required fields', async () => {
      const flow = await createFlow(alice, project);
      const int = (await addField(alice, flow.id, { type: 'int', required: true })).field_id;
      const made = await startWorkflow(alice, flow, ['new Todo']);
      const set = { type: 'set_field_value', field_id: int, field_type: 'int', value: 3 };
      await setActions(alice, made['new Todo']!, [set]);
      await refused(store, () => post(flow, [flow.set('Todo')]), 400, /int \(int\) is required/);
      const id = await submit(alice, flow.id, [flow.set('Todo'), { field_id: int, value: 1 }]);
      expect(await shown(id, int)).toBe(3);
    });

    test('freeze fields for as long as the artifact is in the state', async () => {
      const flow = await createFlow(alice, project);
      const int = (await addField(alice, flow.id, { type: 'int' })).field_id;
      const made = await startWorkflow(alice, flow, ['new Doing', 'Todo Doing', 'Doing Done', 'new Todo']);
      const frozen = { type: 'frozen_fields', field_ids: [flow.title, flow.links] };
      await setActions(alice, made['new Doing']!, [frozen]);
      const title = (value: string) => ({ field_id: flow.title, value });
      const id = await submit(alice, flow.id, [
        flow.set('Doing'),
        title('As made'),
        { field_id: int, value: 1 },
      ]);
      expect((await readArtifact(alice, id)).frozen_field_ids).toEqual([flow.title, flow.links]);
      const words = /Fields are not valid: the field title cannot be changed/;
      await refused(store, () => put(id, [title('Other'), { field_id: int, value: 2 }]), 400, words);
      await refused(store, () => put(id, [title('Other'), flow.set('Done')]), 400, words);
      await change(alice, id, [title('As made'), { field_id: int, value: 2 }]);
      const other = await submit(alice, flow.id, [flow.set('Todo')]);
      const to = (linked: number) => [{ field_id: flow.links, links: [{ id: linked }] }];
      await refused(store, () => put(id, to(other)), 400, /the field links cannot be changed/);
      const from = [{ field_id: flow.links, all_links: [{ id, direction: 'reverse', type: '' }] }];
      await refused(store, () => put(other, from), 400, new RegExp(`field links of artifact ${id} cannot`));
      const complete = await readArtifact(alice, id, '?tracker_structure_format=complete');
      const permissions = (name: string) => Object(fieldNamed(Object(complete.tracker), name)).permissions;
      expect(permissions('title')).toEqual(['read', 'create']);
      expect(permissions('int')).toEqual(['read', 'update', 'create']);
      expect(Object(fieldNamed(Object(complete.tracker), 'title')).permissions_for_groups.can_update).toEqual(
        [],
      );
      await change(alice, id, [flow.set('Done')]);
      await change(alice, id, [title('Free again'), ...to(other)]);
    });

    test('that freeze fields say nothing of those that somebody may not know of', async () => {
      const flow = await createFlow(alice, project);
      const made = await startWorkflow(alice, flow, ['new Doing']);
      const fields = [flow.title, flow.links];
      await setActions(alice, made['new Doing']!, [{ type: 'frozen_fields', field_ids: fields }]);
      const id = await submit(alice, flow.id, [flow.set('Doing')]);
      const other = await submit(alice, flow.id, [flow.set('Doing')]);
      const admins = [`${project}_4`];
      for (const field of fields) await setFieldPermissions(alice, field, { can_update: admins });
      const values = [
        { field_id: flow.title, value: 'Other' },
        { field_id: flow.links, links: [{ id: other }] },
      ];
      const { body } = await refused(store, () => put(id, values, {}, bob), 400, /not allowed/);
      const words = fields.map((field) => `You are not allowed to update the field #${field}.`);
      expect(body.error.message).toBe(`Bad Request: ${words.join('\n')}`);
    });

    test('hide fieldsets, unless somebody must see what is in them', async () => {
      const flow = await createFlow(alice, project);
      const fieldsets: number[] = [];
      for (const name of ['plain', 'needed', 'dependent']) {
        const { field_id: parent_id } = await addField(alice, flow.id, { type: 'fieldset', name });
        const column = await addField(alice, flow.id, {
          type: 'column',
          name: `column of ${name}`,
          parent_id,
        });
        const place = { parent_id: column.field_id, name: `in ${name}` };
        const bind = { type: 'static', values: [{ label: 'a' }] };
        await addField(alice, flow.id, { type: 'sb', bind, required: name === 'needed', ...place });
        fieldsets.push(parent_id);
      }
      const tracker = (await alice.get(`/trackers/${flow.id}`)).body;
      const inside = fieldNamed(tracker, 'in_dependent');
      const [value] = Object.values(valueIds(inside));
      const rule = { source_field_id: flow.status.field_id, source_value_id: flow.states.Todo };
      const target = { target_field_id: inside.field_id, target_value_id: value };
      await setRules(alice, flow.id, { lists: [{ ...rule, ...target }] });
      const made = await startWorkflow(alice, flow, ['new Todo']);
      await setActions(alice, made['new Todo']!, [{ type: 'hidden_fieldsets', fieldset_ids: fieldsets }]);
      const needed = fieldNamed(tracker, 'in_needed');
      const id = await submit(alice, flow.id, [
        flow.set('Todo'),
        { field_id: inside.field_id, bind_value_ids: [value] },
        { field_id: needed.field_id, bind_value_ids: [Object.values(valueIds(needed))[0]] },
      ]);
      const complete = await readArtifact(alice, id, '?tracker_structure_format=complete');
      const hidden = (name: string) => fieldNamed(Object(complete.tracker), name).is_hidden;
      expect(['plain', 'needed', 'dependent'].map(hidden)).toEqual([true, false, false]);
      expect(hidden('title')).toBeUndefined();
      expect((await alice.get(`/trackers/${flow.id}`)).body.fields[0]).not.toHaveProperty('is_hidden');
      const plain = fieldNamed(tracker, 'in_plain');
      await change(alice, id, [{ field_id: plain.field_id, bind_value_ids: Object.values(valueIds(plain)) }]);
    });
  });

  describe('date rules', () => {
    const rulesFlow = async (comparator: string, withTime = false) => {
      const flow = await createFlow(alice, project);
      const add = async (name: string, display_time = 0) => {
        const field = { type: 'date', name, specific_properties: { display_time } };
        return (await addField(alice, flow.id, field)).field_id;
      };
      const [start, end] = [await add('start', 1), await add('end', withTime ? 1 : 0)];
      const rule = { source_field_id: start, target_field_id: end, comparator };
      await setRules(alice, flow.id, { dates: [rule] });
      return { flow, start, end };
    };
    const dates = { before: '2024-03-01T09:00:00+01:00', same: '2024-03-02T09:00:00+01:00' };

    test.each([
      ['<', [true, false, false]],
      ['≤', [true, true, false]],
      ['=', [false, true, false]],
      ['≥', [false, true, true]],
      ['>', [false, false, true]],
      ['≠', [true, false, true]],
    ] as const)('%s compares the source with the target, day by day', async (comparator, verdicts) => {
      const { flow, start, end } = await rulesFlow(comparator);
      const sources = [dates.before, dates.same, '2024-03-03T00:00:00+01:00'];
      const id = await submit(alice, flow.id, [{ field_id: end, value: '2024-03-02' }]);
      for (const [index, source] of sources.entries()) {
        const values = [{ field_id: start, value: source }];
        const both = [...values, { field_id: end, value: '2024-03-02' }];
        if (verdicts[index] === true) {
          await change(alice, id, values);
          await submit(alice, flow.id, both);
          continue;
        }
        const words = new RegExp(`date of start must be ${comparator} the date of end`);
        await refused(store, () => put(id, values), 400, words);
        await refused(store, () => post(flow, both), 400, words);
      }
    });

    test('compare to the minute where both dates have a time, and hold where one is empty', async () => {
      const { flow, start, end } = await rulesFlow('<', true);
      const at = (field_id: number, value: string) => ({ field_id, value });
      const id = await submit(alice, flow.id, [at(start, dates.same)]);
      await refused(store, () => put(id, [at(end, dates.same)]), 400, /must be </);
      await change(alice, id, [at(end, '2024-03-02T09:01:00+01:00')]);
      await refused(store, () => put(id, [at(start, '2024-03-02T10:00:00+01:00')]), 400, /must be </);
      await change(alice, id, [at(end, '')]);
      await change(alice, id, [at(start, '2024-03-02T10:00:00+01:00')]);
    });

    test('compare with the moments that the platform knows', async () => {
      const flow = await createFlow(alice, project);
      const due = (await addField(alice, flow.id, { type: 'date', name: 'due' })).field_id;
      const made = (await addField(alice, flow.id, { type: 'subon' })).field_id;
      const rule = { source_field_id: due, target_field_id: made, comparator: '≥' };
      await setRules(alice, flow.id, { dates: [rule] });
      const late = [{ field_id: due, value: '2001-01-01' }];
      await refused(store, () => post(flow, late), 400, /must be ≥/);
      const id = await submit(alice, flow.id, [{ field_id: due, value: '2999-01-01' }]);
      await refused(store, () => put(id, late), 400, /must be ≥/);
    });

    test('hold with the workflow switched off, and judge what post actions set', async () => {
      const { flow, start, end } = await rulesFlow('≤');
      const made = await startWorkflow(alice, flow, ['new Todo', 'Todo Done']);
      const set = { type: 'set_field_value', field_id: start, field_type: 'date', value: 'current' };
      await setActions(alice, made['Todo Done']!, [set]);
      // What empties a date can be written in XML, too.
      const clear = `<item><type>set_field_value</type><field_id>${end}</field_id><field_type>date</field_type><value></value></item>`;
      const written = await alice.request(
        'PUT',
        `/tracker_workflow_transitions/${made['new Todo']}/actions`,
        {
          rawBody: `<request><post_actions>${clear}</post_actions></request>`,
          headers: { 'Content-Type': 'application/xml' },
        },
      );
      expect(written.status, written.text).toBe(200);
      await setActions(alice, made['new Todo']!, []);
      const ended = { field_id: end, value: '2020-01-01' };
      const id = await submit(alice, flow.id, [flow.set('Todo'), ended]);
      await refused(store, () => put(id, [flow.set('Done')]), 400, /must be ≤/);
      await changeWorkflow(alice, flow.id, { set_transitions_rules: { is_used: false } });
      await refused(store, () => put(id, [{ field_id: start, value: '2021-01-01' }]), 400, /must be ≤/);
      await change(alice, id, [flow.set('Done')]);
    });

    test('made later let people comment, and want the dates mended with the next change', async () => {
      const { flow, start, end } = await rulesFlow('≤');
      const rules = (await alice.get(`/trackers/${flow.id}/rules`)).body;
      await setRules(alice, flow.id, { dates: [] });
      const broken = [
        { field_id: start, value: '2024-03-02' },
        { field_id: end, value: '2024-03-01' },
      ];
      const id = await submit(alice, flow.id, broken);
      await setRules(alice, flow.id, rules);
      await change(alice, id, broken, comment);
      const title = { field_id: flow.title, value: 'x' };
      await refused(store, () => put(id, [title]), 400, /must be ≤/);
      await change(alice, id, [title, { field_id: end, value: '2024-03-02' }]);
    });
  });

  describe('dependencies between lists', () => {
    test('let a list have only the values that go with those of another', async () => {
      const flow = await createFlow(alice, project);
      const values = ['red', 'green', 'blue'].map((label) => ({ label }));
      const colours = await addField(alice, flow.id, { type: 'msb', bind: { type: 'static', values } });
      const { red = 0, green = 0, blue = 0 } = valueIds(colours);
      const pair = (source_value_id: number, target_value_id: number) => ({
        source_field_id: flow.status.field_id,
        source_value_id,
        target_field_id: colours.field_id,
        target_value_id,
      });
      const { Todo, Doing } = flow.states;
      const lists = [pair(Todo, red), pair(Todo, green), pair(Doing, blue), pair(Doing, 100), pair(100, 100)];
      await setRules(alice, flow.id, { lists });
      const set = (...bind_value_ids: number[]) => ({ field_id: colours.field_id, bind_value_ids });
      const words = /value of the field msb cannot stand with that of the field Status/;
      await refused(store, () => post(flow, [flow.set('Todo'), set(red, blue)]), 400, words);
      await refused(store, () => post(flow, [flow.set('Todo')]), 400, words);
      await refused(store, () => post(flow, [set(red)]), 400, words);
      await refused(store, () => post(flow, [flow.set('Done'), set(red)]), 400, words);
      await submit(alice, flow.id, [{ field_id: flow.title, value: 'Nothing chosen' }]);
      const id = await submit(alice, flow.id, [flow.set('Todo'), set(red, green)]);
      await refused(store, () => put(id, [flow.set('Doing')]), 400, words);
      await refused(store, () => put(id, [set()]), 400, words);
      await change(alice, id, [flow.set('Doing'), set(blue)]);
      await change(alice, id, [set()]);
      await change(alice, id, [flow.set(undefined)]);
    });

    test('say nothing about artifacts that never had a value', async () => {
      const flow = await createFlow(alice, project);
      const id = await submit(alice, flow.id, [{ field_id: flow.title, value: 'Old' }]);
      const bind = { type: 'static', values: [{ label: 'a' }] };
      const [left, right] = [
        await addField(alice, flow.id, { type: 'sb', name: 'left', bind }),
        await addField(alice, flow.id, { type: 'sb', name: 'right', bind }),
      ];
      const [from, to] = [valueIds(left)['a'], valueIds(right)['a']];
      const source = { source_field_id: left.field_id, source_value_id: from };
      const target = { target_field_id: right.field_id, target_value_id: to };
      await setRules(alice, flow.id, { lists: [{ ...source, ...target }] });
      await change(alice, id, [{ field_id: flow.title, value: 'New' }]);
      const chosen = { field_id: left.field_id, bind_value_ids: [from] };
      await refused(store, () => put(id, [chosen]), 400, /right/);
      await change(alice, id, [chosen, { field_id: right.field_id, bind_value_ids: [to] }]);
    });
  });
});
