import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Atelier,
  type EngineName,
  type Reply,
  startAtelier,
  startHosted,
  usuallyOn,
} from '../harness/atelier.ts';
import { Caller } from '../harness/caller.ts';

/** Holds the lock that every write needs, as another process would, until it is told to let go. */
async function holdLock({ instance, engine }: Atelier): Promise<() => Promise<void>> {
  if (engine === 'SQLite') {
    const database = new DatabaseSync(join(instance.folder, 'atelier.sqlite'), { timeout: 5000 });
    database.exec('begin immediate');
    return async () => {
      database.exec('rollback');
      database.close();
    };
  }
  const client = new pg.Client({ connectionString: instance.environment['ATELIER_DATABASE_URL'] });
  await client.connect();
  await client.query('begin');
  await client.query('lock table preference, access_key in exclusive mode');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

const setPreference = (caller: Caller, key: string) =>
  caller.patch('/users/self/preferences', { key, value: 'x' });

/** Waits for a number of answers, not for a time: a busy machine needs longer for the same work. */
async function untilMoreThan(count: number, answered: readonly string[]): Promise<void> {
  while (answered.length <= count) await pause(50);
}

/** The service says so of the last one, and the database of all. */
async function expectKept(running: Atelier, answered: readonly string[]): Promise<void> {
  const { body } = await running.admin.get(`/users/self/preferences?key=${answered.at(-1)}`);
  expect(body.value).toBe('x');
  const rows = await running.sql("select name from preference where value = 'x'");
  const kept = new Set(rows.map(({ name }) => name));
  expect(answered.filter((key) => !kept.has(key))).toEqual([]);
}

async function inParallel(count: number, each: (index: number) => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => each(index)));
}

describe.each(usuallyOn('PostgreSQL'))('under stress on %s, a service that goes on', (engine: EngineName) => {
  let shared: Atelier;
  beforeAll(async () => {
    shared = await startAtelier(engine, { env: { ATELIER_HTTP_THREADS: '2' } });
  });
  afterAll(() => shared?.stop());

  test('32 clients and commands writing at once give no 5xx and lose nothing', async () => {
    const { admin } = shared;
    const commands = ['4', '5', '6'].map((value) =>
      shared.cli('config', 'set', 'artifact_deletion_limit', value),
    );
    const rounds = inParallel(32, async (client) => {
      let last: Reply | undefined;
      for (let round = 0; round < 10; round++) {
        last = await setPreference(admin, `stress-${client}-${round}`);
        if (last.status !== 200) break;
      }
      return last as Reply;
    });
    expect(new Set((await rounds).map(({ status }) => status))).toEqual(new Set([200]));
    for (const { code, stderr } of await Promise.all(commands)) expect(stderr + code).toBe('0');
    for (let client = 0; client < 32; client++) {
      expect((await admin.get(`/users/self/preferences?key=stress-${client}-9`)).body.value).toBe('x');
    }
  });

  test('a key deleted in one process is refused by the very next request in another', async () => {
    const other = await startHosted(shared.instance.environment);
    const made = await shared.admin.post('/access_keys', {});
    const elsewhere = new Caller(other.url, { 'X-Auth-AccessKey': made.body.identifier });
    const { id } = (await elsewhere.get('/access_keys/self')).body;
    for (let round = 0; round < 5; round++) expect((await elsewhere.get('/users/self')).status).toBe(200);
    await shared.admin.delete(`/access_keys/${id}`);
    expect((await elsewhere.get('/users/self')).status).toBe(401);
    await other.end();
  });

  test('a suspended account is refused by the very next request in every thread', async () => {
    const bob = await shared.createUser('bob');
    for (let round = 0; round < 5; round++) {
      expect(
        new Set((await inParallel(16, () => bob.get('/users/self'))).map(({ status }) => status)),
      ).toEqual(new Set([200]));
      await shared.admin.patch(`/users/${bob.id}`, { status: 'S' });
      expect(
        new Set((await inParallel(16, () => bob.get('/users/self'))).map(({ status }) => status)),
      ).toEqual(new Set([403]));
      await shared.admin.patch(`/users/${bob.id}`, { status: 'A' });
    }
  });

  test('changes of different members of one account at once are all stored', async () => {
    const bea = await shared.createUser('bea');
    for (let round = 0; round < 15; round++) {
      const status = round % 2 === 0 ? 'S' : 'A';
      const changes = [{ status }, { real_name: `Bea ${round}` }, { email: `bea${round}@example.com` }];
      const replies = await Promise.all(
        changes.map((change) => shared.admin.patch(`/users/${bea.id}`, change)),
      );
      expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
      const { body } = await shared.admin.get(`/users/${bea.id}`);
      expect(body).toMatchObject({ status, real_name: `Bea ${round}`, email: `bea${round}@example.com` });
    }
  });

  test('one name goes to one user or project, one waiting place to one project', async () => {
    const { admin } = shared;
    const project = (shortname: string) => ({
      shortname,
      label: 'Some project',
      is_public: true,
      xml_template_name: 'empty',
    });
    for (let round = 0; round < 8; round++) {
      const name = `same-${round}`;
      const replies = await Promise.all([
        admin.post('/users', { username: name }),
        admin.post('/projects', project(name)),
        admin.post('/project_fields', { name, type: 'line' }),
        admin.post('/project_fields', { name, type: 'line' }),
      ]);
      const made = replies.map(({ status }) => (status === 201 ? 1 : 0));
      expect((made[0] ?? 0) + (made[1] ?? 0)).toBe(1);
      expect((made[2] ?? 0) + (made[3] ?? 0)).toBe(1);
    }
    await shared.configure({ project_approval: true, pending_projects_limit_per_user: 2 });
    const waiting = await inParallel(6, (index) => admin.post('/projects', project(`waiting-${index}`)));
    expect(waiting.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(waiting.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  test('a search sees every change that was answered before it, however busy searching is', async () => {
    let isOver = false;
    const words = Array.from({ length: 20 }, (_, index) => `nothing${index}`).join('%20');
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) await shared.admin.get(`/users?query=${words}`);
    });
    for (let round = 0; round < 25; round++) {
      const username = `fresh-${round}`;
      expect((await shared.admin.post('/users', { username })).status).toBe(201);
      const { body } = await shared.admin.get(`/users?query=${username}`);
      expect(body.map((user: { username: string }) => user.username)).toContain(username);
    }
    isOver = true;
    await Promise.all(busy);
  });

  // The last of them: it takes rights from the first account.
  test('two administrators who remove each other at once never both succeed', async () => {
    const [ann, ben] = [await shared.createUser('ann'), await shared.createUser('ben')];
    for (let round = 0; round < 3; round++) {
      await shared.cli('user', 'set', 'ann', '--site-admin', '--status', 'active');
      await shared.cli('user', 'set', 'ben', '--site-admin', '--status', 'active');
      if (round === 0) await shared.cli('user', 'set', 'admin', '--no-site-admin');
      await Promise.all([
        ann.patch(`/users/${ben.id}`, { status: 'S' }),
        ben.patch(`/users/${ann.id}`, { status: 'S' }),
        ann.put('/user_groups/1_4/users', [{ id: ann.id }]),
        ben.put('/user_groups/1_4/users', [{ id: ben.id }]),
      ]);
      const left = await Promise.all([ann.get('/platform/settings'), ben.get('/platform/settings')]);
      expect(left.some(({ status }) => status === 200)).toBe(true);
    }
  });
});

describe.each(usuallyOn('PostgreSQL'))('under stress on %s', (engine: EngineName) => {
  let atelier: Atelier | undefined;
  const start = async (env: Record<string, string> = {}) => {
    atelier = await startAtelier(engine, { env });
    return atelier;
  };
  afterEach(async () => {
    await atelier?.stop();
    atelier = undefined;
  });

  test('while another process holds the write lock, reads go on and writes wait their turn', async () => {
    const running = await start({ ATELIER_LOCK_SECONDS: '600' });
    await running.admin.get('/users/self');
    const release = await holdLock(running);
    let isWritten = false;
    const write = setPreference(running.admin, 'waited').finally(() => {
      isWritten = true;
    });
    for (let round = 0; round < 50; round++) expect((await running.admin.get('/users/101')).status).toBe(200);
    expect(isWritten).toBe(false);
    await release();
    expect((await write).status).toBe(200);
  });

  test('a lock that is not released in time is 503 with Retry-After, and nothing is stored', async () => {
    const running = await start({ ATELIER_LOCK_SECONDS: '1' });
    await running.admin.get('/users/self');
    const release = await holdLock(running);
    const refused = await setPreference(running.admin, 'refused');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.error.message).toMatch(/^Service Unavailable: /);
    await release();
    expect((await running.admin.get('/users/self/preferences?key=refused')).body.value).toBe(false);
    expect((await setPreference(running.admin, 'refused')).status).toBe(200);
  });

  test('every answered write survives a kill', async () => {
    const running = await start({ ATELIER_HTTP_THREADS: '2' });
    const answered: string[] = [];
    const { admin } = running;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let round = 0; ; round++) {
        const key = `kept-${client}-${round}`;
        const reply = await setPreference(admin, key).catch(() => undefined);
        if (reply?.status !== 200) return;
        answered.push(key);
      }
    });
    await untilMoreThan(20, answered);
    await running.server.end('SIGKILL');
    await Promise.all(clients);
    await running.restart();
    await expectKept(running, answered);
  });

  test('two starts at once after a kill -9 both come up', async () => {
    const running = await start();
    await inParallel(20, (index) => setPreference(running.admin, `before-${index}`));
    await running.server.end('SIGKILL');
    const { environment } = running.instance;
    const servers = await Promise.all([startHosted(environment), startHosted(environment)]);
    for (const { url } of servers) {
      const admin = new Caller(url, { 'X-Auth-AccessKey': running.instance.adminKey });
      expect((await admin.get('/users/self')).status).toBe(200);
      expect((await setPreference(admin, url)).status).toBe(200);
    }
    await Promise.all(servers.map((server) => server.end()));
  });

  if (engine === 'PostgreSQL') {
    test('connections that are lost under load give at most 503, and every answered write is there', async () => {
      const running = await start();
      const answered: string[] = [];
      const statuses = new Set<number>();
      const { admin } = running;
      let isOver = false;
      const clients = Array.from({ length: 8 }, async (_, client) => {
        for (let round = 0; !isOver; round++) {
          const { status } = await setPreference(admin, `lost-${client}-${round}`);
          statuses.add(status);
          if (status === 200) answered.push(`lost-${client}-${round}`);
        }
      });
      const name = new URL(running.instance.environment['ATELIER_DATABASE_URL'] ?? '').pathname.slice(1);
      for (let round = 0; round < 5; round++) {
        await pause(150);
        await running.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
        );
      }
      await untilMoreThan(20, answered);
      isOver = true;
      await Promise.all(clients);
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      await expectKept(running, answered);
    });
  }
});
