import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, setMembers } from '../fixtures/project.ts';
import {
  changeSettings,
  createRepository,
  lacksSubversion,
  type Repository,
  SvnClient,
} from '../fixtures/svn.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { MetricsText } from '../harness/metrics.ts';

const engines = oneEngine('SQLite', 'commits are judged in code, by what Subversion tells');

describe.skipIf(lacksSubversion).each(engines)('what may be committed, on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: { id: number; item_name: string; fields: { field_id: number; name: string }[] };
  let firmware: Repository;
  const client = new SvnClient();
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'Pump', { xml_template_name: 'issues' })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    firmware = await createRepository(alice, project, 'firmware', {
      layout: ['trunk/src', 'tags', 'lib/tags', 'a/b/tags'],
    });
    const [first] = (await alice.get(`/projects/${project}/trackers`)).body;
    tracker = first;
  });
  afterAll(async () => {
    await atelier.stop();
    client.remove();
  });

  const unique = () => randomBytes(4).toString('hex');
  const commit = (message: string, ...actions: string[]) =>
    client.mucc(
      alice,
      firmware.svn_url,
      message,
      ...(actions.length === 0 ? ['mkdir', `trunk/${unique()}`] : actions),
    );
  const rules = (settings: object) => changeSettings(alice, firmware.id, { ...settings });
  const put = (path: string, content: string | Buffer = 'x') => {
    const file = join(client.folder, `file-${unique()}`);
    writeFileSync(file, content);
    return ['put', file, path];
  };

  async function createArtifact(summary: string): Promise<number> {
    const fieldId = tracker.fields.find(({ name }) => name === 'summary')?.field_id;
    const reply = await alice.post('/artifacts', {
      tracker: { id: tracker.id },
      values: [{ field_id: fieldId, value: summary }],
    });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  }
  const referencesOf = async (person: Person, id: number) => {
    const { values } = (await person.get(`/artifacts/${id}`)).body;
    return values.find(({ type }: { type: string }) => type === 'cross')?.value;
  };

  test('a message without a reference is refused with words that tell what to do, where one is mandatory', async () => {
    await rules({ commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false } });
    const before = await MetricsText.of(atelier);
    for (const message of [
      'no reference',
      'art#123',
      'svn #unknown/3',
      'git #12',
      'doc #1/2',
      'nothing #1',
    ]) {
      const { code, error } = await commit(message);
      expect([code, error], message).toEqual([
        1,
        expect.stringContaining('Commit message must contains a reference'),
      ]);
      expect(error).toContain('for example: art #123');
    }
    for (const message of [
      `fixes (${tracker.item_name} #45)`,
      'svn #firmware/1',
      'Doc #12',
      'git #pump/abc12',
      'wiki #Home',
    ])
      expect((await commit(message)).code, message).toBe(0);
    // What a rule refuses is no fault of the service. A request is counted after it was answered.
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      const more = (name: string, labels = {}) => metrics.sum(name, labels) - before.sum(name, labels);
      expect(more('atelier_svn_commits_refused_total')).toBe(6);
      expect(more('atelier_svn_commits_total')).toBe(5);
      const commits = { route: '/svnplugin', method: 'MERGE' };
      expect(more('atelier_http_requests_total', { ...commits, status: '4xx' })).toBe(6);
      expect(metrics.sum('atelier_http_requests_total', { route: '/svnplugin', status: '5xx' })).toBe(0);
    });
    await rules({});
    await atelier.configure({ allow_empty_svn_commit_message: false });
    expect((await commit('')).error).toContain('Commit message must not be empty');
    await atelier.configure({ allow_empty_svn_commit_message: true });
    expect((await commit('')).code).toBe(0);
  });

  test('tags are made and never changed again, but for what the whitelist allows', async () => {
    const file = (path: string) => put(path);
    await rules({});
    await commit('prepare', ...file('trunk/src/f'), 'mkdir', 'tags/old', ...file('tags/old/f'));
    await rules({ immutable_tags: { paths: ['/tags/', '*/tags'], whitelist: ['tags/module*'] } });
    const copyOf = (to: string) => ['cp', 'HEAD', 'trunk', to];
    const allowed: [string, string[]][] = [
      ['a tag', copyOf('tags/v1')],
      ['a folder for tags', ['mkdir', 'tags/moduleA']],
      ['a tag in a folder of the whitelist', copyOf('tags/moduleA/v1')],
    ];
    for (const [what, actions] of allowed)
      expect(await commit(what, ...actions), what).toMatchObject({ code: 0 });
    const refused: [string, string[]][] = [
      ['tags/moduleA/v1/new', file('tags/moduleA/v1/new')],
      ['tags/old/f', file('tags/old/f')],
      ['lib', ['rm', 'lib']],
      ['tags/old', ['propset', 'colour', 'red', 'tags/old']],
    ];
    for (const [path, actions] of refused) {
      const { code, error } = await commit(path, ...actions);
      expect([code, error], path).toEqual([
        1,
        expect.stringContaining(`Commit to tag \`${path}\` is not allowed`),
      ]);
    }
    expect((await commit('delete elsewhere', 'rm', 'a')).code).toBe(0);
    await rules({});
  });

  test('a folder is deleted where no tags lie in it, also from a copy that the same commit makes', async () => {
    await commit('modules', 'mkdir', 'm1', 'mkdir', 'm1/one', 'mkdir', 'm1/one/tags', 'mkdir', 'm1/two');
    await rules({ immutable_tags: { paths: ['/m*/o*/tags'], whitelist: [] } });
    expect(await commit('copy', 'cp', 'HEAD', 'm1', 'm2', 'rm', 'm2/one')).toMatchObject({ code: 0 });
    for (const folder of ['m1', 'm1/one'])
      expect((await commit('away', 'rm', folder)).error).toContain(`Commit to tag \`${folder}\``);
    expect(await commit('nothing in it', 'rm', 'm1/two')).toMatchObject({ code: 0 });
    expect(await commit('no tags left', 'rm', 'm2')).toMatchObject({ code: 0 });
    await rules({});
  });

  test('a file that is too large is named with its size and the limit', async () => {
    await atelier.configure({ plugin_svn_file_size_limit: 1 });
    const large = Buffer.alloc(1024 * 1024 + 1, 'a');
    const { code, error } = await commit('large', ...put('trunk/fits', 'ok'), ...put('trunk/large', large));
    expect([code, error]).toEqual([1, expect.stringContaining('`trunk/large` has 1048577 bytes')]);
    expect(error).toContain('1048576 bytes');
    expect((await commit('fits', ...put('trunk/largest', large.subarray(1)))).code).toBe(0);
    await atelier.configure({ plugin_svn_file_size_limit: 50 });
  });

  test('messages are changed where that is allowed, and nothing else of a revision is', async () => {
    const change = (property: string, value: string) =>
      client.svn(alice, ['propset', '--revprop', '-r', '1', property, value, firmware.svn_url]);
    expect((await change('svn:log', 'other')).error).toContain('Commit message is not allowed to change.');
    await rules({ commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: true } });
    expect((await change('svn:author', 'bob')).error).toContain('Cannot modify anything but svn:log');
    expect((await change('svn:log', 'no reference')).error).toContain('must contains a reference');
    expect((await change('svn:log', 'now with art #1\nand ümlauts')).code).toBe(0);
    expect(await client.must(alice, ['log', '-r', '1', firmware.svn_url])).toContain(
      'now with art #1\nand ümlauts',
    );
    await rules({});
  });

  test('a message that is changed is the one that lists and artifacts show', async () => {
    const id = await createArtifact('The valve');
    await rules({ commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: true } });
    expect((await commit(`The password is 1234, art #${id}`)).code).toBe(0);
    const etag = (await alice.get(`/artifacts/${id}`)).headers.get('etag');
    const change = ['propset', '--revprop', '-r', 'HEAD', 'svn:log', 'Nothing to see', firmware.svn_url];
    await client.must(alice, change);
    expect((await alice.get(`/svn/${firmware.id}`)).body.last_commit.message).toBe('Nothing to see');
    expect((await referencesOf(alice, id))[0].commit.message).toBe('Nothing to see');
    const again = await alice.get(`/artifacts/${id}`, { headers: { 'If-None-Match': etag ?? '' } });
    expect(again.status).toBe(200);
    await rules({});
  });

  test('an artifact that a message names shows revision, author and message to those who may read them', async () => {
    const id = await createArtifact('The pump leaks');
    const message = `Tighten the valve, see ART #${id} and ${tracker.item_name} #${id}`;
    const { out } = await commit(message, ...put('trunk/valve.c'));
    const revision = Number(/Committed revision (\d+)|^r(\d+)/m.exec(out)?.slice(1).find(Boolean));
    const ref = `svn #firmware/${revision}`;
    const whole = {
      ref,
      url: `${atelier.url}/goto?key=svn&val=firmware%2F${revision}&group_id=${project}`,
      direction: 'in',
      commit: { revision, author: 'alice', message, date: expect.any(String) },
    };
    expect(await referencesOf(alice, id)).toEqual([whole]);
    expect(await referencesOf(bob, id)).toEqual([whole]);
    const timeline = await bob.get(`/artifacts/${id}/timeline?kinds=commits`);
    expect(timeline.body).toMatchObject([
      {
        id: `commit-firmware/${revision}`,
        kind: 'commit',
        submitted_by: { username: 'alice' },
        commit: { repository: 'firmware', revision, message },
      },
    ]);
    await rules({ access_file: '[/trunk/valve.c]\n* =\nbob =\n@members =\nalice = rw' });
    expect((await referencesOf(bob, id))[0].commit).toBeUndefined();
    expect((await referencesOf(alice, id))[0].commit.message).toBe(message);
    await rules({});
  });

  test('files, folders, revisions and changes are shown at any revision, as far as the access file lets', async () => {
    const { out } = await commit('Say how', ...put('trunk/how to.txt', 'one\n'));
    await commit('Say more', ...put('trunk/how to.txt', 'two\n'), 'cp', 'HEAD', 'trunk/src', 'trunk/copy');
    const first = Number(/r(\d+) committed/.exec(out)?.[1]);
    const path = `/svn/${firmware.id}`;
    const tree = await bob.get(`${path}/tree?path=/trunk&limit=500`);
    expect(tree.status, tree.text).toBe(200);
    const entry = (name: string) => tree.body.entries.find((one: { name: string }) => one.name === name);
    expect(entry('how to.txt')).toMatchObject({
      path: '/trunk/how to.txt',
      type: 'file',
      size: 4,
      last_change: { revision: first + 1, author: 'alice' },
    });
    expect(entry('copy')).toMatchObject({ type: 'folder', size: null });
    const old = await bob.get(`${path}/tree?path=trunk/how%20to.txt&revision=${first}`);
    expect(old.body).toMatchObject({ revision: first, type: 'file', entries: [] });
    const fetchText = async (href: string, person: Person) => {
      const reply = await fetch(`${atelier.url}${href}`, { headers: { 'X-Auth-AccessKey': person.key } });
      return { status: reply.status, text: await reply.text(), type: reply.headers.get('content-type') };
    };
    expect(await fetchText(old.body.content_href, bob)).toEqual({
      status: 200,
      text: 'one\n',
      type: 'application/octet-stream',
    });
    const log = await bob.get(`${path}/log?limit=1`);
    expect(log.body.revisions[0]).toMatchObject({
      revision: first + 1,
      message: 'Say more',
      author: 'alice',
      is_partial: false,
    });
    expect(log.body.revisions[0].changes).toContainEqual(
      expect.objectContaining({
        path: '/trunk/copy',
        action: 'A',
        copied_from: { path: '/trunk/src', revision: expect.any(Number) },
      }),
    );
    const next = await bob.get(`${path}/log?path=/trunk/how%20to.txt&from=${log.body.next}&limit=5`);
    expect(next.body.revisions.map(({ message }: { message: string }) => message)).toEqual(['Say how']);
    expect((await fetchText(log.body.revisions[0].diff_href, bob)).text).toContain('-one\n+two');
    for (const missing of [
      '/tree?path=/nothing',
      '/tree?revision=9999',
      '/revisions/9999',
      '/log?path=/nothing',
    ])
      expect((await bob.get(path + missing)).status, missing).toBe(404);
    for (const wrong of [
      '/revisions/-1',
      '/revisions/0',
      '/revisions/99999999999',
      '/tree?revision=-1',
      '/tree?revision=99999999999',
      '/log?from=99999999999',
    ])
      expect((await bob.get(path + wrong)).status, wrong).toBe(400);
    for (const wrong of ['/../etc', `/${'x'.repeat(256)}`, '/x'.repeat(2000)])
      for (const what of ['tree', 'log'])
        expect((await bob.get(`${path}/${what}?path=${wrong}`)).status, wrong.slice(0, 10)).toBe(400);
    expect((await atelier.anonymous.get(`${path}/tree`)).status).toBe(401);
    await rules({ access_file: '[/trunk/how to.txt]\n* =\n@members =\nalice = r' });
    expect((await bob.get(`${path}/tree?path=/trunk/how%20to.txt`)).status).toBe(403);
    expect((await bob.get(`${path}/revisions/${first}`)).status).toBe(404);
    expect((await bob.get(`${path}/revisions/${first + 1}`)).body).toMatchObject({
      message: '',
      is_partial: true,
    });
    expect((await fetchText(log.body.revisions[0].diff_href, bob)).status).toBe(403);
    expect((await atelier.admin.get(`${path}/revisions/${first}`)).body.message).toBe('Say how');
    await rules({});
  });

  const committed = ({ out }: { out: string }) => Number(/^r(\d+)/m.exec(out)?.[1]);

  /** Makes a revision that would take many requests, and lets the platform know of it as a commit does. */
  function loadRevision(name: string, message: string, paths: readonly string[]): void {
    const properties = (values: Record<string, string>) =>
      [
        ...Object.entries(values).flatMap(([key, value]) => [
          ...[`K ${key.length}`, key, `V ${Buffer.byteLength(value)}`, value],
        ]),
        'PROPS-END\n',
      ].join('\n');
    const own = properties({
      'svn:author': 'alice',
      'svn:date': '2026-01-31T12:00:00.000000Z',
      'svn:log': message,
    });
    const length = Buffer.byteLength(own);
    const folders = new Set(paths.map((path) => dirname(path)));
    const nodes = paths.map((path) => {
      const kind = folders.has(path) ? 'dir' : 'file';
      return `Node-path: ${path}\nNode-kind: ${kind}\nNode-action: add\n\n`;
    });
    const head = `Revision-number: 1\nProp-content-length: ${length}\nContent-length: ${length}\n\n${own}\n`;
    const input = `SVN-fs-dump-format-version: 2\n\n${head}${nodes.join('')}`;
    const root = join(atelier.instance.folder, 'svn_plugin');
    const repository = join(root, String(project), name);
    execFileSync('svnadmin', ['load', '-q', '--no-flush-to-disk', repository], { input });
    // What root loads is root's, and nobody else may read it.
    const { uid, gid } = statSync(repository);
    execFileSync('chown', ['-R', `${uid}:${gid}`, repository]);
    const [file = ''] = readdirSync(join(root, '.server')).filter((one) => one.endsWith('.env'));
    const variables = readFileSync(join(root, '.server', file), 'utf8').matchAll(/^(ATELIER_\w+) = (.*)$/gm);
    const env = Object.fromEntries([...variables].map(([, key, value]) => [key, value]));
    execFileSync(join(repository, 'hooks', 'post-commit'), [repository, '1'], { env });
  }

  // What Subversion is asked of so many files hangs on no engine.
  test.runIf(engine === 'SQLite')(
    'a commit of which anything is hidden keeps its message, however large it is',
    async () => {
      // The first request lets the server of repositories begin, which tells hooks whom to ask.
      await commit('Begin', 'mkdir', 'begun');
      const id = await createArtifact('Many files');
      const { id: many } = await createRepository(alice, project, 'many');
      const files = Array.from({ length: 2100 }, (_, index) => `file number ${index} of a great many`);
      loadRevision('many', `Secret, art #${id}`, ['z', 'z/secret', ...files]);
      const settings = (access_file: string) => changeSettings(alice, many, { access_file });
      await settings('[many:/z]\n* =\n@members =\n[other:/]\n* =');
      const revision = async () => (await bob.get(`/svn/${many}/revisions/1`)).body;
      expect(await revision()).toMatchObject({ message: '', is_partial: true });
      expect((await referencesOf(bob, id))[0].commit).toMatchObject({ author: 'alice', message: '' });
      const tree = await bob.get(`/svn/${many}/tree?limit=50`);
      expect([tree.status, tree.headers.get('x-pagination-size')]).toEqual([200, '2100']);
      await settings('[:glob:/**/z]\n* =\n@members =');
      const asked = await bob.get(`/svn/${many}/tree?limit=50`);
      expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('use a Subversion client')]);
      expect((await bob.get(`/svn/${many}/tree?path=/z`)).status).toBe(403);
      expect((await bob.get(`/svn/${many}/tree?path=/${encodeURIComponent(files[0] ?? '')}`)).status).toBe(
        200,
      );
      await settings('');
      expect((await revision()).message).toContain('Secret');
    },
  );

  test('a copy of what is hidden tells neither where it came from nor why it was made', async () => {
    const id = await createArtifact('Copies');
    await commit('hidden', 'mkdir', 'hidden', ...put('hidden/plan', 'secret\n'));
    const revision = committed(
      await commit(`From hidden, art #${id}`, 'cp', 'HEAD', 'hidden/plan', 'trunk/plan'),
    );
    const gone = committed(await commit('Remove it', 'rm', 'hidden'));
    await rules({ access_file: '[/hidden]\n* =\n@members =\nalice = rw' });
    const path = `/svn/${firmware.id}/revisions/${revision}`;
    const { body } = await bob.get(path);
    expect(body).toMatchObject({ message: '', is_partial: true });
    expect(body.changes).toMatchObject([{ path: '/trunk/plan', copied_from: null }]);
    const diffFor = async (person: Person, href: string) =>
      (await fetch(`${atelier.url}${href}`, { headers: { 'X-Auth-AccessKey': person.key } })).status;
    expect(await diffFor(bob, body.diff_href)).toBe(403);
    expect(await diffFor(alice, body.diff_href)).toBe(200);
    expect((await referencesOf(bob, id))[0].commit).toMatchObject({ author: 'alice', message: '' });
    expect((await referencesOf(alice, id))[0].commit.message).toContain('From hidden');
    await rules({ access_file: '[/hidden/plan]\n* =\n@members =' });
    const removal = (await bob.get(`/svn/${firmware.id}/revisions/${gone}`)).body;
    expect(await diffFor(bob, removal.diff_href)).toBe(403);
    await rules({});
  });

  test('names that begin with a dash are names', async () => {
    await rules({ immutable_tags: { paths: ['*/tags'], whitelist: [] } });
    await commit('dashes', 'mkdir', './-old', ...put('./-r'));
    const { body } = await bob.get(`/svn/${firmware.id}/tree?path=/-r`);
    const reply = await fetch(`${atelier.url}${body.content_href}`, {
      headers: { 'X-Auth-AccessKey': bob.key },
    });
    expect([reply.status, await reply.text()]).toEqual([200, 'x']);
    expect(await commit('gone', 'rm', './-old')).toMatchObject({ code: 0 });
    await rules({});
  });

  test('hooks refuse what they cannot ask about, whatever it is', async () => {
    const folder = join(atelier.instance.folder, 'svn_plugin', '.server');
    for (const file of readdirSync(folder)) if (file.endsWith('.env')) rmSync(join(folder, file));
    const { code, error } = await commit('nobody to ask');
    expect([code, error]).toEqual([1, expect.stringContaining('The platform could not be asked')]);
  });

  test('whatever an empty repository lists can be read', async () => {
    const { id } = await createRepository(alice, project, 'empty');
    const { body } = await alice.get(`/svn/${id}`);
    expect(body.resources.map(({ type }: { type: string }) => type)).toContain('log');
    for (const { uri } of body.resources) expect((await alice.get(`/${uri}`)).status, uri).toBe(200);
    expect((await alice.get(`/svn/${id}/log`)).body).toEqual({ revisions: [], next: null });
    expect((await alice.get(`/svn/${id}/tree`)).body).toMatchObject({ type: 'folder', entries: [] });
    expect((await alice.get(`/svn/${id}/log?path=/nothing`)).status).toBe(404);
  });
});
