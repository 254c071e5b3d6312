import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, submit } from '../fixtures/artifact.ts';
import { Listener } from '../fixtures/events.ts';

import { createProject, setMembers } from '../fixtures/project.ts';
import { uploadArchive } from '../fixtures/project-archive.ts';
import { changeSettings, createRepository, lacksSubversion, SvnClient } from '../fixtures/svn.ts';
import { addField, createTracker, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier, startHosted } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const engines = oneEngine(
  'SQLite',
  'who is told is decided in code; two processes share their events below, on PostgreSQL',
);

describe.each(engines)('events of other things than artifacts on %s', (engine) => {
  let atelier: Atelier;
  /** Administers the project. */
  let alice: Person;
  /** A member. */
  let bob: Person;
  /** Sees public projects only. */
  let carol: Person;
  let project: number;
  const listeners: Listener[] = [];

  async function listen(who: Person, ...topics: readonly string[]): Promise<Listener> {
    const listener = await Listener.open(atelier, who, topics);
    listeners.push(listener);
    return listener;
  }
  /** What was heard, without what is the same for all. */
  const deeds = ({ news }: Listener) =>
    news.map((one) => ('uri' in one && 'what' in one ? `${one.event} ${one.uri} ${one.what}` : one.event));

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'heard')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close();
  });
  afterAll(() => atelier?.stop());

  test('17.1 of a tracker: that it came, was changed, and went, to those who could see it', async () => {
    const [ofBob, ofCarol] = [
      await listen(bob, `projects/${project}`),
      await listen(carol, `projects/${project}`),
    ];
    const { id } = await createTracker(alice, project, { item_name: 'chore' });
    await eventually(() => expect(deeds(ofBob)).toContain(`tracker trackers/${id} created`));
    await setPermissions(alice, id, { can_access: [`${project}_3`] });
    await eventually(() => expect(deeds(ofBob)).toContain(`tracker trackers/${id} changed`));
    const heard = deeds(ofCarol).length;
    await addField(alice, id, { type: 'string', name: 'title' });
    expect((await alice.delete(`/trackers/${id}`)).status).toBeLessThan(300);
    await eventually(() => expect(deeds(ofBob).at(-1)).toBe(`tracker trackers/${id} deleted`));
    expect(ofBob.news.at(-1)).toMatchObject({ project: `projects/${project}`, by: alice.id });
    // Told to everybody who sees the project: what came before has been told by then.
    const renamed = await alice.patch(`/projects/${project}/settings`, { settings: { label: 'Heard of' } });
    expect(renamed.status, renamed.text).toBe(200);
    await eventually(() => expect(deeds(ofCarol).at(-1)).toBe(`project projects/${project} changed`));
    expect(deeds(ofCarol).slice(heard, -1)).toEqual([]);
  });

  test('17.1 of a report: one’s own to oneself, a public one to all who see the tracker', async () => {
    const { id } = await createTracker(alice, project);
    await addField(alice, id, { type: 'string', name: 'title' });
    const [ofAlice, ofBob] = [await listen(alice, `trackers/${id}`), await listen(bob, `trackers/${id}`)];
    const path = `/trackers/${id}/tracker_reports`;
    const own = (await alice.post(path, { label: 'Mine' })).body;
    const all = (await alice.post(path, { label: 'Everybody’s', is_public: true })).body;
    await eventually(() =>
      expect(deeds(ofAlice)).toEqual([
        `report tracker_reports/${own.id} created`,
        `report tracker_reports/${all.id} created`,
      ]),
    );
    const hidden = await alice.patch(`/tracker_reports/${all.id}/settings`, { is_public: false });
    expect(hidden.status, hidden.text).toBe(200);
    expect((await alice.delete(`/tracker_reports/${own.id}`)).status).toBeLessThan(300);
    await eventually(() =>
      expect(deeds(ofAlice).slice(2)).toEqual([
        `report tracker_reports/${all.id} changed`,
        `report tracker_reports/${all.id} deleted`,
        `report tracker_reports/${own.id} deleted`,
      ]),
    );
    await eventually(() =>
      expect(deeds(ofBob)).toEqual([
        `report tracker_reports/${all.id} created`,
        `report tracker_reports/${all.id} deleted`,
      ]),
    );
  });

  test('17.1 of one’s standing: who becomes a member or sets a preference hears so', async () => {
    const heard = await listen(carol, 'user');
    const set = await carol.patch('/users/self/preferences', { key: 'web.heard', value: '1' });
    expect(set.status, set.text).toBeLessThan(300);
    await eventually(() => expect(deeds(heard)).toContain('standing'));
    const before = heard.news.length;
    const hidden = (await createProject(alice, 'hidden', { is_public: false })).id;
    expect((await carol.get(`/events?topics=projects/${hidden}`)).status).toBe(403);
    await setMembers(alice, `${hidden}_3`, [alice, carol]);
    await eventually(() => expect(deeds(heard).slice(before)).toContain('standing'));
    const inside = await listen(carol, `projects/${hidden}`);
    expect(inside.events[0]).toMatchObject({ topics: [`projects/${hidden}`] });
    await setMembers(alice, `${hidden}_3`, [alice]);
    await eventually(() => expect(deeds(heard).slice(before)).toHaveLength(2));
    const silent = inside.news.length;
    await createTracker(alice, hidden);
    const known = await listen(alice, `projects/${hidden}`);
    await createTracker(alice, hidden);
    await eventually(() => expect(known.news).toHaveLength(1));
    expect(inside.news.slice(silent)).toEqual([]);
  });

  test('17.1 of an import: each step to whoever may look at it, and to nobody else', async () => {
    const junk = Buffer.from('this is no zip file');
    const wish = { file_name: 'a.zip', file_size: junk.length };
    const { body } = await atelier.admin.post('/project_imports', wish);
    const heard = await listen(atelier.admin, `imports/${body.id}`);
    const refused = await carol.get(`/events?topics=imports/${body.id}`);
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('none')]);
    const ofCarol = await listen(carol, 'user');
    await uploadArchive(atelier, atelier.admin, body.upload_href, junk);
    await eventually(async () => {
      expect((await atelier.admin.get(`/${body.uri}`)).body.state).toBe('failed');
      expect(deeds(heard)).toContain(`import ${body.uri} changed`);
    });
    expect(deeds(ofCarol)).toEqual([]);
  });

  test.skipIf(lacksSubversion)(
    '17.1 of a repository: that it came, what was set, and each commit',
    async () => {
      const heard = await listen(bob, `projects/${project}`);
      const { id, svn_url: url } = await createRepository(alice, project, 'code');
      await eventually(() => expect(deeds(heard)).toEqual([`svn svn/${id} created`]));
      await changeSettings(alice, id, { immutable_tags: { paths: ['/tags'], whitelist: [] } });
      await eventually(() => expect(deeds(heard).at(-1)).toBe(`svn svn/${id} changed`));
      const client = new SvnClient();
      const { code, error } = await client.mucc(alice, url, 'Begin', 'mkdir', 'trunk');
      client.remove();
      expect(code, error).toBe(0);
      await eventually(() => expect(deeds(heard).at(-1)).toBe(`svn svn/${id} committed`));
      expect(heard.news.at(-1)).toMatchObject({ project: `projects/${project}`, by: alice.id });
      const request = await alice.delete(`/svn/${id}`);
      expect(request.status, request.text).toBeLessThan(300);
      await eventually(() => expect(deeds(heard)).toHaveLength(4));
      expect(deeds(heard).at(-1)).toBe(`svn svn/${id} changed`);
    },
  );
});

describe('events over two processes on PostgreSQL', () => {
  test('17.1 what is changed at one is told by the other, in the order of commits, and once', async () => {
    const atelier = await startAtelier('PostgreSQL');
    const other = await startHosted(atelier.instance.environment);
    const listeners: Listener[] = [];
    try {
      const alice = await atelier.createUser('alice');
      const project = (await createProject(alice, 'apart')).id;
      const tracker = (await createTracker(alice, project)).id;
      const title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
      const [here, there] = [
        await Listener.open(atelier, alice, [`trackers/${tracker}`]),
        await Listener.open(other, alice, [`trackers/${tracker}`]),
      ];
      listeners.push(here, there);
      // Many writers at once: they are numbered by whoever looks first.
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          submit(alice, tracker, [{ field_id: title, value: `Word ${at}` }]),
        ),
      );
      const uris = ids.map((id) => `artifacts/${id}`).toSorted();
      const heardBy = ({ news }: Listener) => news.map((one) => ('uri' in one ? one.uri : one.event));
      for (const one of [here, there]) await eventually(() => expect(heardBy(one).toSorted()).toEqual(uris));
      expect(heardBy(there)).toEqual(heardBy(here));
      const last = there.ids.at(-1);
      there.close();
      const missed = await submit(alice, tracker, [{ field_id: title, value: 'Missed' }]);
      // Whoever comes back to the other process is told what they missed.
      const again = await Listener.open(atelier, alice, [`trackers/${tracker}`], { after: last });
      listeners.push(again);
      await eventually(() => expect(heardBy(again)).toEqual([`artifacts/${missed}`]));
    } finally {
      for (const listener of listeners) listener.close();
      await other.end();
      await atelier.stop();
    }
  });
});
