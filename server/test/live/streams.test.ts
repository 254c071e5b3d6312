import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemViewer, type Viewer } from '../../src/kernel/viewer.ts';
import { EventStreams } from '../../src/live/index.ts';
import { createPlatform } from '../../src/operations.ts';
import { type Database, logEvent, openDatabase, operationsOn } from '../../src/storage/index.ts';
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

  test('name no place in a sign of life that is behind something not told yet', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const said: string[][] = [];
    const listen = (userId: number) => {
      const viewer: Viewer = { ...systemViewer, userId };
      const own: string[] = [];
      said.push(own);
      const ear = {
        send: (text: string) => {
          own.push(text);
          // Everybody gets a sign of life when the first of the two was told, and the other was not.
          if (userId === 101 && text.includes('event: standing')) vi.advanceTimersByTime(20_000);
        },
        end: () => undefined,
        identify: async () => viewer,
      };
      return streams.open(ear, { viewer, topics: ['user'] }, [{ event: 'hello', data: {} }]);
    };
    const close = [await listen(101), await listen(102)];
    await database.transaction((tx) => logEvent(tx, 'standing.changed', { accountIds: [101, 102] }));
    const [, others = []] = said;
    await expect.poll(() => others.join('')).toContain('event: standing');
    for (const end of close) end();
    const text = others.join('');
    expect(text).toMatch(/^:\nid: /m);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const told = Number(/id: (\d+)\nevent: standing/.exec(text)?.[1]);
    expect(ids.slice(0, ids.indexOf(told)).every((id) => id < told)).toBe(true);
    expect(ids.indexOf(told)).toBe(ids.length - 1);
  });

  test('go on after a sign of life, also where it is all that was heard since a time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const viewer: Viewer = { ...systemViewer, userId: 101 };
    const listen = async (place: { since?: number; after?: number }) => {
      const said: string[] = [];
      const ear = {
        send: (text: string) => void said.push(text),
        end: () => undefined,
        identify: async () => viewer,
      };
      const close = await streams.open(ear, { viewer, topics: ['user'], ...place }, []);
      onTestFinished(close);
      return () => said.join('');
    };
    await database.transaction((tx) => logEvent(tx, 'standing.changed', { accountIds: [102] }));
    const first = await listen({ since: Date.now() + 1000 });
    vi.advanceTimersByTime(20_000);
    const after = Number(/^:\nid: (\d+)$/m.exec(first())?.[1]);
    await database.transaction((tx) => logEvent(tx, 'standing.changed', { accountIds: [101] }));
    const second = await listen({ after });
    await expect.poll(second).toContain('event: standing');
    expect(second()).not.toContain('event: reset');
  });
});
