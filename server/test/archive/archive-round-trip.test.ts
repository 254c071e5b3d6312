import type { Tracker } from '@atelier/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ArchiveDesk, contentOf, peopleNamed } from '../fixtures/archive-desk.ts';
import { createForm, forms, prose, words } from '../fixtures/archive-samples.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { linkSamples, listSamples, plainSamples, type Sample } from '../fixtures/artifact-samples.ts';
import { uploadInChunks } from '../fixtures/file.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { reportsOn, saveReport } from '../fixtures/report.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import {
  addTransition,
  changeWorkflow,
  setActions,
  setConditions,
  setRules,
  setTriggers,
} from '../fixtures/workflow.ts';
import {
  type Atelier,
  createInstance,
  type Instance,
  oneEngine,
  type Person,
  startAtelier,
} from '../harness/atelier.ts';

const engines = oneEngine(
  'SQLite',
  'an archive is made of what routes answer; what it writes is in project-import.test.ts, on the other',
);

describe.each(engines)('an archive of trackers on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let here: ArchiveDesk;
  let elsewhere: Instance;
  let there: ArchiveDesk;
  let projectId: number;
  let group: string;
  let projects = 0;
  const groupNames = ['testers'];

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    projectId = (await createProject(alice, 'source')).id;
    await setMembers(alice, `${projectId}_3`, [alice, bob]);
    group = await createGroup(alice, projectId, 'testers');
    // Whatever is restricted, both may go on.
    await setMembers(alice, `${projectId}_4`, [alice, bob]);
    await setMembers(alice, group, [alice, bob]);
    here = await ArchiveDesk.of(atelier.instance);
    elsewhere = await createInstance(engine);
    there = await ArchiveDesk.of(elsewhere);
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
    await atelier?.stop();
    await elsewhere?.remove();
  });

  const groups = () => [`${projectId}_3`, `${projectId}_4`, group];

  /** An empty project with groups of the same names, and people of the same names with other ids. */
  async function emptyProject(): Promise<{ id: number; people: Readonly<Record<string, number>> }> {
    const { database } = there;
    const row = {
      label: 'Target',
      description: '',
      status: 'active',
      access: 'public',
      icon: '',
      is_template: 0,
      field_values: '{}',
      has_synchronised_membership: 0,
      banner: null,
      header_background: null,
      created_at: 1,
    } as const;
    const shortname = `target-${++projects}`;
    return database.transaction(async (tx) => {
      const project = { ...row, shortname, shortname_key: shortname };
      const [made] = await tx.all(tx.sql.insertInto('project').values(project).returning('id'));
      const id = made?.id ?? 0;
      for (const name of groupNames) {
        const stored = { project_id: id, name, name_key: name, description: '' };
        await tx.run(tx.sql.insertInto('user_group').values(stored));
      }
      const people: Record<string, number> = {};
      for (const name of projects === 1 ? ['zoe', 'bob', 'alice'] : []) {
        const account = { name, name_key: name, real_name: name, email: '', ldap_id: null, status: 'A' };
        const hidden = { password_hash: null, password_set_at: null, search_text: name, created_at: 1 };
        const stored = { ...account, ...hidden, last_access_at: null };
        await tx.run(tx.sql.insertInto('account').values(stored));
      }
      for (const { id: accountId, name } of await tx.all(tx.sql.selectFrom('account').select(['id', 'name'])))
        people[name] = accountId;
      return { id, people };
    });
  }

  const idOf = (tracker: Tracker, name: string) => fieldNamed(tracker, name).field_id;
  const entries = (tracker: Tracker, samples: readonly Sample[]) =>
    samples.map(({ name, sent }) => ({ field_id: idOf(tracker, name), ...sent }));

  /** A group that is younger than open lists of groups can be chosen in them, too. */
  async function chooseYoungGroup(trackers: readonly Tracker[]): Promise<void> {
    const name = `young${groupNames.length}`;
    groupNames.push(name);
    const id = await createGroup(alice, projectId, name);
    for (const tracker of trackers)
      await submit(alice, tracker.id, [
        { field_id: idOf(tracker, 'tbl_ugroups'), value: { bind_value_objects: [{ id }] } },
      ]);
  }

  const target = (tracker: Tracker) =>
    submit(alice, tracker.id, [{ field_id: idOf(tracker, 'string'), value: 'target' }]);

  /** Gives artifacts histories of changes, comments, edited comments and files. */
  async function fill(tracker: Tracker, targets: readonly number[], seed: number): Promise<void> {
    const anything = fc.oneof(
      ...plainSamples,
      ...listSamples(tracker, [alice.id, bob.id], groups()),
      linkSamples(targets),
    );
    const several = fc.uniqueArray(anything, { selector: ({ name }) => name, minLength: 1, maxLength: 12 });
    const step = fc.record({
      values: several,
      body: prose,
      format: fc.constantFrom('text', 'html', 'commonmark'),
    });
    const histories = fc.sample(fc.array(step, { minLength: 1, maxLength: 4 }), { numRuns: 4, seed });
    for (const [index, [first, ...rest]] of histories.entries()) {
      const id = await submit(alice, tracker.id, entries(tracker, first?.values ?? []));
      for (const { values, body, format } of rest) {
        const comment = body.trim() === '' ? {} : { comment: { body, format } };
        await change(bob, id, entries(tracker, values), comment);
      }
      if (index % 2 === 0) await attach(tracker, id, `${seed} ${index}`);
    }
  }

  /** Two files, one of which goes again, and a private comment that is edited and deleted. */
  async function attach(tracker: Tracker, id: number, words: string): Promise<void> {
    const kept = await uploadInChunks(bob, Buffer.from(words), { name: 'ü <1>.txt', description: 'a & b' });
    const gone = await uploadInChunks(bob, Buffer.from(`${words} gone`));
    const field_id = idOf(tracker, 'file');
    await change(bob, id, [{ field_id, value: [kept, gone] }]);
    await change(bob, id, [{ field_id, value: [kept] }]);
    const posted = await bob.post(`/artifacts/${id}/comments`, {
      body: 'art #1 <b>',
      format: 'text',
      ugroups: [group],
    });
    expect(posted.status, posted.text).toBe(201);
    const path = `/artifacts/${id}/changesets/${posted.body.id}/comment`;
    for (const body of ['**again**', '']) {
      const edited = await alice.put(path, { body, format: 'commonmark' });
      expect(edited.status, edited.text).toBe(200);
    }
  }

  /** What says how artifacts may change, made after they are there. */
  async function govern(tracker: Tracker, child: Tracker, isAdvanced: boolean): Promise<void> {
    const list = fieldNamed(tracker, 'sb');
    const [one = 0, two = 0] = Object.values(valueIds(list));
    const [date, datetime, int] = ['date', 'datetime', 'int'].map((name) => idOf(tracker, name));
    await changeWorkflow(alice, tracker.id, { set_transitions_rules: { field_id: list.field_id } });
    const begin = await addTransition(alice, tracker.id, 0, one);
    const step = await addTransition(alice, tracker.id, one, two);
    await setConditions(alice, step, {
      authorized_user_group_ids: groups().slice(1),
      not_empty_field_ids: [int],
      is_comment_required: true,
    });
    await setActions(alice, step, [
      { type: 'set_field_value', field_type: 'date', field_id: date, value: 'current' },
      { type: 'set_field_value', field_type: 'int', field_id: int, value: 3 },
      { type: 'run_job', job_url: 'https://build.example.com/x?y=1&z' },
      ...(isAdvanced ? [] : [{ type: 'frozen_fields', field_ids: [idOf(tracker, 'string')] }]),
    ]);
    await setActions(alice, begin, [
      { type: 'set_field_value', field_type: 'date', field_id: date, value: '' },
    ]);
    if (isAdvanced) await changeWorkflow(alice, tracker.id, { is_advanced: true });
    const radio = fieldNamed(tracker, 'rb');
    await setRules(alice, tracker.id, {
      dates: [{ source_field_id: date, target_field_id: datetime, comparator: '≤' }],
      lists: Object.values(valueIds(radio)).map((source_value_id) => ({
        source_field_id: radio.field_id,
        source_value_id,
        target_field_id: idOf(tracker, 'cb'),
        target_value_id: 100,
      })),
    });
    const below = fieldNamed(child, 'rb');
    await setTriggers(alice, tracker.id, [
      {
        condition: 'all_of',
        target: { field_id: list.field_id, value_id: two },
        children: [{ field_id: below.field_id, value_id: Object.values(valueIds(below))[0] }],
      },
    ]);
  }

  /** Meanings and permissions, and what was in use and is not any more. */
  async function administer(tracker: Tracker): Promise<void> {
    const field = (name: string) => ({ field_id: idOf(tracker, name) });
    const status = Object.values(valueIds(fieldNamed(tracker, 'sb')));
    await setSemantics(alice, tracker.id, {
      title: field('string'),
      description: field('text'),
      status: { ...field('sb'), value_ids: status.slice(0, 1) },
      contributor: field('msb_users'),
      initial_effort: field('float'),
      timeframe: { start_date_field_id: idOf(tracker, 'date'), duration_field_id: idOf(tracker, 'int') },
      progress: {
        total_effort_field_id: idOf(tracker, 'float'),
        remaining_effort_field_id: idOf(tracker, 'computed'),
      },
      tooltip: { field_ids: [idOf(tracker, 'aid'), idOf(tracker, 'string')] },
    });
    await setFieldPermissions(alice, idOf(tracker, 'int'), { can_read: ['2'], can_update: [group] });
    await setPermissions(alice, tracker.id, {
      can_access: ['2'],
      can_admin: [group],
      can_access_submitted_by_user: ['5'],
    });
    const checkbox = fieldNamed(tracker, 'msb');
    const removed = await alice.delete(
      `/tracker_fields/${checkbox.field_id}/values/${Object.values(valueIds(checkbox))[0]}`,
    );
    // Where an artifact has it at present it stays.
    expect([200, 400], removed.text).toContain(removed.status);
    const unused = await alice.patch(`/tracker_fields/${idOf(tracker, 'tbl_users')}`, { use_it: false });
    expect(unused.status, unused.text).toBe(200);
  }

  /** Saved searches of every kind. */
  async function report(tracker: Tracker, seed: number): Promise<void> {
    const [reports = []] = fc.sample(reportsOn(tracker, [alice.id, bob.id]), { numRuns: 1, seed });
    for (const one of reports) await saveReport(alice, tracker.id, one);
  }

  test('what people typed into an open list stays that, whatever its field defines', async () => {
    const { id } = await createTracker(alice, projectId);
    const bind = { type: 'static', values: [{ label: 'Alpha' }, { label: 'Bravo' }, { label: 'Charlie' }] };
    const { field_id, values } = await addField(alice, id, { type: 'tbl', name: 'words', bind });
    const [alpha, , charlie] = (values as { id: number }[]).map((value) => value.id);
    const objects = (...bind_value_objects: object[]) => [{ field_id, value: { bind_value_objects } }];
    const labelled = (...labels: string[]) => labels.map((label) => ({ label }));
    const made = await submit(alice, id, objects(...labelled('alpha')));
    await change(alice, made, objects({ id: alpha }, { id: charlie }, ...labelled('Bravo', ' sp ', 'BRAVO')));
    // Nobody can choose it any more, and it is in the archive all the same.
    await change(
      alice,
      made,
      objects(...labelled('CHARLIE', '"Alpha"', 'a "b", c', ' ,', 'plain', 'say "it"')),
    );
    const removed = await alice.delete(`/tracker_fields/${field_id}/values/${charlie}`);
    expect(removed.status, removed.text).toBe(200);
    const first = await here.write([id]);
    const { id: target, people } = await emptyProject();
    const { ids, warnings } = await there.read(first, target, peopleNamed(people));
    expect(warnings).toEqual([]);
    expect(await contentOf(await there.write(ids))).toEqual(await contentOf(first));
  });

  test('written, read elsewhere and written again is the same but for ids', {
    timeout: 120_000,
  }, async () => {
    const form = forms([alice.id, bob.id], groups());
    const about = fc.record({
      label: words,
      description: words,
      color_name: fc.constantFrom('neon-green', 'plum-crazy'),
    });
    await fc.assert(
      fc.asyncProperty(form, about, fc.integer(), fc.boolean(), async (elements, more, seed, isAdvanced) => {
        const named = { ...more, label: `${more.label} ${seed}`, has_private_comments: true };
        const parent = await createForm(alice, projectId, elements, named);
        const child = await createForm(alice, projectId, elements, {
          ...named,
          label: `${named.label}c`,
          parent_id: parent.id,
        });
        await chooseYoungGroup([parent, child]);
        const targets = [await target(parent), await target(child)];
        await fill(parent, targets, seed);
        await fill(child, targets, seed + 1);
        await govern(parent, child, isAdvanced);
        await administer(parent);
        await report(parent, seed);
        const first = await here.write([parent.id, child.id]);
        const { id, people } = await emptyProject();
        const { ids, warnings } = await there.read(first, id, peopleNamed(people));
        expect(warnings).toEqual([]);
        const second = await there.write(ids);
        expect(await contentOf(second)).toEqual(await contentOf(first));
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
