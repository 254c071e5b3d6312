import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { systemViewer } from '../../src/kernel/viewer.ts';
import { postponeEvent, settleEvents, takeEvents } from '../../src/notify/outbox.ts';
import { appendEvent, type Database, eventIn, openDatabase } from '../../src/storage/index.ts';
import { createInstance, engines, type Instance } from '../harness/atelier.ts';

const kinds = ['artifact.updated'];

describe.each(engines)('the outbox on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  let last = -1;
  beforeEach(async () => {
    await database?.close();
    await instance?.remove();
    instance = await createInstance(engine);
    const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
    database = await openDatabase({ folder: instance.folder, databaseUrl, connections: 2 });
    last = -1;
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });

  /** Changes of artifacts by people: one event for each pair. */
  const happen = (...changes: readonly (readonly [by: number, artifactId: number])[]) =>
    database.transaction(async (tx) => {
      for (const [by, artifactId] of changes)
        await appendEvent(tx, 'artifact.updated', {
          ...{ artifactId, by, trackerId: 1, projectId: 1 },
          ...{ changesetId: 1, fieldIds: [] },
        });
    });
  const repeated = (count: number, by: number, artifactId: number) =>
    Array.from({ length: count }, () => [by, artifactId] as const);

  interface Taken {
    readonly id: number;
    readonly by: number;
    readonly artifactId: number;
  }
  const take = async (): Promise<Taken[]> => {
    const taken = await database.transaction((tx) => takeEvents(tx, systemViewer, { kinds, last }));
    last = taken.last;
    return taken.events.map((event) => {
      const facts = eventIn(event);
      return 'artifactId' in facts ? { ...facts, id: event.id } : { id: event.id, by: 0, artifactId: 0 };
    });
  };
  const settle = (events: readonly Taken[]) =>
    database.transaction((tx) =>
      settleEvents(tx, systemViewer, {
        events: events.map(({ id }) => ({ id, mails: [], deliveries: [] })),
      }),
    );
  const people = (events: readonly Taken[]) => [...new Set(events.map(({ by }) => by))];

  test('tells what one person did after a thousand changes of another with the first of these', async () => {
    await happen(...repeated(1000, 101, 1), [102, 2]);
    const events = await take();
    expect(events[1]).toMatchObject({ by: 102, artifactId: 2 });
    expect(events).toHaveLength(11);
  });

  test('gives everybody a turn, and each person what they did in its order', async () => {
    const everybody = Array.from({ length: 50 }, (_, index) => 101 + index);
    for (let round = 0; round < 3; round++)
      await happen(...everybody.map((by) => [by, by * 10 + round] as const));
    const taken: Taken[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const events = await take();
      expect(new Set(people(events)).size).toBe(20);
      taken.push(...events);
    }
    expect(people(taken)).toHaveLength(50);
    for (let events = await take(); events.length > 0; events = await take()) taken.push(...events);
    expect(taken).toHaveLength(150);
    for (const by of everybody)
      expect(taken.filter((event) => event.by === by).map(({ artifactId }) => artifactId % 10)).toEqual([
        0, 1, 2,
      ]);
  });

  test('keeps the order of what several people do to one artifact', async () => {
    await happen(...repeated(30, 101, 1), ...repeated(30, 102, 1), ...repeated(30, 101, 1), [103, 2]);
    const taken: Taken[] = [];
    for (let events = await take(); events.length > 0; events = await take()) {
      taken.push(...events);
      await settle(events);
    }
    expect(taken).toHaveLength(91);
    expect(taken.findIndex(({ by }) => by === 103)).toBeLessThan(20);
    const ids = taken.filter(({ artifactId }) => artifactId === 1).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
  });

  test('holds nothing up because of one that could not be told', async () => {
    await happen([101, 1]);
    const [failed] = await take();
    await database.transaction((tx) => postponeEvent(tx, systemViewer, { id: failed?.id ?? 0, attempts: 1 }));
    await happen(...repeated(20, 102, 1), ...repeated(20, 103, 2));
    expect(people(await take())).toEqual([102, 103]);
  });
});
