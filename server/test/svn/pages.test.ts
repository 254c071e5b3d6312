import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramOutput } from '../../src/http/svn/program-output.ts';
import { parseClientXml } from '../../src/svn/browse/client-xml.ts';
import { createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  changeSettings,
  createRepository,
  lacksSubversion,
  type Repository,
  SvnClient,
  wholeSettings,
} from '../fixtures/svn.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

test('a program that says nothing for too long is ended, and so is one of which enough was said', async () => {
  const shell = (words: string) => spawn('/bin/sh', ['-c', words], { stdio: ['ignore', 'pipe', 'ignore'] });
  const silent = shell('exec sleep 600');
  await expect(ProgramOutput.of(silent, 50)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(silent.signalCode).toBe('SIGKILL');

  const stuck = shell('trap "" TERM; echo words; exec sleep 600');
  const said: string[] = [];
  const output = await ProgramOutput.of(stuck, 200);
  const pouring = output.upTo(100).pour(async (bytes) => void said.push(Buffer.from(bytes).toString()));
  await expect(pouring).rejects.toThrow('in the middle');
  expect([said.join(''), stuck.signalCode]).toEqual(['words\n', 'SIGKILL']);

  const endless = shell('trap "" TERM; exec yes');
  await (await ProgramOutput.of(endless)).upTo(10).pour(async () => {});
  await eventually(() => expect(endless.signalCode).toBe('SIGKILL'));
});

test('others have their turn while what the Subversion client says is read', async () => {
  const entries = Array.from(
    { length: 20_000 },
    (_, index) => `<path action="A">/a/long/name/${index}</path>`,
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const { children } = await parseClientXml(`<log>${entries.join('\n')}</log>`);
  clearInterval(timer);
  expect([children.length, children.at(-1)?.text]).toEqual([20_000, '/a/long/name/19999']);
  expect(turns).toBeGreaterThan(0);
});

const engines = oneEngine('PostgreSQL', 'pages are made of what Subversion tells');

describe.skipIf(lacksSubversion).each(engines)('what pages of repositories read on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let site: Repository;
  const client = new SvnClient();

  const put = async (person: Person, message: string, files: Readonly<Record<string, string | Buffer>>) => {
    const actions = Object.entries(files).flatMap(([path, content], index) => {
      const source = join(client.folder, `file-${index}`);
      writeFileSync(source, content);
      return ['put', source, path];
    });
    const said = await client.mucc(person, site.svn_url, message, ...actions);
    expect(said.code, said.error).toBe(0);
  };
  const ask = async (person: Person, path: string) => {
    const answer = await fetch(`${atelier.url}${path}`, { headers: { 'X-Auth-AccessKey': person.key } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'shop')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    site = await createRepository(alice, project, 'site', { layout: ['/trunk', '/tags', '/secret'] });
    await put(alice, 'Baskets', {
      'trunk/basket.ts': 'one\ntwo\nthree',
      'secret/plan.txt': 'hidden\nwords\n',
    });
    await put(bob, 'Keep them', { 'trunk/basket.ts': 'one\n2 < 3 & "so"\nthree\nfour\n' });
    const said = await client.mucc(
      alice,
      site.svn_url,
      'Out',
      'cp',
      'HEAD',
      'secret/plan.txt',
      'trunk/plan.txt',
    );
    expect(said.code, said.error).toBe(0);
    await put(bob, 'More', { 'trunk/plan.txt': 'hidden\nwords\nof mine\n' });
  });
  afterAll(async () => {
    client.remove();
    await atelier.stop();
  });

  test('repositories tell their last commit, whether they wait for deletion, and who administers them', async () => {
    const { body } = await bob.get(`/svn/${site.id}`);
    expect(body).toMatchObject({
      last_commit: { revision: 5, author: 'bob', message: 'More', date: expect.any(String) },
      is_deletion_pending: false,
      may_administer: false,
    });
    const { body: list } = await alice.get(`/projects/${project}/svn`);
    expect(list.repositories[0]).toMatchObject({ last_commit: { revision: 5 }, may_administer: true });
    expect((await atelier.anonymous.get(`/svn/${site.id}`)).body.last_commit).toBeNull();
  });

  test('commits are among what happened last in the project', async () => {
    const { body } = await bob.get(`/projects/${project}/heartbeats`);
    expect(body.entries[0]).toMatchObject({
      html_message: 'committed <a href="/projects/shop/svn/site/revisions/5">site r5</a> More',
      deed: 'committed',
      subject: { reference: 'site r5', html_url: '/projects/shop/svn/site/revisions/5', title: 'More' },
      user: { username: 'bob' },
    });
  });

  test('blame says of every line what svn blame says', async () => {
    const said = await client.must(bob, ['blame', `${site.svn_url}/trunk/basket.ts`]);
    const { body, status, text } = await bob.get(`/svn/${site.id}/blame?path=/trunk/basket.ts`);
    expect(status, text).toBe(200);
    const lines = body.lines.map(
      (line: { revision: number; author: string; text: string }) =>
        `${String(line.revision).padStart(6)} ${line.author.padStart(10)} ${line.text}`,
    );
    expect(lines).toEqual(said.trimEnd().split('\n'));
    const page = await bob.get(`/svn/${site.id}/blame?path=/trunk/basket.ts&limit=2&offset=1`);
    expect([page.body.lines.map(({ number }: { number: number }) => number), sizeOf(page)]).toEqual([
      [2, 3],
      4,
    ]);
    const old = await bob.get(`/svn/${site.id}/blame?path=/trunk/basket.ts&revision=2`);
    expect(old.body.lines.map(({ revision }: { revision: number }) => revision)).toEqual([2, 2, 2]);
  });

  test('blame refuses folders, what is no text, and what is not there', async () => {
    await put(alice, 'Bytes', { 'trunk/logo.bin': Buffer.from([1, 0, 2, 0]) });
    const status = async (path: string) =>
      (await bob.get(`/svn/${site.id}/blame?path=${encodeURIComponent(path)}`)).status;
    expect(await status('/trunk')).toBe(400);
    expect(await status('/trunk/logo.bin')).toBe(400);
    expect(await status('/trunk/none')).toBe(404);
    await put(alice, 'Long', { 'trunk/long.txt': 'a\n'.repeat(100_001) });
    expect(await status('/trunk/long.txt')).toBe(400);
  });

  test('a path compares between two revisions, also where it is in one of them only', async () => {
    const diff = (query: string) => ask(bob, `/svn-content/${site.id}/diff?${query}`);
    const changed = await diff('path=/trunk/basket.ts&from=2&to=3');
    expect([changed.status, changed.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(changed.text).toContain('-two\n-three\n\\ No newline at end of file\n+2 < 3 & "so"');
    expect((await diff('path=/trunk/basket.ts&from=1&to=2')).text).toContain('+three');
    expect((await diff('path=/trunk/none&from=1&to=2')).status).toBe(404);
    expect((await diff('path=/trunk&from=1&to=99')).status).toBe(404);
    expect((await diff('path=/trunk&from=x&to=2')).status).toBe(404);
  });

  test('a file is shown where it is text or a picture, and saved otherwise', async () => {
    await put(alice, 'Pictures', {
      'trunk/dot.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
      'trunk/page.html': '<script>alert(1)</script>',
    });
    const file = async (path: string, more = '&inline=1') => {
      const { headers } = await ask(bob, `/svn-content/${site.id}/file?path=${path}${more}`);
      return [headers.get('content-type'), headers.get('content-disposition')?.split(';', 1)[0]];
    };
    expect(await file('/trunk/page.html')).toEqual(['text/plain; charset=utf-8', 'inline']);
    expect(await file('/trunk/dot.png')).toEqual(['image/png', 'inline']);
    expect(await file('/trunk/logo.bin')).toEqual(['application/octet-stream', 'attachment']);
    expect(await file('/trunk/page.html', '')).toEqual(['application/octet-stream', 'attachment']);
    const { headers, text } = await ask(bob, `/svn-content/${site.id}/file?path=/trunk/page.html&inline=1`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toBe('<script>alert(1)</script>');
    const tree = await bob.get(`/svn/${site.id}/tree?path=/trunk/page.html`);
    expect(tree.body.size).toBe(25);
  });

  test('files are found by parts of their names, the nearest first', async () => {
    await put(alice, 'Many', {
      'trunk/Sub-Basket.ts': '',
      'trunk/my basket.md': '',
      'tags/basket.ts': '',
    });
    const files = async (query: string) => (await bob.get(`/svn/${site.id}/files?${query}`)).body.files;
    expect(await files('words=basket&path=/trunk')).toEqual([
      '/trunk/basket.ts',
      '/trunk/my basket.md',
      '/trunk/Sub-Basket.ts',
    ]);
    expect(await files('words=tags%20basket')).toEqual(['/tags/basket.ts']);
    expect(await files('words=basket&revision=2')).toEqual(['/trunk/basket.ts']);
    expect((await bob.get(`/svn/${site.id}/files`)).status).toBe(400);
    expect((await bob.get(`/svn/${site.id}/files?words=a&path=/none`)).status).toBe(404);
    expect((await atelier.anonymous.get(`/svn/${site.id}/files?words=a`)).status).toBe(401);
  });

  test('what the access file hides is in none of them', async () => {
    const hiding = '[/secret]\n* =\n@members =\nalice = rw';
    await changeSettings(alice, site.id, { access_file: hiding });
    const found = await bob.get(`/svn/${site.id}/files?words=plan`);
    expect(found.body.files).toEqual(['/trunk/plan.txt']);
    expect((await bob.get(`/svn/${site.id}/files?words=plan&path=/secret`)).status).toBe(403);
    expect((await bob.get(`/svn/${site.id}/blame?path=/secret/plan.txt`)).status).toBe(403);
    const revisions = async (person: Person) =>
      (await person.get(`/svn/${site.id}/blame?path=/trunk/plan.txt`)).body.lines.map(
        ({ revision }: { revision: number }) => revision,
      );
    expect(await revisions(alice)).toEqual([2, 2, 5]);
    // As Subversion tells it to its clients.
    const said = await client.must(bob, ['blame', `${site.svn_url}/trunk/plan.txt`]);
    expect(await revisions(bob)).toEqual([4, 4, 5]);
    expect(said.split('\n').map((line) => Number(line.slice(0, 6)))).toEqual([4, 4, 5, 0]);
    const compare = async (person: Person, path: string) =>
      (await ask(person, `/svn-content/${site.id}/diff?path=${path}&from=1&to=5`)).status;
    expect([await compare(bob, '/'), await compare(bob, '/secret'), await compare(bob, '/trunk')]).toEqual([
      403, 403, 200,
    ]);
    expect(await compare(alice, '/')).toBe(200);
    const { body } = await bob.get(`/projects/${project}/heartbeats`);
    const words = body.entries.map(({ html_message: html }: { html_message: string }) => html).join('\n');
    expect(words).not.toContain('Baskets');
    expect(words).toContain('Keep them');
    await changeSettings(alice, site.id, {});
  });

  test('names are taken as they are, whatever they begin or end with', async () => {
    const names = [' ', ' first', 'last ', 'no\u00a0break\u00a0', 'next\u0085line', 'no line'];
    await client.mucc(alice, site.svn_url, 'A folder', 'mkdir', 'blanks');
    await put(alice, 'Blanks', Object.fromEntries(names.map((name) => [`blanks/${name}`, `<${name}>`])));
    const folder = await bob.get(`/svn/${site.id}/tree?path=/blanks`);
    expect(folder.body.entries.map(({ name }: { name: string }) => name)).toEqual(names.toSorted());
    for (const name of names) {
      const path = encodeURIComponent(`/blanks/${name}`);
      const { body } = await bob.get(`/svn/${site.id}/tree?path=${path}`);
      expect(body, name).toMatchObject({ type: 'file', path: `/blanks/${name}` });
      expect((await ask(bob, body.content_href)).text).toBe(`<${name}>`);
      const blame = await bob.get(`/svn/${site.id}/blame?path=${path}`);
      expect(blame.body.lines, name).toMatchObject([{ text: `<${name}>` }]);
      const log = await bob.get(`/svn/${site.id}/log?path=${path}`);
      expect(log.body.revisions, name).toMatchObject([{ message: 'Blanks' }]);
    }
  });

  test('a revision whose date cannot be read has none, and what needs the date says so', async () => {
    await client.mucc(alice, site.svn_url, 'A folder', 'mkdir', 'old');
    await put(alice, 'Old', { 'old/file.txt': 'words\n' });
    const { body: seen } = await alice.get(`/svn/${site.id}`);
    const { revision } = seen.last_commit;
    const folder = join(atelier.instance.folder, 'svn_plugin', String(project), 'site', 'db', 'revprops');
    const file = join(folder, '0', String(revision));
    const before = readFileSync(file, 'utf8');
    // As dumps from elsewhere have it.
    writeFileSync(file, before.replace(/(svn:date\nV )\d+\n.*\n/, '$18\nlong ago\n'));
    const one = await bob.get(`/svn/${site.id}/revisions/${revision}`);
    expect([one.status, one.body.date]).toEqual([200, null]);
    const log = await bob.get(`/svn/${site.id}/log`);
    expect(log.body.revisions[0]).toMatchObject({ revision, date: null, message: 'Old' });
    const tree = await bob.get(`/svn/${site.id}/tree?path=/old`);
    expect([tree.status, tree.body.error.message]).toEqual([503, expect.stringContaining('the date')]);
    writeFileSync(file, before);
  });

  test('a repository whose folder is away is 503, and is there again with its folder', async () => {
    const folder = join(atelier.instance.folder, 'svn_plugin', String(project), 'site');
    const pages = [`/svn/${site.id}/tree`, `/svn/${site.id}/log`, `/svn/${site.id}/revisions/2`];
    renameSync(folder, `${folder}.away`);
    for (const page of pages) expect((await bob.get(page)).status, page).toBe(503);
    expect((await ask(bob, `/svn-content/${site.id}/diff?revision=2`)).status).toBe(503);
    const settings = { ...wholeSettings, access_file: '[/tags]\n* = r' };
    expect((await alice.put(`/svn/${site.id}`, { settings })).status).toBe(503);
    const Authorization = `Basic ${Buffer.from(`bob:${bob.password}`).toString('base64')}`;
    const served = () => fetch(site.svn_url, { headers: { Authorization } });
    expect((await served()).status).toBe(503);
    renameSync(`${folder}.away`, folder);
    for (const page of pages) expect((await bob.get(page)).status, page).toBe(200);
    expect((await served()).status).toBe(200);
    await changeSettings(alice, site.id, {});
  });

  test('what Subversion compares for somebody ends when they go away', async () => {
    const lines = Array.from({ length: 600_000 }, (_, index) => `line ${index}\n`);
    await put(alice, 'Numbers', { 'trunk/numbers.txt': lines.join('') });
    const { body } = await alice.get(`/svn/${site.id}`);
    const repositories = join(atelier.instance.folder, 'svn_plugin');
    /** Subversion takes minutes to compare as many lines that are much alike. */
    const comparing = () =>
      readdirSync('/proc').filter((id) => {
        if (!/^\d+$/.test(id)) return false;
        try {
          const isDiff = readFileSync(`/proc/${id}/cmdline`, 'utf8').startsWith('svnlook\0diff\0');
          return isDiff && readlinkSync(`/proc/${id}/cwd`) === repositories;
        } catch {
          return false;
        }
      });
    const leaving = new AbortController();
    const address = `/svn-content/${site.id}/diff?revision=${body.last_commit.revision}`;
    const headers = { 'X-Auth-AccessKey': alice.key };
    const asked = fetch(`${atelier.url}${address}`, { headers, signal: leaving.signal });
    const left = expect(asked).rejects.toThrow('aborted');
    await eventually(() => expect(comparing()).toHaveLength(1));
    // One person has some of them at once, and keeps nobody else from looking.
    const more = Array.from({ length: 10 }, () =>
      fetch(`${atelier.url}${address}`, { headers, signal: leaving.signal }),
    );
    const refused = await Promise.any(more);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.text()).toContain('You are reading 10 files or differences already.');
    const looks = Array.from({ length: 12 }, () => bob.get(`/svn/${site.id}/tree?path=/trunk`));
    for (const look of looks) expect((await look).status).toBe(200);
    leaving.abort();
    await left;
    await Promise.allSettled(more);
    await eventually(() => expect(comparing()).toEqual([]));
  });

  test('an access file is tried without being kept: faults, what is left out, and who may what', async () => {
    const check = async (body: object, person: Person = alice) =>
      person.post(`/svn/${site.id}/access_file_checks`, body);
    const faulty = await check({ access_file: '\n[/trunk]\n* = rx' });
    expect(faulty.status, faulty.text).toBe(200);
    expect(faulty.body.faults).toEqual([{ line: 3, text: expect.stringContaining("access mode 'x'") }]);
    expect((await check({ access_file: 'alice = rw' })).body.faults).toEqual([
      { line: 1, text: 'A section such as [/] must come first.' },
    ]);
    const good = await check({
      access_file: '[/trunk]\n@members = r\n@ghosts = rw',
      username: 'Bob',
      path: '/trunk/basket.ts',
    });
    expect(good.body).toMatchObject({
      faults: [],
      warnings: [{ line: 3, text: expect.stringContaining('@ghosts') }],
      right: 'r',
    });
    expect(good.body.effective).toContain('[/trunk]\n@members = r\n');
    expect(good.body.sight).toContainEqual({ path: '/trunk', group_or_user: '@members', right: 'r' });
    expect((await check({ access_file: '', username: 'bob' })).body.right).toBe('rw');
    const alone = { access_file: '', username: 'bob', has_default_permissions: false };
    expect((await check(alone)).body.right).toBe('');
    const long = await check({ access_file: `[/]\n${'* = r\n'.repeat(20_000)}` });
    expect(long.body.faults).toEqual([{ line: 10_923, text: expect.stringContaining('65535 bytes') }]);
    expect((await check({ access_file: '' }, bob)).status).toBe(403);
    expect((await check({ access_file: '', path: '/trunk' })).status).toBe(400);
    expect((await alice.get(`/svn/${site.id}`)).body.settings.access_file).toBe('');
  });

  test('who reads, writes and looks is told by day to those who administer', async () => {
    interface Statistic {
      readonly date: string;
      readonly user: { username: string };
      readonly reads: number;
      readonly writes: number;
      readonly views: number;
    }
    const path = `/svn/${site.id}/statistics`;
    const of = async (name: string): Promise<Statistic | undefined> => {
      const { status, body, text } = await alice.get(path);
      expect(status, text).toBe(200);
      return body.find(({ user }: Statistic) => user.username === name);
    };
    const before = await of('bob');
    expect(before?.writes).toBeGreaterThan(1);
    await client.must(bob, ['log', site.svn_url]);
    await bob.get(`/svn/${site.id}/tree?path=/trunk`);
    await ask(bob, `/svn-content/${site.id}/file?path=/trunk/basket.ts`);
    await eventually(async () => {
      const after = await of('bob');
      expect(after?.reads).toBeGreaterThan(before?.reads ?? 0);
      expect(after?.views).toBeGreaterThanOrEqual((before?.views ?? 0) + 2);
      expect(after?.writes).toBe(before?.writes);
    });
    expect((await alice.get(`${path}?from=2001-01-01&to=2001-12-31`)).body).toEqual([]);
    for (const wrong of ['from=yesterday', 'from=2001-01-01', 'from=2026-02-01&to=2026-01-01'])
      expect((await alice.get(`${path}?${wrong}`)).status, wrong).toBe(400);
    expect((await bob.get(path)).status).toBe(403);
  });

  test('the preview of immutable tags says what svn then does', async () => {
    const said = await client.mucc(
      alice,
      site.svn_url,
      'Folders',
      ...['mkdir', 'tags/1.0', 'mkdir', 'tags/1.0/doc', 'mkdir', 'tags/drafts', 'mkdir', 'tags/drafts/a'],
    );
    expect(said.code, said.error).toBe(0);
    const tags = { paths: ['/tags'], whitelist: ['/tags/drafts'] };
    const { body, status, text } = await alice.post(`/svn/${site.id}/immutable_tag_checks`, tags);
    expect(status, text).toBe(200);
    expect(body).toEqual({
      protected: ['/tags/1.0', '/tags/1.0/doc', '/tags/drafts/a'],
      allowed: ['/tags', '/tags/drafts'],
    });
    expect((await bob.post(`/svn/${site.id}/immutable_tag_checks`, tags)).status).toBe(403);
    await changeSettings(alice, site.id, { immutable_tags: tags });
    const make = async (folder: string) =>
      (await client.mucc(alice, site.svn_url, 'Try', 'mkdir', `${folder.slice(1)}/entry`)).code;
    for (const folder of body.protected) expect([folder, await make(folder)]).toEqual([folder, 1]);
    for (const folder of body.allowed) expect([folder, await make(folder)]).toEqual([folder, 0]);
  });
});
