import type { Changeset } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, setPermissions } from '../fixtures/tracker.ts';
import {
  createFlow,
  type Flow,
  type StateName,
  setActions,
  setConditions,
  setRules,
  setTriggers,
  startWorkflow,
} from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine(
  'PostgreSQL',
  'what a trigger changes is decided in code; children that finish at once are harder here',
);

describe.each(engines)('triggers on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'family')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  const rule = (
    condition: 'all_of' | 'at_least_one',
    [parent, target]: readonly [Flow, StateName],
    ...children: readonly (readonly [Flow, StateName])[]
  ) => ({
    condition,
    target: { field_id: parent.status.field_id, value_id: parent.states[target] },
    children: children.map(([flow, state]) => ({
      field_id: flow.status.field_id,
      value_id: flow.states[state],
    })),
  });

  /** A tracker and the one below it. */
  async function family(): Promise<{ parent: Flow; child: Flow }> {
    const parent = await createFlow(alice, project);
    const child = await createFlow(alice, project, { parent_id: parent.id });
    return { parent, child };
  }
  const links = (flow: Flow, ids: readonly number[]) => ({
    field_id: flow.links,
    links: ids.map((id) => ({ id, type: '_is_child' })),
  });
  const make = (flow: Flow, state: StateName, children: readonly number[] = []) =>
    submit(alice, flow.id, [flow.set(state), links(flow, children)]);
  async function stateOf(flow: Flow, id: number): Promise<string | undefined> {
    const entry = entryOf(await readArtifact(atelier.admin, id), flow.status.field_id);
    return entry.values[0]?.label;
  }
  async function historyOf(id: number): Promise<Changeset[]> {
    return (await alice.get(`/artifacts/${id}/changesets?limit=50`)).body;
  }

  test('one child is enough for at_least_one, and the parent tells it in its history', async () => {
    const { parent, child } = await family();
    await setTriggers(alice, parent.id, [
      rule('at_least_one', [parent, 'Doing'], [child, 'Doing'], [child, 'Done']),
    ]);
    const children = [await make(child, 'Todo'), await make(child, 'Todo')];
    const id = await make(parent, 'Todo', children);
    await change(alice, children[0]!, [{ field_id: child.title, value: 'x' }]);
    expect(await store.changesetsOf(id)).toBe(1);
    await change(bob, children[0]!, [child.set('Doing')]);
    expect(await stateOf(parent, id)).toBe('Doing');
    const [first, last] = await historyOf(id);
    expect(entryOf({ values: first?.values ?? [] }, parent.status.field_id).values[0].label).toBe('Todo');
    expect(last).toMatchObject({
      submitted_by: bob.id,
      last_comment: { body: expect.stringMatching(/trigger/) },
    });
    await change(alice, id, [parent.set('Todo')]);
    await change(alice, children[0]!, [child.set('Todo')]);
    expect(await stateOf(parent, id)).toBe('Todo');
    await change(alice, children[1]!, [child.set('Done')]);
    expect(await stateOf(parent, id)).toBe('Doing');
    const changesets = await store.changesetsOf(id);
    await change(alice, children[0]!, [child.set('Done')]);
    expect(await store.changesetsOf(id)).toBe(changesets);
  });

  test('all_of waits for the last of the children, those of every child tracker', async () => {
    const { parent, child } = await family();
    const other = await createFlow(alice, project, { parent_id: parent.id });
    const stranger = await createFlow(alice, project);
    const done = rule('all_of', [parent, 'Done'], [child, 'Done'], [other, 'Done']);
    await setTriggers(alice, parent.id, [done]);
    const ids = [await make(child, 'Todo'), await make(child, 'Todo'), await make(other, 'Todo')];
    const id = await make(parent, 'Todo', [...ids, await make(stranger, 'Todo')]);
    await change(alice, ids[0]!, [child.set('Done')]);
    await change(alice, ids[1]!, [child.set('Done')]);
    expect(await stateOf(parent, id)).toBe('Todo');
    await change(alice, ids[2]!, [other.set('Doing')]);
    expect(await stateOf(parent, id)).toBe('Todo');
    await change(alice, ids[2]!, [other.set('Done')]);
    expect(await stateOf(parent, id)).toBe('Done');
  });

  test('children that come and go count too', async () => {
    const { parent, child } = await family();
    const done = rule('all_of', [parent, 'Done'], [child, 'Done']);
    const doing = rule('at_least_one', [parent, 'Doing'], [child, 'Doing']);
    await setTriggers(alice, parent.id, [doing, done]);
    const ready = await make(child, 'Done');
    const busy = await make(child, 'Doing');
    const born = await make(parent, 'Todo', [ready]);
    expect(await stateOf(parent, born)).toBe('Done');
    const id = await make(parent, 'Todo');
    expect(await stateOf(parent, id)).toBe('Todo');
    const reply = await change(alice, id, [links(parent, [busy])]);
    expect(entryOf(reply, parent.status.field_id).values[0].label).toBe('Doing');
    await change(alice, id, [links(parent, [busy, ready])]);
    expect(await stateOf(parent, id)).toBe('Doing');
    await change(alice, id, [links(parent, [ready])]);
    expect(await stateOf(parent, id)).toBe('Done');
    const waiting = await make(parent, 'Todo');
    const under = { field_id: child.links, parent: { id: waiting } };
    await submit(alice, child.id, [child.set('Done'), under]);
    expect(await stateOf(parent, waiting)).toBe('Done');
    const untyped = await make(parent, 'Todo');
    await change(alice, untyped, [{ field_id: parent.links, links: [{ id: ready }] }]);
    expect(await stateOf(parent, untyped)).toBe('Todo');
  });

  test('go up several levels, each with the next, in the transaction of the first change', async () => {
    const top = await createFlow(alice, project);
    const middle = await createFlow(alice, project, { parent_id: top.id });
    const bottom = await createFlow(alice, project, { parent_id: middle.id });
    await setTriggers(alice, top.id, [rule('all_of', [top, 'Done'], [middle, 'Done'])]);
    await setTriggers(alice, middle.id, [rule('at_least_one', [middle, 'Done'], [bottom, 'Done'])]);
    const leaf = await make(bottom, 'Todo');
    const branches = [await make(middle, 'Todo', [leaf]), await make(middle, 'Todo', [leaf])];
    const root = await make(top, 'Todo', branches);
    await change(alice, leaf, [bottom.set('Done')]);
    for (const id of branches) expect(await stateOf(middle, id)).toBe('Done');
    expect(await stateOf(top, root)).toBe('Done');
    expect((await historyOf(root)).at(-1)?.submitted_by).toBe(alice.id);
  });

  test('a value and a link that change together both count', async () => {
    const { parent, child } = await family();
    await setTriggers(alice, parent.id, [rule('all_of', [parent, 'Done'], [child, 'Done'])]);
    const [below, other] = [await make(child, 'Todo'), await make(child, 'Done')];
    const above = await make(parent, 'Todo', [other, below]);
    const reverse = (id: number, type: string) => [{ id, direction: 'reverse', type }];
    const under = await make(parent, 'Todo');
    const all_links = [...reverse(above, '_is_child'), ...reverse(under, '_is_child')];
    await change(alice, below, [child.set('Done'), { field_id: child.links, all_links }]);
    for (const id of [above, under]) expect(await stateOf(parent, id)).toBe('Done');
    const linked = entryOf(await readArtifact(alice, under), parent.links).links;
    expect(linked).toMatchObject([{ id: below, type: '_is_child' }]);
    const left = await make(parent, 'Todo', [other, await make(child, 'Todo')]);
    await change(alice, left, [{ field_id: parent.links, links: [{ id: other, type: '_is_child' }] }]);
    expect(await stateOf(parent, left)).toBe('Done');
  });

  test('links in a circle end', async () => {
    const { parent, child } = await family();
    await setTriggers(alice, parent.id, [rule('at_least_one', [parent, 'Done'], [child, 'Done'])]);
    const below = await make(child, 'Todo');
    const above = await make(parent, 'Todo', [below]);
    await change(alice, below, [links(child, [above])]);
    await change(alice, below, [child.set('Done')]);
    expect([await stateOf(child, below), await stateOf(parent, above)]).toEqual(['Done', 'Done']);
    expect(await store.changesetsOf(below)).toBe(3);
  });

  test('a change that is refused sets nothing off', async () => {
    const { parent, child } = await family();
    await setTriggers(alice, parent.id, [rule('at_least_one', [parent, 'Done'], [child, 'Done'])]);
    const below = await make(child, 'Todo');
    const above = await make(parent, 'Todo', [below]);
    await startWorkflow(alice, child, ['Todo Doing']);
    const send = () => alice.put(`/artifacts/${below}`, { values: [child.set('Done')] });
    await refused(store, send, 400, /workflow/);
    expect(await stateOf(parent, above)).toBe('Todo');
  });

  test('obey the workflow and the rules of the parent, and ask nobody for a right', async () => {
    const { parent, child } = await family();
    const int = (await addField(alice, parent.id, { type: 'int' })).field_id;
    const made = await startWorkflow(alice, parent, ['new Todo', 'Todo Done', 'Doing Todo', 'new Doing']);
    const conditions = { authorized_user_group_ids: [`${project}_4`], is_comment_required: true };
    await setConditions(alice, made['Todo Done']!, { ...conditions, not_empty_field_ids: [parent.title] });
    const set = { type: 'set_field_value', field_id: int, field_type: 'int', value: 9 };
    await setActions(alice, made['Todo Done']!, [set]);
    await setTriggers(alice, parent.id, [rule('at_least_one', [parent, 'Done'], [child, 'Done'])]);
    await setPermissions(alice, parent.id, { can_admin: [`${project}_4`] });
    const finish = async (id: number) => {
      await change(bob, id, [child.set('Todo')]);
      await change(bob, id, [child.set('Done')]);
    };
    const [first, second] = [await make(child, 'Todo'), await make(child, 'Todo')];
    const lacking = await make(parent, 'Todo', [first]);
    const stuck = await make(parent, 'Doing', [second]);
    for (const id of [first, second]) await finish(id);
    expect(await stateOf(parent, lacking)).toBe('Todo');
    expect(await stateOf(parent, stuck)).toBe('Doing');
    await change(alice, lacking, [{ field_id: parent.title, value: 'Filled' }]);
    await finish(first);
    expect(await stateOf(parent, lacking)).toBe('Done');
    expect(entryOf(await readArtifact(alice, lacking), int).value).toBe(9);
    expect((await bob.get(`/artifacts/${lacking}`)).status).toBe(403);
  });

  test('leave alone what the state of the parent freezes and what its rules forbid', async () => {
    const { parent, child } = await family();
    const bind = { type: 'static', values: ['low', 'high'].map((label) => ({ label })) };
    const level = await addField(alice, parent.id, { type: 'sb', name: 'level', bind });
    const [low, high] = Object(level.values).map(({ id }: { id: number }) => id);
    const target = { field_id: level.field_id, value_id: high };
    const trigger = { ...rule('at_least_one', [parent, 'Done'], [child, 'Done']), target };
    await setTriggers(alice, parent.id, [trigger]);
    const pair = { source_field_id: parent.status.field_id, target_field_id: level.field_id };
    const allowed = { ...pair, source_value_id: parent.states.Todo, target_value_id: low };
    const also = { ...pair, source_value_id: parent.states.Done, target_value_id: high };
    await setRules(alice, parent.id, { lists: [allowed, also] });
    const below = await make(child, 'Todo');
    const above = await submit(alice, parent.id, [
      parent.set('Todo'),
      { field_id: level.field_id, bind_value_ids: [low] },
      links(parent, [below]),
    ]);
    const levelOf = async () => entryOf(await readArtifact(alice, above), level.field_id).bind_value_ids;
    await change(alice, below, [child.set('Done')]);
    expect(await levelOf()).toEqual([low]);
    await setRules(alice, parent.id, { lists: [] });
    const made = await startWorkflow(alice, parent, ['new Todo', 'Todo Doing']);
    await setActions(alice, made['new Todo']!, [{ type: 'frozen_fields', field_ids: [level.field_id] }]);
    const again = async () => {
      await change(alice, below, [child.set('Todo')]);
      await change(alice, below, [child.set('Done')]);
    };
    await again();
    expect(await levelOf()).toEqual([low]);
    await change(alice, above, [parent.set('Doing')]);
    await again();
    expect(await levelOf()).toEqual([high]);
  });

  test('of children that finish at once, the last one finishes the parent', async () => {
    const { parent, child } = await family();
    await setTriggers(alice, parent.id, [rule('all_of', [parent, 'Done'], [child, 'Done'])]);
    const ids: number[] = [];
    for (let count = 0; count < 8; count++) ids.push(await make(child, 'Todo'));
    const id = await make(parent, 'Todo', ids);
    const title = { field_id: parent.title, value: 'Meanwhile' };
    await Promise.all([
      ...ids.map((childId) => change(alice, childId, [child.set('Done')])),
      change(bob, id, [title, links(parent, ids)]),
    ]);
    expect(await stateOf(parent, id)).toBe('Done');
    expect(await store.changesetsOf(id)).toBe(3);
  });
});
