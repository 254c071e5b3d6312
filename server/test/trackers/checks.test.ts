import type { FieldUse, PermissionCheck, Tracker } from '@atelier/contract';
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
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'checks are made in code, on what was read');

describe.each(engines)('looking at a tracker before changing it, on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let testers: string;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'looked-at')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
    await setMembers(alice, testers, [carol]);
  });
  afterAll(() => atelier.stop());

  const uses = async (id: number): Promise<FieldUse[]> => {
    const { status, body, text } = await alice.get(`/trackers/${id}/field_uses`);
    expect(status, text).toBe(200);
    return body;
  };
  const named = (tracker: Tracker, name: string) => fieldNamed(tracker, name).field_id;

  async function usualTracker(): Promise<Tracker> {
    const { id } = await createTracker(alice, project);
    const box = await addField(alice, id, { type: 'fieldset', name: 'box' });
    await addField(alice, id, { type: 'string', name: 'title', parent_id: box.field_id });
    const values = ['new', 'done', 'rare'].map((label) => ({ label }));
    await addField(alice, id, {
      type: 'sb',
      name: 'status',
      parent_id: box.field_id,
      bind: { type: 'static', values },
    });
    await addField(alice, id, { type: 'int', name: 'effort', parent_id: box.field_id });
    await addField(alice, id, { type: 'date', name: 'start', parent_id: box.field_id });
    await addField(alice, id, { type: 'date', name: 'due', parent_id: box.field_id });
    await addField(alice, id, { type: 'art_link', name: 'links', parent_id: box.field_id });
    return readTracker(alice, id);
  }

  async function submit(tracker: Tracker, values: readonly unknown[]): Promise<number> {
    const reply = await alice.post('/artifacts', { tracker: { id: tracker.id }, values });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  }

  test('a field says what rests on it, and DELETE says the same', async () => {
    const tracker = await usualTracker();
    const { id } = tracker;
    const status = fieldNamed(tracker, 'status');
    const { new: open, done, rare } = valueIds(status);
    await setSemantics(alice, id, {
      title: { field_id: named(tracker, 'title') },
      status: { field_id: status.field_id, value_ids: [open] },
    });
    await alice.patch(`/trackers/${id}`, {
      workflow: { set_transitions_rules: { field_id: status.field_id } },
    });
    const made = await alice.post('/tracker_workflow_transitions', {
      tracker_id: id,
      from_id: 0,
      to_id: open,
    });
    expect(made.status, made.text).toBe(201);
    const conditions = {
      authorized_user_group_ids: [`${project}_3`],
      not_empty_field_ids: [named(tracker, 'effort')],
      is_comment_required: false,
    };
    expect((await alice.patch(`/tracker_workflow_transitions/${made.body.id}`, conditions)).status).toBe(200);
    const rule = {
      source_field_id: named(tracker, 'start'),
      comparator: '<',
      target_field_id: named(tracker, 'due'),
    };
    expect((await alice.put(`/trackers/${id}/rules`, { dates: [rule] })).status).toBe(200);
    const first = await submit(tracker, [
      { field_id: named(tracker, 'title'), value: 'one' },
      { field_id: status.field_id, bind_value_ids: [open] },
      { field_id: named(tracker, 'effort'), value: 3 },
    ]);
    await submit(tracker, [
      { field_id: named(tracker, 'title'), value: 'two' },
      { field_id: named(tracker, 'links'), links: [{ id: first }] },
    ]);
    const all = await uses(id);
    const of = (name: string) => all.find(({ field_id }) => field_id === named(tracker, name));
    expect(of('title')).toMatchObject({ artifact_count: 2, semantics: ['title'], workflow: [] });
    expect(of('status')).toMatchObject({ artifact_count: 1, semantics: ['status'], workflow: ['states'] });
    expect(of('effort')).toMatchObject({ artifact_count: 1, workflow: ['needed'], rules: [] });
    expect(of('start')).toMatchObject({ artifact_count: 0, rules: ['dates'] });
    expect(of('links')).toMatchObject({ artifact_count: 1, obstacle: null, triggers: [], reports: 0 });
    expect(of('status')?.values).toEqual([
      { id: open, artifact_count: 1, obstacle: expect.stringContaining('semantic status') },
      { id: done, artifact_count: 0, obstacle: null },
      { id: rare, artifact_count: 0, obstacle: null },
    ]);
    for (const name of ['title', 'status', 'effort', 'start', 'box']) {
      const reply = await alice.delete(`/tracker_fields/${named(tracker, name)}`);
      expect([reply.status, reply.body.error.message]).toEqual([
        400,
        expect.stringContaining(of(name)?.obstacle ?? 'nothing'),
      ]);
    }
    expect((await alice.delete(`/tracker_fields/${named(tracker, 'links')}`)).status).toBe(204);
  });

  test('a value that an artifact has, and reports that show a field, are counted', async () => {
    const tracker = await usualTracker();
    const status = fieldNamed(tracker, 'status');
    const { rare } = valueIds(status);
    await submit(tracker, [{ field_id: status.field_id, bind_value_ids: [rare] }]);
    const report = await alice.post(`/trackers/${tracker.id}/tracker_reports`, {
      label: 'Efforts',
      expert_query: 'effort > 2',
      is_in_expert_mode: true,
    });
    expect(report.status, report.text).toBe(201);
    const all = await uses(tracker.id);
    const value = all
      .find(({ field_id }) => field_id === status.field_id)
      ?.values.find(({ id }) => id === rare);
    expect(value).toEqual({ id: rare, artifact_count: 1, obstacle: expect.stringContaining('hide it') });
    expect(all.find(({ field_id }) => field_id === named(tracker, 'effort'))?.reports).toBe(1);
  });

  test('many field permissions are stored at once, or none of them', async () => {
    const tracker = await usualTracker();
    const [title, effort, box] = ['title', 'effort', 'box'].map((name) => named(tracker, name));
    const put = (fields: unknown) => alice.put(`/trackers/${tracker.id}/field_permissions`, { fields });
    const reply = await put({
      [String(title)]: { can_read: ['2'], can_submit: [testers] },
      [String(effort)]: { can_update: [`${project}_4`] },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.fields[String(title)]).toMatchObject({
      can_read: [{ id: '2' }],
      can_submit: [{ id: testers }],
      can_update: [],
    });
    const stored = async () => (await alice.get(`/tracker_fields/${title}/permissions`)).body;
    const before = await stored();
    for (const [fields, member] of [
      [{ [String(title)]: { can_read: ['1'] }, '999999': {} }, 'fields[999999]'],
      [
        { [String(title)]: { can_read: ['1'] }, [String(effort)]: { can_read: ['nobody'] } },
        `fields[${effort}][can_read]`,
      ],
      [{ [String(title)]: { can_read: ['1'] }, [String(box)]: {} }, `fields[${box}]`],
      [[], '`fields`'],
      [{}, '`fields`'],
      [[{ can_read: ['1'] }], '`fields`'],
    ] as const) {
      const refused = await put(fields);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(member)]);
      expect(await stored()).toEqual(before);
    }
    // Names of XML do not begin with a digit; what is empty there is an empty list.
    const inXml = await alice.request('PUT', `/trackers/${tracker.id}/field_permissions`, {
      headers: { 'Content-Type': 'application/xml' },
      rawBody: `<request><fields><_${title}><can_read><item>1</item></can_read><can_submit/></_${title}></fields></request>`,
    });
    expect([inXml.status, inXml.body]).toMatchObject([
      200,
      { fields: { [String(title)]: { can_read: [{ id: '1' }], can_submit: [] } } },
    ]);
    const asked = { fields: { [String(title)]: { can_read: ['1'] } } };
    expect((await bob.put(`/trackers/${tracker.id}/field_permissions`, asked)).status).toBe(403);
  });

  test('a check says of every field what the person gets by themselves', async () => {
    const tracker = await usualTracker();
    const { id } = tracker;
    await setFieldPermissions(alice, named(tracker, 'effort'), { can_read: [testers] });
    await setFieldPermissions(alice, named(tracker, 'due'), { can_update: [`${project}_3`] });
    await setFieldPermissions(alice, named(tracker, 'start'), {});
    for (const person of [bob, carol, alice]) {
      const { body, status, text } = await alice.post(`/trackers/${id}/permission_checks`, {
        user_id: person.id,
      });
      expect(status, text).toBe(200);
      const check: PermissionCheck = body;
      const own = await readTracker(person, id);
      expect(check).toMatchObject({
        may_view: true,
        may_submit: own.may_submit,
        is_administrator: own.is_administrator,
      });
      for (const { field_id, read, submit: maySubmit, update } of check.fields) {
        const field = own.fields.find((one) => one.field_id === field_id);
        expect([field_id, field?.permissions ?? []]).toEqual([
          field_id,
          [...(read ? ['read'] : []), ...(update ? ['update'] : []), ...(maySubmit ? ['create'] : [])],
        ]);
      }
    }
    const { body } = await alice.post(`/trackers/${id}/permission_checks`, { user_id: carol.id });
    const effort = body.fields.find(
      (field: { field_id: number }) => field.field_id === named(tracker, 'effort'),
    );
    expect(effort).toMatchObject({ read: true, update: false, because: { groups: [{ id: testers }] } });
    const asGroup = await alice.post(`/trackers/${id}/permission_checks`, { group_ids: [testers] });
    expect(asGroup.body.fields).toEqual(body.fields);
  });

  test('a check of one artifact says who sees it and what its state freezes', async () => {
    const tracker = await usualTracker();
    const { id } = tracker;
    const status = fieldNamed(tracker, 'status');
    const { new: open } = valueIds(status);
    await alice.patch(`/trackers/${id}`, {
      workflow: { set_transitions_rules: { field_id: status.field_id } },
    });
    await alice.patch(`/trackers/${id}`, { workflow: { set_transitions_rules: { is_used: true } } });
    const made = await alice.post('/tracker_workflow_transitions', {
      tracker_id: id,
      from_id: 0,
      to_id: open,
    });
    const frozen = { post_actions: [{ type: 'frozen_fields', field_ids: [named(tracker, 'effort')] }] };
    expect((await alice.put(`/tracker_workflow_transitions/${made.body.id}/actions`, frozen)).status).toBe(
      200,
    );
    await setPermissions(alice, id, { can_access_submitted_by_user: ['2'] });
    const artifact = await submit(tracker, [{ field_id: status.field_id, bind_value_ids: [open] }]);
    const check = async (user: Person): Promise<PermissionCheck> =>
      (await alice.post(`/trackers/${id}/permission_checks`, { user_id: user.id, artifact_id: artifact }))
        .body;
    expect((await check(bob)).may_view).toBe(false);
    const own = await check(alice);
    expect(own.may_view).toBe(true);
    const effort = own.fields.find(({ field_id }) => field_id === named(tracker, 'effort'));
    expect(effort).toMatchObject({ read: true, update: false, because: { is_frozen: true } });
  });

  test('wrong questions are refused with words, and only administrators may ask', async () => {
    const tracker = await usualTracker();
    const other = await usualTracker();
    const artifact = await submit(other, [{ field_id: named(other, 'title'), value: 'elsewhere' }]);
    const ask = (body: unknown, caller = alice) =>
      caller.post(`/trackers/${tracker.id}/permission_checks`, body);
    for (const [body, words] of [
      [{}, 'user_id'],
      [{ user_id: alice.id, group_ids: ['1'] }, 'user_id'],
      [{ user_id: 999_999 }, '`user_id`'],
      [{ group_ids: ['999999'] }, 'group_ids'],
      [{ user_id: bob.id, artifact_id: artifact }, '`artifact_id`'],
    ] as const) {
      const reply = await ask(body);
      expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(words)]);
    }
    expect((await ask({ user_id: alice.id, artifact_id: 999_999 })).status).toBe(404);
    for (const caller of [bob, carol]) {
      expect((await ask({ user_id: alice.id }, caller)).status).toBe(403);
      expect((await caller.get(`/trackers/${tracker.id}/field_uses`)).status).toBe(403);
    }
  });
});
