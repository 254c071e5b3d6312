import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, Store, submit } from '../fixtures/artifact.ts';
import { createProject, idsOf, query, setMembers, sizeOf } from '../fixtures/project.ts';
import { criteria, type Modelled, queries, type World, words } from '../fixtures/query-model.ts';
import { type EveryField, everyField, fieldNamed, readTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const count = 30;
const runs = 150;
const linkTypes = ['', '_is_child', '_covered_by'];

describe.each(engines)('random searches find what they mean on %s:', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let every: EveryField;
  const artifacts: Modelled[] = [];
  let hidden: ReadonlySet<number>;
  let ids: Record<string, number | string>;

  /** The same artifacts on every run; only the searches are random. */
  let state = 7;
  const below = (limit: number) => {
    state = (state * 16_807) % 2_147_483_647;
    return state % limit;
  };
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const maybe = <T>(items: readonly T[]): T | null => (below(3) === 0 ? null : pick(items));
  const some = <T>(items: readonly T[]): T[] => items.filter(() => below(3) === 0);
  const phrase = () => Array.from({ length: below(4) }, () => pick(words)).join(' ');
  const optional = <T>(value: T | null): T[] => (value === null ? [] : [value]);

  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const chosen = (name: string, labels: readonly string[]) =>
    entry(name, { bind_value_ids: labels.map((label) => ids[`${name} ${label}`] ?? ids[label]) });

  async function make(person: Person, submitter: string, number: number): Promise<Modelled> {
    const model = {
      number,
      string: phrase(),
      text: phrase(),
      int: maybe([-2, 0, 3, 8, 10]),
      float: maybe([-2, 0, 1.5, 3, 8]),
      date: maybe(['2024-01-09', '2024-01-10', '2024-01-11', '2024-01-31']),
      datetime: maybe(['2024-01-10 10:05', '2024-01-10 10:06', '2024-01-10 23:59', '2024-01-11 00:00']),
      sb: optional(maybe(['red', 'green', 'blue'])),
      msb: some(['red', 'green', 'blue']),
      sb_users: optional(maybe(['alice', 'bob'])),
      cb_users: some(['alice', 'bob']),
      tbl: some(['red', 'green', 'typed']),
      files: submitter === 'alice' ? some(['notes.txt', 'Plan.pdf']) : [],
      links: some(artifacts.slice(-6)).map(({ id: to }) => ({ to, type: pick(linkTypes) })),
      submitter,
      comment: below(3) === 0 ? `said ${phrase()}`.trim() : '',
    };
    const files: number[] = [];
    for (const name of model.files) files.push(await store.addFile(person.id, name));
    const id = await submit(person, every.tracker.id, [
      entry('string', { value: model.string }),
      entry('text', { value: { content: model.text, format: 'text' } }),
      ...(model.int === null ? [] : [entry('int', { value: model.int })]),
      ...(model.float === null ? [] : [entry('float', { value: model.float })]),
      entry('date', { value: model.date ?? '' }),
      entry('datetime', {
        value: model.datetime === null ? '' : `${model.datetime.replace(' ', 'T')}:00+01:00`,
      }),
      chosen('sb', model.sb),
      chosen('msb', model.msb),
      chosen('sb_users', model.sb_users),
      chosen('cb_users', model.cb_users),
      entry('tbl', { bind_value_ids: model.tbl }),
      ...(files.length === 0 ? [] : [entry('file', { value: files })]),
      entry('art_link', { links: model.links.map(({ to, type }) => ({ id: to, type })) }),
    ]);
    if (model.comment !== '') await change(bob, id, [], { comment: { body: model.comment, format: 'text' } });
    return { ...model, id, editor: model.comment === '' ? submitter : 'bob' };
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    await atelier.admin.patch('/platform/settings', { query_complexity_limit: 80 });
    const { id } = await createProject(alice, 'random');
    await setMembers(alice, `${id}_3`, [alice, bob]);
    every = await everyField(alice, id);
    const labelIds = ['sb', 'msb'].flatMap((name) =>
      Object.entries(valueIds(fieldNamed(every.tracker, name))).map(([label, value]) => [
        `${name} ${label}`,
        value,
      ]),
    );
    ids = { ...Object.fromEntries(labelIds), alice: alice.id, bob: bob.id, tracker: every.tracker.item_name };
    for (let number = 1; number <= count; number++) {
      const isOfBob = below(3) === 0;
      artifacts.push(await make(isOfBob ? bob : alice, isOfBob ? 'bob' : 'alice', number));
    }
    const tags = valueIds(fieldNamed(await readTracker(alice, every.tracker.id), 'tbl'));
    for (const [label, value] of Object.entries(tags))
      ids[`tbl ${label}`] = typeof value === 'number' ? `b${value}` : value;
    const closed = artifacts.filter(({ number }) => number % 7 === 0);
    const restriction = { value: { is_used_by_default: true, granted_groups: ['4'] } };
    for (const artifact of closed) {
      await change(alice, artifact.id, [entry('perm', restriction)]);
      artifacts[artifacts.indexOf(artifact)] = { ...artifact, editor: 'alice' };
    }
    hidden = new Set(closed.map((artifact) => artifact.id));
    // Two changes are never of the same second, so that the last of several quick ones is a little ahead of the clock.
    const ahead = () => found('alice', `expert_query=${encodeURIComponent('lud > NOW()')}`);
    await eventually(async () => expect(await ahead()).toEqual([]));
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  const worldOf = (caller: 'alice' | 'bob'): World => ({
    artifacts,
    caller,
    ids,
    sees: (id) => caller === 'alice' || !hidden.has(id),
  });
  const found = async (caller: 'alice' | 'bob', parameters: string) => {
    const reply = await (caller === 'alice' ? alice : bob).get(
      `/trackers/${every.tracker.id}/artifacts?${parameters}`,
    );
    expect(reply.status, `${decodeURIComponent(parameters)}\n${reply.text}`).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return idsOf(reply);
  };
  const visible = (world: World) => artifacts.filter(({ id }) => world.sees(id));
  const people = fc.constantFrom('alice' as const, 'bob' as const);

  test('queries', async () => {
    await fc.assert(
      fc.asyncProperty(people, queries, async (caller, asked) => {
        const world = worldOf(caller);
        const text = asked.write(world);
        const expected = visible(world).filter((artifact) => asked.holds(artifact, world));
        expect([text, await found(caller, `expert_query=${encodeURIComponent(text)}`)]).toEqual([
          text,
          expected.map(({ id }) => id),
        ]);
      }),
      { numRuns: runs },
    );
  });

  test('criteria', async () => {
    await fc.assert(
      fc.asyncProperty(people, criteria, async (caller, wishes) => {
        const world = worldOf(caller);
        const given = Object.fromEntries(wishes.map(({ field, value }) => [field, value(world)]));
        const expected = visible(world).filter((artifact) =>
          wishes.every(({ holds }) => holds(artifact, world)),
        );
        expect([given, await found(caller, `query=${query(given)}`)]).toEqual([
          given,
          expected.map(({ id }) => id),
        ]);
      }),
      { numRuns: runs },
    );
  });
});
