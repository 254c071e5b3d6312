import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mostDeliveries, WebhookTurns } from '../../src/notify/webhook-turns.ts';
import { WorkerPool } from '../../src/notify/worker-pool.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { MailServer, Outgoing, Receiver, until } from '../fixtures/notify.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

const hour = 3_600_000;
/** Tries that fail before a receiver is given up: the pauses between them last a day. */
const mostFailures = 29;

interface Place {
  readonly project: number;
  readonly tracker: number;
  readonly title: number;
  readonly assigned: number;
}

describe.each(usuallyOn('SQLite'))('what is promised to receivers on %s', (engine) => {
  let atelier: Atelier;
  let post: MailServer;
  let receiver: Receiver;
  let outgoing: Outgoing;
  let alice: Person;
  let eve: Person;
  let people: Person[];
  let fair: Place;
  let greedy: Place;

  /** A project with a tracker whose artifacts can be assigned to everybody. */
  async function makePlace(owner: Person, name: string): Promise<Place> {
    const { id: project } = await createProject(owner, name);
    await setMembers(owner, `${project}_3`, [owner, ...people]);
    const { id: tracker } = await createTracker(owner, project, { item_name: 'bug' });
    const { field_id: title } = await addField(owner, tracker, { type: 'string', name: 'title' });
    const bind = { type: 'users', groups: ['3'] };
    const { field_id: assigned } = await addField(owner, tracker, { type: 'msb', name: 'assigned', bind });
    await setSemantics(owner, tracker, {
      title: { field_id: title },
      contributor: { field_id: assigned },
    });
    return { project, tracker, title, assigned };
  }

  const report = (who: Person, { tracker, title, assigned }: Place, to: readonly Person[] = []) =>
    submit(who, tracker, [
      { field_id: title, value: 'It breaks' },
      { field_id: assigned, bind_value_ids: to.map(({ id }) => id) },
    ]);

  async function hook(owner: Person, { tracker }: Place, to = receiver): Promise<number> {
    const made = await owner.post(`/trackers/${tracker}/webhooks`, { url: `http://${to.host}/hook` });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  }
  const logOf = async (id: number) => (await alice.get(`/webhooks/${id}/deliveries?limit=50`)).body;
  const stateOf = async (id: number) => (await alice.get(`/webhooks/${id}`)).body.is_enabled;
  async function counter(name: string): Promise<number> {
    const text = await (await fetch(`${atelier.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  beforeAll(async () => {
    post = await MailServer.start();
    receiver = await Receiver.start();
    atelier = await startAtelier(engine, { env: { ATELIER_SMTP_URL: post.url } });
    outgoing = await Outgoing.of(atelier);
    alice = await atelier.createUser('alice');
    eve = await atelier.createUser('eve');
    people = [];
    for (const name of ['bob', 'stuck1', 'stuck2', 'stuck3', 'stuck4', 'stuck5'])
      people.push(await atelier.createUser(name));
    fair = await makePlace(alice, 'fair');
    greedy = await makePlace(eve, 'greedy');
    await atelier.configure({ webhook_hosts: receiver.host });
    await outgoing.isEmpty();
  });
  afterAll(async () => {
    await outgoing?.close();
    await atelier?.stop();
    await receiver?.stop();
    await post?.stop();
  });
  beforeEach(() => {
    receiver.calls.length = 0;
    receiver.answer = (response) => response.end();
    post.clear();
    post.verdict = () => 'take';
    post.refusesAll = undefined;
  });
  afterEach(async () => {
    for (const [owner, place] of [
      [alice, fair],
      [eve, greedy],
    ] as const)
      for (const { id } of (await owner.get(`/trackers/${place.tracker}/webhooks?limit=50`)).body)
        await owner.delete(`/webhooks/${id}`);
  });

  test('is kept however much of it waits, and comes when the receiver is ready', async () => {
    const id = await hook(alice, fair);
    const [waiting, left] = [1010, 30];
    const soon = Date.now() + hour;
    await atelier.sql(`
      update webhook set due_at = ${soon}, paused_until = ${soon}, waits_since = ${Date.now()} where id = ${id};
      with recursive number (value) as (select 1 union all select value + 1 from number where value < ${waiting})
      insert into webhook_delivery
        (webhook_id, owner_id, event, body, state, attempts, due_at, waits_since, answer, created_at)
      select ${id}, ${alice.id}, 'artifact.created', '{}', 'waiting', 0, 1, 1, '', 1 from number`);
    await report(alice, fair);
    await until(async () => (await outgoing.events()) === 0);
    expect(await outgoing.waitingDeliveries()).toBe(waiting + 1);
    await until(async () => (await counter('atelier_webhook_deliveries_waiting')) === waiting + 1);
    await atelier.sql(`
      delete from webhook_delivery where id in
        (select id from webhook_delivery where webhook_id = ${id} order by id limit ${waiting + 1 - left});
      update webhook set due_at = 0, paused_until = 0 where id = ${id}`);
    await outgoing.isEmpty();
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([left, left]);
  });

  test('is given up when the receiver took nothing for a day, which its log, its owner and the metrics are told', async () => {
    const before = await counter('atelier_webhook_receivers_given_up_total');
    receiver.answer = (response) => response.writeHead(500).end();
    const id = await hook(alice, fair);
    const first = await report(alice, fair);
    await until(async () => (await logOf(id))[0]?.attempts === 1);
    await change(alice, first, [{ field_id: fair.title, value: 'Still' }]);
    await until(async () => (await logOf(id)).length === 2);

    // A clock that jumps ahead by days brings the end no nearer.
    const past = Date.now() - 72 * hour;
    await atelier.sqlAll([
      `update webhook_delivery set created_at = ${past}, due_at = ${past}, waits_since = ${past} where due_at is not null`,
      `update webhook set failing_since = ${past}, due_at = ${past}, paused_until = 0 where id = ${id}`,
    ]);
    const tried = receiver.calls.length;
    await until(() => receiver.calls.length > tried);
    await until(async () => (await logOf(id)).every(({ state }: { state: string }) => state === 'waiting'));
    expect(await stateOf(id)).toBe(true);

    // Said again, because a try that was under way says something else when it ends. One after the other: together they would hold rows
    // in another order than that try, and one of the two would be refused.
    await until(async () => {
      await atelier.sqlAll([
        'update webhook_delivery set due_at = 0 where due_at is not null',
        `update webhook set failures = ${mostFailures}, due_at = 0, paused_until = 0 where id = ${id} and is_enabled = 1`,
      ]);
      return !(await stateOf(id));
    });
    await outgoing.isEmpty();
    const log = await logOf(id);
    expect(log[0]).toMatchObject({ event: 'given_up', state: 'failed', due_on: null });
    expect(log[0].fault).toMatch(/^The receiver took nothing since .* given up with 2 waiting deliveries/);
    expect(JSON.parse(log[0].body)).toMatchObject({ webhook_id: id, deliveries: 2 });
    expect(log.slice(1).map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed']);
    const [mail] = post.to('alice').filter(({ subject }) => subject.includes('webhook'));
    expect(mail?.subject).toBe(
      `The receiver of your webhook ${id} (${receiver.host}) took nothing for a day and was given up.`,
    );
    expect(mail?.text).toContain('Deliveries given up: 2');
    expect(await counter('atelier_webhook_receivers_given_up_total')).toBe(before + 1);

    receiver.answer = (response) => response.end();
    receiver.calls.length = 0;
    await change(alice, first, [{ field_id: fair.title, value: 'Unheard' }]);
    await outgoing.isEmpty();
    await alice.patch(`/webhooks/${id}`, { is_enabled: true });
    await change(alice, first, [{ field_id: fair.title, value: 'Heard' }]);
    await alice.post(`/webhooks/${id}/deliveries/${log[1].id}/redeliver`);
    expect((await alice.post(`/webhooks/${id}/deliveries/${log[0].id}/redeliver`)).status).toBe(404);
    await outgoing.isEmpty();
    expect(receiver.calls.map(({ headers }) => headers['webhook-id']).sort()).toHaveLength(2);
  });

  test('waits for nobody else whose receivers hang', async () => {
    const tarpit = await Receiver.start();
    await atelier.configure({ webhook_hosts: `${receiver.host} ${tarpit.host}` });
    const hanging = new Set<ServerResponse>();
    let ended = 0;
    tarpit.answer = (response) => {
      hanging.add(response);
      response.on('close', () => ended++);
    };
    const own = await hook(alice, fair);
    await alice.post(`/webhooks/${own}/ping`);
    await outgoing.isEmpty();
    for (let number = 0; number < 20; number++) await hook(eve, greedy, tarpit);
    await report(eve, greedy);
    await until(() => hanging.size > 0);
    await report(eve, greedy);
    const id = await report(alice, fair);
    await until(() => receiver.calls.some(({ body }) => body.artifact?.id === id));
    expect(ended).toBe(0);
    // What hangs together to one host is no more than its share.
    expect(hanging.size).toBeLessThanOrEqual(4);
    await tarpit.stop();
    await atelier.configure({ webhook_hosts: receiver.host });
  });

  test('has been taken by a receiver that answers 200, though its answer does not end', async () => {
    receiver.answer = (response) => void response.writeHead(200, { 'Content-Length': 100 }).write('abc');
    const id = await hook(alice, fair);
    await alice.post(`/webhooks/${id}/ping`);
    const log = async () => (await alice.get(`/webhooks/${id}/deliveries`)).body[0];
    await expect.poll(async () => (await log())?.state).toBe('delivered');
    expect(await log()).toMatchObject({ attempts: 1, status: 200, fault: null });
    receiver.answer = (response) => response.end('thanks');
  });

  test('finds its workers free after a fault that came while turns were dealt out', async () => {
    const [first, second] = [await hook(alice, fair), await hook(eve, greedy)];
    const { folder, environment } = atelier.instance;
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    const database = await openDatabase({ folder, databaseUrl, connections: 2 });
    const workers = new WorkerPool(mostDeliveries, () => undefined);
    // In a transaction that comes to nothing, so that the service knows nothing of it.
    const dealt = database.transaction(async (tx) => {
      const due = tx.sql.updateTable('webhook').set({ due_at: 1 });
      await tx.run(due.where('id', 'in', [first, second]));
      await tx.run(tx.sql.updateTable('webhook').set({ url: 'nowhere' }).where('id', '=', second));
      await new WebhookTurns(tx, workers).pick();
    });
    await expect(dealt).rejects.toThrow('Invalid URL');
    expect(workers.room).toBe(mostDeliveries);
    await database.close();
  });

  test('comes by mail while mails of others hang', async () => {
    const [bob, ...stuck] = people;
    post.verdict = (address) => (address.startsWith('stuck') ? 'hang' : 'take');
    await report(eve, greedy, stuck);
    await until(() => post.tries.length >= 4);
    await report(alice, fair, [bob!]);
    await until(() => post.to('bob').length === 1);
    expect(post.gaveUp).toBe(0);
    post.verdict = () => 'take';
    await atelier.sql('delete from mail');
  });

  test('does not wait for a clock that was set back', async () => {
    const [bob] = people;
    const id = await hook(alice, fair);
    let isAway = true;
    receiver.answer = (response) => (isAway ? response.writeHead(503) : response).end();
    post.verdict = () => (isAway ? 'later' : 'take');
    await report(alice, fair, [bob!]);
    // Noted, and not only answered: what is noted after the clock was set back is due by the clock.
    await until(async () => (await logOf(id))[0]?.status === 503 && (await outgoing.faults()).length > 0);
    isAway = false;
    // As if the clock were two hours behind what it was.
    const ahead = (table: string, more = '') =>
      `update ${table} set due_at = due_at + ${2 * hour}, waits_since = waits_since + ${2 * hour}${more}
        where due_at is not null`;
    await atelier.sqlAll([
      ahead('mail'),
      ahead('webhook_delivery'),
      ahead('webhook', `, paused_until = paused_until + ${2 * hour}`),
      `insert into outbox (kind, payload, created_at, due_at, waits_since)
        values ('access_key.created', '{"account":${bob!.id},"key":1,"description":"","scopes":[],"createdAt":1,"expiresAt":null}',
          1, ${Date.now() + 2 * hour}, ${Date.now() + 2 * hour})`,
    ]);
    await outgoing.isEmpty();
    expect(receiver.calls).toHaveLength(2);
    expect(
      post
        .to('bob')
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual(['An access key was created for your account', expect.stringContaining('It breaks')]);
  });

  test('comes by mail once the mail server is there again, without using up tries', async () => {
    const [bob] = people;
    await post.stop();
    await report(alice, fair, [bob!]);
    await until(async () => (await outgoing.waitingMails()) === 1);
    const isTried = async () => (await outgoing.faults()).length > 0;
    await until(isTried);
    expect(await outgoing.faults()).toEqual([
      { attempts: 0, fault: expect.stringContaining('ECONNREFUSED') },
    ]);
    await post.comeBack();
    await outgoing.isEmpty();
    expect(post.to('bob')).toHaveLength(1);
  });

  test.each(['greeting', 'sender'] as const)(
    'comes by mail once the mail server does not refuse everybody any more, who are refused at the %s',
    async (place) => {
      const [bob, carol] = people;
      // Connections that are open know no greeting any more.
      await post.stop();
      post.refusesAll = place;
      await post.comeBack();
      await report(alice, fair, [bob!, carol!]);
      await until(async () => (await outgoing.faults()).length > 0);
      expect((await outgoing.faults()).slice(0, 1)).toEqual([
        { attempts: 0, fault: expect.stringContaining('I take nothing') },
      ]);
      post.refusesAll = undefined;
      await outgoing.isEmpty();
      expect(post.to(bob!.name)).toHaveLength(1);
      expect(post.to(carol!.name)).toHaveLength(1);
      expect((await atelier.admin.get('/platform/failed_mails')).body).toEqual([]);
    },
  );

  test('uses up tries where the mail server goes away at one mail, and answers for others', async () => {
    const [bob, carol] = people;
    post.verdict = (address) => (address.startsWith(bob!.name) ? 'cut' : 'take');
    await report(alice, fair, [bob!]);
    await until(async () => (await outgoing.faults()).length > 0);
    await report(alice, fair, [carol!]);
    // A mail that is under way counts its try, which is taken back where it says nothing about the mail.
    await until(async () => (await outgoing.faults()).some(({ attempts }) => attempts > 1));
    expect(post.to(carol!.name)).toHaveLength(1);
    post.verdict = () => 'take';
    await outgoing.isEmpty();
    expect(post.to(bob!.name)).toHaveLength(1);
  });
});
