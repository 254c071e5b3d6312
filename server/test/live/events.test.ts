import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { change, messageOf, submit } from '../fixtures/artifact.ts';
import { Listener } from '../fixtures/events.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

describe.each(usuallyOn('PostgreSQL'))('events on %s', (engine) => {
  let atelier: Atelier;
  /** Administers the project. */
  let alice: Person;
  /** A member. */
  let bob: Person;
  /** Sees public projects only. */
  let carol: Person;
  let project: number;
  let tracker: number;
  let title: number;
  let secret: number;
  let assigned: number;
  let friends: string;
  const listeners: Listener[] = [];

  async function listen(who: Person | undefined, topics: readonly string[], more = {}): Promise<Listener> {
    const listener = await Listener.open(atelier, who, topics, more);
    listeners.push(listener);
    return listener;
  }
  const make = (words: string, by: Person = alice) =>
    submit(by, tracker, [{ field_id: title, value: words }]);
  const set = (id: number, field: number, value: unknown, by: Caller = alice) =>
    change(by, id, [{ field_id: field, value }]);
  /** Something that everybody in the tracker hears of: what comes before it has been told by then. */
  async function lastWord(...all: readonly Listener[]): Promise<void> {
    const id = await make('The last word');
    for (const { events } of all)
      await eventually(() => expect(events.at(-1)).toMatchObject({ uri: `artifacts/${id}` }));
    for (const { events } of all) events.pop();
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_HTTP_THREADS: '2' } });
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'heard')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [bob]);
    tracker = (await createTracker(alice, project, { item_name: 'bug', has_private_comments: true })).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    secret = (await addField(alice, tracker, { type: 'string', name: 'secret' })).field_id;
    const people = { type: 'sb', name: 'assigned', bind: { type: 'users', groups: ['3'] } };
    assigned = (await addField(alice, tracker, people)).field_id;
    await setSemantics(alice, tracker, { title: { field_id: title }, contributor: { field_id: assigned } });
    await setFieldPermissions(alice, secret, {
      can_read: [`${project}_4`],
      can_submit: [`${project}_4`],
      can_update: [`${project}_4`],
    });
  });
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close();
  });
  afterAll(() => atelier?.stop());

  test('17.1 say hello first, and tell a change within 300 ms with its fields, its author and the client', async () => {
    const heard = await listen(bob, [`trackers/${tracker}`]);
    expect(heard.events[0]).toMatchObject({ event: 'hello', topics: [`trackers/${tracker}`] });
    const id = await make('It breaks');
    await eventually(() => expect(heard.news).toHaveLength(1));
    const { headers } = await alice.get(`/artifacts/${id}`);
    const made = heard.news[0];
    expect(made).toMatchObject({ event: 'artifact', uri: `artifacts/${id}`, what: 'created', by: alice.id });
    const naming = {
      body: { values: [{ field_id: title, value: 'Still' }] },
      headers: { 'X-Client-Uuid': 'page-1' },
    };
    const began = performance.now();
    expect((await alice.request('PUT', `/artifacts/${id}`, naming)).status).toBe(200);
    const stored = performance.now();
    await eventually(() => expect(heard.news).toHaveLength(2));
    expect(headers.get('etag')).toContain(made?.event === 'artifact' ? (made.etag ?? '').slice(1, -1) : 'x');
    expect(heard.news[1]).toMatchObject({
      ...{ uri: `artifacts/${id}`, tracker: `trackers/${tracker}`, project: `projects/${project}` },
      ...{ what: 'changed', fields: [title], by: alice.id, client: 'page-1' },
    });
    // A busy machine may take its time; what is held back is held back for seconds.
    expect((heard.times.at(-1) ?? 0) - Math.max(began, stored)).toBeLessThan(1000);
    expect(heard.ids).toEqual(heard.ids.toSorted((left, right) => Number(left) - Number(right)));
  });

  test('tell of what is said, deleted, brought back, moved and put in order', async () => {
    const other = (await createTracker(alice, project)).id;
    const otherTitle = (await addField(alice, other, { type: 'string', name: 'title' })).field_id;
    await setSemantics(alice, other, { title: { field_id: otherTitle } });
    const heard = await listen(bob, [`trackers/${tracker}`]);
    const ids = [await make('One'), await make('Two'), await make('Three')];
    const [one = 0, two = 0, three = 0] = ids;
    await alice.put(`/artifacts/${one}`, { values: [], comment: { body: 'Hear me', format: 'text' } });
    const ranked = { ids: [three, two], direction: 'before', compared_to: one };
    expect((await alice.patch('/artifact_ranks', ranked)).status).toBe(200);
    // Whoever hears later is told where an artifact is by then.
    await eventually(() => expect(heard.news).toHaveLength(5));
    expect((await alice.delete(`/artifacts/${one}`)).status).toBe(200);
    const moving = { move: { tracker_id: other } };
    const moved = await alice.patch(`/artifacts/${two}`, moving);
    expect(moved.status, moved.text).toBe(200);
    await eventually(() => expect(heard.news).toHaveLength(7));
    expect(heard.news.slice(3)).toMatchObject([
      { what: 'commented', uri: `artifacts/${one}`, fields: [] },
      { what: 'ranked', uris: [three, two].map((id) => `artifacts/${id}`).toSorted() },
      { what: 'deleted', uri: `artifacts/${one}`, tracker: `trackers/${tracker}` },
      { what: 'moved', uri: `artifacts/${two}`, tracker: `trackers/${other}`, from: `trackers/${tracker}` },
    ]);
  });

  test('17.1 tell of reports to whom they are for: those of everybody, and one’s own', async () => {
    const [ofAlice, ofBob] = [
      await listen(alice, [`trackers/${tracker}`]),
      await listen(bob, [`trackers/${tracker}`]),
    ];
    const made = await alice.post(`/trackers/${tracker}/tracker_reports`, { label: 'Mine' });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body;
    const uri = `tracker_reports/${id}`;
    await lastWord(ofAlice, ofBob);
    expect(ofBob.news).toEqual([]);
    expect(ofAlice.news).toMatchObject([
      { event: 'report', uri, what: 'created', tracker: `trackers/${tracker}`, by: alice.id },
    ]);
    const shared = await alice.patch(`/${uri}/settings`, { is_public: true });
    expect(shared.status, shared.text).toBe(200);
    expect((await alice.delete(`/${uri}`)).status).toBe(200);
    await lastWord(ofAlice, ofBob);
    expect(ofBob.news).toMatchObject([
      { event: 'report', uri, what: 'changed' },
      { event: 'report', uri, what: 'deleted' },
    ]);
  });

  test('17.1 nobody hears of what they may not read: artifacts, fields, private comments', async () => {
    const [ofAlice, ofBob, ofCarol, ofNobody] = [
      await listen(alice, [`trackers/${tracker}`]),
      await listen(bob, [`trackers/${tracker}`]),
      await listen(carol, [`projects/${project}`]),
      await listen(atelier.admin, [`projects/${project}`]),
    ];
    await atelier.configure({ access_mode: 'regular' });
    const id = await make('Seen by all');
    // A field that only administrators may read.
    await set(id, secret, 'hidden');
    // A comment for friends, and one for administrators.
    const say = (words: string, ugroups: readonly string[]) =>
      alice.post(`/artifacts/${id}/comments`, { body: words, format: 'text', ugroups });
    expect((await say('Between friends', [friends])).status).toBe(201);
    expect((await say('Between administrators', [`${project}_4`])).status).toBe(201);
    await lastWord(ofAlice, ofBob, ofCarol, ofNobody);
    const whats = ({ news }: Listener) =>
      news.map((event) =>
        event.event === 'artifact' ? `${event.what} ${event.fields.includes(secret)}` : event.event,
      );
    expect(whats(ofAlice)).toEqual(['created true', 'changed true', 'commented false', 'commented false']);
    expect(whats(ofNobody)).toEqual(whats(ofAlice));
    expect(whats(ofBob)).toEqual(['created false', 'commented false']);
    expect(whats(ofCarol)).toEqual(['created false']);
  });

  test('nobody hears of links to what they may not see', async () => {
    const links = (await addField(alice, tracker, { type: 'art_link', name: 'links' })).field_id;
    const closed = (await createTracker(alice, project)).id;
    const name = (await addField(alice, closed, { type: 'string', name: 'title' })).field_id;
    await setPermissions(alice, closed, { can_access: [`${project}_4`] });
    const hidden = await submit(alice, closed, [{ field_id: name, value: 'Hidden' }]);
    const [id, other] = [await make('Linked'), await make('Seen')];
    const [ofAlice, ofBob] = [
      await listen(alice, [`trackers/${tracker}`]),
      await listen(bob, [`trackers/${tracker}`]),
    ];
    const linked = (...ids: readonly number[]) => ({
      field_id: links,
      all_links: ids.map((end) => ({ id: end, direction: 'forward', type: '' })),
    });
    await change(alice, id, [linked(hidden)]);
    await change(alice, id, [linked(), { field_id: title, value: 'Not linked' }]);
    await change(alice, id, [linked(hidden, other)]);
    await lastWord(ofAlice, ofBob);
    const fields = ({ news }: Listener) =>
      news.flatMap((event) =>
        event.event === 'artifact' && event.uri === `artifacts/${id}` ? [event.fields.toSorted()] : [],
      );
    expect(fields(ofAlice)).toEqual([[links], [title, links], [links]]);
    expect(fields(ofBob)).toEqual([[title], [links]]);
  });

  test('17.1 rights are asked again when they change, without the stream being opened again', async () => {
    const mine = (await createTracker(alice, project)).id;
    const name = (await addField(alice, mine, { type: 'string', name: 'title' })).field_id;
    const heard = await listen(carol, [`trackers/${mine}`, `projects/${project}`]);
    const ofAlice = await listen(alice, [`trackers/${mine}`]);
    await submit(alice, mine, [{ field_id: name, value: 'First' }]);
    await eventually(() => expect(heard.news.filter(({ event }) => event === 'artifact')).toHaveLength(1));
    await setPermissions(alice, mine, { can_access: [`${project}_3`] });
    const second = await submit(alice, mine, [{ field_id: name, value: 'Second' }]);
    await eventually(() => expect(ofAlice.news.at(-1)).toMatchObject({ uri: `artifacts/${second}` }));
    await lastWord(heard);
    expect(heard.news.filter(({ event }) => event === 'artifact')).toHaveLength(1);
  });

  test('refuse topics one by one, all of them with 403, and bad ones with 400 that names them', async () => {
    const hidden = (await createProject(alice, 'secrecy', { is_public: false })).id;
    const heard = await listen(carol, ['platform', `projects/${project}`, `projects/${hidden}`, 'user']);
    await eventually(() => expect(heard.events).toHaveLength(3));
    expect(heard.events[0]).toMatchObject({ topics: [`projects/${project}`, 'user'] });
    expect(heard.events.slice(1)).toMatchObject([
      { event: 'refused', topic: 'platform' },
      { event: 'refused', topic: `projects/${hidden}` },
    ]);
    const asking = (topics: string) => carol.get(`/events?${topics}`);
    expect((await asking(`topics=platform&topics=projects/${hidden}`)).status).toBe(403);
    expect((await asking('topics=trackers/99999999')).status).toBe(403);
    for (const [topics, words] of [
      ['', 'topics'],
      ['topics=nonsense', 'nonsense'],
      ['topics=trackers/x', 'trackers/x'],
      [Array.from({ length: 500 }, (_, id) => `topics=trackers/${id + 1}`).join('&'), 'Maximum 30'],
      ['topics=user&after=-1', 'after'],
    ] as const) {
      const reply = await asking(topics);
      expect(reply.status, topics.slice(0, 50)).toBe(400);
      expect(messageOf(reply)).toContain(words);
    }
    const wrong = await carol.get('/events?topics=user', { headers: { 'Last-Event-ID': 'x' } });
    expect([wrong.status, messageOf(wrong)]).toEqual([400, expect.stringContaining('Last-Event-ID')]);
  });

  test('17.2 tell again what was missed, and say reset when that cannot be known', async () => {
    const heard = await listen(bob, [`trackers/${tracker}`]);
    await make('Before the cut');
    await eventually(() => expect(heard.news).toHaveLength(1));
    heard.close();
    const last = heard.ids.at(-1);
    const missed = [await make('Missed'), await make('Missed too')];
    const uris = missed.map((id) => ({ uri: `artifacts/${id}` }));
    const byQuery = await listen(bob, [`trackers/${tracker}`], { after: last });
    const byHeader = await listen(bob, [`trackers/${tracker}`], { headers: { 'Last-Event-ID': last } });
    for (const again of [byQuery, byHeader]) await eventually(() => expect(again.news).toMatchObject(uris));
    const lost = await listen(bob, [`trackers/${tracker}`], { after: '12' });
    await eventually(() => expect(lost.news).toMatchObject([{ event: 'reset' }]));
    const id = await make('After all of it');
    for (const all of [byQuery, byHeader, lost])
      await eventually(() => expect(all.news.at(-1)).toMatchObject({ uri: `artifacts/${id}` }));
  });

  test('17.2 more than 1000 missed events are a reset', async () => {
    const heard = await listen(bob, [`trackers/${tracker}`]);
    await make('Known');
    await eventually(() => expect(heard.news).toHaveLength(1));
    const last = Number(heard.ids.at(-1));
    heard.close();
    const values = Array.from(
      { length: 1001 },
      (_, at) => `(${last + 1 + at}, 'standing.changed', '{"accountIds":[]}', 0)`,
    );
    await atelier.sql(
      `insert into event_log (number, kind, payload, created_at) values ${values.join(', ')}`,
    );
    const again = await listen(bob, [`trackers/${tracker}`], { after: String(last) });
    await eventually(() => expect(again.news).toMatchObject([{ event: 'reset' }]));
    const near = await listen(bob, [`trackers/${tracker}`], { after: String(last + 1) });
    await lastWord(near);
    expect(near.news).toEqual([]);
  });

  test('tell one’s own under `user`: what one is to do, wherever it is', async () => {
    const heard = await listen(bob, ['user']);
    const ofAlice = await listen(alice, [`trackers/${tracker}`]);
    const id = await make('For nobody');
    await set(id, title, 'Still for nobody');
    await eventually(() => expect(ofAlice.news).toHaveLength(2));
    await change(alice, id, [{ field_id: assigned, bind_value_ids: [bob.id] }]);
    await eventually(() =>
      expect(heard.news.findLast(({ event }) => event === 'artifact')).toMatchObject({
        uri: `artifacts/${id}`,
        fields: [assigned],
      }),
    );
    // The same is in the inbox.
    await eventually(() => expect(heard.news.map(({ event }) => event)).toContain('notification'));
  });

  test('nobody hears under `user` that a field names them which they may not read', async () => {
    const admins = [`${project}_4`];
    await setFieldPermissions(alice, assigned, { can_read: admins, can_submit: admins, can_update: admins });
    const heard = await listen(bob, ['user']);
    const id = await make('Given to somebody');
    await change(alice, id, [{ field_id: assigned, bind_value_ids: [bob.id] }]);
    await set(id, title, 'Named anew');
    expect((await alice.delete(`/artifacts/${id}`)).status).toBe(200);
    const own = await make('Of Bob', bob);
    await eventually(() => expect(heard.news.at(-1)).toMatchObject({ uri: `artifacts/${own}` }));
    expect(heard.news).toHaveLength(1);
    await setFieldPermissions(alice, assigned, {
      ...{ can_read: ['1'], can_submit: ['2'], can_update: [`${project}_3`] },
    });
  });

  test('P11.6 P1.7 say signed_out when the session or key is over, and end', async () => {
    const signIn = async () => {
      const reply = await atelier.anonymous.request('POST', '/sessions', {
        body: { username: 'bob', password: bob.password },
      });
      expect(reply.status, reply.text).toBe(201);
      return (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    };
    const own = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    const [first, second] = [
      { ...own, Cookie: await signIn() },
      { ...own, Cookie: await signIn() },
    ];
    const heard = await listen(undefined, ['user'], { headers: first });
    const kept = await listen(undefined, ['user'], { headers: second });
    const page = atelier.callerWith(second);
    const { body: sessions } = await page.get('/sessions?limit=50');
    const [oldest] = sessions
      .map(({ id }: { id: number }) => id)
      .toSorted((left: number, right: number) => left - right);
    expect((await page.delete(`/sessions/${oldest}`)).status).toBeLessThan(300);
    await eventually(() => expect(heard.isOver).toBe(true));
    expect(heard.news).toEqual([{ event: 'signed_out' }]);
    expect(kept.isOver).toBe(false);
    const made = await bob.post('/access_keys', { description: 'short' });
    const byKey = await listen(undefined, ['user'], {
      headers: { 'X-Auth-AccessKey': made.body.identifier },
    });
    const { body: keys } = await bob.get(`/users/${bob.id}/access_keys`);
    const { id: short } = keys.find(({ description }: { description: string }) => description === 'short');
    expect((await bob.delete(`/access_keys/${short}`)).status).toBeLessThan(300);
    await eventually(() => expect(byKey.isOver).toBe(true));
    expect(byKey.news.at(-1)).toEqual({ event: 'signed_out' });
  });

  test('17 keep at most 20 streams of one key, and give a place back', async () => {
    const all = [];
    for (let count = 0; count < 20; count++) all.push(await listen(carol, ['user']));
    const refused = await carol.get('/events?topics=user');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await listen(bob, ['user']);
    all[0]?.close();
    await eventually(async () => expect((await carol.get('/events?topics=user')).status).toBe(200));
  });

  test('are not gathered on their way, and HEAD ends at once', async () => {
    const { status, headers } = await bob.request('HEAD', `/events?topics=trackers/${tracker}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-encoding')).toBeNull();
  });

  test.each(['1.1', '1.0'])(
    'go over HTTP/%s on a connection of their own: what else comes over it is nobody’s, and it ends with them',
    async (version) => {
      const { hostname, port } = new URL(atelier.url);
      const made = await bob.post('/access_keys', { description: '' });
      const { identifier } = made.body;
      const [, keyId] = /^tlp-k1-(\d+)\./.exec(identifier) ?? [];
      const line = connect({ host: hostname, port: Number(port) });
      let heard = '';
      line.setEncoding('utf8').on('data', (part: string) => {
        heard += part;
      });
      const ended = once(line, 'end');
      const head = `Host: x\r\nX-Auth-AccessKey: ${identifier}\r\n\r\n`;
      line.write(`GET /api/events?topics=trackers/${tracker} HTTP/${version}\r\n${head}`);
      await eventually(() => expect(heard).toContain('event: hello'));
      line.write(`DELETE /api/artifacts/1 HTTP/1.1\r\n${head}and what is no HTTP at all`.repeat(3));
      const id = await make('Über den Wolken');
      await eventually(() => expect(heard).toContain(`"uri":"artifacts/${id}"`));
      expect((await bob.delete(`/access_keys/${keyId}`)).status).toBeLessThan(300);
      await ended;
      const [headers = '', ...rest] = heard.split('\r\n\r\n');
      expect(headers).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(headers).toMatch(/^Connection: close$/m);
      const body = rest.join('\r\n\r\n');
      // Each piece tells its length in bytes, and the last one that it is the last.
      const pieces = [...body.matchAll(/([\da-f]+)\r\n([^\r]*)\r\n/g)];
      if (version === '1.1') {
        expect(pieces.map(([piece]) => piece).join('')).toBe(body);
        expect(pieces.map(([, length = '']) => Number.parseInt(length, 16))).toEqual(
          pieces.map(([, , text = '']) => Buffer.byteLength(text)),
        );
        expect(body).toMatch(/\r\n0\r\n\r\n$/);
      } else expect(pieces).toEqual([]);
      expect(body).toContain('event: signed_out');
    },
  );

  test('17.2 who does not read is cut off, and nobody else waits for them', async () => {
    const { hostname, port } = new URL(atelier.url);
    const deaf = connect({ host: hostname, port: Number(port) });
    await once(deaf, 'connect');
    deaf.write(
      `GET /api/events?topics=trackers/${tracker} HTTP/1.1\r\nHost: x\r\nX-Auth-AccessKey: ${bob.key}\r\n\r\n`,
    );
    await once(deaf, 'readable');
    deaf.pause();
    const heard = await listen(bob, [`trackers/${tracker}`]);
    let isCut = false;
    deaf.on('close', () => {
      isCut = true;
    });
    deaf.on('error', () => undefined);
    const id = await make('Much to tell');
    await eventually(() => expect(heard.news).toHaveLength(1));
    const from = Number(heard.ids.at(-1)) + 1;
    const facts = `{"artifactIds":[${id}],"trackerIds":[${tracker}],"projectIds":[${project}],"by":0}`;
    // More than the buffers of both ends take.
    const rows = Array.from(
      { length: 300 },
      (_, at) => `(${from + at}, 'artifact.ranked', '${facts}', '${'x'.repeat(60_000)}', 0)`,
    );
    for (let at = 0; at < rows.length; at += 25) {
      await atelier.sql(
        `insert into event_log (number, kind, payload, client, created_at) values ${rows.slice(at, at + 25).join(', ')}`,
      );
      await eventually(() => expect(heard.news).toHaveLength(1 + at + 25));
    }
    deaf.resume();
    await eventually(() => expect(isCut).toBe(true));
    expect(heard.isOver).toBe(false);
  });

  test('17.2 a stop ends them with reset', async () => {
    const heard = await listen(bob, [`trackers/${tracker}`]);
    await atelier.restart();
    await eventually(() => expect(heard.isOver).toBe(true));
    expect(heard.news.at(-1)).toEqual({ event: 'reset' });
  });
});
