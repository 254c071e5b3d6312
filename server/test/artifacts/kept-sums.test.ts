import { setTimeout as pause } from 'node:timers/promises';
import type { Artifact } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/storage/index.ts';
import { change, entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf, query, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

/** One artifact as the test knows it. */
interface Known {
  readonly isSum: boolean;
  /** Of a sum: what was set by hand. */
  readonly value: number | null;
  readonly links: readonly number[];
  /** Whether it is for administrators only. */
  readonly isRestricted?: boolean;
  /** Whether only administrators see its tracker, or read its number. */
  readonly isSecret?: boolean;
}

interface Shown {
  readonly value: number | null;
  readonly isPartial: boolean;
}

const isHidden = ({ isRestricted, isSecret }: Known) => isRestricted === true || isSecret === true;

/** Each artifact counts once, however it is reached; none in its own sum. */
function totalOf(artifacts: ReadonlyMap<number, Known>, root: number, seesAll = true): Shown {
  const seen = new Set([root]);
  const parts: number[] = [];
  let isPartial = false;
  const waiting = [...(artifacts.get(root)?.links ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const artifact = artifacts.get(id);
    if (seen.has(id) || artifact === undefined) continue;
    seen.add(id);
    if (!seesAll && isHidden(artifact)) isPartial = true;
    else if (artifact.isSum && artifact.value === null) waiting.push(...artifact.links);
    else if (artifact.value !== null) parts.push(artifact.value);
  }
  return { value: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0), isPartial };
}

/** The same numbers for the same seed. */
function chance(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

describe.each(usuallyOn('SQLite'))('sums that are kept on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  /** Not an administrator. */
  let bob: Person;
  let project: number;
  let database: Database;
  /** Trackers whose sums are kept from the start. */
  let sums: Kind;
  let leaves: Kind;
  /** Of which only administrators see the artifacts, and the numbers. */
  let secret: Kind;
  let unread: Kind;
  const name = 'effort';

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'kept')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    database = await databaseOf(atelier);
    sums = await kind('computed', name);
    leaves = await kind('float', name);
    secret = await kind('float', name);
    await setPermissions(alice, secret.id, { can_access: [`${project}_4`] });
    unread = await kind('computed', name);
    await setFieldPermissions(alice, unread.field, { can_submit: ['4'], can_update: ['4'] });
    await untilReady(name);
  });
  afterAll(async () => {
    await database?.close();
    await atelier?.stop();
  });

  const kind = async (type: string, name: string, more: object = {}) => {
    const { id } = await createTracker(alice, project);
    const field = await addField(alice, id, { type, name, ...more });
    const links = (await addField(alice, id, { type: 'art_link', name: 'links' })).field_id;
    const perm = (await addField(alice, id, { type: 'perm', name: 'perm' })).field_id;
    return { id, field: field.field_id, links, perm, values: valueIds(field) };
  };
  type Kind = Awaited<ReturnType<typeof kind>>;
  const entries = (
    { field, links, perm }: Kind,
    isSum: boolean,
    { value, links: targets, isRestricted }: Omit<Known, 'isSum'>,
  ) => [
    ...(isRestricted === undefined
      ? []
      : [{ field_id: perm, value: { granted_groups: isRestricted ? [`${project}_4`] : [] } }]),
    ...(isSum
      ? [{ field_id: field, ...(value === null ? { is_autocomputed: true } : { manual_value: value }) }]
      : [{ field_id: field, value: value ?? '' }]),
    { field_id: links, links: targets.map((id) => ({ id })) },
  ];
  const stateOf = async (name: string) =>
    database.first<{ build: number; is_ready: number }>(
      database.sql.selectFrom('summed_name').select(['build', 'is_ready']).where('name', '=', name),
    );
  const rowsOf = async (name: string) =>
    database.all<{ artifact_id: number; is_stale: number; sum: string }>(
      database.sql
        .selectFrom('artifact_total')
        .select(['artifact_id', 'is_stale', 'sum'])
        .where('name', '=', name),
    );
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await pause(50);
  };
  const untilReady = (name: string) => until(async () => (await stateOf(name))?.is_ready === 1);
  const untilFresh = (name: string) =>
    until(async () => (await rowsOf(name)).every(({ is_stale }) => is_stale === 0));

  const shownIn = (artifact: Pick<Artifact, 'values'>): Shown => {
    const { value, is_partial: isPartial = false } =
      entryOf(artifact, sums.field) ?? entryOf(artifact, unread.field) ?? {};
    return { value, isPartial };
  };
  const sumIds = (artifacts: ReadonlyMap<number, Known>, isWanted: (known: Known) => boolean) =>
    [...artifacts].filter(([, known]) => known.isSum && isWanted(known)).map(([id]) => id);

  /** The sums that answers show, of those that have one, to somebody who sees everything and to somebody who does not. */
  const expectTotals = async (artifacts: ReadonlyMap<number, Known>, what: string) => {
    const ids = sumIds(artifacts, () => true);
    const { body } = await alice.get(`/artifacts?query=${query({ id: ids })}`);
    const shown = body.collection.map((artifact: Artifact) => [artifact.id, shownIn(artifact)]);
    expect(shown, what).toEqual(ids.map((id) => [id, totalOf(artifacts, id)]));
    // Answers about a single artifact are remembered, as long as nothing changes that they show.
    const seen = sumIds(artifacts, (known) => !isHidden(known));
    const read = await Promise.all(seen.map((id) => readArtifact(bob, id)));
    const told = read.map((artifact) => [artifact.id, shownIn(artifact)]);
    expect(told, what).toEqual(seen.map((id) => [id, totalOf(artifacts, id, false)]));
  };

  test.each([1, 2])('hold whatever changes, in every order, whoever looks (%i)', async (seed) => {
    const next = chance(seed);
    const artifacts = new Map<number, Known>();
    const kinds = new Map<number, Kind>();
    const someLinks = (own?: number) =>
      [...artifacts.keys()].filter((id) => id !== own && next(artifacts.size) < 2);
    const someKind = () => {
      const isSum = next(3) > 0;
      const isSecret = next(5) === 0;
      const kind = isSum ? (isSecret ? unread : sums) : isSecret ? secret : leaves;
      return { kind, isSum, isSecret };
    };
    for (let turn = 0; turn < 60; turn++) {
      const ids = [...artifacts.keys()];
      const id = ids.length < 4 || (ids.length < 14 && next(4) === 0) ? undefined : ids[next(ids.length)];
      const before = id === undefined ? undefined : artifacts.get(id);
      const known = id === undefined ? undefined : kinds.get(id);
      const { kind, isSum, isSecret } =
        before === undefined || known === undefined ? someKind() : { ...before, kind: known };
      const isVisibilityMeant = before !== undefined && next(6) === 0;
      const isValueMeant = !isVisibilityMeant && (before === undefined || next(2) === 0);
      const after: Known = {
        isSum,
        isSecret,
        isRestricted: isVisibilityMeant ? !before.isRestricted : (before?.isRestricted ?? next(8) === 0),
        value: isValueMeant ? (next(3) === 0 ? null : next(20) - 5) : (before?.value ?? null),
        links:
          before === undefined || (!isVisibilityMeant && (!isValueMeant || next(3) === 0))
            ? someLinks(id)
            : before.links,
      };
      const values = entries(kind, isSum, after);
      const changed = id ?? (await submit(alice, kind.id, values));
      if (id !== undefined) await change(alice, id, values);
      artifacts.set(changed, after);
      kinds.set(changed, kind);
      await expectTotals(artifacts, `after turn ${turn}`);
    }
    expect(await stateOf(name)).toEqual({ build: 1, is_ready: 1 });
  });

  test('hold when many change what they take in at the same time', async () => {
    const artifacts = new Map<number, Known>();
    const make = async (isSum: boolean, value: number | null, links: number[] = []) => {
      const known = { isSum, value, links };
      const id = await submit(
        alice,
        isSum ? sums.id : leaves.id,
        entries(isSum ? sums : leaves, isSum, known),
      );
      artifacts.set(id, known);
      return id;
    };
    const low: number[] = [];
    for (let index = 0; index < 8; index++) low.push(await make(false, index));
    const middle: number[] = [];
    for (let index = 0; index < 4; index++)
      middle.push(await make(true, null, [low[index] ?? 0, low[index + 4] ?? 0]));
    const top = [await make(true, null, middle.slice(0, 2)), await make(true, null, middle.slice(2))];
    await make(true, null, top);
    const next = chance(7);
    const work = Array.from({ length: 40 }, (_, index) => async () => {
      const ids = index % 3 === 0 ? low : index % 3 === 1 ? middle : top;
      const id = ids[next(ids.length)] ?? 0;
      const known = artifacts.get(id);
      const isSum = known?.isSum ?? false;
      const below = ids === middle ? low : ids === top ? [...middle, ...low] : [];
      const links = index % 5 === 0 ? below.filter(() => next(3) === 0) : (known?.links ?? []);
      const after = { value: isSum && next(3) > 0 ? null : next(50), links };
      const { status, text } = await alice.put(`/artifacts/${id}`, {
        values: entries(isSum ? sums : leaves, isSum, after),
      });
      expect(status, text).toBe(200);
    });
    await Promise.all(work.map((run) => run()));
    for (const id of artifacts.keys()) {
      const { isSum } = artifacts.get(id) ?? { isSum: false };
      const artifact = await readArtifact(alice, id);
      const entry = entryOf(artifact, isSum ? sums.field : leaves.field);
      const links = entryOf(artifact, isSum ? sums.links : leaves.links).links;
      artifacts.set(id, {
        isSum,
        value: isSum ? entry.manual_value : entry.value,
        links: links.map((link: { id: number }) => link.id),
      });
    }
    await expectTotals(artifacts, 'after all changes');
    await untilFresh(name);
    await expectTotals(artifacts, 'when nothing is left to be worked out');
  });

  test('are exact numbers, whatever came and went', async () => {
    const leaf = (value: number | string) => submit(alice, leaves.id, [{ field_id: leaves.field, value }]);
    const ids = [await leaf(0.1), await leaf(0.2), await leaf('1.7e308'), await leaf('5e-7')];
    const root = await submit(alice, sums.id, [{ field_id: sums.links, links: ids.map((id) => ({ id })) }]);
    const total = async () => entryOf(await readArtifact(alice, root), sums.field).value;
    expect(await total()).toBe(1.7e308);
    await change(alice, ids[2] ?? 0, [{ field_id: leaves.field, value: '' }]);
    expect(await total()).toBe(0.3000005);
    await change(alice, ids[3] ?? 0, [{ field_id: leaves.field, value: 0 }]);
    expect(await total()).toBe(0.3);
    await change(alice, root, [{ field_id: sums.links, links: [{ id: ids[3] }] }]);
    expect(await total()).toBe(0);
    await change(alice, root, [{ field_id: sums.links, links: [] }]);
    expect(await total()).toBe(null);
  });

  test('make answers old as far up as they reach, and no further', async () => {
    const leaf = await submit(alice, leaves.id, [{ field_id: leaves.field, value: 1 }]);
    const take = (id: number, more: object = {}) =>
      submit(alice, sums.id, [
        { field_id: sums.field, ...more },
        { field_id: sums.links, links: [{ id }] },
      ]);
    const parent = await take(leaf, { is_autocomputed: true });
    const fixed = await take(parent, { manual_value: 5 });
    const above = await take(fixed, { is_autocomputed: true });
    const top = await take(parent, { is_autocomputed: true });
    const tags = async () =>
      Promise.all(
        [parent, fixed, above, top].map(async (id) =>
          (await alice.get(`/artifacts/${id}`)).headers.get('etag'),
        ),
      );
    const isSame = async (before: readonly (string | null)[]) =>
      (await tags()).map((tag, index) => tag === before[index]);
    const before = await tags();
    expect(await isSame(before)).toEqual([true, true, true, true]);
    await change(alice, leaf, [{ field_id: leaves.links, links: [] }], {
      comment: { body: 'x', format: 'text' },
    });
    expect(await isSame(before)).toEqual([true, true, true, true]);
    await change(alice, leaf, [{ field_id: leaves.field, value: 4 }]);
    expect(await isSame(before)).toEqual([false, false, true, false]);
    const stale = await alice.get(`/artifacts/${top}`, { headers: { 'If-None-Match': before[3] ?? '' } });
    expect([stale.status, entryOf(stale.body, sums.field).value]).toEqual([200, 4]);
    const fresh = stale.headers.get('etag') ?? '';
    expect((await alice.get(`/artifacts/${top}`, { headers: { 'If-None-Match': fresh } })).status).toBe(304);
  });

  test('hold through changes of trackers', async () => {
    const points = 'points';
    const bind = { type: 'static', values: [{ label: '3' }, { label: '8' }] };
    const [adding, lists] = [await kind('computed', points), await kind('sb', points, { bind })];
    const leaf = await submit(alice, lists.id, [
      { field_id: lists.field, bind_value_ids: [lists.values['3']] },
    ]);
    const root = await submit(alice, adding.id, [{ field_id: adding.links, links: [{ id: leaf }] }]);
    const total = async () => entryOf(await readArtifact(alice, root), adding.field)?.value;
    const both = async () => {
      const early = await total();
      await untilReady(points);
      await untilFresh(points);
      return [early, await total()];
    };
    expect(await both()).toEqual([3, 3]);
    await alice.patch(`/tracker_fields/${lists.field}/values/${lists.values['3']}`, { label: '5' });
    expect(await both()).toEqual([5, 5]);
    await alice.patch(`/tracker_fields/${lists.field}`, { use_it: false });
    expect(await total()).toBe(null);
    await alice.patch(`/tracker_fields/${lists.field}`, { use_it: true });
    expect(await total()).toBe(5);
    await alice.patch(`/tracker_fields/${lists.field}`, { name: 'other' });
    expect(await both()).toEqual([null, null]);
    await alice.patch(`/tracker_fields/${lists.field}/settings`, { name: points });
    expect(await total()).toBe(5);
    await alice.delete(`/tracker_fields/${lists.field}`);
    expect(await total()).toBe(null);
    await alice.post(`/tracker_fields/${lists.field}/restore`, {});
    expect(await both()).toEqual([5, 5]);
    await alice.delete(`/trackers/${lists.id}`);
    expect(await total()).toBe(null);
    await alice.post(`/deleted_trackers/${lists.id}/restore`, {});
    expect(await total()).toBe(5);
    await alice.patch(`/tracker_fields/${adding.field}`, { use_it: false });
    expect(await total()).toBeUndefined();
    await change(alice, leaf, [{ field_id: lists.field, bind_value_ids: [lists.values['8']] }]);
    await alice.patch(`/tracker_fields/${adding.field}`, { use_it: true });
    expect(await both()).toEqual([8, 8]);
  });

  test('begin with what was there before the field was', async () => {
    const late = 'late';
    const low = await kind('int', late);
    const { id } = await createTracker(alice, project);
    const links = (await addField(alice, id, { type: 'art_link', name: 'links' })).field_id;
    const ids: number[] = [];
    for (let value = 1; value <= 3; value++)
      ids.push(await submit(alice, low.id, [{ field_id: low.field, value }]));
    const take = (targets: readonly number[]) =>
      submit(alice, id, [{ field_id: links, links: targets.map((target) => ({ id: target })) }]);
    const middle = await take(ids);
    const high = await take([middle]);
    const field = (await addField(alice, id, { type: 'computed', name: late })).field_id;
    const total = async () => entryOf(await readArtifact(alice, high), field).value;
    expect(await total()).toBe(6);
    await change(alice, ids[0] ?? 0, [{ field_id: low.field, value: 10 }]);
    expect(await total()).toBe(15);
    await untilReady(late);
    await change(alice, ids[1] ?? 0, [{ field_id: low.field, value: 20 }]);
    expect(await total()).toBe(33);
    await untilFresh(late);
    await change(alice, ids[2] ?? 0, [{ field_id: low.field, value: 30 }]);
    expect(await total()).toBe(60);
    expect((await rowsOf(late)).map(({ sum }) => sum)).toEqual(['60', '60']);
  });

  test('one that does not hold is worked out by whoever reads it, and then for good', async () => {
    const leaf = await submit(alice, leaves.id, [{ field_id: leaves.field, value: 4 }]);
    const root = await submit(alice, sums.id, [{ field_id: sums.links, links: [{ id: leaf }] }]);
    const wrong = `update artifact_total set is_stale = 1, sum = '99' where artifact_id = ${root}`;
    await atelier.sql(wrong);
    expect(entryOf(await readArtifact(alice, root), sums.field).value).toBe(4);
    await untilFresh(name);
    const row = (await rowsOf(name)).find(({ artifact_id }) => artifact_id === root);
    expect(row?.sum).toBe('4');
  });

  test('follow artifacts that are deleted, brought back and moved', async () => {
    const leaf = (value: number) => submit(alice, leaves.id, entries(leaves, false, { value, links: [] }));
    const sum = (links: number[]) => submit(alice, sums.id, entries(sums, true, { value: null, links }));
    const [first, second] = [await leaf(3), await leaf(4.5)];
    const middle = await sum([first, second]);
    const top = await sum([middle]);
    const shown = async (id: number) => {
      const reply = await alice.get(`/artifacts/${id}`);
      return [entryOf(reply.body, sums.field).value, reply.headers.get('etag')] as const;
    };
    const totals = async () => [(await shown(middle))[0], (await shown(top))[0]];
    expect(await totals()).toEqual([7.5, 7.5]);
    const [, tag] = await shown(top);
    expect((await alice.delete(`/artifacts/${first}`)).status).toBe(200);
    expect(await totals()).toEqual([4.5, 4.5]);
    expect((await shown(top))[1]).not.toBe(tag);
    expect((await alice.post(`/deleted_artifacts/${first}/restore`, {})).status).toBe(200);
    expect(await totals()).toEqual([7.5, 7.5]);
    expect((await alice.delete(`/artifacts/${middle}`)).status).toBe(200);
    expect((await shown(top))[0]).toBe(null);
    expect((await alice.post(`/deleted_artifacts/${middle}/restore`, {})).status).toBe(200);
    expect(await totals()).toEqual([7.5, 7.5]);
    const bare = await kind('string', 'title');
    const move = { move: { tracker_id: bare.id } };
    expect((await alice.patch(`/artifacts/${second}`, move)).status).toBe(200);
    expect(await totals()).toEqual([3, 3]);
  });
});
