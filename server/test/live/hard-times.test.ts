import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, submit } from '../fixtures/artifact.ts';
import { Listener } from '../fixtures/events.ts';
import { createProject } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { MetricsText } from '../harness/metrics.ts';
import { head, RawConnection } from '../hostile/raw-connection.ts';

const engines = oneEngine(
  'PostgreSQL',
  'streams are bounded in code; what is told again comes from rows that other processes write too',
);

describe.each(engines)('streams of events in hard times on %s', (engine) => {
  let atelier: Atelier;
  let tracker: number;
  let title: number;
  const topics = () => [`trackers/${tracker}`];
  const make = (words: string) => submit(atelier.admin, tracker, [{ field_id: title, value: words }]);

  beforeAll(async () => {
    // A password takes its time here: long enough for somebody to go away meanwhile.
    const env = { ATELIER_ARGON2_MEMORY: '65536', ATELIER_ARGON2_PASSES: '4' };
    atelier = await startAtelier(engine, { isAlone: true, env });
    const project = (await createProject(atelier.admin, 'heard')).id;
    tracker = (await createTracker(atelier.admin, project)).id;
    title = (await addField(atelier.admin, tracker, { type: 'string', name: 'title' })).field_id;
  });
  afterAll(() => atelier?.stop());

  test('a thousand topics, unknown ones and those of others are refused by name', async () => {
    const asking = (...names: readonly string[]) =>
      atelier.admin.get(`/events?${names.map((name) => `topics=${encodeURIComponent(name)}`).join('&')}`);
    const thousand = Array.from({ length: 1000 }, (_, at) => `trackers/${at + 1}`);
    const inOne = await atelier.admin.get(`/events?topics=${thousand.join(',')}`);
    expect([inOne.status, messageOf(inOne)]).toEqual([400, expect.stringContaining('Maximum 30')]);
    // Longer than any address may be.
    expect((await asking(...thousand)).status).toBe(431);
    for (const wrong of ['dashboards', 'trackers/0', 'trackers/-1', 'trackers/1e3', 'user/101', '../user']) {
      const reply = await asking(...topics(), wrong);
      expect([reply.status, messageOf(reply)], wrong).toEqual([400, expect.stringContaining('topics')]);
    }
    const unknown = await asking('projects/99999999', 'imports/99999999');
    expect(unknown.status).toBe(403);
    // The same topic over and over is one.
    const same = await asking(...Array.from({ length: 60 }, () => `trackers/${tracker}`));
    expect(same.status).toBe(200);
  });

  test('somebody who opens and closes streams in a loop leaves nothing behind', async () => {
    const open = async () => {
      const outgoing = request(`${atelier.url}/api/events?topics=trackers/${tracker}`, {
        headers: { 'X-Auth-AccessKey': atelier.admin.key },
        agent: false,
      });
      outgoing.on('error', () => undefined).end();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.destroy();
      return answer.statusCode;
    };
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 15; round++)
      for (const status of await Promise.all(Array.from({ length: 10 }, open))) seen.add(status);
    // Those that were not let in were told to come again.
    for (const status of seen) expect([200, 503]).toContain(status);
    const all: Listener[] = [];
    await eventually(async () => {
      while (all.length < 20) all.push(await Listener.open(atelier, atelier.admin, topics()));
    });
    const id = await make('Heard by all who stayed');
    for (const one of all)
      await eventually(() => expect(one.news.at(-1)).toMatchObject({ uri: `artifacts/${id}` }));
    for (const one of all) one.close();
  });

  test('somebody who goes away before they are known leaves nothing behind', async () => {
    // Nobody whose password was right a moment ago.
    const { password } = await atelier.createAccount('hasty');
    const Authorization = `Basic ${Buffer.from(`hasty:${password}`).toString('base64')}`;
    const ask = head('GET', '/api/events?topics=user', { Authorization });
    const events = { method: 'GET', route: '/events' };
    const before = (await MetricsText.of(atelier)).sum('atelier_http_requests_total', events);
    const gone = Array.from({ length: 25 }, async () =>
      (await RawConnection.open(atelier.url)).send(ask).end(),
    );
    await Promise.all(gone);
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      expect(metrics.sum('atelier_http_requests_total', events)).toBe(before + 25);
    });
    const all: Listener[] = [];
    while (all.length < 20)
      all.push(await Listener.open(atelier, undefined, ['user'], { headers: { Authorization } }));
    for (const one of all) one.close();
    await eventually(async () =>
      expect((await MetricsText.of(atelier)).sum('atelier_event_streams')).toBe(0),
    );
  });

  test('a service that is stopped and killed again and again: a gap is told again, or ends in reset', async () => {
    const heard: string[] = [];
    const made: string[] = [];
    let after: string | undefined;
    const listen = async () => {
      const listener = await Listener.open(atelier, atelier.admin, topics(), { after });
      const resets = () => listener.news.filter(({ event }) => event === 'reset').length;
      const uris = () => listener.news.flatMap((one) => ('uri' in one ? [one.uri] : []));
      /** All that was made is known, or whoever listens was told to read again. */
      const isWhole = () => resets() > 0 || made.every((uri) => heard.includes(uri) || uris().includes(uri));
      return { listener, isWhole, uris };
    };
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { listener, isWhole, uris } = await listen();
      made.push(`artifacts/${await make('While somebody listens')}`);
      await eventually(() => expect(uris()).toContain(made.at(-1)));
      expect(isWhole()).toBe(true);
      await atelier.server.end(signal);
      await eventually(() => expect(listener.isOver).toBe(true));
      if (signal === 'SIGTERM') expect(listener.news.at(-1)).toEqual({ event: 'reset' });
      after = listener.ids.at(-1);
      heard.push(...uris());
      await atelier.restart();
      made.push(`artifacts/${await make('While nobody listens')}`);
    }
    const { listener, isWhole } = await listen();
    await eventually(() => expect(isWhole()).toBe(true));
    listener.close();
  });
});
