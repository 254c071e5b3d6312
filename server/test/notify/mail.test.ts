import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAddress, oneLine } from '../../src/notify/model.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { MailServer, Outgoing, type ReceivedMail, until } from '../fixtures/notify.ts';
import { createGroup, createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setSemantics, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier, startHosted } from '../harness/atelier.ts';

test('nothing that people write can begin a header, or name a second recipient', () => {
  expect(oneLine('a\r\nBcc: eve@example.com\u2028b\tc')).toBe('a Bcc: eve@example.com b c');
  expect(oneLine('x'.repeat(300))).toHaveLength(200);
  for (const address of ['bob@example.com', "o'neil@example.com", 'b+c@grüße.example'])
    expect(isAddress(address)).toBe(true);
  for (const wrong of ['', 'bob', 'a@b, c@d', 'a@b\nBcc: c@d', '<a@b>', 'a b@c', 'a@b@c', '"a"@b', 'a:b@c;'])
    expect(isAddress(wrong)).toBe(false);
});

const engines = oneEngine(
  'PostgreSQL',
  'mails are written in code; several processes send them on PostgreSQL only',
);

describe.each(engines)('mails on %s', (engine) => {
  let atelier: Atelier;
  let env: Record<string, string>;
  let post: MailServer;
  let outgoing: Outgoing;
  /** Administers the project. */
  let alice: Person;
  let bob: Person;
  let carol: Person;
  /** Belongs to nothing. */
  let dave: Person;
  let project: number;
  let tracker: number;
  let friends: string;
  let status: Record<string, number>;
  const fields: Record<string, number> = {};
  const set = (name: string, value: unknown) => ({ field_id: fields[name], value });
  const choose = (name: string, ids: readonly (number | undefined)[]) => ({
    field_id: fields[name],
    bind_value_ids: ids,
  });
  const assigned = (...people: Person[]) =>
    choose(
      'assigned',
      people.map(({ id }) => id),
    );
  const state = (label: string) => choose('status', [status[label]]);
  const say = async (person: Person, id: number, body: string, more: object = {}) => {
    const reply = await person.post(`/artifacts/${id}/comments`, { body, format: 'text', ...more });
    expect(reply.status, reply.text).toBe(201);
  };
  const recipients = () => post.mails.map(({ to }) => to.split('@')[0]).sort();
  const only = (name: string): ReceivedMail => {
    expect(post.to(name)).toHaveLength(1);
    return post.to(name)[0]!;
  };
  const add = async (field: { type: string; name: string } & Record<string, unknown>) => {
    fields[field.name] = (await addField(alice, tracker, field)).field_id;
  };

  beforeAll(async () => {
    post = await MailServer.start();
    env = {
      ATELIER_SMTP_URL: post.url,
      ATELIER_MAIL_FROM: 'The Forge <forge@example.org>',
      ATELIER_PUBLIC_URL: 'https://forge.example.org',
    };
    atelier = await startAtelier(engine, { env });
    outgoing = await Outgoing.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    dave = await atelier.createUser('dave');
    project = (await createProject(alice, 'post')).id;
    await setMembers(alice, `${project}_3`, [alice, bob, carol]);
    friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [carol]);
    tracker = (await createTracker(alice, project, { item_name: 'bug', has_private_comments: true })).id;
    await add({ type: 'string', name: 'title' });
    await add({ type: 'text', name: 'details' });
    await add({ type: 'string', name: 'secret' });
    await add({ type: 'msb', name: 'assigned', bind: { type: 'users', groups: ['3'] } });
    await add({ type: 'tbl', name: 'cc', bind: { type: 'users', groups: ['3'] }, has_notifications: true });
    await add({ type: 'sb', name: 'quiet', bind: { type: 'users', groups: ['3'] } });
    await add({ type: 'art_link', name: 'links' });
    const values = ['Open', 'Closed'].map((label) => ({ label }));
    const list = await addField(alice, tracker, {
      type: 'sb',
      name: 'status',
      bind: { type: 'static', values },
    });
    fields['status'] = list.field_id;
    status = valueIds(list);
    await setFieldPermissions(alice, fields['secret']!, {
      can_submit: [`${project}_4`],
      can_update: [`${project}_4`],
    });
    await setSemantics(alice, tracker, {
      title: { field_id: fields['title'] },
      contributor: { field_id: fields['assigned'] },
      status: { field_id: fields['status'], value_ids: [status['Open']] },
    });
    await outgoing.isEmpty();
  });
  afterAll(async () => {
    await outgoing?.close();
    await atelier?.stop();
    await post?.stop();
  });
  beforeEach(() => post.clear());

  test('tell the owner of a new access key, even when it was revoked at once', async () => {
    const made = await dave.post('/access_keys', { description: 'Short\nlived' });
    expect(made.status).toBe(201);
    const { body: keys } = await dave.get('/users/self/access_keys');
    expect((await dave.delete(`/access_keys/${keys.at(-1).id}`)).status).toBe(200);
    await outgoing.isEmpty();
    const mail = only('dave');
    expect(mail.subject).toBe('An access key was created for your account');
    expect(mail.headers.get('from')).toBe('The Forge <forge@example.org>');
    expect(mail.text).toContain('Description: Short lived\nScopes: write:rest');
    expect(mail.text).not.toContain(made.body.identifier);
    expect(mail.headers.has('list-unsubscribe')).toBe(false);
  });

  test('tell the old address of an account that it has another one now', async () => {
    const moved = await atelier.createUser('erin', { email: 'erin@example.com' });
    // The mail about the access key goes to whichever address the account has by then.
    await outgoing.isEmpty();
    post.clear();
    const change = { email: 'erin@elsewhere.example', current_password: moved.password };
    expect((await moved.patch('/users/self/profile', change)).status).toBe(200);
    await outgoing.isEmpty();
    const mail = only('erin');
    expect(mail.subject).toBe('The mail address of your account was changed');
    expect(mail.text).not.toContain('elsewhere');
  });

  test('tell those whom a text mentions, once for a change, and after an edit those alone who are new in it', async () => {
    const id = await submit(alice, tracker, [set('title', 'Mentions')]);
    await outgoing.isEmpty();
    post.clear();
    const said = await alice.post(`/artifacts/${id}/comments`, {
      body: 'Look, @carol and @CAROL; `@bob` is code, a@bob.example an address, @nobody-there nobody.',
      format: 'commonmark',
    });
    expect(said.status, said.text).toBe(201);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['carol']);
    expect(only('carol').text).toContain('You get this mail because it mentions you.');
    const changesets = await alice.get(`/artifacts/${id}/changesets?fields=comments&order=desc&limit=1`);
    const [{ id: changesetId, last_comment: comment }] = changesets.body;
    const html = comment.post_processed_body ?? comment.body;
    expect(html).toContain('<a href="/users/carol" class="mention">@carol</a>');
    expect(html).toContain('<a href="/users/carol" class="mention">@CAROL</a>');
    expect(html.match(/class="mention"/g)).toHaveLength(2);
    post.clear();
    const path = `/artifacts/${id}/changesets/${changesetId}/comment`;
    const edited = await alice.put(path, { body: 'Look, @carol and @bob.', format: 'commonmark' });
    expect(edited.status, edited.text).toBe(200);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob']);
  });

  describe('for a lost password', () => {
    const ask = (login: string) => atelier.anonymous.post('/password_resets', { login });
    const redeem = (token: string, password: string) =>
      atelier.anonymous.put(`/password_resets/${token}`, { password });
    const tokenIn = (text: string) => /\/password\/reset\?token=([\w-]{43})\s/.exec(text)?.[1] ?? '';

    test('have a link that sets another one, once, and ends all sessions', async () => {
      const fay = await atelier.createUser('fay', { email: 'fay@example.com' });
      const login = { username: 'fay', password: fay.password };
      const { headers } = await atelier.anonymous.post('/sessions', login);
      const page = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
      const session = atelier.callerWith({ Cookie: headers.get('set-cookie')?.split(';')[0] ?? '', ...page });
      await outgoing.isEmpty();
      post.clear();
      // Phones begin with a capital letter.
      for (const login of ['FAY', 'nobody-at-all', 'Fay@example.com']) {
        const reply = await ask(login);
        expect([login, reply.status, reply.text]).toEqual([login, 202, '']);
      }
      await outgoing.isEmpty();
      expect(post.mails.map(({ to }) => to)).toEqual(['fay@example.com', 'fay@example.com']);
      const [first, second] = post.mails.map(({ text }) => tokenIn(text));
      expect(post.mails[0]!.subject).toBe('A new password for your account');
      const stored = JSON.stringify(
        [
          await atelier.sql('select * from password_token'),
          await atelier.sql('select * from outbox'),
          await atelier.sql('select * from mail'),
        ],
        (_, value) => (typeof value === 'bigint' ? String(value) : value),
      );
      expect(stored).not.toContain(first);
      expect((await redeem('nonsense', 'a fresh password')).status).toBe(404);
      expect((await redeem(first!, 'short')).status).toBe(400);
      const foreign = { body: { password: 'a fresh password' }, headers: { 'Sec-Fetch-Site': 'cross-site' } };
      expect((await atelier.anonymous.request('PUT', `/password_resets/${first}`, foreign)).status).toBe(403);
      expect((await session.get('/sessions')).status).toBe(200);
      const done = await redeem(first!, 'a fresh password');
      expect([done.status, done.body]).toEqual([200, { username: 'fay' }]);
      expect((await session.get('/sessions')).status).toBe(401);
      // The other link has ended with the old password.
      for (const token of [first, second])
        expect((await redeem(token!, 'another password')).status).toBe(404);
      expect((await atelier.withPassword('fay', 'a fresh password').get('/users/self')).body.id).toBe(fay.id);
      expect((await fay.get('/users/self')).status).toBe(200);
    });

    test('come three times an hour, and not for accounts that may not be used', async () => {
      const gus = await atelier.createUser('gus', { email: 'gus@example.com' });
      await outgoing.isEmpty();
      post.clear();
      await atelier.sql("delete from login_attempt where subject like 'reset%'");
      const replies = [];
      for (let time = 0; time < 4; time++) replies.push(await ask('gus'));
      expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      const wait = Number(replies[3]!.headers.get('retry-after'));
      expect(wait > 3000 && wait <= 3600).toBe(true);
      // An account is one, however it is spelled.
      expect((await ask('gus@example.com')).status).toBe(202);
      await outgoing.isEmpty();
      expect(post.to('gus')).toHaveLength(3);
      const [live] = post.to('gus').map(({ text }) => tokenIn(text));
      await atelier.admin.patch(`/users/${gus.id}`, { status: 'S' });
      expect((await redeem(live!, 'a fresh password')).status).toBe(404);
      await atelier.sql("delete from login_attempt where subject like 'reset%'");
      post.clear();
      expect((await ask('gus')).status).toBe(202);
      await outgoing.isEmpty();
      expect(post.mails).toEqual([]);
      const others = [];
      for (let time = 0; time < 20; time++) others.push((await ask(`somebody-${time}`)).status);
      expect(others.filter((status) => status === 429)).toHaveLength(1);
      await atelier.sql("delete from login_attempt where subject like 'reset%'");
      expect((await ask('x'.repeat(256))).status).toBe(400);
    });

    test('are void after an hour, and when the address changes', async () => {
      const hal = await atelier.createUser('hal', { email: 'hal@example.com' });
      await outgoing.isEmpty();
      post.clear();
      await ask('hal');
      await outgoing.isEmpty();
      const token = tokenIn(only('hal').text);
      const now = Date.now();
      await atelier.sql(`update password_token set expires_at = ${now - 1} where account_id = ${hal.id}`);
      expect((await redeem(token, 'a fresh password')).status).toBe(404);
      await atelier.sql(
        `update password_token set expires_at = ${now + 60_000} where account_id = ${hal.id}`,
      );
      await atelier.admin.patch(`/users/${hal.id}`, { email: 'hal@elsewhere.example' });
      expect((await redeem(token, 'a fresh password')).status).toBe(404);
    });
  });

  test('go to each person who has to do with an artifact, once for a change, and not to its maker', async () => {
    const id = await submit(bob, tracker, [set('title', 'Grüße'), assigned(carol), state('Open')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['carol']);
    const first = only('carol');
    expect(first.subject).toBe(`[Project post - bug #${id}] Grüße`);
    expect(first.text).toContain(`bob Doe (bob) submitted bug #${id} "Grüße"`);
    expect(first.text).toContain('status: Open');
    expect(first.text).toContain(`https://forge.example.org/plugins/tracker/?aid=${id}`);
    expect(first.text).toContain('assigned to you');
    expect(first.headers.get('auto-submitted')).toBe('auto-generated');
    expect(first.headers.get('references')).toBe(`<artifact.${id}@forge.example.org>`);
    expect(first.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
    post.clear();

    await say(alice, id, 'I have seen it.\nTwice.');
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob', 'carol']);
    expect(only('bob').text).toContain('    I have seen it.\n    Twice.');
    expect(only('bob').text).toContain('you submitted it');
    expect(only('bob').headers.get('message-id')).not.toBe(only('carol').headers.get('message-id'));
    expect(only('carol').headers.get('references')).toBe(first.headers.get('references'));
    expect(only('carol').headers.get('message-id')).not.toBe(first.headers.get('message-id'));
    post.clear();

    await change(carol, id, [state('Closed'), set('details', { content: 'a\nb', format: 'text' })]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['alice', 'bob']);
    expect(only('alice').text).toContain('status: Open -> Closed');
    expect(only('alice').text).toContain('details:\n    a\n    b');
    expect(only('alice').text).toContain('you commented on it');
  });

  test('go to people who are chosen in a field with notifications, and once more when they are not any more', async () => {
    const id = await submit(alice, tracker, [
      set('title', 'Chosen'),
      {
        field_id: fields['cc'],
        value: { bind_value_objects: [{ id: bob.id }, { email: 'guest@example.com' }] },
      },
      choose('quiet', [carol.id]),
    ]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob', 'guest']);
    expect(only('bob').text).toContain('you are, or were, chosen in it');
    post.clear();
    await change(alice, id, [{ field_id: fields['cc'], value: { bind_value_objects: [] } }]);
    await change(alice, id, [set('title', 'Nobody cares')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob', 'guest']);
    expect(only('bob').text).toContain('cc: ');
  });

  test('show each recipient only what they may see, and come only when there is something', async () => {
    const hidden = await submit(alice, tracker, [set('title', 'Far away')]);
    const id = await submit(alice, tracker, [
      set('title', 'Public'),
      set('secret', 'hush'),
      assigned(bob, carol),
    ]);
    await outgoing.isEmpty();
    expect(only('bob').raw).not.toMatch(/hush|secret/);
    post.clear();
    await change(alice, id, [set('secret', 'still hush')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual([]);
    await say(alice, id, 'Among friends', { ugroups: [friends] });
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['carol']);
    expect(only('carol').text).toContain('Among friends');
    post.clear();
    await change(alice, id, [set('title', 'Renamed'), set('secret', 'hush again')], {
      comment: { body: 'For all', format: 'text' },
    });
    await outgoing.isEmpty();
    expect(only('bob').text).toContain('title: Public -> Renamed');
    expect(only('bob').raw).not.toMatch(/hush|secret|Among friends/);
    post.clear();
    await change(alice, id, [
      { field_id: fields['links'], all_links: [{ id: hidden, direction: 'forward', type: '' }] },
    ]);
    await outgoing.isEmpty();
    expect(only('bob').text).toContain(`links: #${hidden}`);
  });

  test('do not come to those who do not want them', async () => {
    const id = await submit(alice, tracker, [set('title', 'Quiet'), assigned(bob, carol)]);
    await outgoing.isEmpty();
    const expectMailsTo = async (...names: string[]) => {
      post.clear();
      await change(alice, id, [set('title', `Quiet ${Math.random()}`)]);
      await outgoing.isEmpty();
      expect(recipients()).toEqual(names);
    };
    expect((await bob.get('/users/self/mail_notifications')).body).toEqual({
      is_enabled: true,
      includes_own_changes: false,
    });
    await bob.patch('/users/self/mail_notifications', { is_enabled: false });
    await expectMailsTo('carol');
    await bob.patch(`/users/${bob.id}/mail_notifications`, { is_enabled: true });
    expect((await bob.put(`/trackers/${tracker}/mail_notifications`, { is_muted: true })).body).toEqual({
      is_muted: true,
    });
    expect((await carol.put(`/artifacts/${id}/mail_notifications`, { is_muted: true })).status).toBe(200);
    await expectMailsTo();
    const muted = await carol.get('/users/self/mail_notifications/muted');
    expect(muted.body).toEqual([{ kind: 'artifact', id, uri: `artifacts/${id}` }]);
    expect(sizeOf(muted)).toBe(1);
    expect((await carol.get(`/artifacts/${id}/mail_notifications`)).body).toEqual({ is_muted: true });
    await bob.put(`/trackers/${tracker}/mail_notifications`, { is_muted: false });
    await carol.put(`/artifacts/${id}/mail_notifications`, { is_muted: false });
    await alice.patch('/users/self/mail_notifications', { includes_own_changes: true });
    await expectMailsTo('alice', 'bob', 'carol');
    await alice.patch('/users/self/mail_notifications', { includes_own_changes: false });
    await expectMailsTo('bob', 'carol');
    expect((await bob.get(`/users/${carol.id}/mail_notifications`)).status).toBe(403);
    expect((await bob.put('/artifacts/999999/mail_notifications', { is_muted: true })).status).toBe(404);
    expect((await bob.put(`/artifacts/${id}/mail_notifications`, {})).status).toBe(400);
  });

  test('come to whoever watches an artifact or its tracker, and say why', async () => {
    const id = await submit(alice, tracker, [set('title', 'Watched')]);
    // Who is told of it is asked when it is told.
    await outgoing.isEmpty();
    const watching = async (person: Person, subject: string) =>
      (await person.get(`${subject}/watching`)).body;
    const one = `/artifacts/${id}`;
    const nobody = { is_watching: false, reason: null, is_muted: false, watcher_count: 1 };
    expect(await watching(dave, one)).toEqual(nobody);
    expect(await watching(alice, one)).toMatchObject({ is_watching: true, reason: 'submitted' });
    const asked = { is_watching: true, reason: 'asked', is_muted: false, watcher_count: 2 };
    for (let times = 0; times < 2; times += 1)
      expect((await dave.put(`${one}/watching`, { is_watching: true })).body).toEqual(asked);
    post.clear();
    await change(alice, id, [set('title', 'Watched by Dave')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['dave']);
    expect(only('dave').text).toContain('you watch it');
    post.clear();
    expect((await dave.put(`${one}/watching`, { is_muted: true })).body).toMatchObject({
      ...{ is_watching: true, is_muted: true },
    });
    await change(alice, id, [set('title', 'Muted')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual([]);
    await dave.put(`${one}/watching`, { is_watching: false, is_muted: false });
    expect(await watching(dave, one)).toEqual(nobody);
    expect((await dave.put(`/trackers/${tracker}/watching`, { is_watching: true })).body).toEqual({
      ...{ is_watching: true, reason: 'asked', is_muted: false, watcher_count: 1 },
    });
    const next = await submit(alice, tracker, [set('title', 'New')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['dave']);
    post.clear();
    await change(alice, next, [set('title', 'Not new any more')]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual([]);
    await dave.put(`/trackers/${tracker}/watching`, { is_watching: false });
    expect((await dave.put('/artifacts/999999/watching', { is_watching: true })).status).toBe(404);
  });

  test('come for no reason that their reader may not know, and none is told elsewhere', async () => {
    const { id: notes } = await createTracker(alice, project, { has_private_comments: true });
    const made = async (field: { type: string; name: string } & Record<string, unknown>) =>
      (await addField(alice, notes, field)).field_id;
    const bind = { type: 'users', groups: ['3'] };
    const title = { field_id: await made({ type: 'string', name: 'title' }) };
    const hidden = {
      assigned: await made({ type: 'msb', name: 'assigned', bind }),
      cc: await made({ type: 'msb', name: 'cc', bind, has_notifications: true }),
      text: await made({ type: 'text', name: 'text' }),
    };
    const crew = [friends, `${project}_4`];
    for (const id of Object.values(hidden))
      await setFieldPermissions(alice, id, { can_read: crew, can_submit: crew, can_update: crew });
    await setSemantics(alice, notes, { title, contributor: { field_id: hidden.assigned } });
    const chosen = await submit(alice, notes, [
      { ...title, value: 'Chosen' },
      { field_id: hidden.assigned, bind_value_ids: [bob.id, carol.id] },
      { field_id: hidden.cc, bind_value_ids: [bob.id] },
    ]);
    const mentioned = await submit(alice, notes, [
      { ...title, value: 'Mentioned' },
      { field_id: hidden.text, value: { content: 'Not for @bob, but for @carol', format: 'text' } },
    ]);
    await say(alice, mentioned, 'Neither is this for @bob', { ugroups: [friends] });
    await outgoing.isEmpty();
    await say(carol, mentioned, 'I have read it', { ugroups: [friends] });
    await outgoing.isEmpty();
    expect(post.to('bob')).toEqual([]);
    expect(post.to('carol').map(({ text }) => text.match(/because (.*)\./)?.[1])).toEqual([
      'it is, or was, assigned to you',
      'it mentions you',
    ]);
    expect((await bob.get('/users/self/notifications?limit=50')).text).not.toMatch(/"(Chosen|Mentioned)"/);
    const watching = async (person: Person, id: number) =>
      (await person.get(`/artifacts/${id}/watching`)).body;
    expect(await watching(bob, chosen)).toMatchObject({ reason: null, watcher_count: 1 });
    expect(await watching(carol, chosen)).toMatchObject({ reason: 'assigned', watcher_count: 3 });
    expect(await watching(bob, mentioned)).toMatchObject({ reason: null, watcher_count: 1 });
    expect(await watching(carol, mentioned)).toMatchObject({ reason: 'commented', watcher_count: 2 });
    const starred = async (person: Person) => {
      const { body } = await person.get(`/trackers/${notes}/artifact_rows?columns=@watched`);
      return body.rows.map(
        (row: { cells: Record<string, { value: boolean }> }) => row.cells['@watched']?.value,
      );
    };
    expect(await starred(bob)).toEqual([false, false]);
    expect(await starred(carol)).toEqual([true, true]);
  });

  test('end with one click, without a login, and only by POST', async () => {
    const id = await submit(alice, tracker, [set('title', 'Click'), assigned(bob, carol)]);
    await outgoing.isEmpty();
    const link = /<(.*)>/.exec(only('bob').headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(only('bob').text).toContain(link);
    expect(link).toMatch(/^https:\/\/forge\.example\.org\/unsubscribe\//);
    const here = link.replace('https://forge.example.org', atelier.url);
    const page = await fetch(here);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ]);
    expect(await page.text()).toContain(`No more mails about artifact #${id}`);
    const oneClick = (address: string, body = 'List-Unsubscribe=One-Click') =>
      fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
    for (const wrong of [`${here}x`, here.replace(/\.[^.]*$/, ''), `${atelier.url}/unsubscribe/x.y`])
      expect([(await fetch(wrong)).status, (await oneClick(wrong)).status]).toEqual([404, 404]);
    const changeIt = async () => {
      post.clear();
      await change(alice, id, [set('title', `Click ${Math.random()}`)]);
      await outgoing.isEmpty();
      return recipients();
    };
    expect(await changeIt()).toEqual(['bob', 'carol']);
    expect((await oneClick(here)).status).toBe(200);
    expect(await changeIt()).toEqual(['carol']);
    expect((await bob.get('/users/self/mail_notifications/muted')).body).toMatchObject([
      { kind: 'artifact', id },
    ]);
    await oneClick(here, 'scope=tracker');
    await oneClick(here, 'scope=platform');
    expect((await bob.get('/users/self/mail_notifications/muted')).body).toMatchObject([
      { kind: 'tracker', id: tracker },
      { kind: 'artifact', id },
    ]);
    expect((await bob.get('/users/self/mail_notifications')).body.is_enabled).toBe(false);
    await bob.patch('/users/self/mail_notifications', { is_enabled: true });
    await bob.put(`/trackers/${tracker}/mail_notifications`, { is_muted: false });
  });

  test('come on every change, on changes of the status alone, or never, as the tracker says', async () => {
    const level = (notification_level: number) =>
      alice.patch(`/trackers/${tracker}/settings`, { notification_level });
    const id = await submit(alice, tracker, [set('title', 'Level'), assigned(bob), state('Open')]);
    await outgoing.isEmpty();
    post.clear();
    await level(2);
    await change(alice, id, [set('title', 'Level 2')]);
    await change(alice, id, [state('Closed')]);
    await outgoing.isEmpty();
    expect(only('bob').text).toContain('status: Open -> Closed');
    post.clear();
    await level(1);
    await change(alice, id, [state('Open')]);
    expect(await outgoing.events()).toBe(0);
    await level(0);
    expect(recipients()).toEqual([]);
  });

  test('tell nothing but where to look, where the project wishes so', async () => {
    const settings = `/projects/${project}/settings`;
    expect((await alice.patch(settings, { has_truncated_mails: true })).body.has_truncated_mails).toBe(true);
    const id = await submit(alice, tracker, [set('title', 'Confidential'), assigned(bob)]);
    await outgoing.isEmpty();
    expect(only('bob').raw).not.toContain('Confidential');
    expect(only('bob').text).toContain(`/plugins/tracker/?aid=${id}`);
    await alice.patch(settings, { has_truncated_mails: false });
  });

  test('that the mail server does not take are tried again, and nobody gets a second one', async () => {
    let refusals = 0;
    post.verdict = (address) => (address.startsWith('bob') && refusals++ === 0 ? 'later' : 'take');
    await submit(alice, tracker, [set('title', 'Later'), assigned(bob, carol)]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob', 'carol']);
    expect([...post.tries].sort()).toEqual(['bob', 'bob', 'carol'].map((name) => `${name}@example.com`));
  });

  test('that are refused for good are shown to site administrators, who try them anew or forget them', async () => {
    post.verdict = (address) => (address.startsWith('carol') ? 'take' : 'refuse');
    await submit(alice, tracker, [set('title', 'Never'), assigned(bob, carol)]);
    await submit(alice, tracker, [set('title', 'Ever'), assigned(bob)]);
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['carol']);
    expect((await alice.get('/platform/failed_mails')).status).toBe(403);
    const failed = await atelier.admin.get('/platform/failed_mails');
    expect(sizeOf(failed)).toBe(2);
    const [newest, oldest] = failed.body;
    expect(oldest).toMatchObject({ kind: 'artifact', user_id: bob.id, address: null, attempts: 1 });
    expect(oldest.fault).toContain('I say refuse');
    expect((await alice.post(`/platform/failed_mails/${oldest.id}/retry`)).status).toBe(403);
    post.verdict = () => 'take';
    expect((await atelier.admin.post(`/platform/failed_mails/${oldest.id}/retry`)).status).toBe(202);
    expect((await atelier.admin.delete(`/platform/failed_mails/${newest.id}`)).status).toBe(200);
    expect((await atelier.admin.delete(`/platform/failed_mails/${newest.id}`)).status).toBe(404);
    await outgoing.isEmpty();
    expect(only('bob').subject).toMatch(/Never$/);
    expect(sizeOf(await atelier.admin.get('/platform/failed_mails'))).toBe(0);
  });

  test.skipIf(engine === 'SQLite')('are sent once each by however many processes there are', async () => {
    const other = await startHosted({ ...atelier.instance.environment, ...env });
    const id = await submit(alice, tracker, [set('title', 'Shared'), assigned(bob, carol)]);
    for (const number of [1, 2, 3, 4, 5, 6]) await change(alice, id, [set('title', `Shared ${number}`)]);
    await outgoing.isEmpty();
    await other.end();
    for (const name of ['bob', 'carol']) {
      const subjects = post.to(name).map(({ headers }) => headers.get('message-id'));
      expect([subjects.length, new Set(subjects).size]).toEqual([7, 7]);
    }
  });

  test('that a kill cut off are sent after the start, and those that were sent are not', async () => {
    post.verdict = (address) => (address.startsWith('bob') ? 'hang' : 'take');
    await submit(alice, tracker, [set('title', 'Killed'), assigned(bob, carol)]);
    await until(() => post.tries.length === 2 && post.to('carol').length === 1);
    // The mail to carol is settled when nothing but the one to bob is left.
    await until(async () => (await outgoing.waitingMails()) === 1);
    await atelier.server.end('SIGKILL');
    post.verdict = () => 'take';
    await atelier.sql('update mail set due_at = 0');
    await atelier.restart();
    await outgoing.isEmpty();
    expect(recipients()).toEqual(['bob', 'carol']);
    expect(only('bob').subject).toMatch(/Killed$/);
  });
});
