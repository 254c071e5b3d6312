import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemViewer, type Viewer } from '../../src/kernel/viewer.ts';
import { EventStreams } from '../../src/live/index.ts';
import { createPlatform } from '../../src/operations.ts';
import { type Database, openDatabase, operationsOn } from '../../src/storage/index.ts';
import { createInstance, engines, type Instance } from '../harness/atelier.ts';

describe.each(engines)('streams of events on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  let streams: EventStreams;
  beforeAll(async () => {
    instance = await createInstance(engine);
    const { folder, environment } = instance;
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    database = await openDatabase({ folder, databaseUrl, connections: 2 });
    const { operations, trackers } = createPlatform({ tellsPeople: false });
    const { numberEvents } = operationsOn(database, operations);
    streams = new EventStreams({
      ...{ database, trackers },
      numberEvents: () => numberEvents(systemViewer, undefined),
      fault: (error) => {
        throw error;
      },
    });
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });

  test('tell somebody so who was signed out between coming in and being listened for', async () => {
    const said: string[] = [];
    let isOver = false;
    const ear = {
      send: (text: string) => void said.push(text),
      end: () => {
        isOver = true;
      },
      identify: async () => undefined,
    };
    const viewer: Viewer = { ...systemViewer, userId: 101 };
    const close = await streams.open(ear, { viewer, topics: ['user'] }, []);
    close();
    expect(said.join('')).toContain('event: signed_out');
    expect(isOver).toBe(true);
  });

  test('keep nothing of somebody of whom cannot be said who they are', async () => {
    const ear = {
      send: () => undefined,
      end: () => undefined,
      identify: () => Promise.reject(new Error('Nobody knows.')),
    };
    const viewer: Viewer = { ...systemViewer, userId: 101 };
    await expect(streams.open(ear, { viewer, topics: ['user'] }, [])).rejects.toThrow('Nobody knows.');
    expect(streams.size).toBe(0);
  });
});
