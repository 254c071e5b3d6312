import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { lacksSubversion } from '../fixtures/svn.ts';
import {
  type Atelier,
  engines,
  runCommand,
  type ServerProcess,
  startAtelier,
  startServer,
} from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { MetricsText } from '../harness/metrics.ts';
import { lacksCurl } from '../harness/programs.ts';

const cheap = { ATELIER_ARGON2_MEMORY: '8', ATELIER_ARGON2_PASSES: '1', ATELIER_HTTP_THREADS: '1' };

const run = promisify(execFile);

/** Runs the line that the first start prints, or asks what it asks where there is no curl. */
async function answerToLine(printed: string): Promise<string> {
  const words = /^\s*curl (.*)$/m.exec(printed)?.[1] ?? '';
  if (!lacksCurl) return (await run('bash', ['-c', `curl -s ${words}`])).stdout;
  const [, name = '', value = '', address = ''] = /^-H '(\S+): (\S+)' (\S+)$/.exec(words) ?? [];
  return (await fetch(address, { headers: { [name]: value } })).text();
}

/** What README says that the first start prints. */
function welcomeInReadme(): string {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  return /^```\n(Welcome to Atelier.*?)^```$/ms.exec(readme)?.[1] ?? 'README shows no first start.';
}

/** Without what is another one every time. README cuts the key when it comes again. */
const settled = (text: string, url: string) =>
  text
    .replaceAll(/(password +)\S+/g, '$1PASSWORD')
    .replaceAll(/tlp-k1-1\.[0-9a-f]+…?/g, 'KEY')
    .replaceAll(url, 'URL');

describe('the first start', () => {
  let folder: string;
  const servers: ServerProcess[] = [];
  const environment = () => ({
    ...cheap,
    ATELIER_DATA: join(folder, 'new', 'data'),
    ATELIER_PORT: '0',
    ATELIER_HOST: '127.0.0.1',
  });
  const start = async () => {
    const server = await startServer(environment());
    servers.push(server);
    return server;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-first-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.end()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('prints the password, an access key and a curl line that works; later starts print the address only', async () => {
    const first = await start();
    const output = first.output();
    const password = /password\s+(\S+)/.exec(output)?.[1] ?? '';
    expect(JSON.parse(await answerToLine(output))).toMatchObject({ id: 101, username: 'admin' });
    const basic = await fetch(`${first.url}/api/users/self`, {
      headers: { Authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` },
    });
    expect(basic.status).toBe(200);
    await first.end();
    const second = await start();
    expect(second.output()).toBe(`Atelier serves on ${second.url}\n`);
  });

  test('a setting that is misspelt is told of, with the one that may be meant', async () => {
    const misspelt = {
      ATELIER_DATABSE_URL: 'postgres://nowhere',
      ATELIER_QUIET: '1',
      ATELIER_URL: 'http://x',
    };
    const server = await startServer({ ...environment(), ...misspelt });
    servers.push(server);
    const told = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('atelier: '));
    expect(told).toEqual([
      'atelier: ATELIER_DATABSE_URL is not a setting and has no effect; perhaps ATELIER_DATABASE_URL is meant.',
      'atelier: ATELIER_QUIET is not a setting and has no effect.',
    ]);
  });

  test('a time zone that nobody knows is told of, and a user for repositories where they would belong to one', async () => {
    const wrong = { TZ: 'Mars/Olympus', ATELIER_SVN_USER: 'nobody-of-that-name' };
    const server = await startServer({ ...environment(), ...wrong });
    servers.push(server);
    expect(server.output()).toContain(
      'atelier: TZ is "Mars/Olympus", which is no name of a time zone, such as Europe/Paris: dates are written with the offset +00:00.\n',
    );
    if (process.getuid?.() !== 0 || lacksSubversion) return;
    await eventually(() =>
      expect(server.output()).toContain(
        'atelier: ATELIER_SVN_USER names nobody-of-that-name, which is no unprivileged user of this machine. Repositories cannot be used; all else can.\n',
      ),
    );
  });

  test('loads a demo project that the curl line shows, unless told not to', async () => {
    rmSync(join(folder, 'new'), { recursive: true, force: true });
    const server = await startServer({ ...environment(), ATELIER_DEMO: '1' });
    servers.push(server);
    const list = async () => JSON.parse(await answerToLine(server.output()));
    expect(settled(server.output(), server.url)).toContain(
      settled(welcomeInReadme(), 'http://localhost:8080'),
    );
    while ((await list()).length === 0) await pause(100);
    expect(await list()).toMatchObject([{ shortname: 'lighthouse', is_member_of: true }]);
    await server.end();
    const second = await startServer({ ...environment(), ATELIER_DEMO: '1' });
    servers.push(second);
    expect(second.output()).not.toContain('demo');
  });

  test('several first starts at once make one platform', async () => {
    rmSync(join(folder, 'new'), { recursive: true, force: true });
    await Promise.all([start(), start(), start()]);
    const outputs = servers.map((server) => server.output());
    expect(outputs.filter((output) => output.includes('access key'))).toHaveLength(1);
  });

  test('on an empty PostgreSQL database it works the same, several at once too', async () => {
    const { postgresUrl } = inject('prepared');
    const name = `first_start_${process.pid}`;
    const { Client } = (await import('pg')).default;
    const client = new Client({ connectionString: `${postgresUrl}postgres` });
    await client.connect();
    await client.query(`create database ${name}`);
    const env = {
      ...environment(),
      ATELIER_DATABASE_URL: `${postgresUrl}${name}`,
      ATELIER_DATABASE_CONNECTIONS: '2',
    };
    servers.push(...(await Promise.all([startServer(env), startServer(env)])));
    expect(servers.filter((server) => server.output().includes('access key'))).toHaveLength(1);
    await Promise.all(servers.splice(0).map((server) => server.end()));
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
});

test('after a stop the SQLite file alone is a backup', async () => {
  const atelier = await startAtelier('SQLite', { isAlone: true });
  await atelier.admin.patch('/users/self/preferences', { key: 'kept', value: 'in the file' });
  await atelier.server.end();
  const copy = join(atelier.instance.folder, 'copy.sqlite');
  copyFileSync(join(atelier.instance.folder, 'atelier.sqlite'), copy);
  const database = new DatabaseSync(copy);
  expect(database.prepare('select value from preference').all()).toEqual([{ value: 'in the file' }]);
  database.close();
  await atelier.instance.remove();
});

describe('what cannot start says why', () => {
  test('every fault of the configuration at once', async () => {
    const { code, stderr } = await runCommand(
      {
        ATELIER_PORT: 'eighty',
        ATELIER_PUBLIC_URL: 'https://forge.example/?secret=1',
        ATELIER_LOG_LEVEL: 'loud',
        ATELIER_DATABASE_URL: 'mysql://secret@x',
        ATELIER_SMTP_URL: 'smtp://',
        ATELIER_MAIL_FROM: 'Support: Atelier <a@example.com>',
      },
      ['serve'],
    );
    expect(code).toBe(1);
    const names = ['PORT', 'PUBLIC_URL', 'LOG_LEVEL', 'DATABASE_URL', 'SMTP_URL', 'MAIL_FROM'];
    for (const name of names) expect(stderr).toContain(`ATELIER_${name}`);
    expect(stderr).not.toContain('secret');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('a port that is in use, also by another Atelier', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-port-'));
    const environment = {
      ...cheap,
      ATELIER_DATA: folder,
      ATELIER_PORT: '0',
      ATELIER_HOST: '127.0.0.1',
      ATELIER_HTTP_THREADS: '2',
    };
    const server = await startServer(environment);
    const { code, stderr } = await runCommand({ ...environment, ATELIER_PORT: new URL(server.url).port }, [
      'serve',
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('is in use');
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a data folder that cannot be made, a file that is no database, a database that is away', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-broken-'));
    writeFileSync(join(folder, 'file'), 'not a folder');
    writeFileSync(join(folder, 'atelier.sqlite'), 'this is not a database, '.repeat(100));
    const cases: Record<string, string>[] = [
      { ATELIER_DATA: join(folder, 'file', 'data') },
      { ATELIER_DATA: folder },
      { ATELIER_DATA: join(folder, 'other'), ATELIER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    ];
    for (const environment of cases) {
      const { code, stderr } = await runCommand({ ...cheap, ATELIER_PORT: '0', ...environment }, ['serve']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^atelier: /);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('a PostgreSQL that is away, by its host and port and without the password, and that nobody keeps trying', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-away-'));
    const start = (ATELIER_DATABASE_URL: string) =>
      runCommand({ ...cheap, ATELIER_PORT: '0', ATELIER_DATA: folder, ATELIER_DATABASE_URL }, ['serve']);
    const away = await start('postgres://nobody:secret@127.0.0.1:1/forge');
    expect([away.code, away.stdout]).toEqual([1, '']);
    expect(away.stderr).toMatch(
      /^atelier: The database forge of PostgreSQL at 127\.0\.0\.1:1 cannot be used: 127\.0\.0\.1:1: nothing listens there\. Look whether it runs/,
    );
    expect(away.stderr).toContain(
      'The service has not started and does not keep trying: start it again when the database answers.',
    );
    expect(away.stderr).not.toContain('secret');
    const socket = await start('postgres://nobody@localhost/forge?host=/nowhere&port=6543');
    expect([socket.code, socket.stderr]).toEqual([1, expect.stringContaining('PostgreSQL at /nowhere:6543')]);
    const unwritable = await start('postgres://nobody@127.0.0.1:1/50%');
    expect([unwritable.code, unwritable.stderr]).toEqual([
      1,
      expect.stringContaining('The database 50% of PostgreSQL at 127.0.0.1:1 cannot be used: '),
    ]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe.each(engines)('operation on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine, {
      env: { ATELIER_LOG_LEVEL: 'info', ATELIER_HTTP_THREADS: '2', ATELIER_LOCK_SECONDS: '120' },
      isAlone: true,
    });
  });
  afterAll(() => atelier.stop());

  test('health, readiness and metrics answer without a login', async () => {
    expect((await fetch(`${atelier.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${atelier.url}/readyz`)).json()).toEqual({ status: 'ready' });
    for (let index = 0; index < 5; index++) await atelier.admin.get('/users/self');
    await atelier.admin.get('/nothing');
    // A request is counted after it was answered, maybe in another thread than the one that is asked here.
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      expect(metrics.sum('atelier_http_requests_total', { status: '2xx' })).toBeGreaterThanOrEqual(5);
      expect(metrics.sum('atelier_http_requests_total', { status: '4xx' })).toBeGreaterThanOrEqual(1);
    });
  });

  test('requests are counted by method and route, whatever was asked for', async () => {
    const requests = (metrics: MetricsText, labels: Record<string, string>) =>
      metrics.sum('atelier_http_requests_total', labels);
    const before = await MetricsText.of(atelier);
    const route = '/projects/{id}/user_groups';
    for (const id of [71_001, 71_002, 71_003]) await atelier.admin.get(`/projects/${id}/user_groups`);
    await atelier.admin.get('/secret-place/71004');
    await atelier.admin.request('PROPFIND', '/projects/71005');
    await atelier.admin.delete('/projects/71005/user_groups');
    const svn = await fetch(`${atelier.url}/svnplugin/secret-place/71006`, { method: 'PROPFIND' });
    expect(svn.status).toBe(401);
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      const more = (labels: Record<string, string>) => requests(metrics, labels) - requests(before, labels);
      expect(more({ method: 'GET', route, status: '4xx' })).toBe(3);
      expect(more({ method: 'other', route, status: '4xx' })).toBe(1);
      expect(more({ method: 'other', route: 'other', status: '4xx' })).toBeGreaterThanOrEqual(1);
      expect(more({ method: 'PROPFIND', route: '/svnplugin', status: '4xx' })).toBe(1);
      const timed = { method: 'GET', route };
      const bucket = 'atelier_http_request_duration_seconds_bucket';
      expect(metrics.sum(bucket, { ...timed, le: '+Inf' })).toBe(requests(metrics, timed));
      expect(metrics.sum('atelier_http_request_duration_seconds_sum', timed)).toBeGreaterThan(0);
      // Without the numbers at the ends of lines, which may be any.
      expect(metrics.text.replaceAll(/ \S+$/gm, '')).not.toMatch(/secret-place|7100\d/);
    });
  });

  test('metrics tell of jobs, of queues and of what waits', async () => {
    const later = Date.now() + 3_600_000;
    await atelier.sql(`
      insert into outbox (kind, payload, created_at, due_at) values ('unknown', '{}', 1, ${later});
      insert into mail (kind, payload, attempts, due_at, waits_since, created_at, project_id, receiver)
        values ('unknown', '{}', 0, ${later}, 1, 1, 0, ''), ('unknown', '{}', 0, ${later}, 1, 1, 0, '')`);
    await eventually(async () => {
      const metrics = await MetricsText.of(atelier);
      expect(metrics.sum('atelier_events_waiting')).toBe(1);
      expect(metrics.sum('atelier_mails_waiting')).toBe(2);
      const runs = metrics.sum('atelier_job_runs_total', { job: 'purge-files', result: 'done' });
      expect(runs).toBeGreaterThan(0);
      expect(metrics.sum('atelier_job_duration_seconds_count', { job: 'purge-files' })).toBe(runs);
      expect(metrics.sum('atelier_http_connections')).toBeGreaterThan(0);
      const connections = metrics.sum('atelier_postgres_connections');
      if (engine === 'SQLite') expect(connections).toBe(0);
      else expect(connections).toBeGreaterThan(0);
    });
    await atelier.sql('delete from outbox; delete from mail');
  });

  if (engine === 'SQLite')
    test('metrics tell how many changes wait for the writer', async () => {
      const database = new DatabaseSync(join(atelier.instance.folder, 'atelier.sqlite'), { timeout: 60_000 });
      database.exec('begin immediate');
      const changes = ['a', 'b', 'c'].map((key) =>
        atelier.admin.patch('/users/self/preferences', { key, value: 'x' }),
      );
      const waiting = async () => (await MetricsText.of(atelier)).sum('atelier_writer_queue_length');
      try {
        await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(changes.length));
      } finally {
        database.exec('rollback');
        database.close();
      }
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
      await eventually(async () => expect(await waiting()).toBe(0));
    });

  test('every metric is documented as it is, and the dashboard uses none that is not there', async () => {
    const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
    const documented = [
      ...readFileSync(join(docs, 'operations.md'), 'utf8').matchAll(/^\| `([a-z_]+)` \| (\w+) \|(.*?)\|/gm),
    ]
      .filter(([, name = '']) => /^(atelier|process)_/.test(name))
      .map(([, name, type, labels = '']) => ({
        name,
        type,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
      }));
    const byName = (left: { name?: string }, right: { name?: string }) =>
      (left.name ?? '') < (right.name ?? '') ? -1 : 1;
    // Jobs have no labels to show before the first of them ran.
    const families = await eventually(async () => {
      const all = (await MetricsText.of(atelier)).families();
      expect(documented.sort(byName)).toEqual([...all].sort(byName));
      return all;
    });
    const dashboard = readFileSync(join(docs, 'grafana-dashboard.json'), 'utf8');
    const used = new Set(
      [...dashboard.matchAll(/\b(?:atelier|process)_[a-z_]+/g)].map(([name]) =>
        name.replace(/(?<=_seconds)_(bucket|sum|count)$/, ''),
      ),
    );
    expect([...used].sort()).toEqual(families.map(({ name }) => name).sort());
  });

  test('logs are JSON lines with a request id and without secrets', async () => {
    const { headers } = await atelier.admin.get('/users/self?password=visible-secret');
    const made = await atelier.anonymous.post('/tokens', { username: 'admin', password: 'hidden-secret' });
    expect(made.status).toBe(401);
    await atelier.admin.delete('/tokens/0123456789abcdef0123456789abcdef');
    const entries = () => {
      const lines = atelier.server.output().split('\n');
      return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    };
    const expected = {
      request: headers.get('x-request-id'),
      route: 'GET /users/{id}',
      status: 200,
      user: 101,
    };
    await eventually(() => {
      expect(entries()).toContainEqual(expect.objectContaining(expected));
      expect(entries()).toContainEqual(expect.objectContaining({ route: 'DELETE /tokens/{token}' }));
    });
    const log = atelier.server.output();
    for (const secret of [
      atelier.instance.adminKey,
      'visible-secret',
      'hidden-secret',
      '0123456789abcdef0123456789abcdef',
    ]) {
      expect(log).not.toContain(secret);
    }
  });

  /** Sends the head of a request and the beginning of its body, and comes back when the service has seen the head. */
  async function beginRequest({ url }: Atelier, head: string, part: string) {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    socket.write(`${head}\r\nHost: a\r\nExpect: 100-continue\r\n\r\n`);
    while (!answer.startsWith('HTTP/1.1 100')) await once(socket, 'data');
    socket.write(part);
    return { socket, answer: () => answer.slice(answer.indexOf('\r\n\r\n') + 4) };
  }

  test('a stop finishes what runs, refuses what comes, and ends with code 0', async () => {
    const running = await startAtelier(engine, { env: { ATELIER_STOP_SECONDS: '600' }, isAlone: true });
    const body = JSON.stringify({ key: 'slow', value: 'x' });
    const head = [
      'PATCH /api/users/self/preferences HTTP/1.1',
      `X-Auth-AccessKey: ${running.instance.adminKey}`,
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    const { socket, answer } = await beginRequest(running, head, body.slice(0, 5));
    const ended = running.server.end();
    // Once nobody is let in any more, the stop has begun.
    while (await fetch(`${running.url}/healthz`).catch(() => undefined)) await pause(10);
    socket.write(body.slice(5));
    expect(await ended).toBe(0);
    expect(answer()).toMatch(/^HTTP\/1\.1 (200|503) /);
    await running.instance.remove();
  });

  test('a stop waits for a running write and for nobody who is only connected', async () => {
    const running = await startAtelier(engine, { env: { ATELIER_STOP_SECONDS: '600' }, isAlone: true });
    const { hostname, port } = new URL(running.url);
    const half = connect(Number(port), hostname).on('error', () => {});
    half.write('GET /api/version HTTP/1.1\r\nHos');
    let isOver = false;
    const statuses: number[] = [];
    const writers = Array.from({ length: 6 }, async (_, client) => {
      for (let round = 0; !isOver; round++) {
        const body = JSON.stringify({ key: `k${client}-${round}`, value: 'x' });
        const headers = { 'X-Auth-AccessKey': running.instance.adminKey, 'Content-Type': 'application/json' };
        const request = { method: 'PATCH', headers, body };
        const reply = await fetch(`${running.url}/api/users/self/preferences`, request).catch(
          () => undefined,
        );
        if (reply === undefined) return;
        statuses.push(reply.status);
        await reply.arrayBuffer().catch(() => undefined);
      }
    });
    while (statuses.length < 30) await pause(10);
    expect(await running.server.end()).toBe(0);
    isOver = true;
    await Promise.all(writers);
    for (const status of new Set(statuses)) expect([200, 503]).toContain(status);
    await running.instance.remove();
  });

  test('a stop does not wait longer than its limit', async () => {
    const running = await startAtelier(engine, { env: { ATELIER_STOP_SECONDS: '1' }, isAlone: true });
    await beginRequest(running, 'POST /api/tokens HTTP/1.1\r\nContent-Length: 100', '{');
    expect(await running.server.end()).toBe(1);
    await running.instance.remove();
  });
});
