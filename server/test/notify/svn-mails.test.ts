import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MailServer, Outgoing, Receiver } from '../fixtures/notify.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import {
  changeSettings,
  createRepository,
  lacksSubversion,
  type Repository,
  SvnClient,
} from '../fixtures/svn.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const engines = oneEngine('SQLite', 'mails are written in code, of what Subversion tells');

describe.skipIf(lacksSubversion).each(engines)('commits are told by mail on %s', (engine) => {
  let atelier: Atelier;
  let post: MailServer;
  let outgoing: Outgoing;
  let alice: Person;
  let bob: Person;
  let project: number;
  let firmware: Repository;
  const client = new SvnClient();
  const commit = async (message: string, ...actions: string[]) => {
    const { code, error } = await client.mucc(alice, firmware.svn_url, message, ...actions);
    expect(code, error).toBe(0);
    await outgoing.isEmpty();
  };
  const recipients = () => post.mails.map(({ to }) => to).sort();

  beforeAll(async () => {
    post = await MailServer.start();
    atelier = await startAtelier(engine, { env: { ATELIER_SMTP_URL: post.url } });
    outgoing = await Outgoing.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'Pump', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    firmware = await createRepository(alice, project, 'firmware', { layout: ['trunk', 'tags'] });
    await changeSettings(alice, firmware.id, {
      email_notifications: [
        { path: '/trunk', users: [bob.id], emails: ['list@example.com'], user_groups: [`${project}_4`] },
        { path: '/tags', users: [], emails: ['tags@example.com'], user_groups: [] },
      ],
    });
    await outgoing.isEmpty();
  });
  afterAll(async () => {
    await outgoing?.close();
    await atelier?.stop();
    await post?.stop();
    client.remove();
  });
  beforeEach(() => post.clear());

  test('to those whom a notification on a changed path names, with what was changed', async () => {
    await commit('Größe, art #1', 'mkdir', 'trunk/src');
    expect(recipients()).toEqual(['alice@example.com', 'bob@example.com', 'list@example.com']);
    const [mail] = post.to('bob');
    expect(mail?.subject).toBe('r2 trunk');
    expect(mail?.text).toContain('Committer: alice <alice@example.com>');
    expect(mail?.text).toContain('Größe, art #1');
    expect(mail?.text).toContain('Added files:\n    trunk/src/');
    expect(mail?.text).toContain('root=Pump/firmware&revision=2');
  });

  test('without what the access file hides from the recipient', async () => {
    const { settings } = (await alice.get(`/svn/${firmware.id}`)).body;
    const people = { users: [alice.id, bob.id], emails: [], user_groups: [] };
    await changeSettings(alice, firmware.id, {
      access_file: '[/trunk/hidden]\n* =\n@members =\nalice = rw',
      email_notifications: [{ path: '/trunk', ...people }],
    });
    await commit('Secret plan', 'mkdir', 'trunk/hidden', 'mkdir', 'trunk/open');
    const [partly] = post.to('bob');
    expect(partly?.text).toContain('trunk/open');
    expect(partly?.text).toContain('hidden from you');
    expect(partly?.text).not.toMatch(/Secret|trunk\/hidden/);
    expect(post.to('alice')[0]?.text).toMatch(/Secret plan[\s\S]*trunk\/hidden/);
    post.clear();
    await commit('Secret plan', 'mkdir', 'trunk/hidden/deep');
    expect(post.to('bob')[0]).toMatchObject({ subject: 'New commit' });
    expect(post.to('bob')[0]?.text).not.toMatch(/Secret|hidden|alice/);
    const email_notifications = settings.email_notifications.map(
      (one: { users: { id: number }[]; user_groups: { id: string }[] }) => ({
        ...one,
        users: one.users.map(({ id }) => id),
        user_groups: one.user_groups.map(({ id }) => id),
      }),
    );
    await changeSettings(alice, firmware.id, { email_notifications });
  });

  test('and to nobody else', async () => {
    await commit('A tag', 'cp', 'HEAD', 'trunk', 'tags/1.0');
    expect(recipients()).toEqual(['tags@example.com']);
    post.clear();
    await commit('Elsewhere', 'mkdir', 'branches');
    expect(recipients()).toEqual([]);
  });

  test('and to webhooks of the project, as the API shows them to the owner', async () => {
    const receiver = await Receiver.start();
    try {
      await atelier.configure({ webhook_hosts: receiver.host });
      const place = `/projects/${project}/webhooks`;
      const hook = { url: `http://${receiver.host}/`, events: ['svn.commit'] };
      const { id } = (await alice.post(place, hook)).body;
      await setMembers(alice, `${project}_4`, [alice, bob]);
      const { id: bobs } = (await bob.post(place, hook)).body;
      await setMembers(alice, `${project}_4`, [alice]);
      await changeSettings(alice, firmware.id, {
        access_file: '[/trunk/closed]\n* =\n@members =\nalice = rw',
      });
      await commit('Told', 'mkdir', 'trunk/closed', 'mkdir', 'trunk/told');
      await commit('Not told', 'mkdir', 'trunk/closed/deep');
      const of = (webhook: number) =>
        receiver.calls.map(({ body }) => body).filter(({ webhook_id }) => webhook_id === webhook);
      const { body: log } = await alice.get(`/svn/${firmware.id}/log?limit=2`);
      const { body: repository } = await bob.get(`/svn/${firmware.id}`);
      expect(of(id)).toEqual(
        log.revisions.toReversed().map((revision: { revision: number }) => ({
          ...{ event: 'svn.commit', webhook_id: id, user: expect.objectContaining({ id: alice.id }) },
          // As it was then.
          repository: {
            ...repository,
            may_administer: true,
            last_commit: expect.objectContaining({ revision: revision.revision }),
          },
          commit: revision,
        })),
      );
      const [seen, ...more] = of(bobs);
      expect(seen.commit).toEqual(
        (await bob.get(`/svn/${firmware.id}/revisions/${seen.commit.revision}`)).body,
      );
      expect([seen.commit.is_partial, JSON.stringify(seen).includes('closed'), more]).toEqual([
        true,
        false,
        [],
      ]);
      for (const webhook of [id, bobs]) await alice.delete(`/webhooks/${webhook}`);
    } finally {
      await receiver.stop();
    }
  });
});
