import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, query, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

interface Kind {
  readonly id: number;
  readonly effort: number;
  readonly links: number;
  /** Ids of the values of a list by their labels. */
  readonly values: Readonly<Record<string, number>>;
}

const engines = oneEngine(
  'SQLite',
  'sums are told in code; how they are stored is in kept-sums.test.ts, on both',
);

describe.each(engines)('computed values of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let sums: Kind;
  /** A tracker whose field `effort` is of the given type. */
  const kind = async (type: string, more: object = {}): Promise<Kind> => {
    const { id } = await createTracker(alice, project);
    const effort = await addField(alice, id, { type, name: 'effort', ...more });
    const links = (await addField(alice, id, { type: 'art_link', name: 'links' })).field_id;
    return { id, effort: effort.field_id, links, values: valueIds(effort) };
  };
  const make = ({ id, effort, links }: Kind, value: object | undefined, ...targets: number[]) =>
    submit(alice, id, [
      ...(value === undefined ? [] : [{ field_id: effort, ...value }]),
      { field_id: links, links: targets.map((target) => ({ id: target })) },
    ]);
  const effortOf = async (id: number, { effort } = sums, caller: Person = alice) => {
    const {
      value,
      manual_value: manual,
      is_autocomputed: auto,
    } = entryOf(await readArtifact(caller, id), effort);
    return { value, manual, auto };
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'sums')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    sums = await kind('computed');
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('are automatic at first, and null while nothing contributes', async () => {
    const id = await make(sums, undefined);
    expect(await effortOf(id)).toEqual({ value: null, manual: null, auto: true });
    expect(await effortOf(await make(sums, undefined, id))).toEqual({
      value: null,
      manual: null,
      auto: true,
    });
  });

  test('are set by hand and made automatic again', async () => {
    const id = await make(sums, { manual_value: 2.5 });
    expect(await effortOf(id)).toEqual({ value: null, manual: 2.5, auto: false });
    for (const [sent, manual] of [
      [{ manual_value: '3', is_autocomputed: false }, 3],
      [{ manual_value: 0 }, 0],
      [{ manual_value: -1e-3, value: 99 }, -0.001],
      [{ is_autocomputed: true, value: 99, manual_value: '' }, null],
      [{ is_autocomputed: 'false', manual_value: '7' }, 7],
      [{ is_autocomputed: 'true', manual_value: null }, null],
      [{ is_autocomputed: 'FALSE', manual_value: 8 }, 8],
      [{ is_autocomputed: 'TRUE' }, null],
    ] as const) {
      await change(alice, id, [{ field_id: sums.effort, ...sent }]);
      expect(await effortOf(id)).toEqual({ value: null, manual, auto: manual === null });
    }
    const before = await store.changesetsOf(id);
    await change(alice, id, [{ field_id: sums.effort, is_autocomputed: true }]);
    expect(await store.changesetsOf(id)).toBe(before);
  });

  test('sum up numbers, numeric labels, values set by hand and sums of what is linked', async () => {
    const bind = {
      type: 'static',
      values: ['5', '1.5', '-2', 'many', '1e3', ' 7 '].map((label) => ({ label })),
    };
    const [int, float, list, boxes] = [
      await kind('int'),
      await kind('float'),
      await kind('sb', { bind }),
      await kind('cb', { bind }),
    ];
    const [one, many] = [list.values, boxes.values];
    const leaves = [
      await make(int, { value: 3 }),
      await make(float, { value: 0.25 }),
      await make(list, { bind_value_ids: [one['1.5']] }),
      await make(list, { bind_value_ids: [one['many']] }),
      await make(list, { bind_value_ids: [] }),
      await make(boxes, { bind_value_ids: [many['5'], many['-2'], many['many']] }),
      await make(sums, { manual_value: 10 }),
      await make(int, undefined),
    ];
    const expected = 3 + 0.25 + 1.5 + (5 - 2) + 10;
    const branch = await make(sums, undefined, ...leaves);
    expect(await effortOf(branch)).toEqual({ value: expected, manual: null, auto: true });
    const root = await make(sums, undefined, branch, await make(int, { value: 100 }));
    expect((await effortOf(root)).value).toBe(expected + 100);
    await change(alice, branch, [{ field_id: sums.effort, manual_value: 1 }]);
    expect(await effortOf(branch)).toEqual({ value: expected, manual: 1, auto: false });
    expect((await effortOf(root)).value).toBe(101);
  });

  test('are decimal numbers, in whatever order they were added', async () => {
    const float = await kind('float');
    const sumOf = async (values: readonly number[]) => {
      const parts: number[] = [];
      for (const value of values) parts.push(await make(float, { value }));
      return (await effortOf(await make(sums, undefined, ...parts))).value;
    };
    const parts = [0.1, 0.7, -0.3, 1.1];
    expect([await sumOf(parts), await sumOf(parts.toReversed())]).toEqual([1.6, 1.6]);
    expect(await sumOf([0.1, 0.2])).toBe(0.3);
    expect(await sumOf([9_007_199_254_740_000, 991])).toBe(9_007_199_254_740_991);
    expect(await sumOf([12_345_678.912_345, 1e-6])).toBe(12_345_678.912_346);
  });

  test('count every artifact once, and come to an end in loops', async () => {
    const int = await kind('int');
    const leaf = await make(int, { value: 1 });
    const [left, right] = [await make(sums, undefined, leaf), await make(sums, undefined, leaf)];
    const root = await make(sums, undefined, left, right);
    expect((await effortOf(root)).value).toBe(1);
    await change(alice, left, [{ field_id: sums.links, links: [{ id: root }, { id: leaf }, { id: right }] }]);
    await change(alice, leaf, [{ field_id: int.links, links: [{ id: root }] }]);
    for (const id of [root, left, right]) expect((await effortOf(id)).value).toBe(1);
    const loop = await make(sums, { manual_value: 4 });
    await change(alice, loop, [{ field_id: sums.links, links: [{ id: root }] }]);
    await change(alice, root, [{ field_id: sums.links, links: [{ id: loop }] }]);
    expect((await effortOf(root)).value).toBe(4);
    expect((await effortOf(loop)).value).toBe(null);
  });

  test('do not count fields and trackers that are gone', async () => {
    const int = await kind('int');
    const root = await make(sums, undefined, await make(int, { value: 6 }));
    await store.unuse(int.effort);
    expect((await effortOf(root)).value).toBe(null);
    const gone = await kind('int');
    const last = await make(sums, undefined, await make(gone, { value: 6 }));
    expect((await effortOf(last)).value).toBe(6);
    await store.deleteTracker(gone.id);
    expect((await effortOf(last)).value).toBe(null);
  });

  test('are made from what the caller may see and read, and say where something is left out', async () => {
    const [open, secret, unread] = [await kind('int'), await kind('int'), await kind('int')];
    const top = await make(
      sums,
      undefined,
      await make(open, { value: 1 }),
      await make(sums, undefined, await make(secret, { value: 20 }), await make(unread, { value: 300 })),
    );
    const shown = async (caller: Person) => {
      const { value, is_partial } = entryOf(await readArtifact(caller, top), sums.effort);
      return { value, is_partial };
    };
    const whole = { value: 321, is_partial: undefined };
    expect([await shown(alice), await shown(bob)]).toEqual([whole, whole]);
    await setPermissions(alice, secret.id, { can_access: [`${project}_4`] });
    expect([await shown(alice), await shown(bob)]).toEqual([whole, { value: 301, is_partial: true }]);
    await setFieldPermissions(alice, unread.effort, { can_update: [`${project}_4`] });
    expect([await shown(atelier.admin as Person), await shown(bob)]).toEqual([
      whole,
      { value: 1, is_partial: true },
    ]);
    await change(alice, top, [{ field_id: sums.effort, manual_value: 5 }]);
    expect(await effortOf(top, sums, bob)).toEqual({ value: 1, manual: 5, auto: false });
  });

  test('follow whoever may see each artifact: by its permissions, by whom it is assigned to, and where it is', async () => {
    const own = await kind('int');
    const bind = { type: 'users' };
    const who = (await addField(alice, own.id, { type: 'sb', name: 'who', bind })).field_id;
    const perm = (await addField(alice, own.id, { type: 'perm', name: 'perm' })).field_id;
    await setSemantics(alice, own.id, { contributor: { field_id: who } });
    const leaf = await make(own, { value: 7 });
    const top = await make(sums, undefined, await make(sums, undefined, leaf));
    const shown = async () => {
      const { value, is_partial } = entryOf(await readArtifact(bob, top), sums.effort);
      return is_partial === true ? 'hidden' : value;
    };
    expect(await shown()).toBe(7);
    const permit = (groups: string[]) =>
      change(alice, leaf, [{ field_id: perm, value: { granted_groups: groups } }]);
    await permit([`${project}_4`]);
    expect(await shown()).toBe('hidden');
    await permit([`${project}_3`]);
    expect(await shown()).toBe(7);
    await permit([]);
    await setPermissions(alice, own.id, { can_access_assigned_to_group: [`${project}_3`] });
    expect(await shown()).toBe('hidden');
    await change(alice, leaf, [{ field_id: who, bind_value_ids: [bob.id] }]);
    expect(await shown()).toBe(7);
    await change(alice, leaf, [{ field_id: who, bind_value_ids: [] }]);
    expect(await shown()).toBe('hidden');
    const [seen, unseen] = [await kind('int'), await kind('int')];
    await setPermissions(alice, unseen.id, { can_access: [`${project}_4`] });
    for (const [tracker, expected] of [
      [seen.id, 7],
      [unseen.id, 'hidden'],
    ] as const) {
      expect((await alice.patch(`/artifacts/${leaf}`, { move: { tracker_id: tracker } })).status).toBe(200);
      expect(await shown()).toBe(expected);
    }
  });

  test('are the same in every list, table and history', async () => {
    const [own, secret] = [await kind('computed'), await kind('int')];
    const child = await make(own, undefined, await make(secret, { value: 20 }));
    const root = await make(own, undefined, await make(sums, { manual_value: 3 }), child);
    await setPermissions(alice, secret.id, { can_access: [`${project}_4`] });
    const everywhere = async (caller: Person) => {
      const values = async (path: string): Promise<Value> => {
        const { body } = await caller.get(path);
        const items = body.collection ?? (Array.isArray(body) ? body : [body]);
        const entry = entryOf(items.at(-1), own.effort);
        return [entry?.value, entry?.is_partial];
      };
      const flat = async (path: string) => (await caller.get(path)).body.map((row: Value) => row.effort);
      const csv = await caller.get(`/trackers/${own.id}/artifacts_export?format=csv&columns=effort`);
      const lines = await caller.get(`/trackers/${own.id}/artifacts_export?format=jsonl`);
      const line = JSON.parse(lines.text.trim().split('\n').at(-1) ?? '');
      return {
        entries: [
          await values(`/artifacts/${root}`),
          await values(`/artifacts/${root}?values_format=all`),
          await values(`/artifacts?query=${query({ id: [root] })}`),
          await values(`/trackers/${own.id}/artifacts?values=all`),
          await values(`/artifacts/${root}/changesets`),
        ],
        line: [entryOf(line, own.effort).value, entryOf(line, own.effort).is_partial],
        flat: await flat(`/artifacts/${root}/linked_artifacts?direction=forward&output_format=flat`),
        csv: csv.text.split(/\r?\n/).slice(0, -1),
      };
    };
    const seen = Array.from({ length: 5 }, () => [23, undefined]);
    const part = Array.from({ length: 5 }, () => [3, true]);
    expect(await everywhere(alice)).toEqual({
      entries: seen,
      line: [23, undefined],
      flat: [20, 3],
      csv: ['effort', '20', '23'],
    });
    // Where there is room for a number alone, a part is not shown as if it were the whole.
    expect(await everywhere(bob)).toEqual({
      entries: part,
      line: [3, true],
      flat: [null, 3],
      csv: ['effort', '', ''],
    });
  });

  test('are a number or null even where the sum is larger than any number', async () => {
    const float = await kind('float');
    const huge = [await make(float, { value: 1.7e308 }), await make(float, { value: 1.7e308 })];
    const reply = await alice.get(`/artifacts/${await make(sums, undefined, ...huge)}`);
    expect(reply.body, reply.text).toBeDefined();
    expect(entryOf(reply.body, sums.effort).value).toBeNull();
  });

  test('a default is a value set by hand', async () => {
    const usual = await kind('computed', { specific_properties: { default_value: 1.5 } });
    const id = await make(usual, undefined);
    expect(await effortOf(id, usual)).toEqual({ value: null, manual: 1.5, auto: false });
  });

  test('a computed field that came later can be sent back as it was read without a change', async () => {
    const { id } = await createTracker(alice, project);
    const title = (await addField(alice, id, { type: 'string', name: 'title' })).field_id;
    const artifact = await submit(alice, id, [{ field_id: title, value: 'x' }]);
    await addField(alice, id, { type: 'computed', name: 'effort' });
    const { values } = await readArtifact(alice, artifact);
    expect(values).toHaveLength(2);
    await change(alice, artifact, values ?? []);
    expect(await store.changesetsOf(artifact)).toBe(1);
  });
});
