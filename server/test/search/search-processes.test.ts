import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemViewer } from '../../src/kernel/viewer.ts';
import { createPlatform } from '../../src/operations.ts';
import { IndexKeeper } from '../../src/search/index.ts';
import { type Database, operationsOn, type Reader } from '../../src/storage/index.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf, idsOf, query, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, Person, type ServerProcess, startAtelier, startHosted } from '../harness/atelier.ts';

describe('searches over two processes on PostgreSQL', () => {
  let atelier: Atelier;
  let other: ServerProcess;
  let database: Database;
  let here: Person;
  let there: Person;
  let tracker: number;
  let fields: Record<'title' | 'status' | 'points', number>;
  let values: Readonly<Record<string, number>>;

  beforeAll(async () => {
    atelier = await startAtelier('PostgreSQL');
    other = await startHosted(atelier.instance.environment);
    database = await databaseOf(atelier);
    const { admin } = atelier;
    here = admin;
    there = new Person(other.url, { id: 101, name: 'admin', password: '', key: atelier.instance.adminKey });
    const project = (await createProject(admin, 'both')).id;
    tracker = (await createTracker(admin, project)).id;
    const list = { type: 'static', values: ['Open', 'Done'].map((label) => ({ label })) };
    const status = await addField(admin, tracker, { type: 'sb', name: 'status', bind: list });
    values = valueIds(status);
    const add = async (type: string, name: string) =>
      (await addField(admin, tracker, { type, name })).field_id;
    fields = {
      title: await add('string', 'title'),
      status: status.field_id,
      points: await add('int', 'points'),
    };
  }, 120_000);
  afterAll(async () => {
    await database?.close();
    await other?.end();
    await atelier?.stop();
  });

  const entries = (title: string, status: 'Open' | 'Done', points: number) => [
    { field_id: fields.title, value: title },
    { field_id: fields.status, bind_value_ids: [values[status]] },
    { field_id: fields.points, value: points },
  ];

  async function found(by: Person, asked: Readonly<Record<string, unknown>>) {
    const answer = await by.get(`/trackers/${tracker}/artifacts?limit=1000&query=${query(asked)}`);
    expect(answer.status, answer.text).toBe(200);
    return { ids: idsOf(answer), size: sizeOf(answer) };
  }

  const keeperOn = (own: Database) => {
    const { operations, trackers } = createPlatform({ tellsPeople: false });
    return new IndexKeeper({ database: own, trackers, operations: operationsOn(own, operations) });
  };

  async function stateOfIndex(): Promise<string[]> {
    const reader: Reader = database;
    const rows = await reader.all(reader.sql.selectFrom('posting').selectAll());
    return rows.map(({ key, block, ids }) => `${key} ${block} ${Buffer.from(ids).toString('hex')}`).sort();
  }

  async function fold(leastWaiting?: number): Promise<void> {
    await keeperOn(database).mergePostings();
    await keeperOn(database).mergeTexts({
      isAlone: true,
      ...(leastWaiting === undefined ? {} : { leastWaiting }),
    });
  }

  test('P19.3 what one of them stored is found by both right after its answer, while both fold it in', async () => {
    const writer = async (name: string, by: Person) => {
      for (let round = 0; round < 12; round++) {
        const title = `${name}word${round}`;
        const id = await submit(by, tracker, entries(title, 'Open', round));
        for (const reader of [here, there]) {
          expect(await found(reader, { title })).toEqual({ ids: [id], size: 1 });
          expect((await found(reader, { status: values['Open'] })).ids).toContain(id);
        }
        await change(by, id, entries(`${title} done`, 'Done', 1000 + round));
        for (const reader of [there, here]) {
          expect((await found(reader, { status: values['Open'] })).ids).not.toContain(id);
          expect((await found(reader, { status: values['Done'] })).ids).toContain(id);
          expect((await found(reader, { points: '>999' })).ids).toContain(id);
          expect(await found(reader, { title: `${title} done` })).toEqual({ ids: [id], size: 1 });
        }
        await pause(60);
      }
    };
    await Promise.all([writer('alpha', here), writer('beta', there), writer('gamma', here)]);
    const done = await found(here, { status: values['Done'] });
    expect(done.size).toBe(36);
    expect(await found(there, { status: values['Done'] })).toEqual(done);
  }, 120_000);

  test('P19.3 a change that is committed after later ones were merged is not missed', async () => {
    const slow = await submit(here, tracker, entries('slowly', 'Open', 1));
    const quick = await submit(here, tracker, entries('quickly', 'Open', 1));
    await fold(1);
    const holder = new pg.Client({ connectionString: atelier.instance.environment['ATELIER_DATABASE_URL'] });
    await holder.connect();
    // Whoever tells of a change waits here, when all else of it is written.
    await holder.query('begin; lock table event_log in share mode');
    const waiting = change(here, slow, entries('slowlychanged', 'Done', 7));
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and application_name = 'atelier http'`;
    while ((await holder.query(waits)).rows.length === 0) await pause(20);
    await database.transaction((tx) =>
      tx.run(tx.sql.insertInto('search_pending').values({ artifact_id: quick, ticket: 9_000_000 })),
    );
    await fold(1);
    expect(await database.first(database.sql.selectFrom('search_pending').selectAll())).toBeUndefined();
    expect((await found(there, { status: values['Open'] })).ids).toContain(slow);
    await holder.query('commit');
    await holder.end();
    await waiting;
    for (const round of ['noted', 'folded']) {
      for (const reader of [here, there]) {
        expect(await found(reader, { title: 'slowlychanged' }), round).toEqual({ ids: [slow], size: 1 });
        expect((await found(reader, { status: values['Open'] })).ids, round).not.toContain(slow);
        expect((await found(reader, { status: values['Done'] })).ids, round).toContain(slow);
      }
      await fold(1);
    }
  }, 60_000);

  test('P19.3 two that fold at once leave what one alone would have made', async () => {
    await fold();
    const before = await stateOfIndex();
    const second = await databaseOf(atelier);
    try {
      const { operations } = createPlatform({ tellsPeople: false });
      await operationsOn(database, operations).renewBlock(systemViewer, { block: 0 });
      expect((await found(here, { status: values['Done'] })).size).toBe(37);
      await Promise.all([keeperOn(database).mergePostings(), keeperOn(second).mergePostings()]);
      expect(await stateOfIndex()).toEqual(before);
    } finally {
      await second.close();
    }
  });

  test('P19.3 an index that is lost is made anew while both answer', async () => {
    const before = await found(here, { status: values['Done'] });
    await fold();
    const state = await stateOfIndex();
    await atelier.sql('delete from posting; delete from word_posting; delete from word_block');
    const { code, stderr } = await atelier.cli('reindex');
    expect(code, stderr).toBe(0);
    for (const reader of [here, there])
      expect(await found(reader, { status: values['Done'] })).toEqual(before);
    await fold();
    expect(await stateOfIndex()).toEqual(state);
  }, 60_000);
});
