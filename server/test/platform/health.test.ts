import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformHealth } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MailServer, Receiver } from '../fixtures/notify.ts';
import { createProject, sizeOf } from '../fixtures/project.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

interface CheckOf {
  readonly name: string;
  readonly state: string;
  readonly text: string;
  readonly remedy: string;
}

const engines = oneEngine(
  'SQLite',
  'findings are made in code; what the engines answer themselves is in cli/doctor-findings.test.ts',
);

describe.each(engines)('the health of the platform on %s', (engine) => {
  let atelier: Atelier;
  let post: MailServer;
  let alice: Person;
  const health = async () => {
    const reply = await atelier.admin.get('/platform/health');
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const check = async (name: string): Promise<CheckOf> =>
    (await health()).checks.find((one: CheckOf) => one.name === name);

  beforeAll(async () => {
    post = await MailServer.start();
    atelier = await startAtelier(engine, { env: { ATELIER_SMTP_URL: post.url } });
    alice = await atelier.createUser('alice');
  });
  afterAll(async () => {
    await atelier.stop();
    await post.stop();
  });

  test('is what the doctor finds, from the running service', async () => {
    const body = await health();
    expect(Check(PlatformHealth, body)).toBe(true);
    const names = body.checks.map(({ name }: CheckOf) => name);
    for (const name of [
      'mail',
      'database',
      'data folder',
      'free space',
      'files',
      'Subversion',
      'repositories',
    ])
      expect(names).toContain(name);
    expect(body.engine).toMatch(new RegExp(`^${engine} \\d`));
    expect(body.database_bytes).toBeGreaterThan(10_000);
    expect(body.disk_free_bytes).toBeGreaterThan(0);
    expect(body.file_bytes).toBeGreaterThanOrEqual(0);
    await eventually(async () =>
      expect((await health()).queues).toEqual({
        outbox: 0,
        mails: 0,
        webhooks: 0,
        text_index: 0,
        imports: 0,
      }),
    );
    expect(Date.parse(body.started_on)).toBeLessThanOrEqual(Date.parse(body.checked_on));
  });

  test('is for site administrators, read-only ones too', async () => {
    expect((await alice.get('/platform/health')).status).toBe(403);
    expect((await atelier.anonymous.get('/platform/health')).status).toBe(401);
    const reader = await atelier.createUser('reader');
    const group = (await atelier.admin.post('/platform/groups', { name: 'Readers' })).body;
    await atelier.admin.put(`/platform/groups/${group.id}`, { user_ids: [reader.id], permissions: [9] });
    expect((await reader.get('/platform/health')).status).toBe(200);
    expect((await reader.post('/platform/test_mails', { address: 'a@example.com' })).status).toBe(403);
  });

  test('a backup that was made is told with its age', async () => {
    expect(await check('backup')).toMatchObject({ state: 'warning', text: 'None was made yet.' });
    const folder = await mkdtemp(join(tmpdir(), 'atelier-health-'));
    const made = await atelier.cli('backup', folder);
    expect(made.code, made.stderr).toBe(0);
    await eventually(async () => {
      const { last_backup, checks } = await health();
      expect(last_backup).toMatchObject({ place: folder });
      expect(checks.find(({ name }: CheckOf) => name === 'backup').state).toBe('ok');
    });
    const note = { madeAt: Date.now() - 9 * 86_400_000, bytes: 10, place: folder };
    await writeFile(join(atelier.instance.folder, 'last-backup.json'), JSON.stringify(note));
    await eventually(async () => {
      const old = await check('backup');
      expect(old).toMatchObject({
        state: 'warning',
        text: `The last one was made 9 days ago, to ${folder}.`,
      });
      expect(old.remedy).toContain('atelier backup');
    });
    await rm(folder, { recursive: true });
  });

  test('a test mail is sent at once, and the words of the mail server are told', async () => {
    const sent = await atelier.admin.post('/platform/test_mails', { address: 'ada@example.com' });
    expect([sent.status, sent.body.accepted]).toEqual([200, true]);
    expect(post.to('ada')[0]?.subject).toBe('A test mail of Atelier');
    post.verdict = () => 'refuse';
    const refused = await atelier.admin.post('/platform/test_mails', { address: 'ada@example.com' });
    expect([refused.status, refused.body.accepted]).toEqual([200, false]);
    expect(refused.body.answer).toContain('I say refuse');
    post.verdict = () => 'take';
    const wrong = await atelier.admin.post('/platform/test_mails', { address: 'nobody' });
    expect([wrong.status, wrong.text.includes('address')]).toEqual([400, true]);
    expect((await alice.post('/platform/test_mails', { address: 'ada@example.com' })).status).toBe(403);
  });

  test('deliveries of all webhooks are listed without what they say', async () => {
    const receiver = await Receiver.start();
    await atelier.configure({ webhook_hosts: receiver.host });
    const { id } = await createProject(alice, 'Hooked');
    const hook = await alice.post(`/projects/${id}/webhooks`, { url: `http://${receiver.host}/` });
    expect(hook.status, hook.text).toBe(201);
    const ping = await alice.post(`/webhooks/${hook.body.id}/ping`);
    expect(ping.status).toBe(202);
    await eventually(async () => {
      const reply = await atelier.admin.get('/platform/webhook_deliveries?state=delivered');
      expect([sizeOf(reply), reply.body[0]]).toMatchObject([
        1,
        {
          id: ping.body.delivery_id,
          webhook_id: hook.body.id,
          event: 'ping',
          project: { id, label: 'Project Hooked' },
        },
      ]);
      expect(reply.text).not.toContain('"body"');
    });
    expect((await atelier.admin.get('/platform/webhook_deliveries?state=failed')).body).toEqual([]);
    expect((await alice.get('/platform/webhook_deliveries')).status).toBe(403);
    expect((await atelier.admin.get('/platform/webhook_deliveries?state=lost')).status).toBe(400);
    await receiver.stop();
  });

  test('what somebody may have to look up later is written down for site administrators', async () => {
    interface Event {
      readonly kind: string;
      readonly subject: string;
      readonly address: string;
      readonly details: { before: string; after: string } | null;
      readonly user: { username: string | null };
    }
    const events = async (search = ''): Promise<Event[]> => {
      const reply = await atelier.admin.get(`/platform/events?limit=1000&${search}`);
      expect(reply.status, reply.text).toBe(200);
      expect(sizeOf(reply)).toBe(reply.body.length);
      return reply.body;
    };
    const last = async (kind: string) => (await events(`kind=${kind}`))[0];
    const eve = await atelier.createUser('eve');
    expect(await last('account_create')).toMatchObject({ subject: 'eve', user: { username: 'admin' } });
    expect((await atelier.anonymous.post('/tokens', { username: 'eve', password: 'wrong' })).status).toBe(
      401,
    );
    expect(await last('sign_in_failed')).toMatchObject({ subject: 'eve', address: '127.0.0.1' });
    const secret = 'a-password-in-the-wrong-place';
    await atelier.anonymous.post('/tokens', { username: secret, password: 'x' });
    expect(await last('sign_in_failed')).toMatchObject({ subject: '' });
    expect((await atelier.admin.get('/platform/events?limit=1000')).text).not.toContain(secret);
    const key = await eve.post('/access_keys', { description: 'for a robot', scopes: ['write:rest'] });
    expect(await last('key_create')).toMatchObject({ user: { username: 'eve' } });
    expect(JSON.stringify(await last('key_create'))).not.toContain(key.body.identifier);
    await atelier.anonymous.post('/tokens', { username: 'eve', password: eve.password });
    expect(await last('sign_in')).toMatchObject({ subject: 'token', address: '127.0.0.1' });
    const mail = { email: 'eve@elsewhere.example', current_password: eve.password };
    expect((await eve.patch('/users/self/profile', mail)).status).toBe(200);
    expect(await last('account_change')).toMatchObject({
      user: { username: 'eve' },
      details: { after: expect.stringContaining('eve@elsewhere.example') },
    });
    const link = (await atelier.admin.post(`/users/${eve.id}/password_links`)).body.href;
    expect(await last('password_link')).toMatchObject({ subject: 'eve', user: { username: 'admin' } });
    const token = new URL(link).searchParams.get('token') ?? '';
    expect((await events()).map((event) => JSON.stringify(event)).join()).not.toContain(token);
    await atelier.anonymous.put(`/password_resets/${token}`, { password: 'chosen by a link' });
    expect(await last('password_change')).toMatchObject({
      ...{ subject: 'eve', address: '127.0.0.1', user: { username: 'eve' } },
    });
    await eve.post('/access_keys', {});
    const revocation = { password: 'chosen once more', current_password: 'chosen by a link' };
    await eve.put('/users/self/password', { ...revocation, revoke_access_keys: true });
    expect(await last('key_delete')).toMatchObject({ subject: 'eve: 2', user: { username: 'eve' } });
    await atelier.admin.patch(`/users/${eve.id}`, { values: { status: 'S' } });
    expect((await last('account_change'))?.details).toMatchObject({
      before: expect.stringMatching(/, A$/),
      after: expect.stringMatching(/, S$/),
    });
    const group = (await atelier.admin.post('/platform/groups', { name: 'keepers' })).body;
    await atelier.admin.put(`/platform/groups/${group.id}`, { user_ids: [alice.id], permissions: [5] });
    expect((await last('platform_group_change'))?.details?.after).toBe('keepers; alice; User management');
    await atelier.admin.delete(`/platform/groups/${group.id}`);
    expect(await last('platform_group_delete')).toMatchObject({ subject: 'keepers' });
    await atelier.configure({ login_wait_seconds: 77 });
    expect(await last('setting_change')).toMatchObject({
      ...{ subject: 'login_wait_seconds', details: { before: '300', after: '77' } },
    });
    const { id: project } = await createProject(alice, 'Watched');
    expect(await last('project_create')).toMatchObject({ subject: 'Watched', user: { username: 'alice' } });
    await alice.patch(`/projects/${project}/settings`, { access: 'private' });
    expect(await last('project_access')).toMatchObject({ details: { before: 'public', after: 'private' } });
    await atelier.admin.delete(`/projects/${project}`);
    expect(await last('project_delete')).toMatchObject({ subject: 'Watched' });
    for (const event of await events(`actor=${alice.id}`)) expect(event.user.username).toBe('alice');
    expect(await events('from=2199-01-01')).toEqual([]);
    expect((await events('to=2199-01-01&from=2001-01-01')).length).toBeGreaterThan(5);
    for (const wrong of ['kind=nonsense', 'from=yesterday', 'actor=me', 'limit=1001'])
      expect((await atelier.admin.get(`/platform/events?${wrong}`)).status, wrong).toBe(400);
    expect((await alice.get('/platform/events')).status).toBe(403);
    // After a year nobody needs to know any more.
    await atelier.sql('update platform_event set happened_at = 1000');
    await atelier.sql("delete from job where name = 'purge-credentials'");
    await eventually(async () => expect(await events('to=2001-01-01')).toEqual([]));
  });

  test('a mail server that refuses the sender is a fault for the doctor too, however well it answers', async () => {
    post.clear();
    post.refusesAll = 'sender';
    expect((await alice.post('/access_keys', { description: 'told of by mail' })).status).toBe(201);
    await eventually(async () => {
      const mail = await check('mail');
      expect([mail.state, mail.text]).toEqual([
        'fault',
        expect.stringContaining('I take nothing. Mails wait'),
      ]);
      expect(mail.remedy).toContain('ATELIER_MAIL_FROM');
    });
    // Also while a mail is tried once more.
    const goingOn = Promise.withResolvers<void>();
    post.mayGoOn = goingOn.promise;
    const tries = async () =>
      (await atelier.sql('select attempts from mail')).map(({ attempts }) => Number(attempts));
    await eventually(async () => expect(await tries()).toContain(1));
    const { stdout } = await atelier.cli('doctor');
    expect(stdout).toMatch(/^problem +mail +\S+ takes no mails from here: .*I take nothing\. Mails wait/m);
    post.refusesAll = undefined;
    goingOn.resolve();
    await eventually(async () => expect((await check('mail')).state).toBe('ok'));
    // What was sent before may come only now.
    const told = post.to('alice').filter(({ text }) => text.includes('told of by mail'));
    expect(told).toHaveLength(1);
  });

  test('a mail server that is gone is a fault with its remedy', async () => {
    await post.stop();
    await eventually(async () => {
      const body = await health();
      const mail = body.checks.find(({ name }: CheckOf) => name === 'mail');
      expect([body.state, mail.state]).toEqual(['fault', 'fault']);
      expect(mail.text).toContain('cannot be reached');
      expect(mail.remedy).toContain('Start the mail server');
    });
    const failed = await atelier.admin.post('/platform/test_mails', { address: 'ada@example.com' });
    expect([failed.status, failed.body.accepted]).toEqual([200, false]);
    await post.comeBack();
  });
});
