import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalid } from '../../src/kernel/errors.ts';
import {
  type Database,
  migrate,
  NewerDatabase,
  openDatabase,
  readRevisions,
  sql,
  statement,
  type Transaction,
} from '../../src/storage/index.ts';
import { createInstance, type EngineName, engines, type Instance, runCommand } from '../harness/atelier.ts';

function open(instance: Instance, lockPatience = 1000): Promise<Database> {
  const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
  return openDatabase({ folder: instance.folder, databaseUrl, connections: 4, lockPatience });
}

async function setSetting(tx: Transaction, name: string, value: string): Promise<void> {
  const insert = tx.sql.insertInto('setting').values({ name, value });
  await tx.run(insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })));
}

async function settingNames(database: Database): Promise<string[]> {
  const rows = await database.all(database.sql.selectFrom('setting').select('name').orderBy('name'));
  return (rows as { name: string }[]).map(({ name }) => name);
}

/** Holds the lock that every write needs, as another process would. */
async function holdLock(engine: EngineName, instance: Instance): Promise<() => Promise<void>> {
  if (engine === 'SQLite') {
    const other = new DatabaseSync(join(instance.folder, 'atelier.sqlite'));
    other.exec('begin immediate');
    return async () => {
      other.exec('rollback');
      other.close();
    };
  }
  const client = new pg.Client({ connectionString: instance.environment['ATELIER_DATABASE_URL'] });
  await client.connect();
  await client.query('begin');
  await client.query('lock table setting in exclusive mode');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

describe.each(engines)('storage on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  beforeAll(async () => {
    instance = await createInstance(engine);
    database = await open(instance);
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });

  // Where one writer runs at a time nothing waits for a row.
  test.runIf(engine === 'PostgreSQL')(
    'writes of one person that all wait for one row leave room for others',
    async () => {
      const patient = await open(instance, 60_000);
      const [own, other] = [{ userId: 101 }, { userId: 102 }];
      await patient.transaction((tx) => setSetting(tx, 'row', 'first'), own);
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const holder = patient.transaction(async (tx) => {
        await setSetting(tx, 'row', 'held');
        begun.resolve();
        await held.promise;
      }, own);
      await begun.promise;
      const waiting = ['a', 'b', 'c', 'd', 'e'].map((value) =>
        patient.transaction((tx) => setSetting(tx, 'row', value), own),
      );
      for (const value of ['1', '2', '3'])
        await patient.transaction((tx) => setSetting(tx, 'other row', value), other);
      held.resolve();
      await Promise.all([holder, ...waiting]);
      await patient.close();
    },
  );

  test('of many writes of one person and a few of another, both have their turns, each in their own order', async () => {
    const begun: string[] = [];
    const write = (userId: number, name: string) =>
      database.transaction(
        async (tx) => {
          begun.push(name);
          await setSetting(tx, `asked ${name}`, 'x');
        },
        { userId },
      );
    const many = Array.from({ length: 60 }, (_, index) => `many ${index}`);
    const few = ['few 0', 'few 1', 'few 2'];
    await Promise.all([...many.map((name) => write(101, name)), ...few.map((name) => write(102, name))]);
    expect(begun.indexOf('few 2')).toBeLessThan(16);
    if (engine === 'SQLite')
      for (const own of [many, few]) expect(begun.filter((name) => own.includes(name))).toEqual(own);
  });

  // Where each has a transaction of its own nobody waits for the commit of another.
  test.runIf(engine === 'SQLite')(
    'a short write waits for few of the long ones of somebody else',
    async () => {
      let begun = 0;
      let short: Promise<number> | undefined;
      const work = (tx: Transaction) => setSetting(tx, 'long and short', 'x');
      const long = () =>
        database.transaction(
          async (tx) => {
            await work(tx);
            begun++;
            short ??= database.transaction(work, { userId: 102 }).then(() => begun);
            for (const end = performance.now() + 60; performance.now() < end; );
          },
          { userId: 101 },
        );
      await Promise.all(Array.from({ length: 8 }, long));
      expect(await short).toBeLessThan(4);
    },
  );

  test('work that is refused leaves nothing behind', async () => {
    const refused = database.transaction(async (tx) => {
      await setSetting(tx, 'half', 'x');
      throw invalid('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await settingNames(database)).not.toContain('half');
  });

  test('of many units of work at once, the good ones are stored and the bad ones are not', async () => {
    const work = Array.from({ length: 100 }, (_, index) =>
      database.transaction(async (tx) => {
        await setSetting(tx, `many-${index}`, 'x');
        if (index % 3 === 0) throw invalid(`refused ${index}`);
      }),
    );
    const outcomes = await Promise.allSettled(work);
    const stored = await settingNames(database);
    outcomes.forEach((outcome, index) => {
      expect(outcome.status).toBe(index % 3 === 0 ? 'rejected' : 'fulfilled');
      expect(stored.includes(`many-${index}`)).toBe(index % 3 !== 0);
    });
  });

  test('a write that nobody waited for fails its work by its own fault, and nothing is stored', async () => {
    const fail = (tx: Transaction) =>
      tx.write({ compile: () => sql.raw('insert into nowhere values (1)').compile(tx.sql) });
    const withRead = database.transaction(async (tx) => {
      await tx.write(tx.sql.insertInto('setting').values({ name: 'before it', value: 'x' }));
      await fail(tx);
      await tx.write(tx.sql.insertInto('setting').values({ name: 'behind it', value: 'x' }));
      return tx.all(tx.sql.selectFrom('setting').select('name'));
    });
    await expect(withRead).rejects.toThrow('nowhere');
    await expect(database.transaction(fail)).rejects.toThrow('nowhere');
    const names = await settingNames(database);
    expect(names.filter((name) => ['before it', 'behind it'].includes(name))).toEqual([]);
  });

  test('writes that nobody waited for are stored in their order, however many they are', async () => {
    await database.transaction(async (tx) => {
      await tx.write(tx.sql.insertInto('setting').values({ name: 'counted', value: '0' }));
      for (let value = 1; value <= 200; value++)
        await tx.write(
          tx.sql
            .updateTable('setting')
            .set({ value: String(value) })
            .where('name', '=', 'counted')
            .where('value', '=', String(value - 1)),
        );
    });
    const rows = await database.all(
      database.sql.selectFrom('setting').select('value').where('name', '=', 'counted'),
    );
    expect(rows).toEqual([{ value: '200' }]);
    await database.transaction((tx) => tx.write(tx.sql.deleteFrom('setting').where('name', '=', 'counted')));
  });

  test('what was tried in vain is undone, first of all or behind other work, and the rest is stored', async () => {
    const tried = (tx: Transaction, name: string, isDone: boolean) =>
      tx.tentatively(async () => {
        await setSetting(tx, name, 'x');
        return isDone;
      });
    await database.transaction(async (tx) => {
      expect(await tried(tx, 'vain first', false)).toBe(false);
      expect(await tried(tx, 'vain once more', false)).toBe(false);
      expect(await tried(tx, 'done', true)).toBe(true);
      expect(await tried(tx, 'vain behind', false)).toBe(false);
      await setSetting(tx, 'behind', 'x');
    });
    const both = database.transaction((tx) =>
      tx.tentatively(async () => {
        await tried(tx, 'vain within', false);
        return tried(tx, 'done within', true);
      }),
    );
    expect(await both).toBe(true);
    const names = await settingNames(database);
    expect(names.filter((name) => name.startsWith('vain'))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['done', 'behind', 'done within']));
  });

  test('a function that takes the transaction joins it', async () => {
    const outer = database.transaction(async (tx) => {
      await setSetting(tx, 'outer', 'x');
      await (async (joined: Transaction) => setSetting(joined, 'inner', 'x'))(tx);
      throw invalid('all of it');
    });
    await expect(outer).rejects.toThrow('all of it');
    const names = await settingNames(database);
    expect(names).not.toContain('outer');
    expect(names).not.toContain('inner');
  });

  test('of revisions that many raise at once, no two are the same', async () => {
    const before = await database.revision('identity');
    const raise = async (tx: Transaction) => {
      await tx.touch('identity');
      return (await readRevisions(tx)).identity;
    };
    const raised = await Promise.all(Array.from({ length: 50 }, () => database.transaction(raise)));
    expect(new Set([before, ...raised]).size).toBe(51);
    expect(await database.revision('identity')).toBe(Math.max(...raised));
  });

  test('a revision that was raised in vain is never used for something else', async () => {
    let inVain = 0;
    const fail = database.transaction(async (tx) => {
      await tx.touch('structure');
      inVain = (await readRevisions(tx)).structure;
      throw invalid('no');
    });
    await expect(fail).rejects.toThrow('no');
    await pause(2);
    await database.transaction((tx) => tx.touch('structure'));
    expect(await database.revision('structure')).toBeGreaterThan(inVain);
  });

  test('a change by another connection is seen in the revision at once', async () => {
    const other = await open(instance);
    const before = await database.revision('identity');
    await other.transaction((tx) => tx.touch('identity'));
    expect(await database.revision('identity')).toBeGreaterThan(before);
    await other.close();
  });

  test('a request that comes after others were answered together sees what was stored meanwhile', async () => {
    const other = await open(instance);
    const seen = async () => (await settingNames(database)).filter((name) => name.startsWith('turn'));
    const store = (name: string) => other.transaction((tx) => setSetting(tx, name, 'x'));
    database.beginLateTurn();
    expect(await seen()).toEqual([]);
    await store('turn-1');
    database.beginTurn();
    expect(await seen()).toEqual(['turn-1']);
    await new Promise(setImmediate);
    await store('turn-2');
    database.beginLateTurn();
    expect(await seen()).toEqual(['turn-1', 'turn-2']);
    await other.close();
  });

  test('of reads that are gathered each gets its own rows, and one that fails does so alone', async () => {
    await database.transaction((tx) => setSetting(tx, 'gathered', 'x'));
    const gathered = database.gathered();
    const named = (name: string) =>
      gathered.all(gathered.sql.selectFrom('setting').select('value').where('name', '=', name));
    const broken = { compile: () => sql`select ${1} from nowhere`.compile(gathered.sql) };
    const [found, failed, missing] = await Promise.allSettled([
      named('gathered'),
      gathered.all(broken),
      named('not there'),
    ]);
    expect(found).toEqual({ status: 'fulfilled', value: [{ value: 'x' }] });
    expect(failed.status).toBe('rejected');
    expect(missing).toEqual({ status: 'fulfilled', value: [] });
    const many = Array.from({ length: 150 }, (_, index) => named(index % 2 === 0 ? 'gathered' : 'not there'));
    expect((await Promise.all(many)).flat()).toHaveLength(75);
  });

  test('two that insert the same unique name: the second sees the first and says so', async () => {
    const create = (tx: Transaction) => async () => {
      const taken = await tx.first(
        tx.sql.selectFrom('platform_group').select('id').where('name_key', '=', 'same'),
      );
      if (taken !== undefined) throw invalid('taken');
      await tx.run(tx.sql.insertInto('platform_group').values({ name: 'Same', name_key: 'same' }));
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => database.transaction((tx) => create(tx)())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.message).toBe('taken');
  });

  test('what is read waits neither for changes that take long nor for those that wait for them', async () => {
    const patient = await open(instance, 5000);
    const release = await holdLock(engine, instance);
    const changes = Array.from({ length: 12 }, (_, index) =>
      patient.transaction((tx) => setSetting(tx, `slow ${index}`, 'x')),
    );
    const settled = Promise.allSettled(changes);
    // As many as may have a connection, and wait for the lock.
    while (engine === 'PostgreSQL' && patient.connectionUse()?.awaited === 0) await pause(10);
    const reading = settingNames(patient).then(() => 'read');
    expect(await Promise.race([reading, Promise.any(changes)])).toBe('read');
    await release();
    expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([]);
    await patient.close();
  });

  test('a lock that is never released makes a write unavailable, with nothing stored', async () => {
    const release = await holdLock(engine, instance);
    await expect(database.transaction((tx) => setSetting(tx, 'never', 'x'))).rejects.toMatchObject({
      kind: 'unavailable',
      extras: { retryAfter: expect.any(Number) },
    });
    await release();
    expect(await settingNames(database)).not.toContain('never');
  });

  test('a lock that a write behind others does not get makes the work unavailable, which is certain', async () => {
    const release = await holdLock(engine, instance);
    const work = database.transaction(async (tx) => {
      await tx.write(tx.sql.insertInto('job').values({ name: 'no job', due_at: 0, held_until: 0 }));
      await tx.write(tx.sql.insertInto('setting').values({ name: 'never', value: 'x' }));
    });
    await expect(work).rejects.toMatchObject({
      kind: 'unavailable',
      extras: { retryAfter: expect.any(Number) },
    });
    await release();
    expect(await settingNames(database)).not.toContain('never');
  });

  test('statements of work that failed are fit for the next, those behind the one that failed as well', async () => {
    const insert = statement((builder, { name }: { name: string }) =>
      builder.insertInto('setting').values({ name, value: 'x' }),
    );
    const remove = statement((builder, { name }: { name: string }) =>
      builder.deleteFrom('setting').where('name', '=', name),
    );
    const count = statement((builder, { name }: { name: string }) =>
      builder.selectFrom('setting').select('name').where('name', '=', name),
    );
    await database.transaction((tx) => setSetting(tx, 'there', 'x'));
    const both = (name: string) =>
      database.transaction(async (tx) => {
        await tx.write(insert, { name });
        await tx.write(remove, { name });
        return tx.all(count, { name });
      });
    // Each connection meets them for the first time.
    const failed = await Promise.allSettled(Array.from({ length: 4 }, () => both('there')));
    expect(failed.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    for (let turn = 0; turn < 8; turn++) expect(await both(`not there ${turn}`)).toEqual([]);
    expect(await settingNames(database)).toContain('there');
  });

  test('tables that another process changes meanwhile fail neither reads nor work', async () => {
    const everything = statement((builder) => builder.selectFrom('setting').selectAll());
    const others = statement((builder) => builder.selectFrom('revision').selectAll());
    await database.transaction((tx) => setSetting(tx, 'there', 'x'));
    const connections = Array.from({ length: 4 });
    const read = () => database.all(everything, {});
    const readTogether = () => database.consistently(10_000, (reader) => reader.all(everything, {}));
    const work = () =>
      database.transaction(async (tx) => [await tx.all(everything, {}), await tx.all(others, {})]);
    const askAll = () => Promise.all(connections.flatMap(() => [read(), readTogether(), work()]));
    await askAll();
    const change = (text: string) =>
      database.exclusiveTransaction((_, session) => session.run({ sql: text, values: [] }));
    for (const table of ['setting', 'revision'])
      await change(`alter table ${table} add column later integer`);
    try {
      for (const ask of [read, readTogether, work]) await Promise.all(connections.map(ask));
    } finally {
      for (const table of ['setting', 'revision']) await change(`alter table ${table} drop column later`);
    }
    await askAll();
    expect(await settingNames(database)).toContain('there');
  });

  test('text keeps every character that both engines can keep, and sorts by bytes', async () => {
    const texts = ['Zebra', 'apple', 'éclair', '日本', '🎉 party', '\u007f', "quote ' and \\"];
    await database.transaction(async (tx) => {
      for (const text of texts) await setSetting(tx, `sorted:${text}`, text);
    });
    const rows = await database.all<{ name: string; value: string }>(
      database.sql.selectFrom('setting').selectAll().where('name', 'like', 'sorted:%').orderBy('name'),
    );
    const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(rows.map(({ value }) => value)).toEqual(byBytes);
  });

  test.each([0, 1, 127, 128, 5000])(
    '%i rows inserted at once are all there, as they were given',
    async (count) => {
      const logs = ['', null, 'plain', `"quoted", {braced} \\ 'so'`, 'éclair\n日本 🎉', 'NULL'];
      const rows = Array.from(
        { length: count },
        (_, index) => [`many-${count}`, 'NEW', 'app', logs[index % logs.length] ?? null, index] as const,
      );
      await database.transaction((tx) =>
        tx.insertMany('system_event', ['type', 'status', 'owner', 'log', 'created_at'], rows),
      );
      const stored = await database.all<{ log: string | null; created_at: number }>(
        database.sql
          .selectFrom('system_event')
          .select(['log', 'created_at'])
          .where('type', '=', `many-${count}`)
          .orderBy('id'),
      );
      expect(stored).toEqual(rows.map(([, , , log, created_at]) => ({ log, created_at })));
    },
  );

  test('long texts inserted at once are whole', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => [`long-${index}`, `${index}é`.repeat(100_000)] as const,
    );
    await database.transaction((tx) => tx.insertMany('setting', ['name', 'value'], rows));
    const stored = await database.all<{ name: string; value: string }>(
      database.sql.selectFrom('setting').selectAll().where('name', 'like', 'long-%'),
    );
    expect(new Map(stored.map(({ name, value }) => [name, value]))).toEqual(new Map(rows));
  });

  test('rows inserted with new ids have them, and the next one counts on', async () => {
    const insert = (id: number) => [id, `Group ${id}`, `group ${id}`] as const;
    const ids = await database.transaction(async (tx) => {
      const made = [...(await tx.newIds('platform_group', 200)), ...(await tx.newIds('platform_group', 1))];
      await tx.insertMany('platform_group', ['id', 'name', 'name_key'], made.map(insert));
      return made;
    });
    expect(new Set(ids).size).toBe(201);
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    const next = database.sql.insertInto('platform_group').values({ name: 'Next', name_key: 'next' });
    const [row] = await database.transaction((tx) => tx.all(next.returning('id')));
    expect(row?.id).toBeGreaterThan(ids.at(-1) ?? 0);
  });

  test('new ids of a table that was always empty begin at 1', async () => {
    expect(await database.transaction((tx) => tx.newIds('attachment', 2))).toEqual([1, 2]);
    expect(await database.transaction((tx) => tx.newIds('attachment', 1))).toEqual([3]);
  });

  test('rows inserted at once go with the work that is refused', async () => {
    const refused = database.transaction(async (tx) => {
      await tx.insertMany('setting', ['name', 'value'], [['bulk', 'x']]);
      throw invalid('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await settingNames(database)).not.toContain('bulk');
  });

  test('what waited in the outbox of an earlier version is named as events are', async () => {
    const waiting = {
      'artifact-changed': '{"artifactId":1,"changesetId":2}',
      'svn-commit': '{"repositoryId":7,"revision":3}',
      'access-key-created': '{"account":1}',
    };
    const rows = Object.entries(waiting).map(([kind, payload]) => ({ kind, payload, created_at: 1 }));
    await database.transaction(async (tx) => {
      await tx.run(tx.sql.insertInto('outbox').values(rows));
      await tx.run(tx.sql.deleteFrom('migration').where('name', '=', 'event kinds'));
    });
    await migrate(database);
    database.renew();
    const outbox = database.sql.selectFrom('outbox');
    expect(await database.all(outbox.select(['kind', 'payload']).orderBy('id'))).toEqual([
      { kind: 'artifact.updated', payload: '{"artifactId":1,"changesetId":2}' },
      { kind: 'svn.commit', payload: '{"repositoryId":7,"revision":3,"projectId":0,"by":0}' },
      { kind: 'access_key.created', payload: '{"account":1}' },
    ]);
    await database.transaction((tx) => tx.run(tx.sql.deleteFrom('outbox')));
  });

  test('migrating again, by several at once, changes nothing', async () => {
    const others = await Promise.all([open(instance), open(instance), open(instance)]);
    await Promise.all(others.map((other) => migrate(other)));
    await Promise.all(others.map((other) => other.close()));
    expect(await settingNames(database)).toContain('many-1');
  });

  test('a database of a newer program is refused and not touched', async () => {
    const newer = await createInstance(engine);
    const other = await open(newer);
    const values = { id: 9999, name: 'from the future', applied_at: 0 };
    await other.transaction((tx) => tx.run(tx.sql.insertInto('migration').values(values)));
    await expect(migrate(other)).rejects.toThrow(NewerDatabase);
    await other.close();
    const file = join(newer.folder, 'atelier.sqlite');
    const before = engine === 'SQLite' ? readFileSync(file) : undefined;
    const { code, stderr, stdout } = await runCommand(newer.environment, ['serve']);
    expect(code).toBe(1);
    expect(stderr).toContain('newer version of Atelier (schema 9999');
    expect(stderr + stdout).not.toContain('at ');
    if (before !== undefined) expect(readFileSync(file).equals(before)).toBe(true);
    await newer.remove();
  });
});
