import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/storage/engine.ts';
import { PostgresEngine } from '../../src/storage/engine-postgres.ts';
import { systemOf } from '../../src/storage/replica.ts';
import { change, entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import {
  Caller,
  createEmptyInstance,
  type Instance,
  Person,
  runCommand,
  type ServerProcess,
  startServer,
} from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { MetricsText } from '../harness/metrics.ts';
import { freePort } from '../harness/postgres.ts';
import { ReplicatedPostgres } from '../harness/postgres-replica.ts';

/*
 * Two processes on one PostgreSQL with a replica that is read from. The replica can be held: it then shows what was before, for
 * as long as it is held.
 */

let postgres: ReplicatedPostgres;
let instance: Instance;
let environment: Record<string, string>;
let processes: ServerProcess[];
let project: number;
let tracker: number;
let title: number;
let ada: Person;
let bob: Person;

/** The same caller, at one of the processes. */
const at = (index: number, { key, ...person }: Person) =>
  new Person(processes[index]?.url ?? '', { ...person, key });

async function createUser(admin: Person, name: string): Promise<Person> {
  const password = `${name}-password`;
  const account = { username: name, password, real_name: name, email: `${name}@example.com` };
  const { body } = await admin.post('/users', account);
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  const own = new Caller(processes[0]?.url ?? '', { Authorization: `Basic ${basic}` });
  const key = (await own.post('/access_keys', { description: 'for tests' })).body.identifier;
  return new Person(processes[0]?.url ?? '', { id: body.id, name, password, key });
}

let admin: Person;

beforeAll(async () => {
  postgres = await ReplicatedPostgres.start();
  instance = await createEmptyInstance('SQLite');
  environment = {
    ...instance.environment,
    ATELIER_DATABASE_URL: postgres.url,
    ATELIER_DATABASE_READ_URL: postgres.readUrl,
    ATELIER_DATABASE_CONNECTIONS: '4',
  };
  const first = await startServer(environment);
  processes = [first, await startServer(environment)];
  const [, adminKey = ''] = /access key {2}(\S+)/.exec(first.output()) ?? [];
  admin = new Person(first.url, { id: 101, name: 'admin', password: '', key: adminKey });
  ({ id: project } = await createProject(admin, 'replicated'));
  ({ id: tracker } = await createTracker(admin, project));
  title = (await addField(admin, tracker, { type: 'string', name: 'title', label: 'Title' })).field_id;
  ada = await createUser(admin, 'ada');
  bob = await createUser(admin, 'bob');
  await setMembers(admin, `${project}_3`, [ada, bob]);
}, 240_000);

afterAll(async () => {
  for (const each of processes ?? []) await each.end();
  await postgres?.remove();
  await instance?.remove();
});

const named = (text: string) => [{ field_id: title, value: text }];

/** What somebody sees of an artifact at a process. */
async function titleAt(index: number, who: Person, id: number): Promise<string> {
  return entryOf(await readArtifact(at(index, who), id), title).value;
}

const titlesAt = async (index: number, who: Person): Promise<string[]> => {
  const { status, text, body } = await at(index, who).get(
    `/trackers/${tracker}/artifacts?values=all&limit=100`,
  );
  expect(status, text).toBe(200);
  return body.map(
    (artifact: { values: { field_id: number; value: string }[] }) =>
      artifact.values.find(({ field_id }) => field_id === title)?.value,
  );
};

async function replicaReads(index: number): Promise<number> {
  const metrics = await MetricsText.of({ url: processes[index]?.url ?? '' });
  return metrics.sum('atelier_reads_from_replicas_total');
}

/** Waits until both processes read for somebody from the replica. */
async function untilRead(who: Person, id: number): Promise<void> {
  for (const index of [0, 1])
    await eventually(async () => {
      const before = await replicaReads(index);
      await titleAt(index, who, id);
      expect(await replicaReads(index)).toBe(before + 1);
    });
}

describe('P19.4.3 replicas to read from', () => {
  test('reads of callers go to the replica: single things, lists and what is asked for again', async () => {
    const id = await submit(ada, tracker, named('Plain'));
    await untilRead(bob, id);
    // On a busy machine it may be left out for a moment.
    await eventually(async () => {
      const before = await replicaReads(1);
      for (let times = 0; times < 5; times++) expect(await titleAt(1, bob, id)).toBe('Plain');
      expect(await titlesAt(1, bob)).toContain('Plain');
      expect(await replicaReads(1)).toBe(before + 6);
    });
    const [connections] = await postgres.atReplica(
      "select count(*)::int as open from pg_stat_activity where application_name = 'atelier http'",
    );
    expect(connections?.['open']).toBeGreaterThan(0);
  });

  test('whoever wrote sees it at once at every process; others may see it later, and never go back', async () => {
    const [id, other] = [
      await submit(ada, tracker, named('Before')),
      await submit(ada, tracker, named('Another')),
    ];
    await untilRead(ada, id);
    await untilRead(bob, id);
    await postgres.hold();
    try {
      await change(ada, id, named('After'));
      for (const index of [0, 1]) {
        expect(await titleAt(index, ada, id)).toBe('After');
        expect(await titlesAt(index, ada)).toContain('After');
        await readWhereTheyAre(index, id);
      }
      // From here on they must see the newest, for what they wrote themselves is there.
      await change(at(1, bob), other, named('By Bob'));
      for (const index of [0, 1, 0, 1]) {
        expect(await titleAt(index, bob, id)).toBe('After');
        expect(await titleAt(index, bob, other)).toBe('By Bob');
      }
    } finally {
      await postgres.release();
    }
    await untilRead(bob, id);
    for (const index of [0, 1]) expect(await titleAt(index, bob, id)).toBe('After');
  });

  /** What is read from the replica that is held is what was before; and from the database itself, what is. */
  async function readWhereTheyAre(index: number, id: number): Promise<void> {
    const before = await replicaReads(index);
    const [one, listed] = [await titleAt(index, bob, id), await titlesAt(index, bob)];
    const fromReplica = (await replicaReads(index)) - before;
    expect(one).toBe(fromReplica > 0 ? 'Before' : 'After');
    expect(listed).toContain(fromReplica > 1 ? 'Before' : 'After');
  }

  test('whoever read the newest at one process sees nothing older at another', async () => {
    const [id, own] = [await submit(ada, tracker, named('Older')), await submit(bob, tracker, named('Own'))];
    await untilRead(bob, id);
    await postgres.delay(2000);
    try {
      await change(bob, own, named('Changed'));
      await pause(1000);
      await change(ada, id, named('Newer'));
      // The replica has nothing of both yet, and will have the first a second before the other.
      expect(await titleAt(0, bob, id)).toBe('Newer');
      const hasBoth = async () => {
        const [row] = await postgres.atReplica(`select version from artifact where id = ${id}`);
        return Number(row?.['version']) > 1;
      };
      const seen = new Set<string>();
      while (!(await hasBoth())) seen.add(await titleAt(1, bob, id));
      expect([...seen]).toEqual(['Newer']);
    } finally {
      await postgres.delay(0);
    }
  });

  test('nobody sees anything go back while the replica comes and goes', async () => {
    const id = await submit(ada, tracker, named('0'));
    await untilRead(bob, id);
    let isOver = false;
    const seen: number[] = [];
    const reading = (async () => {
      for (let turn = 0; !isOver; turn++) seen.push(Number(await titleAt(turn % 2, bob, id)));
    })();
    for (let number = 1; number <= 40; number++) {
      if (number % 8 === 1) await postgres.hold();
      await change(at(number % 2, ada), id, named(String(number)));
      expect(await titleAt((number + 1) % 2, ada, id)).toBe(String(number));
      if (number % 8 === 5) await postgres.release();
      // Every now and then they have to read the newest, and the replica is behind.
      if (number % 8 === 3) await change(bob, await submit(bob, tracker, named('Own')), named('Still own'));
    }
    await postgres.release();
    isOver = true;
    await reading;
    expect(seen.length).toBeGreaterThan(40);
    expect(seen).toEqual(seen.toSorted((one, next) => one - next));
  });

  test('whoever lost a right has lost it at once, however far the replica is behind', async () => {
    const id = await submit(ada, tracker, named('For members'));
    await at(0, admin).patch(`/projects/${project}`, { access: 'private' });
    const carol = await createUser(admin, 'carol');
    await setMembers(admin, `${project}_3`, [ada, bob, carol]);
    await untilRead(carol, id);
    await postgres.hold();
    try {
      const { body } = await at(0, carol).get(`/artifacts/${id}`);
      expect(body.id).toBe(id);
      const key = /^tlp-k1-(\d+)\./.exec(carol.key)?.[1];
      expect((await at(0, carol).delete(`/access_keys/${key}`)).status).toBe(200);
      for (const index of [1, 0]) expect((await at(index, carol).get(`/artifacts/${id}`)).status).toBe(401);
    } finally {
      await postgres.release();
    }
  });

  test('whoever is told of a change reads it, wherever they read', async () => {
    const id = await submit(ada, tracker, named('Untold'));
    await untilRead(bob, id);
    const stop = new AbortController();
    const response = await fetch(`${processes[0]?.url}/api/events?topics=trackers/${tracker}`, {
      headers: { 'X-Auth-AccessKey': bob.key },
      signal: stop.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const hear = async (words: string) => {
      while (!heard.includes(words)) heard += (await reader?.read())?.value ?? '';
    };
    await hear('event: hello');
    await postgres.hold();
    try {
      await change(ada, id, named('Told'));
      await hear(`"uri":"artifacts/${id}"`);
      for (const index of [1, 0]) expect(await titleAt(index, bob, id)).toBe('Told');
    } finally {
      stop.abort();
      await postgres.release();
    }
  });

  test('a database that was started anew has forgotten no own write', async () => {
    const id = await submit(ada, tracker, named('Old'));
    await untilRead(ada, id);
    await postgres.hold();
    try {
      await change(ada, id, named('New'));
      await postgres.restartDatabase();
      const reply = await eventually(async () => {
        const found = await at(1, ada).get(`/artifacts/${id}`);
        expect(found.status).toBe(200);
        return found;
      });
      expect(reply.text).toContain('"New"');
    } finally {
      await postgres.release();
    }
  });

  /** Lets the first so many tries to keep a position end their connection; all of them, unless told. */
  async function breakKeeping(first = 1_000_000): Promise<void> {
    await postgres.atDatabase(`
      create sequence atelier_reading.tries;
      create function atelier_reading.fail() returns trigger language plpgsql as $$ begin
        if nextval('atelier_reading.tries') <= ${first} then
          perform pg_terminate_backend(pg_backend_pid());
          perform pg_sleep(1);
        end if;
        return null;
      end $$;
      create trigger fail before insert on atelier_reading.seen execute function atelier_reading.fail()`);
  }
  const mendKeeping = () =>
    postgres.atDatabase(
      'drop function if exists atelier_reading.fail() cascade; drop sequence if exists atelier_reading.tries',
    );

  const titled = (words: string) => ({ tracker: { id: tracker }, values: named(words) });
  const countOf = async (words: string) =>
    (await titlesAt(0, admin)).filter((title) => title === words).length;

  test('a change is stored once and told as stored, also where its position is kept late', async () => {
    await untilRead(ada, await submit(ada, tracker, named('Early')));
    await postgres.hold();
    await breakKeeping(4);
    try {
      const { status, text, body } = await at(0, ada).post('/artifacts', titled('Late'));
      expect(status, text).toBe(201);
      for (const index of [0, 1]) expect(await titleAt(index, ada, body.id)).toBe('Late');
    } finally {
      await mendKeeping();
      await postgres.release();
    }
    expect(await countOf('Late')).toBe(1);
  });

  test('a change whose position cannot be kept is stored once, and no caller sees it gone', async () => {
    await untilRead(ada, await submit(ada, tracker, named('Kept')));
    await breakKeeping();
    try {
      const { status, text, body } = await at(0, ada).post('/artifacts', titled('Not kept'));
      expect(status, text).toBe(201);
      for (const index of [0, 1]) expect(await titleAt(index, ada, body.id)).toBe('Not kept');
    } finally {
      await mendKeeping();
    }
    expect(await countOf('Not kept')).toBe(1);
  });

  test('a change that no replica has and whose position cannot be kept is told as stored; who reads the newest is told to wait', async () => {
    await untilRead(ada, await submit(ada, tracker, named('Nowhere kept')));
    await postgres.hold();
    await breakKeeping();
    const said = processes[0]?.output().length;
    try {
      const { status, text, body } = await at(0, ada).post('/artifacts', titled('Told as stored'));
      expect(status, text).toBe(201);
      const read = await at(0, ada).get(`/artifacts/${body.id}`);
      expect(read.status, read.text).toBe(503);
      expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
      await mendKeeping();
      expect(await countOf('Told as stored')).toBe(1);
      expect(await titleAt(0, ada, body.id)).toBe('Told as stored');
      await eventually(async () => expect(await titleAt(1, ada, body.id)).toBe('Told as stored'));
    } finally {
      await mendKeeping();
      await postgres.release();
    }
    expect(processes[0]?.output().slice(said)).not.toContain(String.raw`\n    at `);
  });

  test('a replica that is away is left out, and used again when it is back', async () => {
    const id = await submit(ada, tracker, named('Here'));
    await untilRead(bob, id);
    await postgres.stopReplica();
    for (const index of [0, 1, 0, 1]) expect(await titleAt(index, bob, id)).toBe('Here');
    await change(ada, id, named('Still here'));
    for (const index of [0, 1]) expect(await titleAt(index, bob, id)).toBe('Still here');
    await eventually(async () => {
      const metrics = await MetricsText.of({ url: processes[0]?.url ?? '' });
      expect(metrics.sum('atelier_postgres_replicas', { state: 'left_out' })).toBe(1);
    });
    const doctor = await runCommand(environment, ['doctor']);
    expect(doctor.stdout).toMatch(/replicas\s+\S+ does not answer/);
    await postgres.startReplica();
    await untilRead(bob, id);
    for (const index of [0, 1]) expect(await titleAt(index, bob, id)).toBe('Still here');
    expect((await runCommand(environment, ['doctor'])).stdout).toMatch(/replicas\s+\S+ follows/);
  });

  test('a database that is away is none of which nobody may know what it is', async () => {
    const limits = { connections: 1, lockPatience: 1000, statementPatience: 1000, tries: 1 };
    const away = new PostgresEngine(`postgres://atelier@127.0.0.1:${await freePort()}/atelier`, limits);
    await expect(systemOf((statement) => away.all(statement))).rejects.toThrow(StorageUnavailable);
    await away.close();
  });
});
