import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalid } from '../../src/kernel/errors.ts';
import { joinNotifications } from '../../src/notify/notifications.ts';
import { nextDigest } from '../../src/notify/wishes.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { MailServer, Outgoing, until } from '../fixtures/notify.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { saveReport } from '../fixtures/report.ts';
import { addField, createTracker, setFieldPermissions, setSemantics, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

test('mails that sum up are due in the morning, of the next day or the next Monday', () => {
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();
  const sunday = at(2026, 10, 15, 12, 0);
  expect(nextDigest('daily', sunday)).toBe(at(2026, 10, 16, 7, 0));
  expect(nextDigest('weekly', sunday)).toBe(at(2026, 10, 16, 7, 0));
  expect(nextDigest('daily', at(2026, 10, 16, 6, 59))).toBe(at(2026, 10, 16, 7, 0));
  expect(nextDigest('daily', at(2026, 10, 16, 7, 0))).toBe(at(2026, 10, 17, 7, 0));
  expect(nextDigest('weekly', at(2026, 10, 16, 7, 0))).toBe(at(2026, 10, 23, 7, 0));
});

const engines = oneEngine(
  'PostgreSQL',
  'whom something is told, and why, is decided in code; what is listed is one statement for both',
);

describe.each(engines)('the inbox on %s', (engine) => {
  let atelier: Atelier;
  let outgoing: Outgoing;
  let post: MailServer;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dave: Person;
  let project: number;
  let tracker: number;
  let status: Record<string, number>;
  let friends: string;
  const fields: Record<string, number> = {};
  const set = (name: string, value: unknown) => ({ field_id: fields[name], value });
  const assigned = (...people: Person[]) => ({
    field_id: fields['assigned'],
    bind_value_ids: people.map(({ id }) => id),
  });
  const state = (label: string) => ({ field_id: fields['status'], bind_value_ids: [status[label]] });
  const say = async (person: Person, id: number, body: string, more: object = {}) => {
    const reply = await person.post(`/artifacts/${id}/comments`, { body, format: 'text', ...more });
    expect(reply.status, reply.text).toBe(201);
  };
  const list = async (person: Caller, query = '') => {
    const reply = await person.get(`/users/self/notifications${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get('x-pagination-size')).toBe(String(reply.body.length));
    return reply.body;
  };
  const of = async (person: Caller, id: number) => (await list(person, `?artifact_id=${id}`))[0];
  const unread = async (person: Caller): Promise<number> =>
    (await person.get('/users/self/standing')).body.unread_notifications;
  const patch = async (person: Caller, body: object) => {
    const reply = await person.patch('/users/self/notifications', body);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  /** Everything is done, so that a test begins with an empty inbox. */
  const clear = async (...people: Person[]) => {
    await outgoing.isEmpty();
    for (const person of people) await patch(person, { until: '2100-01-01', is_done: true, is_read: true });
  };
  /** As a page of the server itself asks. */
  async function signIn({ name, password }: Person): Promise<Caller> {
    const { headers } = await atelier.anonymous.post('/sessions', { username: name, password });
    const Cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return atelier.callerWith({ Cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' });
  }

  beforeAll(async () => {
    post = await MailServer.start();
    atelier = await startAtelier(engine, { env: { ATELIER_SMTP_URL: post.url } });
    outgoing = await Outgoing.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    dave = await atelier.createUser('dave');
    project = (await createProject(alice, 'shop', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob, carol]);
    friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [carol]);
    const made = await createTracker(alice, project, { item_name: 'bug', has_private_comments: true });
    tracker = made.id;
    const add = async (field: { type: string; name: string } & Record<string, unknown>) => {
      const element = await addField(alice, tracker, field);
      fields[field.name] = element.field_id;
      return element;
    };
    await add({ type: 'string', name: 'title', label: 'Title' });
    await add({ type: 'string', name: 'secret', label: 'Secret' });
    await add({
      type: 'msb',
      name: 'assigned',
      label: 'Assigned to',
      bind: { type: 'users', groups: ['3'] },
    });
    const values = ['Open', 'Closed'].map((label) => ({ label }));
    const statuses = await add({
      type: 'sb',
      name: 'status',
      label: 'Status',
      bind: { type: 'static', values },
    });
    status = valueIds(statuses);
    await setFieldPermissions(alice, fields['secret']!, {
      can_submit: [`${project}_4`],
      can_update: [`${project}_4`],
    });
    await setSemantics(alice, tracker, {
      title: { field_id: fields['title'] },
      contributor: { field_id: fields['assigned'] },
      status: { field_id: fields['status'], value_ids: [status['Open']] },
    });
  });
  afterAll(async () => {
    await outgoing?.close();
    await atelier?.stop();
    await post?.stop();
  });

  test('a change that concerns thousands of people comes into all their inboxes, and another one joins it', async () => {
    const artifactId = await submit(alice, tracker, [set('title', 'For everybody')]);
    await clear(alice);
    const { folder, environment } = atelier.instance;
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    const database = await openDatabase({ folder, databaseUrl, connections: 1 });
    try {
      const columns = [
        ...(['id', 'name', 'name_key', 'real_name', 'email'] as const),
        ...(['status', 'search_text', 'created_at'] as const),
      ];
      const told = {
        changesetId: 1,
        reason: 'watcher',
        by: 0,
        at: 1,
        fieldIds: [],
        hasComment: false,
      } as const;
      const work = database.transaction(async (tx) => {
        const ids = await tx.newIds('account', 6000);
        const people = ids.map((id) => [id, `m${id}`, `m${id}`, `M ${id}`, '', 'A', `m${id}`, 0]);
        await tx.insertMany('account', columns, people);
        const orders = ids.map((accountId) => ({ accountId, artifactId, ...told }));
        const last = orders.slice(-1);
        await joinNotifications(tx, [...orders, ...last, { ...told, accountId: 1, artifactId: 999_999 }]);
        await joinNotifications(tx, last);
        const entries = tx.sql.selectFrom('notification').select('change_count');
        const counts = await tx.all(entries.where('artifact_id', '=', artifactId).orderBy('account_id'));
        expect(counts.map(({ change_count }) => change_count)).toEqual([...Array(5999).fill(1), 3]);
        throw invalid('Nothing of it stays.');
      });
      await expect(work).rejects.toThrow('Nothing of it stays.');
    } finally {
      await database.close();
    }
  });

  test('has one entry for each artifact, which later changes join', async () => {
    const id = await submit(alice, tracker, [set('title', 'Basket'), state('Open'), assigned(bob)]);
    await outgoing.isEmpty();
    const entry = await of(bob, id);
    expect(entry).toMatchObject({
      uri: `notifications/${entry.id}`,
      reason: 'assigned',
      is_read: false,
      read_date: null,
      is_done: false,
      snoozed_until: null,
      count: 1,
      artifact: {
        id,
        uri: `artifacts/${id}`,
        xref: `bug #${id}`,
        title: 'Basket',
        full_status: { value: 'Open' },
        tracker: { id: tracker },
        project: { id: project },
      },
      by: [{ id: alice.id }],
      changes: [],
      excerpt: null,
    });
    expect(entry.first_changeset_id).toBe(entry.last_changeset_id);
    expect(await unread(bob)).toBe(1);
    // One's own changes are not told, neither to whoever made them nor as a second entry.
    expect(await of(alice, id)).toBeUndefined();
    await change(carol, id, [state('Closed'), set('title', 'The basket')]);
    await outgoing.isEmpty();
    await say(alice, id, 'Look at\nthis, @bob');
    await outgoing.isEmpty();
    const joined = await of(bob, id);
    expect(joined).toMatchObject({
      id: entry.id,
      reason: 'mention',
      count: 3,
      by: [{ id: alice.id }, { id: carol.id }],
      changes: ['Title', 'Status'],
      excerpt: 'Look at this, @bob',
      first_changeset_id: entry.first_changeset_id,
    });
    expect(joined.last_changeset_id).toBeGreaterThan(entry.last_changeset_id);
    expect(await unread(bob)).toBe(1);
    // The submitter hears of what others did.
    expect(await of(alice, id)).toMatchObject({ reason: 'submitted', by: [{ id: carol.id }] });
    // After it was read, what was told before is not told again.
    await patch(bob, { ids: [entry.id], is_read: true });
    expect(await unread(bob)).toBe(0);
    await change(carol, id, [state('Open')]);
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({
      id: entry.id,
      is_read: false,
      count: 1,
      reason: 'assigned',
      by: [{ id: carol.id }],
      changes: ['Status'],
      excerpt: null,
    });
  });

  test('is narrowed by state, reason and project, and turned like a page', async () => {
    await clear(bob);
    const mine = await submit(alice, tracker, [set('title', 'Mine'), assigned(bob)]);
    const named = await submit(alice, tracker, [set('title', 'Named')]);
    await say(alice, named, 'Hello @bob');
    await outgoing.isEmpty();
    const titles = async (query: string) =>
      (await list(bob, query)).map(({ artifact }: { artifact: { title: string } }) => artifact.title);
    expect(await titles('?state=inbox')).toEqual(['Named', 'Mine']);
    expect(await titles('?state=unread&reason=mention')).toEqual(['Named']);
    expect(await titles(`?state=inbox&project_id=${project}`)).toEqual(['Named', 'Mine']);
    expect(await titles('?state=inbox&project_id=999999')).toEqual([]);
    const { body, headers } = await bob.get('/users/self/notifications?state=inbox&limit=1&offset=1');
    expect([body.length, body[0].artifact.id, headers.get('x-pagination-size')]).toEqual([1, mine, '2']);
    for (const wrong of ['state=all', 'reason=asked', 'limit=101', 'project_id=x'])
      expect((await bob.get(`/users/self/notifications?${wrong}`)).status).toBe(400);
    expect((await carol.get(`/users/${bob.id}/notifications`)).status).toBe(403);
    expect((await atelier.anonymous.get('/users/self/notifications')).status).toBe(401);
  });

  test('is read, done and put off, and all of that can be taken back', async () => {
    await clear(bob);
    const first = await submit(alice, tracker, [set('title', 'First'), assigned(bob)]);
    await submit(alice, tracker, [set('title', 'Second'), assigned(bob)]);
    await outgoing.isEmpty();
    const { id } = await of(bob, first);
    const sizes = async () => {
      const states = ['inbox', 'unread', 'snoozed', 'done'];
      const all = await Promise.all(states.map((name) => list(bob, `?state=${name}&limit=100`)));
      return all.map((entries) => entries.length);
    };
    const [, , , done] = await sizes();
    expect(await sizes()).toEqual([2, 2, 0, done]);
    expect(await patch(bob, { ids: [id], is_done: true })).toEqual({ unread: 1 });
    expect(await sizes()).toEqual([1, 1, 0, done! + 1]);
    // Taken back, it is as unread as it was.
    expect(await patch(bob, { ids: [id], is_done: false })).toEqual({ unread: 2 });
    expect(await patch(bob, { artifact_id: first, is_read: true })).toEqual({ unread: 1 });
    expect(await patch(bob, { ids: [id], is_read: false })).toEqual({ unread: 2 });
    expect(await patch(bob, { ids: [id], snoozed_until: '2099-01-01T08:00:00+01:00' })).toEqual({
      unread: 1,
    });
    expect(await sizes()).toEqual([1, 1, 1, done]);
    expect((await of(bob, first)).snoozed_until).toBe('2099-01-01T08:00:00+01:00');
    // Everything in the inbox, which what is put off is not.
    expect(await patch(bob, { until: '2098-01-01', is_done: true })).toEqual({ unread: 0 });
    expect(await sizes()).toEqual([0, 0, 1, done! + 1]);
    expect(await patch(bob, { ids: [id], snoozed_until: null })).toEqual({ unread: 1 });
    const refused = async (body: object, status: number, words: string) => {
      const reply = await bob.patch('/users/self/notifications', body);
      expect([reply.status, reply.body.error.message]).toEqual([status, expect.stringContaining(words)]);
    };
    await refused({ is_read: true }, 400, '`until`');
    await refused({ ids: [id] }, 400, '`is_done`');
    await refused({ ids: [id], snoozed_until: '2020-01-01' }, 400, '`snoozed_until`');
    await refused({ ids: [id], snoozed_until: 'tomorrow' }, 400, '`snoozed_until`');
    await refused({ until: 'now', is_read: true }, 400, '`until`');
    await refused({ ids: [id], is_done: true, snoozed_until: '2099-01-01' }, 400, '`snoozed_until`');
    await refused({ ids: ['x'], is_read: true }, 400, 'ids');
    await refused({ ids: [id, 987654], is_read: true }, 404, '987654');
    expect((await carol.patch('/users/self/notifications', { ids: [id], is_read: true })).status).toBe(404);
    expect((await carol.patch(`/users/${bob.id}/notifications`, { ids: [id], is_read: true })).status).toBe(
      403,
    );
    expect(await of(bob, first)).toMatchObject({ is_read: false });
  });

  test('gets back unread what was put off, when its time is over', async () => {
    const id = await submit(alice, tracker, [set('title', 'Later'), assigned(bob)]);
    await outgoing.isEmpty();
    await patch(bob, { artifact_id: id, is_read: true });
    await patch(bob, { artifact_id: id, snoozed_until: '2099-01-01' });
    await atelier.sql(`update notification set snoozed_until = ${Date.now() - 1} where artifact_id = ${id}`);
    await until(async () => (await of(bob, id)).snoozed_until === null);
    expect(await of(bob, id)).toMatchObject({ is_read: false, is_done: false });
    // It stands above what came meanwhile.
    expect((await list(bob, '?state=inbox&limit=100'))[0].artifact.id).toBe(id);
    // A change ends it too: what is new is not put off.
    await patch(bob, { artifact_id: id, snoozed_until: '2099-01-01' });
    await say(carol, id, 'News');
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({ snoozed_until: null, is_read: false });
  });

  test('is read by looking at the artifact in the pages, and not by a script', async () => {
    const id = await submit(alice, tracker, [set('title', 'Looked at'), assigned(bob)]);
    await outgoing.isEmpty();
    const before = await unread(bob);
    await bob.get(`/artifacts/${id}`);
    expect(await of(bob, id)).toMatchObject({ is_read: false });
    const browser = await signIn(bob);
    await browser.get(`/artifacts/${id}`);
    await until(async () => (await of(bob, id)).is_read);
    expect((await of(bob, id)).read_date).toMatch(/^20/);
    expect(await unread(bob)).toBe(before - 1);
  });

  test('tells nobody of what they may not see, and forgets what they do not see any more', async () => {
    await clear(bob, carol);
    const id = await submit(alice, tracker, [set('title', 'Rights'), assigned(bob, carol)]);
    await clear(bob, carol);
    await change(alice, id, [set('secret', 'Hidden')]);
    await say(alice, id, 'For friends', { ugroups: [friends] });
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({ is_done: true });
    expect(await of(carol, id)).toMatchObject({ is_done: false, excerpt: 'For friends', changes: [] });
    // What was told is told with the rights of now.
    await setMembers(alice, friends, []);
    expect(await of(carol, id)).toMatchObject({ excerpt: null });
    await setMembers(alice, friends, [carol]);
    await dave.put(`/artifacts/${id}/watching`, { is_watching: true });
    await setMembers(alice, `${project}_3`, [alice, bob]);
    expect(await list(carol)).toEqual([]);
    expect(await unread(carol)).toBe(0);
    await setMembers(alice, `${project}_3`, [alice, bob, carol]);
    expect(await unread(carol)).toBe(1);
  });

  test('tells nobody that a status has changed which they may not read, where it tells of nothing else', async () => {
    await setMembers(alice, friends, [carol]);
    const id = await submit(alice, tracker, [set('title', 'Quiet'), assigned(bob, carol)]);
    await clear(bob, carol);
    const level = (notification_level: number) =>
      alice.patch(`/trackers/${tracker}/settings`, { notification_level });
    expect((await level(2)).status).toBe(200);
    const those = [friends, `${project}_4`];
    await setFieldPermissions(alice, fields['status']!, {
      can_read: those,
      can_submit: those,
      can_update: those,
    });
    await change(alice, id, [set('title', 'Still quiet')]);
    await change(alice, id, [set('title', 'Closed'), state('Closed')]);
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({ is_done: true });
    expect(await of(carol, id)).toMatchObject({ is_done: false, count: 1, changes: ['Title', 'Status'] });
    await level(0);
    const all = { can_read: ['1'], can_submit: ['2'], can_update: [`${project}_3`] };
    await setFieldPermissions(alice, fields['status']!, all);
  });

  test('hears of every new artifact of a watched tracker, and of nothing that is muted', async () => {
    await clear(bob);
    await bob.put(`/trackers/${tracker}/watching`, { is_watching: true });
    const id = await submit(alice, tracker, [set('title', 'New')]);
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({ reason: 'watching', changes: [], excerpt: null });
    await bob.put(`/trackers/${tracker}/watching`, { is_muted: true });
    const quiet = await submit(alice, tracker, [set('title', 'Muted'), assigned(bob)]);
    await outgoing.isEmpty();
    expect(await of(bob, quiet)).toBeUndefined();
    await bob.put(`/trackers/${tracker}/watching`, { is_watching: false, is_muted: false });
    await bob.put(`/artifacts/${quiet}/watching`, { is_muted: true });
    await say(alice, quiet, 'Psst @bob');
    await outgoing.isEmpty();
    expect(await of(bob, quiet)).toBeUndefined();
    await bob.put(`/artifacts/${quiet}/watching`, { is_muted: false });
  });

  test('follows what somebody wishes for each reason', async () => {
    const wishes = async () => (await bob.get('/users/self/notification_wishes')).body;
    const both = { inbox: true, mail: true };
    const usual = {
      reasons: {
        ...{ mention: both, assigned: both, chosen: both, commented: both, submitted: both, watching: both },
        search: both,
      },
      digest: 'none',
    };
    expect(await wishes()).toEqual(usual);
    const put = (body: object) => bob.put('/users/self/notification_wishes', body);
    expect((await put({ reasons: { assigned: { inbox: false } } })).body.reasons.assigned).toEqual({
      ...{ inbox: false, mail: true },
    });
    const id = await submit(alice, tracker, [set('title', 'Wished'), assigned(bob)]);
    await outgoing.isEmpty();
    expect(await of(bob, id)).toBeUndefined();
    expect(post.to('bob').at(-1)?.subject).toContain('Wished');
    // Another reason that is wished for is enough.
    await bob.put(`/artifacts/${id}/watching`, { is_watching: true });
    await put({ reasons: { assigned: { mail: false }, watching: { mail: false } } });
    const mails = post.to('bob').length;
    await change(alice, id, [state('Closed')]);
    await outgoing.isEmpty();
    expect(await of(bob, id)).toMatchObject({ reason: 'watching' });
    expect(post.to('bob')).toHaveLength(mails);
    for (const wrong of [{ digest: 'hourly' }, { reasons: { mention: { inbox: 'yes' } } }])
      expect((await put(wrong)).status).toBe(400);
    for (const unknown of ['__proto__', 'constructor', 'nonsense']) {
      const refused = await put(JSON.parse(`{"reasons": {"${unknown}": {"inbox": false}}}`));
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`reasons[${unknown}]`)]);
    }
    expect((await carol.put(`/users/${bob.id}/notification_wishes`, { digest: 'daily' })).status).toBe(403);
    expect((await carol.get(`/users/${bob.id}/notification_wishes`)).status).toBe(403);
    await put({ reasons: usual.reasons });
    expect(await wishes()).toEqual(usual);
  });

  test('comes as one mail a day for whoever asks for that', async () => {
    await outgoing.isEmpty();
    post.clear();
    await carol.put('/users/self/notification_wishes', { digest: 'daily' });
    const one = await submit(alice, tracker, [set('title', 'Summed'), assigned(carol)]);
    const other = await submit(alice, tracker, [set('title', 'Up'), assigned(carol)]);
    await say(alice, one, 'What do you think?');
    await change(alice, other, [set('secret', 'Hidden')]);
    await outgoing.isEmpty();
    expect(post.to('carol')).toEqual([]);
    const due = await atelier.sql('select due_at from digest_item');
    // Of what is hidden from her nothing waits, so that nothing counts it.
    expect(due).toHaveLength(3);
    for (const { due_at } of due) expect(Number(due_at)).toBeGreaterThan(Date.now());
    await atelier.sql('update digest_item set due_at = 0');
    await until(() => post.to('carol').length > 0);
    await outgoing.isEmpty();
    const [mail, ...more] = post.to('carol');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('3 changes since the last mail');
    expect(mail?.text).toContain('"Summed"');
    expect(mail?.text).toContain('What do you think?');
    expect(mail?.text).toContain('"Up"');
    expect(mail?.text).not.toContain('Hidden');
    expect(mail?.text).toContain('/account/notifications');
    // What waits is not lost when somebody wants mails at once again.
    await change(alice, one, [state('Closed')]);
    await outgoing.isEmpty();
    await carol.put('/users/self/notification_wishes', { digest: 'none' });
    await until(() => post.to('carol').length === 2);
    expect(post.to('carol')[1]?.subject).toBe('One change since the last mail');
  });

  test('says in the mail of a day how many changes are too many for it', async () => {
    await outgoing.isEmpty();
    post.clear();
    await carol.put('/users/self/notification_wishes', { digest: 'daily' });
    const long = await submit(alice, tracker, [set('title', 'Long'), assigned(carol)]);
    for (let told = 0; told < 56; told += 8)
      await Promise.all(Array.from({ length: 8 }, () => say(alice, long, 'word '.repeat(800))));
    await outgoing.isEmpty();
    await atelier.sql('update digest_item set due_at = 0');
    await until(() => post.to('carol').length > 0);
    const [mail] = post.to('carol');
    expect(mail?.subject).toBe('57 changes since the last mail');
    expect(mail?.text).toContain('    word word');
    expect(mail?.text).toMatch(/^And \d more changes: .*\/inbox$/m);
    expect(mail?.text.length).toBeLessThan(210_000);
    await carol.put('/users/self/notification_wishes', { digest: 'none' });
  });

  test('counts in the mail of a day nothing that somebody may not see any more', async () => {
    await outgoing.isEmpty();
    post.clear();
    await carol.put('/users/self/notification_wishes', { digest: 'daily' });
    const ugroups = [friends];
    const first = await submit(alice, tracker, [set('title', 'First'), assigned(carol)]);
    for (let told = 0; told < 208; told += 8)
      await Promise.all(Array.from({ length: 8 }, () => say(alice, first, 'Among us', { ugroups })));
    await submit(alice, tracker, [set('title', 'Last'), assigned(carol)]);
    await outgoing.isEmpty();
    await setMembers(alice, friends, []);
    await atelier.sql('update digest_item set due_at = 0');
    await until(() => post.to('carol').length > 0);
    const [mail] = post.to('carol');
    expect(mail?.subject).toBe('2 changes since the last mail');
    expect(mail?.text).toMatch(/"First"[\s\S]*"Last"/);
    expect(mail?.text).not.toMatch(/Among us|more changes/);
    await setMembers(alice, friends, [carol]);
    await carol.put('/users/self/notification_wishes', { digest: 'none' });
  });

  test('loses what was done 90 days ago or read 180 days ago, and what is about deleted artifacts', async () => {
    const [done, read, fresh, gone] = [
      await submit(alice, tracker, [set('title', 'Done'), assigned(bob)]),
      await submit(alice, tracker, [set('title', 'Read'), assigned(bob)]),
      await submit(alice, tracker, [set('title', 'Fresh'), assigned(bob)]),
      await submit(alice, tracker, [set('title', 'Gone'), assigned(bob)]),
    ];
    await outgoing.isEmpty();
    const days = (count: number) => Date.now() - count * 24 * 60 * 60 * 1000;
    await atelier.sql(`update notification set done_at = ${days(91)} where artifact_id = ${done}`);
    await atelier.sql(`update notification set read_at = ${days(181)} where artifact_id = ${read}`);
    await atelier.sql(
      `update notification set done_at = ${days(89)}, read_at = ${days(179)} where artifact_id = ${fresh}`,
    );
    await atelier.sql("delete from job where name = 'purge-notifications'");
    await until(async () => (await of(bob, done)) === undefined && (await of(bob, read)) === undefined);
    expect(await of(bob, fresh)).toMatchObject({ is_done: true });
    expect(await of(bob, gone)).toMatchObject({ is_read: false });
    expect((await alice.delete(`/artifacts/${gone}`)).status).toBe(200);
    expect(await of(bob, gone)).toBeUndefined();
  });

  test('17.10 whoever watches a saved search is told of what it comes to find, once, and of nothing that is not for them', async () => {
    await clear(alice, bob, carol);
    const before = await submit(alice, tracker, [set('title', 'Was there'), state('Open')]);
    const later = await submit(alice, tracker, [set('title', 'Comes later'), state('Closed')]);
    await outgoing.isEmpty();
    const report = await saveReport(alice, tracker, {
      label: 'Open ones',
      is_public: true,
      is_in_expert_mode: true,
      expert_query: "status = 'Open'",
    });
    const path = `/tracker_reports/${report.id}/watching`;
    expect((await bob.get(path)).body).toEqual({ is_watching: false, watcher_count: 0 });
    expect((await bob.put(path, { is_watching: true })).body).toEqual({
      is_watching: true,
      watcher_count: 1,
    });
    expect((await bob.put(path, { is_watching: true })).body.watcher_count).toBe(1);
    expect((await dave.put(path, { is_watching: true })).status).toBe(403);
    expect((await bob.put(path, {})).status).toBe(400);

    // What it found already is not told, whatever happens to it.
    await change(alice, before, [set('title', 'Still there')]);
    await change(alice, later, [state('Open')]);
    const born = await submit(alice, tracker, [set('title', 'Born open'), state('Open')]);
    await outgoing.isEmpty();
    expect(await of(bob, before)).toBeUndefined();
    expect(await of(bob, later)).toMatchObject({ reason: 'search', changes: ['Status'] });
    expect(await of(bob, born)).toMatchObject({ reason: 'search' });
    expect(await list(bob, '?reason=search')).toHaveLength(2);
    expect(await of(carol, later)).toBeUndefined();
    await until(() => post.to('bob').some(({ text }) => text.includes('a saved search that you watch')));

    // It is told once, and again when it has left meanwhile.
    await clear(bob);
    await change(alice, later, [set('title', 'Came later')]);
    await outgoing.isEmpty();
    expect(await list(bob, '?state=inbox')).toEqual([]);
    await change(alice, later, [state('Closed')]);
    await outgoing.isEmpty();
    await change(alice, later, [state('Open')]);
    await outgoing.isEmpty();
    expect((await list(bob, '?state=inbox')).map(({ reason }: { reason: string }) => reason)).toEqual([
      'search',
    ]);

    // Who is not to see the artifact, or does not wish it, is not told.
    await clear(bob);
    await bob.put('/users/self/notification_wishes', { reasons: { search: { inbox: false } } });
    await submit(alice, tracker, [set('title', 'Not wished'), state('Open')]);
    await outgoing.isEmpty();
    expect(await list(bob, '?state=inbox')).toEqual([]);
    await bob.put('/users/self/notification_wishes', { reasons: { search: { inbox: true } } });

    expect((await bob.put(path, { is_watching: false })).body).toEqual({
      is_watching: false,
      watcher_count: 0,
    });
    await submit(alice, tracker, [set('title', 'Nobody looks'), state('Open')]);
    await outgoing.isEmpty();
    expect(await list(bob, '?state=inbox')).toEqual([]);
    expect(await atelier.sql('select artifact_id from search_match')).toEqual([]);
  });

  test('17.10 a watched search tells of what time brings, and begins anew in silence when it was changed', async () => {
    await clear(alice, bob);
    const lookAgain = async () => {
      await atelier.sql("delete from job where name = 'look-at-watched-searches'");
      await until(async () =>
        (
          await atelier.sql(
            "select due_at from job where name = 'look-at-watched-searches' and holder is null",
          )
        ).some(({ due_at }) => Number(due_at) > Date.now()),
      );
      await outgoing.isEmpty();
    };
    const one = await submit(alice, tracker, [set('title', 'Waits for its time'), state('Closed')]);
    const report = await saveReport(bob, tracker, {
      label: 'Mine',
      is_in_expert_mode: true,
      expert_query: "title = 'its time'",
    });
    const path = `/tracker_reports/${report.id}/watching`;
    await bob.put(path, { is_watching: true });
    await outgoing.isEmpty();
    // As if it had come to match without anybody touching it.
    await atelier.sql(`delete from search_match where artifact_id = ${one}`);
    await lookAgain();
    expect(await of(bob, one)).toMatchObject({ reason: 'search', changes: [] });
    await clear(bob);
    await bob.patch(`/tracker_reports/${report.id}/settings`, { expert_query: "status = 'Open'" });
    await lookAgain();
    expect(await list(bob, '?state=inbox')).toEqual([]);
    await change(alice, one, [state('Open')]);
    await outgoing.isEmpty();
    expect(await of(bob, one)).toMatchObject({ reason: 'search', is_done: false });
    await bob.delete(`/tracker_reports/${report.id}`);
    expect(await atelier.sql('select report_id from watched_search')).toEqual([]);
  });

  test('17.10 one person watches twenty searches', async () => {
    const watch = async (query: string) => {
      const { id } = await saveReport(carol, tracker, {
        label: 'One',
        is_in_expert_mode: true,
        expert_query: query,
      });
      return carol.put(`/tracker_reports/${id}/watching`, { is_watching: true });
    };
    for (let count = 0; count < 20; count++) expect((await watch("title = 'x'")).status).toBe(200);
    const refused = await watch("title = 'x'");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('You watch 20 searches');
  });

  test('is told once of a change whose telling was cut off by a kill', async () => {
    const id = await submit(alice, tracker, [set('title', 'Killed'), assigned(bob)]);
    await atelier.server.end('SIGKILL');
    // Whoever took the event has died with it.
    await atelier.sql('update outbox set due_at = 0');
    await atelier.restart();
    await outgoing.isEmpty();
    const rows = await atelier.sql(
      `select account_id, change_count, read_at from notification where artifact_id = ${id}`,
    );
    expect(rows.map((row) => Object.values(row).map((value) => value && Number(value)))).toEqual([
      [bob.id, 1, null],
    ]);
  });
});
