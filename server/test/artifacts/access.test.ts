import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, Store, submit, type Value } from '../fixtures/artifact.ts';
import { createProject, forceProject, idsOf, query, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setFieldPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

interface Place {
  readonly project: number;
  readonly tracker: number;
  readonly title: number;
  readonly links: number;
  readonly id: number;
}

const engines = oneEngine(
  'SQLite',
  'rights to one artifact are decided in code; those in lists are in visibility.test.ts, on both',
);

describe.each(engines)('access to artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let owner: Person;
  let member: Person;
  let stranger: Person;
  /** An artifact that links to everything and is linked from everything. */
  let hub: Place;
  const make = async (shortname: string): Promise<Place> => {
    const { id: project } = await createProject(owner, `${shortname}-${engine.toLowerCase()}`);
    await setMembers(owner, `${project}_3`, [owner, member]);
    const { id: tracker } = await createTracker(owner, project);
    const title = (await addField(owner, tracker, { type: 'string', name: 'title' })).field_id;
    const links = (await addField(owner, tracker, { type: 'art_link', name: 'links' })).field_id;
    const id = await submit(owner, tracker, [{ field_id: title, value: 'x' }]);
    return { project, tracker, title, links, id };
  };
  const link = async (from: Place, to: Place) => {
    const { links } = entryOf(await readArtifact(owner, from.id), from.links);
    const all = [...links.map(({ id, type }: Value) => ({ id, type })), { id: to.id }];
    await change(owner, from.id, [{ field_id: from.links, links: all }]);
  };
  const linked = async (shortname: string) => {
    const place = await make(shortname);
    await link(hub, place);
    await link(place, hub);
    return place;
  };
  /** What somebody gets to see of an artifact, wherever it could be seen. */
  const glimpses = async (caller: Caller, { id, tracker, title }: Place) => {
    const { links, reverse_links: reverse } = entryOf(
      await readArtifact(caller as Person, hub.id),
      hub.links,
    );
    const isIn = (found: readonly { id: number }[]) => found.some((other) => other.id === id);
    const list = await caller.get(`/trackers/${tracker}/artifacts`);
    const change = { values: [{ field_id: title, value: `by ${Math.random()}` }] };
    return {
      get: (await caller.get(`/artifacts/${id}`)).status,
      put: (await caller.put(`/artifacts/${id}`, change)).status,
      post: (await caller.post('/artifacts', { tracker: { id: tracker }, ...change })).status,
      list: list.status,
      listed: list.status === 200 && isIn(list.body),
      linked: isIn(links),
      reverse: isIn(reverse),
    };
  };
  const nothing = { listed: false, linked: false, reverse: false };
  const everything = { get: 200, put: 200, post: 201, list: 200, listed: true, linked: true, reverse: true };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    owner = await atelier.createUser('owner');
    member = await atelier.createUser('member');
    stranger = await atelier.createUser('stranger');
    hub = await make('hub');
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('a private project shows its artifacts to members only', async () => {
    const place = await linked('private');
    const open = { ...everything, put: 400 };
    expect(await glimpses(stranger, place)).toEqual(open);
    expect(await glimpses(atelier.anonymous, place)).toEqual({ ...open, put: 401, post: 401 });
    expect((await owner.patch(`/projects/${place.project}/settings`, { access: 'private' })).status).toBe(
      200,
    );
    const closed = { ...nothing, get: 403, put: 403, post: 403, list: 403 };
    expect(await glimpses(stranger, place)).toEqual(closed);
    expect(await glimpses(atelier.anonymous, place)).toEqual({ ...closed, put: 401, post: 401 });
    for (const caller of [owner, member, atelier.admin])
      expect(await glimpses(caller, place)).toEqual(everything);
  });

  test('a suspended project shows them to site administrators only, and takes no changes', async () => {
    const place = await linked('suspended');
    const own = query({ submitted_by: true });
    const mine = async () => idsOf(await owner.get(`/users/self/artifacts?query=${own}`));
    expect(await mine()).toContain(place.id);
    await atelier.admin.patch(`/projects/${place.project}`, { status: 'suspended' });
    const closed = { ...nothing, get: 403, put: 403, post: 403, list: 403 };
    for (const caller of [owner, member, stranger]) expect(await glimpses(caller, place)).toEqual(closed);
    expect(await glimpses(atelier.admin, place)).toEqual({ ...everything, put: 403, post: 403 });
    expect(await mine()).not.toContain(place.id);
    await atelier.admin.patch(`/projects/${place.project}`, { status: 'active' });
    expect(await glimpses(owner, place)).toEqual(everything);
  });

  test('a deleted project, and one that is being imported, show nothing', async () => {
    const [gone, coming] = [await linked('deleted'), await linked('coming')];
    await atelier.admin.patch(`/projects/${gone.project}/settings`, { status: 'deleted' });
    await forceProject(atelier, coming.project, { status: 'importing' });
    await store.force(async () => {});
    for (const caller of [owner, stranger]) {
      expect(await glimpses(caller, gone)).toEqual({ ...nothing, get: 403, put: 403, post: 403, list: 403 });
      expect(await glimpses(caller, coming)).toEqual({
        ...nothing,
        get: 403,
        put: 403,
        post: 403,
        list: 404,
      });
    }
    expect(await glimpses(atelier.admin, coming)).toMatchObject({
      ...nothing,
      get: 403,
      put: 403,
      list: 404,
    });
  });

  test('a deleted tracker shows nothing to anybody', async () => {
    const place = await linked('tracker');
    await store.deleteTracker(place.tracker);
    for (const caller of [owner, member, stranger, atelier.admin])
      expect(await glimpses(caller, place)).toEqual({ ...nothing, get: 403, put: 403, post: 403, list: 404 });
    const own = query({ submitted_by: true });
    expect(idsOf(await owner.get(`/users/self/artifacts?query=${own}`))).not.toContain(place.id);
  });

  test('links to what cannot be seen stay through changes of those who do not see them', async () => {
    const place = await linked('kept');
    await owner.patch(`/projects/${place.project}/settings`, { access: 'private' });
    await setFieldPermissions(owner, hub.links, { can_update: ['2'] });
    await change(stranger, hub.id, [{ field_id: hub.links, links: [] }]);
    expect(await glimpses(member, place)).toMatchObject({ linked: true, reverse: true });
  });

  test('whoever closes an artifact to themselves gets the answer to that, and no other', async () => {
    const perm = (await addField(owner, hub.tracker, { type: 'perm', name: 'perm' })).field_id;
    const closed = { field_id: perm, value: { granted_groups: [`${hub.project}_4`] } };
    const made = await submit(member, hub.tracker, [{ field_id: hub.title, value: 'x' }, closed]);
    expect((await member.get(`/artifacts/${made}`)).status).toBe(403);
    const open = await submit(member, hub.tracker, [{ field_id: hub.title, value: 'x' }]);
    const answer = await change(member, open, [closed]);
    expect(entryOf(answer, perm).granted_groups_ids).toEqual([`${hub.project}_4`]);
    expect((await member.get(`/artifacts/${open}`)).status).toBe(403);
    expect((await member.put(`/artifacts/${open}`, { values: [] })).status).toBe(403);
  });

  test('a closed platform answers 401 to whoever is not logged in', async () => {
    await atelier.configure({ access_mode: 'regular' });
    for (const path of [`/artifacts/${hub.id}`, `/trackers/${hub.tracker}/artifacts`, '/artifacts/99999'])
      expect((await atelier.anonymous.get(path)).status).toBe(401);
    expect((await stranger.get(`/artifacts/${hub.id}`)).status).toBe(200);
    await atelier.configure({ access_mode: 'anonymous' });
  });

  test('restricted accounts see what members see where they are members, or all may come', async () => {
    const [closed, open, own] = [await make('closed'), await make('open'), await make('own')];
    await atelier.configure({ access_mode: 'restricted' });
    const guest = await atelier.createUser('guest', { status: 'R' });
    expect((await owner.patch(`/projects/${open.project}/settings`, { access: 'unrestricted' })).status).toBe(
      200,
    );
    await setMembers(owner, `${own.project}_3`, [owner, guest]);
    const statuses = async ({ id, tracker, title }: Place) => {
      const values = [{ field_id: title, value: `by guest ${Math.random()}` }];
      return [
        (await guest.get(`/artifacts/${id}`)).status,
        (await guest.get(`/trackers/${tracker}/artifacts`)).status,
        (await guest.put(`/artifacts/${id}`, { values })).status,
        (await guest.post('/artifacts', { tracker: { id: tracker }, values })).status,
      ];
    };
    expect(await statuses(closed)).toEqual([403, 403, 403, 403]);
    // Registered users may submit, and somebody from outside with a restricted account is none of them.
    expect(await statuses(open)).toEqual([200, 200, 400, 403]);
    expect(await statuses(own)).toEqual([200, 200, 200, 201]);
    await setFieldPermissions(owner, open.title, { can_submit: ['5'], can_update: ['5'] });
    expect(await statuses(open)).toEqual([200, 200, 200, 201]);
    await owner.patch(`/projects/${own.project}/settings`, { access: 'private-wo-restr' });
    expect(await statuses(own)).toEqual([403, 404, 403, 403]);
    await atelier.configure({ access_mode: 'anonymous' });
  });

  test('a field that may not be read appears nowhere', async () => {
    const every: EveryField = await everyField(owner, hub.project);
    const { ids, tracker } = every;
    const red = valueIds(tracker.fields.find(({ name }) => name === 'sb')!)['red']!;
    await setSemantics(owner, tracker.id, {
      title: { field_id: ids['string'] },
      status: { field_id: ids['sb'], value_ids: [red] },
      contributor: { field_id: ids['sb_users'] },
    });
    const file = await store.addFile(owner.id);
    const id = await submit(owner, tracker.id, [
      { field_id: ids['string'], value: 'sesame' },
      { field_id: ids['text'], value: 'sesame' },
      { field_id: ids['int'], value: 4711 },
      { field_id: ids['date'], value: '2024-03-01' },
      { field_id: ids['sb'], bind_value_ids: [red] },
      { field_id: ids['sb_users'], bind_value_ids: [member.id] },
      { field_id: ids['tbl'], bind_value_ids: ['sesame'] },
      { field_id: ids['file'], value: [file] },
      { field_id: ids['art_link'], links: [{ id: hub.id }] },
      { field_id: ids['computed'], manual_value: 4711 },
    ]);
    const valued = ['string', 'text', 'int', 'date', 'sb', 'sb_users', 'tbl', 'file', 'art_link', 'computed'];
    const others = ['aid', 'subby', 'cross', 'lud', 'perm', 'burndown'];
    for (const name of valued) await setFieldPermissions(owner, ids[name]!, { can_submit: ['2'] });
    for (const name of others)
      await setFieldPermissions(owner, ids[name]!, { can_read: [`${hub.project}_4`] });
    const path = `/artifacts/${id}`;
    const seen = [
      await member.get(`${path}?values_format=all&tracker_structure_format=complete`),
      await member.get(path, { headers: { Accept: 'application/xml' } }),
      await member.get(`/trackers/${tracker.id}/artifacts?values=all`),
      await member.get(`/artifacts?query=${query({ id: [id] })}`),
      await member.get(`/users/self/artifacts?query=${query({ assigned_to: true })}`),
      await member.put(path, { values: [] }),
    ];
    for (const { status, text } of seen) {
      expect(status, text).toBe(200);
      expect(text).not.toContain('sesame');
      expect(text).not.toContain('4711');
    }
    const body = await readArtifact(member, id, '?values_format=all');
    for (const name of [...valued, ...others]) expect(entryOf(body, ids[name])).toBeUndefined();
    for (const name of ['string', 'text', 'int', 'computed', 'aid'])
      expect(body.values_by_field).not.toHaveProperty(name);
    expect(body).toMatchObject({ title: null, status: '', full_status: null, assignees: [] });
    const list = await member.get(`/trackers/${tracker.id}/artifacts?query=${query({ sb: red })}`);
    expect([list.status, sizeOf(list)]).toEqual([200, 1]);
    const none = query({ sb: red + 1 });
    const ignored = await member.get(`/trackers/${tracker.id}/artifacts?query=${none}`);
    expect([ignored.status, sizeOf(ignored)]).toEqual([200, 1]);
    expect((await readArtifact(atelier.admin, id)).title).toBe('sesame');
  });

  test('references and links are told at neither end to those who may not read the field they stand in', async () => {
    const { ids, tracker } = await everyField(owner, hub.project);
    const title = { field_id: ids['string'], value: 'x' };
    const [named, linked] = [
      await submit(owner, tracker.id, [title]),
      await submit(owner, tracker.id, [title]),
    ];
    const source = await submit(owner, tracker.id, [
      title,
      { field_id: ids['text'], value: `art #${named}` },
      { field_id: ids['art_link'], links: [{ id: linked }] },
    ]);
    const others = async (caller: Caller, id: number) =>
      entryOf(await readArtifact(caller as Person, id), ids['cross']).value.map(({ ref }: Value) =>
        Number(ref.split('#')[1]),
      );
    const seen = async (caller: Caller) => [
      await others(caller, source),
      await others(caller, named),
      await others(caller, linked),
    ];
    const all = [[named, linked], [source], [source]];
    for (const caller of [owner, stranger, atelier.anonymous]) expect(await seen(caller)).toEqual(all);
    const hide = (name: string) =>
      setFieldPermissions(owner, ids[name]!, { can_read: [`${hub.project}_4`], can_submit: ['2'] });
    await hide('text');
    expect(await seen(stranger)).toEqual([[linked], [], [source]]);
    await hide('art_link');
    for (const caller of [stranger, atelier.anonymous]) expect(await seen(caller)).toEqual([[], [], []]);
    expect(await seen(owner)).toEqual(all);
  });

  test('update gives the right to read, submit does not', async () => {
    const { id: tracker } = await createTracker(owner, hub.project);
    const title = (await addField(owner, tracker, { type: 'string', name: 'title' })).field_id;
    const id = await submit(owner, tracker, [{ field_id: title, value: 'x' }]);
    await setFieldPermissions(owner, title, { can_submit: ['2'] });
    expect((await readArtifact(member, id)).values).toEqual([]);
    await setFieldPermissions(owner, title, { can_update: [`${hub.project}_3`] });
    expect(entryOf(await readArtifact(member, id), title).value).toBe('x');
    expect((await readArtifact(stranger, id)).values).toEqual([]);
    const values = [{ field_id: title, value: 'y' }];
    expect((await member.post('/artifacts', { tracker: { id: tracker }, values })).status).toBe(403);
    await change(member, id, values);
  });
});
