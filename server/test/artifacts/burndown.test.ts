import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit } from '../fixtures/artifact.ts';
import { createProject, query, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

type Members = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, number>>;
interface Form {
  readonly tracker: number;
  readonly fields: Fields;
}
type Point = readonly [date: string, effort: number | null];

/** The zone of the instance. */
const zone = 'Europe/Paris';
/** A day of March 2024, in which the 4th is a Monday, at ten o'clock. */
const march = (day: number, time = '10:00:00') =>
  Date.parse(`2024-03-${String(day).padStart(2, '0')}T${time}+01:00`);
const end = (day: number) => `2024-03-${String(day).padStart(2, '0')}T23:59:59+01:00`;

const engines = oneEngine('SQLite', 'points are reckoned in code, from a history that was read');

describe.each(engines)('the burndown of an artifact on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let sprint: Form;
  let story: Form;
  let task: Form;

  async function form(fields: Readonly<Record<string, Members & { type: string }>>): Promise<Form> {
    const { id: tracker } = await createTracker(alice, project);
    const made: [string, number][] = [];
    for (const [name, settings] of Object.entries(fields))
      made.push([name, (await addField(alice, tracker, { name, ...settings })).field_id]);
    return { tracker, fields: Object.fromEntries(made) };
  }
  const entry = ({ fields }: Form, name: string, members: object) => ({ field_id: fields[name], ...members });
  const links = (where: Form, ...ids: number[]) =>
    entry(where, 'links', { links: ids.map((id) => ({ id, type: '_is_child' })) });
  const effort = (value: number | string) => entry(task, 'remaining_effort', { value });

  /** Lets the changesets of an artifact have happened at these moments. */
  async function date(id: number, ...moments: number[]): Promise<void> {
    await store.force(async (tx) => {
      const rows = await tx.all(
        tx.sql.selectFrom('changeset').select('id').where('artifact_id', '=', id).orderBy('id'),
      );
      expect(rows).toHaveLength(moments.length);
      for (const [index, row] of rows.entries()) {
        const submitted_on = moments[index] ?? 0;
        await tx.run(tx.sql.updateTable('changeset').set({ submitted_on }).where('id', '=', row.id));
      }
    });
  }
  async function makeTask(moment: number, value: number): Promise<number> {
    const id = await submit(alice, task.tracker, [effort(value)]);
    await date(id, moment);
    return id;
  }
  /** A sprint from Monday, March 4th, whose links were made on the Friday before. */
  async function makeSprint(duration: number, ...targets: number[]): Promise<number> {
    const id = await submit(alice, sprint.tracker, [
      entry(sprint, 'start', { value: '2024-03-04' }),
      entry(sprint, 'duration', { value: duration }),
      links(sprint, ...targets),
    ]);
    await date(id, march(1));
    return id;
  }
  async function chart(caller: Caller, id: number, where = sprint) {
    return entryOf(await readArtifact(caller, id), where.fields['burndown']).value;
  }
  async function points(caller: Caller, id: number, where = sprint): Promise<Point[]> {
    const { points, points_with_date: dated } = await chart(caller, id, where);
    const found: Point[] = dated.map(
      (point: { date: string; remaining_effort: number | null }) =>
        [point.date, point.remaining_effort] as const,
    );
    expect(points).toEqual(found.map(([, value]) => value).filter((value) => value !== null));
    return found;
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'burning')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const sums = { remaining_effort: { type: 'computed' }, links: { type: 'art_link' } };
    sprint = await form({
      start: { type: 'date' },
      duration: { type: 'int' },
      capacity: { type: 'float' },
      burndown: { type: 'burndown' },
      ...sums,
    });
    const { start, duration } = sprint.fields;
    const timeframe = { start_date_field_id: start, duration_field_id: duration };
    await setSemantics(alice, sprint.tracker, { timeframe });
    story = await form(sums);
    task = await form({ remaining_effort: { type: 'float' } });
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('has nothing to show where nothing is set', async () => {
    const id = await submit(alice, sprint.tracker, [links(sprint)]);
    const nothing = {
      start_date: null,
      duration: null,
      capacity: null,
      points: [],
      is_under_calculation: false,
      opening_days: [1, 2, 3, 4, 5],
      points_with_date: [],
    };
    expect(await chart(bob, id)).toEqual(nothing);
    const bare = await form({ burndown: { type: 'burndown' }, name: { type: 'string' } });
    const other = await submit(alice, bare.tracker, [entry(bare, 'name', { value: 'x' })]);
    expect(await chart(bob, other, bare)).toEqual(nothing);
  });

  test('has what remained at the end of each opening day, from the start to the end', async () => {
    const first = await makeTask(march(1), 8);
    await change(alice, first, [effort(5)]);
    await change(alice, first, [effort(3)]);
    await change(alice, first, [effort(2)]);
    await date(first, march(1), march(5), march(6, '23:59:59'), march(8, '00:00:00'));
    const second = await makeTask(march(1), 4.5);
    const id = await makeSprint(6, first, second);
    await change(alice, id, [entry(sprint, 'capacity', { value: 12.5 })]);
    await date(id, march(1), march(20));
    expect(await points(bob, id)).toEqual([
      [end(4), 12.5],
      [end(5), 9.5],
      [end(6), 7.5],
      [end(7), 7.5],
      [end(8), 6.5],
      [end(11), 6.5],
      [end(12), 6.5],
    ]);
    expect(await chart(bob, id)).toMatchObject({
      start_date: '2024-03-04T00:00:00+01:00',
      duration: 6,
      capacity: 12.5,
    });
  });

  test('counts what was linked at the time, and nothing where nothing was', async () => {
    const [early, late] = [await makeTask(march(1), 1), await makeTask(march(1), 10)];
    const id = await makeSprint(4);
    await change(alice, id, [links(sprint, early)]);
    await change(alice, id, [links(sprint, early, late)]);
    await change(alice, id, [links(sprint, late)]);
    await date(id, march(1), march(5), march(6), march(8));
    await change(alice, late, [effort('')]);
    await date(late, march(1), march(7));
    expect(await points(bob, id)).toEqual([
      [end(4), null],
      [end(5), 1],
      [end(6), 11],
      [end(7), 1],
      [end(8), null],
    ]);
  });

  test('goes down through sums of sums, and round in circles once', async () => {
    const [first, second] = [await makeTask(march(1), 3), await makeTask(march(1), 4)];
    const inner = await submit(alice, story.tracker, [links(story, first)]);
    const outer = await submit(alice, story.tracker, [links(story, inner, second)]);
    const id = await makeSprint(3, outer, inner);
    await change(alice, inner, [links(story, first, outer)]);
    await change(alice, inner, [entry(story, 'remaining_effort', { manual_value: 100 })]);
    await change(alice, inner, [entry(story, 'remaining_effort', { is_autocomputed: true })]);
    await date(outer, march(1));
    await date(inner, march(1), march(5), march(6), march(7));
    expect(await points(bob, id)).toEqual([
      [end(4), 7],
      [end(5), 7],
      [end(6), 104],
      [end(7), 7],
    ]);
  });

  test('shows a value that was set by hand instead of the sum', async () => {
    const id = await makeSprint(2, await makeTask(march(1), 3));
    await change(alice, id, [entry(sprint, 'remaining_effort', { manual_value: 20 })]);
    await change(alice, id, [entry(sprint, 'remaining_effort', { is_autocomputed: true })]);
    await date(id, march(1), march(5), march(6));
    expect((await points(bob, id)).map(([, value]) => value)).toEqual([3, 20, 3]);
  });

  test('is made from work that the caller may see and read, and says where some is left out', async () => {
    const hidden = await form({ remaining_effort: { type: 'int' } });
    const id = await submit(alice, hidden.tracker, [entry(hidden, 'remaining_effort', { value: 9 })]);
    await date(id, march(1));
    const chosen = await makeSprint(1, id, await makeTask(march(5), 2));
    const shown = async (caller: Caller) => {
      const { is_partial: isPartial } = await chart(caller, chosen);
      return { isPartial, values: (await points(caller, chosen)).map(([, value]) => value) };
    };
    const whole = { isPartial: undefined, values: [9, 11] };
    expect([await shown(alice), await shown(bob)]).toEqual([whole, whole]);
    const part = { isPartial: true, values: [null, 2] };
    await setPermissions(alice, hidden.tracker, { can_access: ['4'] });
    expect([await shown(alice), await shown(bob)]).toEqual([whole, part]);
    await setPermissions(alice, hidden.tracker, { can_access: ['1'] });
    expect(await shown(bob)).toEqual(whole);
    await setFieldPermissions(alice, hidden.fields['remaining_effort'] ?? 0, { can_update: ['4'] });
    expect(await shown(bob)).toEqual(part);
  });

  test('counts numbers in a list, and nothing of fields or trackers that are gone', async () => {
    const values = ['1', '2', 'many'].map((label) => ({ label }));
    const listed = await form({ remaining_effort: { type: 'sb', bind: { type: 'static', values } } });
    const field = (await alice.get(`/trackers/${listed.tracker}`)).body.fields[0];
    const chosen = (label: string) =>
      field.values.find((value: { label: string }) => value.label === label).id;
    const id = await submit(alice, listed.tracker, [
      entry(listed, 'remaining_effort', { bind_value_ids: [chosen('2')] }),
    ]);
    await change(alice, id, [entry(listed, 'remaining_effort', { bind_value_ids: [chosen('many')] })]);
    await date(id, march(1), march(5));
    const made = await makeSprint(1, id);
    expect(await points(bob, made)).toEqual([
      [end(4), 2],
      [end(5), null],
    ]);
    await store.deleteTracker(listed.tracker);
    expect((await points(bob, made)).map(([, value]) => value)).toEqual([null, null]);
  });

  test('ends with what remains now, when the timeframe is not over', async () => {
    const local = (moment: number) => new Date(moment).toLocaleDateString('sv', { timeZone: zone });
    const now = Date.now();
    const from = now - 9 * 86_400_000;
    const item = await makeTask(from, 8);
    const id = await submit(alice, sprint.tracker, [
      entry(sprint, 'start', { value: local(from) }),
      entry(sprint, 'duration', { value: 1000 }),
      links(sprint, item),
    ]);
    await date(id, from);
    await change(alice, item, [effort(2)]);
    const days = Array.from({ length: 10 }, (_, index) => local(from + index * 86_400_000));
    const open = days.filter((day) => ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()));
    const expected = open.map((day) => [day, day === local(now) ? 2 : 8]);
    expect((await points(bob, id)).map(([when, value]) => [when.slice(0, 10), value])).toEqual(expected);
  });

  test('has no points before it begins', async () => {
    const id = await makeSprint(5, await makeTask(march(1), 3));
    await change(alice, id, [entry(sprint, 'start', { value: '2999-01-01' })]);
    expect(await chart(bob, id)).toMatchObject({ duration: 5, points: [], points_with_date: [] });
  });

  test('begins on the next opening day, and ends nowhere near the end of time', async () => {
    const id = await makeSprint(1, await makeTask(march(1), 3));
    await change(alice, id, [entry(sprint, 'start', { value: '2024-03-09' })]);
    expect(await points(bob, id)).toEqual([
      [end(11), 3],
      [end(12), 3],
    ]);
    await change(alice, id, [
      entry(sprint, 'start', { value: '1900-01-01' }),
      entry(sprint, 'duration', { value: 1_000_000_000 }),
    ]);
    expect(await points(bob, id)).toHaveLength(1040);
    await change(alice, id, [entry(sprint, 'duration', { value: -1 })]);
    expect(await chart(bob, id)).toMatchObject({ duration: -1, points_with_date: [] });
  });

  test('takes its duration from an end date', async () => {
    const ending = await form({
      start: { type: 'date' },
      end: { type: 'date' },
      capacity: { type: 'sb', bind: { type: 'static', values: [{ label: '5' }] } },
      burndown: { type: 'burndown' },
      remaining_effort: { type: 'computed' },
      links: { type: 'art_link' },
    });
    const { start, end: last } = ending.fields;
    const timeframe = { start_date_field_id: start, end_date_field_id: last };
    await setSemantics(alice, ending.tracker, { timeframe });
    const item = await makeTask(march(1), 3);
    const id = await submit(alice, ending.tracker, [
      entry(ending, 'start', { value: '2024-03-07' }),
      entry(ending, 'end', { value: '2024-03-12' }),
      links(ending, item),
    ]);
    await date(id, march(8));
    expect(await points(bob, id, ending)).toEqual([
      [end(7), null],
      [end(8), 3],
      [end(11), 3],
      [end(12), 3],
    ]);
    expect(await chart(bob, id, ending)).toMatchObject({ duration: 3, capacity: null });
    const duration = async (value: string) => {
      await change(alice, id, [entry(ending, 'end', { value })]);
      return (await chart(bob, id, ending)).duration;
    };
    expect(await duration('2024-03-07')).toBe(0);
    expect(await duration('2025-03-07')).toBe(261);
    expect(await duration('9999-01-01')).toBeGreaterThan(2_000_000);
    expect(await duration('2024-03-06')).toBeNull();
  });

  test('takes the timeframe of the artifact above it, where the tracker says so', async () => {
    const lower = await form({
      burndown: { type: 'burndown' },
      remaining_effort: { type: 'computed' },
      links: { type: 'art_link' },
    });
    const timeframe = { implied_from_tracker: { id: sprint.tracker } };
    await setSemantics(alice, lower.tracker, { timeframe });
    const id = await submit(alice, lower.tracker, [links(lower, await makeTask(march(1), 3))]);
    await date(id, march(1));
    expect(await chart(bob, id, lower)).toMatchObject({ start_date: null, duration: null, points: [] });
    await makeSprint(1, id);
    expect(await points(bob, id, lower)).toEqual([
      [end(4), 3],
      [end(5), 3],
    ]);
    await setFieldPermissions(alice, sprint.fields['start'] ?? 0, { can_update: ['4'] });
    expect(await chart(bob, id, lower)).toMatchObject({ start_date: null, duration: 1, points: [] });
    const usual = { can_read: ['1'], can_submit: ['2'], can_update: ['3'] };
    await setFieldPermissions(alice, sprint.fields['start'] ?? 0, usual);
  });

  test('has no points for those who may not read what it is made from', async () => {
    const id = await makeSprint(1, await makeTask(march(1), 3));
    const field = sprint.fields['remaining_effort'] ?? 0;
    await setFieldPermissions(alice, field, { can_submit: ['4'], can_update: ['4'] });
    expect(await points(bob, id)).toEqual([]);
    expect(await points(alice, id)).toHaveLength(2);
    await setFieldPermissions(alice, field, { can_read: ['1'], can_submit: ['2'], can_update: ['3'] });
  });

  test('is there for each of several artifacts', async () => {
    const shared = await makeTask(march(1), 3);
    const [first, second] = [
      await makeSprint(0, shared),
      await makeSprint(1, shared, await makeTask(march(5), 1)),
    ];
    const { body } = await bob.get(`/artifacts?query=${query({ id: [second, first] })}`);
    const shown = body.collection.map(
      (artifact: Parameters<typeof entryOf>[0]) => entryOf(artifact, sprint.fields['burndown']).value.points,
    );
    expect(shown).toEqual([[3, 4], [3]]);
  });
});
