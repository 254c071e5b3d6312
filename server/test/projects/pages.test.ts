import type { Heartbeats } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setPermissions, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

type Heartbeat = Heartbeats['entries'][number];

const engines = oneEngine('PostgreSQL', 'what pages show is made in code');

describe.each(engines)('what the pages of a project need on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let hidden: number;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'pages', { label: 'Pages' })).id;
    hidden = (await createProject(alice, 'hidden-pages', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  test('GET /project_names/{shortname} is the project, or 403 where it is hidden, or 404', async () => {
    const byName = await bob.get('/project_names/Pages');
    expect([byName.status, byName.body]).toEqual([200, (await bob.get(`/projects/${project}`)).body]);
    expect((await alice.get('/project_names/hidden-pages')).body.id).toBe(hidden);
    expect((await bob.get('/project_names/hidden-pages')).status).toBe(403);
    expect((await bob.get('/project_names/no-such-pages')).status).toBe(404);
    expect((await atelier.anonymous.get('/project_names/pages')).status).toBe(200);
  });

  test('GET heartbeats tells of no activity where there is none', async () => {
    const { status, body } = await atelier.anonymous.get(`/projects/${project}/heartbeats`);
    expect([status, body]).toEqual([200, { entries: [], are_there_activities_user_cannot_see: false }]);
  });

  test('GET heartbeats tells what was done last to artifacts that the caller may see', async () => {
    const place = (await createProject(alice, 'busy-pages', { label: 'Busy' })).id;
    await setMembers(alice, `${place}_3`, [alice, bob]);
    const open = await createTracker(alice, place, { item_name: 'bug', label: 'Bugs' });
    const title = (await addField(alice, open.id, { type: 'string', name: 'title' })).field_id;
    await setSemantics(alice, open.id, { title: { field_id: title } });
    const closed = await createTracker(alice, place, { item_name: 'plan', label: 'Plans' });
    const secret = (await addField(alice, closed.id, { type: 'string', name: 'title' })).field_id;
    const first = await submit(alice, open.id, [{ field_id: title, value: 'A <b>lamp</b>' }]);
    const second = await submit(bob, open.id, [{ field_id: title, value: 'A door' }]);
    await submit(alice, closed.id, [{ field_id: secret, value: 'Hidden' }]);
    await setPermissions(alice, closed.id, { can_access: ['4'] });
    const said = await bob.post(`/artifacts/${first}/comments`, { body: 'I see', format: 'text' });
    expect(said.status, said.text).toBe(201);
    const { body } = await bob.get(`/projects/${place}/heartbeats`);
    const told = body.entries.map(({ html_message, user }: Heartbeat) => [html_message, user?.username]);
    const link = (id: number) => `<a href="/plugins/tracker/?aid=${id}">bug #${id}</a>`;
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        [`commented on ${link(first)} A &lt;b&gt;lamp&lt;/b&gt;`, 'bob'],
        [`created ${link(second)} A door`, 'bob'],
      ]),
    );
    const subject = {
      reference: `bug #${second}`,
      html_url: `/plugins/tracker/?aid=${second}`,
      title: 'A door',
    };
    expect(body.entries).toContainEqual(expect.objectContaining({ deed: 'created', subject }));
    expect(body.are_there_activities_user_cannot_see).toBe(true);
    const seen = (await alice.get(`/projects/${place}/heartbeats`)).body;
    expect([seen.entries.length, seen.are_there_activities_user_cannot_see]).toEqual([3, false]);
  });

  test('GET heartbeats has the newest artifacts first of those that were changed in one moment', async () => {
    const place = (await createProject(alice, 'one-moment', { label: 'One moment' })).id;
    const made: number[] = [];
    for (const item_name of ['bug', 'plan']) {
      const { id } = await createTracker(alice, place, { item_name });
      const { field_id } = await addField(alice, id, { type: 'string', name: 'title' });
      for (let count = 0; count < 20; count++) made.push(await submit(alice, id, [{ field_id, value: 'x' }]));
    }
    await atelier.sql(`update artifact set modified_on = 1700000000000 where id in (${made})`);
    const { body } = await alice.get(`/projects/${place}/heartbeats`);
    const told = body.entries.map(({ html_message }: Heartbeat) =>
      Number(/aid=(\d+)/.exec(html_message)?.[1]),
    );
    expect(told).toEqual(made.toReversed().slice(0, 30));
  });

  describe('banner', () => {
    const path = () => `/projects/${project}/banner`;

    test('is 404 until set, then read by all, changed and taken away by administrators', async () => {
      expect((await bob.get(path())).status).toBe(404);
      const inProject = async () => (await bob.get(`/projects/${project}`)).body;
      expect(await inProject()).not.toHaveProperty('banner');
      const set = await alice.put(path(), { message: 'Closed on <b>Monday</b>' });
      expect([set.status, set.text]).toEqual([200, '']);
      expect((await atelier.anonymous.get(path())).body).toEqual({ message: 'Closed on <b>Monday</b>' });
      expect((await alice.put(path(), { banner: { message: 'Open again' } })).status).toBe(200);
      expect((await bob.get(path())).body).toEqual({ message: 'Open again' });
      expect(await inProject()).toMatchObject({ banner: 'Open again' });
      expect((await alice.delete(path())).status).toBe(200);
      expect((await alice.delete(path())).status).toBe(200);
      expect((await bob.get(path())).status).toBe(404);
    });

    test('is refused when empty, and to everybody but administrators', async () => {
      for (const body of [{}, { message: '' }, { message: '  ' }, { message: 'x'.repeat(70_000) }]) {
        expect((await alice.put(path(), body)).status).toBe(400);
      }
      expect((await bob.put(path(), { message: 'Mine' })).status).toBe(403);
      expect((await bob.delete(path())).status).toBe(403);
      expect((await atelier.anonymous.put(path(), { message: 'Mine' })).status).toBe(401);
      expect((await bob.put(`/projects/${hidden}/banner`, { message: 'Mine' })).status).toBe(403);
      expect((await alice.put('/projects/99999/banner', { message: 'Mine' })).status).toBe(404);
    });
  });

  test('header_background is one of the known pictures, set and taken away by administrators', async () => {
    const path = `/projects/${project}/header_background`;
    const set = await alice.put(path, { header_background_representation: { identifier: 'ocean-waves' } });
    expect([set.status, set.text]).toEqual([200, '']);
    expect((await alice.get(`/projects/${project}/settings`)).body.header_background).toBe('ocean-waves');
    expect((await alice.get(`/projects/${project}`)).body.header_background).toBe('ocean-waves');
    expect((await alice.put(path, { identifier: 'moon' })).status).toBe(400);
    expect((await bob.put(path, { identifier: 'ocean-waves' })).status).toBe(403);
    expect((await bob.delete(path)).status).toBe(403);
    for (let times = 0; times < 2; times++) {
      const removed = await alice.delete(path);
      expect([removed.status, removed.text]).toEqual([200, '']);
    }
    expect((await alice.get(`/projects/${project}/settings`)).body.header_background).toBe('');
    expect((await alice.get(`/projects/${project}`)).body).not.toHaveProperty('header_background');
  });

  describe('POST extract_references', () => {
    const extract = async (text: string, caller = alice) => {
      const { status, body } = await caller.post(`/projects/${project}/extract_references`, { text });
      expect(status).toBe(200);
      return body;
    };

    test('gives text, link and the word before', async () => {
      const reply = await alice.post(`/projects/${project}/extract_references`, { text: 'see art #12' });
      expect([reply.status, reply.headers.get('allow')]).toEqual([200, 'OPTIONS, POST']);
      expect(reply.body).toEqual([
        { text: 'art #12', link: `${atelier.url}/goto?key=art&val=12&group_id=${project}`, context: 'see' },
      ]);
    });

    test.each([
      ['fix crash, closes art #123', ['art #123']],
      ['ART #1 Artifact #2', ['ART #1', 'Artifact #2']],
      ['(art #5), [art #6]. art #7.', ['art #5', 'art #6', 'art #7']],
      ['svn #unknown/42 rev #7 revision #a/b/3', ['rev #7']],
      ['svn #firmware, svn #firmware/trunk', []],
      ['art#123, art  #123, #123, ART-123', []],
      ['smart #3 x_art #4', []],
      ['bug #45', []],
      ['art #1/2', []],
      ['art #pages:8', ['art #pages:8']],
      ['art #nowhere:8', []],
      ['', []],
    ])('finds in "%s" %j', async (text, expected) => {
      expect((await extract(text)).map((reference: { text: string }) => reference.text)).toEqual(expected);
    });

    test('names of other projects count as far as the caller may see them', async () => {
      const text = `art #hidden-pages:3 and art #${hidden}:4`;
      const found = await extract(text);
      expect(found.map(({ link }: { link: string }) => link)).toEqual([
        `${atelier.url}/goto?key=art&val=3&group_id=${hidden}`,
        `${atelier.url}/goto?key=art&val=4&group_id=${hidden}`,
      ]);
      expect(await extract(text, bob)).toEqual([]);
    });

    test('is open to anonymous readers, and 400 without a text', async () => {
      const open = await atelier.anonymous.post(`/projects/${project}/extract_references`, {
        text: 'art #1',
      });
      expect([open.status, open.body.length]).toEqual([200, 1]);
      expect((await alice.post(`/projects/${project}/extract_references`, {})).status).toBe(400);
      const long = { text: 'art #1 '.repeat(200_000) };
      expect((await alice.post(`/projects/${project}/extract_references`, long)).status).toBe(400);
    });

    test('answers soon about a text that is made to be hard', async () => {
      const names = Array.from({ length: 6000 }, (_, index) => `art #p${index}:1`).join(' ');
      const texts = [
        `art #${'a.'.repeat(49_000)}`,
        `art #${'a/'.repeat(49_000)}`,
        '_'.repeat(100_000),
        'art '.repeat(25_000),
        names,
      ];
      const cost = await atelier.costOf(async () => {
        for (const text of texts) await extract(text);
      });
      expect(cost).toBeLessThan(5);
    });
  });

  describe('GET 3rd_party_integration_data', () => {
    const path = () => `/projects/${project}/3rd_party_integration_data`;

    test('gives the menu of the project as JSON text, a style sheet and the keywords', async () => {
      const { status, body, headers } = await alice.get(`${path()}?currently_active_service=plugin_tracker`);
      expect([status, headers.get('allow')]).toEqual([200, 'OPTIONS, GET']);
      const config = JSON.parse(body.project_sidebar.config);
      expect(Object.keys(config)).toEqual([
        'internationalization',
        'project',
        'user',
        'instance_information',
        'tools',
      ]);
      expect(config.project).toMatchObject({
        name: 'Pages',
        icon: '',
        has_project_announcement: false,
        flags: [],
      });
      expect(config.project.linked_projects).toBeNull();
      expect(config.user).toEqual({ is_project_administrator: true, is_logged_in: true });
      type Tool = { shortcut_id: string; is_active: boolean };
      expect(config.tools.map(({ shortcut_id, is_active }: Tool) => [shortcut_id, is_active])).toEqual([
        ['summary', false],
        ['admin', false],
        ['plugin_tracker', true],
        ['plugin_svn', false],
      ]);
      expect(body.styles.content).not.toBe('');
      expect(body.references.map(({ keyword }: { keyword: string }) => keyword)).toEqual(
        expect.arrayContaining(['art', 'artifact', 'svn', 'rev', 'revision']),
      );
    });

    test('tells nothing of trackers that the caller may not see, and neither does extracting', async () => {
      const { id } = await createTracker(alice, project, { item_name: 'layoffs' });
      await createTracker(alice, project, { item_name: 'task' });
      await setPermissions(alice, id, { can_access: [], can_access_submitted_by_user: [`${project}_4`] });
      const text = 'layoffs #1 and task #2';
      const known = async (caller: Caller) => {
        const words = (await caller.get(path())).body.references.map(
          (word: { keyword: string }) => word.keyword,
        );
        const found = (await caller.post(`/projects/${project}/extract_references`, { text })).body;
        return [
          words.includes('layoffs'),
          words.includes('task'),
          found.map((one: { text: string }) => one.text),
        ];
      };
      expect(await known(alice)).toEqual([true, true, ['layoffs #1', 'task #2']]);
      expect(await known(bob)).toEqual([false, true, ['task #2']]);
      expect(await known(atelier.admin)).toEqual([true, true, ['layoffs #1', 'task #2']]);
    });

    test('leaves out services that are switched off, and knows the caller’s sidebar', async () => {
      const { body: services } = await alice.get(`/projects/${project}/project_services`);
      await alice.put(`/project_services/${services[3].id}`, { is_enabled: false });
      await bob.patch('/users/self/preferences', { key: 'sidebar_state', value: 'sidebar-collapsed' });
      const { body } = await bob.get(path());
      expect(body.project_sidebar.is_collapsed).toBe(true);
      const config = JSON.parse(body.project_sidebar.config);
      expect(config.tools.map(({ shortcut_id }: { shortcut_id: string }) => shortcut_id)).not.toContain(
        'plugin_svn',
      );
      expect(config.user).toEqual({ is_project_administrator: false, is_logged_in: true });
      const anonymous = await atelier.anonymous.get(path());
      expect(anonymous.body.project_sidebar.is_collapsed).toBe(false);
      expect(JSON.parse(anonymous.body.project_sidebar.config).user.is_logged_in).toBe(false);
    });
  });

  describe('POST /projects/{id}/rendered_texts', () => {
    test('shows a text as it would be were it saved, with references and people who see the project', async () => {
      const ursula = await atelier.createUser('ursula');
      const { id } = await createProject(ursula, 'renderings', { is_public: false });
      const path = `/projects/${id}/rendered_texts`;
      const text =
        '**See** art #12 and @ursula, not @stranger-here, `@ursula` or @101.\n\n<script>1</script>';
      const { status, body } = await ursula.post(path, { text, format: 'commonmark' });
      expect(status).toBe(200);
      const href = `/goto?key=art&val=12&group_id=${id}`;
      expect(body.references).toEqual([{ text: 'art #12', href }]);
      expect(body.mentions).toMatchObject([{ username: 'ursula' }]);
      expect(body.html).toContain('<strong>See</strong>');
      expect(body.html).toContain('<a href="/users/ursula" class="mention">@ursula</a>, not @stranger-here');
      expect(body.html).toContain('<code>@ursula</code>');
      expect(body.html).not.toContain('<script');
      expect((await ursula.post(path, { text: '@ursula', format: 'html' })).body.mentions).toEqual([]);
      expect((await ursula.post(path, { text: '' })).body).toEqual({
        html: '',
        references: [],
        mentions: [],
      });
      expect((await ursula.post(path, { text: 'é'.repeat(32_768) })).status).toBe(400);
      expect((await ursula.post(path, { text: 'x', format: 'rtf' })).status).toBe(400);
      expect((await atelier.anonymous.post(path, { text: 'x' })).status).toBe(403);
    });
  });
});
