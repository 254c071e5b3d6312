import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/notify/public-addresses.ts';
import { asListed, change, entryOf, messageOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { Outgoing, type ReceivedCall, Receiver, until } from '../fixtures/notify.ts';
import { createProject, databaseOf, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  ArchiveBench,
  ArchiveShelf,
  projectXml,
  trackersXml,
  trackerXml,
  usersXml,
} from '../fixtures/project-archive.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['nonsense', false],
  ['93.184.216.34', true],
  ['172.32.0.1', true],
  ['2606:2800:220:1::1', true],
])('the address %s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

/** What a receiver does to know that a call is genuine. */
function signatureOf({ headers, text }: ReceivedCall, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

const engines = oneEngine(
  'PostgreSQL',
  'what is told to whom is decided in code; promises of delivery are in delivery-promises.test.ts, on both',
);

describe.each(engines)('webhooks on %s', (engine) => {
  let atelier: Atelier;
  let receiver: Receiver;
  let outgoing: Outgoing;
  /** Administers the project. */
  let alice: Person;
  /** A member. */
  let bob: Person;
  let project: number;
  let tracker: number;
  let other: number;
  let title: number;
  let otherTitle: number;
  const url = () => `http://${receiver.host}/hook`;

  async function create(caller: Caller, place: string, more: object = {}) {
    const reply = await caller.post(`${place}/webhooks`, { url: url(), ...more });
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  }
  const logOf = async (id: number) => (await alice.get(`/webhooks/${id}/deliveries`)).body;

  beforeAll(async () => {
    receiver = await Receiver.start();
    atelier = await startAtelier(engine);
    outgoing = await Outgoing.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'hooked')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    tracker = (await createTracker(alice, project, { item_name: 'bug' })).id;
    other = (await createTracker(alice, project, { item_name: 'task' })).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    otherTitle = (await addField(alice, other, { type: 'string', name: 'title' })).field_id;
    await atelier.configure({ webhook_hosts: receiver.host });
  });
  afterAll(async () => {
    await outgoing?.close();
    await atelier?.stop();
    await receiver?.stop();
  });
  beforeEach(async () => {
    await outgoing.isEmpty();
    for (const place of [`/projects/${project}`, `/trackers/${tracker}`])
      for (const { id } of (await alice.get(`${place}/webhooks`)).body) await alice.delete(`/webhooks/${id}`);
    receiver.calls.length = 0;
    receiver.answer = (response) => response.end('thanks');
  });

  test('of a change that nobody listens to nothing stays to be done, and no mail is collected', async () => {
    await alice.post('/access_keys', { description: 'one more' });
    await submit(alice, tracker, [{ field_id: title, value: 'Unheard' }]);
    await outgoing.isEmpty();
    await submit(alice, tracker, [{ field_id: title, value: 'Unheard' }]);
    await outgoing.isEmpty();
    expect(await outgoing.events()).toBe(0);
  });

  test('are told of artifacts that are made and changed, signed, as the API shows them to the owner', async () => {
    const { secret, ...hook } = await create(alice, `/trackers/${tracker}`);
    expect(hook).toEqual({
      id: expect.any(Number),
      uri: `webhooks/${hook.id}`,
      project_id: project,
      tracker_id: tracker,
      owner_id: alice.id,
      url: url(),
      events: [
        ...['artifact.created', 'artifact.updated', 'artifact.moved'],
        ...['artifact.deleted', 'artifact.restored', 'comment.edited'],
      ],
      is_enabled: true,
      creation_date: expect.any(String),
    });
    const id = await submit(bob, tracker, [{ field_id: title, value: 'It breaks' }]);
    await submit(bob, other, [{ field_id: otherTitle, value: 'Elsewhere' }]);
    await outgoing.isEmpty();
    expect(receiver.calls).toHaveLength(1);
    const [made] = receiver.calls;
    expect(made).toMatchObject({
      method: 'POST',
      url: '/hook',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-atelier-event': 'artifact.created',
        'webhook-signature': signatureOf(made!, secret),
      },
    });
    expect(Math.abs(Number(made?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(made?.body).toMatchObject({
      event: 'artifact.created',
      webhook_id: hook.id,
      user: { id: bob.id },
    });
    expect(made?.body.artifact).toEqual(asListed(await readArtifact(alice, id)));
    await change(bob, id, [{ field_id: title, value: 'Grüße' }], { comment: { body: 'Hm', format: 'text' } });
    await outgoing.isEmpty();
    const changed = receiver.calls[1];
    const { body: history } = await alice.get(`/artifacts/${id}/changesets?order=desc`);
    expect(changed?.body).toMatchObject({ event: 'artifact.updated', changeset: history[0] });
    expect(changed?.headers['webhook-signature']).toBe(signatureOf(changed!, secret));
    expect(changed?.headers['webhook-id']).not.toBe(made?.headers['webhook-id']);
  });

  test('of a project hear of all its trackers, and only of the events that they want', async () => {
    const { id: hook } = await create(alice, `/projects/${project}`, { events: ['artifact.created'] });
    const id = await submit(bob, tracker, [{ field_id: title, value: 'One' }]);
    await submit(bob, other, [{ field_id: otherTitle, value: 'Two' }]);
    await change(bob, id, [{ field_id: title, value: 'Three' }]);
    await outgoing.isEmpty();
    const heard = receiver.calls.map(({ body }) => body.artifact.tracker.id);
    expect(heard.sort()).toEqual([tracker, other].sort());
    await alice.patch(`/webhooks/${hook}`, { is_enabled: false });
    await submit(bob, tracker, [{ field_id: title, value: 'Four' }]);
    await outgoing.isEmpty();
    expect(receiver.calls).toHaveLength(2);
  });

  test('show nothing that their owner may not see, and nothing at all once they are gone', async () => {
    const carol = await atelier.createUser(`carol${engine.toLowerCase()}`);
    await setMembers(alice, `${project}_4`, [alice, carol]);
    const { id: hook } = await create(carol, `/trackers/${tracker}`);
    const secret = (await addField(alice, tracker, { type: 'string', name: `secret_${engine}` })).field_id;
    await setMembers(alice, `${project}_4`, [alice]);
    await setFieldPermissions(alice, secret, { can_submit: [`${project}_4`], can_update: [`${project}_4`] });
    const id = await submit(alice, tracker, [
      { field_id: title, value: 'Seen' },
      { field_id: secret, value: 'hush' },
    ]);
    await change(alice, id, [{ field_id: secret, value: 'hush, hush' }]);
    await outgoing.isEmpty();
    expect(receiver.calls.map(({ body }) => body.event)).toEqual(['artifact.created']);
    expect(receiver.calls[0]?.text).not.toContain('hush');
    await atelier.admin.patch(`/users/${carol.id}`, { status: 'S' });
    await change(alice, id, [{ field_id: title, value: 'Seen by nobody' }]);
    await outgoing.isEmpty();
    expect(receiver.calls).toHaveLength(1);
    const taken = await alice.patch(`/webhooks/${hook}`, { is_enabled: true });
    expect(taken.body).toMatchObject({ owner_id: alice.id, secret: null });
    const [before] = await logOf(hook);
    expect(before).toMatchObject({ state: 'delivered', body: null });
    expect((await alice.post(`/webhooks/${hook}/deliveries/${before.id}/redeliver`)).status).toBe(400);
    await change(alice, id, [{ field_id: title, value: 'Seen by alice' }]);
    await outgoing.isEmpty();
    expect(receiver.calls.at(-1)?.text).toContain('hush, hush');
  });

  /** A tracker with a title, and its webhook of carol, who may administer it no longer. */
  async function carolsTracker(name: string, more: object = {}) {
    const carol = await atelier.createUser(`${name}${engine.toLowerCase()}`);
    await setMembers(alice, `${project}_4`, [alice, carol]);
    const { id } = await createTracker(alice, project, { item_name: name, ...more });
    const field = (await addField(alice, id, { type: 'string', name: 'title' })).field_id;
    await setSemantics(alice, id, { title: { field_id: field } });
    await create(carol, `/trackers/${id}`);
    await setMembers(alice, `${project}_4`, [alice]);
    return {
      carol,
      id,
      make: (title: string, by = alice) => submit(by, id, [{ field_id: field, value: title }]),
    };
  }
  const heard = () => receiver.calls.map(({ body }) => [body.event, body.artifact.id]);

  test('are not told what waits once the account of their owner cannot be used', async () => {
    const { carol, id, make } = await carolsTracker('lost');
    receiver.answer = (response) => response.writeHead(500).end();
    await make('Waits');
    const [{ id: hook }] = (await alice.get(`/trackers/${id}/webhooks`)).body;
    await until(async () => (await logOf(hook))[0]?.status === 500);
    await atelier.admin.patch(`/users/${carol.id}`, { status: 'S' });
    const tried = (await logOf(hook))[0].attempts;
    await outgoing.isEmpty();
    expect((await logOf(hook))[0]).toMatchObject({
      state: 'failed',
      fault: 'The account of its owner cannot be used, so it is told nothing.',
    });
    expect(receiver.calls.length).toBeLessThanOrEqual(tried + 1);
  });

  test('are told of artifacts that are deleted and brought back', async () => {
    await atelier.configure({ artifact_deletion_limit: 100 });
    const { id: hook } = await create(alice, `/projects/${project}`, {
      events: ['artifact.deleted', 'artifact.restored'],
    });
    await setSemantics(alice, tracker, { title: { field_id: title } });
    const id = await submit(bob, tracker, [{ field_id: title, value: 'Fades away' }]);
    expect((await alice.delete(`/artifacts/${id}`)).status).toBe(200);
    await outgoing.isEmpty();
    const { body: gone } = await alice.get('/deleted_artifacts');
    expect(receiver.calls.map(({ body }) => body)).toEqual([
      {
        event: 'artifact.deleted',
        webhook_id: hook,
        user: expect.objectContaining({ id: alice.id, username: 'alice' }),
        artifact: {
          ...{ id, uri: `artifacts/${id}`, xref: `bug #${id}`, title: 'Fades away' },
          tracker: gone[0].tracker,
        },
      },
    ]);
    expect((await alice.post(`/deleted_artifacts/${id}/restore`)).status).toBe(200);
    await outgoing.isEmpty();
    expect(receiver.calls[1]?.body).toEqual({
      event: 'artifact.restored',
      webhook_id: hook,
      user: receiver.calls[0]?.body.user,
      artifact: asListed(await readArtifact(alice, id)),
    });
  });

  test('hear of a deletion only what their owners could see before', async () => {
    const { carol, id: place, make } = await carolsTracker('gone');
    await setPermissions(alice, place, { can_access_submitted_by_user: ['2'] });
    const hidden = await make('Of alice');
    const own = await make('Of carol', carol);
    const titleless = await make('Of carol, too', carol);
    for (const id of [hidden, own]) await alice.delete(`/artifacts/${id}`);
    await setFieldPermissions(alice, fieldNamed(await readTracker(alice, place), 'title').field_id, {
      can_read: [`${project}_4`],
    });
    await alice.delete(`/artifacts/${titleless}`);
    await outgoing.isEmpty();
    expect(heard().filter(([event]) => event === 'artifact.deleted')).toEqual([
      ['artifact.deleted', own],
      ['artifact.deleted', titleless],
    ]);
    expect(receiver.calls.at(-1)?.body.artifact).toMatchObject({ title: null });
  });

  test('are told of moves on both sides, and nothing of a place that their owner may not see', async () => {
    const { id: from, make } = await carolsTracker('leaving');
    const secret = (await createProject(alice, `secret-${engine.toLowerCase()}`, { is_public: false })).id;
    const { id: to } = await createTracker(alice, secret, { item_name: 'secret' });
    await addField(alice, to, { type: 'string', name: 'title' });
    const id = await make('Goes away');
    await outgoing.isEmpty();
    receiver.calls.length = 0;
    const { id: there } = await create(alice, `/trackers/${to}`);
    expect((await alice.patch(`/artifacts/${id}`, { move: { tracker_id: to } })).status).toBe(200);
    await outgoing.isEmpty();
    const calls = receiver.calls.map(({ body }) => body);
    expect(
      calls
        .filter(({ webhook_id }) => webhook_id === there)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['artifact.moved', 'artifact.updated']);
    const [arrived] = calls.filter(
      ({ event, webhook_id }) => event === 'artifact.moved' && webhook_id === there,
    );
    expect(arrived).toMatchObject({
      user: { id: alice.id },
      artifact: asListed(await readArtifact(alice, id)),
      from: { id: from, uri: `trackers/${from}`, project: { id: project } },
    });
    expect(arrived.changeset.last_comment.body).toContain('was moved from');
    const left = calls.filter(({ webhook_id }) => webhook_id !== there);
    expect(left).toEqual([
      {
        ...{ event: 'artifact.moved', webhook_id: expect.any(Number), user: expect.any(Object) },
        artifact: { id, uri: `artifacts/${id}`, xref: null, title: 'Goes away', tracker: null },
        ...{ changeset: null, from: arrived.from },
      },
    ]);
  });

  test('are told of comments that are edited, where their owner may read them', async () => {
    const { carol, make } = await carolsTracker('said', { has_private_comments: true });
    const id = await make('Spoken about');
    const { body: made } = await bob.post(`/artifacts/${id}/comments`, { body: 'Frist', format: 'text' });
    const address = `/artifacts/${id}/changesets/${made.id}/comment`;
    await outgoing.isEmpty();
    receiver.calls.length = 0;
    const edit = async (body: string, more: object = {}) => {
      const reply = await alice.put(address, { body, format: 'text', ...more });
      expect(reply.status, reply.text).toBe(200);
      await outgoing.isEmpty();
    };
    await edit('First');
    await edit('First');
    const { body: history } = await carol.get(`/artifacts/${id}/changesets?order=desc`);
    expect(receiver.calls.map(({ body }) => body)).toEqual([
      {
        ...{ event: 'comment.edited', webhook_id: expect.any(Number) },
        user: expect.objectContaining({ id: alice.id }),
        artifact: asListed(await readArtifact(carol, id)),
        changeset: history[0],
      },
    ]);
    await edit('Hidden', { ugroups: [`${project}_4`] });
    expect(receiver.calls).toHaveLength(1);
    await edit('', { ugroups: [] });
    expect(receiver.calls[1]?.body.changeset).toMatchObject({ id: made.id, last_comment: { body: '' } });
  });

  test('of a project hear of what is imported into it, once', async () => {
    const { id: hook } = await create(alice, `/projects/${project}`);
    const shelf = new ArchiveShelf();
    const bench = await ArchiveBench.open(atelier.instance);
    try {
      const path = shelf.add({
        'project.xml': projectXml('any', trackersXml(trackerXml('T1', 'arrival', ['One', 'Two']))),
        'users.xml': usersXml([]),
      });
      await bench.import(path, { into: 'hooked' });
    } finally {
      await bench.close();
      shelf.remove();
    }
    await outgoing.isEmpty();
    const { body: all } = await alice.get(`/projects/${project}/trackers?limit=50`);
    const arrived = all.find(({ item_name }: { item_name: string }) => item_name === 'arrival');
    expect(receiver.calls.map(({ body }) => body)).toEqual([
      {
        ...{ event: 'project.imported', webhook_id: hook, user: null, import_id: expect.any(Number) },
        project: expect.objectContaining({ id: project, shortname: 'hooked' }),
        trackers: [expect.objectContaining({ id: arrived.id, uri: `trackers/${arrived.id}` })],
      },
    ]);
  });

  test('of a tracker cannot listen to what concerns none', async () => {
    const { id } = await create(alice, `/trackers/${tracker}`);
    for (const reply of [
      await alice.post(`/trackers/${tracker}/webhooks`, { url: url(), events: ['svn.commit'] }),
      await alice.patch(`/webhooks/${id}`, { events: ['artifact.created', 'project.imported'] }),
    ]) {
      expect(reply.status).toBe(400);
      expect(messageOf(reply)).toMatch(/`events`.*Only webhooks of a project can listen to/);
    }
  });

  test('that fail are called again with the same id and body, and the log tells how it went', async () => {
    const { id: hook } = await create(alice, `/trackers/${tracker}`);
    receiver.answer = (response) =>
      receiver.calls.length === 1
        ? response.writeHead(302, { Location: `http://${receiver.host}/elsewhere` }).end('Away')
        : response.end('x'.repeat(100_000));
    const id = await submit(bob, tracker, [{ field_id: title, value: 'Twice' }]);
    await until(async () => (await logOf(hook))[0]?.status === 302);
    const [waiting] = await logOf(hook);
    expect(waiting).toMatchObject({
      state: 'waiting',
      attempts: 1,
      answer: 'Away',
      due_on: expect.any(String),
    });
    expect(waiting.fault).toContain('302');
    await outgoing.isEmpty();
    const [first, second] = receiver.calls;
    expect(receiver.calls).toHaveLength(2);
    expect(second).toMatchObject({ url: '/hook', text: first?.text });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [done] = await logOf(hook);
    expect(done).toMatchObject({ state: 'delivered', attempts: 2, status: 200, fault: null, due_on: null });
    expect(done.answer).toHaveLength(4096);
    expect(JSON.parse(done.body).artifact.id).toBe(id);

    const again = `/webhooks/${hook}/deliveries/${done.id}/redeliver`;
    expect((await alice.post(again)).status).toBe(202);
    await outgoing.isEmpty();
    expect(receiver.calls[2]).toMatchObject({ text: first?.text });
    expect(receiver.calls[2]?.headers['webhook-id']).toBe(String(done.id));
    expect((await alice.post(`/webhooks/${hook}/deliveries/999999/redeliver`)).status).toBe(404);
  });

  test('that are switched off call nobody, but for a ping, until they are on again', async () => {
    const { id: hook } = await create(alice, `/trackers/${tracker}`);
    receiver.answer = (response, { headers }) =>
      response.writeHead(headers['x-atelier-event'] === 'ping' ? 200 : 500).end();
    await submit(bob, tracker, [{ field_id: title, value: 'Waits' }]);
    await until(async () => (await logOf(hook))[0]?.status === 500);
    await alice.patch(`/webhooks/${hook}`, { is_enabled: false });
    await atelier.sql(`update webhook_delivery set due_at = 1 where webhook_id = ${hook}`);
    receiver.calls.length = 0;
    // The second one would take along what waits, since the receiver is well.
    for (const _ of [1, 2]) {
      await alice.post(`/webhooks/${hook}/ping`);
      await until(async () => (await logOf(hook))[0]?.state === 'delivered');
    }
    const heard = () => receiver.calls.map(({ headers }) => headers['x-atelier-event']);
    expect(heard()).toEqual(['ping', 'ping']);
    expect((await logOf(hook)).at(-1)).toMatchObject({ state: 'waiting', attempts: 1 });

    const late = Date.now() + 3_600_000;
    await atelier.sql(
      `update webhook_delivery set due_at = ${late} where webhook_id = ${hook} and due_at = 1`,
    );
    receiver.answer = (response) => response.end();
    await alice.patch(`/webhooks/${hook}`, { is_enabled: true });
    await outgoing.isEmpty();
    expect(heard()).toEqual(['ping', 'ping', 'artifact.created']);
  });

  test('that turn to another protocol have failed, and are called again', async () => {
    const { id: hook } = await create(alice, `/trackers/${tracker}`);
    receiver.answer = (response) =>
      receiver.calls.length === 1
        ? response.socket?.write('HTTP/1.1 101 Other\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\nWell?')
        : response.end('thanks');
    await alice.post(`/webhooks/${hook}/ping`);
    await until(async () => (await logOf(hook))[0]?.fault !== null);
    expect((await logOf(hook))[0]).toMatchObject({ attempts: 1, fault: 'The receiver gave no answer.' });
    await outgoing.isEmpty();
    expect((await logOf(hook))[0]).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('that said by their status that they took it are not called again, whatever becomes of the rest', async () => {
    const { id: hook } = await create(alice, `/trackers/${tracker}`);
    receiver.answer = (response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('taken', () => response.destroy());
    };
    await alice.post(`/webhooks/${hook}/ping`);
    await until(async () => {
      const [delivery] = await logOf(hook);
      return delivery?.state === 'delivered' || typeof delivery?.fault === 'string';
    });
    expect((await logOf(hook))[0]).toMatchObject({
      ...{ state: 'delivered', attempts: 1, status: 200, fault: null, answer: 'taken' },
    });
  });

  test('are pinged, and their log has pages', async () => {
    const { id: hook, secret } = await create(alice, `/trackers/${tracker}`);
    const { status, body } = await alice.post(`/webhooks/${hook}/ping`);
    expect([status, body]).toEqual([202, { delivery_id: expect.any(Number) }]);
    await outgoing.isEmpty();
    const [call] = receiver.calls;
    expect(call?.body).toEqual({ event: 'ping', webhook_id: hook, project_id: project, tracker_id: tracker });
    const renewed = await alice.patch(`/webhooks/${hook}`, { renew_secret: true });
    expect(renewed.body.secret).toMatch(/^whsec_/);
    expect(renewed.body.secret).not.toBe(secret);
    await alice.post(`/webhooks/${hook}/ping`);
    await outgoing.isEmpty();
    expect(receiver.calls[1]?.headers['webhook-signature']).toBe(
      signatureOf(receiver.calls[1]!, renewed.body.secret),
    );
    const page = await alice.get(`/webhooks/${hook}/deliveries?limit=1&offset=1`);
    expect([sizeOf(page), page.body.length, page.body[0].id]).toEqual([2, 1, body.delivery_id]);
    expect((await alice.get(`/webhooks/${hook}`)).body).not.toHaveProperty('secret');
    const { body: history } = await alice.get(`/projects/${project}/history`);
    expect(JSON.stringify(history[0])).toContain(`webhook ${hook} to ${receiver.host}`);
  });

  test('that hear the same have logs of 200 deliveries each, however their ids lie', async () => {
    const hooks = [await create(alice, `/trackers/${tracker}`), await create(alice, `/trackers/${tracker}`)];
    const database = await databaseOf(atelier);
    const rows = Array.from({ length: 460 }, (_, index) => {
      const now = Date.now();
      const settled = {
        state: 'delivered',
        attempts: 1,
        due_at: null,
        waits_since: now,
        answer: '',
      } as const;
      const told = { event: 'ping', body: '{}', owner_id: alice.id, created_at: now };
      return { webhook_id: hooks[index % 2].id, ...told, ...settled };
    });
    await database
      .transaction((tx) => tx.run(tx.sql.insertInto('webhook_delivery').values(rows)))
      .finally(() => database.close());
    for (const { id } of hooks) await alice.post(`/webhooks/${id}/ping`);
    await outgoing.isEmpty();
    for (const { id } of hooks)
      expect(sizeOf(await alice.get(`/webhooks/${id}/deliveries?limit=1`))).toBe(200);
  });

  test('are for administrators alone', async () => {
    const { id } = await create(alice, `/trackers/${tracker}`);
    expect((await bob.get(`/trackers/${tracker}/webhooks`)).status).toBe(403);
    expect((await bob.get(`/projects/${project}/webhooks`)).status).toBe(403);
    expect((await bob.post(`/projects/${project}/webhooks`, { url: url() })).status).toBe(403);
    for (const refused of [
      await bob.get(`/webhooks/${id}`),
      await bob.patch(`/webhooks/${id}`, { url: url() }),
      await bob.delete(`/webhooks/${id}`),
      await bob.post(`/webhooks/${id}/ping`),
      await bob.get(`/webhooks/${id}/deliveries`),
      await alice.get('/webhooks/999999'),
    ])
      expect(refused.status, refused.text).toBe(404);
    expect((await atelier.anonymous.get(`/webhooks/${id}`)).status).toBe(401);
  });

  test('cannot be sent to private addresses, except those that the platform allows', async () => {
    const place = `/trackers/${tracker}/webhooks`;
    for (const wrong of [
      'http://127.0.0.1:1/',
      `http://localhost:${receiver.port}/`,
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://0x7f.1/',
      'http://[::ffff:10.0.0.1]/',
    ]) {
      const reply = await alice.post(place, { url: wrong });
      expect([wrong, reply.status]).toEqual([wrong, 400]);
      expect(messageOf(reply)).toMatch(/`url`.*private address/);
    }
    for (const wrong of ['ftp://example.com/', 'https://user:word@example.com/', 'nonsense', ''])
      expect((await alice.post(place, { url: wrong })).status, wrong).toBe(400);
    expect((await alice.post(place, { url: url(), events: ['artifact.eaten'] })).status).toBe(400);
    expect((await alice.post(place, { url: url(), events: [] })).status).toBe(400);
    expect((await alice.get(place)).body).toEqual([]);

    const { id: hook } = await create(alice, `/trackers/${tracker}`);
    await atelier.configure({ webhook_hosts: '' });
    await alice.post(`/webhooks/${hook}/ping`);
    await outgoing.isEmpty();
    await atelier.configure({ webhook_hosts: receiver.host });
    expect((await logOf(hook))[0]).toMatchObject({ state: 'failed', attempts: 1 });
    expect(receiver.calls).toEqual([]);
  });

  test('can reach a private host with the usual port, named or not, and settings name nothing that is no host', async () => {
    const place = `/trackers/${tracker}/webhooks`;
    for (const [hosts, url, status] of [
      ['127.0.0.1:80', 'http://127.0.0.1/', 201],
      ['127.0.0.1:80', 'https://127.0.0.1/', 400],
      ['[::1]:443 127.0.0.1', 'https://[::1]/', 201],
    ] as const) {
      await atelier.configure({ webhook_hosts: hosts });
      const made = await alice.post(place, { url });
      expect([hosts, url, made.status]).toEqual([hosts, url, status]);
      if (status === 201) await alice.delete(`/webhooks/${made.body.id}`);
    }
    for (const wrong of [
      'http://ci:8080',
      'ci/build',
      'ci:99999',
      '*.internal',
      '10.0.0.0/8',
      '::1',
      'a@b',
    ]) {
      const reply = await atelier.admin.patch('/platform/settings', { webhook_hosts: `ci, ${wrong}` });
      expect([wrong, reply.status]).toEqual([wrong, 400]);
      expect(messageOf(reply)).toContain('Expecting hosts as host or host:port');
    }
    await atelier.configure({ webhook_hosts: receiver.host });
  });

  test('cannot reach a private address by a name that leads there', async ({ skip }) => {
    const own = await lookup(hostname()).catch(() => undefined);
    if (own === undefined || isPublicAddress(own.address)) return skip();
    const { id: hook } = await create(alice, `/trackers/${tracker}`, {
      url: `http://${hostname()}:${receiver.port}/`,
    });
    await alice.post(`/webhooks/${hook}/ping`);
    await outgoing.isEmpty();
    const [delivery] = await logOf(hook);
    expect(delivery).toMatchObject({ state: 'failed', attempts: 1, status: null });
    expect(delivery.fault).toContain('is a private address');
    expect(receiver.calls).toEqual([]);
  });

  test('tell no sum of what their owner may not see', async () => {
    const effort = async (place: number, type: string) => {
      const { id } = await createTracker(bob, place);
      const field = (await addField(bob, id, { type, name: 'effort' })).field_id;
      const links = (await addField(bob, id, { type: 'art_link', name: 'links' })).field_id;
      return { id, field, links };
    };
    const hidden = (await createProject(bob, `hidden-${engine.toLowerCase()}`, { is_public: false })).id;
    const secret = await effort(hidden, 'int');
    const leaf = await submit(bob, secret.id, [{ field_id: secret.field, value: 4711 }]);
    await setMembers(alice, `${project}_4`, [alice, bob]);
    const own = await effort(project, 'computed');
    await setMembers(alice, `${project}_4`, [alice]);
    await create(alice, `/trackers/${own.id}`);
    const id = await submit(bob, own.id, [{ field_id: own.links, links: [{ id: leaf }] }]);
    await outgoing.isEmpty();
    const [call] = receiver.calls;
    expect(entryOf(call?.body.artifact, own.field)).toMatchObject({ value: null, is_partial: true });
    expect(call?.text).not.toContain('4711');
    expect(entryOf(await readArtifact(bob, id), own.field)).toMatchObject({ value: 4711 });
  });
});
