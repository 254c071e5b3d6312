import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('places of people on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let browser: Caller;
  let project: number;
  let tracker: number;
  let report: number;
  let summary: number;

  const createArtifact = async (title: string): Promise<number> => {
    const values = [{ field_id: summary, value: title }];
    return (await alice.post('/artifacts', { tracker: { id: tracker }, values })).body.id;
  };

  /** As a page of the server itself asks. */
  async function signIn({ name, password }: Person): Promise<Caller> {
    const { headers } = await atelier.anonymous.post('/sessions', { username: name, password });
    const Cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return atelier.callerWith({ Cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' });
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'shop', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const made = await createTracker(alice, project, {
      item_name: 'bug',
      label: 'Bugs',
      color_name: 'fiesta-red',
    });
    tracker = made.id;
    const field = await addField(alice, tracker, { type: 'string', name: 'summary', label: 'Summary' });
    summary = field.field_id;
    await setSemantics(alice, tracker, { title: { field_id: summary } });
    report = (await alice.post(`/trackers/${tracker}/tracker_reports`, { label: 'Mine' })).body.id;
    browser = await signIn(bob);
  });
  afterAll(() => atelier.stop());

  const history = async (caller: Caller) => (await caller.get('/users/self/history')).body.entries;

  test('an artifact that a web session reads is in the history, the last one first, each once', async () => {
    const [first, second] = [await createArtifact('One'), await createArtifact('Two')];
    for (const id of [first, second, first]) {
      await browser.get(`/artifacts/${id}`);
      await history(browser);
    }
    const entries = await history(browser);
    expect(entries.map(({ title }: { title: string }) => title)).toEqual(['One', 'Two']);
    expect(entries[0]).toMatchObject({
      ...{ type: 'artifact', per_type_id: first, xref: `bug #${first}`, color_name: 'fiesta-red' },
      html_url: `/plugins/tracker/?aid=${first}`,
      project: { id: project },
    });
  });

  test('what programs read is none', async () => {
    await alice.get(`/artifacts/${await createArtifact('Read by a program')}`);
    // What is read after it in a page is noted after it, too.
    const page = await signIn(alice);
    await page.get(`/artifacts/${await createArtifact('Read in a page')}`);
    await expect.poll(async () => (await history(page)).length).toBeGreaterThan(0);
    expect((await history(page)).map(({ title }: { title: string }) => title)).toEqual(['Read in a page']);
    await alice.put('/users/self/history', []);
  });

  test('other places are noted when asked, and all are forgotten when asked', async () => {
    for (const uri of [`projects/${project}`, `trackers/${tracker}`, `tracker_reports/${report}`])
      expect((await alice.post('/users/self/history', { uri })).status).toBe(204);
    const entries = await history(alice);
    expect(entries.map(({ type }: { type: string }) => type)).toEqual(['report', 'tracker', 'project']);
    expect(entries.map(({ title }: { title: string }) => title)).toEqual(['Mine', 'Bugs', 'Project shop']);
    await alice.put('/users/self/history', []);
    expect(await history(alice)).toEqual([]);
  });

  test.each(['artifacts', 'artifacts/0', 'users/101', 'artifacts/1/links', 'constructor/1', ''])(
    'a visit to "%s" is refused',
    async (uri) => {
      const { status, body } = await alice.post('/users/self/history', { uri });
      expect(status).toBe(400);
      expect(body.error.message).toContain('`uri`');
    },
  );

  test('nobody notes a visit to what they may not see, nor one for somebody else', async () => {
    const eve = await atelier.createUser('eve');
    expect((await eve.post('/users/self/history', { uri: `projects/${project}` })).status).toBe(403);
    expect((await eve.post('/users/self/history', { uri: 'artifacts/999999' })).status).toBe(404);
    const foreign = { uri: `projects/${project}` };
    expect((await alice.post(`/users/${bob.id}/history`, foreign)).status).toBe(403);
    expect((await alice.get(`/users/${bob.id}/favorites`)).status).toBe(403);
    expect((await alice.put(`/users/${bob.id}/favorites`, { uris: [] })).status).toBe(403);
  });

  test('the oldest of more than 200 visits are forgotten', async () => {
    const carol = await atelier.createUser('carol');
    const { id } = carol;
    const rows = Array.from({ length: 230 }, (_, at) => `(${id}, 'artifact', ${900_000 + at}, ${at})`);
    await atelier.sql(`insert into visit (account_id, kind, item_id, visited_at) values ${rows.join(', ')}`);
    const publicProject = (await createProject(carol, 'caves')).id;
    await carol.post('/users/self/history', { uri: `projects/${publicProject}` });
    const [{ count }] = (await atelier.sql(
      `select count(*) as count from visit where account_id = ${id}`,
    )) as [{ count: unknown }];
    expect(Number(count)).toBe(200);
    expect(await history(carol)).toMatchObject([{ per_type_id: publicProject }]);
  });

  test('favourites keep their order, and name what they are', async () => {
    const bug = await createArtifact('A favourite bug');
    const uris = [
      `artifacts/${bug}`,
      `projects/${project}`,
      `trackers/${tracker}`,
      `tracker_reports/${report}`,
    ];
    const { body } = await alice.put('/users/self/favorites', { uris });
    expect(body).toEqual((await alice.get('/users/self/favorites')).body);
    expect(body.map(({ uri }: { uri: string }) => uri)).toEqual(uris);
    expect(body[0]).toEqual({
      ...{ uri: `artifacts/${bug}`, kind: 'artifact', label: 'A favourite bug', xref: `bug #${bug}` },
      ...{ html_url: `/plugins/tracker/?aid=${bug}`, color: 'fiesta-red', icon: null },
    });
    const turned = uris.toReversed().slice(0, 2);
    const after = (await alice.put('/users/self/favorites', { uris: turned })).body;
    expect(after.map(({ uri }: { uri: string }) => uri)).toEqual(turned);
  });

  test('favourites that are wrong change nothing', async () => {
    const uris = [`projects/${project}`];
    await alice.put('/users/self/favorites', { uris });
    const tooMany = Array.from({ length: 101 }, (_, at) => `artifacts/${at + 1}`);
    for (const [wrong, status] of [
      [[...uris, ...uris], 400],
      [[...uris, 'users/1'], 400],
      [[...uris, 'artifacts/999999'], 404],
      [tooMany, 400],
    ] as const)
      expect((await alice.put('/users/self/favorites', { uris: wrong })).status).toBe(status);
    expect((await alice.get('/users/self/favorites')).body).toMatchObject([{ uri: uris[0] }]);
  });

  test('what is hidden is left out, survives a choice of others, and comes back', async () => {
    const dan = await atelier.createUser('dan');
    const [mine, own] = [`projects/${project}`, `projects/${(await createProject(dan, 'den')).id}`];
    await setMembers(alice, `${project}_3`, [alice, bob, dan]);
    await dan.put('/users/self/favorites', { uris: [mine, own] });
    await setMembers(alice, `${project}_3`, [alice, bob]);
    expect((await dan.get('/users/self/favorites')).body).toMatchObject([{ uri: own }]);
    expect((await dan.put('/users/self/favorites', { uris: [own] })).body).toHaveLength(1);
    await setMembers(alice, `${project}_3`, [alice, bob, dan]);
    const back = (await dan.get('/users/self/favorites')).body;
    expect(back.map(({ uri }: { uri: string }) => uri)).toEqual([own, mine]);
  });
});
