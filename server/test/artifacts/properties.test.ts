import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, Store, submit } from '../fixtures/artifact.ts';
import { linkSamples, listSamples, plainSamples, type Sample } from '../fixtures/artifact-samples.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { anySign } from '../fixtures/text.ts';
import { type EveryField, everyField } from '../fixtures/tracker.ts';
import { type Atelier, engines, type Person, type Reply, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('whatever is written into artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let every: EveryField;
  let anything: fc.Arbitrary<Sample>;
  const xml = { Accept: 'application/xml' };
  const path = (id: number) => `/artifacts/${id}`;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    const bob = await atelier.createUser('bob');
    const project = (await createProject(alice, 'properties')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
    const targets: number[] = [];
    for (let index = 0; index < 4; index++)
      targets.push(
        await submit(alice, every.tracker.id, [{ field_id: every.ids['string'], value: 'target' }]),
      );
    const groups = [`${project}_3`, `${project}_4`, group];
    anything = fc.oneof(
      ...plainSamples,
      ...listSamples(every.tracker, [alice.id, bob.id], groups),
      linkSamples(targets),
    );
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  const entriesOf = (fields: readonly Sample[]) =>
    fields.map(({ name, sent }) => ({ field_id: every.ids[name], ...sent }));

  function expectDone(reply: Reply, status: number): Reply {
    expect(reply.status, reply.text).toBe(status);
    return reply;
  }

  /** What was read is sent back, in JSON and in XML, and nothing happens. */
  async function expectEcho(id: number): Promise<void> {
    const changesets = await store.changesetsOf(id);
    const read = expectDone(await alice.get(path(id)), 200);
    const echoed = expectDone(await alice.put(path(id), read.body), 200);
    expect(echoed.headers.get('etag')).toBe(read.headers.get('etag'));
    expect(echoed.text).toBe(read.text);
    const inXml = expectDone(await alice.get(path(id), { headers: xml }), 200);
    const headers = { ...xml, 'Content-Type': 'application/xml' };
    const again = await alice.request('PUT', path(id), { rawBody: inXml.text, headers });
    expectDone(again, 200);
    expect(again.headers.get('etag')).toBe(inXml.headers.get('etag'));
    expect(again.text).toBe(inXml.text);
    expect(await store.changesetsOf(id)).toBe(changesets);
  }

  const several = () =>
    fc.uniqueArray(anything, { selector: ({ name }) => name, minLength: 1, maxLength: 12 });

  test('what is accepted reads back equal, and sent back changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(several(), several(), async (first, second) => {
        const { tracker } = every;
        const values = entriesOf(first);
        const made = expectDone(await alice.post('/artifacts', { tracker: { id: tracker.id }, values }), 201);
        const { id } = made.body;
        const read = expectDone(await alice.get(path(id)), 200).body;
        for (const { name, sent, isRead } of first)
          expect([name, sent, isRead(entryOf(read, every.ids[name]))]).toEqual([name, sent, true]);
        await expectEcho(id);
        const put = expectDone(await alice.put(path(id), { values: entriesOf(second) }), 200).body;
        for (const { name, sent, isRead } of second)
          expect([name, sent, isRead(entryOf(put, every.ids[name]))]).toEqual([name, sent, true]);
        await expectEcho(id);
      }),
      { numRuns: 25 },
    );
  });

  const scalar = fc.oneof(
    fc.constantFrom<unknown>(
      '',
      ' ',
      '0',
      '-1',
      '1e999',
      'x',
      100,
      0,
      -1,
      1.5,
      2 ** 53,
      true,
      false,
      null,
      '\u0007',
    ),
    fc.constantFrom<unknown>('2024-02-30', 'o1', 'b1', '101_3', [], {}, [[]], [{}], 'x'.repeat(70_000)),
    fc.string({ unit: anySign, maxLength: 20 }),
    fc.double(),
  );
  const nested = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'id',
        'label',
        'type',
        'direction',
        'content',
        'format',
        'username',
        'email',
        'short_name',
        'granted_groups',
        'bind_value_objects',
        'is_used_by_default',
      ),
      scalar,
    ),
  );
  const members = [
    'value',
    'bind_value_ids',
    'links',
    'all_links',
    'parent',
    'manual_value',
    'is_autocomputed',
    'bind_value_objects',
    'file_descriptions',
    'granted_groups_ids',
  ];
  const garbage = fc.dictionary(
    fc.constantFrom(...members),
    fc.oneof(nested, fc.array(nested, { maxLength: 3 })),
    { minKeys: 1 },
  );

  test('what is refused is 4xx and leaves nothing behind, whatever is sent', async () => {
    const names = Object.keys(every.ids);
    const existing = await submit(alice, every.tracker.id, [{ field_id: every.ids['string'], value: 'x' }]);
    const entry = fc.record({ name: fc.constantFrom(...names), sent: garbage });
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        async (entries, isNew) => {
          const values = entries.map(({ name, sent }) => ({ field_id: every.ids[name], ...sent }));
          const before = await store.traces();
          const reply = isNew
            ? await alice.post('/artifacts', { tracker: { id: every.tracker.id }, values })
            : await alice.put(path(existing), { values });
          if (reply.status < 300) {
            const id = reply.body.id;
            const read = expectDone(await alice.get(path(id)), 200);
            const echoed = expectDone(await alice.put(path(id), read.body), 200);
            expect(echoed.headers.get('etag')).toBe(read.headers.get('etag'));
            return;
          }
          refusals++;
          expect(reply.status, reply.text).toBeLessThan(500);
          expect(reply.body.error.message.length).toBeGreaterThan(20);
          expect(await store.traces()).toEqual(before);
        },
      ),
      { numRuns: 120 },
    );
    expect(refusals).toBeGreaterThan(20);
  });
});
