import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, readArtifact, refused, Store, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from '../harness/atelier.ts';

interface Result {
  readonly id: number;
  readonly outcome: string;
  readonly changeset_id: number | null;
  readonly etag: string | null;
  readonly error: { readonly code: number; readonly message: string } | null;
}

describe.each(engines)('changing many artifacts at once on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: number;
  let title: number;
  let size: number;
  let ids: number[];
  const send = (body: object, caller: Caller = alice) =>
    caller.post(`/trackers/${tracker}/artifact_changes`, body);
  const results = async (body: object, caller: Caller = alice): Promise<Result[]> => {
    const reply = await send(body, caller);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.results;
  };
  const named = (...some: number[]) => some.map((id) => ({ id }));
  const outcomes = (given: readonly Result[]) => given.map(({ id, outcome }) => [id, outcome]);
  const setSize = (value: unknown) => [{ field_id: size, value }];
  const sizeIn = async (id: number) => entryOf(await readArtifact(alice, id), size)?.value;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'bulk')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    ({ id: tracker } = await createTracker(alice, project));
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    size = (await addField(alice, tracker, { type: 'int', name: 'size' })).field_id;
    ids = [];
    for (let count = 0; count < 12; count++)
      ids.push(await submit(alice, tracker, [{ field_id: title, value: `item ${count % 3}` }]));
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('each artifact gets a changeset of its own with the values and the comment', async () => {
    const comment = { body: 'sized', format: 'text' };
    const given = await results({ artifacts: named(...ids), values: setSize(3), comment });
    expect(outcomes(given)).toEqual(ids.map((id) => [id, 'changed']));
    expect(new Set(given.map(({ changeset_id }) => changeset_id)).size).toBe(ids.length);
    const [first] = given;
    const { body } = await alice.get(`/artifacts/${first?.id}/changesets`);
    expect(body.at(-1)).toMatchObject({ id: first?.changeset_id, last_comment: { body: 'sized' } });
    expect(await sizeIn(first?.id ?? 0)).toBe(3);
  });

  test('what is there already is unchanged, and one refusal keeps no other from being changed', async () => {
    const [one = 0, two = 0] = ids;
    const again = await results({ artifacts: named(one), values: setSize(3) });
    expect(again).toMatchObject([{ id: one, outcome: 'unchanged', changeset_id: null, error: null }]);
    const other = await createTracker(alice, project);
    const field = await addField(alice, other.id, { type: 'string', name: 'title' });
    const stranger = await submit(alice, other.id, [{ field_id: field.field_id, value: 'x' }]);
    const mixed = await results({ artifacts: named(one, 999_999, stranger, two), values: setSize(4) });
    expect(outcomes(mixed)).toEqual([
      [one, 'changed'],
      [999_999, 'refused'],
      [stranger, 'refused'],
      [two, 'changed'],
    ]);
    expect(mixed.map(({ error }) => error?.code)).toEqual([undefined, 404, 404, undefined]);
    expect(await store.changesetsOf(stranger)).toBe(1);
  });

  test('an artifact is changed only while it has the version that is named', async () => {
    const [, , one = 0, two = 0] = ids;
    const read = await alice.get(`/artifacts/${one}`);
    const etag = read.headers.get('etag');
    const first = await results({ artifacts: [{ id: one, etag }, { id: two }], values: setSize(5) });
    expect(outcomes(first)).toEqual([
      [one, 'changed'],
      [two, 'changed'],
    ]);
    const late = await results({ artifacts: [{ id: one, etag }], values: setSize(6) });
    expect(late).toMatchObject([{ outcome: 'refused', error: { code: 412 } }]);
    const twice = await send({ artifacts: [{ id: one, etag }, { id: one }], values: setSize(6) });
    expect([twice.status, twice.body.error.message]).toEqual([
      400,
      expect.stringContaining('more than once'),
    ]);
    const next = await results({ artifacts: [{ id: one, etag: first[0]?.etag }], values: setSize(6) });
    expect(next).toMatchObject([{ outcome: 'changed' }]);
  });

  test('a search says which ones, by criteria or by a query, beside those that are named', async () => {
    const ofKind = (kind: number) => ids.filter((_, at) => at % 3 === kind);
    const byCriteria = await results({ query: { title: 'item 0' }, values: setSize(10) });
    expect(byCriteria.map(({ id }) => id)).toEqual(ofKind(0));
    const text = JSON.stringify({ title: 'item 1' });
    const byText = await results({ query: text, artifacts: named(ids[0] ?? 0), values: setSize(11) });
    expect(byText.map(({ id }) => id)).toEqual([...ofKind(1), ids[0]]);
    const byQuery = await results({ expert_query: 'title = "item 2"', values: setSize(12) });
    expect(byQuery.map(({ id }) => id)).toEqual(ofKind(2));
    expect(await results({ expert_query: 'title = "none"', values: setSize(1) })).toEqual([]);
  });

  test('a request with a search that is sent again changes what it found the first time, once', async () => {
    const kept = await submit(alice, tracker, [{ field_id: title, value: 'mark this' }]);
    const headers = { 'Idempotency-Key': '5a0dc3b1-6a8f-4a52-93a4-8e6b6f0d7c11' };
    const path = `/trackers/${tracker}/artifact_changes`;
    const post = (body: object) => alice.request('POST', path, { body, headers });
    const change = { expert_query: 'title = "mark"', values: [{ field_id: title, value: 'done' }] };
    const first = await post(change);
    expect(first.body.results).toMatchObject([{ id: kept, outcome: 'changed' }]);
    const later = await submit(alice, tracker, [{ field_id: title, value: 'mark that' }]);
    const again = await post(change);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(entryOf(await readArtifact(alice, later), title)?.value).toBe('mark that');
    const other = await post({ ...change, expert_query: undefined, artifacts: named(later) });
    expect([other.status, other.body.error?.message]).toEqual([
      409,
      'Conflict: The Idempotency-Key was used for another request. Nothing was changed.',
    ]);
    expect(entryOf(await readArtifact(alice, later), title)?.value).toBe('mark that');
  });

  test('a dry run tells what would come of it and writes nothing', async () => {
    const [one = 0, , two = 0] = ids;
    const before = await store.traces();
    const values = setSize(await sizeIn(one));
    const good = await results({ artifacts: named(one, two, 999_999), values, dry_run: true });
    expect(outcomes(good)).toEqual([
      [one, 'unchanged'],
      [two, 'changed'],
      [999_999, 'refused'],
    ]);
    const bad = await results({ artifacts: named(one), values: setSize('many'), dry_run: true });
    expect(bad).toMatchObject([{ outcome: 'refused', error: { code: 400 } }]);
    expect(await store.traces()).toEqual(before);
  });

  test('permissions on fields hold for each artifact', async () => {
    const admins = [`${project}_4`];
    await setFieldPermissions(alice, size, {
      can_read: [`${project}_3`],
      can_submit: admins,
      can_update: admins,
    });
    const [one = 0] = ids;
    const given = await results({ artifacts: named(one), values: setSize(99) }, bob);
    expect(given).toMatchObject([{ outcome: 'refused', error: { code: 400 } }]);
    expect(given[0]?.error?.message).toMatch(/not allowed to update/);
    const comment = { body: 'from bob', format: 'text' };
    expect(await results({ artifacts: named(one), comment }, bob)).toMatchObject([{ outcome: 'changed' }]);
  });

  test('a wish that says too little or too much is 400', async () => {
    const values = setSize(1);
    const many = Array.from({ length: 1001 }, (_, at) => ({ id: at + 1 }));
    for (const [body, words] of [
      [{ values }, /which artifacts/],
      [{ artifacts: named(1) }, /what to change/],
      [{ artifacts: named(1), values: [], comment: { body: ' ', format: 'text' } }, /what to change/],
      [{ query: {}, values }, /change everything/],
      [{ query: { colour: 1 }, values }, /do not exist/],
      [{ query: { title: '' }, values }, /title asks for nothing/],
      [{ query: { title: 'item 1', size: 'large' }, values }, /size asks for nothing/],
      [{ expert_query: '=', values }, /parsing/],
      [{ artifacts: many, values }, /At most 1000/],
      [{ artifacts: [{}], values }, /required/],
    ] as const)
      await refused(store, () => send(body), 400, words);
    const nobody = await atelier.anonymous.post(`/trackers/${tracker}/artifact_changes`, { values });
    expect(nobody.status).toBe(401);
    expect((await alice.post('/trackers/999999/artifact_changes', { artifacts: [], values })).status).toBe(
      404,
    );
  });
});
