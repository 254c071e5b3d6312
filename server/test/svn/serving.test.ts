import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/kernel/config.ts';
import { removeOldTransactions, SvnWorkspace } from '../../src/svn/index.ts';
import { type HookCall, HookServer } from '../../src/svn/server/hook-server.ts';
import { Spellings } from '../../src/svn/server/spellings.ts';
import { createGroup, createProject, databaseOf, setMembers } from '../fixtures/project.ts';
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

test('a spelling of a name that nobody used for long gives way to another', () => {
  const spellings = new Spellings();
  const learn = (spelling: string, at: number) => spellings.learn({ spelling, projectId: 101 }, at);
  for (const spelling of ['pump', 'Pump', 'pUmp', 'puMp', 'pumP', 'PUmp', 'PuMp', 'PumP'])
    expect(learn(spelling, 1000)).toBe(true);
  expect(learn('PUMP', 2000)).toBe(false);
  expect(learn('pump', 3000)).toBe(true);
  expect(learn('PUMP', 60_000)).toBe(true);
  const known = spellings.locations.map(({ spelling }) => spelling);
  expect(known).toHaveLength(8);
  expect(known).toEqual(expect.arrayContaining(['pump', 'PUMP']));
});

test('nobody makes up more than a few spellings, while others still spell as they like', () => {
  const spellings = new Spellings();
  const learn = (spelling: string, projectId: number, caller?: string) =>
    spellings.learn({ spelling, projectId }, 1000, caller);
  for (const [index, spelling] of ['Pump', 'PUmp', 'PUMp', 'PUMP'].entries())
    expect(learn(spelling, 101 + index, 'user 1')).toBe(true);
  expect(learn('pUMP', 101, 'user 1')).toBe(false);
  expect(learn('PUMP', 104, 'user 1')).toBe(true);
  expect(learn('pUMP', 101, 'user 2')).toBe(true);
  expect(learn('valve', 105)).toBe(true);
  expect(spellings.learn({ spelling: 'pumP', projectId: 101 }, 1000 + 3_600_000, 'user 1')).toBe(true);
});

test('whoever does not know the secret is not listened to by what answers hooks', async () => {
  const calls: HookCall[] = [];
  const judge = async (call: HookCall) => void calls.push(call);
  const server = new HookServer('secret', judge, { error: () => {} }, 200);
  const port = await server.listen();
  const say = async (words: string) => {
    const socket = connect({ host: '127.0.0.1', port });
    let reply = '';
    socket
      .on('error', () => {})
      .on('data', (part) => {
        reply += part;
      });
    if (words !== '') socket.write(words);
    await new Promise((resolve) => socket.once('close', resolve));
    return reply;
  };
  expect(await say('')).toBe('');
  expect(await say('\0'.repeat(100_000))).toBe('');
  expect(await say('secret')).toBe('');
  expect(await say('Secret\0pre-commit\x002\0/1/a\0tx\0\0')).toBe('');
  expect(calls).toEqual([]);
  expect(await say('secret\0pre-commit\x002\0/1/a\0tx\0\0')).toBe('yes\n');
  expect(calls).toEqual([{ hook: 'pre-commit', args: ['/1/a', 'tx'], input: '' }]);
  server.close();
});

const engines = oneEngine('SQLite', 'repositories are served by Apache, which knows of no database');

test.skipIf(lacksSubversion).each(engines)(
  'whoever takes next to nothing of an answer is cut, whatever they send meanwhile, on %s',
  async (engine) => {
    const atelier = await startAtelier(engine, { env: { ATELIER_SEND_SECONDS: '1' } });
    const client = new SvnClient();
    const alice = await atelier.createUser('alice');
    const project = (await createProject(alice, 'pump')).id;
    const repository = await createRepository(alice, project, 'firmware', { layout: ['trunk'] });
    // More than the system keeps on the way.
    const file = join(client.folder, 'large.bin');
    writeFileSync(file, randomBytes(40 * 1024 * 1024));
    await client.must(alice, ['import', '-m', 'large', file, `${repository.svn_url}/trunk/large.bin`]);
    const { hostname, port } = new URL(atelier.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const credentials = Buffer.from(`${alice.name}:${alice.password}`).toString('base64');
    const head = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${credentials}\r\n`;
    socket.pause().on('error', () => {});
    socket.write(
      `${head('/svnplugin/pump/firmware/trunk/large.bin')}\r\n${head('/svnplugin/pump/firmware/')}X-Slow: `,
    );
    const sending = setInterval(() => socket.write('x'), 200);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(sending);
    await client.must(alice, ['list', repository.svn_url]);
    await atelier.stop();
    client.remove();
  },
);

describe.skipIf(lacksSubversion).each(engines)('repositories served on our own port, on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let firmware: Repository;
  const client = new SvnClient();
  beforeAll(async () => {
    // Two threads share one Apache.
    atelier = await startAtelier(engine, { env: { ATELIER_HTTP_THREADS: '2' }, isAlone: true });
    alice = await atelier.createUser('Alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'Pump', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const layout = ['trunk', 'tags', 'branches'];
    firmware = await createRepository(alice, project, 'firmware', { layout });
  });
  afterAll(async () => {
    await atelier.stop();
    client.remove();
  });

  const url = (path = '') => `${firmware.svn_url}${path}`;
  const serverFolder = () => join(atelier.instance.folder, 'svn_plugin', '.server');
  const configs = () => readdirSync(serverFolder()).filter((file) => file.endsWith('.conf'));
  const portOf = (file: string | undefined) => Number(file?.replace('.conf', ''));
  /** The Apache that serves now. */
  const apachePid = () => {
    const pids = readdirSync(serverFolder()).filter((file) => file.endsWith('.pid'));
    return pids.map((file) => Number(readFileSync(join(serverFolder(), file), 'utf8')));
  };
  const plain = async (headers: Record<string, string>, path = '/svnplugin/Pump/firmware/', port?: number) =>
    new Promise<{ status: number; challenge: string | undefined }>((resolve, reject) => {
      const { hostname, port: own } = new URL(atelier.url);
      const sent = request({
        host: port === undefined ? hostname : '127.0.0.1',
        port: port ?? own,
        path,
        headers,
      });
      sent.on('error', reject).on('response', (reply) => {
        reply.resume();
        resolve({ status: reply.statusCode ?? 0, challenge: reply.headers['www-authenticate'] });
      });
      sent.end();
    });
  const basic = (name: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  });

  const running = async () => (await MetricsText.of(atelier)).sum('atelier_http_requests_running');
  const propfind = (host: string) =>
    `PROPFIND /svnplugin/Pump/firmware/ HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${basic('bob', bob.password).Authorization}\r\n\r\n`;

  // The first of all: Apache is started for it, which takes long enough.
  test('a client that leaves before Apache is there is not kept', async () => {
    const { hostname, port } = new URL(atelier.url);
    const idle = await running();
    const socket = connect(Number(port), hostname);
    socket.write(propfind(hostname));
    await eventually(async () => expect(await running()).toBe(idle + 1));
    socket.destroy();
    await eventually(async () => expect(await running()).toBe(idle));
  });

  test('a checkout, a commit, a copy, a lock, a property and a move work', async () => {
    const copy = join(client.folder, 'work');
    await client.must(alice, ['checkout', url('/trunk'), copy]);
    writeFileSync(join(copy, 'motor.c'), 'int main;\n');
    writeFileSync(join(copy, 'größe.txt'), 'ü\n');
    await client.must(alice, ['add', 'motor.c', 'größe.txt'], copy);
    await client.must(alice, ['propset', 'svn:needs-lock', '*', 'motor.c'], copy);
    expect(await client.must(alice, ['commit', '-m', 'Erste Größe'], copy)).toContain(
      'Committed revision 2.',
    );
    await client.must(alice, ['lock', '-m', 'mine', 'motor.c'], copy);
    expect((await client.svn(bob, ['lock', url('/trunk/motor.c')])).code).not.toBe(0);
    writeFileSync(join(copy, 'motor.c'), 'int main();\n');
    await client.must(alice, ['commit', '-m', 'with the lock'], copy);
    const other = join(client.folder, 'other');
    await client.must(bob, ['checkout', '-r', '2', url('/trunk'), other]);
    writeFileSync(join(other, 'größe.txt'), 'new\n');
    await client.must(bob, ['rm', '--force', 'motor.c'], other);
    expect((await client.svn(bob, ['commit', '-m', 'too late'], other)).error).toContain('out of date');
    await client.must(alice, ['copy', '-m', 'tag', url('/trunk'), url('/tags/v1')]);
    await client.must(bob, ['move', '-m', 'move', url('/tags/v1/motor.c'), url('/tags/v1/engine.c')]);
    expect(await client.must(bob, ['list', '-R', url()])).toContain('tags/v1/engine.c');
    expect(await client.must(bob, ['cat', url('/trunk/größe.txt')])).toBe('ü\n');
    expect(await client.must(bob, ['log', '-r', '2', url()])).toContain('r2 | Alice |');
    expect(await client.must(alice, ['update'], copy)).toContain('At revision 5.');
    expect(await client.must(alice, ['diff', '-c', '3', url()])).toContain('+int main();');
  });

  test('large files come and go as they are', async () => {
    await atelier.configure({ plugin_svn_file_size_limit: 0 });
    const bytes = randomBytes(6 * 1024 * 1024);
    const file = join(client.folder, 'large.bin');
    writeFileSync(file, bytes);
    await client.must(alice, ['import', '-m', 'large', file, url('/trunk/large.bin')]);
    await client.must(bob, ['export', '--force', url('/trunk/large.bin'), `${file}.back`]);
    const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
    expect(digest(readFileSync(`${file}.back`))).toBe(digest(bytes));
    await atelier.configure({ plugin_svn_file_size_limit: 50 });
  });

  test('a repository that was deleted and brought back takes commits, and stays whole', async () => {
    const repository = await createRepository(alice, project, 'returning', { layout: ['trunk'] });
    const copy = join(client.folder, 'returning');
    await client.must(alice, ['checkout', repository.svn_url, copy]);
    const names = Array.from({ length: 40 }, (_, at) => `f${(at * 17) % 40}.txt`);
    const grow = (round: number) => {
      for (const [at, name] of names.entries())
        if (round === 1 || (at + round) % 3 > 0)
          appendFileSync(join(copy, 'trunk', name), `${name} ${round} of it\n`.repeat(5 + at + round));
    };
    const commit = () => client.must(alice, ['commit', '-m', 'A change.'], copy);
    for (const round of [1, 2, 3, 4, 5]) {
      grow(round);
      if (round === 1) await client.must(alice, ['add', '--force', 'trunk'], copy);
      await commit();
    }
    await client.must(alice, ['export', `${repository.svn_url}/trunk`, `${copy}-before`]);
    await atelier.configure({ svn_deletion_delay: 0 });
    await alice.delete(`/svn/${repository.id}`);
    await eventually(async () => {
      const { body } = await atelier.admin.get('/deleted_svn');
      expect(body.map(({ id }: { id: number }) => id)).toContain(repository.id);
    });
    expect((await atelier.admin.post(`/deleted_svn/${repository.id}/restore`)).status).toBe(200);
    // Apache has served the one that was there before, and must remember nothing of it.
    for (const round of [6, 7]) {
      grow(round);
      await commit();
    }
    const folder = join(atelier.instance.folder, 'svn_plugin', String(project), 'returning');
    const verified = spawnSync('svnadmin', ['verify', '--quiet', folder], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
  });

  test('the project may be spelled in any letter case', async () => {
    for (const spelling of ['pump', 'PUMP', 'pUmP'])
      expect(await client.must(bob, ['list', `${atelier.url}/svnplugin/${spelling}/firmware`])).toContain(
        'trunk/',
      );
    expect((await client.svn(bob, ['list', `${atelier.url}/svnplugin/pump/Firmware`])).error).toContain(
      'not found',
    );
  });

  test('somebody who says nothing is asked, whatever they ask for', async () => {
    for (const path of ['/svnplugin/Pump/firmware/', '/svnplugin/none/none', '/svnplugin/'])
      expect(await plain({}, path)).toEqual({
        status: 401,
        challenge: 'Basic realm="Authentication is required to access the repository."',
      });
  });

  test('an access key for Subversion opens what its owner may see, and no other key does', async () => {
    const keyWith = async (...scopes: string[]) =>
      (await atelier.withPassword(bob.name, bob.password).post('/access_keys', { scopes })).body
        .identifier as string;
    const [forSvn, forRest] = [await keyWith('write:svn'), await keyWith('write:rest')];
    expect((await plain(basic('BOB', forSvn))).status).toBe(200);
    expect((await plain(basic('bob', forRest))).status).toBe(401);
    expect((await plain(basic('alice', forSvn))).status).toBe(401);
    expect((await plain(basic('bob', `${forSvn.slice(0, -4)}0000`))).status).toBe(401);
    const by = { name: 'bob', password: forSvn };
    expect((await client.run('svn', ['list', url()], by)).code).toBe(0);
  });

  test('an access key for reading Subversion checks out and cannot commit', async () => {
    const owner = atelier.withPassword(bob.name, bob.password);
    const { identifier: password } = (await owner.post('/access_keys', { scopes: ['read:svn'] })).body;
    const by = { name: 'bob', password };
    expect((await client.run('svn', ['list', url()], by)).code).toBe(0);
    const refused = await client.run('svn', ['mkdir', '-m', 'try', `${url()}/trunk/by-reader`], by);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('forbidden')]);
    expect((await client.run('svn', ['list', `${url()}/trunk`], by)).out).not.toContain('by-reader');
  });

  test('wrong passwords are refused, and slowed down', async () => {
    await atelier.configure({ login_account_attempts: 2 });
    const guesses: number[] = [];
    for (let guess = 0; guess < 4; guess++)
      guesses.push((await plain(basic('carol', `guess ${guess}`))).status);
    expect(guesses).toEqual([401, 401, 429, 429]);
    await atelier.configure({ login_account_attempts: 10 });
    await atelier.sql('delete from login_attempt');
  });

  test('those who may not see the project get nothing, and neither does anybody while it is suspended', async () => {
    expect((await plain(basic('carol', carol.password))).status).toBe(403);
    expect((await plain(basic('bob', bob.password), '/svnplugin/unknown/firmware/')).status).toBe(403);
    await atelier.admin.patch(`/projects/${project}`, { status: 'suspended' });
    expect((await client.svn(alice, ['list', url()])).error).toContain('forbidden');
    await atelier.admin.patch(`/projects/${project}`, { status: 'active' });
    await atelier.admin.patch(`/users/${bob.id}`, { values: { status: 'S' } });
    expect((await plain(basic('bob', bob.password))).status).toBe(403);
    await atelier.admin.patch(`/users/${bob.id}`, { values: { status: 'A' } });
    expect((await plain(basic('bob', bob.password))).status).toBe(200);
  });

  test('nothing leads past the repository that an address begins with', async () => {
    const open = (await createProject(alice, 'open')).id;
    await createRepository(alice, open, 'public');
    const own = basic('carol', carol.password);
    expect((await plain(own, '/svnplugin/open/public/')).status).toBe(200);
    for (const way of ['/../../Pump/firmware/', '/%2e%2e/%2E./Pump/firmware/', '/./', '/%ZZ'])
      expect((await plain(own, `/svnplugin/open/public${way}`)).status, way).toBe(404);
    const elsewhere = { ...own, Destination: `${atelier.url}/svnplugin/Pump/firmware/trunk/x` };
    expect((await plain(elsewhere, '/svnplugin/open/public/')).status).toBe(403);
  });

  /** What a client sends, one request at a time. */
  const send = async (
    person: Person,
    method: string,
    path: string,
    body = '',
    headers: Record<string, string> = {},
  ) =>
    new Promise<{ status: number; transaction: string }>((resolve, reject) => {
      const { hostname, port } = new URL(atelier.url);
      const own = { ...basic(person.name, person.password), 'Content-Length': `${Buffer.byteLength(body)}` };
      const sent = request({ host: hostname, port, path, method, headers: { ...own, ...headers } });
      sent.on('error', reject).on('response', (reply) => {
        reply.resume();
        resolve({ status: reply.statusCode ?? 0, transaction: String(reply.headers['svn-txn-name'] ?? '') });
      });
      sent.end(body);
    });
  const begin = async (person: Person, folder: string) => {
    const json = { 'Content-Type': 'application/vnd.svn-skel' };
    const own = '/svnplugin/Pump/firmware/!svn';
    const { transaction } = await send(person, 'POST', `${own}/me`, '( create-txn )', json);
    const made = await send(person, 'MKCOL', `${own}/txr/${transaction}/trunk/${encodeURIComponent(folder)}`);
    expect(made.status).toBe(201);
    return transaction;
  };
  const merge = (transaction: string) =>
    `<?xml version="1.0" encoding="utf-8"?><D:merge xmlns:D="DAV:"><D:source><D:href>` +
    `/svnplugin/Pump/firmware/!svn/txn/${transaction}</D:href></D:source></D:merge>`;

  describe('what Apache would take long for, or much memory', () => {
    const own = '/svnplugin/Pump/firmware';
    const statusOf = async (method: string, path: string, body: string, headers = {}) =>
      (await send(bob, method, path, body, headers)).status;
    const many = (count: number, of: (index: number) => string) =>
      Array.from({ length: count }, (_, i) => of(i)).join('');
    const propfind = (inside: string) => `<propfind xmlns="DAV:"><prop>${inside}</prop></propfind>`;
    const report = (inside: string) =>
      `<S:update-report xmlns:S="svn:"><S:src-path>${own}/trunk</S:src-path><S:target-revision>1</S:target-revision>` +
      `<S:depth>infinity</S:depth><S:entry rev="1" start-empty="true"></S:entry>${inside}</S:update-report>`;

    test('is refused before it gets there', async () => {
      expect(await statusOf('PROPFIND', `${own}/`, propfind('<getetag xmlns="DAV:"/>'), { Depth: '0' })).toBe(
        207,
      );
      const namespaces = (count: number) => propfind(many(count, (index) => `<a xmlns="${index}"/>`));
      expect(await statusOf('PROPFIND', `${own}/`, namespaces(90), { Depth: '0' })).toBe(207);
      expect(await statusOf('PROPFIND', `${own}/`, namespaces(120), { Depth: '0' })).toBe(413);
      expect(await statusOf('PROPFIND', `${own}/`, propfind(many(1000, () => '<getetag/>')))).toBe(400);
      expect(await statusOf('PROPFIND', `${own}/`, propfind(' '.repeat(100_000)))).toBe(413);
      const deep = `${many(120, () => '<a>')}${many(120, () => '</a>')}`;
      expect(await statusOf('PROPFIND', `${own}/`, propfind(deep))).toBe(413);
      const attributes = propfind(`<a ${many(120, (index) => `a${index}="" `)}/>`);
      expect(await statusOf('PROPFIND', `${own}/`, attributes)).toBe(400);
      const reportPath = `${own}/!svn/me`;
      expect(
        await statusOf('REPORT', reportPath, report(many(120, (index) => `<a xmlns="${index}"/>`))),
      ).toBe(413);
      expect(await statusOf('REPORT', reportPath, '\n'.repeat(600_000))).toBe(413);
      expect(await statusOf('REPORT', reportPath, '<a>')).toBe(400);
      expect(await statusOf('LOCK', `${own}/trunk/x`, 'x'.repeat(2 * 1024 * 1024))).toBe(413);
    });

    test('is taken where a client needs it: a working copy of many revisions, and long properties', async () => {
      const entries = many(50_000, (index) => `<S:entry rev="1">folder/file ${index}</S:entry>\n`);
      expect(await statusOf('REPORT', `${own}/!svn/me`, report(entries))).toBe(200);
      const copy = join(client.folder, 'long properties');
      await client.must(bob, ['checkout', url('/trunk'), copy]);
      const value = many(60_000, (index) => `/branches/branch-${index}:${index + 1}-${index + 5}\n`);
      const file = join(client.folder, 'merged.txt');
      writeFileSync(file, value);
      await client.must(bob, ['propset', 'log-of-merges', '-F', file, '.'], copy);
      await client.must(bob, ['commit', '-m', `long <&> ${'x'.repeat(20_000)}`], copy);
      expect(await client.must(alice, ['propget', '--strict', 'log-of-merges', url('/trunk')])).toBe(value);
    });

    /** Requests that are begun and never end, as long as the work goes on. */
    async function beside(
      count: number,
      head: (index: number) => string,
      work: () => Promise<void>,
    ): Promise<void> {
      const { hostname, port } = new URL(atelier.url);
      const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port) }));
      try {
        for (const [index, socket] of sockets.entries()) {
          socket.on('error', () => {}).resume();
          socket.write(head(index));
        }
        await work();
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    }
    const headOf = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(bob.name, bob.password).Authorization}\r\nContent-Length: 1000\r\n\r\n`;
    const listed = async () => expect(await client.must(alice, ['list', url()])).toContain('trunk/');

    test('holds up nobody else while its body is on its way', async () => {
      await beside(
        280,
        () => `${headOf('PROPFIND', `${own}/`)}<propfind xmlns="DAV:"`,
        async () => {
          for (let times = 0; times < 3; times++) await listed();
        },
      );
    });

    test('holds up nobody else where contents of files are on their way', async () => {
      // More than Apache works on at once. In each transaction it writes one file at a time.
      const transactions = await Promise.all(
        Array.from({ length: 280 }, (_, index) => begin(bob, `slow ${index}`)),
      );
      const head = (index: number) =>
        headOf('PUT', `${own}/!svn/txr/${transactions[index]}/trunk/slow%20${index}/file`);
      await beside(
        transactions.length,
        (index) => `${head(index)}SVN`,
        async () => {
          for (let times = 0; times < 3; times++) await listed();
        },
      );
    });
  });

  test('a commit is refused in a repository that its author lost, wherever it is sent', async () => {
    const { id } = await createProject(bob, 'other');
    await createRepository(bob, id, 'mine');
    const transaction = await begin(bob, 'late');
    const hook = () => {
      const [file = ''] = readdirSync(serverFolder()).filter((name) => name.endsWith('.env'));
      const text = readFileSync(join(serverFolder(), file), 'utf8');
      const variables = [...text.matchAll(/^(ATELIER_\w+) = (.*)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]);
      const repository = join(atelier.instance.folder, 'svn_plugin', String(project), 'firmware');
      const env = { PATH: process.env.PATH, ...Object.fromEntries(variables) };
      const { status, stderr } = spawnSync(
        join(repository, 'hooks', 'pre-commit'),
        [repository, transaction],
        {
          env,
          encoding: 'utf8',
        },
      );
      return [status, stderr];
    };
    expect(hook()).toEqual([0, '']);
    const elsewhere = () => send(bob, 'MERGE', '/svnplugin/other/mine', merge(transaction));
    expect((await elsewhere()).status).toBe(403);
    expect((await send(bob, 'MERGE', '/svnplugin/other/mine', '<!DOCTYPE a><a/>')).status).toBe(400);
    await setMembers(alice, `${project}_3`, [alice]);
    expect((await elsewhere()).status).toBe(403);
    expect(hook()).toEqual([1, expect.stringContaining('You may not access the repositories')]);
    await setMembers(alice, `${project}_3`, [alice, bob]);
    await atelier.admin.patch(`/projects/${project}`, { status: 'suspended' });
    expect(hook()[0]).toBe(1);
    await atelier.admin.patch(`/projects/${project}`, { status: 'active' });
    await atelier.admin.patch(`/users/${bob.id}`, { values: { status: 'S' } });
    expect(hook()).toEqual([1, expect.stringContaining('no account `bob`')]);
    await atelier.admin.patch(`/users/${bob.id}`, { values: { status: 'A' } });
    expect(await client.must(alice, ['list', url('/trunk')])).not.toContain('late');
    expect((await send(bob, 'MERGE', '/svnplugin/Pump/firmware', merge(transaction))).status).toBe(200);
    expect(await client.must(alice, ['list', url('/trunk')])).toContain('late/');
  });

  test('what a commit that was broken off left is removed after a day', async () => {
    const [old, young] = [await begin(bob, 'old'), await begin(bob, 'young')];
    const folder = join(
      atelier.instance.folder,
      'svn_plugin',
      String(project),
      'firmware',
      'db',
      'transactions',
    );
    utimesSync(join(folder, `${old}.txn`), 1, 1);
    const database = await databaseOf(atelier);
    const { environment } = atelier.instance;
    const svnWorkspace = new SvnWorkspace(readConfig({ PATH: process.env['PATH'], ...environment }));
    await removeOldTransactions({ database, svnWorkspace });
    await database.close();
    expect(readdirSync(folder)).not.toContain(`${old}.txn`);
    expect(readdirSync(folder)).toContain(`${young}.txn`);
    // Whoever asks a program knows whether they have all of its answer.
    const help = async (longest: number) => (await svnWorkspace.run('svnlook', ['help'], { longest })).isCut;
    expect([await help(10), await help(100_000)]).toEqual([true, false]);
  });

  test('rules about one person hold however the name is spelled', async () => {
    const kim = await atelier.createUser('kim');
    await setMembers(alice, `${project}_3`, [alice, bob, kim]);
    await changeSettings(alice, firmware.id, { access_file: '[/tags]\nkim =\n' });
    const at = (name: string) => plain(basic(name, kim.password), '/svnplugin/Pump/firmware/tags/');
    expect((await at('KIM')).status).toBe(403);
    expect((await at('\u212Aim')).status).toBe(401);
    const owner = atelier.withPassword(kim.name, kim.password);
    const { identifier } = (await owner.post('/access_keys', { scopes: ['write:svn'] })).body;
    expect((await plain(basic('\u212Aim', identifier))).status).toBe(401);
    await changeSettings(alice, firmware.id, { access_file: '' });
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });

  test('rights go with a person who is renamed, and not to whoever gets the old name', async () => {
    const given = await atelier.createUser('nora');
    await setMembers(alice, `${project}_3`, [alice, bob, given]);
    await changeSettings(alice, firmware.id, {
      access_file: '[groups]\nkeepers = NORA\n[/]\n@members = r\nNora = rw\n[/tags]\n@keepers = rw\n',
    });
    const write = (person: Pick<Person, 'name' | 'password'>, path: string) =>
      client.mucc(person, url(), 'try', 'mkdir', `${path}/${randomBytes(6).toString('hex')}`);
    for (const path of ['trunk', 'tags']) expect((await write(given, path)).code).toBe(0);
    await atelier.admin.patch(`/users/${given.id}`, { username: 'eleonora' });
    const renamed = { name: 'eleonora', password: given.password };
    for (const path of ['trunk', 'tags']) expect((await write(renamed, path)).code).toBe(0);
    const { settings } = (await alice.get(`/svn/${firmware.id}`)).body;
    expect(settings.access_file).toContain('keepers = eleonora\n[/]\n@members = r\neleonora = rw');
    const other = await atelier.createUser('nora');
    await setMembers(alice, `${project}_3`, [alice, bob, other]);
    for (const path of ['trunk', 'tags']) expect((await write(other, path)).error).toContain('forbidden');
    await changeSettings(alice, firmware.id, { access_file: '' });
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });

  test('paths are decided by the access file, and a change of members or settings counts at once', async () => {
    const write = (person: Person, path: string) =>
      client.mucc(person, url(), 'try', 'mkdir', `${path}/${person.name}-${randomBytes(4).toString('hex')}`);
    const releasers = await createGroup(alice, project, 'releasers');
    await setMembers(alice, releasers, [alice]);
    await changeSettings(alice, firmware.id, {
      access_file: '[/tags]\n@members = r\n@releasers = rw\n[/branches]\nbob =\n',
    });
    expect((await write(bob, 'tags')).error).toContain('forbidden');
    expect((await write(alice, 'tags')).code).toBe(0);
    expect((await write(bob, 'trunk')).code).toBe(0);
    await setMembers(alice, releasers, [alice, bob]);
    expect((await write(bob, 'tags')).code).toBe(0);
    const renamed = await alice.patch(`/user_groups/${releasers}`, { short_name: 'publishers' });
    expect(renamed.status, renamed.text).toBe(200);
    expect((await write(bob, 'tags')).code).toBe(0);
    expect((await alice.get(`/svn/${firmware.id}`)).body.settings.access_file).toContain('@publishers = rw');
    await alice.delete(`/user_groups/${releasers}`);
    expect((await write(bob, 'tags')).error).toContain('forbidden');
    await setMembers(alice, `${project}_3`, [alice]);
    expect((await client.svn(bob, ['list', url()])).error).toContain('forbidden');
    await alice.patch(`/projects/${project}/settings`, { access: 'public' });
    expect((await client.svn(carol, ['list', url('/trunk')])).code).toBe(0);
    expect((await write(carol, 'trunk')).error).toContain('forbidden');
    await changeSettings(alice, firmware.id, { access_file: '' });
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });

  test('what is hidden from somebody comes to sight by no copy, of a folder or of all', async () => {
    const { code } = await client.mucc(alice, url(), 'plans', 'mkdir', 'plans', 'mkdir', 'plans/secret');
    expect(code).toBe(0);
    const copies: [person: Person, ...copy: string[]][] = [
      [bob, 'cp', 'HEAD', '.', 'trunk/all'],
      [bob, 'cp', '1', '.', 'trunk/all-of-the-first'],
      [bob, 'cp', 'HEAD', 'plans', 'trunk/plans'],
    ];
    await changeSettings(alice, firmware.id, { access_file: '[/plans/secret]\nbob =\n' });
    for (const [person, ...copy] of copies)
      expect((await client.mucc(person, url(), 'copy', ...copy)).error).toContain('forbidden');
    expect((await client.mucc(alice, url(), 'copy', 'cp', 'HEAD', '.', 'trunk/all')).code).toBe(0);
    await changeSettings(alice, firmware.id, { access_file: '' });
    expect((await client.mucc(bob, url(), 'copy', 'cp', 'HEAD', '.', 'trunk/all-of-bob')).code).toBe(0);
    expect((await client.mucc(alice, url(), 'away', 'rm', 'plans', 'rm', 'trunk/all')).code).toBe(0);
  });

  test('the port of Apache is useless to others, and all of it belongs to one unprivileged user', async () => {
    // One that was replaced a moment ago may be about to end.
    const statuses = async (headers: Record<string, string>, path: string) => {
      const tries = configs().map((file) => plain(headers, path, portOf(file)).catch(() => undefined));
      return new Set((await Promise.all(tries)).flatMap((reply) => reply?.status ?? []));
    };
    const own = basic('alice', alice.password);
    expect(await statuses(own, '/svnplugin/Pump/firmware/')).toEqual(new Set([403]));
    expect(await statuses({ 'X-Atelier-Secret': 'guess' }, '/')).toEqual(new Set([403]));
    const repository = statSync(
      join(atelier.instance.folder, 'svn_plugin', String(project), 'firmware', 'db'),
    );
    const pid = apachePid().at(-1);
    if (process.platform === 'linux') expect(statSync(`/proc/${pid}`).uid).toBe(repository.uid);
    if (process.getuid?.() === 0) expect(repository.uid).not.toBe(0);
    const secrets = configs().map(
      (file) => / == '(\w+)'/.exec(readFileSync(join(serverFolder(), file), 'utf8'))?.[1],
    );
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const file of configs()) expect(statSync(join(serverFolder(), file)).mode & 0o077).toBe(0);
  });

  test('a client that leaves before the answer is no fault of the service', async () => {
    // Apache is there from the first request on.
    await client.must(alice, ['list', url()]);
    const { hostname, port } = new URL(atelier.url);
    /** Those that Apache has, as far as it can be told from outside. */
    const atApache = () => {
      const ports = configs().map((file) => portOf(file).toString(16).toUpperCase().padStart(4, '0'));
      const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
      return lines.filter((line) => ports.some((each) => line.includes(`:${each} 01 `))).length;
    };
    const counted = async () =>
      (await MetricsText.of(atelier)).sum('atelier_http_requests_total', { method: 'PROPFIND' });
    const [idle, before, said] = [await running(), await counted(), atelier.server.output().length];
    const ofApache = apachePid().flatMap((pid) => [
      pid,
      ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number),
    ]);
    for (const pid of ofApache) process.kill(pid, 'SIGSTOP');
    try {
      const begun = async () => expect(await running()).toBe(idle + 2);
      const forwarded = async () => expect(atApache()).toBe(1);
      // One leaves while it is looked at who it is, the other while Apache is at work.
      for (const isSoFar of [forwarded, begun]) {
        const socket = connect(Number(port), hostname);
        socket.write(propfind(hostname));
        await eventually(isSoFar);
        socket.destroy();
        await once(socket, 'close');
      }
    } finally {
      for (const pid of ofApache) process.kill(pid, 'SIGCONT');
    }
    await eventually(async () => expect(await counted()).toBe(before + 2));
    expect(atelier.server.output().slice(said)).not.toContain('"level":50');
  });

  test.runIf(engine === 'SQLite')('Apache is started again when it dies', async () => {
    for (const pid of apachePid()) process.kill(pid, 'SIGKILL');
    await eventually(async () => expect((await client.svn(alice, ['list', url()])).code).toBe(0));
    expect(atelier.server.output()).toContain('started again');
  });

  // Once will do: it has nothing to do with the engine.
  test.runIf(engine === 'SQLite')('Apache ends with the service, however that ends', async () => {
    const pids = apachePid();
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(pids.length).toBeGreaterThan(0);
    await atelier.server.end('SIGKILL');
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
    const left = join(serverFolder(), '9.conf');
    writeFileSync(left, '');
    utimesSync(left, 1, 1);
    await atelier.restart();
    expect((await client.svn(alice, ['list', `${atelier.url}/svnplugin/Pump/firmware`])).code).toBe(0);
    expect(configs()).not.toContain('9.conf');
    const again = apachePid();
    expect(await atelier.server.end()).toBe(0);
    expect(again.filter(isRunning)).toEqual([]);
  });
});
