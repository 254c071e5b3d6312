import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FairQueue } from '../src/threads/fair-queue.ts';

/** A queue with a protocol of what was done in which order. */
function recorded(patience = 60_000) {
  const queue = new FairQueue(patience);
  const done: string[] = [];
  const ask = (who: number, what: string) =>
    queue.run(who, async () => {
      done.push(`${what} begins`);
      await nextTurn();
      done.push(what);
      return what;
    });
  return { queue, done, ask };
}

test('one thing at a time, of everybody in turn', async () => {
  const { done, ask } = recorded();
  const asked = [ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(2, 'b1'), ask(3, 'c1'), ask(2, 'b2')];
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  const order = ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'];
  expect(done).toEqual(order.flatMap((what) => [`${what} begins`, what]));
});

test('whoever comes by message gets their turn, though the work never lets go of the thread', async () => {
  const { port1, port2 } = new MessageChannel();
  const queue = new FairQueue(60_000);
  const done: string[] = [];
  const all = new Promise<void>((resolve) => {
    port2.on('message', ({ who, what }: { who: number; what: string }) => {
      void queue.run(who, async () => {
        done.push(what);
        // Somebody else asks while the first of many is at work.
        if (what === 'a1') port1.postMessage({ who: 2, what: 'b' });
        if (done.length === 6) resolve();
      });
    });
  });
  for (const what of ['a1', 'a2', 'a3', 'a4', 'a5']) port1.postMessage({ who: 1, what });
  await all;
  port1.close();
  expect(done.indexOf('b')).toBeLessThan(done.indexOf('a4'));
});

test('a fault is told to whoever asked, and others get their turn', async () => {
  const { queue, ask } = recorded();
  const failing = queue.run(1, () => Promise.reject(new Error('broken')));
  const others = [ask(1, 'a'), ask(2, 'b')];
  await expect(failing).rejects.toThrow('broken');
  expect(await Promise.all(others)).toEqual(['a', 'b']);
  expect(await ask(1, 'again')).toBe('again');
});

test('what waited for too long does not begin', async () => {
  const { done, ask } = recorded(-1);
  await expect(ask(1, 'late')).rejects.toThrow('did not begin');
  expect(done).toEqual([]);
});
