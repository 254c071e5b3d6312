import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, messageOf, readArtifact, Store, submit, versionIn } from '../fixtures/artifact.ts';
import { isStored, readInChunks, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { createGroup, createProject, databaseOf, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type EngineName, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

/** A project with a group of its own and a tracker with every field. */
interface Place extends EveryField {
  readonly projectId: number;
  readonly group: string;
}

describe.each(usuallyOn('PostgreSQL'))('moving artifacts on %s', (engine: EngineName) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let here: Place;
  let there: Place;
  let store: Store;

  async function createPlace(shortname: string): Promise<Place> {
    const { id: projectId } = await createProject(alice, shortname);
    await setMembers(alice, `${projectId}_3`, [alice]);
    const group = await createGroup(alice, projectId, 'testers');
    return { projectId, group, ...(await everyField(alice, projectId)) };
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    here = await createPlace('here');
    there = await createPlace('there');
    await setMembers(alice, `${here.projectId}_3`, [alice, bob]);
    store = await Store.of(atelier);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  const patch = (id: number, trackerId: number, more: object = {}, caller: Person = alice) =>
    caller.patch(`/artifacts/${id}`, { move: { tracker_id: trackerId, ...more } });

  async function moveTo(id: number, trackerId: number) {
    const { status, body, text } = await patch(id, trackerId);
    expect(status, text).toBe(200);
    expect(body).toEqual({ dry_run: null });
  }

  /** Names of the fields in each list of a dry run. */
  async function forecast(id: number, trackerId: number) {
    const { status, body, text } = await patch(id, trackerId, { dry_run: true });
    expect(status, text).toBe(200);
    const namesOf = (fields: readonly { name: string }[]) => fields.map(({ name }) => name).sort();
    const { fields_migrated, fields_not_migrated, fields_partially_migrated } = body.dry_run.fields;
    return {
      migrated: namesOf(fields_migrated),
      lost: namesOf(fields_not_migrated),
      partly: namesOf(fields_partially_migrated),
    };
  }

  const valueId = ({ tracker }: Place, name: string, label: string) => {
    const field = tracker.fields.find((candidate) => candidate.name === name);
    const values = Array.isArray(field?.values) ? field.values : [];
    return values.find((value: { label: string }) => value.label === label)?.id;
  };

  const everyValue = ({ ids, group, ...place }: Place) => [
    { field_id: ids['string'], value: 'A title' },
    { field_id: ids['text'], value: { content: 'Some *words*', format: 'commonmark' } },
    { field_id: ids['int'], value: 7 },
    { field_id: ids['float'], value: 2.5 },
    { field_id: ids['date'], value: '2026-02-03' },
    { field_id: ids['datetime'], value: '2026-02-03T10:30:00+01:00' },
    { field_id: ids['sb'], bind_value_ids: [valueId({ ids, group, ...place }, 'sb', 'green')] },
    {
      field_id: ids['cb'],
      bind_value_ids: ['red', 'blue'].map((label) => valueId({ ids, group, ...place }, 'cb', label)),
    },
    { field_id: ids['msb_users'], bind_value_ids: [alice.id] },
    { field_id: ids['sb_ugroups'], bind_value_ids: [group] },
    {
      field_id: ids['tbl'],
      value: {
        bind_value_objects: [{ id: valueId({ ids, group, ...place }, 'tbl', 'red') }, { label: 'violet' }],
      },
    },
    { field_id: ids['perm'], value: { granted_groups: [group] } },
    { field_id: ids['computed'], manual_value: 3, is_autocomputed: false },
  ];

  /** What of an entry does not say which field of which tracker it belongs to. */
  const content = (place: Place, artifact: Awaited<ReturnType<typeof readArtifact>>, name: string) => {
    const { field_id: _, ...entry } = entryOf(artifact, place.ids[name]) ?? {};
    return entry;
  };

  test('an artifact keeps its id, submitter, history and every value that has a place in the other tracker', async () => {
    const friend = await submit(alice, here.tracker.id, [{ field_id: here.ids['string'], value: 'friend' }]);
    const bytes = someBytes(2000);
    const file = await uploadInChunks(alice, bytes, { name: 'log.txt' });
    const id = await submit(alice, here.tracker.id, [
      ...everyValue(here),
      { field_id: here.ids['art_link'], links: [{ id: friend, type: '_is_child' }] },
      { field_id: here.ids['file'], value: [file] },
    ]);
    await change(alice, id, [{ field_id: here.ids['string'], value: 'Another title' }], {
      comment: { body: 'changed', format: 'text' },
    });
    const before = await readArtifact(alice, id);
    const tag = versionIn(await alice.get(`/artifacts/${id}`));
    expect(await forecast(id, there.tracker.id)).toMatchObject({ lost: [], partly: [] });
    await moveTo(id, there.tracker.id);

    const after = await readArtifact(alice, id);
    expect(after.tracker.id).toBe(there.tracker.id);
    expect(after.project.id).toBe(there.projectId);
    expect(after).toMatchObject({ id, submitted_by: alice.id, submitted_on: before.submitted_on });
    expect(versionIn(await alice.get(`/artifacts/${id}`))).not.toBe(tag);
    for (const name of ['string', 'text', 'int', 'float', 'date', 'datetime', 'computed', 'priority', 'aid'])
      expect(content(there, after, name), name).toEqual(content(here, before, name));
    expect(entryOf(after, there.ids['sb']).values[0].label).toBe('green');
    expect(entryOf(after, there.ids['cb']).values.map((value: { label: string }) => value.label)).toEqual([
      'red',
      'blue',
    ]);
    expect(entryOf(after, there.ids['msb_users']).bind_value_ids).toEqual([alice.id]);
    expect(entryOf(after, there.ids['sb_ugroups']).bind_value_ids).toEqual([there.group]);
    expect(entryOf(after, there.ids['tbl']).bind_value_ids).toEqual(['red', 'violet']);
    expect(entryOf(after, there.ids['perm']).granted_groups_ids).toEqual([there.group]);
    expect(entryOf(after, there.ids['art_link']).links).toMatchObject([{ id: friend, type: '_is_child' }]);
    expect(entryOf(after, there.ids['file']).file_descriptions).toMatchObject([
      { id: file, name: 'log.txt' },
    ]);
    expect((await readInChunks(alice, file)).equals(bytes)).toBe(true);

    const { body: changesets } = await alice.get(`/artifacts/${id}/changesets`);
    const titles = changesets.map((one: typeof after) => entryOf(one, there.ids['string']).value);
    expect(titles).toEqual(['A title', 'Another title', 'Another title']);
    const comments = changesets.map((one: { last_comment: { body: string } }) => one.last_comment.body);
    expect(comments[1]).toBe('changed');
    expect(comments[2]).toBe(
      `Artifact was moved from '${here.tracker.label}' tracker in 'Project here' project.`,
    );
    const linked = await readArtifact(alice, friend);
    expect(entryOf(linked, here.ids['art_link']).reverse_links).toMatchObject([
      { id, tracker: { id: there.tracker.id } },
    ]);
  });

  test('an artifact that is moved back has its values, and its history is one', async () => {
    const id = await submit(alice, here.tracker.id, everyValue(here));
    const before = await readArtifact(alice, id);
    await moveTo(id, there.tracker.id);
    await change(alice, id, [{ field_id: there.ids['int'], value: 8 }]);
    await moveTo(id, here.tracker.id);
    const after = await readArtifact(alice, id);
    for (const name of ['string', 'text', 'sb', 'cb', 'sb_ugroups', 'tbl', 'perm'])
      expect(content(here, after, name), name).toEqual(content(here, before, name));
    const { body } = await alice.get(`/artifacts/${id}/changesets`);
    expect(body.map((one: typeof after) => entryOf(one, here.ids['int']).value)).toEqual([7, 7, 8, 8]);
  });

  test('artifacts of both trackers are listed, found and counted where they are', async () => {
    const from = await createTracker(alice, here.projectId);
    const to = await createTracker(alice, there.projectId);
    const colours = { type: 'static', values: [{ label: 'red' }, { label: 'blue' }] };
    const [one, other] = await Promise.all(
      [from, to].map(({ id }) => addField(alice, id, { type: 'sb', name: 'colour', bind: colours })),
    );
    await addField(alice, to.id, { type: 'atid', name: 'number' });
    const red = (field: typeof one) => (field === undefined ? 0 : valueIds(field)['red']);
    const values = [{ field_id: one?.field_id, bind_value_ids: [red(one)] }];
    const [id = 0] = [await submit(alice, from.id, values), await submit(alice, from.id, values)];
    await moveTo(id, to.id);
    const found = async (trackerId: number, field: typeof one) => {
      const criteria = encodeURIComponent(
        JSON.stringify({ colour: { operator: 'contains', value: red(field) } }),
      );
      const { body, status, text } = await alice.get(`/trackers/${trackerId}/artifacts?query=${criteria}`);
      expect(status, text).toBe(200);
      return body.map((artifact: { id: number }) => artifact.id);
    };
    expect(await found(to.id, other)).toEqual([id]);
    expect(await found(from.id, one)).toEqual([id + 1]);
    const database = await databaseOf(atelier);
    const counters = await database.all(
      database.sql
        .selectFrom('tracker_counter')
        .selectAll()
        .where('tracker_id', 'in', [from.id, to.id])
        .orderBy('tracker_id'),
    );
    await database.close();
    expect(counters).toMatchObject([
      { artifacts: 1, last_number: 2 },
      { artifacts: 1, last_number: 1 },
    ]);
  });

  test('references keep their meaning, by the word of the tracker that the artifact is in', async () => {
    const from = here.tracker.item_name;
    const id = await submit(alice, here.tracker.id, [{ field_id: here.ids['string'], value: 'meant' }]);
    const text = `see ${from} #${id}`;
    const other = await submit(alice, here.tracker.id, [{ field_id: here.ids['text'], value: text }]);
    await change(alice, id, [{ field_id: here.ids['text'], value: `as art #${other}` }]);
    await moveTo(id, there.tracker.id);
    const seen = entryOf(await readArtifact(alice, other), here.ids['cross']).value;
    expect(seen).toMatchObject([{ ref: `${there.tracker.item_name} #${id}`, direction: 'both' }]);
    const own = entryOf(await readArtifact(alice, id), there.ids['cross']).value;
    expect(own).toMatchObject([{ ref: `art #${other}`, direction: 'both' }]);
    await change(alice, id, [{ field_id: there.ids['text'], value: 'nothing' }]);
    expect(entryOf(await readArtifact(alice, id), there.ids['cross']).value).toMatchObject([
      { direction: 'in' },
    ]);
  });

  test('a dry run tells what goes wholly, partly and not at all, and changes nothing', async () => {
    const from = await createTracker(alice, here.projectId);
    const to = await createTracker(alice, there.projectId);
    const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) });
    const fields = [
      { type: 'string', name: 'summary' },
      { type: 'float', name: 'effort' },
      { type: 'sb', name: 'status', bind: list('open', 'waiting') },
      { type: 'sb', name: 'severity', bind: list('high') },
      { type: 'msb', name: 'owner', bind: { type: 'users', groups: ['3'] } },
      { type: 'tbl', name: 'tags', bind: list() },
      { type: 'perm', name: 'perm' },
      { type: 'string', name: 'alone' },
    ];
    const ids: Record<string, number> = {};
    const labels: Record<string, number> = {};
    for (const field of fields) {
      const made = await addField(alice, from.id, field);
      ids[field.name] = made.field_id;
      for (const value of Array.isArray(made.values) ? made.values : []) labels[value.label] = value.id;
    }
    await addField(alice, to.id, { type: 'text', name: 'summary' });
    await addField(alice, to.id, { type: 'int', name: 'effort' });
    await addField(alice, to.id, { type: 'rb', name: 'status', bind: list('open') });
    await addField(alice, to.id, { type: 'msb', name: 'severity', bind: list('high') });
    await addField(alice, to.id, { type: 'cb', name: 'owner', bind: { type: 'users', groups: ['3'] } });
    await addField(alice, to.id, { type: 'tbl', name: 'tags', bind: list() });
    await addField(alice, to.id, { type: 'perm', name: 'perm' });
    const id = await submit(alice, from.id, [
      { field_id: ids['summary'], value: 'short' },
      { field_id: ids['effort'], value: 2.9 },
      { field_id: ids['status'], bind_value_ids: [labels['waiting']] },
      { field_id: ids['severity'], bind_value_ids: [labels['high']] },
      { field_id: ids['owner'], bind_value_ids: [alice.id, bob.id] },
      { field_id: ids['tags'], value: { bind_value_objects: [{ label: 'new' }] } },
      { field_id: ids['alone'], value: 'lost' },
    ]);
    const before = await store.traces();
    expect(await forecast(id, to.id)).toEqual({
      migrated: ['effort', 'summary', 'tags'],
      lost: ['alone', 'perm', 'severity'],
      partly: ['owner', 'status'],
    });
    expect(await store.traces()).toEqual(before);

    await moveTo(id, to.id);
    const { values } = await readArtifact(alice, id);
    const byLabel = new Map(values?.map((entry) => [entry.label, entry]));
    expect(byLabel.get('summary')).toMatchObject({ value: 'short', format: 'text' });
    expect(byLabel.get('effort')).toMatchObject({ value: 2 });
    expect(byLabel.get('status')).toMatchObject({ bind_value_ids: [] });
    expect(byLabel.get('owner')).toMatchObject({ bind_value_ids: [alice.id] });
    expect(byLabel.get('tags')).toMatchObject({ bind_value_ids: ['new'] });
    expect(byLabel.has('severity')).toBe(false);
  });

  test('files that nothing takes over are gone, and so are links', async () => {
    const bare = await createTracker(alice, there.projectId);
    await addField(alice, bare.id, { type: 'string', name: 'string' });
    const bytes = someBytes(3000);
    const file = await uploadInChunks(alice, bytes);
    const other = await submit(alice, here.tracker.id, [{ field_id: here.ids['string'], value: 'other' }]);
    const id = await submit(alice, here.tracker.id, [
      { field_id: here.ids['string'], value: 'with a file' },
      { field_id: here.ids['file'], value: [file] },
      { field_id: here.ids['art_link'], links: [{ id: other, type: '' }] },
    ]);
    await moveTo(id, bare.id);
    expect((await alice.get(`/artifact_files/${file}`)).status).toBe(404);
    expect(isStored(atelier, bytes)).toBe(false);
    expect(entryOf(await readArtifact(alice, other), here.ids['art_link']).reverse_links).toEqual([]);
  });

  test('an artifact for groups that the other project has not is for its administrators', async () => {
    const secret = await createGroup(alice, here.projectId, 'secret');
    const id = await submit(alice, here.tracker.id, [
      { field_id: here.ids['string'], value: 'secret' },
      { field_id: here.ids['perm'], value: { granted_groups: [secret] } },
    ]);
    expect(await forecast(id, there.tracker.id)).toMatchObject({ partly: ['perm'] });
    await moveTo(id, there.tracker.id);
    expect((await bob.get(`/artifacts/${id}`)).status).toBe(403);
    expect(entryOf(await readArtifact(alice, id), there.ids['perm']).granted_groups_ids).toEqual([
      `${there.projectId}_4`,
    ]);
  });

  test('the workflow of the other tracker is not asked', async () => {
    const to = await createTracker(alice, there.projectId);
    await addField(alice, to.id, { type: 'string', name: 'string' });
    await addField(alice, to.id, { type: 'string', name: 'needed', is_required: true });
    const id = await submit(alice, here.tracker.id, [{ field_id: here.ids['string'], value: 'free' }]);
    await moveTo(id, to.id);
    expect((await readArtifact(alice, id)).tracker.id).toBe(to.id);
  });

  test('a history of many changesets is moved whole', async () => {
    const id = await submit(alice, here.tracker.id, [{ field_id: here.ids['int'], value: 0 }]);
    const database = await databaseOf(atelier);
    await database.transaction((tx) =>
      tx.insertMany(
        'changeset',
        ['artifact_id', 'submitted_by', 'submitted_on', 'changes', 'comment'],
        Array.from(
          { length: 700 },
          (_, index) => [id, bob.id, Date.now(), `{"${here.ids['int']}":${index}}`, null] as const,
        ),
      ),
    );
    await database.close();
    await moveTo(id, there.tracker.id);
    const { body } = await alice.get(`/artifacts/${id}/changesets?limit=50&offset=640`);
    expect(
      body.map((one: Awaited<ReturnType<typeof readArtifact>>) => entryOf(one, there.ids['int']).value),
    ).toEqual(Array.from({ length: 50 }, (_, index) => 639 + index));
  });

  test('artifacts that are linked to each other can be moved at once, in both directions', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 8; count++) {
      const from = count % 2 === 0 ? here : there;
      const links = ids.map((id) => ({ id, type: '' }));
      ids.push(await submit(alice, from.tracker.id, [{ field_id: from.ids['art_link'], links }]));
    }
    const replies = await Promise.all(
      ids.map((id, index) => patch(id, (index % 2 === 0 ? there : here).tracker.id)),
    );
    expect(replies.map(({ status, text }) => `${status} ${text}`)).toEqual(
      ids.map(() => '200 {"dry_run":null}'),
    );
    const last = await readArtifact(alice, ids.at(-1) ?? 0);
    expect(entryOf(last, here.ids['art_link']).links).toHaveLength(7);
  });

  test('moves that cannot be are refused and change nothing', async () => {
    const id = await submit(alice, here.tracker.id, [{ field_id: here.ids['string'], value: 'stays' }]);
    const foreign = await createProject(bob, 'foreign');
    const theirs = await createTracker(bob, foreign.id);
    await addField(bob, theirs.id, { type: 'string', name: 'string' });
    const empty = await createTracker(alice, here.projectId);
    const gone = await createTracker(alice, here.projectId);
    expect((await alice.delete(`/trackers/${gone.id}`)).status).toBe(200);
    const before = await store.traces();
    const statusOf = async (...args: Parameters<typeof patch>) => (await patch(...args)).status;
    expect(
      (await atelier.anonymous.patch(`/artifacts/${id}`, { move: { tracker_id: there.tracker.id } })).status,
    ).toBe(401);
    expect(await statusOf(999_999, there.tracker.id)).toBe(404);
    expect(await statusOf(id, 999_999)).toBe(404);
    expect(await statusOf(id, gone.id)).toBe(404);
    for (const dry_run of [true, false]) {
      expect(messageOf(await patch(id, here.tracker.id, { dry_run }))).toMatch(/in this tracker already/);
      expect(messageOf(await patch(id, theirs.id, { dry_run }))).toMatch(/moved to/);
      expect(messageOf(await patch(id, theirs.id, { dry_run }, bob))).toMatch(/moved from/);
      expect(messageOf(await patch(id, empty.id, { dry_run }))).toMatch(/No field/);
    }
    expect(await statusOf(id, theirs.id)).toBe(400);
    expect(await statusOf(id, empty.id)).toBe(400);
    expect((await alice.patch(`/artifacts/${id}`, { move: {} })).status).toBe(400);
    expect(await store.traces()).toEqual(before);

    const { id: closed } = await createProject(alice, 'closed');
    const shut = await createTracker(alice, closed);
    await addField(alice, shut.id, { type: 'string', name: 'string' });
    expect((await atelier.admin.patch(`/projects/${closed}`, { status: 'suspended' })).status).toBe(200);
    expect(await statusOf(id, shut.id)).toBe(403);
    await setPermissions(alice, here.tracker.id, { can_access: ['3'] });
    const stranger = await atelier.createUser('stranger');
    expect(await statusOf(id, there.tracker.id, {}, stranger)).toBe(403);
  });
});
