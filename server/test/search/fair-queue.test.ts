import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/kernel/fair-queue.ts';

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

test('whoever had nothing waiting goes before those who ask for much, most of the time', async () => {
  const { done, ask } = recorded();
  const much = [1, 2].flatMap((who) => ['one', 'two', 'three'].map((what) => ask(who, `${what} of ${who}`)));
  await much[0];
  const others = Array.from({ length: 6 }, (_, index) => ask(index + 10, `new ${index}`));
  await Promise.all([...much, ...others]);
  const order = done.filter((what) => !what.endsWith('begins'));
  const newOnes = order.filter((what) => what.startsWith('new'));
  expect(newOnes).toEqual(['new 0', 'new 1', 'new 2', 'new 3', 'new 4', 'new 5']);
  // One of those who ask for much has its turn in between, so that nobody waits for ever.
  const [first, last] = [order.indexOf('new 0'), order.indexOf('new 5')];
  expect(last - first).toBe(6);
});

test('several things go on at once, and never all of them are one person’s', async () => {
  const queue = new FairQueue(60_000, { all: 3, ofOne: 2 });
  let most = 0;
  const running = new Map<number, number>();
  const work = (who: number) => async () => {
    running.set(who, (running.get(who) ?? 0) + 1);
    most = Math.max(
      most,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    );
    expect(running.get(who)).toBeLessThanOrEqual(2);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    running.set(who, (running.get(who) ?? 0) - 1);
  };
  await Promise.all([1, 1, 1, 1, 2, 2].map((who) => queue.run(who, work(who))));
  expect(most).toBe(3);
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
