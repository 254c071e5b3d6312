import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asListed, change, entryOf, readArtifact, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, query, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'whether an answer is still the same is decided in code');

describe.each(engines)('an artifact that somebody has already on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let group: string;
  let every: EveryField;
  let id: number;
  let neighbour: number;
  const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
  const title = (value: string) => entry('string', { value });
  const path = () => `/artifacts/${id}`;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'fresh')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    group = await createGroup(alice, project, 'testers');
    every = await everyField(alice, project);
    // Sums and charts may change with everything; the rest is remembered.
    for (const name of ['computed', 'burndown']) await store.unuse(every.ids[name]!);
    const { string: field_id, sb_users: people } = every.ids;
    await setSemantics(alice, every.tracker.id, {
      title: { field_id },
      contributor: { field_id: people },
    });
    neighbour = await submit(alice, every.tracker.id, [title('neighbour')]);
    id = await submit(alice, every.tracker.id, [
      title('It breaks'),
      entry('sb', { bind_value_ids: [valueIds(fieldNamed(every.tracker, 'sb'))['red']] }),
      entry('sb_users', { bind_value_ids: [bob.id] }),
      entry('perm', { value: { granted_groups: ['1', group] } }),
      entry('art_link', { links: [{ id: neighbour }] }),
    ]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  const etagOf = async (caller: Caller, options = {}) =>
    (await caller.get(path(), options)).headers.get('etag')!;

  test('is 304 with its headers and without a body', async () => {
    const { headers } = await bob.get(path());
    const etag = headers.get('etag')!;
    for (const given of [etag, etag.replaceAll('"', ''), `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await bob.get(path(), { headers: { 'If-None-Match': given } });
      expect([reply.status, reply.text, given]).toEqual([304, '', given]);
      for (const name of ['etag', 'last-modified', 'cache-control', 'vary'])
        expect(reply.headers.get(name)).toBe(headers.get(name));
      for (const name of ['content-type', 'content-length', 'transfer-encoding'])
        expect(reply.headers.get(name)).toBeNull();
      const head = await bob.request('HEAD', path(), { headers: { 'If-None-Match': given } });
      expect([head.status, head.headers.get('etag')]).toEqual([304, etag]);
    }
    for (const given of ['', '"x"', etag.slice(0, -2), etag.split('-')[0]!, `${etag}x`]) {
      const reply = await bob.get(path(), { headers: { 'If-None-Match': given } });
      expect([reply.status, given]).toEqual([200, given]);
    }
  });

  test('is 200 again for another reader, another format and other values', async () => {
    const known = { 'If-None-Match': await etagOf(bob) };
    const xml = { ...known, Accept: 'application/xml' };
    for (const reply of [
      await atelier.anonymous.get(path(), { headers: known }),
      await bob.get(path(), { headers: xml }),
      await bob.get(`${path()}.xml`, { headers: known }),
      await bob.get(`${path()}?values_format=all`, { headers: known }),
      await bob.get(`${path()}?values_format=by_field`, { headers: known }),
      await bob.get(`${path()}?tracker_structure_format=complete`, { headers: known }),
    ]) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toBe('');
    }
    const etag = await etagOf(bob, { headers: { Accept: 'application/xml' } });
    const again = { headers: { 'If-None-Match': etag, Accept: 'application/xml' } };
    expect((await bob.get(path(), again)).status).toBe(304);
    expect((await bob.get(path(), { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  test('is 403 or 404 when it cannot be seen any more, whatever they have', async () => {
    const known = { headers: { 'If-None-Match': '*' } };
    await setPermissions(alice, every.tracker.id, { can_access: [`${project}_4`] });
    expect((await bob.get(path(), known)).status).toBe(403);
    await setPermissions(alice, every.tracker.id, { can_access: ['1'] });
    expect((await bob.get(path(), known)).status).toBe(304);
    expect((await bob.get('/artifacts/99999', known)).status).toBe(404);
  });

  /** The artifact as lists show it to somebody: with all values, without, and in both forms of the values. */
  const listed = async (caller: Caller) => {
    const list = `/trackers/${every.tracker.id}/artifacts`;
    const found = query({ sb_users: bob.id });
    const replies = [
      await caller.get(`${list}?values=all&query=${found}`),
      await caller.get(`${list}?query=${found}`),
      await caller.get(`/artifacts?query=${query({ id: [neighbour, id] })}`),
    ];
    return replies.map(({ status, body, text }) => {
      expect(status, text).toBe(200);
      return (body.collection ?? body).find((one: { id: number }) => one.id === id);
    });
  };
  /** Often enough that it is remembered: what is asked for again is. */
  const listOften = async () => {
    for (let times = 0; times < 2; times++) await listed(bob);
  };

  /** What else an answer shows: each of these changes it, after `look` where that needs to be prepared. */
  const events: Record<string, (look: () => Promise<void>) => Promise<unknown>> = {
    'another artifact links to it': async () => {
      await submit(alice, every.tracker.id, [title('x'), entry('art_link', { links: [{ id }] })]);
    },
    'that link gets a type': async (look) => {
      const links = [{ id, type: '_is_child' }];
      const source = await submit(alice, every.tracker.id, [
        title('x'),
        entry('art_link', { links: [{ id }] }),
      ]);
      await look();
      await change(alice, source, [entry('art_link', { links })]);
    },
    'that link goes': async (look) => {
      const source = await submit(alice, every.tracker.id, [
        title('x'),
        entry('art_link', { links: [{ id }] }),
      ]);
      await look();
      await change(alice, source, [entry('art_link', { links: [] })]);
    },
    'another artifact names it in a line': () => submit(alice, every.tracker.id, [title(`see art #${id}`)]),
    'another artifact names it in a text': async () => {
      const value = { content: `As in art #${id}.`, format: 'text' };
      const source = await submit(alice, every.tracker.id, [title('x')]);
      await change(alice, source, [entry('text', { value })]);
    },
    'another artifact names it in a comment': async () => {
      const source = await submit(alice, every.tracker.id, [title('x')]);
      await change(alice, source, [], { comment: { body: `Like art #${id}`, format: 'text' } });
    },
    'another artifact names it no longer': async (look) => {
      const source = await submit(alice, every.tracker.id, [title(`see art #${id}`)]);
      await look();
      await change(alice, source, [title('see elsewhere')]);
    },
    'its neighbour may not be seen': () =>
      change(alice, neighbour, [entry('perm', { value: { granted_groups: [`${project}_4`] } })]),
    'its neighbour may be seen again': () =>
      change(alice, neighbour, [entry('perm', { value: { granted_groups: [] } })]),
    'its neighbour is assigned to them, who see nothing else there': async (look) => {
      const { id: tracker, people } = await assignedTracker();
      const unseen = await submit(alice, tracker, [{ field_id: people, bind_value_ids: [] }]);
      await change(alice, id, [entry('art_link', { links: [{ id: neighbour }, { id: unseen }] })]);
      await look();
      await change(alice, unseen, [{ field_id: people, bind_value_ids: [bob.id] }]);
    },
    'the tracker of its neighbour is closed': async (look) => {
      const { id: tracker, people } = await assignedTracker();
      const seen = await submit(alice, tracker, [{ field_id: people, bind_value_ids: [bob.id] }]);
      await change(alice, id, [entry('art_link', { links: [{ id: seen }] })]);
      await look();
      await setPermissions(alice, tracker, {});
    },
    'the submitter gets another name': () =>
      atelier.admin.patch(`/users/${alice.id}`, { real_name: 'Alice Wonder' }),
    'somebody in a list gets another name': () =>
      atelier.admin.patch(`/users/${bob.id}`, { real_name: 'Bob Builder' }),
    'the reader wants to see names in another way': () =>
      bob.patch('/users/self/preferences', { key: 'username_display', value: '1' }),
    'the tracker gets another name': () =>
      alice.patch(`/trackers/${every.tracker.id}/settings`, { label: 'Renamed' }),
    'the tracker gets another colour': () =>
      alice.patch(`/trackers/${every.tracker.id}/settings`, { color_name: 'fiesta-red' }),
    'the project gets another name': () => alice.patch(`/projects/${project}/settings`, { label: 'Fresher' }),
    'a value of a list gets another name': async () => {
      const field = every.ids['sb'];
      const value = valueIds(fieldNamed(every.tracker, 'sb'))['red'];
      return alice.patch(`/tracker_fields/${field}/values/${value}`, { label: 'crimson' });
    },
    'a group gets another name': () => alice.patch(`/user_groups/${group}`, { short_name: 'examiners' }),
    'a group goes': () => alice.delete(`/user_groups/${group}`),
    'the platform calls a group something else': () =>
      atelier.admin.patch('/platform/settings', { registered_users_label: 'Everybody here' }),
    'a field may not be read any more': () =>
      setFieldPermissions(alice, every.ids['sb']!, { can_read: [`${project}_4`] }),
    'a field may be read again': () => setFieldPermissions(alice, every.ids['sb']!, { can_read: ['1'] }),
    'a field is taken out of use': () => store.unuse(every.ids['aid']!),
    'the tracker has other semantics': () => setSemantics(alice, every.tracker.id, { title: null }),
    'the reader becomes a project administrator': async (look) => {
      await setFieldPermissions(alice, every.ids['sb']!, { can_read: [`${project}_4`] });
      await look();
      await setMembers(alice, `${project}_4`, [alice, bob]);
    },
  };

  test.each(Object.keys(events))('is 200 again as soon as %s', async (what) => {
    if (what.includes('platform'))
      await change(alice, id, [entry('perm', { value: { granted_groups: ['1', '2'] } })]);
    let before = await bob.get(path());
    const known = () => ({ headers: { 'If-None-Match': before.headers.get('etag')! } });
    const look = async () => {
      before = await bob.get(path());
      expect((await bob.get(path(), known())).status).toBe(304);
      await listOften();
    };
    await look();
    const reply = await events[what]!(look);
    const refusal = (reply as { body?: { error?: unknown } } | undefined)?.body?.error;
    expect(refusal).toBeUndefined();
    const after = await bob.get(path());
    const asked = await bob.get(path(), known());
    expect([after.status, asked.status]).toEqual([200, 200]);
    expect(after.text).not.toBe(before.text);
    expect(asked.text).toBe(after.text);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    // Lists, which were shown before, too, tell the same, at once and when they are remembered anew.
    const { body: both } = await bob.get(`${path()}?values_format=all`);
    const now = [asListed(after.body), { ...asListed(after.body), values: null }, asListed(both)];
    expect(await listed(bob)).toEqual(now);
    await listOften();
    expect(await listed(bob)).toEqual(now);
  });

  test('P19.3 is not in lists any more once it cannot be seen or is gone, however often they were asked for', async () => {
    const gone = await submit(alice, every.tracker.id, [title('gone soon')]);
    const list = (caller: Caller) =>
      caller
        .get(`/trackers/${every.tracker.id}/artifacts?values=all&limit=1000`)
        .then(({ body }) => body.map(({ id: one }: { id: number }) => one));
    const seen = async (caller: Caller) => {
      for (let times = 0; times < 4; times++) await list(caller);
      return (await list(caller)).includes(gone);
    };
    expect([await seen(bob), await seen(alice)]).toEqual([true, true]);
    await setMembers(alice, `${project}_4`, [alice]);
    await change(alice, gone, [entry('perm', { value: { granted_groups: [`${project}_4`] } })]);
    expect([await seen(bob), await seen(alice)]).toEqual([false, true]);
    await change(alice, gone, [entry('perm', { value: { granted_groups: [] } })]);
    expect([await seen(bob), await seen(alice)]).toEqual([true, true]);
    expect((await alice.delete(`/artifacts/${gone}`)).status).toBe(200);
    expect([await seen(bob), await seen(alice)]).toEqual([false, false]);
  });

  test('P19.3 lists have the same bytes however often they are asked for, in JSON and in XML', async () => {
    const list = `/trackers/${every.tracker.id}/artifacts?values=all&limit=1000`;
    await change(alice, id, [title('Größe → ∞ 💡')]);
    for (const Accept of ['application/json', 'application/xml']) {
      const replies = [];
      for (let times = 0; times < 5; times++) replies.push(await bob.get(list, { headers: { Accept } }));
      const [first] = replies;
      for (const { text, headers: told } of replies) {
        expect(text).toBe(first?.text);
        expect(text).toContain('Größe → ∞ 💡');
        expect(told.get('content-length')).toBe(first?.headers.get('content-length'));
        expect(told.get('x-pagination-size')).toBe(first?.headers.get('x-pagination-size'));
      }
    }
  });

  /** Lets people see the artifacts only that are assigned to project members. */
  async function assignedTracker() {
    const { id: tracker } = await createTracker(alice, project);
    const people = await addField(alice, tracker, { type: 'sb', bind: { type: 'users' } });
    await setSemantics(alice, tracker, { contributor: { field_id: people.field_id } });
    await setPermissions(alice, tracker, { can_access_assigned_to_group: [`${project}_3`] });
    return { id: tracker, people: people.field_id };
  }

  test('is 200 again as soon as a number far away changes that it sums up', async () => {
    const { id: tracker } = await createTracker(alice, project);
    const effort = (await addField(alice, tracker, { type: 'computed', name: 'effort' })).field_id;
    const links = (await addField(alice, tracker, { type: 'art_link', name: 'links' })).field_id;
    const leaf = await submit(alice, tracker, [{ field_id: effort, manual_value: 3 }]);
    const branch = await submit(alice, tracker, [{ field_id: links, links: [{ id: leaf }] }]);
    const root = await submit(alice, tracker, [{ field_id: links, links: [{ id: branch }] }]);
    const get = (headers = {}) => bob.get(`/artifacts/${root}`, { headers });
    const before = await get();
    const known = { 'If-None-Match': before.headers.get('etag')! };
    expect([(await get()).text, (await get(known)).status]).toEqual([before.text, 304]);
    await change(alice, leaf, [{ field_id: effort, manual_value: 4 }]);
    const after = await get(known);
    expect(after.status).toBe(200);
    expect([before, after].map(({ body }) => entryOf(body, effort).value)).toEqual([3, 4]);
    expect((await get()).text).toBe(after.text);
  });

  test('keeps its version through all that is around it', async () => {
    const version = (await etagOf(bob)).split('-')[0];
    await submit(alice, every.tracker.id, [title('x'), entry('art_link', { links: [{ id }] })]);
    const now = await bob.get(path());
    expect(now.headers.get('etag')?.split('-')[0]).toBe(version);
    const comment = { body: 'Still valid', format: 'text' };
    const headers = { 'If-Match': now.headers.get('etag')! };
    const body = { values: [], comment };
    expect((await bob.request('PUT', path(), { body, headers })).status).toBe(200);
    await readArtifact(bob, id);
  });
});
